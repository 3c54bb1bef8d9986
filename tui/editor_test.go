package tui

import (
	"path/filepath"
	"slices"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/tui/pane/editor"
)

// onField moves the editor to the field of a name.
func (d *driver) onField(label string) {
	d.t.Helper()
	e, ok := d.m.dialogs.Top().(*editor.Editor)
	if !ok {
		d.t.Fatalf("the editor is not open: %T", d.m.dialogs.Top())
	}
	at := slices.Index(e.Fields(), label)
	if at < 0 {
		d.t.Fatalf("there is no field %q", label)
	}
	d.press("home")
	for i := 0; e.At() < at && i < 200; i++ {
		d.press("down")
	}
	if e.At() != at {
		d.t.Fatalf("the field %q is not reached", label)
	}
}

func (d *driver) replaced(text string) {
	d.t.Helper()
	d.press("ctrl+u")
	d.typed(text)
	d.press("enter")
}

// The window follows every change; Esc reverts them, P keeps them as one step to undo.
func TestEditor(t *testing.T) {
	d := onTrace(t, 100, 40, traceA)
	before := d.m.Focused().Setup
	edit := func() {
		d.press("P")
		d.sees("Edit: ", "thread function", "State As Is", "event type")
		d.onField("thread function")
		d.press("enter", "/")
		d.typed("last evt val")
		if got := d.m.Focused().Sem.Functions[prv.LevelThread].Name; got != "Last Evt Val" {
			t.Errorf("the window does not show what the cursor of the list is on, but %s", got)
		}
		d.press("enter")
		d.onField("event type")
		d.press("enter", "/")
		d.typed("40")
		d.press("tab", "enter")
		d.onField("compose on top 1")
		d.press("enter", "/")
		d.typed("Select Range")
		d.press("enter")
		d.onField("  max value")
		d.press("enter")
		d.replaced("3")
		d.onField("  min value")
		d.press("enter")
		d.replaced("2")
	}
	edit()
	w := d.m.Focused()
	if f := &w.Sem.Filter.Events.Type; f.Func != filter.Equal || !slices.Equal(f.Values, []float64{40}) {
		t.Errorf("event types: %+v", f)
	}
	for at, want := range map[int64]float64{15: 0, 22: 2, 27: 0, 70: 3, 85: 0} {
		if _, _, v, ok := w.Burst(0, at); !ok || v != want {
			t.Errorf("at %d: %v %v, want %v", at, v, ok, want)
		}
	}
	d.press("esc")
	if !w.Setup.Equal(&before) || d.m.dialogs.Top() != nil {
		t.Errorf("Esc does not bring back what was: %+v", w.Sem)
	}
	edit()
	after := w.Setup
	d.press("P")
	if !w.Setup.Equal(&after) || d.m.dialogs.Top() != nil {
		t.Error("P does not keep the changes")
	}
	d.press("u")
	if !w.Setup.Equal(&before) {
		t.Error("the changes are not undone at once")
	}
	d.press("ctrl+r")
	if !w.Setup.Equal(&after) {
		t.Error("the changes are not made again at once")
	}
}

// Leaving a list or a line with Esc leaves the field unchanged; wrong input is reported.
func TestEditorFields(t *testing.T) {
	d := onTrace(t, 100, 40, traceA)
	w := d.m.Focused()
	d.press("P")
	d.onField("thread function")
	d.press("enter", "down", "down", "esc")
	if got := w.Sem.Functions[prv.LevelThread].Name; got != "State As Is" {
		t.Errorf("after Esc in the list the window shows %s", got)
	}
	d.onField("level")
	d.press("right")
	if w.Sem.Level != prv.LevelTask {
		t.Errorf("right of thread is %s", w.Sem.Level)
	}
	d.sees("task function", "compose task")
	d.press("left")
	d.onField("message size")
	d.press("enter")
	d.replaced(">2000")
	if c := w.Sem.Filter.Comms.Size; c.Func != filter.Greater || c.Values[0] != 2000 {
		t.Errorf("size: %+v", c)
	}
	d.press("enter")
	d.replaced("x")
	d.sees("not a number")
	if c := w.Sem.Filter.Comms.Size; c.Func != filter.Greater {
		t.Errorf("after wrong input: %+v", c)
	}
	d.press("esc")
	d.onField("logical messages")
	d.press("space")
	if w.Sem.Filter.Comms.Logical {
		t.Error("logical messages are still on")
	}
	d.onField("event value")
	d.press("right")
	if f := w.Sem.Filter.Events.Value.Func; f == filter.All {
		t.Error("right does not change the function of a criterion")
	}
}

