package tui

import (
	"path/filepath"
	"testing"
)

// holds types a start-up of 1 ms and a computation of 230 ms, with which the model is within 5 % of the measured 76.8
// ms: (3 + 1) 1 ms + 230 ms / 3 = 80.7 ms.
func holds(d *driver) {
	d.press("enter") // m0, the first parameter
	d.typed("1ms")
	d.press("enter", "down", "down", "down", "down", "down", "down", "enter")
	d.typed("230ms")
	d.press("enter")
}

// TestFrameworksPane: a recorded master with three workers is recognised; a typed parameter changes the model
// immediately; its recommendation is simulated, opened below the measured run, and exported as a picture.
func TestFrameworksPane(t *testing.T) {
	d := drive(t, 130, 44, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("alt+a")
	d.sees("master-worker", "master 1  workers 2-4", "none from the model: it does not hold", "start-up of a message",
		"Tt (ms)")
	holds(d)
	// The n that minimises n ((n + 1) m0 + Tc/n)^2: the derivative of sqrt n (n + 1 + 230/n) is 0 if 1.5 n^2 + 0.5 n =
	// 115, at n = 8.6; its value is 106.8 for 8 and 106.7 for 9.
	d.sees("1 ms", "230 ms", "typed", "3 -> 9")
	d.press("up", "up", "up", "enter")
	d.sees("workers follows from the trace and cannot be typed")
	d.press("v")
	d.sees("in the simulator")
	d.press("right", "right", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown")
	d.sees("one-shot", "DAF", "own 60 chunks")
	d.press("right")
	d.sees("rests on:", "Simulation")
	d.press("o")
	if len(d.m.Windows) != 2 || d.m.Focused() != d.m.Windows[0] || len(d.m.Windows[1].Trace.Data.Tasks) != 10 {
		t.Errorf("%d windows: the simulated run of a master and 9 workers does not stand below the measured one",
			len(d.m.Windows))
	}
	file := filepath.Join(t.TempDir(), "curves.svg")
	d.command("framework-plot " + file)
	d.sees("written: " + file)
	d.press("alt+a", "r")
	d.sees("none from the model: it does not hold")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the pane")
		d.sees("master-worker")
	}
}

// In a run with two applications the pane shows the one under the cursor, and counts both.
func TestFrameworksPaneApplications(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("down", "down", "down", "down", "alt+a")
	d.sees("unknown (no structure, ptask 2 of 2, the cursor's)", "ptask 1 is recognised: master-worker")
	d.press("esc", "up", "up", "up", "up", "up", "up", "up")
	d.sees("master-worker (recognised, ptask 1 of 2, the cursor's)")
}

// The warnings and the verdict of the simulator follow the unit of times immediately, without a new analysis or
// simulation.
func TestFrameworksFollowUnits(t *testing.T) {
	d := drive(t, 200, 60, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("alt+a")
	holds(d)
	d.press("v", "right", "right", "right")
	d.sees("Simulation", " ms in the simulator, predicted ", " ms (")
	d.press(":")
	d.typed("units us")
	d.m.Update(keyPress(t, "enter")) // the resulting command is not run
	d.sees("Simulation", " us in the simulator, predicted ")
	d.misses(" ms in the simulator")
}

// A low screen also shows the simulator's verdict, in place of the advice.
func TestFrameworksPaneVerdict(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("alt+a", "v")
	d.sees("master-worker (recognised", "nothing to confirm: the model does not hold: it gives 33.59 ms for the measur")
	d.misses("none from the model")
}

// A program without structure is refused, with the scores.
func TestFrameworksPaneRefuses(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.press("alt+a")
	d.sees("no structure was recognised", "95 % are needed")
	d.sees("↑↓ line", "t selection", "r read again")
	d.misses("set it", "simulate it", "go to master", "write curves")
	d.press("v")
	d.sees("there is no recommendation to simulate")
}
