package account_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/compare"
	"pview/insight/criticalpath"
	"pview/insight/diagnose"
	"pview/insight/efficiency"
	"pview/insight/eventgraph"
	"pview/insight/profile"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/format"
	"pview/prv/prvtest"
	"pview/prv/wide"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// traces lists all traces and logs at hand: those in testdata, those next to the repository, and generated cases in the
// folder named by the environment variable PVIEW_CASES.
func traces(t *testing.T) (list []string) {
	t.Helper()
	const large = 4 << 20 // of a file that -short skips
	for _, dir := range []string{"../../testdata", filepath.Join(prvtest.SharedDir(), "traces"),
		filepath.Join(prvtest.SharedDir(), "faults", "examples"), os.Getenv("PVIEW_CASES")} {
		if dir == "" {
			continue
		}
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err != nil || testing.Short() && info.Size() > large/4 {
				return nil
			}
			for _, end := range []string{".prv", ".prv.gz", ".sts"} {
				if strings.HasSuffix(path, end) && !strings.HasSuffix(path, ".sum.sts") {
					list = append(list, path)
				}
			}
			return nil
		})
	}
	return list
}

func open(t *testing.T, path string) *prv.Trace {
	t.Helper()
	tr, err := format.Open(context.Background(), &prv.Opener{NoIndex: true}, path, prv.Watcher{})
	if err != nil {
		t.Skip(err)
	}
	return tr
}

