package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/demo"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/paths"

	tea "charm.land/bubbletea/v2"
)

// Problems that a new tester found, so that they stay fixed.

// Every entry of the search, and every view, shows something: no function that the
// window could not evaluate.
func TestEverySearchEntryCanBeShown(t *testing.T) {
	tr, err := demo.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 40, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
	check := func(what string) {
		t.Helper()
		if w := d.m.Focused(); w.Values.Err != nil || d.m.scene.Messages.Failed {
			t.Fatalf("%s: %v %s", what, w.Values.Err, d.m.scene.Messages.Text)
		}
	}
	// items opens a list, and returns its items and the effect of Enter.
	items := func(key string) ([]dialog.Item, func(it *dialog.Item) tea.Cmd) {
		d.press(key)
		p := d.m.dialogs.Top().(*dialog.Picker)
		d.m.dialogs.Close()
		return p.Items, func(it *dialog.Item) tea.Cmd { return p.Keys[0].Run(p, it) }
	}
	events, show := items("/")
	for i, it := range events {
		if testing.Short() && i%4 > 0 {
			continue
		}
		_, cmd := d.m.Update(nil)
		d.run(cmd)
		d.run(show(&it))
		d.send(nil)
		check(it.Text)
	}
	views, show := items("v")
	for _, it := range views {
		d.run(show(&it))
		d.send(nil)
		check(it.Text)
	}
}

func TestSearchedValueIsNamed(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	labels := d.m.Focused().Trace.Data.Labels
	labels.AddType(40, "Block", prv.ValueLabel{Value: 0, Label: "End"}, prv.ValueLabel{Value: 3, Label: "solve"})
	d.press("/")
	d.typed("solve")
	d.press("enter")
	d.sees("Block: solve · thread")
	d.goTo("70")
	d.sees("solve (3)")
	d.command("event solve")
	d.sees("Block: solve · thread")
	d.press("/")
	d.typed("block: end")
	d.press("enter")
	d.sees("Block: End · thread")
}

func TestUnknownFunctionLeavesTheWindow(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.m.content.OpenWith(d.m.Focused(), &timeline.Choice{Set: func(w *semantic.Window) {
		w.Functions[prv.LevelThread].Name = "No Such"
	}})
	d.sees("No Such", "State As Is", " 1.1.1 ", "Running")
}

// The heading describes the current picture, not the previous one.
func TestHeadingIsOfThisPicture(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.press("W")
	d.sees("8 events")
	d.command("view 0 50")
	d.sees("4 events")
	d.press("0", "x")
	d.sees("2 messages")
	d.command("view 0 20")
	d.sees("0 messages")
	d.press("0")
	d.sees("2 messages")
	d.command("color gradient color")
	d.command("scale 2 6")
	d.sees("gradient 2..6 fixed")
}

func TestDenseMessagesAreAlwaysTold(t *testing.T) {
	var b strings.Builder
	b.WriteString("#Paraver (01/01/03 at 00:00):100000:1(4):1:4(1:1,1:1,1:1,1:1)\n")
	for i := range 2000 {
		a, c := i%4+1, (i+1+i/7%3)%4+1
		b.WriteString(strings.NewReplacer("A", string(rune('0'+a)), "C", string(rune('0'+c)), "T", itoa(i*49), "U",
			itoa(i*49+300)).Replace("3:A:1:A:1:T:T:C:1:C:1:U:U:8:1\n"))
	}
	d := onTrace(t, 60, 15, b.String())
	d.press("x")
	d.sees("2,000 msgs, density")
}

func itoa(n int) string {
	s := ""
	for ; n > 0 || s == ""; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return s
}

func TestTraceWithoutMessages(t *testing.T) {
	d := onTrace(t, 100, 24, manyThreads(4))
	d.press("x")
	d.sees("· no messages", "this trace has no messages")
}

