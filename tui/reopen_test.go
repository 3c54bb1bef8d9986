package tui

import (
	"context"
	"fmt"
	"testing"

	"pview/prv"
	"pview/tui/desk"
)

// Undo reopens closed traces, but only a limited number: each keeps its records in memory. A session starts without
// any.
func TestClosedTracesAreBounded(t *testing.T) {
	var paths []string
	for i := range desk.MaxClosedTraces + 3 {
		paths = append(paths, fmt.Sprintf("%d.prv", i))
	}
	d := drive(t, 100, 60, Options{Paths: paths, Open: func(context.Context, string, prv.Watcher) (*prv.Trace, error) {
		return traceOf(t, traceA), nil
	}})
	session := t.TempDir() + "/a.session.json"
	d.command("save-session " + session)
	for len(d.m.Windows) > 1 {
		d.command("close-trace")
	}
	if n := len(d.m.Closed); n != desk.MaxClosedTraces {
		t.Errorf("%d closed windows are kept, not %d", n, desk.MaxClosedTraces)
	}
	for range desk.MaxClosedTraces + 3 {
		d.command("undo")
	}
	if n := len(d.m.Windows); n != 1+desk.MaxClosedTraces {
		t.Errorf("%d windows after undo, not %d", n, 1+desk.MaxClosedTraces)
	}
	d.command("close-trace")
	d.command("load-session " + session)
	if n := len(d.m.Closed); n != 0 {
		t.Errorf("%d closed windows are kept of the session before", n)
	}
}

// A closed window keeps its question, not its rows; the number of kept windows is limited.
func TestClosedWindowsAreBounded(t *testing.T) {
	d := onTrace(t, 80, 30, traceA)
	d.command("clone")
	first := d.m.Focused()
	d.show(d.analyzer(), false)
	d.send(nil)
	if d.analyzer().Tables(first) == nil {
		t.Fatal("the window has no table")
	}
	d.command("close")
	if c := d.m.Closed; len(c) != 1 || c[0].View != first || first.Values.Series != nil || first.Paint.Picture.W != 0 {
		t.Errorf("%d windows are kept; of the first one there are %d rows, a picture of %d columns", len(c),
			len(first.Values.Series), first.Paint.Picture.W)
	}
	d.command("undo")
	if d.m.Focused() != first || first.Values.Series == nil || first.Paint.Picture.W == 0 {
		t.Error("the window has not come back with its rows")
	}
	d.command("close")
	for range desk.MaxClosedViews {
		d.press("ctrl+t", "ctrl+w")
	}
	if n := len(d.m.Closed); n != desk.MaxClosedViews {
		t.Errorf("%d closed windows are kept, not %d", n, desk.MaxClosedViews)
	}
	if d.analyzer().Tables(first) != nil {
		t.Error("a window that cannot come back has a table")
	}
}
