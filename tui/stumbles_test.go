package tui

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/demo"
	"pview/prv/prvtest"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
)

// Problems of users with a question, so that they stay fixed.

func onDemo(t *testing.T, width, height int) *driver {
	t.Helper()
	tr, err := demo.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, width, height, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
}

// The event types of a view are its own: the prompt of the filter does not ask for them, a filter on messages keeps the
// view and its name, and is named in the heading.
func TestFilterKeepsTheView(t *testing.T) {
	d := onDemo(t, 120, 30)
	d.press("v", "/")
	d.typed("MPI call")
	d.press("enter")
	types := d.m.Focused().Sem.Filter.Events.Type
	d.press("f")
	d.misses("type=5", "e+07")
	d.sees("on top of the event types of MPI call")
	d.typed("size>1000")
	d.press("enter")
	w := d.m.Focused()
	if w.Title() != "MPI call" || !w.Sem.Filter.Events.Type.Equal(&types) ||
		w.Sem.Filter.Comms.Size.Func != filter.Greater {
		t.Errorf("%q shows %+v", w.Title(), w.Sem.Filter)
	}
	d.sees("MPI call · thread · filter size>1000")
	d.command("filter type=50000001,50000002")
	d.misses("e+07", "MPI call · thread")
	d.press("P")
	d.sees("50000001,50000002")
}

func TestFilterKeepsTheCriticalPath(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.press("alt+k")
	d.press("esc")
	d.sees("Critical path · thread", "On the critical path")
	d.press("f")
	d.typed("size>10")
	d.press("enter")
	d.sees("Critical path · thread · filter size>10", "On the critical path")
	d.command("filter type=50000001")
	d.sees("Critical path has none of these event types: Alt+E shows others", "Critical path · thread · filter size>10")
}

// TestPartnerFilter: of the messages of trace A only those from or to an object pass, seen from the row.
func TestPartnerFilter(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.command("filter partner=2")
	if f := &d.m.Focused().Sem.Filter; f.Comms.Partner.Func != filter.Equal || f.Comms.Partner.Values[0] != 2 {
		t.Fatalf("%+v", f)
	}
	d.sees("filter partner=2")
	file := filepath.Join(t.TempDir(), "a.cfg")
	d.command("save-cfg " + file)
	d.sees("without the filter on partners")
}

// A derived window follows its parents, and undo reverts both.
func TestDerivedWindowFollows(t *testing.T) {
	d := onTrace(t, 120, 50, traceA)
	d.press("ctrl+t")
	d.command("function In State 1")
	d.command("derive 1 product 2")
	w := d.m.Focused()
	d.sees("follows 1 and 2")
	first := d.m.Windows[0]
	d.press("1")
	d.command("function In State 3")
	if a := w.Sem.Derived.A.Window; a.Key() != first.Sem.Key() {
		t.Errorf("it is still made of %s", a.Describe())
	}
	d.sees("follows 1 and 2", "In State {3} product")
	d.press("u")
	if a := w.Sem.Derived.A.Window; a.Key() != first.Sem.Key() || a.Functions[prv.LevelThread].Name != "State As Is" {
		t.Errorf("after undo it is made of %s", a.Describe())
	}
	// If one of two windows with the same content changes, the derived window still follows the other.
	d.press("1", "ctrl+t")
	d.command("function In State 5")
	if a := w.Sem.Derived.A.Window; a.Key() != first.Sem.Key() {
		t.Errorf("it left window 1 for %s", a.Describe())
	}
}

// A table named after its view's content loses the name when the content changes, here and in sessions.
func TestTableLosesANameThatIsNotTrue(t *testing.T) {
	dir := t.TempDir()
	d := onDemo(t, 120, 40)
	d.command("analyze MPI calls")
	d.sees("MPI calls: # Bursts")
	d.command("function State As Is")
	d.command("filter type-or-value")
	d.misses("MPI calls")
	file := filepath.Join(dir, "s.session.json")
	d.command("save-session " + file)
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "MPI calls") {
		t.Error("the session has the table as MPI calls")
	}
}

