package scenario

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
)

// A machine is a name, a file of Dimemas, or a model of a direct network; its title is the name, or the file's.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	cfg, model := filepath.Join(dir, "own.cfg"), filepath.Join(dir, "own.model")
	if err := errors.Join(dimemas.SaveMachine(cfg, sim.Ideal(3)), os.WriteFile(model, []byte("network line 2\n"+
		"map 0 1\nswitching packet\nlink-speed 1e-5 1e-6\npacket-size none\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	for _, c := range []struct {
		name, title string
		nodes       int
		class       bool
	}{{"ideal", "ideal", 2, true}, {cfg, "own.cfg", 3, false}, {model, "own.model", 2, false}} {
		if err := d.Load(d.p, c.name); err != nil {
			t.Fatal(err)
		}
		now := d.Now()
		if _, class, _ := MachineByName(c.name); now.BaseName != c.title || len(now.Machine.Nodes) != c.nodes ||
			!now.Base.Equal(now.Scenario) || class != c.class {
			t.Errorf("%s: %s of %d nodes, of a class %v", c.name, now.BaseName, len(now.Machine.Nodes), class)
		}
	}
	now := d.Now()
	for name, want := range map[string]string{
		"ideel":                          `there is no machine "ideel": neither a file (.cfg) nor`,
		filepath.Join(dir, "none.cfg"):   "no such file",
		filepath.Join(dir, "none.model"): "no such file",
		filepath.Join(dir, "none"):       "no such file", // a path
		"none.cfg":                       "no such file",
	} {
		err := d.Load(d.p, name)
		if err == nil || !strings.Contains(err.Error(), want) || !d.Now().Equal(now.Scenario) {
			t.Errorf("%s: %v, not %s", name, err, want)
		}
	}
	if err := errors.New("broken"); NotAMachine("ideel", err) != err {
		t.Error("a file that cannot be read is called unknown")
	}
	// the map of a model may lack processors for a program
	if err := os.WriteFile(model, []byte("network line 2\nmap 0 5\nswitching packet\nlink-speed 0 0\n"+
		"packet-size none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	machine, _, err := MachineByName(model)
	if err != nil || machine(d.p).Fault == nil {
		t.Errorf("a process on processor 5 of 2: %v", err)
	}
}

// A name lists 8 differences from the ideal machine, and counts the rest.
func TestInWords(t *testing.T) {
	p := twoTasks(t)
	s := Scenario{Machine: sim.IdealFor(p)}
	want := "base"
	for i, name := range []string{"latency", "local-latency", "wan-latency", "link-startup", "processor-startup",
		"context-switch", "busy-wait", "minimum-run", "quantum", "flit-startup"} {
		q := parameter.ByName(name)
		if q == nil {
			continue
		}
		q.Set(s.Machine, float64(1000*(i+1)))
	}
	list := s.FromIdeal(p, noNames)
	for _, d := range list[:8] {
		want += ", " + d.String()
	}
	if n := len(list); n <= 9 {
		t.Fatalf("%d differences: %v", n, list)
	} else if got := s.InWords("base", p, noNames); got != fmt.Sprintf("%s, %d more settings", want, n-8) {
		t.Errorf("%s, not %s and %d more", got, want, n-8)
	}
	ideal := Scenario{Machine: sim.IdealFor(p)}
	if got := ideal.InWords("base", p, noNames); got != "base" {
		t.Errorf("without differences: %s", got)
	}
	ideal.Machine.Nodes[0].Latency, ideal.Machine.Nodes[1].Latency = 5000, 5000
	if got := ideal.InWords("base", p, noNames); got != "base, latency 5 us" {
		t.Errorf("one difference: %s", got)
	}
}

// Differences of distributions, of what one machine lacks, and of blocks of one type.
func TestCompareMore(t *testing.T) {
	p := twoTasks(t)
	before, after := Scenario{Machine: sim.IdealFor(p)}, Scenario{Machine: sim.IdealFor(p)}
	latency := parameter.ByName("latency")
	normal, err := latency.ParseSetting("normal(25us, 2us)")
	if err != nil {
		t.Fatal(err)
	}
	latency.Apply(after.Machine, normal)
	if got := fmt.Sprint(Changes(before, after, noNames)); got != "[latency normal(25 us, 2 us)]" {
		t.Error(got)
	}
	none := &sim.Machine{}
	costly := sim.IdealFor(p)
	costly.Clusters[0].Collectives[1].FanIn = sim.Stage{Model: sim.ModelLinear}
	if a, b := collectives(none, costly), collectives(costly, none); a != nil || b != nil {
		t.Errorf("without networks: %v, %v", a, b)
	}
	for _, c := range []struct {
		stage sim.Stage
		want  string
	}{
		{sim.Stage{Model: sim.ModelNone, Size: sim.SizeMax}, "0"}, {sim.Stage{Model: sim.ModelLinear}, "LIN"},
		{sim.Stage{Model: sim.ModelLinear, Size: sim.SizeMax}, "LIN MAX"},
		{sim.Stage{Model: sim.ModelDefault, Size: sim.SizeMax}, "default"},
	} {
		if got := stageText(c.stage); got != c.want {
			t.Errorf("%+v: %s, not %s", c.stage, got, c.want)
		}
	}
	// Of three blocks one stays, one is as measured again, and one is new.
	from, to := sim.IdealFor(p), sim.IdealFor(p)
	for value, ratio := range map[int64]float64{8: 2, 9: 3} {
		from.SetModule(sim.Module{Type: 7, Value: value, Ratio: ratio})
	}
	to.SetModule(sim.Module{Type: 7, Value: 9, Ratio: 3})
	to.SetModule(sim.Module{Type: 6, Value: 8, Ratio: 4})
	want := []Difference{{"block 6:8", "as measured", "4x faster"}, {"block 7:8", "2x faster", "as measured"}}
	if got := blocks(from, to, noNames); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// Scenarios are equal if machine, rules and OpenMP are. What is saved has the rules that are not the default.
func TestEqual(t *testing.T) {
	s := Scenario{Machine: sim.Ideal(2)}
	rule := sim.RuleTable[1]
	for what, set := range map[string]func(*Scenario){
		"machine": func(o *Scenario) { o.Machine = sim.Ideal(3) },
		"OpenMP":  func(o *Scenario) { o.NoOpenMP = true },
		"rules":   func(o *Scenario) { o.Rules[1] = 1 },
	} {
		o := Scenario{Machine: sim.Ideal(2)}
		if !s.Equal(o) {
			t.Errorf("two ideal machines differ")
		}
		if set(&o); s.Equal(o) {
			t.Errorf("%s: equal", what)
		}
		saved := o.Save()
		if len(saved.Rules) > 0 != (what == "rules") {
			t.Errorf("%s: %v", what, saved.Rules)
		}
		if back, err := saved.Scenario(); err != nil || !back.Equal(o) {
			t.Errorf("%s: %+v, %v", what, back, err)
		}
	}
	two := Scenario{Machine: sim.Ideal(2)}
	two.Rules[1], two.Rules[2] = 1, 1
	if got := two.Save().Rules; len(got) != 2 || got[rule.Name] != rule.Values[1].Name {
		t.Errorf("%v", got)
	}
}

// The newest run stays where all others are kept for their names; of others the oldest goes.
func TestFullHistory(t *testing.T) {
	d := newDesk(t)
	for i := range mostRuns {
		d.set("latency", fmt.Sprintf("%dns", i+1))
		d.run().Name = "kept"
	}
	d.set("latency", "1ms")
	last := d.run()
	if n := len(d.Runs()); n != mostRuns+1 || d.Runs()[n-1] != last {
		t.Errorf("%d runs", n)
	}
	d.Runs()[0].Name = ""
	second := d.Runs()[1]
	d.set("latency", "2ms")
	d.run() // drops the first, not the one before itself, which was on display
	if n := len(d.Runs()); n != mostRuns+1 || d.Runs()[0] != second || d.Runs()[n-2] != last {
		t.Errorf("%d runs, the first %s", n, d.Runs()[0].Title())
	}
}

// A program so large that one trace is all that fits.
func TestKeptTracesOfHugeProgram(t *testing.T) {
	d := newDesk(t)
	first := d.run()
	d.set("latency", "1us")
	second := d.run()
	huge := &sim.Program{Threads: make([]sim.Thread, 1)}
	for range keptRecords + 1 {
		huge.Threads[0].AddNop()
	}
	if d.Show(huge, second); first.Trace != nil || second.Trace == nil {
		t.Error("the trace on display is not the one that is left")
	}
}

// The facts about a program: all threads of a task compute, and each call of an operation counts.
func TestDescribe(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(2)
	p.AddTask(1)
	world := p.AddCommunicator(0, 1, []int32{0, 1})
	for i, ns := range []float64{1000, 200, 30} {
		p.Threads[i].AddCompute(ns)
	}
	none := describe(p)
	if none.communicates() {
		t.Error("computation alone communicates")
	}
	for _, i := range []int{0, 2} {
		p.Threads[i].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Op: 15})
	}
	p.Threads[0].AddMessage(sim.Isend, sim.Message{Peer: 1})
	q := describe(p)
	if !q.communicates() || !slices.Equal(q.Computation, []float64{1200, 30}) || q.Operations[15] != 2 ||
		q.Operations[0] != 0 {
		t.Errorf("%v, %v", q.Computation, q.Operations)
	}
	for typ, want := range map[uint32]bool{41_999_999: false, 42_000_000: true, 42_999_999: true, 43_000_000: false,
		50_099_999: false, 50_100_000: true, 50_100_999: true, 50_101_000: false} {
		if isFigure(typ) != want {
			t.Errorf("type %d is a figure: %v", typ, !want)
		}
	}
}
