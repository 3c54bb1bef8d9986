package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/action"
	"pview/tui/dialog"
)

func TestHelpListsEveryAction(t *testing.T) {
	d := onTrace(t, 200, 100, traceA)
	d.press("?")
	p := d.m.dialogs.Top().(*dialog.Pager)
	var text strings.Builder
	for _, line := range p.Lines(&d.m.dialogs) {
		text.WriteString(line.Plain() + "\n")
	}
	for _, a := range Actions() {
		if !strings.Contains(text.String(), a.Name) {
			t.Errorf("the help does not have %s", a.Name)
		}
		for _, k := range a.Keys {
			if len(a.Keys) <= 4 && !strings.Contains(text.String(), action.KeyLabel(k)) {
				t.Errorf("the help does not have the key %s of %s", action.KeyLabel(k), a.Name)
			}
		}
	}
	for _, g := range Gestures() {
		if !strings.Contains(text.String(), g.Does) {
			t.Errorf("the help does not have %s", g.Does)
		}
	}
}

// Every action has a unique name and line, and no key does two things. Some keys mean the same in every pane: those of
// the workspaces, of the program, and those that narrow, explain, copy and export.
func TestTableOfActions(t *testing.T) {
	const most, mostKeyed = 200, 120 // actions, and those with keys
	keyed := 0
	for _, a := range Actions() {
		if len(a.AllKeys()) > 0 {
			keyed++
		}
	}
	if n := len(Actions()); n > most || keyed > mostKeyed {
		t.Errorf("%d actions, %d with keys", n, keyed)
	}
	names, keys := map[string]bool{}, map[string]string{}
	everywhere := map[string]string{"/": "show only", "e": "explain", "y": "copy", "E": "write", "tab": "page",
		"shift+tab": "page", "?": "", ":": "", "B": "", "a": "", "s": "", "=": "", "N": ""}
	for _, a := range blank().palette.Actions.Each() {
		if names[a.Name] {
			t.Errorf("two actions are called %s", a.Name)
		}
		names[a.Name] = true
		if a.Doc == "" || strings.HasSuffix(a.Doc, ".") {
			t.Errorf("%s: keys %v, %q", a.Name, a.Keys, a.Doc)
		}
		places := map[string][]string{"": a.Keys}
		if a.InPane {
			places = map[string][]string{a.Group: a.Keys}
		} else if a.Panes != nil {
			places = a.Panes
		}
		for place, in := range places {
			for _, k := range in {
				k = place + " " + k
				if by := keys[k]; by != "" {
					t.Errorf("the key %s is for %s and for %s", k, by, a.Name)
				}
				keys[k] = a.Name
				if word, ok := everywhere[strings.TrimPrefix(k, place+" ")]; ok && place != "" &&
					(word == "" || !strings.Contains(a.Doc, word)) {
					t.Errorf("the key %s is for %s", k, a.Name)
				}
			}
		}
		found := false
		for _, g := range Groups() {
			found = found || g == a.Group
		}
		if !found {
			t.Errorf("%s is in the group %q, which the help does not have", a.Name, a.Group)
		}
	}
}

func TestPalette(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	d.press(":")
	d.typed("zoom")
	d.sees("zoom in [FACTOR]", "zoom out", "show half the time")
	d.press("esc")
	if d.m.dialogs.Top() != nil {
		t.Fatal("Esc does not close the palette")
	}
	d.command("full")
	d.command("zoom-in 4")
	if w := d.m.Focused(); w.Duration() != 25 {
		t.Errorf("zoom-in 4 leads to %d..%d", w.Begin, w.End)
	}
	d.press(":")
	d.typed("leve")
	d.press("tab")
	d.typed("ta")
	d.press("tab", "enter")
	if l := d.m.Focused().Sem.Level; l != prv.LevelTask {
		t.Errorf("completed to the level %s", l)
	}
	d.command("nonsense")
	d.sees(`no such command: "nonsense"`)
	d.press(":", "up")
	if p := d.m.dialogs.Top().(*dialog.Prompt); p.Input.String() != "nonsense" {
		t.Errorf("the line before is %q", p.Input.String())
	}
}