// A table with automatic columns ends at the greatest value: trace A has messages of 1000 to 3000 bytes.
func TestLastColumnOfATableHasValues(t *testing.T) {
	d := onTrace(t, 160, 50, traceA)
	d.command("analyze Message sizes")
	d.press("end")
	a := d.analyzer().Shown()
	if len(a.Sheet.Columns) == 0 {
		t.Fatal("no columns")
	}
	d.misses("nothing here")
	d.press("enter")
	d.misses("no bursts")
	d.command("columns auto")
	d.command("empty-columns")
	d.press("home", "end")
	for row := range a.Sheet.Rows {
		if _, ok := a.Sheet.Cell(row, a.Col); ok {
			return
		}
	}
	t.Errorf("End goes to the empty column %s", a.Sheet.Columns[a.Col].Name)
}

// Sorting shows the row that comes first.
func TestSortedRowsAreShownFromTheTop(t *testing.T) {
	d := onTrace(t, 100, 30, manyThreads(300))
	d.command("analyze Time per value")
	d.press("J", "J")
	a := d.analyzer().Shown()
	if a.Row == 0 {
		t.Fatal("the cursor did not move")
	}
	d.press("r")
	if a.Row != 0 || a.Frame.Body.H > 0 && !strings.Contains(strings.Join(d.screen(), "\n"),
		strings.TrimPrefix(a.Sheet.Rows[0].Name, "THREAD ")) {
		t.Errorf("after sorting the cursor is on row %d", a.Row)
	}
}

// A time range that is too short, or past the end, is shown as far as possible, with a message.
func TestTimeRangeThatCannotBeShown(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.command("view 50 51")
	d.sees("the shortest view is 2 ")
	d.command("view 90 200")
	d.sees("200 is after the end, 100 ")
	d.command("view 20 60")
	d.misses("shown is")
}

// A session is recognised by its contents; one saved without an ending gets the usual one.
func TestSessionWithoutSuffix(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 30, Options{Paths: []string{path}})
	d.command("save-session " + filepath.Join(dir, "mine"))
	if !IsSession(filepath.Join(dir, "mine"+SessionExt)) {
		t.Errorf("no session: %s", d.m.scene.Messages.Text)
	}
	d.command("save-session " + filepath.Join(dir, "mine.txt"))
	if !IsSession(filepath.Join(dir, "mine.txt")) || IsSession(path) {
		t.Error("a session is not told from a trace")
	}
}

// A template of a .cfg opens without a question; its notes are one line, and in the list of problems.
func TestCfgRemarksAreNoDialog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.cfg")
	text :=
		"#ParaverCFG\nwindow_name w\nwindow_type single\nwindow_selected_functions { 1, { {thread, State As Is} } " +
			"}\nwindow_open true\nwindow_width @WIDTH@\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := onTrace(t, 140, 30, traceA)
	d.command("open-cfg " + file)
	if d.m.dialogs.Top() != nil {
		t.Error("a dialog is open")
	}
	d.sees("1 window, 0 histograms; 1 remark: a template whose values were not filled in, defaults are used: @WIDTH@")
	d.press("!")
	d.sees("@WIDTH@")
}

// Numbers that do not fit are omitted as a whole.
func TestSimulatorHeadingFits(t *testing.T) {
	skipLayout(t)
	whole := regexp.MustCompile(`^ Predicted .* of measured( [\d.]+ \w+)?( \(speedup [\d.]+\))?` +
		`(   computing [\d.]+ %)?(   replay [-+][\d.]+ %)?(   [-+\d.]+ % against run \d+)?` +
		`(   [\d,]+ messages, [\d.]+ \w+)? *$`)
	for width := 80; width <= 140; width += 4 {
		d := onDemo(t, width, 40)
		d.press("s")
		d.press("c")
		d.command("machine-set latency 300us")
		d.fire()
		for _, line := range d.screen() {
			if strings.HasPrefix(line, " Predicted") && !whole.MatchString(line) {
				t.Errorf("%d columns: %q", width, line)
			}
		}
	}
}

// Every wrong expression gets an answer in words.
func TestNamesThatExist(t *testing.T) {
	d := onTrace(t, 200, 30, prvtest.TraceA)
	d.command("function = event(50000001)")
	d.sees(`unknown name "event"; known: state, `)
	d.command("function = stat == 1")
	d.sees(`unknown name "stat"; known: state, `)
	d.command("function = state = 1")
	d.sees(`"=" compares nothing: == compares`)
	d.misses("unexpected token")
}

