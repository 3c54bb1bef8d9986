package tui

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/prv"
	"pview/prv/demo"
	"pview/prv/format"
	"pview/render/document"
)

// Two tasks: the second waits in a receive from 10 us on for a message that the first sends at 90 us.
const lateSender = `#Paraver (01/01/26 at 00:00):100000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:90000:1
2:1:1:1:1:90000:50000001:1
1:1:1:1:1:90000:91000:4
2:1:1:1:1:91000:50000001:0
1:1:1:1:1:91000:100000:1
1:2:1:2:1:0:10000:1
2:2:1:2:1:10000:50000001:2
1:2:1:2:1:10000:92000:3
2:2:1:2:1:92000:50000001:0
1:2:1:2:1:92000:100000:1
3:1:1:1:1:90000:90000:2:1:2:1:10000:92000:8:1
`

// TestFindingsPane: Enter shows a place of the chosen finding in the timeline, n the next, Backspace goes back.
func TestFindingsPane(t *testing.T) {
	d := drive(t, 100, 30, Options{Paths: []string{filepath.Join("..", "testdata", "traces", "heat2d_8",
		"heat2d_8.prv.gz")}})
	d.press("B")
	d.sees(" ms   on the critical path", "advice: ", "Rule R", "Enter shows it")
	v := d.m.Focused()
	before := *v
	d.press("enter")
	d.sees("Evidence 1 of ", "slow message", "◈") // the ends of the message
	if v.Begin == before.Begin && v.End == before.End {
		t.Error("Enter does not move the timeline")
	}
	first := *v
	d.press("n")
	d.sees("Evidence 2 of ")
	d.press("backspace")
	if v.Begin != first.Begin || v.End != first.End {
		t.Errorf("the window shows %d to %d", v.Begin, v.End)
	}
	d.press("backspace")
	if v.Begin != before.Begin || v.End != before.End || v.Cursor != before.Cursor {
		t.Errorf("the window shows %d to %d", v.Begin, v.End)
	}
	d.press("backspace")
	d.sees("no evidence was shown before")
	d.press("p") // the last one; the first follows it
	d.misses("Evidence 1 of ")
	d.press("n")
	d.sees("Evidence 1 of ")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the pane")
		d.sees("Rule R31")
	}
}

// Check 37: the evidence of fixture F8 of projections.md, in which task 2 waits from 20 to 107 for what task 1 sends at
// 100, lies in [0, 107]: the window shows it, with a tenth more on each side, but not before 0, and both threads.
func TestEvidenceJump(t *testing.T) {
	d := onTrace(t, 100, 36, `#Paraver (21/11/26 at 00:00):150_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:20:1
1:2:1:2:1:20:107:3
1:1:1:1:1:100:102:10
3:1:1:1:1:100:100:2:1:2:1:20:107:1000:5
1:1:1:1:1:102:110:1
1:2:1:2:1:107:150:1
1:1:1:1:1:110:150:13
`)
	d.press("B", "f")
	d.typed("R02")
	d.press("enter")
	d.sees("Rule R13", "- R02") // the late message is below the imbalance, which is for the whole run
	d.press("enter", "n")
	d.sees("Evidence 2 of 3: R02")
	v := d.m.Focused()
	if v.Begin != 0 || v.End != 117 && v.End != 118 {
		t.Errorf("the window shows %d to %d", v.Begin, v.End)
	}
	d.sees("1.1.1", "1.2.1")
}

// TestExplain: e describes the wait at the cursor, and its cause.
func TestExplain(t *testing.T) {
	d := drive(t, 100, 30, Options{Paths: []string{aFile(t, "late.prv", lateSender)}})
	d.goTo("50us")
	d.press("down", "B", "e")
	d.sees("1.2.1 waits 80 us for 1.1.1: Late Sender", "message of 8 bytes, tag 1")
	d.press("esc")
	d.misses("waits 80 us")
	d.press("esc")
	d.goTo("95us")
	d.press("B", "e")
	d.sees("does not wait at the cursor")
}

// TestWaitsInTimelines: waits are a view like any other, whose values have names; a .cfg has Paraver's nearest view.
func TestWaitsInTimelines(t *testing.T) {
	d := drive(t, 200, 30, Options{Paths: []string{aFile(t, "late.prv", lateSender)}})
	d.command("function Wait State")
	d.sees("Wait State · thread", "Late Sender", "Operation")
	d.goTo("50us")
	d.press("down")
	d.sees("Late Sender (1)")
	path := filepath.Join(t.TempDir(), "waits.cfg")
	d.command("save-cfg " + path)
	d.sees("Paraver does not have Wait State and shows State As Is")
	d.command("function Wait Caused By")
	d.sees("THREAD 1.1.1 (1)")
	d.command("open-cfg " + path)
	d.sees("Wait State · thread")
	d.command("level cpu")
	d.sees("Wait State is of threads")
}

// TestDismissFindings: a dismissed finding is listed neither in the pane nor on the first screen, and sessions keep
// this; narrowing lists the findings that contain a text.
func TestDismissFindings(t *testing.T) {
	trace := filepath.Join("..", "testdata", "traces", "heat2d_8", "heat2d_8.prv.gz")
	d := drive(t, 120, 40, Options{Paths: []string{trace}})
	d.press("B")
	first := d.m.screen().headlines()[1].Sentence
	d.sees("Evidence: ")
	d.press("d")
	d.sees("dismissed; D lists it again")
	second := d.m.screen().headlines()[1].Sentence
	if second == first {
		t.Errorf("the first screen still says %q", first)
	}
	path := filepath.Join(t.TempDir(), "run.session.json")
	d.command("save-session " + path)
	again := drive(t, 120, 40, Options{Paths: []string{trace}})
	again.command("load-session " + path)
	if again.m.screen().headlines()[1].Sentence != second {
		t.Errorf("with the session: %q, want %q", again.m.screen().headlines()[1].Sentence, second)
	}
	d.press("D")
	d.sees("1 finding listed again")
	if got := d.m.screen().headlines()[1].Sentence; got != first {
		t.Errorf("the first screen says %q, want %q", got, first)
	}
	d.command("list-narrow overlaps")
	d.sees("480 exchanges", "/overlaps: ")
	d.misses("Rule R31")
	d.command("list-narrow no such text")
	d.sees("0 of ")
	d.command("headline") // shows its evidence, whatever the filter
	d.sees("Evidence: ")
}

