package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic/series"
	"pview/tui/pane/analyzer"
)

// The first screen: its last line says once that the trace has no .pcf, and then shows the keys.
func TestFirstScreen(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.sees("pview", "100 us", "2 tasks", "2 nodes", "thread", " 1.1.1 ", " 1.2.1", "Running",
		"efficient", "Enter", "no .pcf names the states: they have Extrae's names")
	d.press("right")
	d.misses(".pcf")
	d.sees("? help")
}

// skipLayout skips a test of the layout at many sizes under the race detector: it takes long, and races do not depend
// on it.
func skipLayout(t *testing.T) {
	if testing.Short() {
		t.Skip("the layout at many sizes")
	}
}

// Every size gets a screen that fills it exactly, whatever is open.
func TestEverySizeIsFilledExactly(t *testing.T) {
	skipLayout(t)
	d := onTrace(t, 80, 24, traceA)
	d.press("ctrl+t", "i")
	for _, w := range []int{1, 20, 59, 60, 61, 79, 80, 100, 133, 200, 300} {
		for _, h := range []int{1, 5, 14, 15, 16, 20, 24, 40, 60, 100} {
			d.resize(w, h)
			for _, overlay := range []string{"", "?", ":", "v", "/", "o"} {
				if overlay != "" {
					d.press(overlay)
				}
				d.checkSize(w, h, overlay)
				d.m.dialogs.Close()
			}
		}
	}
}

