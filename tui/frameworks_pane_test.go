package tui

import (
	"path/filepath"
	"testing"
)

// TestFrameworksPane: a recorded master with three workers is recognised; a typed parameter changes the model at once;
// its recommendation is simulated, opened below the measured run, and written as a picture.
func TestFrameworksPane(t *testing.T) {
	d := drive(t, 130, 44, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("alt+a")
	d.sees("master-worker", "master 1, workers 2-4", "add workers: 3 -> 45", "start-up of a message",
		"Time of an iteration")
	d.press("enter") // m0, the first parameter
	d.typed("1ms")
	d.press("enter")
	d.sees("1 ms t", "3 -> 6") // argmin of n (2 m0 + n m0 + (Tc + L V)/n)^2, about sqrt of a third of Tc/m0 = 5.8
	d.press("down", "down", "down", "enter")
	d.sees("workers follows from the trace and cannot be typed")
	d.press("s")
	d.sees("by the simulator")
	d.press("right", "right")
	d.sees("one-shot", "DAF", "as it was")
	d.press("right")
	d.sees("rests on:", "Simulation:")
	d.press("o")
	if len(d.m.Windows) != 2 || d.m.Focused() != d.m.Windows[0] || len(d.m.Windows[1].Trace.Data.Tasks) != 7 {
		t.Errorf("%d windows: the simulated run of a master and 6 workers does not stand below the measured one",
			len(d.m.Windows))
	}
	file := filepath.Join(t.TempDir(), "curves.svg")
	d.command("framework-plot " + file)
	d.sees("saved " + file)
	d.press("alt+a", "r")
	d.sees("add workers: 3 -> 45")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the pane")
		d.sees("master-worker")
	}
}

// The warnings and the verdict of the simulator follow the unit of times at once: nothing is analysed or simulated
// again.
func TestFrameworksFollowUnits(t *testing.T) {
	d := drive(t, 200, 60, Options{Paths: []string{"../testdata/traces/twoapps_4_4/twoapps_4_4.prv"}})
	d.press("alt+a", "enter")
	d.typed("1ms")
	d.press("enter", "s", "right", "right", "right")
	d.sees("Simulation:", " ms in the simulator, predicted ", " ms (")
	d.press(":")
	d.typed("units us")
	d.m.Update(keyPress(t, "enter")) // no command that follows from it is run
	d.sees("Simulation:", " us in the simulator, predicted ")
	d.misses(" ms in the simulator")
}

// A program without structure is refused, with the scores.
func TestFrameworksPaneRefuses(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.press("alt+a")
	d.sees("no structure was recognised", "95 % are needed")
	d.press("s")
	d.sees("there is no recommendation to simulate")
}
