package simulator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/sim"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
)

// oneTask computes for 40 us.
const oneTask = `#Paraver (01/01/2026 at 10:00):40000_ns:1(1):1:1(1:1),1
c:1:1:1:1
1:1:1:1:1:0:40000:1
`

// desk is the screen around a pane: a view of a trace, and the pane's requests.
type desk struct {
	t       *testing.T
	p       *Pane
	sc      *pane.Scene
	trace   *timeline.Trace
	intents []pane.Intent
}

func newDesk(t *testing.T, width, height int) *desk {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(oneTask), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trace := timeline.NewTrace(1, tr)
	view := &timeline.View{ID: 2, Trace: trace}
	sc := &pane.Scene{View: view, Views: []*timeline.View{view}, Traces: []*timeline.Trace{trace}, Width: width,
		Height: height,
		Theme:  style.NewTheme(raster.TrueColor, raster.UTF8, true, 0), Dialogs: &dialog.Host{}}
	sc.Resources = timeline.Resources{Context: t.Context(), Gen: new(int)}
	ids := 2
	sc.Shell = pane.Shell{
		DrawTabs: func(raster.Canvas) int { return 0 },
		KeysOf:   func(string) string { return "" },
		NewID:    func() int { ids++; return ids },
		After:    func(time.Duration, tea.Msg) tea.Cmd { return nil },
	}
	return &desk{t: t, p: New(sc), sc: sc, trace: trace}
}

// run runs a command to its end.
func (d *desk) run(cmd tea.Cmd) {
	if cmd != nil {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.run(d.p.Update(msg))
		}
	}
	d.intents = append(d.intents, d.sc.Intents()...)
}

// do runs an action of the pane.
func (d *desk) do(name, args string) {
	d.t.Helper()
	for a := range action.Each(action.Expand(d.p.Actions())) {
		if a.Name == name {
			d.run(a.Run(args))
			return
		}
	}
	d.t.Fatalf("there is no action %s", name)
}

// The first prediction is shown below the measured trace, the second one in its place; results of cancelled runs or
// dropped simulations are not shown.
func TestPredictions(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.do("simulate", "")
	s := d.p.Of(d.trace)
	predictions := func() (list []pane.Predict) {
		for _, i := range d.intents {
			if i, ok := i.(pane.Predict); ok {
				list = append(list, i)
			}
		}
		return list
	}
	if got := predictions(); len(got) != 1 || got[0].Before != nil || got[0].Trace != s.Predicted() ||
		got[0].Measured != d.trace || s.History().Shown().Result.Total != 40000 {
		t.Fatalf("%+v", got)
	}
	first := s.Predicted()
	s.cooling = 0 // the delay after the first run is over
	d.do("machine set", "cpu-ratio 2")
	// 40 us on a CPU that is twice as fast
	if got := predictions(); len(got) != 2 || got[1].Before != first || s.History().Shown().Result.Total != 20000 {
		t.Fatalf("%+v; %v; %+v", got, s.Err(), d.intents)
	}
	stale := d.p.start(s)
	gen := s.run.gen
	if !d.p.Busy() || !d.p.Cancel() || d.p.Busy() {
		t.Fatal("a run is not cancelled")
	}
	d.run(stale)
	d.p.simulated(simulatedMsg{s, gen, &sim.Result{Total: 1, Trace: first.Data}, nil})
	if len(predictions()) != 2 || len(s.History().Runs()) != 2 {
		t.Error("a cancelled run is shown")
	}
	d.run(d.p.start(s))
	// A prediction whose views were closed does not reappear by itself.
	d.p.Update(pane.TraceClosed{Trace: s.Predicted()})
	before := len(predictions())
	d.run(d.p.start(s))
	if s.Predicted() != nil || len(predictions()) != before {
		t.Error("a closed prediction is shown again")
	}
	d.do("simulate", "")
	if s.Predicted() == nil {
		t.Error("a closed prediction is not shown again where that is wanted")
	}
	// It becomes independent when the measured trace is closed, and late answers have no effect.
	late := d.p.start(s)
	kept := s.Predicted()
	d.p.Update(pane.TraceClosed{Trace: d.trace})
	d.run(late)
	if d.p.Of(d.trace) != nil || !slices.ContainsFunc(d.intents, func(i pane.Intent) bool {
		return i == pane.Intent(pane.Detach{Trace: kept, Name: "run 2: ideal: cpu-ratio 2"})
	}) {
		t.Errorf("%+v", d.intents)
	}
}

