package tui

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/quantile"
	"pview/prv/quantity"
	"pview/render/timeline"
)

// withStudy returns the demo trace with a study of 40 runs on Gigabit Ethernet, whose latency was picked in the form of
// the Simulator and whose bandwidth was typed.
func withStudy(t *testing.T, width, height int) *driver {
	d := onDemo(t, width, height)
	d.command("simulate ethernet-1g")
	d.fire()
	d.press("v") // the first field is the latency
	d.sees("Latency is")
	d.typed("uniform(1us,300us)")
	d.press("enter")
	d.press("alt+m")
	d.press("+")
	d.typed("bandwidth=uniform(10,200)")
	d.press("enter")
	d.sees("latency", "uniform(1us,300us)", "bandwidth", "uniform(10,200)", "machine ethernet-1g")
	d.press("down", "down", "down", "enter") // runs
	d.typed("40")
	d.press("enter", "r")
	d.sees("40 of 40 runs")
	return d
}

// measuredTrace returns the trace that was not predicted.
func (d *driver) measuredTrace() *timeline.Trace {
	for _, t := range d.m.Traces {
		if t.PredictedFrom == nil {
			return t
		}
	}
	return nil
}

// The worst run of a study opens under the measured one, and its prediction takes exactly as long as the table says.
func TestStudyOpensTheWorstRun(t *testing.T) {
	d := withStudy(t, 200, 60)
	d.press("tab")
	d.sees("run", "latency", "bandwidth", "total", "utilisation", "blocked", "best", "worst")
	file := filepath.Join(t.TempDir(), "runs.csv")
	d.command("study-save " + file)
	d.sees("written: " + file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 41 {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	if got := strings.Join(lines[0],
		" "); got != "index seed latency bandwidth total utilisation blocked status reason" {
		t.Error(got)
	}
	worst, totals := int64(0), []float64{}
	for _, line := range lines[1:] {
		v, err := strconv.ParseFloat(line[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		worst, totals = max(worst, int64(v)), append(totals, v)
	}
	for name, share := range map[string]float64{"5 %": 0.05, "median": 0.5, "95 %": 0.95} { // as in pview study
		d.sees(fmt.Sprintf("%-11s%s", name, quantity.FormatSpan(quantile.Of(totals, share), prv.Nanoseconds)))
	}
	d.press(">", "enter")
	d.fire()
	r := d.simulator().Of(d.measuredTrace()).History().Shown()
	if r == nil || r.Result.Total != worst {
		t.Errorf("%+v was opened, and the worst run takes %d", r, worst)
	}
	d.sees("predicted", "is simulated again", "ethernet-1g: latency")
	// The study stays on its initial machine.
	d.press("shift+tab")
	d.sees("machine ethernet-1g; m takes the Simulator's")
}

// On a small screen the pane makes room for a run that is opened, until its page is turned.
func TestStudyShowsTheOpenedRun(t *testing.T) {
	d := withStudy(t, 80, 24)
	d.press("tab")
	d.sees("window 1 of 2", "worst")
	d.press("enter")
	d.sees("no run is chosen")
	d.press(">", "enter")
	d.fire()
	d.misses("window 1 of 2")
	d.sees("predicted", "worst")
	d.press("tab")
	d.sees("window 1 of 2", "total by latency")
}

// Dragging moves the limit of the histogram, within the axis.
func TestStudyDragsTheLimit(t *testing.T) {
	d := withStudy(t, 120, 40)
	d.press("tab", "tab", "tab")
	pane := d.m.screen().layout().pane
	d.click(pane.X+90, pane.Y+10, tea.MouseLeft)
	d.sees("P(> ")
	d.drag(pane.X+90, pane.Y+10, pane.X-20, pane.Y-9, tea.MouseLeft)
	d.sees("= 100 % ± 0 %")
	d.drag(pane.X+60, pane.Y+10, pane.X+500, pane.Y+10, tea.MouseLeft)
	d.sees("= 0 % ± 0 %")
}

// Every page shows its plot; a limit in the histogram has a probability, and moves with the keys.
func TestStudyPages(t *testing.T) {
	for _, size := range screens() {
		d := withStudy(t, size[0], size[1])
		d.press("tab", "tab")
		d.sees("total by latency", "40 points", "best", "worst")
		d.press("x")
		d.sees("total by bandwidth")
		d.press("right", "tab")
		d.sees("histogram of total")
		d.press("right")
		d.sees("P(> ")
		before := strings.Join(d.screen(), "\n")
		d.press("right", "right", "right")
		if strings.Join(d.screen(), "\n") == before {
			t.Error("the limit does not move")
		}
		d.command("study-limit 1h")
		d.sees("P(> 60 min 00.0 s) = 0 %")
		d.press("tab")
		d.sees("distribution of total")
		d.press("tab")
		d.sees("running mean of total")
		d.press("tab")
		d.sees("influence on total", "latency", "bandwidth")
		d.press("v")
		d.sees("influence on utilisation")
		file := filepath.Join(t.TempDir(), "study.svg")
		d.command("study-plot " + file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"utilisation by bandwidth", "histogram of", "distribution of", "running mean of",
			"influence on"} {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("the picture has no %q", want)
			}
		}
	}
}

// The table sorts by any column, by keys and by clicks on its heading; a click on a row chooses it.
func TestStudyTable(t *testing.T) {
	d := withStudy(t, 120, 40)
	d.press("tab", "right", "right", "right", "o") // total
	d.sees("total▲")
	first := func() string {
		for i, line := range d.screen() {
			if strings.Contains(line, "total▲") || strings.Contains(line, "total▼") {
				return d.screen()[i+1]
			}
		}
		return ""
	}
	if !strings.Contains(first(), "best") {
		t.Error(first())
	}
	d.press("o")
	d.sees("total▼")
	if !strings.Contains(first(), "worst") {
		t.Error(first())
	}
	d.press("home", "down")
	d.press("o")
	d.misses("total▼", "total▲")
}

// Requests that cannot be studied are refused in a line, and nothing is lost.
func TestStudyRefuses(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.press("alt+m")
	d.fire()
	d.press("r")
	d.sees("a study needs a random variable")
	for text, why := range map[string]string{
		"study-variable nonsense=uniform(1,2)":    `there is no parameter "nonsense"`,
		"study-variable latency=uniform(5us,5us)": "has no width",
		"study-variable latency":                  "is not NAME=DENSITY",
	} {
		d.command(text)
		d.sees(why)
		d.press("esc")
	}
	d.press("down", "enter") // runs
	d.typed("0")
	d.press("enter")
	d.sees("runs: ")
	d.press("esc", "tab", "enter")
	d.sees("no runs yet")
}

// The pages of a study explain why a trace is not simulated, and so does an action on them.
func TestStudyOfDevices(t *testing.T) {
	d := onRanks(t)
	const why = "not simulated: 6 streams of devices"
	d.press("s", "+")
	d.sees(why)
	d.press("alt+m")
	d.sees(why)
	d.misses("Building", "waiting for")
	d.press("r")
	d.sees(why)
}

// What-if of a run with devices replays it: gemm_backward takes half of its 4,000 us on rank 1, and rank 0 waits less
// in the collectives. Changes are forgotten one by one; invalid changes are refused, and the answer stays.
func TestWhatIfOfDevices(t *testing.T) {
	d := onRanks(t)
	d.press("s")
	d.sees("Devices are replayed, not simulated: Enter", "Device parallel efficiency 0.5691")
	ask := func(text string) {
		d.press("enter")
		d.typed(text)
		d.press("enter")
	}
	ask("kernel=gemm_backward:0.5")
	d.sees("What if kernel=gemm_backward:0.5", "the whole run", "8.68 ms", "waits in matched collectives")
	ask("nonsense")
	d.sees("what-if nonsense: must end with a factor", "What if kernel=gemm_backward:0.5")
	ask("collectives:0.5")
	d.sees("What if kernel=gemm_backward:0.5, collectives:0.5")
	d.press("u")
	d.sees("What if kernel=gemm_backward:0.5")
	d.misses("collectives:0.5")
	d.press("r")
	d.sees("Device parallel efficiency 0.5691", "Devices  Study")
	d.press("tab") // there is no machine to show, nor a program to study
	d.sees("not simulated")
	if hints := words(d); !slices.Contains(hints, "Tab pages") || slices.Contains(hints, "r run") {
		t.Errorf("the study offers %q", hints)
	}
}

// A finished study stays when it is extended: more runs of the same study only add to it.
func TestStudyGoesOn(t *testing.T) {
	d := withStudy(t, 120, 40)
	d.press("enter")
	d.typed("50")
	d.press("enter", "r")
	d.sees("50 of 50 runs")
	d.press("d") // no variable at the cursor
	d.sees("no variable is chosen")
	d.press("home", "d")
	d.misses("uniform(1us,300us)")
}

// TestStudyMap: mappings of the tasks to a torus are ranked by the predicted time; the best opens as a prediction with
// exactly that time, and becomes the machine of the Simulator. All pages that can show it do.
func TestStudyMap(t *testing.T) {
	for _, size := range screens() {
		d := onHeat(t, size[0], size[1], "direct-contention")
		change(d, "machine-set topology ring 8")
		change(d, "machine-set link-bandwidth 20MB/s")
		change(d, "map-tasks random")
		s := d.simulator().Of(d.m.Windows[0].Trace)
		random := shown(s).Result.Total
		d.press("alt+m")
		d.press("M")
		d.sees("from", "total", "machine", "best")
		file := filepath.Join(t.TempDir(), "mappings.csv")
		d.command("study-save " + file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := func(name string) int { return slices.Index(rows[0], name) }
		best, from := int64(0), map[string]bool{}
		for _, r := range rows[1:] {
			total, err := strconv.ParseFloat(r[column("total")], 64)
			if err != nil {
				t.Fatal(err)
			}
			if from[r[column("from")]] = true; best == 0 || int64(total) < best {
				best = int64(total)
			}
			if r[column("from")] == "machine" && int64(total) != random {
				t.Errorf("the mapping of the machine takes %g ns, not %d", total, random)
			}
		}
		if !from["machine"] || !from["wrap"] || !from["anneal 1"] || best >= random { // block equals wrap here
			t.Errorf("from %v; the best takes %d ns, a random one %d", from, best, random)
		}
		d.press("<", "enter")
		d.fire()
		if total := shown(s).Result.Total; total != best {
			t.Errorf("the best mapping is predicted to take %d ns, not %d", total, best)
		}
		for range 8 {
			d.press("tab")
			d.checkSize(size[0], size[1], "the pane")
		}
	}
}

// A study has the program and the machine of the trace, but predicts nothing and opens no window before it is run; the
// Simulator predicts the run when it is opened.
func TestStudyOpensNothing(t *testing.T) {
	d := onTrace(t, 120, 40, twoTasks)
	d.press("alt+m")
	if s := d.simulator().Of(d.m.Traces[0]); s == nil || s.Program() == nil || len(s.History().Runs()) != 0 {
		t.Fatalf("the simulation of the study: %+v", s)
	}
	if n := len(d.m.Windows); n != 1 {
		t.Errorf("%d windows", n)
	}
	d.press("s")
	if s := d.simulator().Of(d.m.Traces[0]); len(s.History().Runs()) != 1 || len(d.m.Windows) != 2 {
		t.Errorf("%d runs, %d windows", len(s.History().Runs()), len(d.m.Windows))
	}
}
