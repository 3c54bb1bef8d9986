package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A range typed into a field sweeps it, and draws the times. Esc closes the curve.
func TestSweepInTheField(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.press("s", "enter")
	d.typed("1us..1ms*10")
	d.press("enter")
	d.sees("Latency", "predicted", "1 us", "10 us", "100 us", "1 ms", "measured")
	if lines := strings.Join(d.screen(), "\n"); !strings.ContainsFunc(lines, func(r rune) bool {
		return r > 0x2800 && r <= 0x28ff
	}) {
		t.Error("there is no curve of braille dots")
	}
	picture := filepath.Join(t.TempDir(), "sweep.svg")
	d.command("export " + picture)
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "Latency") {
		t.Errorf("the picture does not have the curve: %v", err)
	}
	d.resize(50, 30) // no room for a curve: bars
	d.sees("█")
	d.resize(120, 40)
	d.press("esc")
	d.misses("Esc closes")
	d.sees("Bandwidth")
	d.press("enter")
	d.typed("1us..")
	d.press("enter")
	d.sees("needs a step")
}

// Another page replaces the curve, by key, by name and by mouse: no page is turned while it is hidden.
func TestSweepGivesWayToPages(t *testing.T) {
	for _, turn := range []func(d *driver){
		func(d *driver) { d.press("H") },
		func(d *driver) { d.command("sim-page runs") },
		func(d *driver) {
			for y, line := range d.screen() {
				if x := strings.Index(line, "Model  Runs"); x >= 0 {
					d.click(x+8, y, tea.MouseLeft)
					return
				}
			}
			t.Error("there are no names of pages")
		},
	} {
		d := onDemo(t, 120, 40)
		d.press("s", "enter")
		d.typed("1us..1ms*10")
		d.press("enter")
		d.sees("100 us", "Esc closes")
		turn(d)
		d.sees("of measured", "run 1  ")
		d.misses("100 us", "Esc closes")
	}
}

// Simulations start with the machine that the options name: one fitted to the messages, if there are any.
func TestSimulationBeginsFitted(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.m.options.Machine = "fitted"
	d.press("s")
	d.sees("run 1: fitted")
	latency := ""
	for _, line := range d.screen() {
		if strings.Contains(line, "Latency") {
			latency = strings.Fields(line[strings.Index(line, "Latency"):])[1]
			break
		}
	}
	if latency == "0" || latency == "" {
		t.Errorf("the latency is %q", latency)
	}
	d.press("-") // something to halve
	d.misses("cannot be halved")
	d.press("m", "/")
	d.typed("fitted")
	d.sees("as messages show: ")
	d.press("enter")
	d = onTrace(t, 120, 40, manyThreads(4)) // no messages to fit to
	d.m.options.Machine = "fitted"
	d.press("s")
	d.misses("run 1: fitted")
}

// An impossible prediction explains itself: hybrid_4x4 is predicted to take a third longer than measured, on any
// network, since the time before its threads were created counts as their computation.
func TestImplausiblePrediction(t *testing.T) {
	d := drive(t, 200, 60, Options{Paths: []string{"../testdata/traces/hybrid_4x4/hybrid_4x4.prv.gz"}})
	d.press("s")
	d.sees("longer than measured, though the network costs nothing: threads wait",
		"did not exist or were not traced count as computation")
	d.command("simulate fitted")
	d.fire()
	d.sees("longer than measured, though the network is no slower than its messages showed")
	d.command("simulate now") // a slow network needs no explanation
	d.fire()
	d.misses("longer than measured")
	d.resize(80, 24) // there is one line for it: the key shows all
	d.command("simulate ideal")
	d.fire()
	d.sees("longer than measured, though the network costs nothing")
	d.misses("count as computation")
	d.press("e")
	d.sees("About the simulation", "count as", "outside of any MPI call")
}
