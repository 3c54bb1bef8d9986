package frameworks

// Recognition and extraction, on runs that the simulator makes of programs with known parameters.

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/frameworks/role"
	"pview/insight/report"
	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
)

// network of the made runs: 20 us and 1 ns per byte.
var network = Link{M0: 20_000, PerByte: 1}

// play runs a program and returns its trace.
func play(t *testing.T, p *sim.Program, l Link) *prv.Trace {
	t.Helper()
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m, rules := l.machine(p)
	r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return r.Trace
}

// masterAndFour returns the program of check 25: in each of 3 iterations the master prepares for 100 us and gives
// 10,000 bytes to each of 4 workers, which compute 1, 1.1, 1.2 and 1.3 ms and return 2,000 bytes. At the end each gets
// a message that it does not answer. others are messages between workers.
func masterAndFour(others int) *sim.Program {
	p := newProgram("farm", 5)
	boss := &p.Threads[0]
	for range 3 {
		boss.AddCompute(100_000)
		for w := 1; w <= 4; w++ {
			boss.AddMessage(sim.Send, sim.Message{Size: 10_000, Tag: 1, Peer: int32(w)})
		}
		for w := 1; w <= 4; w++ {
			boss.AddMessage(sim.Recv, sim.Message{Size: 2000, Tag: 2, Peer: int32(w)})
			work := &p.Threads[w]
			work.AddMessage(sim.Recv, sim.Message{Size: 10_000, Tag: 1})
			work.AddCompute(float64(900_000 + 100_000*w))
			work.AddMessage(sim.Send, sim.Message{Size: 2000, Tag: 2})
		}
	}
	for w := 1; w <= 4; w++ {
		boss.AddMessage(sim.Send, sim.Message{Size: 8, Tag: 1, Peer: int32(w)})
		p.Threads[w].AddMessage(sim.Recv, sim.Message{Size: 8, Tag: 1})
	}
	for k := range others {
		from, to := 1+k%4, 1+(k+1)%4
		p.Threads[from].AddMessage(sim.Isend, sim.Message{Size: 100, Tag: 9, Peer: int32(to)})
		p.Threads[to].AddMessage(sim.Recv, sim.Message{Size: 100, Tag: 9, Peer: int32(from)})
	}
	return p
}

