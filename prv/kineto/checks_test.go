package kineto

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

// The numbered checks of the specification.
func TestChecks(t *testing.T) {
	const facts = "prv/kineto.TestFacts insight/gpu.TestFacts "
	prvtest.Checks(t, 36, []prvtest.Check{
		{Number: 1, Tests: facts + "insight/account.TestDevices"},
		{Number: 2, Tests: facts + "insight/gpu.TestStraggler insight/criticalpath.TestStragglerPath",
			Why: "how much earlier instances end without a straggler is not given: pview gives the wait, no estimate"},
		{Number: 3, Tests: facts + "prv/kineto.TestUnmatched"},
		{Number: 4, Tests: facts},
		{Number: 5, Tests: facts + "prv/kineto.TestNesting"},
		{Number: 6, Tests: facts + "prv/kineto.TestOdd"},
		{Number: 7, Tests: facts + "prv/kineto.TestCut"},
		{Number: 8, Tests: facts + "prv/kineto.TestClock prv/kineto.TestWrongClock"},
		{Number: 9, Tests: "prv/kineto.TestFacts prv/kineto.TestGeneric"},
		{Number: 10, Tests: facts + "insight/gpu.TestEqualNames"},
		{Number: 11, Tests: facts},
		{Number: 12, Tests: facts + "prv/kineto.TestPipeline"},
		{Number: 13, Tests: facts + "prv/kineto.TestRest"},
		{Number: 14, Tests: facts + "prv/kineto.TestOrder prv/kineto.TestUnmatched"},
		{Number: 15, Tests: facts},
		{Number: 16, Tests: facts + "insight/gpu.TestEightRanks"},
		{Number: 17, Tests: facts + "insight/gpu.TestEightRanks"},
		{Number: 18, Tests: facts + "insight/gpu.TestEightRanks"},
		{Number: 19, Tests: facts + "insight/gpu.TestEightRanks"},
		{Number: 20, Tests: facts + "insight/gpu.TestEightRanks"},
		{Number: 21, Tests: facts + "insight/gpu.TestOneOfTwo"},
		{Number: 22, Tests: "insight/gpu.TestOneOfTwo"},
		{Number: 23, Tests: facts + "prv/kineto.TestHIP"},
		{Number: 24, Tests: facts + "prv/kineto.TestOldCategories"},
		{Number: 25, Tests: facts + "prv/kineto.TestDriver"},
		{Number: 26, Tests: "prv/kineto.TestFacts prv/kineto.TestGloo insight/gpu.TestHostOnly"},
		{Number: 27, Tests: facts + "prv/kineto.TestSync prv/kineto.TestMTIA prv/kineto.TestAwaitEventsOfKit"},
		{Number: 28, Tests: "prv/kineto.TestDifferentRuns"},
		{Number: 29, Tests: "prv/kineto.TestLarge"},
		{Number: 30, Tests: "prv/kineto.TestHostile", Why: "64 MB of blanks, a name of 5 MB: more takes long"},
		{Number: 31, Tests: "prv/kineto.TestPrefixes"},
		{Number: 32, Tests: "insight/gpu.TestFacts"},
		{Number: 33, Tests: "insight/criticalpath.TestDevicePath insight/criticalpath.TestEventPath " +
			"prv/kineto.TestAwaitEventsOfKit"},
		{Number: 34, Tests: "insight/gpu.TestReplayOfStreams"},
		{Number: 35, Tests: "insight/gpu.TestReplayOfStraggler"},
		{Number: 36, Tests: "insight/gpu.TestReplayOfMessages"},
	})
}

// kitFile opens a file of the kit.
func kitFile(t *testing.T, path ...string) *prv.Trace {
	t.Helper()
	return open(t, prvtest.Shared(t, append([]string{"oracle", "kineto"}, path...)...))
}

// named is a function with its times in us.
type named struct {
	name       string
	begin, end int64
}