func TestPaletteTakesTheChosenOne(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	d.press(":")
	d.typed("overv")
	d.press("enter")
	if d.m.drawing.Overview {
		t.Error("the only command that fits was not run")
	}
	d.press(":")
	d.typed("hexadecimal") // in a command's description, in no name
	d.sees("what hex")
	d.press("enter")
	d.sees(`no such command: "hexadecimal"`)
}

func TestRefusals(t *testing.T) {
	d := onTrace(t, 120, 24, traceA)
	for command, want := range map[string]string{
		"goto nowhere":       `"nowhere" is neither a time nor an event label`,
		"view 10":            "view needs two times",
		"view 60 20":         "20 is not after 60",
		"zoom-in 0.5":        "factor must be > 1",
		"level moon":         `"moon" is none of`,
		"function Nothing 1": "unknown thread function",
		"scale 5 1":          "the smaller first",
		"filter colour=3":    `"colour=3" is not a criterion`,
		"filter size=[1]":    "a range needs two numbers",
		"in-state 99x":       "unknown state",
		"event xyz":          "no event type or value",
		"rows 99":            "no thread matches",
		"rows (":             "neither a list",
		"row 7":              `no row "7"`,
		"window 5":           "no window 5",
		"sync x":             "group must be",
		"play fast":          "speed must be",
		"quit now":           "takes no argument",
		"goto type=40 tag=5": "cannot search for",
		`goto "x`:            `a closing " is missing`,
		"fold Maximum":       "no level below threads",
		"rows-invert":        "nothing to invert",
		"next":               "no search yet",
		"same-view":          "only one window",
		"zoom-selection":     "nothing selected",
	} {
		d.m.navigator.Query = nil
		d.command(command)
		d.sees(want)
		d.m.dialogs.Close()
	}
}

func TestFunctionFilterAndLevels(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.command("function in state 1,3")
	w := d.m.Focused()
	if c := w.Sem.Functions[prv.LevelThread]; c.Name != "In State" || len(c.Params) != 1 || c.Params[0][1] != 3 {
		t.Errorf("the function is %+v", c)
	}
	d.command("in-state waiting a mess")
	if c := w.Sem.Functions[prv.LevelThread]; c.Params[0][0] != 3 || len(c.Params[0]) != 1 {
		t.Errorf("in-state by name gives %+v", c)
	}
	d.sees("In State {3}")
	d.press("u", "u")
	if c := w.Sem.Functions[prv.LevelThread]; c.Name != "State As Is" {
		t.Errorf("after undo the function is %+v", c)
	}
	d.command("event block")
	if types := timeline.ListedTypes(&w.Sem.Filter); w.Sem.Functions[prv.LevelThread].Name != "Last Evt Val" ||
		len(types) != 1 || types[0] != 40 {
		t.Errorf("event by label: %+v", w.Sem)
	}
	d.sees("Last Evt Val: Block")
	for _, l := range []prv.Level{prv.LevelTask, prv.LevelPtask, prv.LevelWorkload, prv.LevelCPU, prv.LevelNode,
		prv.LevelSystem, prv.LevelThread} {
		d.press("t")
		if w.Sem.Level != l {
			t.Errorf("the next level is %s, want %s", w.Sem.Level, l)
		}
		d.sees("· " + l.String())
	}
}

func TestLevelsWithoutResources(t *testing.T) {
	d := onTrace(t, 120, 30, "#Paraver (01/01/03 at 00:00):100:0:1:2(1:0,1:0)\n1:0:1:1:1:0:30:1\n1:0:1:2:1:0:100:3\n")
	d.command("level node")
	d.sees("no resource information")
	for range 4 {
		d.press("t")
		if d.m.Focused().Sem.Level.IsResource() {
			t.Error("the level key goes to a level that the trace does not have")
		}
	}
}

// A22: the filter decides which records What/Where, flags and searches see.
func TestFilteredFlags(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press("W")
	d.sees("8 events")
	d.command("filter type=40 value>0")
	d.sees("3 events")
}