func TestCursorComesIntoView(t *testing.T) {
	for _, keys := range [][]string{{"space"}, {"m"}, {"enter"}, {"i"}, {"."}, {"w"}} {
		d := onTrace(t, 120, 30, traceA)
		d.command("zoom-in 5")
		d.press("right", "right", "right", "right", "right", "right", "right", "right", "right", "right")
		if d.m.Focused().CursorInView() {
			t.Fatal("the cursor should be out of view")
		}
		d.sees("not in view")
		d.press(keys...)
		if !d.m.Focused().CursorInView() {
			t.Errorf("%v acts on a cursor that is not seen", keys)
		}
	}
	d := onTrace(t, 120, 30, traceA)
	d.command("view 50us 60us")
	if !d.m.Focused().CursorInView() {
		t.Error("after a jump the cursor is not in view")
	}
}

func TestSharedLinesAreNamed(t *testing.T) {
	d := onTrace(t, 100, 24, manyThreads(20))
	d.press("J")
	d.sees(" 1.1.1-1.2.1")
	d.press("G")
	d.sees("20 rows on 10 lines")
}

// Windows with the same number of rows give them the same number of lines, and lines that rows cannot use go to the
// parts around them.
func TestWindowsShareTheRoom(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {80, 29}, {120, 40}, {200, 60}} {
		d := onTrace(t, size[0], size[1], manyThreads(8))
		d.press("ctrl+t")
		l := d.m.screen().layout()
		last := l.windows[1].all()
		if blank := l.legend.Y - last.Y - last.H; blank > 1 {
			t.Errorf("%v: %d blank lines below the windows", size, blank)
		}
		a, b := l.windows[0].plot.H, l.windows[1].plot.H
		if a != b || a%8 != 0 && a != 4 {
			t.Errorf("%v: 8 rows have %d lines in one window and %d in the other", size, a, b)
		}
	}
}

func TestAxisStandsBelowTheLastRow(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	wl := d.m.screen().layout().windows[0]
	if l := d.m.screen().layout(); wl.plot.H%2 != 0 || l.legend.H > 3 {
		t.Errorf("2 rows have a plot of %d lines, the legend has %d", wl.plot.H, l.legend.H)
	}
	if wl.axis.Y != wl.plot.Y+wl.plot.H {
		t.Errorf("the axis is at line %d, the rows end at %d", wl.axis.Y, wl.plot.Y+wl.plot.H)
	}
}

// A pane opens only on request, however large the screen is.
func TestPanesOpenWhenAsked(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := onTrace(t, size[0], size[1], traceA)
		d.misses("What/Where")
		d.press("right", "enter")
		d.sees("What/Where")
	}
}

func TestRawRecordsStandOnce(t *testing.T) {
	d := onTrace(t, 120, 40,
		"#Paraver (01/01/03 at 00:00):100:1:1:1(1:1)\n2:1:1:1:1:50:40:3:41:7:42:9\n2:1:1:1:1:60:40:0\n")
	d.goTo("50")
	d.press("enter", "r")
	n := 0
	for _, line := range d.screen() {
		n += strings.Count(line, "2:1:1:1:1:50:40:3:41:7:42:9")
	}
	if n != 1 {
		t.Errorf("the line of three pairs stands %d times", n)
	}
	d.press("x")
	d.sees("2:0x1:0x1:0x1:0x1:0x32:0x28:0x3:0x29:0x7:0x2a:0x9")
}

func TestReadoutLiesWithinTheBurst(t *testing.T) {
	d := onTrace(t, 100, 20,
		"#Paraver (01/01/03 at "+
			"00:00):100000000_ns:1:1:1(1:1)\n1:1:1:1:1:0:37494400:1\n1:1:1:1:1:37494400:37512200:3\n"+
			"1:1:1:1:1:37512200:100000000:1\n")
	d.goTo("37500000")
	d.sees("37.5000 ms", "37.4944 .. 37.5122 ms")
}

