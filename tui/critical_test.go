package tui

import (
	"os"
	"path/filepath"
	"testing"

	"pview/insight/criticalpath"
	"pview/tui/pane/findings"
)

// late writes the trace of two processes: the second posts a receive at 10 us for a message that the first sends at 40;
// the receive ends at 60, the run at 90.
func late(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "late.prv")
	text := `#Paraver (01/01/26 at 00:00):90:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:40:1
1:2:1:2:1:0:10:1
1:2:1:2:1:10:60:3
1:1:1:1:1:40:45:4
3:1:1:1:1:40:45:2:1:2:1:10:60:8:1
1:1:1:1:1:45:80:1
1:2:1:2:1:60:90:1
2:2:1:2:1:60:1000:7
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCriticalPath: a page of Why says where its time goes: 40 + 30 us of computation, 20 us of the message. Turning to
// the page opens no window; the key does.
func TestCriticalPath(t *testing.T) {
	d := drive(t, 80, 30, Options{Paths: []string{late(t)}})
	d.command("workspace why critical")
	d.sees("Critical path of 90 us, measured: 3 segments", "Computation", "70 us", "77.8 %", "Transfer", "20 us",
		"22.2 %")
	if len(d.m.Windows) != 1 || d.m.Focused().Trace.Revision != 0 {
		t.Fatalf("%d windows, revision %d: nobody asked for one", len(d.m.Windows), d.m.Focused().Trace.Revision)
	}
	d.press("enter") // the longest stretch of computation: the sender's, up to 40 us
	if w := d.m.Focused(); w.Cursor != 0 || w.CursorRow != 0 || w.Begin > 0 || w.End < 40 || w.End > 45 {
		t.Errorf("Enter shows %d to %d, row %d", w.Begin, w.End, w.CursorRow)
	}
	d.press("n") // the other: the receiver's, from 60 us on
	if w := d.m.Focused(); w.Cursor != 60 || w.CursorRow != 1 {
		t.Errorf("n goes to %d, row %d", w.Cursor, w.CursorRow)
	}
	d.press("alt+k", "esc", "0")
	d.sees("2 Critical path", "On the critical path")
	if len(d.m.Windows) != 2 || d.m.Focused().Trace != d.m.Windows[0].Trace {
		t.Fatalf("%d windows", len(d.m.Windows))
	}
	for row, want := range []float64{1, 0} { // at 30 us the path is with the first thread
		if _, _, v, ok := d.m.Focused().Burst(row, 30); !ok || v != want {
			t.Errorf("row %d at 30 us: %g", row, v)
		}
	}
	d.press("alt+k") // known: the same window
	if len(d.m.Windows) != 2 {
		t.Errorf("%d windows after asking again", len(d.m.Windows))
	}
	d.command("critical-path 1000") // blocks of another type: in its value 7 from 60 us on
	d.press("end")
	d.press("home", "/")
	d.typed("value 7")
	d.press("enter")
	d.sees("value 7", "30 us")
	d.press("esc")
	d.command("critical-path none")
	d.sees(`"none": event type must be`)
	for _, size := range [][2]int{{60, 15}, {200, 60}} {
		d.resize(size[0], size[1])
		d.command("critical-path")
		d.checkSize(size[0], size[1], "the path")
	}
}

// TestCriticalPathStops: Esc stops the search; a pending answer is dropped, as is one for a closed trace.
func TestCriticalPathStops(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{late(t)}})
	_, cmd := d.m.Update(keyPress(t, "alt+k"))
	if !paneOf[*findings.Pane](d).Busy() {
		t.Fatal("nothing is looked for")
	}
	d.press("esc")
	d.sees("search stopped", "r repeats")
	d.run(cmd)
	if len(d.m.Windows) != 1 {
		t.Error("an answer that nobody waits for is shown")
	}
	if _, cmd = d.m.Update(keyPress(t, "alt+k")); !paneOf[*findings.Pane](d).Busy() {
		t.Error("an answer that nobody waits for is kept")
	}
	d.run(cmd)
	if types, _ := d.m.Focused().Trace.Has(criticalpath.EventType); len(types) != 1 {
		t.Error("the trace does not know its new events")
	}
}
