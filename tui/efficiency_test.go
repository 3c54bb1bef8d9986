package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pview/prv/prvtest"
)

// TestEfficiencyPane: two processes are useful for 1000 and 900 us of 1000, on average 95 % of the run.
func TestEfficiencyPane(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{prvtest.Stairs(t, t.TempDir(), 2)}})
	d.press("U")
	d.sees("  Efficiency  ", "   stairs2", "└ Parallel efficiency", "  ├ Load balance", "95.0 %", "100 %",
		"Global efficiency = parallel efficiency x computation scalability")
	d.misses("Computation scalability  ", "└ Computation", "Speedup") // a single run has no scaling
	d.press("down", "down")
	d.sees("Load balance = average useful duration / maximum useful duration", "balance of useful time")
	d.press("end")
	d.sees("Useful duration, total", "1.9 ms")
	d.press("home", "t")
	if hints := words(d); !slices.Contains(hints, "t factors") || slices.Contains(hints, "↑↓ factor") {
		t.Errorf("the useful times offer %q", hints)
	}
	d.sees("Useful time per process", "mean 95.0 %, most 100 %", "90.0 %")
	d.press("t", "down", "down", "down", "down") // a factor without a value says why
	d.sees("not simulated: the trace has no messages and no collective operations")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the pane")
		d.sees("Parallel efficiency")
	}
	// side by side
	d.sees("Useful time per process", "Serialization efficiency = maximum useful duration in the ideal run")
	d.press("esc")
	if d.m.PaneFocus || !d.m.panes.open {
		t.Error("Esc does not go back to the window")
	}
}

// The notes qualify the factors: if they do not fit, a line gives their number.
func TestEfficiencyCountsNotes(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{"../testdata/traces/hybrid_4x4/hybrid_4x4.prv.gz"}})
	d.press("U")
	d.sees("▸ 5 notes on the run: a taller terminal or pview efficiency shows all", "overall efficiency relative to")
	d.resize(200, 60)
	d.sees("▸ simulation: the ideal run is longer than the run")
	d.misses("5 notes on the run")
}

// TestEfficiencyCompare: a third process adds 800 us: 2700 of 3000 us are 90 %, and the 1900 us of two processes are
// 70.37 % of 2700.
func TestEfficiencyCompare(t *testing.T) {
	dir := t.TempDir()
	two, three := prvtest.Stairs(t, dir, 2), prvtest.Stairs(t, dir, 3)
	d := drive(t, 100, 30, Options{Paths: []string{two}})
	d.command("efficiency " + three)
	d.sees("strong scaling from 2", "95.0 %", "90.0 %", "70.4 %")
	if len(d.m.Windows) != 1 || len(d.m.Traces) != 1 {
		t.Error("a trace that is only compared has a window")
	}
	d.press("c", "c") // auto, strong, weak: 1900 x 3/2 of 2700
	d.sees("106 %")
	d.press("p")
	d.typed("8")
	d.press("enter")
	d.sees("at least 3 different sizes")
	d.command("efficiency " + prvtest.Stairs(t, dir, 4) + " " + two) // the open trace is not read again
	if got := strings.Join(d.efficiency().Labels(), " "); got != "2 3 4" {
		t.Errorf("runs %s", got)
	}
	d.command("project 8,16")
	d.sees("→ 8", "→ 16")
	d.press("down", "down")
	d.sees("projected by amdahl")
	d.command("project 32 pipeline")
	d.sees("→ 32", "projected by pipeline")
	d.press("p")
	d.misses("→ 32")

	d.press("right", "right", "x") // takes the run of four out
	runs := func(want string) {    // the headline has an efficiency of 95.0 % as well
		t.Helper()
		if got := strings.Join(d.efficiency().Labels(), " "); got != want {
			t.Errorf("runs %s, want %s", got, want)
		}
	}
	runs("2 3")
	d.press("left", "left", "x")
	runs("3")
	d.press("x")
	d.sees("this is the only run")
	d.press("o")
	runs("2 3")
	d.command("efficiency " + filepath.Join(dir, "none.prv"))
	d.sees("none.prv", "1 run not measured", "95.0 %")
}

// TestEfficiencyStops: Esc stops measuring, the pending result is dropped, and r measures again.
func TestEfficiencyStops(t *testing.T) {
	d := drive(t, 80, 24, Options{Paths: []string{prvtest.Stairs(t, t.TempDir(), 2)}})
	_, cmd := d.m.Update(keyPress(t, "U"))
	if !d.efficiency().Busy() {
		t.Fatal("nothing is measured")
	}
	d.sees("stairs2.prv", "Esc stops")
	d.press("esc")
	if d.efficiency().Busy() || !d.m.PaneFocus {
		t.Error("it goes on, or the pane was left")
	}
	d.run(cmd)
	d.sees("1 run not measured", "measurement stopped")
	d.press("r")
	d.sees("95.0 %")
}

// TestEfficiencyMouse: a click chooses a factor and a run.
func TestEfficiencyMouse(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, 100, 30, Options{Paths: []string{prvtest.Stairs(t, dir, 2), prvtest.Stairs(t, dir, 3)}})
	d.press("U")
	for y, line := range d.screen() {
		if at := strings.Index(line, "90.0 %"); at >= 0 && strings.Contains(line, "Parallel") {
			d.send(tea.MouseClickMsg{X: len([]rune(line[:at])) + 2, Y: y, Button: tea.MouseLeft})
			break
		}
	}
	d.sees("Parallel efficiency = load balance x communication efficiency")
	if run := d.efficiency().Run(); run.Threads != 3 {
		t.Errorf("the run of %d processes is chosen", run.Threads)
	}
}

// TestEfficiencyWithoutColour: without colours, values have marks.
func TestEfficiencyWithoutColour(t *testing.T) {
	profile := colorprofile.ASCII
	d := drive(t, 80, 24, Options{Paths: []string{prvtest.Stairs(t, t.TempDir(), 9)}, Profile: &profile})
	d.press("U")
	d.sees("! 60.0 %") // 1000 to 200 us: 5400 of 9000
}

// TestEfficiencyFollows: a growing trace is measured again; the previous results stay until then.
func TestEfficiencyFollows(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, 80, 24, Options{Paths: []string{prvtest.Stairs(t, dir, 2)}})
	d.press("U")
	grown := strings.Replace(readText(t, prvtest.Stairs(t, dir, 2)), "0:900:1", "0:1000:1", 1)
	cmd := d.m.revise(d.m.Traces[0], traceOf(t, grown))
	d.sees("95.0 %")
	d.run(cmd)
	d.press("home")
	d.misses("95.0 %")
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The title of the useful times first names the time that the shares refer to: the name of the run may be cut.
func TestUsefulTitleKeepsTheRuntime(t *testing.T) {
	d := drive(t, 120, 40, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.command("efficiency")
	d.sees("Useful time per process  of 157.7 ms · ")
}