// A prefilled text is selected: a character replaces it, an arrow key edits it.
func TestPrefilledTextIsSelected(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press("f2")
	d.typed("x")
	if p := d.m.dialogs.Top().(*dialog.Prompt); p.Input.String() != "x" {
		t.Errorf("typing leads to %q", p.Input.String())
	}
	d.press("esc", "f2", "right")
	d.typed("x")
	if p := d.m.dialogs.Top().(*dialog.Prompt); p.Input.String() != "State As Isx" {
		t.Errorf("→ and typing leads to %q", p.Input.String())
	}
	d.press("esc", "f2", "left")
	d.typed("x")
	if p := d.m.dialogs.Top().(*dialog.Prompt); p.Input.String() != "xState As Is" {
		t.Errorf("← and typing leads to %q", p.Input.String())
	}
	d.press("esc", "f2", "backspace")
	if p := d.m.dialogs.Top().(*dialog.Prompt); p.Input.String() != "" {
		t.Errorf("Backspace leaves %q", p.Input.String())
	}
}

// Enter runs a command whose name or alias starts with the text, never one that merely has the letters.
func TestPaletteRunsNoWeakMatch(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	before := d.m.Focused().Setup
	d.command("pnr") // pan-right has these letters
	d.sees(`no such command: "pnr"; nearest: `)
	if !d.m.Focused().Setup.Equal(&before) {
		t.Error("it moved the view")
	}
	d.command("imb")
	if got := d.m.panes.current().Title(); got != "Efficiency" {
		t.Errorf(":imb opens %s", got)
	}
	d.press("esc")
	d.command("png x")
	d.misses("no such command")
	d.command("zoom-ni")
	d.sees("nearest: zoom in")
	d.press("esc")
	// The commands of the pane in focus come first.
	d.press("a", ":")
	d.typed("sort")
	if o := d.m.dialogs.Top().(*dialog.Prompt).Completions[0]; o.Text != "sort rows" {
		t.Errorf("first is %q", o.Text)
	}
}

// The help starts with the actions of the pane in focus, and the status line says that the pane has the keys.
func TestHelpBeginsWhereTheUserIs(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	d.press("?")
	d.sees("The windows", "←→       pan", "all keys and commands", "Move")
	d.press("esc", "a")
	if lines := d.screen(); !strings.HasPrefix(lines[len(lines)-1], "  Analyzer ") {
		t.Errorf("the status line is %q", lines[len(lines)-1])
	}
	d.press("?")
	d.sees("Table, Analyzer: how much, of what, where?", "v        choose table", "all keys and commands")
	d.misses("Move")
	d.press(slices.Repeat([]string{"down"}, 10)...)
	d.sees("While Analyzer has the focus")
}

// The card of the help is one screen of 80x24 for every pane, with nothing cut; it names only keys of its pane.
func TestHelpCards(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	titles := []string{""}
	for _, p := range d.m.panes.list {
		titles = append(titles, p.Title())
	}
	for _, here := range titles {
		hints := action.Hints(windowHints, spaceHints, moreHints, selectionHints, exportHint, programHints)
		if d.m.panes.shown = d.m.panes.titled(here); here != "" {
			hints = action.Hints(d.m.panes.current().Hints(), pageHints)
		}
		if len(hints) <= len(pageHints) {
			t.Errorf("%q has no card", here)
		}
		title, parts := d.m.card(here)
		lines := about.Card(title, parts, d.m.theme, 76)
		if n := len(lines) - 1; n > 19 { // the last is blank; box and foot take 5 of 24
			t.Errorf("%q: %d lines", here, n)
		}
		for _, line := range lines {
			if text := line.Plain(); strings.Contains(text, "…") || raster.TextWidth(text) > 76 {
				t.Errorf("%q: %q", here, text)
			}
		}
		does := map[string]string{}
		for _, part := range parts {
			for _, k := range part.Keys {
				if other, ok := does[k[0]]; ok {
					t.Errorf("%q: %s means %q and %q", here, k[0], other, k[1])
				}
				does[k[0]] = k[1]
			}
		}
		for _, k := range hints {
			for _, name := range k.Names() {
				a := d.m.palette.Actions.Named(name)
				if a == nil {
					t.Fatalf("%q: no action %q", here, name)
				}
				if keys := append(slices.Clone(a.Keys), a.Panes[here]...); len(keys) == 0 {
					t.Errorf("%q: %q has no key", here, name)
				} else if a.InPane && d.m.palette.Actions.InPane(here, keys[0]) != a {
					t.Errorf("%q: %q is not the action of %q", here, name, keys[0])
				}
			}
		}
	}
}