// Panes and timelines are there on the smallest screen, and on one that is hardly larger; below that the screen names
// the size it needs.
func TestSmallestScreen(t *testing.T) {
	for _, size := range [][2]int{{minWidth, minHeight}, {33, 9}, {60, 14}} {
		for _, open := range []string{"i", "a", "s", "U", `\`, "Q", "B", "=", "P"} {
			d := onTrace(t, size[0], size[1], twoTasks)
			d.press(open)
			for _, key := range []string{"down", "right", "+", "]", "enter", "?"} {
				d.checkSize(size[0], size[1], open)
				d.press(key)
			}
			d.checkSize(size[0], size[1], open)
		}
		d := onTrace(t, size[0], size[1], twoTasks)
		d.sees("1.1.1", "0 us")
	}
}

// A terminal of any size shows the rows of a window, and takes all keys; on the smallest ones there are no names,
// titles or axis.
func TestTinyScreen(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 9}, {5, 2}, {10, 3}, {19, 40}, {200, 4}} {
		d := onTrace(t, size[0], size[1], twoTasks)
		for _, keys := range [][]string{{"i"}, {"a"}, {"s"}, {"U"}, {`\`}, {"Q"}, {"B"}, {"="}, {"P"}, {"v"}, {":"},
			{"g"}, {"?"}, {"/"}, {"f3"}, {"ctrl+o"}, {"alt+b"}, {"alt+n"}, {"x", "W", "space"}} {
			d.press(keys...)
			for _, key := range []string{"down", "right", "+", "]", "enter", "esc"} {
				d.press(key)
				d.checkSize(size[0], size[1], keys[0])
			}
			d.press("esc", "0")
		}
		d.resize(80, 24)
		d.sees("1.1.1")
	}
	d := onTrace(t, 10, 3, twoTasks)
	if rows := d.screen(); !strings.ContainsAny(rows[0]+rows[1], "▌▐▂▆") {
		t.Errorf("no rows in\n%s", strings.Join(rows, "\n"))
	}
	width := d.m.Focused().Duration()
	if d.press("+"); d.m.Focused().Duration() >= width {
		t.Error("+ does not zoom")
	}
	d.press(":")
	d.sees(":")
}

func (d *driver) checkSize(w, h int, what string) {
	d.t.Helper()
	lines := d.screen()
	if len(lines) != h {
		d.t.Fatalf("%dx%d %s: %d lines", w, h, what, len(lines))
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n != w {
			d.t.Fatalf("%dx%d %s: line %d is %d wide: %q", w, h, what, i, n, line)
		}
	}
}

// Every action runs without harm on every kind of trace.
func TestEveryActionOnEveryTrace(t *testing.T) {
	traces := map[string]string{
		"trace A": traceA,
		"no resources": "#Paraver (01/01/03 at " +
			"00:00):100:0:1:2(1:0,1:0)\n1:0:1:1:1:0:30:1\n1:0:1:2:1:0:100:3\n",
		"one thread":           "#Paraver (01/01/03 at 00:00):100:1:1:1(1:1)\n2:1:1:1:1:10:40:1\n",
		"no time":              "#Paraver (01/01/03 at 00:00):0:1:1:1(1:1)\n1:1:1:1:1:0:0:1\n",
		"one unit of time":     "#Paraver (01/01/03 at 00:00):1:1:1:1(1:1)\n1:1:1:1:1:0:1:1\n",
		"more rows than lines": manyThreads(60),
		"centuries": "#Paraver (01/01/03 at " +
			"00:00):9000000000000000000_ms:1:1:1(1:1)\n1:1:1:1:1:0:9000000000000000000:1\n",
	}
	for name, text := range traces {
		if testing.Short() && name != "trace A" {
			continue // for the race detector one trace is enough
		}
		t.Run(name, func(t *testing.T) {
			tr := traceOf(t, text)
			for _, a := range Actions() {
				d := drive(t, 80, 24, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
				if a.InPane && a.Group == analyzer.Title {
					d.command("analyze Time per value")
				} else if a.InPane {
					d.press("enter")
				}
				for _, key := range a.Keys {
					d.press(key)
					d.m.dialogs.Close()
					d.press("right", "l", "down", "+")
					d.press(key)
					d.checkSize(80, 24, a.Name)
					d.m.dialogs.Close()
				}
				d.fire()
				d.checkSize(80, 24, a.Name)
			}
		})
	}
}

func (d *driver) resize(w, h int) {
	d.t.Helper()
	d.send(windowSize(w, h))
}

// The headline says how efficient the run is, where the rest of its time went and what the first findings would gain;
// Enter shows them until the user does anything else, later its key does. Useful are 26 and 93 of 100: load balance
// 59.5/93 = 64.0 %, communication efficiency 93 %, parallel efficiency 59.5 %; 93 less the mean of 59.5 can be gained.
func TestHeadline(t *testing.T) {
	const uneven = "#Paraver (01/01/03 at " +
		"00:00):100:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:26:1\n1:1:1:1:1:26:100:3\n1:2:1:2:1:0:93:1\n1:2:1:2:1:93:100:4\n" +
		"3:2:1:2:1:93:93:1:1:1:1:26:100:1000:5\n"
	d := onTrace(t, 130, 40, uneven)
	d.sees("load balance 64.0 %", "communication 93.0 %", "transfer 93.0 %",
		"59.5 % efficient; lost: wait for", " · to gain: uneven work on 1.2.1 34.0 %", "Enter")
	d.press("enter")
	d.sees("Findings", "Rule R13", "simulated: 34 us shorter")
	if !d.m.PaneFocus || d.m.panes.current() != d.findings() {
		t.Error("Enter does not open the findings")
	}
	d = onTrace(t, 80, 24, uneven) // the factors are abbreviated
	d.sees("LB 64.0 %  CommE 93.0 %", "59.5 % efficient; lost: wait for")
	d.misses("Enter details")
	d = onTrace(t, 120, 40, uneven)
	d.press("right", "enter") // after another action: Enter asks about the place at the cursor
	d.sees("What/Where", "Alt+H")
	d.command("headline off")
	d.misses("Alt+H")
	d.command("headline")
	d.sees("Rule R13")
}

// If there are no findings, the headline shows the rest of the time, and Enter the account: the one thread computes for
// 60 of 100.
func TestHeadlineWithoutFindings(t *testing.T) {
	d := onTrace(t, 120, 40, "#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)\n1:1:1:1:1:0:60:1\n1:1:1:1:1:60:100:12\n")
	d.sees("60.0 % efficient; lost: I/O", "40.0 %", "Enter shows it")
	d.press("enter")
	d.sees("Where the time goes", "parallel efficiency")
}

// Rows are as tall as the screen allows: the headline and the legend give way if rows gain by it.
func TestRowsHaveTheRoom(t *testing.T) {
	skipLayout(t)
	for rows := 1; rows <= 12; rows++ {
		for h := 24; h <= 60; h++ {
			d := onTrace(t, 100, h, manyThreads(rows))
			wl := d.m.screen().layout().windows[0]
			// title, heading, axis, readout, status: 5 lines; overview, headline and legend: 5 at most.
			if least := (h - 10) / rows * rows; wl.plot.H < least {
				t.Errorf("%d rows on %d lines have %d, could have %d", rows, h, wl.plot.H, least)
			}
		}
	}
}

// The cursor lightens data but covers none: the picture has the same glyphs with the cursor elsewhere.
func TestCursorDoesNotCutThroughData(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	plot := d.m.screen().layout().windows[0].plot
	glyphs := func() string { return plot.Of(d.m.canvas).Plain() }
	before := glyphs()
	d.press("right", "right", "right", "down")
	if after := glyphs(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// Themes: one colour for a meaning, or those of the .pcf.
func TestThemes(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	running := func() raster.Color { return d.m.Focused().Paint.Painter.Color(1) }
	calm := running()
	d.command("theme paraver")
	if running() != raster.RGB(0, 0, 255) {
		t.Errorf("running is %x in Paraver's colours", running())
	}
	d.command("theme calm")
	if running() != calm || calm == raster.RGB(0, 0, 255) {
		t.Errorf("running is %x, was %x", running(), calm)
	}
}

// F3 lists all values, and Enter goes to the next place of one.
func TestLegendLists(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.press("f3")
	d.sees("Legend", "Running", "Waiting a message", "%")
	d.press("/")
	d.typed("waiting a m")
	d.press("enter")
	if w := d.m.Focused(); w.Cursor != 30 {
		t.Errorf("the cursor is at %d, the first thread waits from 30 us on", w.Cursor)
	}
	d.command("legend off")
	if d.m.drawing.Legend {
		t.Error("the legend is not hidden")
	}
}

// The draw modes are in a list: Enter takes the chosen one, the first lets the values decide.
func TestDrawModeMenu(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	w := d.m.Focused()
	if m := w.Modes(); m.Time != series.Proportional || m.Rows != series.MostTime {
		t.Errorf("states are drawn %v, rows %v", m.Time, m.Rows)
	}
	d.press("d", "/")
	d.typed("maximum")
	d.press("enter")
	if w.Modes().Time != series.Maximum || !w.Drawing.Given.Time {
		t.Errorf("the mode is %v", w.Modes().Time)
	}
	d.press("d", "home", "enter")
	if w.Drawing.Given.Time || w.Modes().Time != series.Proportional {
		t.Errorf("the mode is %v again", w.Modes().Time)
	}
	d.command("color gradient")
	if w.Modes().Time != series.Maximum {
		t.Errorf("amounts are drawn %v", w.Modes().Time)
	}
}

// Lines that a table cannot use go to the rows: eight of them have a line and a half each.
func TestSpareLines(t *testing.T) {
	d := onTrace(t, 120, 40, manyThreads(8))
	d.press("a")
	l := d.m.screen().layout()
	if l.windows[0].plot.H != 8 || l.pane.H < d.analyzer().Most() {
		t.Errorf("%d lines of rows, %d of the pane, which can use %d", l.windows[0].plot.H, l.pane.H,
			d.analyzer().Most())
	}
	if names := l.windows[0].labels.Of(d.m.canvas).Plain(); len(strings.Fields(names)) != 8 {
		t.Errorf("names of 8 rows:\n%s", names)
	}
}

// On 60 lines eight rows have six each. 20 rows have two, and the legend gets the rest: the shares of the states are a
// chart.
func TestSpareLinesOfAScreenWithoutPane(t *testing.T) {
	d := onTrace(t, 200, 60, manyThreads(8))
	if l := d.m.screen().layout(); l.windows[0].plot.H != 48 || l.overview.H != tallOverview {
		t.Errorf("%d lines of rows, %d of the overview", l.windows[0].plot.H, l.overview.H)
	}
	d = onTrace(t, 200, 60, manyThreads(20))
	if l := d.m.screen().layout(); l.windows[0].plot.H != 40 {
		t.Errorf("%d lines of rows", l.windows[0].plot.H)
	}
	d.sees("Running              8.0 %") // rows 2, 7, 12, 17 of 20 run for 40 us of the 100: 4 * 40 / 2000
}

// Headline and overview stay in place when a pane opens, and from pane to pane.
func TestPanesMoveNothingAbove(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		for _, threads := range []int{8, 300} {
			d := onTrace(t, size[0], size[1], manyThreads(threads))
			l := d.m.screen().layout()
			head := l.windows[0].head
			if l.headline.H != 1 {
				t.Errorf("%v, %d rows: %d lines of the headline", size, threads, l.headline.H)
			}
			for _, key := range []string{"B", "a", "s", "=", "N", "enter"} {
				d.press(key)
				if l := d.m.screen().layout(); !d.m.panes.open && key != "enter" || l.windows[0].head.Y != head.Y {
					t.Errorf("%v, %d rows, %s: the window begins on line %d, not %d", size, threads, key,
						l.windows[0].head.Y, head.Y)
				}
			}
		}
	}
}

// A window of one row gets its part of the lines beside one of many rows.
func TestWindowOfOneRowHasItsPart(t *testing.T) {
	d := onTrace(t, 200, 60, manyThreads(32))
	d.command("clone")
	d.press("v", "/")
	d.typed("parallelism")
	d.press("enter")
	l := d.m.screen().layout()
	if one, many := l.windows[1].plot.H, l.windows[0].plot.H; one < 8 || many < 32 {
		t.Errorf("one row has %d lines, 32 have %d", one, many)
	}
}