func TestObjects(t *testing.T) {
	d := onTrace(t, 100, 40, manyThreads(12))
	w := d.m.Focused()
	rows := func() (list []int) {
		for r := range w.Rows(w.Trace.Data) {
			list = append(list, w.Object(r)+1)
		}
		return list
	}
	check := func(what string, want ...int) {
		t.Helper()
		got := rows()
		if len(got) != len(want) {
			t.Errorf("%s: rows %v, want %v", what, got, want)
			return
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: rows %v, want %v", what, got, want)
			}
		}
	}
	d.command("rows 2-4,9")
	check("a list", 2, 3, 4, 9)
	d.press("~")
	check("inverted", 1, 5, 6, 7, 8, 10, 11, 12)
	d.command(`rows 1\.1[0-2]\.`)
	check("a regular expression", 10, 11, 12)
	d.press("X")
	check("one hidden", 11, 12)
	d.press("u", "u", "u")
	check("undone", 2, 3, 4, 9)
	d.press("O")
	check("all", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	d.press("Y", "ctrl+x", "tab", "down", "tab", "enter")
	check("checked in the list", 1, 3)
	d.press("Y", "ctrl+x", "enter")
	d.sees("at least one object")
}

func TestRowsScrollAndZoom(t *testing.T) {
	d := onTrace(t, 100, 24, manyThreads(64))
	w := d.m.Focused()
	if w.Span != 0 {
		t.Errorf("at first %d rows are in view, not all", w.Span)
	}
	d.press("]", "]")
	if w.Span != 16 {
		t.Errorf("half of half of 64 rows is %d", w.Span)
	}
	for range 20 {
		d.press("down")
	}
	if w.CursorRow != 20 || w.Top != 5 {
		t.Errorf("20 rows down: row %d, first row %d", w.CursorRow, w.Top)
	}
	d.press("J")
	if w.CursorRow != 63 || w.Top != 48 {
		t.Errorf("the last row: row %d, first row %d", w.CursorRow, w.Top)
	}
	d.press("K", "pgdown")
	if w.CursorRow != 16 {
		t.Errorf("a page down: row %d", w.CursorRow)
	}
	d.command("row 1.40.1")
	if w.CursorRow != 39 || w.Top > 39 || w.Top+w.Span <= 39 {
		t.Errorf("row by name: row %d, first row %d", w.CursorRow, w.Top)
	}
	d.press("*")
	if w.Span != 0 || w.Top != 0 {
		t.Error("all rows again")
	}
}

func TestPanZoomUndo(t *testing.T) {
	d := onTrace(t, 115, 24, strings.Replace(traceA, ":100:", ":1000000:", 1))
	w := d.m.Focused()
	d.goTo("300000")
	d.press("+", "+")
	if w.Duration() != 250000 {
		t.Fatalf("zoomed in twice: %d..%d", w.Begin, w.End)
	}
	var begins []int64
	for _, key := range []string{"right", "right", ")", "left"} {
		begins = append(begins, w.Begin)
		if d.press(key); w.Begin == begins[len(begins)-1] {
			t.Errorf("%s does not pan", key)
		}
	}
	for _, begin := range slices.Backward(begins) { // one by one
		if d.press("u"); w.Begin != begin {
			t.Errorf("undo of a pan leads to %d, not %d", w.Begin, begin)
		}
	}
	d.press("u", "u")
	if w.Begin != 0 || w.End != 1000000 {
		t.Errorf("undo of the zooms leads to %d..%d", w.Begin, w.End)
	}
	d.press("u")
	d.sees("nothing to undo")
	d.press("ctrl+r", "ctrl+r", "ctrl+r")
	if w.Duration() != 250000 || w.Begin != begins[1] {
		t.Errorf("redo leads to %d..%d", w.Begin, w.End)
	}
	d.press("}", "end")
	if w.End != 1000000 || w.Cursor != 999999 {
		t.Errorf("the end: %d..%d, cursor %d", w.Begin, w.End, w.Cursor)
	}
	d.press("home")
	if w.Begin != 0 || w.Cursor != 0 {
		t.Errorf("the begin: %d..%d, cursor %d", w.Begin, w.End, w.Cursor)
	}
}

