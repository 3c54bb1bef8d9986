package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/parameter"
)

// twoTasks returns a program of two tasks: the first computes 10 us, sends 1000 bytes, and computes 20 us; the second
// receives them, and computes 15 us. On an ideal machine the first ends at 30 us, the second at 10 + 15 = 25 us.
func twoTasks(t testing.TB) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	a, b := &p.Threads[0], &p.Threads[1]
	a.AddCompute(10e3)
	a.AddMessage(sim.Send, sim.Message{Peer: 1, Size: 1000, Match: 1})
	a.AddCompute(20e3)
	b.AddMessage(sim.Recv, sim.Message{Peer: 0, Size: 1000, Match: 1})
	b.AddCompute(15e3)
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// set returns a change of a parameter, as it is typed; changes of one parameter in a row are one step of undo.
func set(t testing.TB, name, value string) Change {
	t.Helper()
	p := parameter.ByName(name)
	v, err := p.Parse(value)
	if err != nil {
		t.Fatal(err)
	}
	return Change{Parameter: name, Kind: name, Set: func(s *Scenario) { p.Set(s.Machine, v) }}
}

func noNames(typ uint32, value int64) string { return fmt.Sprintf("block %d:%d", typ, value) }

// desk is an editor with its history.
type desk struct {
	*testing.T
	Editor
	History
	p *sim.Program
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, p: twoTasks(t)}
	if err := d.Load(d.p, "ideal"); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) set(name, value string) {
	d.Helper()
	if _, changed := d.Change(d.p, set(d, name, value)); !changed {
		d.Fatalf("%s %s: nothing changed", name, value)
	}
}

// run simulates the scenario and shows it.
func (d *desk) run() *Run {
	d.Helper()
	now := d.Now()
	r, err := now.Run(context.Background(), d.p, sim.Options{Trace: true})
	if err != nil {
		d.Fatal(err)
	}
	run := d.Record(d.p, now, r, noNames)
	d.Show(d.p, run)
	return run
}

// latency returns that of the machine, as it is shown.
func (d *desk) latency() string {
	p := parameter.ByName("latency")
	v, _ := p.Get(d.Now().Machine)
	return p.Show(v)
}

// Changes of one kind in a row are undone together; a change after undo forgets what could be redone.
func TestUndo(t *testing.T) {
	d := newDesk(t)
	d.set("latency", "1us")
	d.set("latency", "2us")
	d.set("bandwidth", "100MB/s")
	d.set("latency", "4us")
	check := func(what, want string, done bool) {
		t.Helper()
		if got := d.latency(); !done || got != want {
			t.Errorf("%s: latency %s (%v), not %s", what, got, done, want)
		}
	}
	check("undo 4 us", "2 us", d.Undo())
	check("undo the bandwidth", "2 us", d.Undo())
	check("undo 1 us and 2 us", "0 s", d.Undo())
	if d.Undo() {
		t.Error("there was more to undo than changes")
	}
	check("redo", "2 us", d.Redo())
	d.set("latency", "8us")
	if d.Redo() {
		t.Error("there is something to redo after a change")
	}
	check("undo 8 us", "2 us", d.Undo())
}

// A change to the same value is none, and nothing to undo.
func TestNoChange(t *testing.T) {
	d := newDesk(t)
	if notes, changed := d.Change(d.p, set(t, "latency", "0s")); changed || notes != nil || d.Undo() {
		t.Errorf("changed %v %v", changed, notes)
	}
}

// What must follow a change follows, and is said: two tasks on one node need two CPUs there.
func TestChangeAdapts(t *testing.T) {
	d := newDesk(t)
	notes, _ := d.Change(d.p, set(t, "nodes", "1"))
	if got := strings.Join(notes, ", "); got != "tasks per node: 2, CPUs per node: 2" {
		t.Errorf("notes: %s", got)
	}
	if d.Undo(); len(d.Now().Machine.Nodes) != 2 || d.Now().Machine.Nodes[0].CPUs != 1 {
		t.Error("undo has left the machine changed")
	}
}

// A run has its figures, and says how it differs from the machine that was loaded. On ideal the first task ends last,
// at 30 us: 45 us of computation in 2 x 30 us are 75 %. With a latency of 4 us it ends at 34 us, the second at 14 + 4 +
// 15 = 33 us.
func TestRuns(t *testing.T) {
	d := newDesk(t)
	first := d.run()
	d.set("latency", "4us")
	second := d.run()
	if first.Result.Total != 30e3 || second.Result.Total != 34e3 || first.Utilisation != 0.75 ||
		second.Utilisation != 45.0/68 {
		t.Errorf("%d ns %g, %d ns %g", first.Result.Total, first.Utilisation, second.Result.Total, second.Utilisation)
	}
	if first.Title() != "ideal" || second.Title() != "ideal: latency 4 us" || first.Number != 1 || second.Number != 2 {
		t.Errorf("%d %s, %d %s", first.Number, first.Title(), second.Number, second.Title())
	}
	second.Name = "slow"
	if second.Title() != "slow" {
		t.Errorf("the name of a run is %s", second.Title())
	}
	// The same scenario again, by another way, is the same run.
	d.GoTo(first.Setup)
	if d.run() != first || len(d.Runs()) != 2 || d.Shown() != first {
		t.Error("a scenario was recorded twice")
	}
	if d.Undo(); d.latency() != "4 us" {
		t.Error("going to a run cannot be undone")
	}
}