// functionsOf lists the functions of a thread in the order in which they begin.
func functionsOf(tr *prv.Trace, thread int) (list []named) {
	e, stack := &tr.Threads[thread].Events, []int{}
	for i, typ := range e.Type {
		switch {
		case typ != device.Function:
		case e.Value.At(i) == 0:
			list[stack[len(stack)-1]].end = e.Time[i] / 1000
			stack = stack[:len(stack)-1]
		default:
			stack = append(stack, len(list))
			list = append(list, named{name: tr.Labels.ValueName(typ, e.Value.At(i)), begin: e.Time[i] / 1000})
		}
	}
	return list
}

// Check 5: functions that overlap without being inside one another; time 0 is at 10 us of the file.
func TestNesting(t *testing.T) {
	tr := kitFile(t, "cases", "c05-nesting", "rank-0.json")
	main := slices.Index(tr.Names.Levels[prv.LevelThread], "thread 4000 (python)")
	want := []named{{"a", 90, 140}, {"b", 110, 140}, {"zero", 170, 170}, {"same begin, outer", 190, 210},
		{"same begin, inner", 190, 200}}
	if got := functionsOf(tr, main); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	other := slices.Index(tr.Names.Levels[prv.LevelThread], "thread 1")
	want = []named{{"outer", 0, 30}, {"inner", 10, 20}, {"open", 40, 40}}
	if got := functionsOf(tr, other); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for _, text := range []string{"1 begin without an end", "1 end without a begin", "negative"} {
		if notes := strings.Join(notesOf(tr), "\n"); !strings.Contains(notes, text) {
			t.Errorf("%q is not in %s", text, notes)
		}
	}
}

// Check 8: with uncorrected clocks, 8 collectives would end on one rank before they begin on the other, and waits would
// add up to 1,080 us.
func TestWrongClock(t *testing.T) {
	list, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases", "c08-clock"), "*"))
	b, trace := openFiles(t, list)
	var parts [2][][2]int64
	for i := range parts {
		s := &trace.Threads[2*i+1].States
		for k := range s.Len() {
			if s.Value[k] == device.Communicating {
				ahead := b.clocks[i].offset
				parts[i] = append(parts[i], [2]int64{s.Begin[k] + ahead, s.End[k] + ahead})
			}
		}
	}
	wait, wrong := int64(0), 0
	for k := range parts[0] {
		x, y := parts[0][k], parts[1][k]
		last := max(x[0], y[0])
		if min(x[1], y[1]) < last {
			wrong++
		}
		wait += min(last, x[1]) - x[0] + min(last, y[1]) - y[0]
	}
	if wait != 1_080_000 || wrong != 8 {
		t.Errorf("waits of %d, %d violations", wait, wrong)
	}
}

// Check 23: AMD's streams; one of several GPUs is used.
func TestHIP(t *testing.T) {
	tr := kitFile(t, "data", "amd-mi250.json.gz")
	stream := slices.Index(tr.Names.Levels[prv.LevelThread], "HIP-D2.S0")
	if stream < 0 {
		t.Fatalf("threads %v", tr.Names.Levels[prv.LevelThread])
	}
	th := &tr.Threads[stream]
	kernels, copies, calls := 0, 0, 0
	for i, typ := range th.Events.Type {
		if th.Events.Value.At(i) != 0 && typ == device.Kernel {
			kernels++
		} else if th.Events.Value.At(i) != 0 && typ == device.Memory {
			copies++
		}
	}
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			if typ == device.Call && strings.HasPrefix(tr.Labels.ValueName(typ, e.Value.At(k)), "hip") {
				calls++
			}
		}
	}
	if busy := stateTime(th, device.Computing); kernels != 14 || copies != 2 || calls == 0 || busy != 110_881 {
		t.Errorf("%d kernels of %d ns, %d copies, %d calls", kernels, busy, copies, calls)
	}
}

// Check 24: categories of 2022.
func TestOldCategories(t *testing.T) {
	tr := kitFile(t, "data", "old-categories.json.gz")
	if got := tr.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"rank 1"}) {
		t.Errorf("tasks %v", got)
	}
	if got := stateTime(&tr.Threads[1], device.Computing); got != 30_000 || tr.Comms.Len() != 4 {
		t.Errorf("kernels of %d, %d launches", got, tr.Comms.Len())
	}
}