func TestMarksAddUp(t *testing.T) {
	d := onTrace(t, 120, 24, "#Paraver (01/01/03 at 00:00):100000000_ns:1:1:1(1:1)\n1:1:1:1:1:0:100000000:1\n")
	d.command("mark 1234567")
	d.command("mark-second 31999999")
	d.sees("A 1.23 ms  B 32.00 ms  Δ 30.77 ms")
}

func TestTimesThatAreNotQuite(t *testing.T) {
	d := onTrace(t, 120, 24, traceA)
	for where, want := range map[string]string{
		"1h":    "1h is after the end, 100 us",
		"200%":  "200% is after the end",
		"1e29":  "is after the end",
		"1e99":  `"1e99" is neither a time nor an event label`,
		"60.5":  "times in this trace are whole us: 60 us",
		"-500":  "-500 is before the begin",
		"0.5ns": "whole us: 0 us",
	} {
		d.leavePrompt()
		d.press("home")
		d.goTo(where)
		d.sees(want)
	}
	d.press("home")
	d.goTo("60.5")
	if d.at() != 60 {
		t.Errorf("60.5 leads to %d", d.at())
	}
	d = onTrace(t, 120, 24, strings.Replace(traceA, ":100:", ":10000:", 1))
	d.goTo("1,000")
	if d.at() != 1000 {
		t.Errorf("1,000 leads to %d", d.at())
	}
	d.press("g", "enter")
	d.sees("goto needs TIME or RECORD")
}

// Times are exact: one nanosecond in a run of months is kept.
func TestTimesAreExact(t *testing.T) {
	const end = 10_000_000_000_000_001 // 115 days in ns, beyond 2^53
	got, _, err := notation.ParseTime("10000000.000000001s", prv.Nanoseconds, end, 0)
	if err != nil || got != end {
		t.Errorf("the last nanosecond is %d, %v", got, err)
	}
}

func TestComparisonsInSearches(t *testing.T) {
	for where, want := range map[string]int64{"size>2000": 60, "size<2000": 45, "tag>5": 60, "tag!=6": 45,
		"value>7": 55, "type=[400,600]": 5, "type=500 value!=7": 55} {
		d := onTrace(t, 120, 24, traceA)
		d.goTo(where)
		if d.at() != want {
			t.Errorf("%s leads to %d, want %d", where, d.at(), want)
		}
	}
}

func TestStatesByNameInFunctions(t *testing.T) {
	d := onTrace(t, 120, 24, traceA)
	d.command("function in state running")
	d.sees("In State {1}")
}

func TestSessionIsProposedWhereItCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	if got := paths.CanCreateIn(dir); !got {
		t.Error("the test's own folder cannot be written to")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("the probe left something behind")
	}
	if paths.CanCreateIn(filepath.Join(dir, "none")) {
		t.Error("a folder that does not exist can be written to")
	}
	d := onTrace(t, 120, 24, traceA)
	d.command("save-session " + filepath.Join(dir, "none", "x.session.json"))
	d.sees("the session was not saved, no such file or directory: ")
}

func TestLongMessagesAreWhole(t *testing.T) {
	d := onTrace(t, 60, 20, traceA)
	d.m.scene.Alarm("this is a message that is much longer than a line of sixty columns can be, and its END must be " +
		"seen")
	d.sees("END must be seen")
	d.press("esc", "!")
	d.sees("Messages", "END must be seen")
}

// A third of the screen is for a message: 6 of 20 lines of 58 columns. The rest is marked as cut.
func TestVeryLongMessagesAreCut(t *testing.T) {
	d := onTrace(t, 60, 20, traceA)
	for _, text := range []string{strings.Repeat("x", 1000), strings.Repeat("word ", 200)} {
		d.m.scene.Alarm(text)
		lines := d.screen()
		if last := strings.TrimSpace(lines[19]); !strings.HasSuffix(last, "…") {
			t.Errorf("the last line is %q", last)
		}
		if above := strings.TrimSpace(lines[14]); strings.HasSuffix(above, "…") || above[0] != text[0] {
			t.Errorf("the first line is %q", above)
		}
	}
}

