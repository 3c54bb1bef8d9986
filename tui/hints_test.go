package tui

import (
	"slices"
	"testing"

	"pview/prv/prvtest"
)

// words returns the hints of the status line, except the constant ones.
func words(d *driver) (list []string) {
	d.m.stage()
	left, _ := d.m.screen().hints()
	for _, h := range left {
		list = append(list, h[0]+" "+h[1])
	}
	return list
}

// The status line offers only keys that work on the shown page.
func TestHintsOfPages(t *testing.T) {
	d := onDemo(t, 200, 60)
	for _, c := range []struct {
		page          string
		offers, lacks []string
	}{
		{"compare", []string{"Ctrl+O open a trace"}, []string{"↑↓ part", "x swap A and B", "b another run"}},
		{"workspace why Findings", []string{"↑↓ finding", "d dismiss", "w account"}, nil},
		{"account", []string{"Tab pages", "Esc findings"},
			[]string{"d dismiss", "D list dismissed", "w account", "Enter show it"}},
		{"classes", []string{"↑↓ region", "x sort"}, []string{"d dismiss", "c class table"}},
		{"stages", []string{"←→ stage"}, []string{"d dismiss", "/ narrow", "t stages"}},
		{"efficiency", []string{"↑↓ factor", "+ add a trace"},
			[]string{"←→ run", "x take out", "t useful time", "c scaling", "r repeat"}},
		{"workspace table Profile", []string{"←→ column"}, nil},
		{"page call paths", []string{"/ narrow"}, []string{"←→ column"}},
		{"network", []string{"b matrix"}, []string{"←→ column"}},
		{"page matrix", []string{"Enter next message", "b measure"}, nil},
		{"page distances", []string{"b matrix"}, []string{"Enter next message"}},
		{"workspace table scatter", []string{"x v axes", "E write plots"}, nil},
		{"page fits", []string{"↑↓ scroll"}, []string{"x v axes"}},
		{"simulate", []string{"-+ halve, double", "r reset it"}, nil},
		{"page network", []string{"-+ other choice"}, []string{"-+ halve, double"}},
		{"runs", []string{"Enter go back to it"}, []string{"-+ halve, double", "r reset it", "Space next choice"}},
		{"study", []string{"Del remove"}, []string{"c kill", "x x axis", "o sort"}},
		{"page scatter", []string{"x v axes"}, []string{"Del remove", "o sort"}},
		{"notes", []string{"\" add a note"}, []string{"x delete", "F2 edit", "Enter go there"}},
		{"note here", []string{"x delete", "F2 edit", "Enter go there"}, nil},
		{"notes history", []string{"Enter go back to it"}, []string{"x delete", "F2 edit"}},
	} {
		d.command(c.page)
		have := words(d)
		for _, w := range c.offers {
			if !slices.Contains(have, w) {
				t.Errorf("%s lacks %q: %q", c.page, w, have)
			}
		}
		for _, w := range c.lacks {
			if slices.Contains(have, w) {
				t.Errorf("%s offers %q", c.page, w)
			}
		}
	}
}

// Keys with nothing to do say so.
func TestKeysSayWhyNot(t *testing.T) {
	d := onDemo(t, 200, 60)
	for _, c := range []struct{ page, key, text string }{
		{"workspace why Findings", "r", "no diagnosis was stopped"},
		{"efficiency", "r", "no measurement was stopped or failed"},
		{"efficiency", "t", "the useful time of each thread is beside the factors"},
		{"analyze", "R", "only rows of a picture share cells: c shows one"},
		{"workspace table Distances", "enter", "no pair of the matrix and no link is chosen"},
		{"simulate", "H", "run 1"},
		{"", "+", "no field is chosen"},
		{"study", "d", "no variable is chosen"},
		{"page scatter", "d", "variables are removed on the page Setup"},
	} {
		if c.page != "" {
			d.command(c.page)
		}
		d.press(c.key)
		d.sees(c.text)
	}
}

// Both marks at the cursor are no reason to set one.
func TestBothMarksAtTheCursor(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	d.press("`")
	d.sees("there is no other mark: m sets one")
	d.press("m", "M", "`")
	d.sees("both marks are at the cursor")
}

// On the page of call paths the columns of the profile do not change.
func TestCallPathsLeaveTheColumn(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.press("Q")
	before := d.screen()
	d.press("tab", "right", "shift+tab")
	if after := d.screen(); !slices.Equal(before, after) {
		t.Errorf("the profile changes: %q", after)
	}
}

// The measure of the matrix changes only where it is visible: elsewhere its key shows the matrix.
func TestMeasureShowsTheMatrix(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.command("network")
	d.misses("receivers →")
	d.press("b")
	d.sees("receivers →  bytes")
	d.press("b")
	d.sees("receivers →  messages")
}

// In a transposed table the empty values are rows.
func TestEmptyRowsOfTransposedTable(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("a")
	d.sees("columns (+")
	d.press("x")
	d.sees("rows (+")
	d.misses("columns (+")
}

// A message that fits the status line is not cut to make room for the times of the marks.
func TestMessageBeforeMarks(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.press("space")
	d.sees("move the cursor; Space ends the selection, z zooms on it, Esc drops it")
	d.press("right", "right")
	d.sees("A 0 us")
}

// Reading the structure again keeps the page.
func TestStructureKeepsItsPage(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{prvtest.Stairs(t, t.TempDir(), 3)}})
	d.command("frameworks")
	d.command("page advice")
	d.press("r")
	if at := d.m.panes.shownName(); at != "Advice" {
		t.Errorf("the page is %s", at)
	}
}

// Pages named in the palette are shown, whatever was shown before.
func TestPagesByName(t *testing.T) {
	d := onDemo(t, 120, 40)
	for _, c := range []struct{ command, page string }{
		{"simulate", "Machine"}, {"account", "Account"}, {"workspace table distances", "Distances"},
		{"classes", "Classes"}, {"analyze", "Analyzer"}, {"workspace table scatter", "Scatter"}, {"runs", "Runs"},
		{"workspace table links", "Links"}, {"runs", "Runs"}, {"runs", "Machine"},
	} {
		d.command(c.command)
		if at := d.m.panes.shownName(); at != c.page || !d.m.PaneFocus {
			t.Errorf("%s shows %s", c.command, at)
		}
	}
}

// Pickers count a single event of a type correctly: "1 event".
func TestOneEventOfAType(t *testing.T) {
	d := onTrace(t, 120, 40, "#Paraver (01/01/03 at 00:00):100_ns:1:1:1(1:1)\n1:1:1:1:1:0:100:1\n2:1:1:1:1:50:70:1\n")
	d.press("/")
	d.sees("70  1 event")
	d.misses("1 events")
}

// Files of a trace without a file are named after the trace.
func TestFilesOfPredictions(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.press("E")
	d.sees("export demo.png")
	d.press("esc", "s", "esc", "2", "E")
	d.sees("export predicted.png")
	d.press("esc", "alt+w")
	d.sees("save-trace predicted.copy1.prv")
}