func TestCheck25Recognition(t *testing.T) {
	tr := play(t, masterAndFour(0), network)
	r, err := Analyse(context.Background(), tr, Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "structure", strings.Join(r.Structure, "; "), "master 1; workers 2-5")
	f := r.Farm
	same(t, "iterations", f.Iterations, 3)
	same(t, "stop messages", f.Unanswered, 4)
	near(t, "V", f.Model.Volume, 4*12_000)
	near(t, "alpha", f.Model.Given, 10.0/12)
	// 28 messages of the farm; 3 more between workers leave it 90 % of all.
	r, err = Analyse(context.Background(), play(t, masterAndFour(4), network), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Farm != nil || !strings.Contains(r.Refusal, "87.5 %") || r.Scores[0].Score != 0.875 { // 28 of 32
		t.Errorf("messages between workers: %+v", r)
	}
}

// The pipeline of check 26: task 2 manages the replicas 3 and 4, which acknowledge each item.
func TestCheck26ReplicatedStage(t *testing.T) {
	p := &Pipeline{Link: network, Acknowledgement: 4, Stages: []Stage{{Compute: 1e6, Bytes: 10_000},
		{Bytes: 10_000, Replicas: []float64{2e6, 2e6}}, {Compute: 0.5e6}}}
	prog, err := p.program(40)
	if err != nil {
		t.Fatal(err)
	}
	m, rules := p.machine(prog)
	run, err := engine.Run(context.Background(), prog, m, sim.Options{Trace: true, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(context.Background(), run.Trace, Options{Free: -1})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "structure", strings.Join(r.Structure, "; "),
		"stage 1: task 1; stage 2: manager 2, replicas 3-4; stage 3: task 5")
	same(t, "items", r.Pipeline.Items, 40) // 40 acknowledgements are none
	near(t, "computation of a replica", r.Pipeline.Model.Stages[1].Replicas[0], 2e6)
	near(t, "of stage 1", r.Pipeline.Model.Stages[0].Compute, 1e6)
}

// instant rewrites a run as other tracers write it: the physical send is the logical one, and calls of the given length
// tell what a send takes. Without states only calls tell the computation.
func instant(tr *prv.Trace, send int64, states bool) {
	c := &tr.Comms
	copy(c.Times[prv.PhysicalSend], c.Times[prv.LogicalSend])
	type call struct{ from, to, value int64 }
	of := make([][]call, len(tr.Threads))
	for m := range c.Len() {
		s, r := c.Send[m], c.Recv[m]
		of[s] = append(of[s], call{c.Times[prv.LogicalSend][m], c.Times[prv.LogicalSend][m] + send, 1})
		of[r] = append(of[r], call{c.Times[prv.LogicalRecv][m],
			max(c.Times[prv.LogicalRecv][m], c.Times[prv.PhysicalRecv][m]), 2})
	}
	for i := range tr.Threads {
		slices.SortStableFunc(of[i], func(a, b call) int { return cmp.Compare(a.from, b.from) })
		ev := &prv.Events{Lines: prv.NewBits(2 * len(of[i]))}
		for _, k := range of[i] {
			ev.Time, ev.Type = append(ev.Time, k.from, k.to), append(ev.Type, 50000001, 50000001)
			ev.Value.Append(k.value)
			ev.Value.Append(0)
			ev.Lines.Set(ev.Len() - 2)
			ev.Lines.Set(ev.Len() - 1)
		}
		tr.Threads[i].Events = *ev
		if !states {
			tr.Threads[i].States = prv.States{}
		}
	}
}

// Ten workers compute 3.7 ms each in three iterations; a send takes the master 100 us: the calls last that long, and
// the records say that a send takes no time. (With 0.1 (n+1) + 37/n ms, Pi = n Tt^2/Tc is least where
// 3*0.1 n^2 + 0.1 n - 37 = 0: n = 10.9.)
func TestStartUpFromCalls(t *testing.T) {
	for _, states := range []bool{true, false} {
		startUpFromCalls(t, states)
	}
}

func startUpFromCalls(t *testing.T, states bool) {
	t.Helper()
	p := newProgram("farm", 11)
	boss := &p.Threads[0]
	for range 3 {
		for w := 1; w <= 10; w++ {
			boss.AddMessage(sim.Send, sim.Message{Size: 100, Tag: 1, Peer: int32(w)})
			boss.AddCompute(100) // tells the calls apart
		}
		for w := 1; w <= 10; w++ {
			boss.AddMessage(sim.Recv, sim.Message{Size: 10, Tag: 2, Peer: int32(w)})
			boss.AddCompute(100)
			work := &p.Threads[w]
			work.AddMessage(sim.Recv, sim.Message{Size: 100, Tag: 1})
			work.AddCompute(3.7e6)
			work.AddMessage(sim.Send, sim.Message{Size: 10, Tag: 2})
			work.AddCompute(100)
		}
	}
	tr := play(t, p, Link{M0: 100_000, PerByte: 0.01})
	instant(tr, 100_000, states)
	r, err := Analyse(context.Background(), tr, Options{Simulate: true})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "m0", r.Farm.Model.M0, 100_000)
	if r.Farm.Worth != 11 || !r.Fit.Holds || math.Abs(r.Fit.Off) > 0.02 || r.Verdict.Verdict != "confirmed" {
		t.Errorf("%+v %+v %+v", r.Farm.Worth, r.Fit, r.Verdict)
	}
	// With a tenth of the start-up the model misses the run: (10+1)*0.01 + 3.7 ms for (10+1)*0.1 + 3.7.
	small := 10_000.0
	if r, err = Analyse(context.Background(), tr, Options{M0: &small, Simulate: true}); err != nil {
		t.Fatal(err)
	}
	if r.Fit.Holds || math.Abs(r.Fit.Off-(3.81/4.8-1)) > 0.005 || r.Farm.Worth != 0 || len(r.Advice) > 0 ||
		r.Verdict.Verdict != "nothing to confirm" {
		t.Errorf("%+v %+v %+v", r.Farm.Worth, r.Fit, r.Verdict)
	}
	// A correction of the user makes it hold; what is tried from then on is a what-if.
	if err := r.Set("m0", "0.1 ms"); err != nil || !r.Fit.Holds || r.Farm.Worth != 11 {
		t.Errorf("%v %+v", err, r.Fit)
	}
	if err := r.Set("Tc", "74 ms"); err != nil || !r.Fit.Holds || r.Farm.Worth != 16 {
		// 15 (1.6 + 74/15)^2 = 640.3, 16 (1.7 + 74/16)^2 = 640.1
		t.Errorf("%v %+v %d", err, r.Fit, r.Farm.Worth)
	}
}

func TestCheck27Extraction(t *testing.T) {
	tr := play(t, masterAndFour(0), network)
	r, err := Analyse(context.Background(), tr, Options{Simulate: true})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Farm
	within := func(what string, got, want, part float64) {
		t.Helper()
		if math.Abs(got-want) > part*want {
			t.Errorf("%s: %g, want %g within %g %%", what, got, want, 100*part)
		}
	}
	within("m0", f.Model.M0, 20_000, 0.01)
	within("lambda", f.Model.PerByte, 1, 0.01)
	within("Tc", f.Model.Compute, 4.6e6, 0.01)
	within("mu_m", f.Model.Master, 100_000, 0.01)
	within("V", f.Model.Volume, 48_000, 0.01)
	for w, want := range []float64{1e6, 1.1e6, 1.2e6, 1.3e6} {
		within("mu", f.run.Iterations[1].sums(4).Compute[w], want, 0.01)
	}
	// (4), with the values of the last worker: 5*20 us + 10 us + 1.3 ms + 2 us + 100 us.
	it := f.run.Iterations[1].sums(4)
	within("measured form", it.Time(f.Model.Link), 1.512e6, 0.02)
	within("measured", f.Measured, 1.512e6, 0.02)
	same(t, "protocol", f.Model.Protocol, role.Async)
	if v := r.Verdict; v == nil || !v.Calibrated {
		t.Errorf("the run itself is not reproduced: %+v", v)
	}
}

// With equal shares the balanced model holds, and the simulator confirms the recommendation.
func TestConfirmed(t *testing.T) {
	f := &Farm{Link: network, Volume: 48_000, Given: 0.5, Compute: 4e6, Master: 50_000}
	s, err := f.Simulate(context.Background(), 4, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(context.Background(), s.Trace, Options{Simulate: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict.Verdict != "confirmed" || r.Farm.Worth <= 4 {
		t.Errorf("%d workers: %+v", r.Farm.Worth, r.Verdict)
	}
	again, err := Analyse(context.Background(), r.Verdict.Trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "workers of the simulated trace", again.Farm.Workers, r.Farm.Worth)
}

func TestCheck30NoStructure(t *testing.T) {
	p := newProgram("all to all", 4)
	for i := range int32(4) {
		for k := range int32(4) {
			if i != k {
				p.Threads[i].AddMessage(sim.Isend, sim.Message{Size: 1000, Peer: k})
			}
		}
		for k := range int32(4) {
			if i != k {
				p.Threads[i].AddMessage(sim.Recv, sim.Message{Size: 1000, Peer: k})
			}
		}
	}
	r, err := Analyse(context.Background(), play(t, p, network), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refusal == "" || r.Roles != nil || len(r.Scores) != 3 || r.Parameters != nil {
		t.Errorf("%+v", r)
	}
	near := slices.ContainsFunc(r.Scores, func(s ScoreRow) bool { return s.Score > 0 })
	if strings.Contains(r.Refusal, "the nearest is") != near { // what has score 0 is not near
		t.Errorf("%s: %+v", r.Refusal, r.Scores)
	}
	silent := newProgram("silent", 4)
	for i := range silent.Threads {
		silent.Threads[i].AddCompute(1e6)
	}
	r, err = Analyse(context.Background(), play(t, silent, network), Options{})
	if err != nil || !strings.Contains(r.Refusal, "no messages") || r.Parameters != nil {
		t.Errorf("%v, %+v", err, r)
	}
}

// Without messages the reason depends on the calls: collective operations only, or sends that no receive matches.
func TestNoMessages(t *testing.T) {
	const head = "#Paraver (01/01/2020 at 00:00):100_ns:1(3):1:3(1:1,1:1,1:1)\n"
	const collective = "2:1:1:1:1:10:50000002:10\n2:1:1:1:1:20:50000002:0\n"
	for text, want := range map[string]string{
		collective: "collective operations only",
		collective + "2:1:1:1:1:30:50000001:1\n2:1:1:1:1:40:50000001:0\n": "point-to-point calls",
	} {
		trace, err := prv.Read(context.Background(), strings.NewReader(head+text), prv.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Analyse(context.Background(), trace, Options{})
		if err != nil || !strings.Contains(r.Refusal, want) {
			t.Errorf("%v, %q, want %q", err, r.Refusal, want)
		}
	}
}

// twoChains returns a master with two pipelines of two stages, 1 and 2 ms an item, which gives each several items at
// once and takes their answers, in each round.
func twoChains(rounds, items int) *sim.Program {
	p := newProgram("nested", 5)
	boss := &p.Threads[0]
	for range rounds {
		for range items {
			for _, w := range []int32{1, 3} {
				boss.AddMessage(sim.Send, sim.Message{Size: 1000, Tag: 1, Peer: w})
				p.Threads[w].AddMessage(sim.Recv, sim.Message{Size: 1000, Tag: 1})
				p.Threads[w].AddCompute(1e6)
				p.Threads[w].AddMessage(sim.Send, sim.Message{Size: 1000, Tag: 2, Peer: w + 1})
				p.Threads[w+1].AddMessage(sim.Recv, sim.Message{Size: 1000, Tag: 2, Peer: w})
				p.Threads[w+1].AddCompute(2e6)
				p.Threads[w+1].AddMessage(sim.Send, sim.Message{Size: 1000, Tag: 3})
			}
		}
		for range items {
			for _, w := range []int32{2, 4} {
				boss.AddMessage(sim.Recv, sim.Message{Size: 1000, Tag: 3, Peer: w})
			}
		}
	}
	return p
}

// A master whose workers are pipelines of two: it falls apart into chains without the master. Item by item nothing
// overlaps: 6 rounds of 3 ms, for which the model, that sees one iteration of 6 items, gives 1 + 6*2 ms.
func TestNested(t *testing.T) {
	one, err := Analyse(context.Background(), play(t, twoChains(6, 1), network), Options{})
	if err != nil || one.Fit.Holds || math.Abs(one.Fit.Off-(13.0/18-1)) > 0.02 || len(one.Advice) != 0 {
		t.Fatalf("%v %+v", err, one)
	}
	p := twoChains(1, 6)
	r, err := Analyse(context.Background(), play(t, p, network), Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "structure", strings.Join(r.Structure, "; "), "master 1; pipeline 1: tasks 2-3; pipeline 2: tasks 4-5")
	n := r.Nested
	if n == nil || len(r.Advice) != 1 || !r.Fit.Holds {
		t.Fatalf("%+v", r)
	}
	same(t, "items", n.Items, 12)
	v, err := r.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !v.Calibrated || v.Verdict != "confirmed" || v.Points[1].Simulated >= v.Points[0].Simulated || v.Trace == nil {
		t.Errorf("%+v", v)
	}
}

// The program of a master with one pipeline of two stages: 3 items of 1 and 2 ms, messages of 20 us and 1 ns per byte.
// The chunk of 3000 bytes comes after 20 + 3 us; the first item is through after 1 ms, 20 us and 1 us, and each item
// takes the second stage 2 ms; the answer takes 20 + 3 us.
func TestNestedProgram(t *testing.T) {
	n := &Nested{Outer: Farm{Link: network, Volume: 6000, Given: 0.5},
		Inner: Pipeline{Link: network, Stages: []Stage{{Compute: 1e6, Bytes: 1000}, {Compute: 2e6}}}, Items: 3}
	s, err := n.Simulate(context.Background(), 1, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "iteration", s.Time, 23_000+1_021_000+3*2_000_000+23_000)
}

// Chunks of two tasks each, of 1 and 3 ms, told by event 70; a second chunk lies in reserve at each worker.
func TestTasksAndReserve(t *testing.T) {
	p := newProgram("farm", 3)
	boss := &p.Threads[0]
	give := func(w int32) { boss.AddMessage(sim.Send, sim.Message{Size: 1000, Tag: 1, Peer: w}) }
	for range 2 {
		give(1)
		give(2)
	}
	for range 2 {
		for w := int32(1); w <= 2; w++ {
			boss.AddMessage(sim.Recv, sim.Message{Size: 100, Tag: 2, Peer: w})
			work := &p.Threads[w]
			work.AddMessage(sim.Recv, sim.Message{Size: 1000, Tag: 1})
			for k, cost := range []float64{1e6, 3e6} {
				work.AddEvent(70, int64(1+k))
				work.AddCompute(cost)
			}
			work.AddEvent(70, 0)
			work.AddMessage(sim.Send, sim.Message{Size: 100, Tag: 2})
		}
	}
	tr := play(t, p, network)
	roles := &role.Roles{Told: true, Kind: role.MasterWorker, Workers: []int32{1, 2},
		Statements: role.Statements{TaskEvent: &role.EventMatch{Type: 70, Any: true}, Prefetch: 1}}
	r, err := Analyse(context.Background(), tr, Options{Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Farm
	same(t, "chunks", f.Chunks, 4)
	same(t, "tasks", len(f.tasks), 8)
	near(t, "mean task", f.mean, 2e6)
	near(t, "its deviation", f.sigma, 1e6)
	near(t, "Tc", f.Model.Compute, 16e6) // no chunk counts the wait in reserve, nor the chunk before it
	var b strings.Builder
	if err := role.Write(&b, roles, tr); err != nil {
		t.Fatal(err)
	}
	same(t, "written", b.String(), "ptask 1\nkind master-worker\nmaster 1\nworkers 2-3\ntasks event 70\nprefetch 1\n")
}

// What the report concludes has a place in the trace; the first severity is the gain over all iterations.
func TestFindings(t *testing.T) {
	f := &Farm{Link: network, Volume: 48_000, Given: 0.5, Compute: 4e6, Master: 50_000}
	s, err := f.Simulate(context.Background(), 4, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(context.Background(), s.Trace, Options{Simulate: true})
	if err != nil {
		t.Fatal(err)
	}
	list := r.Findings()
	if len(list) != 1 || list[0].Checked != report.Confirmed || len(list[0].Evidence) != 1 ||
		len(list[0].Threads) != 5 {
		t.Fatalf("%+v", list)
	}
	near(t, "severity", list[0].Severity, r.Advice[0].Gain)
	near(t, "verified", list[0].Verified, r.Verdict.at(4).Simulated-r.Verdict.at(r.Farm.Worth).Simulated)
}