func TestZoomGoesDownToSingleUnits(t *testing.T) {
	d := onTrace(t, 115, 24, traceA)
	for range 30 {
		d.press("+")
		d.checkSize(115, 24, "zoom")
	}
	if w := d.m.Focused(); w.Duration() != timeline.MinSpan {
		t.Errorf("the shortest view is %d long", w.Duration())
	}
	for range 30 {
		d.press("-")
	}
	if w := d.m.Focused(); w.Begin != 0 || w.End != 100 {
		t.Errorf("and back: %d..%d", w.Begin, w.End)
	}
}

func TestBursts(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	for _, want := range []int64{30, 50, 90} {
		d.press("w")
		if d.at() != want {
			t.Errorf("the next burst begins at %d, want %d", d.at(), want)
		}
	}
	d.press("w")
	d.sees("no more bursts")
	d.press("b", "b")
	if d.at() != 30 {
		t.Errorf("two bursts back is %d", d.at())
	}
	d.press(".")
	if w := d.m.Focused(); w.Begin > 30 || w.End < 50 || w.Duration() > 30 {
		t.Errorf("zoomed on the burst: %d..%d", w.Begin, w.End)
	}
}

func TestSearchPicker(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press("/")
	d.sees("Search events", "Block", "40  6 events")
	d.typed("block")
	d.press("tab")
	if d.at() != 10 {
		t.Errorf("the next event of the type is at 10, not %d", d.at())
	}
	d.press("n", "n")
	if d.at() != 25 {
		t.Errorf("n goes on to %d", d.at())
	}
	d.press("/")
	d.typed("500")
	d.press("ctrl+o")
	if len(d.m.Windows) != 2 || d.m.Focused().Title() != "Last Evt Val: type 500" {
		t.Errorf("in a new window: %d windows, %s", len(d.m.Windows), d.m.Focused().Title())
	}
	d.press("/")
	d.typed("block")
	d.press("enter")
	if d.m.Focused().Title() != "Last Evt Val: Block" {
		t.Errorf("here: %s", d.m.Focused().Title())
	}
	d.press("/")
	d.typed("no such label")
	d.sees("nothing fits")
	d.press("enter")
	if d.m.dialogs.Top() == nil {
		t.Error("Enter on nothing closes the list")
	}
}

func TestSelectionByKeys(t *testing.T) {
	d := onTrace(t, 115, 24, traceA)
	d.goTo("20")
	d.press("space")
	d.goTo("59")
	d.press("space", "z")
	if w := d.m.Focused(); w.Begin != 20 || w.End < 59 || w.End > 61 {
		t.Errorf("the selection zooms to %d..%d", w.Begin, w.End)
	}
	d.press("u", "space", "l", "esc")
	if _, _, ok := d.m.Selection(); ok {
		t.Error("Esc does not drop the selection")
	}
}

func TestDrawAndColorModes(t *testing.T) {
	d := onTrace(t, 120, 24, traceA)
	w := d.m.Focused()
	d.command("draw-mode mode")
	if w.Drawing.Modes.Time != series.MostTime {
		t.Errorf("the draw mode is %s", w.Drawing.Modes.Time)
	}
	d.sees("· mode")
	d.press("c")
	if w.Drawing.Color != raster.Gradient {
		t.Errorf("the next colour mode is %d", w.Drawing.Color)
	}
	d.sees("gradient 0..7")
	d.press("alt+y")
	d.sees("fixed")
	d.command("scale 0 3")
	if !w.Drawing.Fixed || w.Drawing.Scale != (raster.Scale{Min: 0, Max: 3}) {
		t.Errorf("the scale is %+v", w.Drawing.Scale)
	}
	d.command("gradient log")
	if raster.GradientFunctions[w.Drawing.Gradient].Name != "Logarithmic" {
		t.Errorf("the gradient is %d", w.Drawing.Gradient)
	}
	d.press("G")
	d.sees("function line 0..3 fixed", "height: 0 to 3")
	for range 6 {
		d.press("u")
	}
	if w.Drawing != (timeline.Drawing{}) {
		t.Errorf("undone, the look is %+v", w.Drawing)
	}
}