// The cursor of every page is in view, on every size of the pane, even before there is a program or a run.
func TestCursorInView(t *testing.T) {
	for _, size := range [][2]int{{60, 8}, {80, 12}, {120, 20}, {300, 60}} {
		d := newDesk(t, size[0], size[1])
		c := raster.NewCanvas(size[0], size[1])
		d.p.Draw(c)
		d.do("simulate", "")
		s := d.p.Of(d.trace)
		for page := range numPages {
			s.form.page = page
			for _, v := range []list.Verb{list.Down, list.Right, list.Last, list.First, list.PageDown, list.PageUp,
				list.Left, list.Up} {
				d.run(d.p.Moves()[v](""))
				d.p.Draw(c)
				f := &s.form
				if c := s.cell(); c != nil && (c.y < f.top[page] || c.y >= f.top[page]+f.body.H) {
					t.Errorf("%v: after %s the cursor is out of view on page %s", size, list.Verbs[v].Name, s.Page())
				}
			}
		}
		if err := s.history.Restore(nil, 0, nil); err != nil {
			t.Fatal(err)
		}
		s.form.page = pageRuns
		s.form.invalidate()
		d.p.Draw(c)
	}
}

// Sessions keep the format of the first version.
func TestSaved(t *testing.T) {
	d := newDesk(t, 80, 24)
	if part, err := d.p.Save(d.sc.Traces); part != nil || err != nil {
		t.Fatalf("%s, %v", part, err)
	}
	d.do("simulate", "")
	part, err := d.p.Save(d.sc.Traces)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(part, &list); err != nil || len(list) != 1 {
		t.Fatalf("%s: %v", part, err)
	}
	for _, key := range []string{"trace", "now", "loaded", "loaded_as", "page", "runs"} {
		if _, ok := list[0][key]; !ok {
			t.Errorf("%s is missing: %s", key, part)
		}
	}
	e := newDesk(t, 80, 24)
	e.run(e.p.Restore(part, 0, e.trace))
	if s := e.p.Of(e.trace); s == nil || s.History().Shown() == nil || s.History().Shown().Number != 1 ||
		len(s.History().Runs()) != 1 {
		t.Errorf("%+v", e.intents)
	}
	e = newDesk(t, 80, 24)
	e.run(e.p.Restore(part, 1, e.trace)) // of another trace
	e.run(e.p.Restore(json.RawMessage(`{}`), 0, e.trace))
	if e.p.Of(e.trace) != nil || len(e.intents) != 0 || len(e.sc.Messages.Log) != 1 {
		t.Errorf("%+v %+v", e.intents, e.sc.Messages)
	}
}

// Groups of 3, 2 and 2 lines at most 4 high need two columns (3; 2 + 2), at most 3 high three.
func TestStack(t *testing.T) {
	list := []group{{fields: make([]*field, 2)}, {fields: make([]*field, 1)}, {fields: make([]*field, 1)}}
	var places [][2]int
	place := func(_ *group, col, y int) { places = append(places, [2]int{col, y}) }
	if n := stack(list, 4, place); n != 2 || !slices.Equal(places, [][2]int{{0, 0}, {1, 0}, {1, 2}}) {
		t.Errorf("%d columns: %v", n, places)
	}
	if n := stack(list, 3, place); n != 3 {
		t.Errorf("%d columns", n)
	}
}
