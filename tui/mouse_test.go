package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/render/raster"
	"pview/tui/dialog"
	"pview/tui/notation"

	tea "charm.land/bubbletea/v2"
)

func (d *driver) wheel(x, y int, button tea.MouseButton, mod tea.KeyMod) {
	d.t.Helper()
	d.send(tea.MouseWheelMsg{X: x, Y: y, Button: button, Mod: mod})
}

// drag presses a button at one place, moves the pointer to another in steps, and releases the button.
func (d *driver) drag(x0, y0, x1, y1 int, button tea.MouseButton) {
	d.t.Helper()
	d.send(tea.MouseClickMsg{X: x0, Y: y0, Button: button})
	for i := 1; i <= 4; i++ {
		d.send(tea.MouseMotionMsg{X: x0 + (x1-x0)*i/4, Y: y0 + (y1-y0)*i/4, Button: button})
	}
	d.send(tea.MouseReleaseMsg{X: x1, Y: y1, Button: button})
}

func (d *driver) click(x, y int, button tea.MouseButton) {
	d.t.Helper()
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: button})
	d.send(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
}

// wide is trace A on a screen whose plot has exactly 100 columns: one per
// microsecond.
func wide(t *testing.T) (*driver, raster.Rect) {
	t.Helper()
	d := onTrace(t, 108, 30, traceA)
	plot := d.m.screen().layout().windows[0].plot
	if plot.W != 100 {
		t.Fatalf("the plot has %d columns; the test wants 100", plot.W)
	}
	return d, plot
}

func TestWheelZoomsAtThePointer(t *testing.T) {
	d, plot := wide(t)
	d.wheel(plot.X+40, plot.Y, tea.MouseWheelUp, 0)
	w := d.m.Focused()
	if w.Duration() >= 100 {
		t.Fatalf("the wheel does not zoom: %d..%d", w.Begin, w.End)
	}
	if got := w.Axis(plot.W).Time(40); got < 39 || got > 41 {
		t.Errorf("under the pointer is %d, and was 40", got)
	}
	d.wheel(plot.X+40, plot.Y, tea.MouseWheelDown, 0)
	d.wheel(plot.X+40, plot.Y, tea.MouseWheelDown, 0)
	if w.Begin != 0 || w.End != 100 {
		t.Errorf("zoomed out: %d..%d", w.Begin, w.End)
	}
}

func TestWheelPansAndScrolls(t *testing.T) {
	d := onTrace(t, 115, 30, manyThreads(200))
	plot := d.m.screen().layout().windows[0].plot
	d.press("]", "]", "]", "+", "+")
	w := d.m.Focused()
	top, begin := w.Top, w.Begin
	d.wheel(plot.X+5, plot.Y+2, tea.MouseWheelDown, tea.ModShift)
	if w.Top != top+1 {
		t.Errorf("shift and wheel: the first row is %d, and was %d", w.Top, top)
	}
	d.wheel(2, plot.Y+2, tea.MouseWheelDown, 0)
	if w.Top != top+2 {
		t.Errorf("wheel over the names: the first row is %d, and was %d", w.Top, top)
	}
	d.wheel(plot.X+5, plot.Y+2, tea.MouseWheelDown, tea.ModCtrl)
	if w.Begin <= begin {
		t.Errorf("ctrl and wheel: the view begins at %d, and began at %d", w.Begin, begin)
	}
	d.wheel(plot.X+5, plot.Y+2, tea.MouseWheelLeft, 0)
	if w.Begin != begin {
		t.Errorf("the wheel tilted back: the view begins at %d, and began at %d", w.Begin, begin)
	}
}

func TestDragSelects(t *testing.T) {
	d, plot := wide(t)
	d.drag(plot.X+20, plot.Y, plot.X+59, plot.Y, tea.MouseLeft)
	d.sees("selected", "A 20 us", "B 60 us", "Δ 40 us")
	d.press("z")
	if w := d.m.Focused(); w.Begin != 20 || w.End != 60 {
		t.Errorf("the selection zooms to %d..%d", w.Begin, w.End)
	}
	if _, _, ok := d.m.Selection(); ok {
		t.Error("the selection is still there after zooming on it")
	}
}

// rowLines returns the lines that each row takes, if rows do not share lines.
func rowLines(l raster.Layout) int { return max(l.Height/max(l.Split, 1), 1) }

