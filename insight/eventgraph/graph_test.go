package eventgraph_test

import (
	"slices"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/prv"
)

// graph returns a run of two tasks. Task 1 computes until 100, sends until 102 and computes until 110; task 2 computes
// until 20, waits until 107 for the message and computes until 110.
func graph(t *testing.T) *eventgraph.Graph {
	t.Helper()
	b := runtest.Tasks(2)
	call := func(th int32, from, to, value int64, state uint32) {
		b.State(th, 0, from, to, state)
		b.Event(th, 0, from, prv.Pair{Type: 50000001, Value: value})
		b.Event(th, 0, to, prv.Pair{Type: 50000001})
	}
	b.State(0, 0, 0, 100, 1)
	call(0, 100, 102, 3, 10)
	b.State(0, 0, 102, 110, 1)
	b.State(1, 0, 0, 20, 1)
	call(1, 20, 107, 2, 3)
	b.State(1, 0, 107, 110, 1)
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{100, 102, 20, 107}, Size: 1000, Tag: 5})
	return runtest.Graph(t, runtest.Build(t, b))
}

// The unit of task 2 from 107 on was let go by the one of task 1 in which the message was sent, at 100, after 87 of
// idle time. The message took 7, from the send to the end of the receive.
func TestUnits(t *testing.T) {
	g := graph(t)
	i := g.UnitAt(1, 108)
	u := &g.Units[i]
	if u.Begin != 107 || u.End != 110 || u.User != 3 || u.Idle != 87 || g.LetGo(u) != 0 || g.Created(i) != 100 {
		t.Errorf("%+v, let go by %d at %d", u, g.LetGo(u), g.Created(i))
	}
	if m := g.Message(u); m != 0 || g.Size(m) != 1000 {
		t.Errorf("message %d", m)
	}
	if p := g.Params.Latency; p.Value != 7 || p.Source != "measured" {
		t.Errorf("latency %+v", p)
	}
	if first := &g.Units[g.UnitAt(1, 10)]; first.Begin != 0 || first.User != 20 || first.Creator >= 0 {
		t.Errorf("%+v", first)
	}
}

// Task 1 is 108 in its own code and 2 in the send, task 2 23 and waits for 87: 131 of 220 are used.
func TestUsage(t *testing.T) {
	g := graph(t)
	var all eventgraph.TotalUsage
	for th, want := range [][3]int64{{108, 2, 0}, {23, 0, 87}} {
		u := g.UsageOf(int32(th), 0, g.T.Duration)
		if u.User() != want[0] || u.Overhead() != want[1] || u.Idle() != want[2] {
			t.Errorf("task %d: %d own, %d overhead, %d idle", th+1, u.User(), u.Overhead(), u.Idle())
		}
		all.Add(&u)
	}
	if got, want := all.Utilisation(), 131.0/220; got != want {
		t.Errorf("utilisation %f, want %f", got, want)
	}
	if got := g.UserIn(0, 90, 105); got != 13 { // 90 to 100, 102 to 105
		t.Errorf("%f of its own code from 90 to 105", got)
	}
}

// The units are 0 and 1 of task 1, 100 and 8 of its own code, and 2 and 3 of task 2, of 20 and 3. 1 follows 0, and
// 3 was created at 100 in 0.
func TestChains(t *testing.T) {
	g := graph(t)
	order := slices.Collect(g.InOrder(g.Run()))
	if !slices.Equal(order, []int32{0, 2, 1, 3}) {
		t.Fatalf("units in the order %v", order)
	}
	type part struct {
		unit  int32
		takes int64
	}
	var chain []part
	g.Along(3, func(i int32, takes int64) { chain = append(chain, part{i, takes}) })
	if !slices.Equal(chain, []part{{3, 3}, {0, 100}}) {
		t.Errorf("the chain to unit 3 is %v", chain)
	}
	g.Along(-1, func(int32, int64) { t.Error("a chain that ends nowhere has units") })

	for i := range g.Units {
		g.Units[i].Class = int32(i)
	}
	for _, c := range []struct {
		first  int64 // what unit 0 takes
		class  int32
		banned bool
		length int64
		last   int32
	}{
		{100, -1, false, 108, 1}, // 100 + 8; 100 + 3 is less
		{100, 0, false, 20, 2},   // 1 and 3 begin at 0 then
		{100, 0, true, 20, 2},
		{100, 1, false, 103, 3}, {100, 1, true, 103, 3}, {100, 3, true, 108, 1},
		{30, -1, false, 38, 1}, {30, 1, true, 33, 3}, {30, 2, true, 38, 1},
		{10, 1, true, 20, 2}, {10, 2, true, 18, 1}, {10, 2, false, 18, 1},
		{101, 1, true, 103, 3}, // 3 was created when 100 of it had passed
	} {
		g.Units[0].User = c.first
		if length, last := g.Longest(c.class, c.banned); length != c.length || last != c.last {
			t.Errorf("unit 0 takes %d, without class %d: %d to unit %d, want %d to %d", c.first, c.class, length, last,
				c.length, c.last)
		}
	}
	// 0 and 2 run until 20, 0 until 102, 1 until 107, 1 and 3 until 110.
	share := g.Normalised()
	if share[0] != 10+82 || share[1] != 5+1.5 || share[2] != 10 || share[3] != 1.5 || len(share) != 4 {
		t.Errorf("shares of the time %v", share)
	}
}
