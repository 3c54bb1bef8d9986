package diagnose

import (
	"math"
	"strconv"
	"testing"
	"unsafe"

	"pview/insight/eventgraph"
	"pview/insight/waits"
)

// Checks 18 to 20 of projections.md: the number of parts of a message, and what they save.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		bytes, before, after, send, receive float64
		parts                               int
		saving                              float64
	}{
		{84, 100, 60, 4, 9, 6, 100}, // (12 - 2)^2, the square roots of 144 and 4
		{84, 60, 100, 4, 9, 4, 81},  // (12 - 3)^2
		{40, 100, 60, 7, 9, 4, 54},  // sqrt(100/7) = 3.78: 100 x 2/3 - 14 = 52.67, 100 x 3/4 - 21 = 54
		{1, 100, 2, 4, 9, 1, 0},     // sqrt(3/4) < 1
		{84, 60, 60, 4, 9, 4, 81},   // as much before as after: the smaller of the two savings
	} {
		if k, s := split(c.bytes, c.before, c.after, c.send, c.receive); k != c.parts || math.Abs(s-c.saving) > 1e-9 {
			t.Errorf("%+v: %d parts save %f", c, k, s)
		}
	}
}

// Check 21: ten messages in a row of 5 to send and 20 on their way: 9 x 25. Check 23: 1000 executions of 200 in all
// 200,000, where a message costs 150 and 1500 of work would be good, on 4 processors: 150 x (1000 - 133.33) / 4 =
// 32,500.
func TestCheck21And23(t *testing.T) {
	if got := rowGain(10, 5+20); got != 225 {
		t.Errorf("a row of ten: %f", got)
	}
	if got := tooSmall(150, 1000, 200_000, 1500) / 4; math.Abs(got-32500) > 1e-9 {
		t.Errorf("small executions: %f", got)
	}
}

// Check 29: of 50, 30, 15 and 5 in one phase the last two are minor, unless the cut-off is 4 %.
func TestCheck29(t *testing.T) {
	for cut, want := range map[float64]int{0.2: 2, 0.04: 4} {
		a := &analysis{Graph: &eventgraph.Graph{Waits: &waits.Result{}}, set: Default, out: &Result{Length: 1000}}
		a.set.CutOff = cut
		var list []result
		for i, s := range []float64{50, 30, 15, 5} {
			list = append(list, found("R13", strconv.Itoa(i), s, "", ""))
		}
		a.accept(list, 1)
		a.divide(false)
		if len(a.out.Findings) != want || len(a.out.Minor) != 4-want {
			t.Errorf("cut-off %f: %d findings, %d minor", cut, len(a.out.Findings), len(a.out.Minor))
		}
	}
}

// Check 54: what is kept of a unit takes at most 64 bytes, in message-driven runs too: ten million stay below 1 GB.
func TestUnitSize(t *testing.T) {
	if n := unsafe.Sizeof(eventgraph.Unit{}) + unsafe.Sizeof(eventgraph.Start{}); n > 64 {
		t.Errorf("%d bytes", n)
	}
}
