package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pview/render/timeline"
)

// aFile writes a file in a folder.
func aFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestComparePane: 100 us computing and 20 waiting against 130 and 10: together 20 more.
func TestComparePane(t *testing.T) {
	before := aFile(t, "before.prv",
		"#Paraver (01/01/26 at 00:00):120000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:100000:1\n1:1:1:1:1:100000:120000:3\n")
	after := aFile(t, "after.prv",
		"#Paraver (01/01/26 at 00:00):140000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:130000:1\n1:1:1:1:1:130000:140000:3\n")
	d := drive(t, 100, 30, Options{Paths: []string{before, after}})
	d.press("=")
	d.sees("A before.prv · B after.prv", "B takes 16.7 % longer: +25.0 % computing, -8.3 % waiting (unclassified)",
		"no calls {1}", "+20 us")
	d.press("tab")
	d.sees("computing  100 us  130 us  +30 us      +25.0 %", "waiting     20 us   10 us  -10 us       -8.3 %")
	d.press("x")
	d.sees("A after.prv · B before.prv", "B takes 14.3 % less time",
		"computing  130 us  100 us  -30 us      -21.4 %")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the pane")
		d.sees("B takes 14.3 % less time", "computing")
	}
	d.press("b")
	d.sees("no third trace is open")
	d.press("esc")
	if d.m.PaneFocus || !d.m.panes.open {
		t.Error("Esc does not go back to the window")
	}
}

// TestCompareShowsPhase: Enter on a part shows its phase in the windows of both runs, which then have independent
// times. The second phase is from 60 to 120 us in the first run and from 60 to 150 in the second.
func TestCompareShowsPhase(t *testing.T) {
	a, b := twoPhases(t, "a", 110), twoPhases(t, "b", 140)
	d := drive(t, 100, 30, Options{Paths: []string{a, b}})
	d.press("=")
	d.sees("B takes 23.1 % longer", "MPI_Barrier {2}")
	d.press("enter")
	d.sees("no longer share their time")
	for i, want := range [][2]int64{{60000, 120000}, {60000, 150000}} {
		if v := d.m.Windows[i]; v.Begin != want[0] || v.End != want[1] {
			t.Errorf("window %d shows %d to %d, want %v", i+1, v.Begin, v.End, want)
		}
	}
	d.press("right", "right", "enter")
	d.sees("only phases, categories and threads have a place")
}

// TestCompareAligned: B below A on A's time, phase by phase, with the differences between them. The second phase is
// from 60 to 120 us in A and from 60 to 150 in B; on A's time B's also ends at 120.
func TestCompareAligned(t *testing.T) {
	a, b := twoPhases(t, "a", 110), twoPhases(t, "b", 140)
	d := drive(t, 120, 50, Options{Paths: []string{a, b}})
	d.press("=", "o")
	d.sees("B - A · thread · difference", "b.prv on A's time", "computing")
	if n := len(d.m.Windows); n != 4 {
		t.Fatalf("%d windows", n)
	}
	difference, aligned := d.m.Windows[1], d.m.Windows[2]
	if s := &aligned.Trace.Data.Threads[0].States; aligned.Trace.Data.Duration != 130000 || s.End[3] != 120000 {
		t.Errorf("aligned: %d, states end at %v", aligned.Trace.Data.Duration, s.End)
	}
	d.m.Change(d.m.Windows[0], "", func(s *timeline.Setup) { s.Begin, s.End = 60000, 120000 })
	if difference.Begin != 60000 || aligned.End != 120000 {
		t.Error("the windows do not show the same time")
	}
	for _, size := range [][2]int{{80, 24}, {60, 15}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "aligned runs")
		if size[1] >= 24 {
			d.sees("B - A", "b.prv on A's time")
		}
	}
	d.resize(120, 50)
	d.press("esc", "tab")
	d.sees("over 30 % more") // in the legend
	d.press("=", "o")
	if n := len(d.m.Windows); n != 2 || len(d.m.Traces) != 2 || !d.m.PaneFocus {
		t.Errorf("%d windows after closing", n)
	}
	d.press("o", "x") // with the runs swapped they are gone
	d.sees("A b.prv")
	if n := len(d.m.Windows); n != 2 {
		t.Errorf("%d windows after swapping", n)
	}
}

// twoPhases writes a run of one thread: 50 us and an Allreduce up to 60, then up to the given time, a Barrier of 10,
// and 10 more.
func twoPhases(t *testing.T, name string, until int) string {
	t.Helper()
	const pcf = "EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n10 MPI_Allreduce\n8 MPI_Barrier\n0 Outside MPI\n"
	const first = "1:1:1:1:1:0:50000:1\n1:1:1:1:1:50000:60000:9\n2:1:1:1:1:50000:50000002:10\n" +
		"2:1:1:1:1:60000:50000002:0\n"
	to, end := 1000*until, 1000*until+10000
	path := aFile(t, name+".prv",
		fmt.Sprintf(
			"#Paraver (01/01/26 at "+
				"00:00):%d_ns:1(1):1:1(1:1)\n%s1:1:1:1:1:60000:%d:1\n1:1:1:1:1:%d:%d:9\n2:1:1:1:1:%d:50000002:8\n"+
				"2:1:1:1:1:%d:50000002:0\n1:1:1:1:1:%d:%d:1\n",
			end+10000, first, to, to, end, to, end, end, end+10000))
	if err := os.WriteFile(path[:len(path)-4]+".pcf", []byte(pcf), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAlignWithoutPair: a comparison that is off the screen does not outlive its runs.
func TestAlignWithoutPair(t *testing.T) {
	d := drive(t, 100, 40, Options{Paths: []string{twoPhases(t, "a", 110), twoPhases(t, "b", 140)}})
	d.press("=", "esc")
	d.show(d.what(), false)
	d.command("close-trace")
	d.command("align")
	d.sees("the runs are not compared yet")
}
