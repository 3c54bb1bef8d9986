package tui

import (
	"path/filepath"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/quantity"
	"pview/semantic"
	"pview/semantic/series"
)

// startWith opens a trace with defaults; no key is pressed.
func startWith(t *testing.T, text string, defaults Defaults) *driver {
	t.Helper()
	return drive(t, 120, 30, Options{Demo: func() (*prv.Trace, error) {
		return traceOf(t, text), nil
	}, Defaults: defaults})
}

// A trace opens with the view and the draw mode of the defaults, and there is nothing to undo.
func TestDefaultViewAndDrawMode(t *testing.T) {
	d := startWith(t, traceA, Defaults{View: "Parallelism", Draw: "Average"})
	w := d.m.Focused()
	if w.Title() != "Parallelism" || w.Modes().Time != series.Average || !w.Drawing.Given.Time {
		t.Errorf("opened with %q, %v", w.Title(), w.Modes().Time)
	}
	if len(w.History.Past) != 0 {
		t.Error("the default view can be undone")
	}
	d.sees("Parallelism")
}

// A trace without the default view opens as usual and says so; so does one without defaults, or with "auto".
func TestDefaultViewThatATraceLacks(t *testing.T) {
	usual := startWith(t, traceA, Defaults{}).m.Focused()
	auto := startWith(t, traceA, Defaults{Theme: Auto, View: Auto, Draw: Auto}).m.Focused()
	d := startWith(t, traceA, Defaults{View: "Clusters"})
	if w := d.m.Focused(); !w.Sem.Equal(&usual.Sem) || !auto.Setup.Equal(&usual.Setup) {
		t.Errorf("opened with %q and %q, usually %q", w.Title(), auto.Title(), usual.Title())
	}
	d.sees("this trace does not have the default view Clusters")
}

// dark and light set the background; calm and paraver set the colours of the data, on the current background.
func TestDefaultTheme(t *testing.T) {
	for theme, want := range map[string]struct{ dark, paraver bool }{
		"": {true, false}, "auto": {true, false}, "dark": {true, false}, "light": {false, false}, "calm": {true, false},
		"paraver": {true, true},
	} {
		d := startWith(t, traceA, Defaults{Theme: theme})
		if d.m.dark != want.dark || d.m.paraver != want.paraver || d.m.Traces[0].Paraver != want.paraver {
			t.Errorf("theme %q: dark %v, paraver %v", theme, d.m.dark, d.m.paraver)
		}
	}
	m := New(Options{Defaults: Defaults{Theme: "light"}})
	defer m.shut()
	if m.asks.background || m.dark {
		t.Error("the terminal may overrule the theme light")
	}
}

// The unit of times applies to the axis, to texts, and to durations in a new window; :units changes it.
func TestUnits(t *testing.T) {
	t.Cleanup(func() {
		if err := quantity.UseTimeUnit(Auto); err != nil {
			t.Error(err)
		}
	})
	if err := quantity.UseTimeUnit("ns"); err != nil {
		t.Fatal(err)
	}
	d := startWith(t, traceA, Defaults{})
	if unit := d.m.Focused().Sem.Unit; unit != semantic.Nanoseconds {
		t.Errorf("the window counts durations in %v", unit)
	}
	d.sees("0 ns")
	d.misses(" us ", " ms ")
	d.command("units ms")
	d.sees("0 ms")
	d.misses(" ns ")
	d.command("units parsec")
	d.sees("none of: auto, ns, us, ms, s")
}

// A session shows its saved state, whatever the defaults are.
func TestDefaultsLeaveSessionsAlone(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	path := filepath.Join(t.TempDir(), "kept"+SessionExt)
	d.command("save-session " + path)
	want := d.m.Focused().Setup
	tr := traceOf(t, traceA)
	d = drive(t, 120, 30, Options{Session: path, Demo: func() (*prv.Trace, error) {
		return tr, nil
	}, Defaults: Defaults{View: "Parallelism", Draw: "Average"}})
	if w := d.m.Focused(); w == nil || !w.Setup.Equal(&want) {
		t.Error("the session does not open as it was saved")
	}
}

// So does a .cfg file.
func TestDefaultsLeaveCfgFilesAlone(t *testing.T) {
	tr := traceOf(t, traceA)
	demo := func() (*prv.Trace, error) { return tr, nil }
	d := drive(t, 120, 30, Options{Demo: demo})
	path := filepath.Join(t.TempDir(), "kept.cfg")
	d.command("save-cfg " + path)
	plain := drive(t, 120, 30, Options{Cfgs: []string{path}, Demo: demo})
	d = drive(t, 120, 30, Options{Cfgs: []string{path}, Demo: demo,
		Defaults: Defaults{View: "Parallelism", Draw: "Average"}})
	sameWindows(t, plain, d)
	if got, want := d.m.Focused(), plain.m.Focused(); got.Modes() != want.Modes() || got.Title() != want.Title() {
		t.Errorf("the file opens as %q, %v; want %q, %v", got.Title(), got.Modes(), want.Title(), want.Modes())
	}
}

// The names of the settings equal those of the menus.
func TestNamesOfDefaults(t *testing.T) {
	for name, list := range map[string][]string{"light": ThemeNames(), "MPI call": ViewNames(),
		"Maximum": DrawModeNames()} {
		if !slices.Contains(list, name) {
			t.Errorf("%q is not among %q", name, list)
		}
	}
}

// A session restores the focus, in a pane or in a window.
func TestSessionsKeepTheFocus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept"+SessionExt)
	tr := traceOf(t, traceA)
	for _, key := range []string{"", "esc"} {
		d := onTrace(t, 120, 40, traceA)
		d.press("a")
		if key != "" {
			d.press(key)
		}
		d.command("save-session " + path)
		e := drive(t, 120, 40, Options{Session: path, Demo: func() (*prv.Trace, error) { return tr, nil }})
		if !d.m.panes.open || d.m.PaneFocus != (key == "") {
			t.Fatalf("after %q the pane is open: %v, with the focus: %v", key, d.m.panes.open, d.m.PaneFocus)
		}
		if e.m.panes.open != d.m.panes.open || e.m.PaneFocus != d.m.PaneFocus {
			t.Errorf("after %q the pane is open: %v, with the focus: %v", key, e.m.panes.open, e.m.PaneFocus)
		}
	}
}