// Every field of every kind of window can be opened, stepped and left, at every size.
func TestEveryFieldOfTheEditor(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d := onTrace(t, size[0], size[1], traceA)
		d.press("ctrl+t")
		d.command("level node")
		d.press("ctrl+t")
		d.command("derive 1 controlled: average 2")
		for i := range d.m.Windows {
			d.m.Focus = i
			d.press("P")
			e := d.m.dialogs.Top().(*editor.Editor)
			for range len(e.Fields()) + 3 {
				d.press("enter")
				d.checkSize(size[0], size[1], "field")
				if e.Inner() != nil {
					d.press("down")
					d.checkSize(size[0], size[1], "field")
					d.press("esc")
				}
				d.press("right", "left", "down")
				d.checkSize(size[0], size[1], "editor")
			}
			d.press("esc")
		}
	}
}

func TestDerive(t *testing.T) {
	d := onTrace(t, 100, 50, traceA)
	d.press("ctrl+t")
	d.command("function Useful")
	d.command("derive 1 add 2")
	w := d.m.Focused()
	if w.Sem.Derived == nil || len(d.m.Windows) != 3 {
		t.Fatalf("%d windows, derived %v", len(d.m.Windows), w.Sem.Derived)
	}
	d.m.View()
	check := func(factor float64) {
		t.Helper()
		for row := range 2 {
			for _, at := range []int64{0, 15, 35, 47, 60, 75, 95} {
				_, _, a, ok1 := d.m.Windows[0].Burst(row, at)
				_, _, b, ok2 := d.m.Windows[1].Burst(row, at)
				_, _, c, ok3 := w.Burst(row, at)
				if !ok1 || !ok2 || !ok3 || c != a+factor*b {
					t.Errorf("row %d at %d: %v, want %v + %v * %v", row, at, c, a, factor, b)
				}
			}
		}
	}
	check(1)
	d.press("P")
	d.onField("second window")
	d.press("down", "enter")
	d.replaced("10")
	d.press("P")
	check(10)
	// Sessions and .cfg files keep it.
	file := filepath.Join(t.TempDir(), "s.session.json")
	d.command("save-session " + file)
	e := drive(t, 100, 50, Options{Session: file, Demo: func() (*prv.Trace, error) { return traceOf(t, traceA), nil }})
	sameWindows(t, d, e)
	file = filepath.Join(t.TempDir(), "s.cfg")
	d.command("save-cfg " + file)
	e = drive(t, 100, 50, Options{Cfgs: []string{file}, Demo: func() (*prv.Trace, error) {
		return traceOf(t, traceA), nil
	}})
	if n := len(e.m.Windows); n != 3 {
		t.Errorf("%d windows come back from the .cfg", n)
	}
	for i, v := range e.m.Windows {
		if (v.Sem.Derived != nil) != (i == 2) || v.Sem.Derived != nil && v.Sem.Derived.B.Factor != 10 {
			t.Errorf("window %d: %+v", i+1, v.Sem.Derived)
		}
	}
	d.command("derive 1 frobnicate 2")
	d.sees(`unknown derived operation "frobnicate"`)
	d.command("derive 1 add 9")
	d.sees("must be window numbers, 1 to 3")
}

// Without arguments the editor asks; Esc makes no window.
func TestDeriveInTheEditor(t *testing.T) {
	d := onTrace(t, 100, 50, traceA)
	d.press("ctrl+t", "alt+d")
	d.sees("Derived from", "first window", "second window", "factor")
	d.onField("operation")
	d.press("right")
	if got := d.m.Focused().Sem.Derived.Op.Name; got == "product" {
		t.Error("the operation does not change")
	}
	d.press("esc")
	if len(d.m.Windows) != 2 {
		t.Errorf("after Esc there are %d windows", len(d.m.Windows))
	}
	d.press("alt+d", "P")
	if len(d.m.Windows) != 3 || d.m.dialogs.Top() != nil {
		t.Errorf("kept: %d windows", len(d.m.Windows))
	}
}