func TestDragOverRowsSelectsThem(t *testing.T) {
	d := onTrace(t, 115, 30, manyThreads(10))
	plot := d.m.screen().layout().windows[0].plot
	l := d.m.Focused().RowLayout(plot.H, d.m.look)
	d.drag(plot.X+50, plot.Y+2*rowLines(l), plot.X+10, plot.Y+4*rowLines(l), tea.MouseLeft)
	d.press("Z")
	if w := d.m.Focused(); w.Top != 2 || w.Span != 3 {
		t.Errorf("zooming on rows 3 to 5 shows %d rows from %d", w.Span, w.Top+1)
	}
	d.press("u")
	if w := d.m.Focused(); w.Span != 0 || w.Begin != 0 || w.End != 100 {
		t.Error("undo does not bring rows and time back")
	}
}

func TestClickAsks(t *testing.T) {
	d, plot := wide(t)
	l := d.m.Focused().RowLayout(plot.H, d.m.look)
	d.click(plot.X+46, plot.Y+rowLines(l), tea.MouseLeft)
	if w := d.m.Focused(); w.Cursor != 46 || w.CursorRow != 1 {
		t.Errorf("the click puts the cursor at row %d, %d", w.CursorRow, w.Cursor)
	}
	d.sees("1.2.1  Scheduling and Fork/Join (7)  5 us")
	if d.m.PaneFocus {
		t.Error("a click must not give the keys away")
	}
	d.press("j")
	d.misses("1.2.1  Scheduling and Fork/Join (7)  5 us ")
	d.press("enter")
	d.sees("What/Where", "Scheduling and Fork/Join (7)", "45 .. 50 us")
}

// The tip follows the pointer if the terminal reports moves; the cursor and the picture stay.
func TestHover(t *testing.T) {
	d, plot := wide(t)
	before := d.m.screen().layout()
	d.send(tea.MouseMotionMsg{X: plot.X + 35, Y: plot.Y, Button: tea.MouseNone})
	d.sees("1.1.1  Waiting a message (3)  20 us")
	if w := d.m.Focused(); w.Cursor != 0 {
		t.Errorf("the cursor is at %d", w.Cursor)
	}
	if after := d.m.screen().layout(); after.windows[0] != before.windows[0] {
		t.Error("the window moved")
	}
	d.send(tea.MouseMotionMsg{X: plot.X + 35, Y: 0, Button: tea.MouseNone})
	d.misses("Waiting a message (3)  20 us")
}

func TestMiddleDragGrabs(t *testing.T) {
	d, plot := wide(t)
	d.command("view 20 60")
	d.drag(plot.X+50, plot.Y, plot.X+40, plot.Y, tea.MouseMiddle)
	if w := d.m.Focused(); w.Begin <= 20 || w.Duration() != 40 {
		t.Errorf("grabbed to the left: %d..%d", w.Begin, w.End)
	}
	d.click(plot.X+50, plot.Y, tea.MouseRight)
	if w := d.m.Focused(); w.Begin != 20 || w.End != 60 {
		t.Errorf("the right button undoes: %d..%d", w.Begin, w.End)
	}
}

func TestOverviewMovesTheView(t *testing.T) {
	d, _ := wide(t)
	d.command("view 0 20")
	bar := d.m.screen().layout().overview
	d.click(bar.X+bar.W/2, bar.Y, tea.MouseLeft)
	w := d.m.Focused()
	if mid := (w.Begin + w.End) / 2; mid < 48 || mid > 52 {
		t.Errorf("a click in the middle of the overview shows %d..%d", w.Begin, w.End)
	}
	d.drag(bar.X+bar.W/2, bar.Y, bar.X+bar.W-1, bar.Y+5, tea.MouseLeft)
	if w.End != 100 {
		t.Errorf("dragged to its end it shows %d..%d", w.Begin, w.End)
	}
	d.press("u", "u")
	if w.Begin != 0 || w.End != 20 {
		t.Errorf("undo: %d..%d", w.Begin, w.End)
	}
}

func TestClickOnWindowsAndNames(t *testing.T) {
	d := onTrace(t, 115, 40, traceA)
	d.press("ctrl+t")
	l := d.m.screen().layout()
	d.click(3, l.windows[0].head.Y, tea.MouseLeft)
	if d.m.Focus != 0 {
		t.Error("a click on a heading does not focus the window")
	}
	d.click(3, l.windows[1].plot.Y+l.windows[1].plot.H-1, tea.MouseLeft)
	if d.m.Focus != 1 {
		t.Error("a click below the names does not focus the window")
	}
	row := rowLines(d.m.Windows[1].RowLayout(l.windows[1].plot.H, d.m.look))
	d.click(3, l.windows[1].plot.Y+row, tea.MouseLeft)
	if d.m.Windows[1].CursorRow != 1 {
		t.Error("a click on a name does not go to the row")
	}
}