func TestWindows(t *testing.T) {
	d := onTrace(t, 120, 28, traceA)
	d.press("ctrl+t", "ctrl+t")
	d.command("rename third")
	d.sees("1 State As Is", "2 State As Is", "3 third")
	d.press("1")
	if d.m.Focus != 0 {
		t.Error("the key 1 does not go to the first window")
	}
	d.press("tab", "tab", "tab")
	if d.m.Focus != 0 {
		t.Errorf("round to window %d", d.m.Focus+1)
	}
	d.press("ctrl+down")
	if d.m.Focus != 1 {
		t.Error("the window did not move down")
	}
	d.press("F")
	d.sees("window 2 of 3")
	d.press("F", "S")
	d.command("view 10 20")
	d.press("tab")
	d.command("view 40 50")
	d.press("tab", "tab", "&")
	for i, w := range d.m.Windows {
		if w.Duration() != 10 {
			t.Errorf("window %d shows %d", i+1, w.Duration())
		}
	}
	d.press("%")
	for i, w := range d.m.Windows {
		if w.Begin != 10 || w.End != 20 {
			t.Errorf("window %d shows %d..%d", i+1, w.Begin, w.End)
		}
	}
	d.press("ctrl+w", "ctrl+w", "ctrl+w")
	d.sees("this is the last window", " 1.1.1 ")
	d.press("ctrl+x")
	d.sees("No trace is open")
	if len(d.m.Traces) != 0 {
		t.Error("the trace without a window is kept")
	}
	d.press("+", "v", "enter")
	d.sees("no trace is open")
}

func TestProblemsAreShown(t *testing.T) {
	d := onTrace(t, 120, 30, traceA+"1:1:1:9:1:0:5:1\n2:1:1:1:1:x:40:1\n1:1:1:1:1:9:5:1\n1:1:1:1:1:95")
	d.sees("⚠ 2 records skipped, cut short (:problems)")
	d.press("!")
	d.sees("Skipped records", "no such ptask, task or thread", "field is not a number", "in all",
		"Cut short")
	d.press("!")
	d.misses("Skipped records")
	d = onTrace(t, 120, 30, traceA)
	d.misses("⚠")
	d.press("!")
	d.sees("no problems")
	d.command("open none.prv") // the message stays in the list
	d.command("errors")
	d.sees("Traces that could not be read", "none.prv", "no such file")
	d.press("ctrl+x", "!")
	d.sees("Problems", "no such file", "Ctrl+O open") // in a box, if there is no trace
}

func TestOpenByPath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "other.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := onTrace(t, 120, 40, traceA)
	d.press(":")
	d.typed("open " + dir + "/ot")
	d.sees("other.prv")
	d.press("tab", "enter")
	if len(d.m.Windows) != 2 || len(d.m.Traces) != 2 {
		t.Fatalf("%d windows, %d traces", len(d.m.Windows), len(d.m.Traces))
	}
	d.command("open " + path)
	if len(d.m.Windows) != 3 || len(d.m.Traces) != 2 {
		t.Errorf("the same trace again: %d windows, %d traces", len(d.m.Windows), len(d.m.Traces))
	}
	d.command("open " + filepath.Join(dir, "none.prv"))
	d.sees("none.prv", "no such file")
	d.press("ctrl+x")
	if len(d.m.Windows) != 1 || len(d.m.Traces) != 1 {
		t.Errorf("after closing the trace: %d windows, %d traces", len(d.m.Windows), len(d.m.Traces))
	}
}

func TestASCIIHasNothingElse(t *testing.T) {
	yes := true
	tr := traceOf(t, traceA)
	d := drive(t, 100, 40, Options{ASCII: &yes, Demo: func() (*prv.Trace, error) { return tr, nil }})
	for _, keys := range [][]string{{}, {"x", "W", "i"}, {"ctrl+t", "G", "c"}, {"?"}, {"esc", ":"}, {"esc", "v"},
		{"esc", "m", "l", "l", "M"}, {">"}, {"esc", "esc", "!"}} {
		d.press(keys...)
		for _, line := range d.screen() {
			for _, r := range line {
				if r > 126 {
					t.Fatalf("after %v the screen has %q: %s", keys, r, line)
				}
			}
		}
	}
}