func TestTraceThatWasNotReadIsRemembered(t *testing.T) {
	a := traceOf(t, traceA)
	d := drive(t, 120, 30, Options{Paths: []string{"a.prv", "none.prv"},
		Open: func(_ context.Context, path string, _ prv.Watcher) (*prv.Trace, error) {
			if path == "a.prv" {
				return a, nil
			}
			return nil, &prv.FileError{File: path, Why: "no such file or directory"}
		}})
	d.press("+")
	d.sees("1 trace not read")
	d.press("!")
	d.sees("none.prv: no such file or directory")
}

func TestFirstOfSeveralTracesHasTheFocus(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{"a", "b", "c"},
		Open: func(_ context.Context, path string, _ prv.Watcher) (*prv.Trace, error) {
			tr := traceOf(t, traceA)
			tr.Path = path
			return tr, nil
		}})
	order := ""
	for _, w := range d.m.Windows {
		order += w.Trace.Name
	}
	if order != "abc" || d.m.Focus != 0 {
		t.Errorf("windows %s, focus on number %d", order, d.m.Focus)
	}
}

// Windows on traces in different units have the same time, not the same numbers.
func TestSynchronisedUnits(t *testing.T) {
	us, ns := traceOf(t, traceA), traceOf(t, strings.Replace(traceA, ":100:", ":100000_ns:", 1))
	traces := map[string]*prv.Trace{"us": us, "ns": ns}
	d := drive(t, 120, 40, Options{Paths: []string{"us", "ns"},
		Open: func(_ context.Context, path string, _ prv.Watcher) (*prv.Trace, error) { return traces[path], nil }})
	d.command("view 20 60")
	if w := d.m.Windows[1]; w.Begin != 20000 || w.End != 60000 {
		t.Errorf("20 us to 60 us is %d..%d in ns", w.Begin, w.End)
	}
	d.goTo("30")
	if w := d.m.Windows[1]; w.Cursor != 30000 {
		t.Errorf("the cursor at 30 us is at %d ns", w.Cursor)
	}
	d.press("tab", "+")
	if v, w := d.m.Windows[0], d.m.Windows[1]; v.Begin != w.Begin/1000 {
		t.Errorf("zoomed in the second: %d us and %d ns", v.Begin, w.Begin)
	}
}

// A prompt accepts only as much as a line can need, however long the paste.
func TestVeryLongInput(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.press(":")
	d.m.dialogs.Top().Paste(&d.m.dialogs, strings.Repeat("zoom ", 20000))
	for range 20 {
		d.press("x", "left")
	}
	if n := len(d.m.dialogs.Top().(*dialog.Prompt).Input.String()); n == 0 || n > dialog.LongestInput {
		t.Errorf("the prompt has %d characters", n)
	}
	d.checkSize(80, 24, "long input")
	d.press("esc")
}

func TestLegendHasTheValueAtTheCursor(t *testing.T) {
	d := onTrace(t, 98, 24, "#Paraver (01/01/03 at 00:00):1000000:1:1:1(1:1)\n"+
		"1:1:1:1:1:0:500000:7\n1:1:1:1:1:500000:500001:1\n1:1:1:1:1:500001:1000000:7\n")
	legend := func() string { return d.screen()[d.m.screen().layout().legend.Y] }
	if strings.Contains(legend(), "Running") {
		t.Errorf("a state that is not seen is in the legend: %q", legend())
	}
	d.goTo("500000")
	if !strings.Contains(legend(), "Running") {
		t.Errorf("the state at the cursor is not in the legend: %q", legend())
	}
}

func TestSumsAreGradients(t *testing.T) {
	d := onTrace(t, 120, 24, manyThreads(8))
	d.command("level ptask")
	d.sees("not null gradient")
	d.press("T", "T") // back over task, where every object has one thread
	d.command("level thread")
	d.misses("gradient")
	d.command("draw-mode average")
	d.sees("gradient")
}
