package tui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
	"pview/sim/parameter"
	"pview/sim/scenario"
	"pview/tui/dialog"
	"pview/tui/pane/simulator"
	"pview/tui/pane/study"
)

// twoTasks is a run of two tasks: the first computes 10 us, sends 1000 bytes, computes 20 us; the second computes 5 us,
// receives, and computes 15 us. On an ideal machine the first ends at 30 us, the second at 10 + 15 = 25 us.
const twoTasks = `#Paraver (01/01/2026 at 10:00):40000_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
1:1:1:1:1:0:10000:1
1:2:1:2:1:0:5000:1
2:1:1:1:1:1000:60000019:1
1:2:1:2:1:5000:20000:3
2:2:1:2:1:5000:50000001:2
1:1:1:1:1:10000:12000:4
2:1:1:1:1:10000:50000001:1
3:1:1:1:1:10000:10000:2:1:2:1:5000:20000:1000:7
1:1:1:1:1:12000:32000:1
2:1:1:1:1:12000:50000001:0
1:2:1:2:1:20000:35000:1
2:2:1:2:1:20000:50000001:0
2:1:1:1:1:32000:60000019:0
2:1:1:1:1:32000:9:0
2:2:1:2:1:35000:9:0
`

// onSimulator opens the simulator on a trace given as text and waits for its first prediction.
func onSimulator(t *testing.T, width, height int, text string) (*driver, *simulator.Simulation) {
	t.Helper()
	d := onTrace(t, width, height, text)
	d.press("s")
	s := d.simulator().Of(d.m.Focused().Trace)
	if s == nil {
		t.Fatal("there is no simulator")
	}
	return d, s
}

// shown returns the run that is shown.
func shown(s *simulator.Simulation) *scenario.Run { return s.History().Shown() }