// graphOf returns the graph for an account.
func graphOf(t *testing.T, tr *prv.Trace) *eventgraph.Graph {
	t.Helper()
	ctx := context.Background()
	g, err := eventgraph.NewGraph(ctx, tr, waits.Options{}, eventgraph.Given{})
	if err == nil && g.Driven != nil {
		err = g.BuildUnits(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func accountOf(t *testing.T, g *eventgraph.Graph, opt account.Options) *account.Account {
	t.Helper()
	a, err := account.New(context.Background(), g, opt)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// checkSums: the entries, and the sums of the threads, sum to threads times window.
func checkSums(t *testing.T, what string, a *account.Account) {
	t.Helper()
	sum, byKind := wide.Int{}, account.Sums{}
	seen := map[account.Entry]bool{}
	for _, e := range a.Entries {
		sum = sum.Plus(e.NS)
		byKind[e.Kind] += e.NS.Int64()
		name := account.Entry{Kind: e.Kind, Of: e.Of}
		if e.NS.Int64() <= 0 || e.Of == "" || seen[name] {
			t.Errorf("%s: entry %v", what, e)
		}
		seen[name] = true
	}
	if sum != a.Whole() {
		t.Errorf("%s: entries sum to %s ns, not %s", what, sum, a.Whole())
	}
	for i, s := range a.ByThread {
		own := int64(0)
		for _, v := range s {
			own += v
		}
		if own != a.Window() {
			t.Errorf("%s: thread %d: %d ns, not %d: %v", what, i, own, a.Window(), s)
		}
	}
	for kind := range account.NumKinds {
		if a.Of(kind) != wide.Of(byKind[kind]) {
			t.Errorf("%s: %v: %s ns of threads, %d of entries", what, kind, a.Of(kind), byKind[kind])
		}
	}
	if a.Useful().Plus(a.Loss()) != a.Whole() {
		t.Errorf("%s: useful %s and loss %s are not %s", what, a.Useful(), a.Loss(), a.Whole())
	}
}

// inOrder reports whether the states of each thread follow one another, as those of most real traces do.
func inOrder(tr *prv.Trace) bool {
	for i := range tr.Threads {
		s := &tr.Threads[i].States
		for k, begin := range s.Begin {
			if k > 0 && begin < s.End[k-1] || s.End[k] != prv.NoEnd && s.End[k] < begin {
				return false
			}
		}
	}
	return true
}

// TestSums: the account sums exactly, for every trace, time range and choice of threads, and its useful time is that of
// the factors.
func TestSums(t *testing.T) {
	for _, path := range traces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			tr := open(t, path)
			g := graphOf(t, tr)
			a := accountOf(t, g, account.Options{})
			checkSums(t, "all", a)
			if from, to := execution.Window(tr); a.Window() != (to-from)*tr.Unit.Nanoseconds() {
				t.Errorf("window %d", a.Window())
			}
			run, err := efficiency.Measure(context.Background(), tr, efficiency.Options{TimesOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			if inOrder(tr) && a.Useful() != wide.Of(int64(run.UsefulTotal())) || a.Window() != run.Runtime {
				t.Errorf("useful %d of %d ns, the factors say %.0f of %d", a.Useful(), a.Window(), run.UsefulTotal(),
					run.Runtime)
			}
			from, to := tr.Duration/3, tr.Duration/2
			part := accountOf(t, g, account.Options{From: from, To: to})
			if part.Window() != (to-from)*tr.Unit.Nanoseconds() {
				t.Errorf("a part: window %d", part.Window())
			}
			checkSums(t, "a part", part)
			if g.T.NumThreads() > 1 {
				some := accountOf(t, g, account.Options{Threads: []int32{0, int32(g.T.NumThreads() - 1)}})
				checkSums(t, "some threads", some)
				if some.ByThread[0] != a.ByThread[0] && g.Driven != nil {
					t.Errorf("thread 0 of some: %v, of all %v", some.ByThread[0], a.ByThread[0])
				}
			}
			// Parts sum to the whole.
			window := account.Options{From: a.From / tr.Unit.Nanoseconds(), To: a.To / tr.Unit.Nanoseconds()}
			mid := (window.From + window.To) / 2
			if window.From < mid && mid < window.To {
				x := accountOf(t, g, account.Options{From: window.From, To: mid})
				y := accountOf(t, g, account.Options{From: mid, To: window.To})
				if x.Useful().Plus(y.Useful()) != a.Useful() ||
					x.Of(account.Outside).Plus(y.Of(account.Outside)) != a.Of(account.Outside) {
					t.Errorf("halves: useful %s + %s, not %s", x.Useful(), y.Useful(), a.Useful())
				}
			}
		})
	}
}

// profileOf measures the profile of a whole run, as the Profile pane does.
func profileOf(t *testing.T, tr *prv.Trace) *profile.Profile {
	t.Helper()
	ctx := context.Background()
	facts, err := ready.Observe(ctx, tr)
	if err != nil {
		t.Fatal(err)
	}
	threads := make([]int32, tr.NumThreads())
	for i := range threads {
		threads[i] = int32(i)
	}
	p, err := profile.Measure(ctx, facts, series.NewCache(1<<28), 0, tr.Duration, threads)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkEntries: the Profile, the class table and the account agree on the entry methods of a message-driven run.
func checkEntries(t *testing.T, tr *prv.Trace, d *diagnose.Result, shown *profile.Profile) {
	t.Helper()
	k := slices.IndexFunc(shown.Sections, func(s profile.Section) bool { return s.Title == profile.EntryMethods })
	if k < 0 {
		return
	}
	classes, err := d.Classes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got, want := map[string][2]int64{}, map[string][2]int64{}
	sum := int64(0)
	for _, e := range shown.Sections[k].List {
		got[e.Name] = [2]int64{e.Executions, e.Time.Int64()}
		sum += e.Time.Int64()
	}
	for _, c := range classes {
		want[c.Name] = [2]int64{c.Runs, c.Time}
	}
	if !maps.Equal(got, want) {
		t.Errorf("executions and times of entry methods: profile %v, classes %v", got, want)
	}
	if wide.Product(sum, tr.Unit.Nanoseconds()) != d.Account.Useful() {
		t.Errorf("time of entry methods: %d, account %s ns", sum, d.Account.Useful())
	}
}

// TestOneTruth: commands agree on the figures that they share: the parallel efficiency, and the window of the run.
func TestOneTruth(t *testing.T) {
	for _, path := range traces(t) {
		if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 && os.Getenv("PVIEW_CASES") == "" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			ctx, tr := context.Background(), open(t, path)
			d, err := diagnose.Analyze(ctx, tr, diagnose.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := d.Account
			checkSums(t, "diagnose", a)
			if got := d.Length * tr.Unit.Nanoseconds(); got != a.Window() {
				t.Errorf("diagnose: length %d ns, account %d", got, a.Window())
			}
			p, err := criticalpath.Find(ctx, tr, criticalpath.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Summary(tr.Labels).Total * tr.Unit.Nanoseconds(); got != a.Window() {
				t.Errorf("critical: %d ns, account %d", got, a.Window())
			}
			if execution.IsDriven(tr) && (p.Simulated || p.Jumps == 0) {
				t.Errorf("critical: simulated %v, %d changes of thread", p.Simulated, p.Jumps)
			}
			if !inOrder(tr) || a.Useful() == (wide.Int{}) {
				return
			}
			agrees := func(who string, got float64) {
				if math.Abs(got-a.Efficiency()) > 1e-6 { // the headline has digits as printed
					t.Errorf("%s: parallel efficiency %v, account %v", who, got, a.Efficiency())
				}
			}
			h, err := efficiency.Headline(ctx, tr, true)
			if err != nil {
				t.Fatal(err)
			}
			if len(h.Factors) > 0 {
				agrees("headline", h.Factors[0].Value/100)
			}
			run, err := compare.Analyse(ctx, tr, compare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			agrees("compare", run.Factors().Parallel)
			shown := profileOf(t, tr)
			agrees("profile", shown.Useful)
			checkEntries(t, tr, d, shown)
			w := a.Waterfall()
			tenths := w.Useful.Tenths
			for _, s := range w.Steps {
				tenths += s.Tenths
			}
			if tenths != 1000 {
				t.Errorf("the waterfall shows %d tenths of a percent: %+v", tenths, w)
			}
		})
	}
}

// A barrier that one thread never enters does not end: from the last arrival, the cause of the wait is unknown, and it
// is not a transfer. (30 - 20) waits for thread 2, 2 (100 - 30) are unknown, 20 + 30 + 100 compute.
func TestEndlessCall(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):100_ns:1(3):1:3(1:1,1:1,1:1),1\nc:1:1:3:1:2:3\n" +
		"1:1:1:1:1:0:20:1\n1:1:1:1:1:20:100:13\n2:1:1:1:1:20:50000002:8:50100004:1\n" +
		"1:2:1:2:1:0:30:1\n1:2:1:2:1:30:100:13\n2:2:1:2:1:30:50000002:8:50100004:1\n1:3:1:3:1:0:100:1\n"
	g := graphOf(t, written(t, text))
	a := accountOf(t, g, account.Options{})
	for category, want := range map[account.Kind]int64{account.Unknown: 140, account.Wait: 10,
		account.Computing: 150} {
		if got := a.Of(category).Int64(); got != want {
			t.Errorf("%v: %d ns, not %d: %v", category, got, want, a.Entries)
		}
	}
	want := "on 2 threads the last call does not end (value 8): what it waits for is unknown"
	if !slices.Contains(g.Waits.Notes, want) {
		t.Errorf("notes %q", g.Waits.Notes)
	}
}

// The cause of waits in calls is unknown if messages are not recorded: task 1 posts a receive and waits 60 ns for it.
func TestUntoldMessages(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1)\n" +
		"1:1:1:1:1:0:20:1\n1:1:1:1:1:20:30:11\n1:1:1:1:1:30:90:8\n1:1:1:1:1:90:100:1\n" +
		"2:1:1:1:1:20:50000001:4\n2:1:1:1:1:30:50000001:0:50000001:6\n2:1:1:1:1:90:50000001:0\n" +
		"1:2:1:2:1:0:40:1\n1:2:1:2:1:40:50:10\n1:2:1:2:1:50:100:1\n" +
		"2:2:1:2:1:40:50000001:3\n2:2:1:2:1:50:50000001:0\n"
	a := accountOf(t, graphOf(t, written(t, text)), account.Options{})
	if unknown, call := a.Of(account.Unknown).Int64(), a.Of(account.Call).Int64(); unknown != 60 || call != 20 {
		t.Errorf("%d ns are unknown, %d of calls: %v", unknown, call, a.Entries)
	}
	if s := a.Sentence(1); !strings.HasPrefix(s, "unknown: ") || !strings.Contains(s, "30.0 %") {
		t.Error(s)
	}
}

// A thread computes for 80 ns of 100, and is in a state for the 20 from 40 on, in a trace without calls. It is alone in
// its process, or the worker or the master of a team of two, of which the other one computes.
func TestStatesOutsideCalls(t *testing.T) {
	const none = -1 // no state is recorded
	for _, c := range []struct {
		state                 int
		alone, worker, master account.Kind
	}{
		{0, account.Unknown, account.NoWork, account.Unknown}, // idle
		{2, account.Outside, account.Outside, account.Outside},
		{3, account.Wait, account.Wait, account.Wait},          // for a message, as in a call that was not recorded
		{5, account.Unknown, account.Runtime, account.Runtime}, // synchronization
		{9, account.Wait, account.Wait, account.Wait},          // blocked
		{7, account.Runtime, account.Runtime, account.Runtime}, // fork and join
		{10, account.Call, account.Call, account.Call},         // immediate send, likewise
		{12, account.IO, account.IO, account.IO},
		{17, account.Transfer, account.Transfer, account.Transfer},
		{99, account.Unknown, account.Unknown, account.Unknown},
		{none, account.Unknown, account.NoWork, account.Unknown},
	} {
		for threads, want := range map[[2]int]account.Kind{{1, 1}: c.alone, {2, 2}: c.worker, {2, 1}: c.master} {
			text := fmt.Sprintf("#Paraver (01/01/2026 at 10:00):100_ns:1(2):1:1(%d:1)\n", threads[0])
			for th := 1; th <= threads[0]; th++ {
				if th != threads[1] {
					text += fmt.Sprintf("1:%d:1:1:%d:0:100:1\n", th, th)
					continue
				}
				for _, part := range [...][3]int{{0, 40, 1}, {40, 60, c.state}, {60, 100, 1}} {
					if part[2] == none {
						continue
					}
					text += fmt.Sprintf("1:%d:1:1:%d:%d:%d:%d\n", th, th, part[0], part[1], part[2])
				}
			}
			a := accountOf(t, graphOf(t, written(t, text)), account.Options{})
			computing := int64(100*threads[0] - 20)
			if a.Of(want).Int64() != 20 || a.Of(account.Computing).Int64() != computing {
				t.Errorf("state %d of thread %d of %d: %v, want %v", c.state, threads[1], threads[0], a.Entries, want)
			}
		}
	}
}

// The steps of a waterfall are rounded so that they add up: of 10000 ns 6665 compute and 3335 are in a call, 66.65 and
// 33.35 %, which are 66.7 and 33.4, together 100.1.
func TestWaterfallAddsUp(t *testing.T) {
	w := accountOf(t, graphOf(t, written(t, "#Paraver (01/01/2026 at 10:00):10000_ns:1(1):1:1(1:1)\n"+
		"1:1:1:1:1:0:6665:1\n1:1:1:1:1:6665:10000:13\n")), account.Options{}).Waterfall()
	if len(w.Steps) != 1 || w.Useful.Tenths+w.Steps[0].Tenths != w.Whole.Tenths {
		t.Errorf("%+v", w)
	}
}

// written opens a trace of a text.
func written(t *testing.T, text string) *prv.Trace {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.prv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

// A share of less than a tenth of a percent has more digits than the others, and no minus before a zero: 20 of 100000
// ns are in a call, or 20 ns are computed and the rest is in calls.
func TestLittleShares(t *testing.T) {
	for little, want := range map[int][2]string{13: {"-0.02 %", "100 %"}, 1: {"-100 %", "0.02 %"}} {
		text := fmt.Sprintf("#Paraver (01/01/2026 at 10:00):100000_ns:1(1):1:1(1:1)\n"+
			"1:1:1:1:1:0:50000:%d\n1:1:1:1:1:50000:50020:%d\n1:1:1:1:1:50020:100000:%d\n", 14-little, little, 14-little)
		rows := accountOf(t, graphOf(t, written(t, text)), account.Options{}).Table().Rows
		if len(rows) != 3 || rows[1][1] != want[0] || rows[2][1] != want[1] {
			t.Errorf("%v", rows)
		}
	}
}