// The latest runs keep their traces; those of large programs fewer.
func TestKeptTraces(t *testing.T) {
	d := newDesk(t)
	var runs []*Run
	for _, us := range []string{"1us", "2us", "3us", "4us", "5us", "6us"} {
		d.set("latency", us)
		runs = append(runs, d.run())
	}
	kept := func() (s string) {
		for _, r := range runs {
			s += map[bool]string{true: "t", false: "-"}[r.Trace != nil]
		}
		return s
	}
	if kept() != "--tttt" {
		t.Errorf("kept: %s", kept())
	}
	d.GoTo(runs[0].Setup)
	if d.run(); kept() != "t--ttt" {
		t.Errorf("kept after going back: %s", kept())
	}
	large := &sim.Program{Threads: make([]sim.Thread, 1)} // two of them are enough
	for range keptRecords / 2 {
		large.Threads[0].AddNop()
	}
	if d.Show(large, runs[0]); kept() != "t----t" {
		t.Errorf("kept of a large program: %s", kept())
	}
	if d.DropTraces(); kept() != "------" {
		t.Errorf("kept of another program: %s", kept())
	}
}

// The history is bounded; runs that have a name, are shown or marked stay.
func TestHistoryIsBounded(t *testing.T) {
	d := newDesk(t)
	named, marked := d.run(), (*Run)(nil)
	named.Name = "first"
	for i := range mostRuns + 10 {
		d.set("latency", fmt.Sprintf("%dns", i+1))
		if r := d.run(); i == 0 {
			marked = r
			d.Mark(r)
		}
	}
	if n := len(d.Runs()); n != mostRuns || d.Runs()[0] != named || d.Runs()[1] != marked {
		t.Errorf("%d runs, the first ones %s and %s", n, d.Runs()[0].Title(), d.Runs()[1].Title())
	}
	if last := d.Runs()[mostRuns-1]; last.Number != mostRuns+11 {
		t.Errorf("the last one is number %d", last.Number)
	}
}

func TestMarkAndDrop(t *testing.T) {
	d := newDesk(t)
	first := d.run()
	d.set("latency", "4us")
	d.run()
	if !d.Mark(first) || d.Marked() != first {
		t.Error("the run is not marked")
	}
	if err := d.Drop(d.Shown()); err == nil {
		t.Error("the run that is shown was dropped")
	}
	if err := d.Drop(first); err != nil || d.Marked() != nil || len(d.Runs()) != 1 || d.Runs()[0] != d.Shown() {
		t.Errorf("%v, marked %v, %d runs", err, d.Marked(), len(d.Runs()))
	}
	if d.Mark(d.Shown()); d.Mark(d.Shown()) || d.Marked() != nil {
		t.Error("marking twice does not unmark")
	}
}

// What differs is told by kind: rules, parameters, nodes, collective operations, blocks.
func TestCompare(t *testing.T) {
	p := twoTasks(t)
	base := Scenario{Machine: sim.IdealFor(p)}
	for _, c := range []struct {
		what string
		set  func(s *Scenario)
		want []Difference
	}{
		{"nothing", func(*Scenario) {}, nil},
		{"a rule", func(s *Scenario) {
			if err := s.Rules.Set(sim.RuleTable[0].Name, sim.RuleTable[0].Values[1].Name); err != nil {
				t.Fatal(err)
			}
		}, []Difference{{sim.RuleTable[0].Name, sim.RuleTable[0].Values[0].Name, sim.RuleTable[0].Values[1].Name}}},
		{"one node of two", func(s *Scenario) { s.Machine.Nodes[1].Speed = 2 },
			[]Difference{{"node 2 cpu-ratio", "1", "2"}}},
		{"all nodes", func(s *Scenario) { s.Machine.Nodes[0].Speed, s.Machine.Nodes[1].Speed = 2, 2 },
			[]Difference{{"cpu-ratio", "1", "2"}}},
		{"many nodes", func(s *Scenario) {
			s.Machine.SetNodes(9)
			for i := range 5 {
				s.Machine.Nodes[i].Speed = 3
			}
		}, []Difference{{"nodes", "2", "9"}, {"cpu-ratio of 9 nodes", "", "differs"}}}, // five are faster, four new
		{"OpenMP", func(s *Scenario) { s.NoOpenMP = true }, []Difference{{"disable-openmp", "off", "on"}}},
		{"a collective operation", func(s *Scenario) {
			s.Machine.Clusters[0].Collectives[1].FanIn = sim.Stage{Model: sim.ModelConstant, Size: sim.SizeMax}
		},
			[]Difference{{"Bcast", "default / default", "CTE MAX / default"}}},
		{"a block", func(s *Scenario) { s.Machine.SetModule(sim.Module{Type: 7, Value: 8, Ratio: 2}) },
			[]Difference{{"block 7:8", "as measured", "2x faster"}}},
		{"a block of a given time", func(s *Scenario) {
			s.Machine.SetModule(sim.Module{Type: 7, Value: 8,
				Ratio: -1500})
		},
			[]Difference{{"block 7:8", "as measured", "1.5 us each"}}},
	} {
		next := base
		next.Machine = base.Machine.Clone()
		c.set(&next)
		if got := Compare(base, next, noNames); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.what, got, c.want)
		}
	}
	fast := base
	fast.Machine = base.Machine.Clone()
	fast.Machine.SetModule(sim.Module{Type: 7, Value: 8, Ratio: 0})
	if got := fmt.Sprint(Compare(fast, base, noNames)); got != "[block 7:8 as measured]" {
		t.Errorf("a block that is no longer changed: %s", got)
	}
}

