package tui

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/stat"
	"pview/tui/pane/analyzer"
)

// counts counts the contents of a table directly with package stat.
func counts(t *testing.T, tr *prv.Trace, h stat.Histogram) *stat.Table {
	t.Helper()
	table, err := stat.Compute(context.Background(), tr, h, stat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// sheetOf returns the shown sheet of the pane.
func (d *driver) sheetOf() *analyzer.Sheet {
	d.t.Helper()
	a := d.analyzer().Shown()
	if a == nil || a.Busy() || a.Err != nil || a.Sheet == nil {
		d.t.Fatalf("there is no final table: %+v", a)
	}
	return a.Sheet
}

// sameNumbers compares all cells and totals of a sheet with those of a histogram.
func (d *driver) sameNumbers(want *stat.Table) {
	d.t.Helper()
	s := d.sheetOf()
	columns := map[int]int{}
	for i, c := range want.Columns {
		columns[c.Index] = i
	}
	objects := map[int]int{}
	for i, r := range want.Rows {
		objects[r.Object] = i
	}
	shown := map[int]bool{}
	for c := range s.Columns {
		for r := range s.Rows {
			object, column := s.Rows[r], s.Columns[c]
			if s.Vertical {
				object, column = column, object
			}
			k, ok1 := columns[column.ID]
			o, ok2 := objects[object.ID]
			if !ok1 || !ok2 {
				d.t.Fatalf("%q, %q is not in the histogram", object.Name, column.Name)
			}
			shown[k] = true
			v, ok := s.Cell(r, c)
			w, wok := want.Cell(0, o, k)
			if v != w || ok != wok {
				d.t.Errorf("%s, %s: %v %v, want %v %v", object.Name, column.Name, v, ok, w, wok)
			}
		}
		totals, at := want.Planes[0].Totals, columns[s.Columns[c].ID]
		if s.Vertical {
			totals, at = want.Planes[0].RowTotals, objects[s.Columns[c].ID]
		}
		for i, total := range stat.Totals {
			if v, w := s.Totals[i][c], totals[total][at]; v != w && !(v != v && w != w) {
				d.t.Errorf("%s of %s: %v, want %v", total, s.Columns[c].Name, v, w)
			}
		}
	}
	for k := range want.Columns {
		for r := range want.Rows {
			if _, ok := want.Cell(0, r, k); ok && !shown[k] {
				d.t.Errorf("column %q has a cell and is not shown", want.Columns[k].Label(-1))
			}
		}
	}
}

func timeHistogram(statistic string) stat.Histogram {
	w := semantic.DefaultWindow()
	return stat.Histogram{Control: &w, Statistic: statistic, Range: stat.Range{Whole: true},
		Columns: stat.Scale{Auto: true, Zero: true, Codes: true}, Planes: stat.Scale{Auto: true, Zero: true}}
}

func TestAnalyzerFunctions(t *testing.T) {
	d := onTrace(t, 200, 40, traceA)
	d.command("analyze Analyzer functions")
	w := semantic.DefaultWindow()
	want, err := stat.Analyze(context.Background(), d.m.Focused().Trace.Data,
		stat.Query{Window: &w, Range: stat.Range{Whole: true}}, stat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := d.sheetOf()
	if len(s.Rows) != 2 || len(s.Columns) != len(stat.Functions()) {
		t.Fatalf("%d rows, %d columns", len(s.Rows), len(s.Columns))
	}
	for r := range s.Rows {
		for c, h := range s.Columns {
			v, ok := s.Cell(r, c)
			if x, xok := want.Value(r, &stat.Functions()[h.ID]); v != x || ok != xok {
				t.Errorf("%s of row %d: %v %v, want %v %v", h.Name, r, v, ok, x, xok)
			}
		}
	}
	d.sees("Profile", "Analyzer functions", "Average", "Semantic Value", "1.2.1 ", "Total", "Maximum",
		"the whole run", "sum of value * duration / length of the interval")
}

// A figure that does not exist is a dash.
func TestAnalyzerNoFigure(t *testing.T) {
	d := onTrace(t, 120, 30,
		"#Paraver (01/01/03 at 00:00):100:1:1:2(1:1,1:1)\n1:1:1:1:1:0:30:1\n3:1:1:1:1:10:10:1:1:2:1:20:20:8:1\n")
	d.command("analyze Analyzer functions")
	s := d.sheetOf()
	at := slices.IndexFunc(s.Columns, func(h analyzer.Header) bool { return h.Name == "Average Message Size" })
	if a, b := s.Text(0, at), s.Text(1, at); a != "8" || b != "-" {
		t.Errorf("average message size: %s and %s, want 8 and -", a, b)
	}
}

func TestTimePerValue(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	d.sameNumbers(counts(t, d.m.Focused().Trace.Data, timeHistogram("Time")))
	d.sees("Running", "Time [us]", "Total", "Avg/Max")
}

// One key goes to the next statistic, and every statistic is right.
func TestStatisticsByKey(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	statistics := stat.Statistics()
	for i := range statistics {
		s := &statistics[(i+1)%len(statistics)]
		d.press("m")
		d.sees(s.Name + ": " + s.Doc[:7])
		d.sameNumbers(counts(t, d.m.Focused().Trace.Data, timeHistogram(s.Name)))
	}
	d.press("M")
	if got := d.sheetOf().Statistic.Name; got != statistics[len(statistics)-1].Name {
		t.Errorf("before the first statistic is %s", got)
	}
}

// The table covers the time in view or selected, and its rows are the window's.
func TestTableFollowsTheWindow(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	d.press("esc")
	tr := d.m.Focused().Trace.Data
	within := func(begin, end float64, rows ...int) {
		t.Helper()
		h := timeHistogram("Time")
		h.Range = stat.Range{Begin: begin, End: end}
		h.Rows = rows
		d.sameNumbers(counts(t, tr, h))
	}
	d.command("view 20 60")
	within(20, 60)
	d.command("mark 30")
	d.command("mark-second 50")
	within(30, 50)
	d.sees("(selection)")
	d.command("clear-marks")
	d.command("rows 2")
	within(20, 60, 1)
	d.command("rows-reset")
	d.command("table-time fixed")
	d.command("view 0 100")
	within(20, 60)
	d.command("table-time all")
	d.command("view 20 60")
	d.sameNumbers(counts(t, tr, timeHistogram("Time")))
	d.command("function Useful")
	h := timeHistogram("Time")
	u := semantic.ThreadWindow("Useful")
	h.Control = &u
	d.sameNumbers(counts(t, tr, h))
}

func TestTransposeSortAndUndo(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	plain := d.sheetOf()
	d.press("x")
	s := d.sheetOf()
	if len(s.Rows) != len(plain.Columns) || len(s.Columns) != len(plain.Rows) {
		t.Fatalf("transposed: %d by %d", len(s.Rows), len(s.Columns))
	}
	for r := range s.Rows {
		for c := range s.Columns {
			v, _ := s.Cell(r, c)
			if w, _ := plain.Cell(c, r); v != w {
				t.Errorf("cell %d,%d: %v, want %v", r, c, v, w)
			}
		}
	}
	// Totals cover the current objects.
	sum := 0.0
	for r := range s.Rows {
		v, _ := s.Cell(r, 0)
		sum += v
	}
	if s.Totals[stat.Sum][0] != sum {
		t.Errorf("total of the first object: %v, want %v", s.Totals[stat.Sum][0], sum)
	}
	d.press("r")
	s = d.sheetOf()
	for r := 1; r < len(s.Rows); r++ {
		a, aok := s.Cell(r-1, 0)
		b, bok := s.Cell(r, 0)
		if bok && !aok || aok && bok && a < b {
			t.Errorf("row %d: %v after %v", r, b, a)
		}
	}
	d.press("u", "u")
	if got := d.sheetOf(); got.Vertical || !slices.Equal(got.Rows, plain.Rows) {
		t.Error("undo does not bring the table back")
	}
	d.press("o")
	s = d.sheetOf()
	for c := 1; c < len(s.Columns); c++ {
		if s.Totals[stat.Sum][c] > s.Totals[stat.Sum][c-1] {
			t.Errorf("columns are not sorted by their totals: %v", s.Totals[stat.Sum])
		}
	}
	d.press("O")
	s = d.sheetOf()
	for c := 1; c < len(s.Columns); c++ {
		if s.Totals[stat.Sum][c] < s.Totals[stat.Sum][c-1] {
			t.Errorf("columns are not sorted upwards: %v", s.Totals[stat.Sum])
		}
	}
	d.command("sort-columns off")
	if !slices.Equal(d.sheetOf().Columns, plain.Columns) {
		t.Error("columns do not come back to their order")
	}
}

// The columns of a histogram: typed, an automatic number, zoomed.
func TestColumns(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("function State Record Dur. 1,3")
	tr := d.m.Focused().Trace.Data
	h := timeHistogram("Time")
	w := d.m.Focused().Sem.Clone()
	h.Control = &w
	d.command("columns 0 50 10")
	h.Columns = stat.Scale{Max: 50, Delta: 10}
	d.sameNumbers(counts(t, tr, h))
	d.command("columns 0 50 x4")
	h.Columns = stat.Scale{Max: 50, Count: 4}
	d.sameNumbers(counts(t, tr, h))
	d.command("columns auto 5")
	if n := len(d.sheetOf().Columns) + d.sheetOf().Hidden; n != 5 {
		t.Errorf("auto 5 makes %d columns", n)
	}
	d.command("columns 0 50 10")
	d.press("a") // the pane has the focus
	d.press("home", "space", "right", "z")
	a := d.analyzer().Shown()
	if got := a.Setup.Columns; got.Min != 0 || got.Count != 5 || got.Max >= 50 {
		t.Errorf("zoomed on the first two columns: %+v", got)
	}
	d.press("u")
	if got := a.Setup.Columns; got.Max != 50 || got.Delta != 10 {
		t.Errorf("after undo: %+v", got)
	}
	for text, want := range map[string]string{"5": "must be auto", "9 1": "must be auto", "0 1 0": "must be auto",
		"0 1e9": "columns", "auto x": "must be auto", "0 nan 1": "must be auto"} {
		d.command("columns " + text)
		d.sees(want)
	}
}

// From a cell to its bursts, one after another.
func TestBurstsOfACell(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	s := d.sheetOf()
	at := slices.IndexFunc(s.Columns, func(h analyzer.Header) bool { return h.Name == "Running" })
	for range at {
		d.press("right")
	}
	d.press("down")
	tr := d.m.Focused().Trace.Data
	want, err := stat.Bursts(context.Background(), tr, timeHistogram("Time"), 0, 1, s.Columns[at].ID, stat.Options{})
	if err != nil || len(want) < 2 {
		t.Fatalf("%v, %v", want, err)
	}
	for i := range 2 * len(want) {
		d.press("enter")
		b := want[i%len(want)]
		if w := d.m.Focused(); w.Cursor != b.Begin || w.CursorRow != 1 {
			t.Errorf("burst %d: the cursor is at row %d, %d; want 1, %d", i, w.CursorRow, w.Cursor, b.Begin)
		}
		d.sees(fmt.Sprintf("burst %d of %d", i%len(want)+1, len(want)))
	}
	d.press("p")
	if w := d.m.Focused(); w.Cursor != want[len(want)-2].Begin {
		t.Errorf("back: %d, want %d", w.Cursor, want[len(want)-2].Begin)
	}
	before := d.styled()
	d.analyzer().Shown().DropHits()
	if d.styled() == before {
		t.Error("the bursts are not lit in the timeline")
	}
}

// A window on the values of some columns shows only these.
func TestWindowOfColumns(t *testing.T) {
	d := onTrace(t, 120, 50, traceA)
	d.command("analyze Time per value")
	s := d.sheetOf()
	at := slices.IndexFunc(s.Columns, func(h analyzer.Header) bool { return h.Name == "Running" })
	for range at {
		d.press("right")
	}
	d.press("w")
	if len(d.m.Windows) != 2 || d.m.Focus != 0 {
		t.Fatalf("%d windows, focus %d", len(d.m.Windows), d.m.Focus)
	}
	d.m.View()
	for row := range 2 {
		for _, at := range []int64{0, 15, 35, 47, 60, 75, 95} {
			_, _, whole, ok := d.m.Windows[0].Burst(row, at)
			_, _, part, ok2 := d.m.Windows[1].Burst(row, at)
			if want := map[bool]float64{true: 1}[whole == 1]; !ok || !ok2 || part != want {
				t.Errorf("row %d at %d: %v of %v (%v %v)", row, at, part, whole, ok, ok2)
			}
		}
	}
	d.command("columns 0 10 5")
	d.command("statistic #Sends")
	d.press("w")
	v := d.m.Windows[1]
	if f := &v.Sem.Filter.Comms; len(f.From.Values) != 1 || len(f.To.Values) != 1 {
		t.Errorf("filter of the messages of a cell: %+v", f)
	}
}

func TestDataAndThirdWindow(t *testing.T) {
	d := onTrace(t, 120, 50, traceA)
	d.press("ctrl+t")
	d.command("function Last Evt Val")
	d.press("tab", "tab") // back on the states, if the pane is closed
	d.m.Focus, d.m.PaneFocus = 0, false
	d.command("analyze Time per value")
	d.press("d", "down", "enter")
	a := d.analyzer().Shown()
	if a.Setup.Data.Window != d.m.Windows[1].ID || a.Setup.Statistic != "Average value" {
		t.Fatalf("data window: %+v, %s", a.Setup.Data, a.Setup.Statistic)
	}
	h := timeHistogram("Average value")
	data := d.m.Windows[1].Sem.Clone()
	h.Data = &data
	d.sameNumbers(counts(t, d.m.Focused().Trace.Data, h))
	// It follows the other window's changes.
	d.m.Focus = 1
	d.command("function Last Evt Type")
	d.m.Focus = 0
	d.press("l")
	data.Functions[prv.LevelThread].Name = "Last Evt Type"
	d.sameNumbers(counts(t, d.m.Focused().Trace.Data, h))
	d.command("statistic Time")
	d.m.PaneFocus = true
	d.press("D", "down", "enter")
	s := d.sheetOf()
	if len(s.Planes) < 2 {
		t.Fatalf("planes: %v", s.Planes)
	}
	first := s.Planes[s.Plane].Name
	d.press("}")
	if s = d.sheetOf(); s.Planes[s.Plane].Name == first {
		t.Error("the next plane is the same")
	}
	d.sees("plane 2 of")
}

// Planes of a window that answers yes or no have the names of its legend and of its own table's columns.
func TestPlaneNames(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	d.press("D", "/")
	d.typed("useful")
	d.press("enter")
	d.sees("plane 1 of 2: not Running")
	d.press("}")
	d.sees("plane 2 of 2: Running", "{ } planes")
	d.command("planes auto 20")
	d.sees(`"auto 20": must be auto, 0 100 10 (steps of 10) or 0 100 x20 (20 planes)`)
	d.leavePrompt()
	d.press("x", "space")
	d.sees("column Idle selected")
	d.press("down")
	d.sees("↑↓ to", "columns Idle to Running selected") // the ranges are rows
}

// A range that is too long for the line over its column shows its whole lower limit.
func TestRangesOverNarrowColumns(t *testing.T) {
	d := onDemo(t, 80, 20)
	d.command("analyze Durations")
	d.command("cell-look numbers")
	d.sees("[0..486)   [486…     [972…   [1,457…")
}

func TestSaveTable(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	s := d.sheetOf()
	for _, name := range []string{"t.csv", "t.tsv"} {
		path := filepath.Join(t.TempDir(), name)
		d.command("save-table " + path)
		d.sees("table saved as")
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := csv.NewReader(f)
		if strings.HasSuffix(name, "tsv") {
			in.Comma = '\t'
		}
		lines, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != 1+len(s.Rows)+len(stat.Totals) || lines[0][0] != "Time [us]" {
			t.Fatalf("%d lines, begin with %q", len(lines), lines[0])
		}
		for r := range s.Rows {
			for c := range s.Columns {
				v, ok := s.Cell(r, c)
				got, err := strconv.ParseFloat(lines[1+r][1+c], 64)
				if ok != (err == nil) || ok && got != v {
					t.Errorf("cell %d,%d is written as %q, want %v", r, c, lines[1+r][1+c], v)
				}
			}
		}
	}
	text := s.PlainText()
	if !strings.Contains(text, "Running") || !strings.Contains(text, "Avg/Max") {
		t.Errorf("as text:\n%s", text)
	}
}

// The mouse: a click moves the cell cursor, the second goes to the bursts; tabs.
func TestMouseInTheTable(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Time per value")
	a := d.analyzer().Shown()
	pane := d.m.screen().layout().pane
	for _, look := range []string{"numbers", "picture"} {
		d.command("cell-look " + look)
		a.Row, a.Col = 0, 0
		d.m.View()
		pane = d.m.screen().layout().pane // a picture needs less room
		x, y := 0, a.Frame.Body.Y+pane.Y+2+1
		if look == "numbers" {
			x = a.Frame.X[2] + 1
		} else {
			x = a.Frame.Body.X + 2*a.Frame.CellWidth
		}
		d.click(x, y, tea.MouseLeft)
		if a.Row != 1 || a.Col != 2 {
			t.Errorf("%s: a click leads to cell %d,%d, want 1,2", look, a.Row, a.Col)
		}
	}
	clickOn := func(line int, text string) {
		before, _, _ := strings.Cut(d.screen()[line], text)
		d.click(utf8.RuneCountInString(before)+1, line, tea.MouseLeft)
	}
	clickOn(pane.Y, "Profile")
	d.sees("% useful")
	clickOn(d.m.screen().layout().bar.Y, "Notes")
	d.sees("no notes on this trace yet")
	clickOn(d.m.screen().layout().bar.Y, "Table")
	if d.m.panes.current().Title() != analyzer.Title {
		t.Error("a click on the workspace Table does not show the Analyzer")
	}
}

// Every look of every table fills the screen exactly, at every size.
func TestTableAtEverySize(t *testing.T) {
	skipLayout(t)
	for _, text := range []string{traceA, manyThreads(300)} {
		d := onTrace(t, 80, 24, text)
		for _, table := range []string{"Analyzer functions", "Time per value", "Bytes between partners"} {
			d.command("analyze " + table)
			for _, look := range []string{"numbers", "numbers on colours", "picture"} {
				d.command("cell-look " + look)
				for _, size := range [][2]int{{60, 15}, {61, 16}, {80, 24}, {133, 40}, {300, 100}} {
					d.resize(size[0], size[1])
					for _, keys := range [][]string{{"end"}, {"J"}, {"x"}, {"home", "K"}, {"x"}} {
						d.press(keys...)
						d.checkSize(size[0], size[1], table+" "+look)
					}
				}
			}
			d.press("f6")
			d.checkSize(300, 100, "ascii")
			for _, line := range d.screen() {
				for _, r := range line {
					if r > 127 {
						t.Fatalf("with ASCII alone the screen shows %q in %q", r, line)
					}
				}
			}
			d.press("f6")
		}
	}
}

// A session restores the tables of all windows: their questions and windows, their look, and the cursor.
func TestTablesInSessions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 50, Options{Paths: []string{path}})
	d.press("ctrl+t")
	d.command("function Last Evt Val")
	d.command("analyze Average value")
	d.press("d", "down", "enter") // the other window is the data window
	d.press("D", "down", "down", "enter")
	d.command("columns 0 10 2")
	d.press("ctrl+t")
	d.command("columns auto 7")
	d.command("cell-look picture")
	d.command("table-time fixed")
	d.command("sort-columns Maximum")
	d.press("x", "t", ">", "[")
	d.m.Focus, d.m.PaneFocus = 0, false
	d.command("analyze % Time")
	d.command("sort-columns off")
	d.press("r")
	file := filepath.Join(dir, "s.session.json")
	d.command("save-session " + file)
	d.sees("session saved")

	e := drive(t, 120, 50, Options{Session: file})
	for i, w := range d.m.Windows {
		was, is := d.analyzer().Tables(w), e.analyzer().Tables(e.m.Windows[i])
		if len(was) != len(is) {
			t.Fatalf("window %d: %d tables come back of %d", i+1, len(is), len(was))
		}
		for k := range was {
			d.m.Focus, e.m.Focus = i, i
			d.analyzer().Choose(w, k)
			e.analyzer().Choose(e.m.Windows[i], k)
			d.m.PaneFocus, e.m.PaneFocus = false, false
			d.send(windowSize(120, 50))
			e.send(windowSize(120, 50))
			if a, b := d.sheetOf().PlainText(), e.sheetOf().PlainText(); a != b {
				t.Errorf("window %d, table %d comes back as\n%s\nand was\n%s", i+1, k+1, b, a)
			}
			d.m.scene.Messages.Text, e.m.scene.Messages.Text = "", ""
			if a, b := d.styled(), e.styled(); a != b {
				t.Errorf("window %d, table %d looks like\n%s\nand did like\n%s", i+1, k+1,
					strings.Join(e.screen(), "\n"), strings.Join(d.screen(), "\n"))
			}
		}
	}
	for k, a := range e.analyzer().Tables(e.m.Windows[1]) {
		if a.Setup.Data.Window != e.m.Windows[0].ID {
			t.Errorf("table %d: the data window is the one with ID %d, not the first on the screen", k+1,
				a.Setup.Data.Window)
		}
	}
}

// A session with unreadable tables opens without them, and says so.
func TestTablesOfASessionThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.prv"), []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 40, Options{Paths: []string{filepath.Join(dir, "a.prv")}})
	d.command("analyze % Time")
	d.press("ctrl+t")
	d.command("statistic # Bursts")
	file := filepath.Join(dir, "s.session.json")
	d.command("save-session " + file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		was, is, says string
		left          int // tables
	}{
		{`"statistic": "% Time"`, `"statistic": "% Tea"`, `unknown statistic "% Tea"`, 1},
		{`"look": "numbers on colours"`, `"look": "smells"`, `"smells" is none of`, 0},
		{`"of": 1`, `"of": 2`, "not all windows on a.prv are open", 0},
	} {
		if err := os.WriteFile(file, bytes.ReplaceAll(text, []byte(c.was), []byte(c.is)), 0o644); err != nil {
			t.Fatal(err)
		}
		e := drive(t, 160, 40, Options{Session: file})
		e.sees("tables left out", c.says)
		got := 0
		for _, a := range e.analyzer().Tables(e.m.Focused()) {
			if !a.Usual() { // shown by the pane if there is no table
				got++
			}
		}
		if got != c.left {
			t.Errorf("%s: %d tables, want %d", c.is, got, c.left)
		}
	}
}