// Check 25: a kernel that the driver launches.
func TestDriver(t *testing.T) {
	tr := kitFile(t, "data", "triton.json.gz")
	c := &tr.Comms
	if c.Len() != 1 || stateTime(&tr.Threads[c.Recv[0]], device.Computing) != 1_760 {
		t.Fatalf("%d launches", c.Len())
	}
	e := &tr.Threads[c.Send[0]].Events
	called, steps := "", []int64{}
	for i, typ := range e.Type {
		if typ == device.Call && e.Time[i] == c.Times[prv.LogicalSend][0] && e.Value.At(i) != 0 {
			called = tr.Labels.ValueName(typ, e.Value.At(i))
		}
	}
	main := &tr.Threads[0].Events
	for i, typ := range main.Type {
		if typ == device.Iteration {
			steps = append(steps, main.Time[i])
		}
	}
	if called != "cuLaunchKernel" || len(steps) != 2 || steps[1]-steps[0] != 13_336_315_805 {
		t.Errorf("%q launches it; steps %v", called, steps)
	}
}

// Check 26: collectives on the host.
func TestGloo(t *testing.T) {
	tr := kitFile(t, "data", "gloo-cpu.json.gz")
	if got := tr.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"rank 34"}) {
		t.Errorf("tasks %v", got)
	}
	if notes := notesOf(tr); len(notes) == 0 || !strings.Contains(notes[0], "rank 34 of 300") {
		t.Errorf("notes %v", notes)
	}
	typ, _ := tr.Labels.Type(device.Annotation)
	if !slices.ContainsFunc(typ.Values, func(v prv.ValueLabel) bool { return strings.HasPrefix(v.Label, "gloo:") }) {
		t.Errorf("annotations %v", typ.Values)
	}
}

// Check 27: synchronisation rows are not threads; deep queues; a memory record.
func TestSync(t *testing.T) {
	tr := kitFile(t, "data", "event-sync-streams.json.gz")
	if got := tr.Names.Levels[prv.LevelThread]; len(got) != 4 ||
		!slices.Equal(got[1:], []string{"CUDA-D0.S20", "CUDA-D0.S24", "CUDA-D0.S28"}) {
		t.Errorf("threads %v", got)
	}
	tr = kitFile(t, "data", "memory-rank1.json.gz")
	memory := 0
	for i := range tr.Threads {
		for _, typ := range tr.Threads[i].Events.Type {
			if typ == device.MemoryAllocated || typ == device.HostMemory {
				memory++
			}
		}
	}
	if memory != 28_010 {
		t.Errorf("%d events of memory", memory)
	}
}

// Check 27: no CUDA at all.
func TestMTIA(t *testing.T) {
	tr := kitFile(t, "data", "mtia-inference.json.gz")
	calls, work := 0, 0
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			if e.Value.At(k) != 0 && typ == device.Call {
				calls++
			} else if e.Value.At(k) != 0 && device.IsKernel(typ) {
				work++
			}
		}
	}
	if calls != 823 || work != 1_313 {
		t.Errorf("%d calls, %d operations", calls, work)
	}
}

// eventTexts splits a file into its head and its events.
func eventTexts(t *testing.T, text []byte) (head string, events []string) {
	t.Helper()
	at := bytes.Index(text, []byte(`"traceEvents"`))
	head = string(bytes.TrimRight(bytes.TrimSpace(text[1:at]), ","))
	for i := at + bytes.IndexByte(text[at:], '[') + 1; ; {
		switch i = skipBlanks(text, i); text[i] {
		case ',':
			i++
		case ']':
			return head, events
		default:
			end, err := endOfValue(text, i)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, string(text[i:end]))
			i = end
		}
	}
}