// Undo opens closed windows again, with their tables, and traces.
func TestUndoOpensClosedWindows(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("ctrl+t")
	d.command("function In State 1")
	d.command("analyze Time per value")
	d.press("esc", "ctrl+w")
	if len(d.m.Windows) != 1 {
		t.Fatal("not closed")
	}
	d.press("u")
	d.sees("1 window reopened", "In State {1}", "Time per value")
	if len(d.m.Windows) != 2 || d.m.Focus != 1 {
		t.Errorf("%d windows, focus %d", len(d.m.Windows), d.m.Focus)
	}
	d.press("u") // and then the actions before
	if f := d.m.Focused().Sem.Functions[prv.LevelThread].Name; f != "State As Is" {
		t.Errorf("undo leads to %s", f)
	}
	d.press("ctrl+x")
	if len(d.m.Windows) != 0 || len(d.m.Traces) != 0 {
		t.Fatalf("%d windows", len(d.m.Windows))
	}
	d.press("u")
	d.sees("2 windows reopened", " 1.1.1 ")
	if len(d.m.Traces) != 1 {
		t.Errorf("%d traces", len(d.m.Traces))
	}
}

// A trace whose simulated runs would be lost is closed only after a question.
func TestClosingATraceAsks(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("s")
	d.command("machine-set latency 7us")
	d.fire()
	d.press("esc", "ctrl+x")
	d.sees("loses 2 simulated runs")
	d.press("esc")
	if len(d.m.Traces) == 0 {
		t.Error("Esc closes it")
	}
	// If it was closed from a pane, the named key also reopens it.
	d.press("s")
	d.command("close-trace")
	d.press("enter")
	if i := slices.IndexFunc(d.m.Traces, func(t *timeline.Trace) bool { return !t.Predicted }); i >= 0 {
		t.Fatal(d.m.Traces[i].Name, "is still open")
	}
	d.press("u")
	if i := slices.IndexFunc(d.m.Traces, func(t *timeline.Trace) bool { return !t.Predicted }); i < 0 {
		t.Error("u does not bring it back")
	}
}

// The open traces and windows at the end of the program are offered at the next start, on the same trace or without
// one.
func TestSessionIsKept(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "a.prv"), filepath.Join(dir, "state", "last.session.json")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept})
	d.press("+", "q") // moves alone are not worth keeping
	if !d.quit || IsSession(kept) {
		t.Errorf("left: %t, kept: %t", d.quit, IsSession(kept))
	}
	d = drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept})
	d.press("ctrl+t")
	d.command("function In State 1")
	d.press("q")
	e := drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept})
	e.sees("Ctrl+Y Enter: this trace as you left it, 2 windows")
	e.press("ctrl+y", "enter")
	e.sees("In State {1}")
	e = drive(t, 120, 30, Options{Demo: func() (*prv.Trace, error) { return traceOf(t, traceA), nil }, Kept: kept})
	e.sees("Ctrl+Y Enter: a.prv as you left it, 2 windows")
}

// A restored session is not offered again.
func TestRestoredSessionIsNotOffered(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "a.prv"), filepath.Join(dir, "state", "last.session.json")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept})
	d.command("function In State 1")
	d.press("q")
	d = drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept})
	d.sees("as you left it, 1 window")
	d.press("ctrl+y", "enter")
	d.sees("In State {1}")
	d.misses("as you left it")
}

// With defaults of the user, a newly opened trace is not worth keeping.
func TestDefaultsAreNothingToKeep(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "a.prv"), filepath.Join(dir, "state", "last.session.json")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	drive(t, 120, 30, Options{Paths: []string{path}, Kept: kept, Defaults: Defaults{Draw: "Average"}}).press("q")
	if IsSession(kept) {
		t.Error("a session was kept")
	}
}

