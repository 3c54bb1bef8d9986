package tui

import (
	"fmt"
	"strings"
	"testing"
)

// Eight threads on two nodes run for 60 of 100 us and then wait; thread 6 runs for 20 from 40 on.
func uneven() string {
	var b strings.Builder
	b.WriteString("#Paraver (01/01/03 at 00:00):100:2(4,4):1:8(")
	b.WriteString(strings.TrimSuffix(strings.Repeat("1:2,1:1,", 4), ",") + ")\n")
	for i := range 8 {
		run, wait := [2]int{0, 60}, [2]int{60, 100}
		if i == 5 {
			run, wait = [2]int{40, 60}, [2]int{60, 100}
			fmt.Fprintf(&b, "1:0:1:%d:1:0:40:3\n", i+1)
		}
		fmt.Fprintf(&b, "1:0:1:%d:1:%d:%d:1\n1:0:1:%d:1:%d:%d:3\n", i+1, run[0], run[1], i+1, wait[0], wait[1])
	}
	return b.String()
}

// o goes to the row that differs most: thread 6 waits for 80 of 100 us, the others for 40.
func TestOutlier(t *testing.T) {
	d := onTrace(t, 120, 40, uneven())
	d.press("o")
	w := d.m.Focused()
	if w.CursorRow != 5 || w.Cursor > 1 {
		t.Errorf("row %d at %d, want row 5 at the begin, where it waits", w.CursorRow, w.Cursor)
	}
	d.sees("1.6.1 differs (most): Waiting a message (3)")
	// For amounts: the longest computation is 60, that of thread 6 is 20: the one that differs.
	d.press("v", "/")
	d.typed("useful dur")
	d.press("enter", "o")
	if w.CursorRow != 5 || w.Cursor != 40 {
		t.Errorf("row %d at %d, want row 5 at 40", w.CursorRow, w.Cursor)
	}
	d.sees("1.6.1 differs (most): 20 us")
	// In a time in which all rows do the same, none differs.
	d.command("view 65us 95us")
	d.press("o")
	d.sees("no row differs")
}

// Rows can be ordered, and the order undone.
func TestOrderRows(t *testing.T) {
	d := onTrace(t, 120, 40, uneven())
	w := d.m.Focused()
	first := func(want string) {
		t.Helper()
		if got := w.RowName(0); got != want {
			t.Errorf("first row %s, want %s", got, want)
		}
	}
	d.command("order-rows outlier")
	first("THREAD 1.6.1")
	d.command("order-rows value") // by the share of running, the most common state
	if got := w.RowName(7); got != "THREAD 1.6.1" {
		t.Errorf("last row %s, want THREAD 1.6.1", got)
	}
	d.command("order-rows similarity") // the outlier is at one end
	if a, b := w.RowName(0), w.RowName(7); a != "THREAD 1.6.1" && b != "THREAD 1.6.1" {
		t.Errorf("rows from %s to %s", a, b)
	}
	d.command("order-rows node") // odd threads are on node 2, the others on node 1
	first("THREAD 1.2.1")
	if got := w.RowName(4); got != "THREAD 1.1.1" {
		t.Errorf("row 4 is %s, want THREAD 1.1.1", got)
	}
	d.command("order-rows rank")
	first("THREAD 1.1.1")
	if w.Objects != nil {
		t.Error("the order of the trace needs no list")
	}
	d.press("u")
	first("THREAD 1.2.1")
}

// Forty threads run for 60 of 100 us and then wait, but thread 33 runs for 20: on 24 lines rows share lines, and the
// heading names thread 33 without a key. If each row has its own line, or all do the same, it names none.
func TestHeadingNamesTheRowThatStandsOut(t *testing.T) {
	var b strings.Builder
	b.WriteString("#Paraver (01/01/03 at 00:00):100:1(40):1:40(")
	b.WriteString(strings.TrimSuffix(strings.Repeat("1:1,", 40), ",") + ")\n")
	for i := 1; i <= 40; i++ {
		run := 60
		if i == 33 {
			run = 20
		}
		fmt.Fprintf(&b, "1:0:1:%d:1:0:%d:1\n1:0:1:%d:1:%d:100:3\n", i, run, i, run)
	}
	d := onTrace(t, 120, 24, b.String())
	d.misses("stands out") // a view that has just changed may change again
	d.fire()
	d.sees(" 1.33.1 stands out: Waiting a message 80.0 %, median 40.0 %")
	d.command("view 65us 95us")
	d.fire()
	d.misses("stands out")
	d.command("view 0 100us")
	d.resize(120, 60)
	d.fire()
	d.misses("stands out")
	d.resize(80, 24)
	d.fire()
	d.sees("1.33.1 stands out")
}
