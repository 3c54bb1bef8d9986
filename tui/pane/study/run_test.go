package study

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv/demo"
	"pview/render/timeline"
	"pview/sim"
	"pview/sim/scenario"
	"pview/sim/study"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// onScene returns a pane on a scene with the demo trace, whose Simulator has an ideal machine.
func onScene(t testing.TB) (*Pane, *session) {
	t.Helper()
	tr, err := demo.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	program, err := scenario.FromTrace(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	base := scenario.Scenario{Machine: sim.IdealFor(program.Program)}
	measured := timeline.NewTrace(1, tr)
	sc := &pane.Scene{Dialogs: &dialog.Host{}, View: &timeline.View{Trace: measured},
		Traces: []*timeline.Trace{measured}}
	sc.Context, sc.Gen = t.Context(), new(int)
	sc.KeysOf = func(name string) string { return name }
	sc.Simulation = func(*timeline.Trace) (*scenario.Program, scenario.Setup, error) {
		return program, scenario.Setup{Scenario: base, Base: base, BaseName: "ideal"}, nil
	}
	p := New(sc)
	s := p.current()
	if !s.adopt(sc) {
		t.Fatal("no program")
	}
	if err := s.setVariable("latency=uniform(1us,50us)"); err != nil {
		t.Fatal(err)
	}
	return p, s
}

// A paused study makes no progress; it resumes where it was, and a stopped one keeps its runs.
func TestPauseAndStop(t *testing.T) {
	p, s := onScene(t)
	s.def.Runs = 60
	run := p.Update(p.start(s)()) // planned, and about to run
	if run == nil || !p.Busy() {
		t.Fatal("the study does not run", s.err)
	}
	p.pause(s)
	if p.Busy() || !s.state.Paused || !strings.Contains(s.progress(), "paused") {
		t.Errorf("%+v, %s", s.state, s.progress())
	}
	done := make(chan tea.Msg)
	go func() { done <- run() }()
	select {
	case <-done:
		t.Fatal("a paused study ended")
	default:
	}
	p.pause(s)
	for s.runs() < 5 { // in the background
		p.Sync()
	}
	if !p.Cancel() || p.Busy() {
		t.Error("it does not stop")
	}
	kept := s.runs()
	p.Update(<-done)
	if s.runs() < kept || s.err != nil {
		t.Errorf("%d runs of %d are left: %v", s.runs(), kept, s.err)
	}
	before := slices.Clone(s.table.Rows) // runs end in any order: run 0 may be missing
	again := p.Update(p.start(s)())
	p.Update(again())
	if s.runs() != 60 || s.cancel != nil {
		t.Errorf("%d runs, cancelled: %v", s.runs(), s.cancel != nil)
	}
	for _, row := range before {
		if s.table.Rows[row.Index].Wall != row.Wall {
			t.Errorf("run %d was made again", row.Index)
		}
	}
}

// The table has the run in progress: it can be killed, repeated, and suspended.
func TestRunsOnWorkers(t *testing.T) {
	p, s := onScene(t)
	p.pages.At = pageRuns
	p.start(s)
	release := make(chan struct{})
	run := p.Update(plannedMsg{of: s, gen: s.gen, keep: &keeper{}, plan: &study.Plan{
		Kind: "test", Key: "test", Inputs: []study.Column{{Name: "x"}}, Outputs: []study.Column{{Name: "y"}},
		Design: study.FixedDesign(3, func(i int) (study.Draw, error) {
			return study.Draw{Inputs: []float64{float64(10 * i)}}, nil
		}),
		Solve: func(ctx context.Context, r *study.Row, hold func()) ([]float64, error) {
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			hold()
			return []float64{1}, ctx.Err()
		},
	}})
	s.runner.SetWorkers(1)
	done := make(chan tea.Msg)
	go func() { done <- run() }()
	goesOn := func(want int) {
		t.Helper()
		for p.Sync(); len(s.live) != 1; p.Sync() { // in the background
			runtime.Gosched()
		}
		p.move(s, 0, -s.listed())
		if r, at := s.tableRow(0); s.at != want || r.Index != want || at >= 0 || r.Inputs[0] != float64(10*want) {
			t.Fatalf("run %d is chosen, %+v goes on, not run %d", s.at, r, want)
		}
	}
	goesOn(0)
	p.onLive(p.kill)("")
	if r := s.row(); r == nil || r.Status != study.Killed || s.runs() != 1 {
		t.Fatalf("%+v", r)
	}
	p.restart(s)
	if s.row() != nil || s.runs() != 0 {
		t.Error("the run that was killed is still in the table")
	}
	goesOn(1)
	p.onLive(p.hold)("")
	if r, _ := s.tableRow(0); r.Reason != "suspended" {
		t.Errorf("%+v", r)
	}
	close(release)
	if s.runs() != 0 {
		t.Error("a suspended run ended")
	}
	p.onLive(p.hold)("")
	p.Update(<-done)
	for _, r := range s.table.Rows {
		if r.Status != study.Done {
			t.Errorf("%+v", r)
		}
	}
	if s.runs() != 3 || len(s.live) > 0 {
		t.Errorf("%d runs, %v go on", s.runs(), s.live)
	}
}

// Once the study has ended, a failed run can be repeated, and no other.
func TestRestartWhenDone(t *testing.T) {
	p, s := onScene(t)
	s.def.Runs, s.def.Store = 5, t.TempDir()
	p.Update(p.Update(p.start(s)())())
	s.table.Rows[3].Status, s.at = study.Failed, 3
	before := slices.Clone(s.table.Rows)
	p.Update(p.Update(p.restart(s)())())
	if s.runs() != 5 || s.err != nil {
		t.Fatal(s.runs(), s.err)
	}
	for i, r := range s.table.Rows {
		if again := r.Wall != before[i].Wall; r.Status != study.Done || again != (i == 3) {
			t.Errorf("run %d: %v, made again: %v", i, r.Status, again)
		}
	}
}

// The number of workers is the only line that can be changed while the study runs; it takes effect immediately.
func TestWorkersOfThePane(t *testing.T) {
	p, s := onScene(t)
	s.def.Runs, s.def.Workers = 20_000, 3
	run := p.Update(p.start(s)())
	done := make(chan tea.Msg)
	go func() { done <- run() }()
	for s.runner.Progress().Running < 3 { // in the background
		runtime.Gosched()
	}
	for i := range settings {
		p.setup.Choose(len(s.def.Variables) + 1 + i)
		p.editLine(s)
		line, ok := p.sc.Dialogs.Top().(*dialog.Prompt)
		if ok != (settings[i].name == workersSetting) {
			t.Fatalf("%s can be changed: %v", settings[i].name, ok)
		}
		if !ok {
			continue
		}
		line.Accept("many")
		if s.def.Workers != 3 {
			t.Error(s.def.Workers)
		}
		line.Accept("1")
		if n := s.runner.Progress().Running; n > 1 || s.def.Workers != 1 {
			t.Errorf("%d runs at once, of %d", n, s.def.Workers)
		}
		p.sc.Dialogs.Close()
	}
	p.Cancel()
	<-done
}

// Another study with the same definition gets the runs of a study with a store; studies with other definitions do not.
func TestStoreOfThePane(t *testing.T) {
	dir := t.TempDir()
	fiveRuns := func() (*Pane, *session) {
		p, s := onScene(t)
		s.def.Runs, s.def.Store = 5, dir
		return p, s
	}
	p, s := fiveRuns()
	p.Update(p.Update(p.start(s)())())
	if s.runs() != 5 || s.err != nil {
		t.Fatal(s.runs(), s.err)
	}
	q, r := fiveRuns()
	q.Update(q.Update(q.start(r)())())
	if r.runs() != 5 || r.table.Rows[3].Wall != s.table.Rows[3].Wall {
		t.Error("the runs were made again")
	}
	other, o := fiveRuns()
	o.def.Seed = 2
	if other.Update(other.start(o)()); o.err == nil || !strings.Contains(o.err.Error(), "another study") ||
		o.cancel != nil {
		t.Error(o.err)
	}
}

// POP factors and cells of pview stat are outputs, as on the command line; an unreadable configuration is refused.
func TestOutputsOfThePane(t *testing.T) {
	p, s := onScene(t)
	k := slices.IndexFunc(settings, func(st setting) bool { return st.name == "outputs" })
	file := filepath.Join("..", "..", "..", "testdata", "oracle", "paraver", "cfgs", "histo_cpu_time.cfg")
	if err := settings[k].set(&s.def, "total, pop:load-balance, running="+file+";CPU 1.1;Running"); err != nil {
		t.Fatal(err)
	}
	s.def.Runs = 2
	p.Update(p.Update(p.start(s)())())
	if s.err != nil || s.runs() != 2 {
		t.Fatal(s.runs(), s.err)
	}
	for i := range s.table.Rows {
		r := &s.table.Rows[i]
		// ns, percent, us
		if r.Status != study.Done || !(r.Outputs[1] > 0 && r.Outputs[1] <= 100) ||
			!(r.Outputs[2] > 0 && r.Outputs[2] <= r.Outputs[0]/1e3) {
			t.Errorf("run %d: %v %s %v", i, r.Status, r.Reason, r.Outputs)
		}
	}
	if s.info(2).Name != "pop:load-balance" || s.info(3).Name != "running" {
		t.Error(s.names())
	}
	for text, why := range map[string]string{"x=none.cfg;CPU 1.1;Running": "none.cfg: no such file",
		"pop:luck": "there is no output", "total, total": "named twice", " , ": "needs an output"} {
		if err := settings[k].set(&s.def, text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A plan that arrives after the study was stopped is dropped.
func TestLatePlan(t *testing.T) {
	p, s := onScene(t)
	cmd := p.start(s)
	p.Cancel()
	if msg := cmd(); p.Update(msg) != nil || s.runner != nil {
		t.Error("a study was begun that nobody waits for")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	p.sc.Context = ctx
	if cmd := p.Update(p.start(s)()); cmd != nil || s.err != nil || s.cancel != nil {
		t.Error(s.err)
	}
}
