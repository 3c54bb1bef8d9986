package workload

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pview/insight/workload/fit"
	"pview/prv"
	"pview/prv/synth"
)

// Check 30: settings are saved from one trace and applied to another; what did not happen there is 0, not missing.
func TestCheck30(t *testing.T) {
	s := setOf(t, openPICL(t, "p2.trf", nil), "task")
	r := analyse(t, s, Settings{})
	text, err := SchemeOf(s.Kind, r.Settings).Text()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	scheme, err := ReadScheme(path)
	if err != nil {
		t.Fatal(err)
	}
	kind, set, err := scheme.Settings()
	if err != nil || kind.Name != "task" || set.Scaling.Name != "range" {
		t.Fatalf("%v %+v %v", kind, set, err)
	}
	t5 := setOf(t, openPICL(t, "t5.trf", nil), kind.Name)
	q := analyse(t, t5, set)
	want(t, t5, 0, "extime 2051 cptime 792 cmtime 1259")
	if got := strings.Join(q.ParameterNames(), " "); got != "extime cptime cmtime" || q.Points.Len() != 1 {
		t.Errorf("%s, %d components", got, q.Points.Len())
	}
	alone := setOf(t, readTrace(t, "#Paraver (01/01/26 at 00:00):640_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:100:1\n"), "task")
	if p := analyse(t, alone, set); p.Counts[ClassMissing] != 0 || alone.Column("cmtime").Values[0] != 0 {
		t.Errorf("cmtime is %v, %d missing", alone.Column("cmtime").Values[0], p.Counts[ClassMissing])
	}
	if err := os.WriteFile(path, []byte("componentt = \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadScheme(path); err == nil || !strings.Contains(err.Error(), "unknown setting") {
		t.Error(err)
	}
}

// Check 31: the clusters are events of a trace that a filter can select; the trace itself stays as it was.
func TestCheck31(t *testing.T) {
	tr := readTrace(t, burstTrace)
	r := analyse(t, setOf(t, tr, "burst"), burstSettings())
	with := r.Stream(StreamOptions{})
	useful := int64(0)
	for i := range with.Threads {
		e, s := &with.Threads[i].Events, &with.Threads[i].States
		for k := range e.Len() {
			if e.Type[k] == 90000001 && e.Value.At(k) == 6 {
				j, ok := slices.BinarySearch(s.Begin, e.Time[k])
				if !ok || s.Value[j] != 1 {
					t.Fatalf("no burst at %d", e.Time[k])
				}
				useful += s.End[j] - s.Begin[j]
			}
		}
	}
	if useful != 600 || with.Labels.ValueName(90000001, 6) != "Cluster 1" {
		t.Errorf("%d ns of Running in %s", useful, with.Labels.ValueName(90000001, 6))
	}
	if err := prv.Equal(tr, readTrace(t, burstTrace)); err != nil {
		t.Error(err)
	}
	// once more on the result: no event twice
	again := analyse(t, setOf(t, with, "burst"), burstSettings()).Stream(StreamOptions{})
	if err := prv.Equal(with, again); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if err := prv.Write(context.Background(), &b, with); err != nil ||
		!strings.Contains(b.String(), "2:1:1:1:1:0:90000001:7\n") {
		t.Errorf("%s %v", b.String(), err)
	}
}

// original returns a run of 8 tasks with counters.
func original(t testing.TB) *prv.Trace {
	t.Helper()
	g, err := synth.New(synth.Options{Iterations: 150, Imbalance: 20})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// A synthetic trace has the statistics of the original within 4 standard errors: bursts of each cluster, means of
// durations and counters, messages.
func TestSynthetic(t *testing.T) {
	tr := original(t)
	r := analyse(t, setOf(t, tr, "burst"), Settings{Eps: 0.02,
		Parameters: []Parameter{{Name: "total(42000050)", Log: true}, {Name: "total(42000050)/total(42000059)"}}})
	m, err := r.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if m, err = ReadModel(strings.NewReader(b.String()), "a.json"); err != nil {
		t.Fatal(err)
	}
	made, err := m.Synthesize(context.Background(), 7)
	if err != nil {
		t.Fatal(err)
	}
	set := setOf(t, made, "burst")
	if d := math.Abs(float64(set.Len() - r.Set.Len())); d > 8 {
		t.Errorf("%d bursts, not %d", set.Len(), r.Set.Len())
	}
	if n := made.Comms.Len(); math.Abs(float64(n-tr.Comms.Len())) > 8+4*math.Sqrt(float64(n)) {
		t.Errorf("%d messages, not %d", n, tr.Comms.Len())
	}
	params := []Parameter{{Name: "total(42000050)"}, {Name: "total(42000059)"}}
	for _, s := range []*Set{r.Set, set} {
		if err := s.Measure(context.Background(), params, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"duration", "total(42000050)", "total(42000059)"} {
		a, b := fit.Describe(r.Set.Column(name).Values), fit.Describe(set.Column(name).Values)
		if limit := 4 * a.Std * math.Sqrt(2/float64(a.N)); math.Abs(a.Mean-b.Mean) > limit {
			t.Errorf("%s: mean %v, not %v +- %v", name, b.Mean, a.Mean, limit)
		}
		if math.Abs(b.Std/a.Std-1) > 0.2 {
			t.Errorf("%s: deviation %v, not %v", name, b.Std, a.Std)
		}
	}
	again, err := m.Synthesize(context.Background(), 7)
	if err != nil || prv.Equal(made, again) != nil {
		t.Error("the same seed makes another trace")
	}
}

// The mean of a distribution over its shares is that of the sample, outliers included.
func TestBins(t *testing.T) {
	values := []float64{1e6}
	for i := range 999 {
		values = append(values, float64(i%7)+1)
	}
	b, sum, n := binsOf(values), 0.0, 1_000_000
	for i := range n {
		sum += b.At((float64(i) + 0.5) / float64(n))
	}
	if want := fit.Describe(values).Mean; math.Abs(sum/float64(n)-want) > 1e-3*want {
		t.Errorf("mean %v, want %v", sum/float64(n), want)
	}
}

// Models that make no trace are rejected.
func TestBadModels(t *testing.T) {
	const head = `{"pview_workload_model":1,"threads":`
	const one = head + `[1],"clusters":[{}],"first":[1],"next":[[1]],"bursts_per_thread":`
	for text, want := range map[string]string{
		"x": "no workload model", `{"pview_workload_model":9}`: "must be 1",
		head + `[0]}`: "threads: must be",
		head + `[1]}`: "needs threads, and",
		head + `[1],"clusters":[{"count":1}],"first":[1],"next":[[1]]}`: "first parameter must be the duration",
		one + `[[1,5,4,6]]}`:          "low <= mean <= high",
		one + `[[1,1e15,1e15,1e15]]}`: "bursts_per_thread: at most",
		head + `[1],"clusters":[{"parameters":[{"name":"duration"}],"normal_correlation":[[]]}],"first":[1],` +
			`"next":[[1]],"bursts_per_thread":[[1,1,1,1]]}`: "must be square",
	} {
		if _, err := ReadModel(strings.NewReader(text), "m.json"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// scored returns the alignment of ranks given as words, a letter for each cluster.
func scored(t *testing.T, ranks ...string) *Sequences {
	t.Helper()
	text := fmt.Sprintf("#Paraver (01/01/26 at 00:00):1000_ns:1(%d):1:%d(", len(ranks), len(ranks))
	text += strings.TrimSuffix(strings.Repeat("1:1,", len(ranks)), ",") + ")\n"
	var class []int32
	for i := range 20 {
		for r, word := range ranks {
			if i < len(word) {
				text += fmt.Sprintf("1:%d:1:%d:1:%d:%d:1\n", r+1, r+1, 10*i, 10*i+5)
				class = append(class, FirstCluster+int32(word[i]-'A'))
			}
		}
	}
	s := setOf(t, readTrace(t, text), "burst")
	r := &Result{Set: s, Class: class, Clusters: make([]Cluster, 4)}
	a, err := r.Align(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// An alignment that is ended has no scores of the ranks.
func TestCancelledScore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := &Sequences{Of: make([]float64, 1), By: [][]float64{{0}}}
	if err := s.score(ctx, nil, [][]int32{{FirstCluster}}, [][]int{{0}}); err != context.Canceled {
		t.Error(err)
	}
}

// The example of the alignment: D of rank 3 stands alone, and the last C is missing there, so that C has
// (1+1+1+0.5+0.5)/5.
func TestAlign(t *testing.T) {
	a := scored(t, "ABCABC", "ABCABC", "ABCDAB")
	for c, want := range []float64{1, 1, 0.8, 0} {
		if !about(a.Of[c], want) {
			t.Errorf("cluster %c: %v, want %v", 'A'+c, a.Of[c], want)
		}
	}
	if a.Columns != 7 || !about(a.Score, (6+6+4)/18.0) {
		t.Errorf("%d columns, score %v", a.Columns, a.Score)
	}
	if got := a.By[2][2]; got != 1 { // the only C of rank 3
		t.Errorf("C on rank 3: %v", got)
	}
	if a := scored(t, "ABAB", "CDCD"); a.Score != 0 {
		t.Errorf("nothing in common: %v", a.Score)
	}
	if a := scored(t, "AB"); !math.IsNaN(a.Score) {
		t.Errorf("one rank: %v", a.Score)
	}
	if a := scored(t, "ABCABC", "A", "ABCABC"); !about(a.Of[0], (0.5+1+0.5+1+1)/5) { // rank 2 has the first A only
		t.Errorf("a short rank: %v", a.Of)
	}
}

// Check 32: a million bursts in two blobs; both methods, and an end when nobody waits any more. The times are those of
// the benchmarks.
func TestCheck32(t *testing.T) {
	if testing.Short() {
		t.Skip("a million bursts")
	}
	s := million()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, method := range []string{"kmeans", "dbscan"} {
		set := Settings{Parameters: []Parameter{{Name: "extime"}, {Name: "cptime"}}, Method: method}
		if _, err := Analyse(ctx, s, set); err == nil {
			t.Errorf("%s goes on", method)
		}
	}
	for method, looks := range map[string][]int64{"kmeans": {3, 30, 100}, "dbscan": {3, 12, 20}} { // on the way
		for _, n := range looks {
			late := &lateContext{Context: context.Background(), after: n}
			if _, err := Analyse(late, s, Settings{Parameters: []Parameter{{Name: "extime"}, {Name: "cptime"}},
				Method: method}); err == nil {
				t.Errorf("%s does not look at its context %d times", method, n)
			}
			if more := late.looks.Load() - n; more > 16 {
				t.Errorf("%s looks at its context %d times more", method, more)
			}
		}
	}
	r := analyse(t, s, Settings{Parameters: []Parameter{{Name: "extime"}, {Name: "cptime"}}, Method: "dbscan"})
	if len(r.Clusters) != 2 || r.Clusters[0].Size+r.Clusters[1].Size < 999_000 {
		t.Errorf("%d clusters", len(r.Clusters))
	}
	r = analyse(t, s, Settings{Parameters: []Parameter{{Name: "extime"}, {Name: "cptime"}}, Method: "kmeans",
		Sample: 100_000})
	if r.Recommended != 2 || len(r.Clusters) != 2 || len(r.Notes) != 1 {
		t.Errorf("k %d, %v", r.Recommended, r.Notes)
	}
}

// lateContext is cancelled when it was looked at n times.
type lateContext struct {
	context.Context
	after int64
	looks atomic.Int64
}

func (c *lateContext) Err() error {
	if c.looks.Add(1) > c.after {
		return context.Canceled
	}
	return nil
}

// A burst with four parameters takes at most 200 bytes, with its cluster: 20 for its place, 8 for the duration and for
// each parameter raw, 8 for each scaled, 12 for class and row.
func TestMemory(t *testing.T) {
	const n = 50_000
	var text strings.Builder
	fmt.Fprintf(&text, "#Paraver (01/01/26 at 00:00):%d_ns:1(1):1:1(1:1)\n", 20*n)
	for i := range n {
		fmt.Fprintf(&text, "1:1:1:1:1:%d:%d:1\n2:1:1:1:1:%d:1:%d:2:%d:3:%d:4:%d\n", 20*i, 20*i+10, 20*i+10, i%7+1,
			i%5+1, i%3+1, i%2+1)
	}
	tr := readTrace(t, text.String())
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	r := analyse(t, setOf(t, tr, "burst"),
		Settings{Method: "dbscan", Parameters: []Parameter{{Name: "1"}, {Name: "2"}, {Name: "3"}, {Name: "4"}}})
	if each := float64(used()-before) / n; r.Points.Len() != n || each > 200 {
		t.Errorf("%.0f bytes for each of %d bursts", each, r.Points.Len())
	}
	runtime.KeepAlive(tr)
	runtime.KeepAlive(r)
}

func million() *Set {
	const n = 1_000_000
	values := map[string][]float64{"extime": make([]float64, n), "cptime": make([]float64, n)}
	seed := uint64(1)
	noise := func() float64 { // the sum of 4 uniform numbers, about 0
		sum := -2.0
		for range 4 {
			seed = seed*6364136223846793005 + 1442695040888963407
			sum += float64(seed>>11) / (1 << 53)
		}
		return sum
	}
	for i := range n {
		centre := float64(1 + i%2)
		values["extime"][i], values["cptime"][i] = 100*centre+5*noise(), 50*centre+2*noise()
	}
	return columns(make([]string, n), values)
}

func BenchmarkAnalyse1e6(b *testing.B) {
	s := million()
	for _, method := range []string{"kmeans", "dbscan"} {
		b.Run(method, func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyse(context.Background(), s,
					Settings{Parameters: []Parameter{{Name: "extime"}, {Name: "cptime"}}, Method: method}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A model of three tasks: one has bursts of 100 us with 10 us of communication between, one such a burst, one of 320.
// Four messages go to the next task, or the one after that.
func TestModelOfRun(t *testing.T) {
	tr := readTrace(t, `#Paraver (22/11/2026 at 10:00):320000_ns:1(3):1:3(1:1,1:1,1:1),0
1:1:1:1:1:0:100000:1
1:1:1:1:1:100000:110000:13
1:1:1:1:1:110000:210000:1
1:2:1:2:1:0:100000:1
1:3:1:3:1:0:320000:1
3:1:1:1:1:10:10:2:1:2:1:20:30:100:7
3:1:1:1:1:40:40:2:1:2:1:50:60:100:7
3:1:1:1:1:70:70:3:1:3:1:80:90:200:7
3:3:1:3:1:110:110:1:1:1:1:120:150:400:7
`)
	tr.Path = "run.prv"
	r := analyse(t, setOf(t, tr, "burst"), Settings{K: 2, Parameters: []Parameter{{Name: "duration"}}})
	m, err := r.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(m.Threads, m.First) != "[1 1 1] [0 0.3333333333333333 0.6666666666666666]" {
		t.Errorf("threads %v, first %v", m.Threads, m.First)
	}
	if fmt.Sprint(m.Messages.Offsets) != "[{1 0.75} {2 0.25}]" || m.Messages.PerBurst != 1 {
		t.Errorf("messages %+v", m.Messages)
	}
	if c := m.Clusters[2]; c.State != 13 || len(c.Gap) != 1 || c.Gap[0].Mean != 10_000 {
		t.Errorf("gap %+v, state %d", c.Gap, c.State)
	}
	var b strings.Builder
	if err := m.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	// 320 of 620 us.
	for _, want := range []string{"3 tasks, 3 threads, 320000 ns, by kmeans", "messages: 4, 1 for each burst",
		"cluster 1: 1 burst, 25.0 % of them, 51.6 % of the time\n  duration: mean 320000 std 0 min 320000 max 320000",
		"cluster 2: 3 bursts, 75.0 % of them, 48.4 % of the time\n  duration: mean 100000 std 0"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// Of states that begin at one time the last covers what follows: the others take no time.
func TestStateAt(t *testing.T) {
	tr := readTrace(t, `#Paraver (01/01/26 at 00:00):40_ns:1(1):1:1(1:1)
1:1:1:1:1:5:10:1
1:1:1:1:1:10:10:3
1:1:1:1:1:10:10:4
1:1:1:1:1:10:20:5
1:1:1:1:1:30:40:6
`)
	for _, c := range []struct {
		at   int64
		want uint32
		ok   bool
	}{{4, 0, false}, {5, 1, true}, {9, 1, true}, {10, 5, true}, {19, 5, true}, {20, 0, false}, {30, 6, true},
		{40, 0, false}} {
		if got, ok := stateAt(tr, 0, c.at); got != c.want || ok != c.ok {
			t.Errorf("at %d: %d, %v", c.at, got, ok)
		}
	}
}

// The first event of the time 7 is the third.
func TestFirstAt(t *testing.T) {
	e := &prv.Events{Time: []int64{5, 5, 7, 7, 7, 8}}
	for i, want := range []int{0, 0, 2, 2, 2, 5} {
		if got := firstAt(e, i); got != want {
			t.Errorf("of event %d: %d, want %d", i, got, want)
		}
	}
}