// The verb for pages, and its former names, complete the pages of the pane in focus.
func TestPagesAreCompleted(t *testing.T) {
	for _, c := range []struct{ open, verb, typed, page string }{
		{"simulator", "pane-page", "coll", "collectives"}, {"simulator", "sim-page", "coll", "collectives"},
		{"workload", "workload-page", "hist", "histogram"}, {"network", "network-page", "matr", "matrix"},
	} {
		d := onTrace(t, 100, 30, traceA)
		d.command(c.open)
		d.press(":")
		d.typed(c.verb + " " + c.typed)
		d.press("tab")
		p, ok := d.m.dialogs.Top().(*dialog.Prompt)
		if !ok || strings.ToLower(p.Input.String()) != c.verb+" "+c.page {
			t.Errorf("%s %s in %s is completed to %q", c.verb, c.typed, c.open, p.Input.String())
		}
	}
}

// The palette answers engineers' questions: Enter runs the command of the task, whatever its name.
func TestPaletteKnowsTasks(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press(":")
	d.sees("why is it slow", "who waits for whom")
	d.press("esc")
	for text, want := range map[string]string{"why slow": "Findings", "how much": "Analyzer", "hot spots": "Profile"} {
		if d.command(text); d.m.panes.current().Title() != want {
			t.Errorf("%q opens %s, not %s", text, d.m.panes.current().Title(), want)
		}
	}
	for text, want := range map[string]string{"ipc": "classes", "compare": "compare", "who waits": "explain-wait",
		"export": "export", "threads or tasks": "level"} {
		d.press(":")
		d.typed(text)
		if o := d.m.dialogs.Top().(*dialog.Prompt).Completions; len(o) == 0 || strings.TrimSpace(o[0].Text) != want {
			t.Errorf("%q offers %+v, want %q", text, o, want)
		}
		d.press("esc")
	}
}

// Letters in a list are keys: j moves, / narrows, the first Esc shows all items again, the second closes the list.
func TestPickersMove(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.press("v")
	p := d.m.dialogs.Top().(*dialog.Picker)
	all, first := len(p.Shown), p.Chosen()
	d.press("j", "j", "k")
	if p.Chosen() != &p.Items[1] || len(p.Shown) != all {
		t.Errorf("j j k chooses %v of %d items, was %v of %d", p.Chosen(), len(p.Shown), first, all)
	}
	d.press("/", "u", "s", "e")
	if len(p.Shown) >= all {
		t.Errorf("narrowed, %d of %d items are shown", len(p.Shown), all)
	}
	d.press("esc")
	if d.m.dialogs.Top() != p || len(p.Shown) != all {
		t.Errorf("after Esc %d of %d items are shown", len(p.Shown), all)
	}
	d.press("esc")
	if d.m.dialogs.Top() != nil {
		t.Error("the second Esc does not close the list")
	}
}

// y copies the line of a list, the table, or the page as drawn.
func TestCopyInEveryPane(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	for _, c := range []struct{ key, copied string }{
		{"B", "copied the line"}, {"a", "copied 2 rows of 4 columns"}, {"s", "copied the page"}, {"=", "copied"},
	} {
		d.press(c.key, "y")
		d.sees(c.copied)
	}
}

// y copies a record of What/Where, and / looks for a text in the records: both write each of them as one line.
func TestCopyOfARecord(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.show(d.what(), true)
	d.press("j", "y")
	d.sees("copied the line")
	d.press("/")
	d.typed("running")
	d.sees("/running: ")
}

// Offers without descriptions have the width of the screen.
func TestLongOffers(t *testing.T) {
	const name = "run-of-the-solver-with-a-name-that-is-longer-than-half.prv"
	path := aFile(t, name, lateSender)
	d := drive(t, 80, 24, Options{Paths: []string{path}})
	t.Chdir(filepath.Dir(path))
	d.press("ctrl+o")
	d.typed("run")
	if offer := d.screen()[22]; !strings.Contains(offer, name) {
		t.Errorf("the offer is %q", offer)
	}
}