// a suits the window: it shows shares of time if the values are codes, the greatest first, and statistics if they are
// amounts. It follows the window until the user chooses something.
func TestUsualTable(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press("a")
	// Of 100 us thread 1 runs for 70 and thread 2 for 85; waiting is 20 and 10, idle 10 and 0, latency 0 and 5.
	s := d.sheetOf()
	var names []string
	for _, h := range s.Columns {
		names = append(names, h.Name)
	}
	if got, want := strings.Join(names, ", "),
		"Running, Waiting a message, Idle, Scheduling and Fork/Join"; got != want ||
		s.Statistic.Name != "% Time" {
		t.Errorf("%s of %s, want %% Time of %s", s.Statistic.Name, got, want)
	}
	if v, _ := s.Cell(0, 0); v != 70 {
		t.Errorf("thread 1 runs %g %%, want 70", v)
	}
	d.press("esc")
	d.command("function Int. Between Evt")
	d.press("a")
	d.sees("Analyzer functions")
	d.press("esc")
	d.command("function Last Evt Val")
	d.press("a")
	d.misses("Average value", "Semantic Value")
	d.sees("% Window Time")
	d.press("m")
	d.command("function State As Is")
	d.misses("% Time:") // it was chosen: it stays
}

// The callers of a call: those of the column at the cursor.
func TestCallersOfACall(t *testing.T) {
	var b strings.Builder
	b.WriteString("#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)\n1:1:1:1:1:0:100:1\n")
	// Call 1 from caller 7 in 10..15, call 4 from caller 8 in 20..60, call 4 from caller 7 in 70..80.
	for _, c := range [][4]int{{10, 15, 1, 7}, {20, 60, 4, 8}, {70, 80, 4, 7}} {
		fmt.Fprintf(&b, "2:1:1:1:1:%d:50000001:%d:70000001:%d\n2:1:1:1:1:%d:50000001:0:70000001:0\n", c[0], c[2], c[3],
			c[1])
	}
	d := onTrace(t, 120, 30, b.String())
	d.press("a", "v", "/")
	d.typed("mpi")
	d.press("enter")
	// Call 4 lasts 50 of 100 us, call 1 lasts 5.
	if s := d.sheetOf(); len(s.Columns) != 2 || s.Text(0, 0) != "50" || s.Text(0, 1) != "5" {
		t.Fatalf("profile: %s", s.PlainText())
	}
	d.press("v", "/")
	d.typed("callers of")
	d.press("enter")
	if s := d.sheetOf(); len(s.Columns) != 2 || s.Text(0, 0) != "40" || s.Text(0, 1) != "10" {
		t.Errorf("callers of call 4: %s", s.PlainText())
	}
}