// reordered writes the keys of an event in another order, and blanks between them.
func reordered(t *testing.T, event, blank string, random *rand.Rand) string {
	t.Helper()
	if !strings.HasPrefix(event, "{") {
		return event
	}
	var pairs []string
	for i, text := 1, []byte(event); ; {
		switch i = skipBlanks(text, i); text[i] {
		case ',':
			i++
		case '}':
			random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			return "{" + blank + strings.Join(pairs, blank+","+blank) + "}"
		default:
			key, err := endOfValue(text, i)
			if err != nil {
				t.Fatal(err)
			}
			from := skipBlanks(text, key)
			from = skipBlanks(text, from+1)
			end, err := endOfValue(text, from)
			if err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, string(text[i:key])+blank+":"+blank+string(text[from:end]))
			i = end
		}
	}
}

// shuffle reorders events. An end that is earlier than its begin is paired by file order alone: the begins and ends of
// c05 without a partner in time, at 1, 50, 290 and 300 us, keep their order.
func shuffle(events []string, random *rand.Rand) {
	single := regexp.MustCompile(`"ts": 1000(001|050|290|300)\b`)
	fixed := func(event string) bool {
		return (strings.Contains(event, `"B"`) || strings.Contains(event, `"E"`)) && single.MatchString(event)
	}
	var inOrder []string
	for _, e := range events {
		if fixed(e) {
			inOrder = append(inOrder, e)
		}
	}
	random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	for i, e := range events {
		if fixed(e) {
			events[i], inOrder = inOrder[0], inOrder[1:]
		}
	}
}

// Check 14: the order of events and of keys, and blanks, make no difference.
func TestOrder(t *testing.T) {
	list, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), "c*", "rank-*.json"))
	if len(list) < 20 {
		t.Fatalf("%d files", len(list))
	}
	random := rand.New(rand.NewSource(1))
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a := open(t, path)
		head, events := eventTexts(t, text)
		original := slices.Clone(events)
		for _, blank := range []string{"", "\n\t "} {
			for i := range events {
				events[i] = original[i]
			}
			shuffle(events, random)
			for i := range events {
				events[i] = reordered(t, events[i], blank, random)
			}
			again := `{"traceEvents":[` + strings.Join(events, blank+","+blank) + "]," + head + "}"
			b := open(t, write(t, "rank-0.json", again))
			if err := prv.Equal(a, b); err != nil || a.Comms.Len() != b.Comms.Len() {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// Check 29: the large run that a script generates, with the expected answers.
func TestLarge(t *testing.T) {
	if os.Getenv("PVIEW_LONG") == "" {
		t.Skip("set PVIEW_LONG to generate and read 586 MB")
	}
	script := prvtest.Shared(t, "oracle", "kineto", "gen_large.py")
	dir := t.TempDir()
	text, err := exec.Command("python3", script, dir).Output()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "facts.tsv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	trace, err := OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	turns, checked := map[[2]int64]bool{}, 0
	sums := map[string]int64{}
	for task := range trace.Tasks {
		rank := strings.TrimPrefix(trace.Name(prv.LevelTask, task), "rank ")
		for k := range trace.Tasks[task].Threads {
			th := &trace.Threads[trace.Tasks[task].FirstThread+k]
			sums["compute_ns "+rank] += stateTime(th, device.Computing) * int64(min(k, 1))
			sums["comm_ns "+rank] += stateTime(th, device.Communicating)
			for i, typ := range th.Events.Type {
				if typ == device.OperationTurn {
					turns[[2]int64{0, th.Events.Value.At(i)}] = true
				}
			}
		}
	}
	for _, f := range readFacts(t, path) {
		switch got, ok := sums[f.key+" "+f.rank]; {
		case f.name == "gpu" && ok:
			checked++
			if got != f.number(t) {
				t.Errorf("%s of %s: %d, want %s", f.key, f.rank, got, f.value)
			}
		case f.key == "matched" && int64(len(turns)) != f.number(t):
			t.Errorf("%d collectives, want %s", len(turns), f.value)
		}
	}
	if checked != 16 {
		t.Errorf("%d facts", checked)
	}
}