// expect simulates the pane's machine, without the pane.
func expect(t *testing.T, s *simulator.Simulation, set ...string) *sim.Result {
	t.Helper()
	tr, err := dimemas.FromTrace(context.Background(), s.Predicted().PredictedFrom.Data, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := sim.IdealFor(tr.Program)
	for i := 0; i < len(set); i += 2 {
		p := parameter.ByName(set[i])
		v, err := p.Parse(set[i+1])
		if err != nil {
			t.Fatal(err)
		}
		p.Set(m, v)
	}
	r, err := engine.Run(context.Background(), tr.Program, m, sim.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSimulatorPredicts: the first prediction, for an ideal machine, is in a window below; a typed latency makes
// another, equal to the simulator's result.
func TestSimulatorPredicts(t *testing.T) {
	d, s := onSimulator(t, 100, 40, twoTasks)
	if shown(s) == nil || shown(s).Result.Total != 30000 {
		t.Fatalf("%+v, %v", shown(s), s.Err())
	}
	if len(d.m.Windows) != 2 || d.m.Windows[1].Trace != s.Predicted() || d.m.Windows[1].Group != d.m.Windows[0].Group ||
		d.m.Focus != 0 {
		t.Fatalf("%d windows, focus %d", len(d.m.Windows), d.m.Focus)
	}
	// Measured 40 us; the threads compute 30 + 20 of 2 x 30 us.
	d.sees("Predicted 30 us", "0.750 of measured 40 us", "computing 83.3 %", "run 1: ideal", "Latency")
	d.press("5")
	d.typed("us")
	d.press("enter")
	want := expect(t, s, "latency", "5us")
	if shown(s).Result.Total != want.Total || want.Total == 30000 {
		t.Errorf("predicted %d, not %d", shown(s).Result.Total, want.Total)
	}
	got := s.Predicted().Data
	for i := range want.Trace.Threads {
		a, b := &got.Threads[i], &want.Trace.Threads[i]
		if !slices.Equal(a.States.Begin, b.States.Begin) || !slices.Equal(a.States.Value, b.States.Value) ||
			!slices.Equal(a.Events.Time, b.Events.Time) {
			t.Errorf("thread %d of the predicted trace is another than that of the simulator", i)
		}
	}
	d.sees("run 2: ideal", "latency  5 us  (was 0 s)")
	// The picture is that of the new trace.
	if w := d.m.Windows[1]; w.Trace.Data != got || w.Values.Series[0] == nil || w.Values.Busy {
		t.Error("the window below does not show the prediction")
	}
	// Double and halve, undo and redo; earlier runs are shown immediately.
	d.press("+")
	d.fire()
	d.sees("latency  10 us")
	if shown(s).Result.Total != expect(t, s, "latency", "10us").Total {
		t.Errorf("predicted %d", shown(s).Result.Total)
	}
	d.press("-", "-")
	d.fire()
	d.sees("latency  2.5 us")
	d.press("u")
	d.misses("changed…") // the earlier run is shown
	d.press("u")
	d.sees("Predicted 30 us", "latency  0 s")
	d.press("ctrl+r")
	d.sees("latency  5 us")
	if len(s.History().Runs()) != 4 {
		t.Errorf("%d runs", len(s.History().Runs()))
	}
}

// TestSimulatorDropsStale: a run that is cancelled, or superseded by another change, has no effect.
func TestSimulatorDropsStale(t *testing.T) {
	d, s := onSimulator(t, 80, 24, twoTasks)
	before := shown(s)
	d.press("1")
	d.typed("us")
	d.press("enter") // simulated immediately
	if shown(s) == before {
		t.Fatal("the first change waits")
	}
	before = shown(s)
	due := func() tea.Msg { return d.timers[len(d.timers)-1] }
	d.press("+") // within the delay in which a change waits for further ones
	first := due()
	d.sees("changed…", "old: predicted ")
	d.press("+")
	if due() == first || d.simulator().Busy() {
		t.Fatal("a change is not overtaken by the next")
	}
	d.send(first)
	if shown(s) != before || len(s.History().Runs()) != 2 {
		t.Fatal("a change that was overtaken is simulated")
	}
	d.fire()
	if shown(s) == before || shown(s).Result.Total != expect(t, s, "latency", "4us").Total ||
		len(s.History().Runs()) != 3 {
		t.Errorf("predicted %d in %d runs", shown(s).Result.Total, len(s.History().Runs()))
	}
	// Esc cancels a run; its late answer is dropped.
	d.fire() // the previous change is long past
	before = shown(s)
	d.press(":")
	d.typed("machine-set latency 7ns")
	_, run := d.m.Update(keyPress(t, "enter"))
	if !d.simulator().Busy() {
		t.Fatal("nothing is simulated")
	}
	d.press("esc")
	d.sees("the simulation was cancelled")
	if d.simulator().Busy() {
		t.Fatal("Esc does not cancel")
	}
	d.run(run)
	if shown(s) != before || len(s.History().Runs()) != 3 {
		t.Error("a cancelled run is shown")
	}
	d.press("R")
	if shown(s) == before || s.Err() != nil {
		t.Errorf("again: %v", s.Err())
	}
	// The answer of a run that its context cancelled is not shown.
	_, run = d.m.Update(keyPress(t, "R"))
	_, again := d.m.Update(keyPress(t, "R"))
	d.run(run)
	if s.Err() != nil || !d.simulator().Busy() {
		t.Error(s.Err())
	}
	d.run(again)
}

// TestSimulatorErrors: the pane reports what cannot be simulated.
func TestSimulatorErrors(t *testing.T) {
	// Both tasks send first: with sends that wait for their receivers the run deadlocks.
	crossed := `#Paraver (01/01/2026 at 10:00):40000_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
1:1:1:1:1:0:10000:1
1:2:1:2:1:0:10000:1
2:1:1:1:1:10000:50000001:1
3:1:1:1:1:10000:10000:2:1:2:1:13000:14000:1000:7
2:2:1:2:1:10000:50000001:1
3:2:1:2:1:10000:10000:1:1:1:1:13000:14000:1000:7
2:1:1:1:1:12000:50000001:0
2:2:1:2:1:12000:50000001:0
2:1:1:1:1:13000:50000001:2
2:2:1:2:1:13000:50000001:2
2:1:1:1:1:14000:50000001:0
2:2:1:2:1:14000:50000001:0
1:1:1:1:1:14000:40000:1
1:2:1:2:1:14000:40000:1
2:1:1:1:1:40000:9:0
2:2:1:2:1:40000:9:0
`
	d, s := onSimulator(t, 110, 40, crossed)
	d.sees("deadlock at", "thread 1.1.1 waits")
	if len(d.m.Windows) != 1 {
		t.Errorf("%d windows", len(d.m.Windows))
	}
	d.command("machine-set asynch-sends on")
	d.fire()
	if s.Err() != nil || shown(s) == nil {
		t.Fatalf("%v", s.Err())
	}
	d.misses("deadlock")
	d.command("machine-set nodes 0")
	d.fire()
	d.sees("the machine has no nodes", "before the change")
	d.press("u")
	d.misses("the machine has no nodes")
	d.command("machine-set latency soon")
	d.sees(`latency: unknown unit "soon": must be one of ns, us`)
	d.command("simulate /nowhere/m.cfg")
	d.sees("/nowhere/m.cfg")

	// Computation alone is simulated, and the pane says that networks do not matter.
	d, s = onSimulator(t, 100, 50, manyThreads(2))
	if s.Program() == nil && s.Err() == nil {
		t.Error("neither a program nor an error")
	}
	d.sees("no communication")
}

// TestSimulatorNoMachine: an unknown machine is requested, and the machine is changed before there is one.
func TestSimulatorNoMachine(t *testing.T) {
	d := onTrace(t, 110, 40, twoTasks)
	for _, command := range []string{"machine-set latency 1us", "map-tasks block"} {
		d.command(command)
		d.sees("no machine yet: s opens the Simulator, which begins with one")
	}
	d.command("simulate cray")
	d.sees(`there is no machine "cray"`, "pview list machines")
}

// TestSimulatorMirrors: measured and predicted windows show the same content, at the same time.
func TestSimulatorMirrors(t *testing.T) {
	d, _ := onSimulator(t, 100, 40, twoTasks)
	d.press("esc")
	d.command("level task")
	d.command("zoom-in 4")
	a, b := d.m.Windows[0], d.m.Windows[1]
	if b.Sem.Level != prv.LevelTask || a.Begin != b.Begin || a.End != b.End || a.End == 40000 {
		t.Errorf("level %v, %d..%d and %d..%d", b.Sem.Level, a.Begin, a.End, b.Begin, b.End)
	}
	// The other way round.
	d.press("tab")
	d.command("level thread")
	d.press("0")
	if a.Sem.Level != prv.LevelThread || a.End != 40000 || a.End != b.End {
		t.Errorf("level %v, ..%d and ..%d", a.Sem.Level, a.End, b.End)
	}
	// A prediction that takes longer than the measured run fits, since the view shows everything.
	d.press("s")
	d.command("machine-set latency 1ms")
	d.fire()
	if a.End <= 40000 || a.End != b.End {
		t.Errorf("..%d and ..%d", a.End, b.End)
	}
	// With its own time, a window is independent.
	d.press("esc")
	d.press("S")
	d.command("level task")
	if a.Sem.Level == b.Sem.Level {
		t.Error("a window with its own time still mirrors the other")
	}
	// What/Where and the analyzer work on the prediction.
	d.m.Focus = 1
	d.press("a")
	d.sees("% Time")
	// Closing the window of the prediction, and opening it again.
	d.press("esc")
	d.m.Focus = 1
	d.press("ctrl+w")
	if len(d.m.Windows) != 1 {
		t.Fatalf("%d windows", len(d.m.Windows))
	}
	d.press("s")
	d.fire()
	if len(d.m.Windows) != 2 {
		t.Errorf("%d windows", len(d.m.Windows))
	}
}

// TestSimulatorForm: pages, tables, notes on the effects of a change.
func TestSimulatorForm(t *testing.T) {
	d, s := onSimulator(t, 120, 50, twoTasks)
	d.command("machine-set process-per-node 2")
	d.sees("with it: CPUs per node: 2")
	d.fire()
	if shown(s).Result.Total != 30000 {
		t.Errorf("two tasks on a node with two CPUs: %d", shown(s).Result.Total)
	}
	d.command("sim-page Nodes")
	d.press("down") // node 2
	d.press("right")
	if p := s.Parameter(); p == nil || p.Node == nil || p.Name != "bandwidth" && p.Name != "input-links" {
		t.Errorf("%+v", s.Parameter())
	}
	d.press("3", "enter")
	d.fire()
	if s.Setup().Machine.Nodes[1].Links.In != 3 || s.Setup().Machine.Nodes[0].Links.In != 0 {
		t.Errorf("%+v", s.Setup().Machine.Nodes)
	}
	d.command("sim-page Machine")
	d.sees("several")
	d.command("sim-page Collectives")
	d.press("space") // after the default comes the first, none
	d.fire()
	if c := s.Setup().Machine.Clusters[0].Collectives[0]; c.FanIn.Model != sim.ModelNone {
		t.Errorf("%+v", c)
	}
	d.command("sim-page Tasks")
	d.press("down", "2", "enter") // the second task on the second node
	d.fire()
	if at, err := s.Setup().Machine.Placement(s.Program().Program); err != nil || !slices.Equal(at, []int32{0, 1}) {
		t.Errorf("tasks are on %v, %v", at, err)
	}
	d.press("9", "enter")
	d.sees("no node 9")
	d.command("sim-page Machine")
	d.press("u", "u", "u", "u")
	if !s.Setup().Equal(s.Setup().Base) {
		t.Errorf("undo does not lead back: %v", scenario.Changes(s.Setup().Base, s.Setup().Scenario, nil))
	}
	d.command("sim-page Model")
	d.press("home", "space") // the model
	d.fire()
	if s.Setup().Rules != sim.Models[1].Rules {
		t.Errorf("%v", s.Setup().Rules)
	}
	d.sees("thesis")
}

// TestSimulatorBlocks: a block of the trace runs twice as fast.
func TestSimulatorBlocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.prv")
	// A counter, which is 0 at times, is not a block that begins and ends.
	counted := strings.Replace(twoTasks, "60000019:1\n", "60000019:1:42000050:77\n", 1)
	counted = strings.Replace(counted, "60000019:0\n", "60000019:0:42000050:0\n", 1)
	if err := os.WriteFile(path, []byte(counted), 0o644); err != nil {
		t.Fatal(err)
	}
	pcf :=
		"EVENT_TYPE\n9    60000019    User function\nVALUES\n0   End\n1   solve\nEVENT_TYPE\n7    42000050    " +
			"PAPI_TOT_INS\n"
	if err := os.WriteFile(strings.TrimSuffix(path, "prv")+"pcf", []byte(pcf), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 110, 40, Options{Paths: []string{path}})
	d.press("s")
	s := d.simulator().Of(d.m.Focused().Trace)
	d.command("sim-page Blocks")
	d.sees("solve", "29 us")
	d.misses("PAPI_TOT_INS")
	d.press("+")
	d.fire()
	// 1 us, then 9 / 2 us, send; then 20 / 2 us: 15.5 us; the second task gets its message at 5.5 us and ends at 20.5
	// us.
	if shown(s).Result.Total != 20500 {
		t.Errorf("predicted %d", shown(s).Result.Total)
	}
	d.sees("ideal: solve 2x faster", "Block solve")
	d.press("r")
	if shown(s).Result.Total != 30000 || len(s.Setup().Machine.Modules) != 0 {
		t.Errorf("reset: %d, %v", shown(s).Result.Total, s.Setup().Machine.Modules)
	}
	// As 4 threads, which get CPUs: 1 us, then 9 / 4 us, send; the second task computes for 5 us and, with the message
	// of 3.25 us, for another 15.
	d.press("right", "4", "enter")
	d.fire()
	d.sees("CPUs per node: 4", "split 60000019:1=4")
	if shown(s).Result.Total != 20000 {
		t.Errorf("as 4 threads: %d", shown(s).Result.Total)
	}
	d.press("right")
	d.press("3", "u", "s", "enter") // which the message is sent later: at 6.25 us
	d.fire()
	d.sees("Fork of block solve", "split 60000019:1=4,3 us")
	if shown(s).Result.Total != 21250 {
		t.Errorf("with a fork of 3 us: %d", shown(s).Result.Total)
	}
	change(d, "machine-set cpus 2")
	d.sees("split over 4 threads, but node 1 has 2 CPUs")
	d.press("u", "u", "u")
	d.fire()
	if shown(s).Result.Total != 30000 || s.Setup().Machine.Modules != nil {
		t.Errorf("undone: %d, %v", shown(s).Result.Total, s.Setup().Machine.Modules)
	}
}

// TestSimulatorRuns: runs of the history are revisited, named, compared.
func TestSimulatorRuns(t *testing.T) {
	d, s := onSimulator(t, 120, 40, twoTasks)
	for _, v := range []string{"1us", "2us", "3us", "4us", "5us", "6us"} {
		d.command("machine-set latency " + v)
		d.fire()
	}
	if len(s.History().Runs()) != 7 {
		t.Fatalf("%d runs", len(s.History().Runs()))
	}
	kept := 0
	for _, r := range s.History().Runs() {
		if r.Trace != nil {
			kept++
		}
	}
	if kept != 4 {
		t.Errorf("%d traces are remembered", kept)
	}
	d.press("H")
	d.sees("ideal: latency 6 us", "ideal: latency 1 us", "computing")
	d.press("c") // mark run 7
	d.press("end")
	d.press("n")
	d.typed("as bought")
	d.press("enter")
	d.sees("as bought", "marked", "against run 7  latency 0 s")
	d.press("C")
	d.sees("Run 1 against run 7", "total", "all threads: Running")
	d.sees("0 s            6 us") // for both
	d.press("esc")
	d.press("enter")
	d.fire() // its trace was forgotten
	if shown(s) != s.History().Runs()[0] || shown(s).Trace == nil || s.Setup().Machine.Nodes[0].Latency != 0 {
		t.Errorf("run %d is shown", shown(s).Number)
	}
	d.press("x")
	d.sees("this is the run that is shown")
	d.press("up", "x")
	if len(s.History().Runs()) != 6 || s.History().Runs()[1].Number != 3 {
		t.Errorf("%d runs", len(s.History().Runs()))
	}
}

// TestSimulatorSaves: machine and predicted trace are saved to files, and read back.
func TestSimulatorSaves(t *testing.T) {
	d, s := onSimulator(t, 120, 40, twoTasks)
	d.command("machine-set latency 5us")
	d.command("machine-set eager-limit 64K")
	d.fire()
	total := shown(s).Result.Total
	base := filepath.Join(t.TempDir(), "run")
	d.command("save-prediction " + base)
	d.sees("machine saved as", "run.prv")
	got, err := prv.Open(context.Background(), base+".prv", prv.Options{Strict: true})
	if err != nil || got.Duration != total {
		t.Fatalf("%v; the trace takes %d", err, got.Duration)
	}
	d.command("simulate ideal")
	d.fire()
	d.command("simulate " + base + ".cfg")
	if shown(s).Result.Total != total || s.Setup().Machine.EagerLimit != 65536 {
		d.fire()
	}
	if shown(s).Result.Total != total || s.Setup().Machine.EagerLimit != 65536 || s.Setup().BaseName != "run.cfg" {
		t.Errorf("predicted %d on %s", shown(s).Result.Total, s.Setup().BaseName)
	}
	// A kept prediction is independent: it can be simulated, on the same machine with the same result.
	kept := s.Predicted()
	d.press("P")
	d.command("machine-set latency 50us")
	d.fire()
	if len(d.m.Windows) != 3 || kept.PredictedFrom != nil || s.Predicted() == kept {
		t.Errorf("%d windows", len(d.m.Windows))
	}
	d.command("save-prediction " + filepath.Join(filepath.Dir(base), "no", "such"))
	d.sees("the run was not saved")
}

// TestSimulatorMouse: fields, pages and runs are clicked.
func TestSimulatorMouse(t *testing.T) {
	d, s := onSimulator(t, 100, 40, twoTasks)
	find := func(text string) (x, y int) {
		for y, line := range d.screen() {
			if i := strings.Index(line, text); i >= 0 {
				return len([]rune(line[:i])), y
			}
		}
		t.Fatalf("%q is not on the screen", text)
		return 0, 0
	}
	click := func(text string) {
		x, y := find(text)
		d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		d.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	click("Buses ")
	if s.Parameter().Name != "buses" {
		t.Errorf("%s", s.Parameter().Name)
	}
	click("Buses ")
	if _, ok := d.m.dialogs.Top().(*dialog.Prompt); !ok {
		t.Fatal("a second click does not ask for a value")
	}
	d.press("1", "enter")
	d.fire()
	if s.Setup().Machine.Clusters[0].Buses != 1 {
		t.Error("one bus")
	}
	click("Runs")
	if s.Page() != "Runs" {
		t.Errorf("page %s", s.Page())
	}
	click("1  ideal ")
	if shown(s) != s.History().Runs()[0] {
		t.Error("a click on a run does not go back to it")
	}
	x, y := find("2  ideal")
	d.send(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	if runs := s.History().Runs(); s.Run() != runs[len(runs)-1] {
		t.Error("the wheel does not move")
	}
}

// TestSimulatorSession: a session restores the machine and the history, and predicts again.
func TestSimulatorSession(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.prv")
	if err := os.WriteFile(path, []byte(twoTasks), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 110, 40, Options{Paths: []string{path}})
	d.press("s")
	d.command("machine-set latency 5us")
	d.fire()
	d.command("name-run slow")
	d.command("machine-set bandwidth 100MB/s")
	d.fire()
	d.command("sim-page Model")
	d.press("down", "space") // the first rule
	d.fire()
	before := d.simulator().Of(d.m.Focused().Trace)
	session := filepath.Join(dir, "s.session.json")
	d.command("save-session " + session)

	e := drive(t, 110, 40, Options{Session: session})
	s := e.simulator().Of(e.m.Focused().Trace)
	if s == nil || len(e.m.Traces) != 2 || len(e.m.Windows) != 2 {
		t.Fatalf("%d traces, %d windows; %s", len(e.m.Traces), len(e.m.Windows), e.m.scene.Messages.Text)
	}
	if !s.Setup().Equal(before.Setup().Scenario) || !s.Setup().Base.Equal(before.Setup().Base) ||
		s.Setup().Rules == (sim.Rules{}) || shown(s) == nil || shown(s).Result.Total != shown(before).Result.Total {
		t.Errorf("%+v\nis not\n%+v", s.Setup(), before.Setup())
	}
	e.sees("Predicted", "receiver-latency")
	if len(s.History().Runs()) != len(before.History().Runs()) || s.History().Runs()[1].Title() != "slow" ||
		shown(s).Number != shown(before).Number {
		t.Errorf("%d runs, not %d; run %d is shown", len(s.History().Runs()), len(before.History().Runs()),
			shown(s).Number)
	}
	// An impossible machine is reported, and the rest of the session is restored.
	text, _ := os.ReadFile(session)
	bad := strings.ReplaceAll(string(text), `"CPUs": 1`, `"CPUs": -1`)
	if bad == string(text) {
		t.Fatal("the test does not find what to spoil")
	}
	if err := os.WriteFile(session, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	e = drive(t, 110, 40, Options{Session: session})
	if s := e.simulator().Of(e.m.Focused().Trace); s == nil || len(s.History().Runs()) != 1 ||
		!s.Setup().Equal(s.Setup().Base) {
		t.Error("an impossible machine is taken; the pane starts with an ideal one")
	}
	e.sees("is not restored")
}

// TestSimulatorDistribution: a parameter takes a distribution, which is shown, halved, listed in the history, and
// replaced by a value.
func TestSimulatorDistribution(t *testing.T) {
	d, s := onSimulator(t, 110, 40, twoTasks)
	d.command("machine-set latency normal(40us, 4us)")
	d.fire()
	d.sees("normal(40 us, 4 us)")
	if s.Err() != nil || len(s.Setup().Machine.Random) != 1 || s.Setup().Machine.Nodes[0].Latency != 40_000 {
		t.Fatalf("%v, %v", s.Err(), s.Setup().Machine.Random)
	}
	d.command("machine-set seed 5")
	d.fire()
	if s.Setup().Machine.Seed != 5 {
		t.Errorf("seed %d", s.Setup().Machine.Seed)
	}
	latency := parameter.ByName("latency")
	if got := scenario.Changes(s.Setup().Base, s.Setup().Scenario, nil); !slices.Contains(got,
		"latency normal(40 us, 4 us)") {
		t.Errorf("differences: %v", got)
	}
	for s.Parameter() == nil || s.Parameter().Name != "latency" {
		d.press("down")
	}
	d.press("-")
	if v, _ := latency.Setting(s.Setup().Machine); latency.FormatSetting(v) != "normal(20 us, 2 us)" {
		t.Errorf("halved: %s", latency.FormatSetting(v))
	}
	d.command("machine-set latency poisson(3us)")
	d.sees(`there is no distribution "poisson"`)
	d.press("esc", "r")
	// the seed is that of the first run only if something is random
	if d.fire(); !s.Setup().Equal(s.Setup().Base) || shown(s).Number != 1 {
		d.command("machine-set seed 0")
		d.fire()
		if s.Setup().Machine.Random != nil || shown(s).Number != 1 {
			t.Errorf("reset: %v, run %d", s.Setup().Machine.Random, shown(s).Number)
		}
	}
	d.command("machine-set latency 5us")
	if len(s.Setup().Machine.Random) != 0 {
		t.Errorf("a value does not take the place of the distribution: %v, latency %g", s.Setup().Machine.Random,
			s.Setup().Machine.Nodes[0].Latency)
	}
}

// TestSimulatorOnEpoch: a published run on 8 processes; its prediction on an ideal network is that of Dimemas 5.5.0, to
// the nanosecond. Latency and bandwidth are doubled and halved, buses limited, and all of it undone.
func TestSimulatorOnEpoch(t *testing.T) {
	path := prvtest.Shared(t, "traces", "epoch", "epoch_8proc.prv.gz")
	d := drive(t, 200, 60, Options{Paths: []string{path}})
	d.press("s")
	s := d.simulator().Of(d.m.Focused().Trace)
	if s == nil || shown(s) == nil || shown(s).Result.Total != 3_484_611_417 {
		t.Fatalf("%+v", s)
	}
	d.sees("Predicted 3.485 s", "computing 96.5 %") // Running, as in pview sim; 0.09 % I/O is the tracer's
	last := int64(0)
	slower := func(what string) {
		t.Helper()
		d.fire()
		if total := shown(s).Result.Total; total <= last {
			t.Errorf("%s: %d ns, not more than %d", what, total, last)
		}
		last = shown(s).Result.Total
	}
	d.command("machine-set latency 10us")
	slower("a latency of 10 us")
	d.press("+")
	slower("of 20 us")
	d.command("machine-set bandwidth 200MB/s")
	slower("200 MB/s")
	d.press("down", "-")
	slower("100 MB/s")
	d.press("down", "1", "enter")
	slower("one bus")
	want := expect(t, s, "latency", "20us", "bandwidth", "100MB/s", "buses", "1")
	if shown(s).Result.Total != want.Total || shown(s).Result.Total != s.Predicted().Data.Duration {
		t.Errorf("predicted %d, not %d", shown(s).Result.Total, want.Total)
	}
	for range 5 {
		d.press("u")
		d.fire()
	}
	if shown(s).Result.Total != 3_484_611_417 {
		t.Errorf("undone: %d", shown(s).Result.Total)
	}
}

// TestSimulatorSizes: every page can be used on every screen.
func TestSimulatorSizes(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 30}, {300, 100}} {
		d, s := onSimulator(t, size[0], size[1], twoTasks)
		for range 8 {
			for _, k := range []string{"down", "right", "end", "home", "pgdown", "pgup", "left", "up"} {
				d.press(k)
			}
			d.sees(s.Page())
			d.press("tab")
		}
		if title := d.m.panes.current().Title(); title != study.Title {
			t.Errorf("the page after the last is %s", title)
		}
	}
}

// TestSimulatorProblem: e shows what does not fit into a small pane.
func TestSimulatorProblem(t *testing.T) {
	// Each task waits for a message that the other sends only afterwards.
	d, s := onSimulator(t, 60, 20, `#Paraver (01/01/2026 at 10:00):40000_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
1:1:1:1:1:0:10000:1
2:1:1:1:1:10000:50000001:2
2:1:1:1:1:20000:50000001:0:50000001:1
3:1:1:1:1:20000:20000:2:1:2:1:10000:30000:8:7
2:1:1:1:1:21000:50000001:0
1:2:1:2:1:0:10000:1
2:2:1:2:1:10000:50000001:2
2:2:1:2:1:30000:50000001:0:50000001:1
3:2:1:2:1:30000:30000:1:1:1:1:10000:20000:8:7
2:2:1:2:1:31000:50000001:0
`)
	if s.Err() == nil {
		t.Fatalf("predicted %+v", shown(s))
	}
	d.sees("deadlock", "e shows all")
	d.press("e")
	d.sees("About the simulation", "thread 1.1.1 waits", "thread 1.2.1 waits", "which has not sent it")
}

// A prediction that stays when its measured run is closed is simulated only on request.
func TestSimulatorLeavesPredictionsAlone(t *testing.T) {
	d := onTrace(t, 110, 40, twoTasks)
	d.press("s")
	d.fire()
	measured := d.m.Focused().Trace
	d.press("esc")
	d.command("close-trace")
	v := d.m.Focused()
	if v == nil || v.Trace == measured || !v.Trace.Predicted {
		t.Fatalf("the window in focus is %+v", v)
	}
	if d.simulator().Of(v.Trace) != nil {
		t.Error("the prediction is simulated")
	}
	if v.End != v.Trace.Data.Duration {
		t.Errorf("the window ends at %d, the run at %d", v.End, v.Trace.Data.Duration)
	}
	d.sees("This is a prediction", "s simulates the prediction itself")
	d.press("s")
	if d.simulator().Of(v.Trace) == nil {
		t.Error("s does not simulate the prediction")
	}
}

// A state with one name and different colours in the measured and the predicted trace is in the legend twice:
// "Synchronization" of the simulator is waiting for a CPU.
func TestLegendOfBothRuns(t *testing.T) {
	d := drive(t, 200, 60, Options{Paths: []string{filepath.Join("..", "testdata", "traces", "hybrid_4x4",
		"hybrid_4x4.prv.gz")}})
	d.press("s")
	d.fire()
	d.sees("Synchronization", "Synchronization (predicted)")
}

// TestSimulatorSaysItsAccuracy: eight ranks of heat2d shared two CPUs, so that the replay on the fitted machine is far
// off; a small screen shows the figure, a larger one also the calls, and the key shows everything.
func TestSimulatorSaysItsAccuracy(t *testing.T) {
	d := drive(t, 120, 44, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.press("s")
	d.sees("replay -52.6 %", "The replay on the fitted machine (", "node 1 ran 4 threads on 2 CPUs")
	d.resize(80, 24)
	d.sees("replay -52.6 %")
	d.press("e")
	d.sees("MPI_Waitall       point-to-point   72.94 ms    8.794 ms     -40.7 %", "the rest", "the run")
}

// On 80 columns the explanation of a field is whole, on two lines.
func TestFieldProseIsWhole(t *testing.T) {
	d, _ := onSimulator(t, 80, 24, twoTasks)
	d.sees("latency  0 s  what each message between nodes costs its sender and its",
		" receiver, on their CPUs; ideal: 0 s")
	if screen := strings.Join(d.screen(), "\n"); strings.Contains(screen, "receiver, o…") {
		t.Errorf("the explanation is cut:\n%s", screen)
	}
}
