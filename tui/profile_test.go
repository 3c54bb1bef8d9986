package tui

import "testing"

// The profile follows the time in view. Of 200 us of two threads 155 are Running, 30 Waiting a message, 10 Idle and 5
// Latency: see TestUsualTable.
func TestProfileFollowsTheView(t *testing.T) {
	d := onTrace(t, 140, 40, traceA)
	d.press("Q")
	d.sees("100 us of 2 threads · 77.5 % useful", "States", "77.5 % Running", "15.0 % Waiting a message",
		"5.0 % Idle", "2.5 % Scheduling and Fork/Join", "Ranks, useful", "85.0 % 1.2.1", "70.0 % 1.1.1")
	d.command("view 0 50us")
	// Thread 1 runs in 0..30 and waits in 30..50, thread 2 runs in 0..45.
	d.sees("50 us of 2 threads · 75.0 % useful", "75.0 % Running", "20.0 % Waiting a message", "90.0 % 1.2.1",
		"60.0 % 1.1.1")
	// Enter goes to the longest burst: of Running that of thread 2, of 0..45.
	w := d.m.Focused()
	w.Cursor = 40
	d.press("enter")
	if w.CursorRow != 1 || w.Cursor != 0 {
		t.Errorf("Enter leads to row %d at %d, want row 1 at 0", w.CursorRow, w.Cursor)
	}
	d.sees("longest Running of 1.2.1 in view: 45 us")
	// To the ranks; the second entry is thread 1, whose longest computation begins at 0.
	d.press("l", "j", "enter")
	if w.CursorRow != 0 || w.Cursor != 0 {
		t.Errorf("Enter on a rank leads to row %d at %d, want row 0 at 0", w.CursorRow, w.Cursor)
	}
	d.sees("longest computation of 1.1.1 in view: 30 us")
	d.press("Q")
	d.misses("Ranks, useful")
}

// The tree of call paths is the second page of the profile. Of 200 us of two threads thread 1 is in solve for 80, of
// which it is in MPI_Recv (which no .pcf names) for 10. Enter goes to the longest call.
func TestCallPaths(t *testing.T) {
	d := onTrace(t, 140, 40, stackText)
	d.press("Q", "tab")
	d.sees("100 %    60.0 %     200 us  120 us ", "all 2 threads", "40.0 %  35.0 %      80 us   70 us      1",
		" 5.0 %   5.0 %      10 us   10 us      1", "type 50000001 2")
	w := d.m.Focused()
	d.press("j", "j", "enter")
	if w.CursorRow != 0 || w.Cursor != 50 {
		t.Errorf("Enter leads to row %d at %d, want row 0 at 50", w.CursorRow, w.Cursor)
	}
	d.sees("longest type 60000019 5 > type 50000001 2 of 1.1.1 in the run: 10 us")
	d.command("view 0 55us") // 45 of solve, 5 of it in MPI_Recv, of 110
	d.sees("40.9 %  36.4 %", " 4.5 %   4.5 %")
	d.press("/")
	d.typed("5000")
	d.press("enter")
	d.misses("all 2 threads")
	d = onTrace(t, 120, 40, traceA)
	d.command("workspace table call paths")
	d.sees("no calls in this time")
}

// Instructions per cycle are computed over the time in view, not as a mean of means: 4000+90 instructions in 2000+30
// cycles of computation, in 20 + 30 us.
func TestProfileOfCounters(t *testing.T) {
	d := onTrace(t, 140, 40, countersText)
	d.press("Q")
	d.sees("50.0 % useful", "IPC 2.015", "82 MIPS") // 4090 / 2030 = 2.0148, 4090 / 50 = 81.8
	d.command("view 10us 30us")
	d.sees("100 % useful", "IPC 2.000", "200 MIPS")
}