// Runs are compared by their times: with 4 us of latency the message leaves at 14 us; the receiver has paid its own 4
// us by then, and waited for 10 us.
func TestTimes(t *testing.T) {
	d := newDesk(t)
	d.set("latency", "4us")
	r := d.run()
	got := map[string]float64{}
	for _, tm := range Times() {
		if ns := tm.Of(r.Result); ns != 0 {
			got[tm.Name] = ns
		}
	}
	want := map[string]float64{"total": 34e3, "all threads: Running": 45e3, "all threads: Waiting a message": 10e3,
		"all threads: Startup latency": 8e3}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// What is saved comes back, as JSON; what is wrong in it is an error and changes nothing.
func TestSave(t *testing.T) {
	d := newDesk(t)
	first := d.run()
	first.Name = "first"
	d.Mark(first)
	d.set("latency", "4us")
	d.run()
	runs, marked := d.Save()
	text, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	var read []SavedRun
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var h History
	if err := h.Restore(read, marked, noNames); err != nil {
		t.Fatal(err)
	}
	for i, r := range h.Runs() {
		if was := d.Runs()[i]; r.Title() != was.Title() || !r.Scenario.Equal(was.Scenario) || !r.Base.Equal(was.Base) ||
			r.Result.Total != was.Result.Total || r.Utilisation != was.Utilisation {
			t.Errorf("run %d: %+v, not %+v", i+1, r, was)
		}
	}
	if h.Marked() != h.Runs()[0] {
		t.Error("the mark is lost")
	}
	for what, spoil := range map[string]func(r *SavedRun){
		"no machine": func(r *SavedRun) { r.Scenario.Machine = nil },
		"no rule":    func(r *SavedRun) { r.Base.Rules = map[string]string{"no such rule": "x"} },
		"no result":  func(r *SavedRun) { r.Result = nil },
		"number":     func(r *SavedRun) { r.Number = 1 },
	} {
		bad := slices.Clone(read)
		spoil(&bad[1])
		if err := h.Restore(bad, marked, noNames); err == nil || len(h.Runs()) != 2 {
			t.Errorf("%s: %v, %d runs", what, err, len(h.Runs()))
		}
	}
}

func TestBlockNames(t *testing.T) {
	l := &prv.Labels{}
	l.AddType(7, "Phase", prv.ValueLabel{Value: 1, Label: "Solve"}, prv.ValueLabel{Value: 2, Label: "Begin"})
	name := BlockNames(l)
	for value, want := range map[int64]string{1: "Solve", 2: "Phase: Begin", 3: "Phase: value 3"} {
		if got := name(7, value); got != want {
			t.Errorf("%d: %s, not %s", value, got, want)
		}
	}
}

// FromTrace counts what is in the program of a trace, and says what is missing.
func TestFromTrace(t *testing.T) {
	const text = `#Paraver (01/01/26 at 00:00):3000_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
2:1:1:1:1:0:7:1
2:2:1:2:1:0:7:1
2:1:1:1:1:1000:7:0
2:2:1:2:1:2000:7:0
2:1:1:1:1:2500:50000002:8:50100001:4:50100002:4:50100004:1
2:2:1:2:1:2500:50000002:8:50100001:4:50100002:4:50100004:1
2:1:1:1:1:2600:50000002:0
2:2:1:2:1:2600:50000002:0
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := FromTrace(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Computation, len(p.Blocks), len(p.Remarks)); got != "[2500 2500] 1 0" {
		t.Errorf("%s %v %v", got, p.Blocks, p.Remarks)
	}
	if _, err := FromTrace(context.Background(), &prv.Trace{Labels: &prv.Labels{}}); err == nil {
		t.Error("a program was made of nothing")
	}
}