// The user's keys replace the usual ones, and the previous meanings of these keys.
func TestKeysOfTheUser(t *testing.T) {
	d := drive(t, 120, 30, Options{Demo: func() (*prv.Trace, error) {
		return traceOf(t, traceA), nil
	}, Keys: map[string][]string{"zoom in": {"w", "v"}}})
	d.press("v")
	if w := d.m.Focused(); w.Duration() != 50 {
		t.Errorf("v shows %d", w.Duration())
	}
	d.press("+") // no longer
	if w := d.m.Focused(); w.Duration() != 50 {
		t.Errorf("+ shows %d", w.Duration())
	}
	d.command("views") // without a key, by its name
	d.sees("Views")
}

// A list cuts the end of an entry's description, not its name.
func TestListsKeepNames(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("v", "/")
	d.typed("next event type")
	d.sees("Next Event Type  type of the next event; 0 before")
	d.misses("Next Event …")
	d.resize(34, 20) // no room for any word of it
	d.sees("Next Event Type")
	d.misses("type of")
}

// A prompt keeps a refused text, explains the error below it and marks the place; Enter accepts the corrected text.
func TestPromptKeepsWhatIsWrong(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	d.press("ctrl+e")
	d.typed("= value * (duration > 1mz)")
	d.press("enter")
	lines := d.screen()
	if at := len(lines) - 3; !strings.Contains(lines[at], "compose = value * (duration > 1mz)") ||
		!strings.Contains(lines[at+1], `column 22: unknown unit "mz": must be one of ns, us, ms`) {
		t.Errorf("the prompt is %q", lines[at:])
	}
	d.press("backspace", "backspace", "backspace")
	d.typed("us)")
	d.misses("unknown unit")
	d.press("enter")
	if c := d.m.Focused().Sem.Top1; c.Expression != "value * (duration > 1us)" || d.m.dialogs.Top() != nil {
		t.Errorf("the compose function is %+v, in the prompt %v", c, d.m.dialogs.Top())
	}
	// An action without a text that cannot run has no prompt to return to.
	d.command("next-event")
	d.command("fold")
	if d.m.dialogs.Top() != nil {
		t.Errorf("%T is open", d.m.dialogs.Top())
	}
}

// The window follows the filter while it is typed. Esc reverts it; Enter keeps it as one step to undo, and the heading
// has the condition. No burst of a run of 100 us is longer than 1 s.
func TestFilterOfBursts(t *testing.T) {
	d := onTrace(t, 100, 24, traceA)
	w := d.m.Focused()
	d.press("f")
	d.typed("30us")
	if got := w.Sem.Condition(); got != "duration > 30us" {
		t.Errorf("while it is typed the condition is %q", got)
	}
	d.press("esc")
	if got := w.Sem.Condition(); got != "" {
		t.Errorf("Esc leaves %q", got)
	}
	d.press("f")
	d.typed("30us")
	d.press("enter")
	d.sees("State As Is · thread · filter duration>30us")
	d.press("u")
	if got := w.Sem.Condition(); got != "" {
		t.Errorf("undone it is %q", got)
	}
	d.press("v", "/")
	d.typed("useful duration")
	d.press("enter", "f")
	d.typed("1s")
	d.press("enter")
	d.sees("every value in view is 0: only bursts with duration > 1s keep theirs")
}

// If rows share a line, j and k go from line to line: 1000 rows on fewer than 30 lines.
func TestRowsByLine(t *testing.T) {
	tasks := strings.TrimSuffix(strings.Repeat("1:1,", 1000), ",")
	d := onTrace(t, 80, 30, "#Paraver (01/01/03 at 00:00):100_ns:1(1):1:1000("+tasks+")\n1:1:1:1:1:0:100:1\n")
	w := d.m.Focused()
	d.screen()
	for line := 1; line <= 3; line++ {
		d.press("j")
		d.screen()
		if lo, hi := w.Paint.Layout.RowsAt(line); w.CursorRow != lo || hi-lo < 1000/30 {
			t.Errorf("on line %d of rows %d to %d the cursor is on row %d", line, lo, hi, w.CursorRow)
		}
	}
	d.press("k", "k", "k", "k")
	if w.CursorRow != 0 {
		t.Errorf("back on top it is on row %d", w.CursorRow)
	}
	if d.press("J"); w.CursorRow != 999 {
		t.Errorf("the last row is %d", w.CursorRow)
	}
}
