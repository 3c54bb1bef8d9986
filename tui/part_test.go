package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/raster"
)

// reading runs the program on a trace whose reader obeys the test.
type reading struct {
	*driver
	watcher prv.Watcher
	end     chan error
	ended   chan tea.Msg
}

// readSlowly starts the program and waits until it reads.
func readSlowly(t *testing.T, whole string) *reading {
	r := &reading{end: make(chan error), ended: make(chan tea.Msg, 1)}
	begun := make(chan bool)
	open := func(ctx context.Context, _ string, w prv.Watcher) (*prv.Trace, error) {
		r.watcher = w
		close(begun)
		select {
		case err := <-r.end:
			if err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return traceOf(t, whole), nil
	}
	r.driver = drive(t, 80, 24, Options{})
	r.m.options.Open = open
	r.m.loader.starting = true
	cmd := r.m.loader.add("slow.prv", nil)
	go func() { r.ended <- cmd() }()
	<-begun
	r.timers = append(r.timers, tickMsg{})
	return r
}

// firstLines is trace A until time 30: its header and first five records.
func firstLines() string { return strings.Join(strings.SplitAfter(prvtest.TraceA, "\n")[:6], "") }

// The first part of a trace is on the screen, marked as a part, while the rest is read; then the whole trace is.
func TestPartWhileReading(t *testing.T) {
	r := readSlowly(t, prvtest.TraceA)
	r.watcher.Progress(34, 100)
	if len(r.m.Windows) != 0 {
		t.Fatal("a window before anything is read")
	}
	r.watcher.Part(&prv.Part{Trace: traceOf(t, firstLines()), Until: 30})
	r.fire()
	w := r.m.Focused()
	if w == nil || w.Trace.Until != 30 || w.End != 100 {
		t.Fatalf("no window on the part: %+v", w)
	}
	screen := strings.Join(r.screen(), "\n")
	if !strings.Contains(screen, "reading slow.prv 34 %, shown until 30 us") {
		t.Errorf("the screen does not say that it is a part:\n%s", screen)
	}
	if strings.Contains(screen, " efficient") || !strings.Contains(screen, "efficiency: when all is read") {
		t.Errorf("an efficiency of a part:\n%s", screen)
	}
	r.watcher.Progress(100, 100)
	if head := r.screen()[0]; !strings.Contains(head, "sorting records of slow.prv") ||
		strings.Contains(head, "100 %") {
		t.Errorf("read, and not read: %s", head)
	}
	dots := strings.Count(screen, "·····")
	if dots == 0 {
		t.Errorf("the time that is not read is not dotted:\n%s", screen)
	}
	r.end <- nil
	r.send(<-r.ended)
	screen = strings.Join(r.screen(), "\n")
	if len(r.m.Windows) != 1 || len(r.m.Traces) != 1 || w.Trace.Until != 0 ||
		strings.Contains(screen, "only the first") || strings.Count(screen, "·····") >= dots {
		t.Errorf("the whole trace is not shown as one:\n%s", screen)
	}
	if s := w.SeriesOf(0); s == nil || s.Len() < 3 {
		t.Errorf("thread 1 of the whole trace: %v", s)
	}
}

// Time that is not read has no state: for trace A until 30 of 100 us, the columns of the first 30 % have values, and
// the rest neither shows Idle nor counts in the legend. The cursor there says so, and the overview dots it.
func TestUnreadTimeHasNoState(t *testing.T) {
	r := readSlowly(t, prvtest.TraceA)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, firstLines()), Until: 30})
	r.fire()
	w := r.m.Focused()
	w.Repaint(r.m.look, 10, 4)
	grid := &w.Paint.Sampled.Grid
	for x := range grid.W {
		if c := grid.At(x, 0); raster.IsAbsent(c) != (100*x/grid.W >= 30) {
			t.Errorf("column %d of %d: %v", x, grid.W, c)
		}
	}
	w.Cursor = 50
	r.sees("50 us  not read")
	overview := r.screen()[2]
	if n := strings.Count(overview, "·"); n < 50 || n > 56 { // 70 of 100 us in 78 columns are 54
		t.Errorf("%d dots in the overview %q", n, overview)
	}
}

// Esc stops the reading; the part that was read stays, and says so. The same happens if the rest cannot be read.
func TestPartOfAnUnreadTrace(t *testing.T) {
	for _, stop := range []func(*reading){
		func(r *reading) { r.press("esc") },
		func(r *reading) { r.end <- errors.New("slow.prv: input/output error") },
	} {
		r := readSlowly(t, prvtest.TraceA)
		r.watcher.Part(&prv.Part{Trace: traceOf(t, firstLines()), Until: 30})
		r.fire()
		stop(r)
		r.send(<-r.ended)
		if len(r.m.Windows) != 1 || r.m.loader.current != nil || r.quit {
			t.Fatal("the part is gone")
		}
		if screen := strings.Join(r.screen(), "\n"); !strings.Contains(screen, "only the first 30 us are read") ||
			!strings.Contains(screen, "slow.prv") {
			t.Errorf("the screen does not say what is shown:\n%s", screen)
		}
	}
}

