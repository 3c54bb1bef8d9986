package tui

import (
	"testing"

	"pview/prv"
)

// Two counters, read at 10 and 30: 4000 instructions in 2000 cycles between them, while the thread computes.
const countersText = `#Paraver (01/01/03 at 00:00):100:1(1):1:1(1:1)
1:1:1:1:1:0:10:9
2:1:1:1:1:10:42000050:77:42000059:88
1:1:1:1:1:10:30:1
2:1:1:1:1:30:42000050:4000:42000059:2000:50000001:2
1:1:1:1:1:30:70:3
2:1:1:1:1:70:42000050:5:42000059:10:50000001:0
1:1:1:1:1:70:100:1
2:1:1:1:1:100:42000050:90:42000059:30
`

// A ready view is a word away in the menu of views; its values have units, and are drawn as amounts.
func TestReadyViews(t *testing.T) {
	d := onTrace(t, 120, 30, countersText)
	d.press("v", "/")
	d.typed("ipc")
	d.press("enter")
	w := d.m.Focused()
	if w.Sem.Name != "IPC" || w.Sem.Derived == nil {
		t.Fatalf("v ipc shows %q", w.Title())
	}
	d.command("goto 20us")
	d.sees("2 instructions per cycle", "IPC")
	d.press("v", "/")
	d.typed("papi")
	d.press("enter")
	d.misses("IPC")
	d.command("goto 20us")
	d.sees("4,000 events") // types without a label: their meaning is unknown
	d.press("v", "/")
	d.typed("parallelism")
	d.press("enter")
	if !w.Drawing.Graph || w.Rows(w.Trace.Data) != 1 {
		t.Error("parallelism is one function line")
	}
	d.press("u")
	if w.Drawing.Graph {
		t.Error("undo must bring the colours back")
	}
}

// After a view of the whole workload, a view of threads shows threads again; a level that the user chose stays.
func TestReadyViewsKeepTheLevel(t *testing.T) {
	d := onTrace(t, 120, 30, countersText)
	show := func(name string) {
		d.press("v", "/")
		d.typed(name)
		d.press("enter")
	}
	w := d.m.Focused()
	show("parallelism")
	show("state as is")
	if w.Sem.Level != prv.LevelThread {
		t.Errorf("after parallelism states are at level %v", w.Sem.Level)
	}
	d.press("t")
	chosen := w.Sem.Level
	show("useful")
	if chosen == prv.LevelThread || w.Sem.Level != chosen {
		t.Errorf("level %v was chosen, and is %v", chosen, w.Sem.Level)
	}
}

// If the trace cannot have a view, a search for it does not find one with those letters in its name.
func TestMissingViewSaysWhy(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("v", "/")
	d.typed("ipc")
	d.sees("IPC is not offered for this trace: only for traces with counters of", "instructions and cycles")
	d.press("enter")
	d.sees("IPC is not offered") // there is nothing to open
}

// Legend, readout and table use one name for each value of Useful.
func TestNamesOfUseful(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press("v", "/")
	d.typed("useful")
	d.press("enter")
	d.press("a")
	d.sees("not Running")
	d.misses("Idle")
}
