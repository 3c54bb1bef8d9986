package diagnose

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
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

// The repair of R03: 50 bytes of 2 ns each in 4 parts, 25 of their 100 at the end. Thread 1 works from 100 on, thread 2
// from 300 to 400. A part costs 10 to send and 20 to receive, three times more than before.
func TestSplitOne(t *testing.T) {
	takes := func(thread int32, from, to int64, factor float64) replay.Change {
		return replay.Change{Kind: replay.OfTime, Thread: thread, From: from, To: to, Factor: factor}
	}
	for _, c := range []struct {
		name         string
		sent, idle   int64 // the end of the sender's work; the time before the receiver's
		before, work int64 // user time
		want         []replay.Change
	}{
		{"sender", 200, 150, 100, 60, []replay.Change{takes(1, 200, 300, 0.25), // 100 - 75 of 100
			takes(1, 300, 400, 0.25), takes(0, 100, 200, 1.3)}}, // 100 + 3 x 10
		{"as much", 200, 150, 70, 70, []replay.Change{takes(1, 200, 300, 0.25), takes(1, 300, 400, 0.25),
			takes(0, 100, 200, 1.3)}},
		{"receiver", 200, 150, 70, 71, []replay.Change{takes(1, 200, 300, 0.25),
			{Kind: replay.OfSend, From: 125}, // a quarter of 100 after its begin
			takes(1, 300, 400, 1.6)}},        // 100 + 3 x 20
		{"idle from 260 on", 200, 40, 100, 60, []replay.Change{takes(1, 260, 300, 0), takes(1, 300, 400, 0.25),
			takes(0, 100, 200, 1.3)}},
		{"sent at 300", 300, 150, 100, 60, []replay.Change{takes(1, 300, 400, 0.25), takes(0, 100, 300, 1.15)}},
		{"sent at 301", 301, 150, 60, 100, []replay.Change{{Kind: replay.OfSend, From: 150}, takes(1, 300, 400, 1.6)}},
	} {
		g := &eventgraph.Graph{T: &prv.Trace{}, Units: []eventgraph.Unit{
			{Begin: 100, End: c.sent, User: c.before, Thread: 0, Creator: -1, Via: -1},
			{Begin: 300, End: 400, User: c.work, Idle: c.idle, Thread: 1, Creator: 0, Via: -1}}}
		g.T.Comms.Size = []int64{50}
		g.Params.Byte.Value, g.Params.Send.Value, g.Params.Receive.Value = 2, 10, 20
		var r result
		v := &phaseView{analysis: &analysis{Graph: g}}
		v.splitOne(&r, 1, &large{x: &g.Units[1], y: &g.Units[0], parts: 4})
		if !slices.Equal(r.changes, c.want) {
			t.Errorf("%s: %+v, not %+v", c.name, r.changes, c.want)
		}
	}
}

// Times of 1, 3 and 0 in 5 to 20 are levelled to 4/3; a thread without time has none to change.
func TestLevels(t *testing.T) {
	b := threeTasks()
	b.State(0, 0, 0, 6, 1)
	b.State(1, 0, 10, 13, 1)
	b.State(2, 0, 0, 5, 1)
	var r result
	v := &phaseView{analysis: &analysis{Graph: buildGraph(t, b)}, Phase: &eventgraph.Phase{From: 5, To: 20}}
	v.levels(&r, []int32{0, 1, 2}, []float64{1, 3, 0}, extrae.PartUser)
	if len(r.changes) != 2 {
		t.Fatalf("%+v", r.changes)
	}
	for i, want := range []replay.Change{{From: 5, To: 6, Factor: 4.0 / 3},
		{From: 10, To: 13, Factor: 4.0 / 9, Thread: 1}} {
		got := r.changes[i]
		if math.Abs(got.Factor-want.Factor) > 1e-9 {
			t.Errorf("factor %f, not %f", got.Factor, want.Factor)
		}
		if got.Factor = want.Factor; got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
}

// Calls are slow where a send and a receive take more than 20 us, and more than the network.
func TestSlowCalls(t *testing.T) {
	for _, c := range []struct {
		unit                   prv.Unit
		send, receive, latency float64
		want                   bool
	}{
		{prv.Nanoseconds, 12_000, 8_000, 0, false},
		{prv.Nanoseconds, 12_000, 8_001, 0, true},
		{prv.Microseconds, 12, 8, 0, false},
		{prv.Microseconds, 12, 9, 0, true},
		{prv.Microseconds, 12, 9, 20, true},
		{prv.Microseconds, 12, 9, 21, false},
	} {
		a := &analysis{Graph: &eventgraph.Graph{T: &prv.Trace{Unit: c.unit}}}
		a.Params.Send.Value, a.Params.Receive.Value, a.Params.Latency.Value = c.send, c.receive, c.latency
		if got := a.slowCalls(); got != c.want {
			t.Errorf("%+v: %v", c, got)
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
