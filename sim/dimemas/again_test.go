package dimemas_test

// Traces that a simulation wrote, simulated again; and traces without calls.

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

func openTrace(t *testing.T, path string) *prv.Trace {
	t.Helper()
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func programOf(t *testing.T, tr *prv.Trace) *dimemas.Translation {
	t.Helper()
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func simulate(t *testing.T, p *sim.Program, m *sim.Machine) *sim.Result {
	t.Helper()
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// platform returns one node per task, with the latency (ns), bandwidth (MB/s) and buses.
func platform(p *sim.Program, latency, bandwidth float64, buses int) *sim.Machine {
	m := sim.IdealFor(p)
	m.Clusters[0].Bandwidth, m.Clusters[0].Buses = bandwidth, buses
	for i := range m.Nodes {
		m.Nodes[i].Latency = latency
		if bandwidth > 0 {
			m.Nodes[i].Links = sim.Links{In: 1, Out: 1}
		}
	}
	return m
}

// A predicted trace, translated and simulated on the same machine, gives the same times, task by task, if each thread
// has its own CPU and either no message has a latency, or no call waits for several messages: the trace does not record
// which of these was waited for first, and each wait costs the latency. (Bursts are whole ns in the trace; here they
// and all transfers are.)
func TestPredictedAgain(t *testing.T) {
	for _, c := range []struct {
		trace              string
		latency, bandwidth float64
		buses              int
	}{
		{"heat2d_8/heat2d_8.prv.gz", 0, 0, 0},
		{"callmix_4_skew/callmix_4_skew.prv", 0, 0, 0},
		{"twoapps_4_4/twoapps_4_4.prv", 0, 0, 0},
		{"twoapps_4_4/twoapps_4_4.prv", 25000, 0, 0},
	} {
		path := filepath.Join("..", "..", "testdata", "traces", c.trace)
		p := programOf(t, openTrace(t, path)).Program
		m := platform(p, c.latency, c.bandwidth, c.buses)
		first := simulate(t, p, m)
		again := simulate(t, programOf(t, first.Trace).Program, m)
		for i := range first.Tasks {
			if a, b := first.Tasks[i].End, again.Tasks[i].End; a != b {
				t.Errorf("%s, latency %g: task %d ends at %d ns, and again at %d", c.trace, c.latency, i+1, a, b)
			}
		}
	}
}

// A trace of only states and messages is enough: blocks go down a line of tasks, with a latency of 10 us, 4 KB at 100
// MB/s and one bus; from the predicted trace, which has no events, the same times follow, on the same machine and on
// others.
func TestByStates(t *testing.T) {
	p := line(t, 6, 30)
	for _, other := range []*sim.Machine{platform(p, 10_000, 100, 1), platform(p, 0, 0, 0),
		platform(p, 300_000, 5, 2)} {
		measured := simulate(t, p, platform(p, 10_000, 100, 1)).Trace
		tr := programOf(t, measured)
		if !tr.ByStates {
			t.Fatal("not by states")
		}
		want, got := simulate(t, p, other), simulate(t, tr.Program, other)
		if got.Messages != want.Messages || got.Bytes != want.Bytes {
			t.Errorf("%d messages of %d bytes, not %d of %d", got.Messages, got.Bytes, want.Messages, want.Bytes)
		}
		for i := range want.Tasks {
			if a, b := want.Tasks[i].End, got.Tasks[i].End; a != b {
				t.Errorf("latency %g: task %d ends at %d ns, not %d", other.Nodes[0].Latency, i+1, b, a)
			}
		}
	}
}

// Remarks agree in number with the counts of records that did not fit.
func TestRemarksCount(t *testing.T) {
	tr := dimemas.Translation{Outside: 1, Unexpected: 2, Incomplete: 1}
	want := []string{"1 end of a message is outside of any MPI call and is skipped",
		"2 ends of messages are in an MPI call of another kind and are skipped",
		"1 collective operation without size and communicator is skipped"}
	if got := tr.Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// States alone are computation too: 1000 ns on one thread; 100 ns of waiting (state 3), which nothing explains, and 800
// of computation on the other. With the counter that is asked for, the rules of prv2dim hold, by which nothing is
// computed here.
func TestStatesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "states.prv")
	text :=
		"#Paraver (01/01/2026 at " +
			"10:00):1000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:1000:1\n1:2:1:2:1:0:100:3\n1:2:1:2:1:100:900:1\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	measured := openTrace(t, path)
	tr := programOf(t, measured)
	r := simulate(t, tr.Program, platform(tr.Program, 0, 0, 0))
	if !tr.ByStates || r.Tasks[0].End != 1000 || r.Tasks[1].End != 800 ||
		!strings.Contains(tr.Remarks()[0], "no thread waits") {
		t.Errorf("by states %v, ends %d and %d; %v", tr.ByStates, r.Tasks[0].End, r.Tasks[1].End, tr.Remarks())
	}
	counted, err := dimemas.FromTrace(context.Background(), measured,
		dimemas.TranslateOptions{CounterType: 42000059, CounterFactor: 1e-9})
	if err != nil || counted.ByStates {
		t.Errorf("with a counter: by states %v, %v", counted.ByStates, err)
	}
}

// A thread with only states next to one with MPI calls is skipped, and the translation says so.
func TestSilentThread(t *testing.T) {
	path := filepath.Join(t.TempDir(), "silent.prv")
	text := "#Paraver (01/01/2026 at 10:00):1000_ns:1(2):2:1(1:1):1(1:1)\n" +
		"1:1:1:1:1:0:100:1\n2:1:1:1:1:100:50000003:31\n1:1:1:1:1:100:200:15\n2:1:1:1:1:200:50000003:0\n" +
		"1:1:1:1:1:200:1000:1\n1:2:2:1:1:0:900:1\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := programOf(t, openTrace(t, path))
	want := []string{"1 thread computes by its states but has no events: nothing of it is simulated"}
	if got := tr.Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r := simulate(t, tr.Program, platform(tr.Program, 0, 0, 0)); r.Tasks[1].End != 0 {
		t.Errorf("the silent thread ends at %d", r.Tasks[1].End)
	}
}

// line returns a program in which blocks go down a line of tasks, each of which computes between receiving and sending.
func line(t *testing.T, tasks, blocks int) *sim.Program {
	p := &sim.Program{}
	p.AddPtask()
	for range tasks {
		p.AddTask(1)
	}
	for i := range int32(tasks) {
		th := &p.Threads[i]
		th.AddCompute(1000)
		for b := range int64(blocks) {
			if i > 0 {
				th.AddMessage(sim.Recv, sim.Message{Peer: i - 1, Size: 4096, Tag: b})
			}
			th.AddCompute(float64(50_000 + 7_000*(b*7%5) + 3_000*int64(i)))
			if int(i) < tasks-1 {
				th.AddMessage(sim.Send, sim.Message{Peer: i + 1, Size: 4096, Tag: b})
			}
		}
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// A measured trace without its MPI events: all its messages and all computation remain.
func TestWithoutCalls(t *testing.T) {
	full := openTrace(t, filepath.Join("..", "..", "testdata", "traces", "heat2d_8", "heat2d_8.prv.gz"))
	tr := programOf(t, withoutCalls(t, full))
	if !tr.ByStates || len(tr.Remarks()) != 1 {
		t.Fatalf("by states: %v; %v", tr.ByStates, tr.Remarks())
	}
	r := simulate(t, tr.Program, platform(tr.Program, 0, 0, 0))
	running := int64(0)
	for i := range full.Threads {
		s := &full.Threads[i].States
		for k := range s.Begin {
			if s.Value[k] == 1 {
				running += s.End[k] - s.Begin[k]
			}
		}
	}
	if r.Messages != int64(full.Comms.Len()) || int64(r.Computation) != running {
		t.Errorf("%d messages and %.0f ns of computation, not %d and %d", r.Messages, r.Computation, full.Comms.Len(),
			running)
	}
	if with := simulate(t, programOf(t, full).Program, platform(tr.Program, 0, 0,
		0)); float64(r.Total) > 1.05*float64(with.Total) || float64(r.Total) < 0.6*float64(with.Total) {
		t.Errorf("%d ns, with the calls %d", r.Total, with.Total)
	}
}

// withoutCalls returns a trace without its events.
func withoutCalls(t *testing.T, tr *prv.Trace) *prv.Trace {
	t.Helper()
	var b bytes.Buffer
	if err := prv.Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	var kept []byte
	for line := range bytes.Lines(b.Bytes()) {
		if !bytes.HasPrefix(line, []byte("2:")) {
			kept = append(kept, line...)
		}
	}
	bare, err := prv.Read(context.Background(), bytes.NewReader(kept), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return bare
}

// The blocks of the threads may be in any order in a .dim.
func TestOrderOfBlocks(t *testing.T) {
	dir := filepath.Join(kit, "s01-stencil-4x2")
	text, err := os.ReadFile(filepath.Join(dir, "trace.dim"))
	if err != nil {
		t.Fatal(err)
	}
	var head []byte
	blocks := map[string][]byte{}
	for line := range bytes.Lines(text) {
		f := bytes.SplitN(line, []byte(":"), 3)
		switch line[0] {
		case '#', 'd':
			head = append(head, line...)
		case 's':
		default:
			blocks[string(f[1])] = append(blocks[string(f[1])], line...)
		}
	}
	m, err := dimemas.OpenMachine(filepath.Join(dir, "sim.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(order []string) *sim.Result {
		all := bytes.Clone(head)
		for _, task := range order {
			all = append(all, blocks[task]...)
		}
		p, err := dimemas.ReadProgram(context.Background(), bytes.NewReader(all), "shuffled.dim")
		if err != nil {
			t.Fatal(err)
		}
		return simulate(t, p, m)
	}
	first := read([]string{"0", "1", "2", "3", "4", "5", "6", "7"})
	again := read([]string{"5", "0", "7", "3", "1", "6", "2", "4"})
	if !reflect.DeepEqual(first.Tasks, again.Tasks) || prv.Equal(first.Trace, again.Trace) != nil {
		t.Error("another result")
	}
}
