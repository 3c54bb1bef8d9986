package tui

import (
	"context"
	"fmt"
	"testing"

	"pview/prv"
)

// Closed traces come back by undo, but not any number of them: each has its records in memory. A session begins without any.
func TestClosedTracesAreBounded(t *testing.T) {
	var paths []string
	for i := range mostClosed + 3 {
		paths = append(paths, fmt.Sprintf("%d.prv", i))
	}
	d := drive(t, 100, 60, Options{Paths: paths, Open: func(context.Context, string, prv.Watcher) (*prv.Trace, error) { return traceOf(t, traceA), nil }})
	session := t.TempDir() + "/a.session.json"
	d.command("save-session " + session)
	for len(d.m.Windows) > 1 {
		d.command("close-trace")
	}
	if n := len(d.m.closed); n != mostClosed {
		t.Errorf("%d closed windows are kept, not %d", n, mostClosed)
	}
	for range mostClosed + 3 {
		d.command("undo")
	}
	if n := len(d.m.Windows); n != 1+mostClosed {
		t.Errorf("%d windows after undo, not %d", n, 1+mostClosed)
	}
	d.command("close-trace")
	d.command("load-session " + session)
	if n := len(d.m.closed); n != 0 {
		t.Errorf("%d closed windows are kept of the session before", n)
	}
}