// TestClassTable: c shows each region's contribution, x sorts by another column, Enter goes to the longest execution,
// Esc back to the findings.
func TestClassTable(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{filepath.Join("..", "testdata", "traces", "heat2d_8",
		"heat2d_8.prv.gz")}})
	d.press("B", "c")
	d.sees("code regions: functions", "stencil_sweep", "Sorted by time: user time, of all threads",
		"Evidence: 100 places")
	d.press("down", "enter")
	d.sees("Evidence 1 of 100", "436.3 us")
	v := d.m.Focused()
	if v.End-v.Begin > 600_000 { // 436.3 us and a tenth on each side
		t.Errorf("the window shows %d to %d", v.Begin, v.End)
	}
	d.press("backspace")
	d.press("X")
	d.sees("Sorted by N: executions")
	d.press("d")
	d.sees("no finding is selected")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the class table")
	}
	d.press("esc")
	d.sees("Rule R")
}

// The pane shows the notes of the diagnosis on the run; its sentences follow the unit of times.
func TestFindingsSayNotesAndFollowUnits(t *testing.T) {
	d := drive(t, 200, 60, Options{Paths: []string{filepath.Join("..", "testdata", "traces", "heat2d_8",
		"heat2d_8.prv.gz")}})
	d.press("B", "home")
	d.sees("threads exist and are traced for", "longer than latency", " ms longer than")
	d.command("units us")
	d.press("B", "home")
	d.sees(" us longer than", "threads exist and are traced for")
	d.misses(" ms longer than")
}

// TestFindingsAreTheCommands: on a screen where nothing is cut, the pane has the lines that pview diagnose prints, each
// finding unfolded when it is selected; and the account page has the rows of the account.
func TestFindingsAreTheCommands(t *testing.T) {
	tr, err := demo.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{Verify: diagnose.Verified})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, 900, 60, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
	d.press("B", "home")
	seen := map[string]bool{}
	look := func() {
		for _, line := range d.screen() {
			seen[strings.Join(strings.Fields(strings.TrimRight(line, " │█")), " ")] = true
		}
	}
	look()
	for range 100 {
		d.press("down")
		look()
	}
	for i, line := range strings.Split(document.Text(answer.Document(r, tr, 0), nil), "\n") {
		want := strings.Join(strings.Fields(strings.TrimRight(line, " █")), " ")
		if i > 0 && !seen[want] { // the first is the path of the trace
			t.Errorf("the pane does not show %q", line)
		}
	}
	d.press("tab")
	rows := r.Account.Table().Rows
	if len(rows) < 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		d.sees(row[0].(string), row[1].(string)+"  "+row[2].(string))
	}
}

// Pages with nothing to show explain why in full, and so do their keys, which the hints omit.
func TestPagesWithoutDevices(t *testing.T) {
	d := onRanks(t)
	d.resize(80, 24)
	d.press("B") // diagnoses the run
	d.command("classes")
	d.sees("work of devices has no regions of code", "explains it")
	d.command("stages")
	d.sees("work of devices has no regions of code", "explains it")
	if hints := words(d); slices.Contains(hints, "v attribute") || !slices.Contains(hints, "Esc findings") {
		t.Errorf("the stages offer %q", hints)
	}
	for _, key := range []string{"v", "+", "space", "right", "down"} {
		d.press("esc")
		d.command("stages")
		d.press(key)
		if last := strings.Join(d.screen()[22:], ""); !strings.Contains(last, "explains it") {
			t.Errorf("%s says %q", key, last)
		}
	}
}

// A stream of a device may cause waits without having work: it does not compute longer.
func TestExplainWaitForStream(t *testing.T) {
	d := onRanks(t)
	d.command("workspace why Findings")
	d.press("down", "down", "enter", "e")
	d.sees("because CUDA-D1.S", "worked longer or had no work")
}

// onRanks returns the demo of two ranks with a GPU each.
func onRanks(t *testing.T) *driver {
	return drive(t, 120, 40, Options{Paths: []string{"../testdata/traces/ranks_2"}, Open: func(ctx context.Context,
		path string, w prv.Watcher) (*prv.Trace, error) {
		return format.Open(ctx, &prv.Opener{}, path, w)
	}})
}

// On a trace with devices the headline has the sentence of pview devices, before and after the findings are shown,
// which are about devices too; the account has the tables of pview devices.
func TestHeadlineOfDevices(t *testing.T) {
	d := onRanks(t)
	const said = "2 devices: computing 56.9 % of their span (first to last operation), exposed communication 21.6 %"
	d.sees(said, "orchestration 81.9 %")
	d.misses("efficient;")
	d.press("enter") // its evidence
	d.sees(said, "Where the time of the devices goes", "2 devices x 10.63 ms", "Device parallel efficiency 0.5691")
	d.press("shift+tab")
	d.sees(said, "devices have no work for")
	for range 4 {
		d.press("tab")
	}
	d.sees("Over time", "work of devices has no regions of code")
	d.misses("makes them longer")
	d.press("=")
	d.sees("one trace is open: Ctrl+O opens another")
	d.misses("predicts one") // devices are not simulated
}