// A matrix of messages is a picture with short names; Enter draws the messages of a cell in the timeline.
func TestMatrixDrawsMessages(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("analyze Bytes between partners")
	d.press("l") // from thread 1.1.1 to 1.2.1: the message of 3000 bytes
	d.sees("3,000 bytes")
	d.press("enter")
	w := d.m.Focused()
	if w.Drawing.Comms != timeline.CommsLogical || w.Drawing.Between != (timeline.Pair{From: 1, To: 2}) {
		t.Errorf("lines %v between %v", w.Drawing.Comms, w.Drawing.Between)
	}
	d.sees("messages from THREAD 1.1.1 to THREAD 1.2.1")
	d.press("esc", "x", "x")
	if w.Drawing.Between != (timeline.Pair{}) {
		t.Error("x must draw all messages again")
	}
}

// A picture of 600 rows shows all: each half of a line shows the greatest value of several rows, and the cursor is on
// the row shown. Thread 400 computes for 90 us of 100, all others for 10.
func TestPictureOfManyRows(t *testing.T) {
	const n = 600
	text := strings.Split(manyThreads(n), "\n")[0] + "\n"
	for i := range n {
		for _, s := range []string{"0:10:1", "10:100:3"} {
			if i == 399 {
				s = map[string]string{"0:10:1": "0:90:1", "10:100:3": "90:100:3"}[s]
			}
			text += fmt.Sprintf("1:%d:1:%d:1:%s\n", i+1, i+1, s)
		}
	}
	d := onTrace(t, 100, 40, text)
	d.press("a")
	d.command("cell-look picture")
	d.sees("600 rows", "each cell the greatest of")
	d.press("right") // most of the time is waiting: Running is the second column
	a := d.analyzer().Shown()
	for range a.Frame.Body.H * 2 {
		if d.press("down"); a.Row == 399 {
			break
		}
	}
	if v, _ := a.Sheet.Cell(a.Row, 1); a.Row != 399 || v != 90 {
		t.Errorf("row %d, %v", a.Row, v)
	}
	d.sees("1.400.1")
	d.press("R") // each row separately
	d.misses("each cell the greatest of")
	d.sees("1.400.1", "1.395.1")
	d.press("up")
	if a.Row != 398 {
		t.Errorf("row %d", a.Row)
	}
}