// A part whose window is closed while the rest is read does not reappear.
func TestPartClosed(t *testing.T) {
	r := readSlowly(t, prvtest.TraceA)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, firstLines()), Until: 30})
	r.fire()
	r.command("close-trace")
	r.end <- nil
	r.send(<-r.ended)
	if len(r.m.Windows) != 0 || len(r.m.Traces) != 0 {
		t.Error("a closed trace came back")
	}
}

// Work on the whole run waits until all of it is read: a prediction of the first part would be compared with the whole
// measured run.
func TestPartIsNotSimulated(t *testing.T) {
	r := readSlowly(t, twoTasks)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, strings.Join(strings.SplitAfter(twoTasks, "\n")[:6], "")), Until: 5000})
	r.fire()
	r.press("s")
	r.sees("The trace is still being read and is simulated once complete.")
	r.press("U")
	r.sees("is measured once complete")
	r.press("esc", "alt+k")
	r.sees("the trace is still being read")
	r.press("s")
	r.end <- nil
	r.send(<-r.ended)
	r.sees("Predicted 30 us", "run 1: ideal")
}

// ranksOfPart has two tasks, the second unread: one row, without records.
const ranksOfPart = `#Paraver (01/01/2026 at 10:00):90_ns:1(2):1:2(2:1,1:1)
1:1:1:1:1:0:60:1
1:1:1:1:2:10:80:1
`

// ranksOfRun has the tasks after reading.
const ranksOfRun = `#Paraver (01/01/2026 at 10:00):100_ns:1(2):1:2(2:1,3:1)
1:1:1:1:1:0:60:1
1:1:1:1:2:10:80:1
1:2:1:2:1:0:100:1
1:2:1:2:2:20:30:1
1:2:1:2:3:40:50:1
`

// A part with some of the ranks dots the rows of the others, and says how many are shown and what may change. Once
// everything is read, the cursor is still on its object.
func TestPartOfSomeRanks(t *testing.T) {
	r := readSlowly(t, ranksOfRun)
	r.watcher.Progress(25, 100)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, ranksOfPart), Until: 90, Unread: []bool{false, false, true},
		Provisional: "until then clocks are not aligned"})
	r.fire()
	r.sees("reading slow.prv 25 %, 1 of 2 tasks", "when all is read; until then clocks are not aligned")
	w := r.m.Focused()
	rowOf := func(name string) string {
		for _, line := range r.screen() {
			if strings.HasPrefix(strings.TrimSpace(line), name) {
				return line
			}
		}
		t.Fatalf("no row %s:\n%s", name, strings.Join(r.screen(), "\n"))
		return ""
	}
	if n := strings.Count(rowOf("1.2.1"), "·"); n < 50 {
		t.Errorf("%d dots in the row of the task that is not read: %s", n, rowOf("1.2.1"))
	}
	if strings.Contains(rowOf("1.1.1"), "·") {
		t.Errorf("dots in the row of a task that is read: %s", rowOf("1.1.1"))
	}
	if r.m.refines() {
		t.Error("rows that are not read are still awaited")
	}
	r.press("down", "down")
	r.sees("1.2.1", "not read")
	w.Cursor = 45
	r.end <- nil
	r.send(<-r.ended)
	if got := w.RowName(w.CursorRow); got != "THREAD 1.2.1" || w.Cursor != 45 || w.End != 100 {
		t.Errorf("the cursor is on %s at %d, the view ends at %d", got, w.Cursor, w.End)
	}
	if screen := strings.Join(r.screen(), "\n"); strings.Contains(screen, "not read") ||
		!strings.Contains(screen, "1.2.3") || strings.Contains(rowOf("1.2.1"), "·") {
		t.Errorf("the whole run is not shown:\n%s", screen)
	}
}

// If the rest cannot be read, a part with some of the ranks stays and says so.
func TestPartOfSomeRanksAlone(t *testing.T) {
	r := readSlowly(t, ranksOfRun)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, ranksOfPart), Until: 90, Unread: []bool{false, false, true}})
	r.fire()
	r.press("esc")
	r.send(<-r.ended)
	r.sees("only 1 of 2 tasks are read")
}

// The analyzer counts the rows that are read; if there are none in view, its table is empty.
func TestPartOfSomeRanksIsCounted(t *testing.T) {
	r := readSlowly(t, ranksOfRun)
	r.watcher.Part(&prv.Part{Trace: traceOf(t, ranksOfPart), Until: 90, Unread: []bool{false, false, true}})
	r.fire()
	table := func() string {
		_, text, found := strings.Cut(strings.Join(r.screen(), "\n"), "Analyzer")
		if !found {
			t.Fatalf("no analyzer:\n%s", strings.Join(r.screen(), "\n"))
		}
		return text
	}
	r.press("a")
	if text := table(); !strings.Contains(text, "1.1.2") || strings.Contains(text, "1.2.1") {
		t.Errorf("not the rows that are read:\n%s", text)
	}
	r.m.Focused().Objects = []int32{2}
	r.press("esc")
	r.sees("nothing of the rows in view has been read yet")
	r.end <- nil
	r.send(<-r.ended)
	if text := table(); !strings.Contains(text, "1.2.1") || strings.Contains(text, "1.1.2") {
		t.Errorf("not the row of the view when all is read:\n%s", text)
	}
}