func TestClickOnRecords(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.goTo("60")
	d.press("enter")
	pane := d.m.screen().layout().pane
	line := -1
	for y, text := range d.screen() {
		if y > pane.Y && notation.ContainsFold(text, "to 1.2.1") {
			line = y
		}
	}
	if line < 0 {
		t.Fatal("the send is not listed")
	}
	d.click(5, line, tea.MouseLeft)
	if r, ok := d.what().Chosen(); !ok || !r.Kind.IsMessage() {
		t.Fatalf("the click chooses %+v", r)
	}
	for y, text := range d.screen() {
		if y > pane.Y && notation.ContainsFold(text, "to 1.2.1") {
			line = y
		}
	}
	d.click(5, line, tea.MouseLeft)
	if w := d.m.Focused(); w.CursorRow != 1 || w.Cursor != 70 {
		t.Errorf("the second click goes to row %d, %d; want the receive at row 1, 70", w.CursorRow, w.Cursor)
	}
}

func TestMouseInLists(t *testing.T) {
	d := onTrace(t, 115, 30, traceA)
	d.press("v")
	p := d.m.dialogs.Top().(*dialog.Picker)
	box := p.Box(115, 30)
	d.click(box.X+4, box.Y+4, tea.MouseLeft)
	d.click(box.X+4, box.Y+4, tea.MouseLeft)
	if d.m.dialogs.Top() != nil || d.m.Focused().Title() != "Useful" {
		t.Errorf("a click on the second view, twice, shows %s", d.m.Focused().Title())
	}
	d.press("v")
	d.click(0, 0, tea.MouseLeft)
	if d.m.dialogs.Top() != nil {
		t.Error("a click outside does not close the list")
	}
	d.press("?")
	d.wheel(20, 10, tea.MouseWheelDown, 0)
	if d.m.dialogs.Top().(*dialog.Pager).Top() == 0 {
		t.Error("the wheel does not scroll the help")
	}
}

// The tip names MPI calls even if a trace has no .pcf, followed or not, and the screen names the source of the names.
func TestHoverWithoutLabels(t *testing.T) {
	const whole = "../testdata/traces/callmix_4_skew/callmix_4_skew.prv"
	records, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.prv")
	if err := os.WriteFile(bare, records, 0o666); err != nil {
		t.Fatal(err)
	}
	tips := func(o Options) (d *driver, tips []string) {
		d = drive(t, 108, 30, o)
		d.press("v", "/")
		d.typed("MPI call")
		d.press("enter")
		plot := d.m.screen().layout().windows[0].plot
		for x := range plot.W {
			d.send(tea.MouseMotionMsg{X: plot.X + x, Y: plot.Y, Button: tea.MouseNone})
			for _, line := range d.screen() {
				if i := strings.Index(line, "1.1.1  MPI_"); i >= 0 {
					tips = append(tips, strings.TrimSpace(line[i:]))
				}
			}
		}
		return d, tips
	}
	_, want := tips(Options{Paths: []string{whole}})
	d, got := tips(Options{Paths: []string{bare}})
	_, followed := tips(Options{Paths: []string{bare}, Follow: true})
	if len(want) < 10 || !slices.Equal(got, want) || !slices.Equal(followed, want) {
		t.Errorf("tips %q, followed %q, with the .pcf %q", got, followed, want)
	}
	d.command("info")
	d.sees("no .pcf names the states and MPI calls: they have Extrae's names")
}

// In panes, and on the headline, only the left button clicks. The wheel removes the message of the previous key.
func TestOtherButtonsDoNotClick(t *testing.T) {
	d := onDemo(t, 80, 24)
	d.press("a")
	l := d.m.screen().layout()
	d.click(l.pane.X+13, l.pane.Y, tea.MouseRight) // the name of the page Profile
	d.click(5, l.headline.Y, tea.MouseMiddle)
	if line := d.screen()[23]; !strings.HasPrefix(line, "  Analyzer ") {
		t.Errorf("the status line is %q", line)
	}
	d.press("esc")
	plot := d.m.screen().layout().windows[0].plot
	d.click(plot.X, plot.Y, tea.MouseRight)
	d.sees("nothing to undo in this window")
	d.wheel(plot.X, plot.Y, tea.MouseWheelUp, 0)
	d.misses("nothing to undo in this window")
}

// The scroll bar of a list is beside its rows.
func TestScrollBarBesideRows(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.press("Q")
	d.sees("Wait/WaitA…█")
}
