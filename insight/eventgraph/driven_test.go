package eventgraph_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/execution"
)

// driven returns the graph of a message-driven run on 3 processors.
func driven(t *testing.T) *eventgraph.Graph {
	t.Helper()
	return runtest.Graph(t, runtest.Driven(t))
}

func TestDrivenUnits(t *testing.T) {
	g := driven(t)
	for i, want := range []struct {
		thread                                         int32
		begin, end, user, idle, queued, created, whole int64
		creator, via, creation, class                  int32
	}{
		{0, 0, 10, 10, 0, 0, 0, 10, -1, -1, -1, 1},
		{1, 20, 30, 10, 20, 15, 4, 13, 0, -1, 0, 2},
		{1, 35, 38, 3, 5, 30, 30, -1, 1, -1, -1, 2},
		{2, 25, 40, 15, 25, 22, 6, 15, 0, 0, 1, 2},
		{2, 45, 50, 5, 5, 40, 30, 5, 3, -1, 2, 3}, // its processor was in use until 40
	} {
		u, s := &g.Units[i], &g.Driven.Starts[i]
		got := fmt.Sprint(u.Thread, u.Begin, u.End, s.Queued, g.Created(int32(i)), g.Executions()[i], u.Creator, u.Via,
			s.Creation, u.Class)
		if said := fmt.Sprint(want.thread, want.begin, want.end, want.queued, want.created, want.whole, want.creator,
			want.via, want.creation, want.class); got != said {
			t.Errorf("unit %d: %s, want %s", i, got, said)
		}
		if u.User != want.user || u.Idle != want.idle {
			t.Errorf("unit %d: %d of its own, %d idle before", i, u.User, u.Idle)
		}
		if s.Resumed != (i == 2) || s.InLibrary != (i == 3) || (s.Outcome == execution.Useful) != (i == 2) ||
			g.IsDynamic(int32(i)) != (i == 3) {
			t.Errorf("unit %d: %+v", i, s)
		}
	}
	if o := g.Objects(); !slices.Equal(o, []int64{0, 7, 0, 0, 8}) {
		t.Errorf("objects %v", o)
	}
	for i, want := range []struct {
		starts, target, hops int32
		priority             int64
	}{{1, 2, 1, 0}, {3, 2, 0, 0}, {4, 3, 0, 9}} {
		if c := g.Driven.Created[i]; c.Starts != want.starts || c.Target != want.target || c.Hops != want.hops ||
			c.Priority != want.priority || c.Dynamic() != (i == 1) {
			t.Errorf("message %d: %+v", i, c)
		}
	}
	if !g.HasDynamic() || g.Message(&g.Units[3]) != 0 || g.Message(&g.Units[1]) != -1 || g.ClassAt(2, 46) != 3 ||
		g.ClassAt(1, 5) != -1 || g.ClassAt(2, 44) != 2 || g.LetGo(&g.Units[1]) != 0 || g.LetGo(&g.Units[4]) != -1 {
		t.Error("messages, classes, who let whom go")
	}
}

// The stretches in which as many tasks execute and could: running, fixed, available, all.
func TestStages(t *testing.T) {
	want := "[{0 10 0 1 0 1} {10 15 0 0 0 0} {15 20 0 0 0 1} {20 22 0 1 0 1} {22 25 0 1 1 2} {25 30 1 1 1 2} " +
		"{30 35 1 0 1 2} {35 38 1 1 1 2} {38 40 1 0 1 1} {40 45 0 0 0 1} {45 50 0 1 0 1} {50 60 0 0 0 0}]"
	if got := fmt.Sprint(driven(t).StagesIn(0, 60)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// At 0 and at 45 nothing else is executed or waits. The first phase ends with the unit at 50.
func TestDrivenPhases(t *testing.T) {
	g := driven(t)
	if points := g.SeparationPoints(); !slices.Equal(points, []int32{0, 4}) {
		t.Errorf("points %v", points)
	}
	// The units begin in the order 0, 1, 3, 2, 4. Of two in a row the last is kept, of three the first as well.
	for _, c := range [][2][]int32{{{0, 1}, {1}}, {{0, 1, 3}, {0, 3}}, {{0, 3}, {0, 3}}, {{1, 3, 2, 4}, {1, 4}},
		{{0, 3, 2}, {0, 2}}, {{4}, {4}}, {nil, nil}} {
		if kept := g.KeptPoints(c[0]); !slices.Equal(kept, c[1]) {
			t.Errorf("of %v %v are kept, want %v", c[0], kept, c[1])
		}
	}
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(g.Phases) != 2 || g.Groups != 2 || g.Phases[0].From != 0 || g.Phases[0].To != 50 || g.Phases[1].To != 60 ||
		g.Phases[1].Group != 2 || !slices.Equal(g.Phases[0].Ends, []int32{1, 3, 5}) {
		t.Errorf("%+v", g.Phases)
	}
	first, last := &g.Phases[0], &g.Phases[1]
	if !first.Holds(4, 2) || last.Holds(4, 2) || first.Holds(4, 1) {
		t.Error("units of the phases")
	}
}

// The clock of processor 2 is behind. What starts at 50 was created at 104 on processor 1: with 3 on its way it starts
// at 107, 57 later. What starts at 120 was created at 190: at 193, 16 more. The run ends 73 later; the end of the unit
// from 70 to 120 moves by 57.
func TestRepairClocks(t *testing.T) {
	b := runtest.Tasks(2)
	runtest.Line(b, 0, 100, runtest.Slots{execution.Entry: 1})
	runtest.Line(b, 0, 104, runtest.Slots{execution.Created: 1, execution.Target: 2})
	runtest.Line(b, 0, 110, runtest.Slots{execution.Entry: 0})
	runtest.Line(b, 0, 185, runtest.Slots{execution.Entry: 1})
	runtest.Line(b, 0, 190, runtest.Slots{execution.Created: 2, execution.Target: 2})
	runtest.Line(b, 0, 195, runtest.Slots{execution.Entry: 0})
	runtest.Executed(b, 1, 50, 60, 2, 1, 1, nil)
	runtest.Line(b, 1, 70, runtest.Slots{execution.Entry: 2})
	runtest.Line(b, 1, 120, runtest.Slots{execution.Entry: 0})
	runtest.Executed(b, 1, 120, 125, 2, 2, 1, nil)
	b.Event(0, 0, 200, prv.Pair{Type: 1, Value: 1})
	g := runtest.Graph(t, runtest.Build(t, b))
	r := g.RepairClocks(func(int32) int64 { return 3 })
	if r.Count != 2 || r.Largest != 73 || r.Cycles != 0 || fmt.Sprint(r.Shifts) != "[[] [{50 57} {120 73}]]" {
		t.Fatalf("%+v", r)
	}
	for _, c := range [][3]int64{{49, 0, 49}, {107, 57, 50}, {119, 57, 62}, {120, 73, 63}, {200, 73, 127}} {
		if by, back := r.Shifts[1].At(c[0]), r.Shifts[1].Back(c[0]); by != c[1] || back != c[2] {
			t.Errorf("%d moves by %d, and is %d on the clock", c[0], by, back)
		}
	}
	out, err := r.Shifted(context.Background(), g.T)
	if err != nil {
		t.Fatal(err)
	}
	if times := slices.Compact(slices.Clone(out.Threads[1].Events.Time)); out.Duration != 273 ||
		!slices.Equal(times, []int64{107, 117, 127, 177, 193, 198}) {
		t.Errorf("until %d: %v", out.Duration, times)
	}
	if slices.Max(out.Threads[0].Events.Time) != 200 {
		t.Error("the clock of processor 1 is right")
	}
}

// Two executions of which each was created by the other: the creation at 7 is dropped, the one at 5 is after its start.
func TestCyclicClocks(t *testing.T) {
	b := runtest.Tasks(2)
	for th, created := range []int64{7, 5} {
		runtest.Executed(b, int32(th), 0, 10, 1, 1, 2-int64(th), nil)
		runtest.Line(b, int32(th), created, runtest.Slots{execution.Created: 1, execution.Target: 1})
	}
	g := runtest.Graph(t, runtest.Build(t, b))
	r := g.RepairClocks(func(int32) int64 { return 3 })
	if r.Cycles != 1 || r.Count != 1 || r.Largest != 8 || fmt.Sprint(r.Shifts) != "[[{0 8}] []]" {
		t.Errorf("%+v", r)
	}
}

// The message of 1000 bytes took 7 from its send at 100, 2 of them the call; an operation follows, which task 1 enters
// at 110 and task 2 at 120, and which is a message of 500 bytes.
func TestNeeds(t *testing.T) {
	b := runtest.Tasks(2)
	call := func(th int32, from, to int64, typ uint32, value int64, more ...prv.Pair) {
		b.State(th, 0, from, to, 13)
		b.Event(th, 0, from, append(more, prv.Pair{Type: typ, Value: value})...)
		b.Event(th, 0, to, prv.Pair{Type: typ})
	}
	call(0, 100, 102, 50000001, 3)
	call(1, 20, 107, 50000001, 2)
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{100, 102, 20, 107}, Size: 1000})
	call(0, 110, 150, 50000002, 10, prv.Pair{Type: extrae.CollectiveSent, Value: 500})
	call(1, 120, 150, 50000002, 10, prv.Pair{Type: extrae.CollectiveRecv, Value: 500})
	tr := runtest.Build(t, b)
	g := runtest.Graph(t, tr)
	p := &g.Params
	if p.Latency.Value != 7 || p.Call != 2 || p.One != 1000 || p.Byte.Source != "assumed" || p.Send.Value != 2 ||
		p.Exchange() != 7 || p.Transfer(500) != 7 || p.Transfer(-1) != 0 || p.Together() ||
		g.Usual(10, extrae.Recv) != 7 {
		t.Errorf("%+v", p)
	}
	none := int64(math.MaxInt64)
	for _, c := range []struct {
		thread, call     int32
		enter, own, fast int64
	}{
		{1, 0, 20, 20, 107},   // the message is there at 105, and 2 for the call
		{1, 0, 200, 207, 207}, // it was there
		{0, 0, 100, 100, 105}, // a send that may wait for its receiver
		{0, 2, 160, none, none},
		{0, 1, 110, 110, 127}, // task 2 comes at 120, and 7 for a round
		{1, 1, 120, 120, 127},
		{1, 1, 140, 140, 147},
	} {
		if own, fast := eventgraph.InCall(g.Needs(c.thread), c.call, c.enter); own != c.own || fast != c.fast {
			t.Errorf("call %d of task %d from %d: %d and %d, want %+v", c.call, c.thread+1, c.enter, own, fast, c)
		}
	}
	for _, c := range [][3]int64{{120, 121, 1}, {121, 200, 0}, {0, 120, 0}} {
		if list := g.CollectivesIn(c[0], c[1]); len(list) != int(c[2]) {
			t.Errorf("operations from %d to %d: %v", c[0], c[1], list)
		}
	}
	latency, perByte := 10., 0.5
	g, err := eventgraph.NewGraph(context.Background(), tr, waits.Options{}, eventgraph.Given{Latency: &latency,
		PerByte: &perByte})
	// 10 and 500 x 0.5, in which the call is.
	if err != nil || g.Params.Transfer(500) != 260 || g.Usual(100, extrae.Recv) != 60 || g.Params.Exchange() != 12 {
		t.Errorf("%+v, %v", g.Params, err)
	}
	for _, c := range []struct {
		p    eventgraph.Parameters
		want bool
	}{
		{eventgraph.Parameters{Latency: eventgraph.Parameter{Source: "measured"}, One: 1025}, false},
		{eventgraph.Parameters{Latency: eventgraph.Parameter{Source: "measured"}, One: 1025,
			Byte: eventgraph.Parameter{Source: "assumed"}}, true},
		{eventgraph.Parameters{Latency: eventgraph.Parameter{Source: "measured"}, One: 1024,
			Byte: eventgraph.Parameter{Source: "assumed"}}, false},
		{eventgraph.Parameters{Latency: eventgraph.Parameter{Source: "given"}, One: 1025,
			Byte: eventgraph.Parameter{Source: "assumed"}}, false},
	} {
		if c.p.Together() != c.want {
			t.Errorf("%+v", c.p)
		}
	}
}

// Of class 2 the units 1 and 3 come first, both created on processor 1, and unit 2 goes on after unit 1.
func TestMatrixOfRun(t *testing.T) {
	g := driven(t)
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	m := g.MatrixOf(&g.Phases[0], 2)
	if got := fmt.Sprint(m.Creators, m.Origins); got != "[[[] []] [[0] [1]] [[0] []]] [[[] []] [[0] [0]] [[0] []]]" {
		t.Error(got)
	}
	if d := g.Depths(&g.Phases[0], 2); fmt.Sprint(d) != "map[1:0 2:1 3:0]" {
		t.Error(d)
	}
}

// A message whose creation is not recorded: the unit at its send has created it, and it was there when it had arrived.
func TestUnrecordedCreation(t *testing.T) {
	b := runtest.Tasks(2)
	runtest.Executed(b, 0, 0, 10, 1, 0, 0, nil)
	runtest.Executed(b, 0, 20, 30, 1, 0, 0, nil)
	runtest.Executed(b, 1, 40, 50, 2, 9, 1, nil)
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{25, 26, 40, 33}})
	g := runtest.Graph(t, runtest.Build(t, b))
	if u, s := &g.Units[2], &g.Driven.Starts[2]; u.Creator != 1 || u.Via != 0 || s.Creation != -1 || s.Queued != 33 ||
		g.Created(2) != 25 {
		t.Errorf("%+v %+v", u, s)
	}
}

// Without states calls are idle time, and the rest is the program's own; a thread without anything is idle.
func TestUsageOfCalls(t *testing.T) {
	b := runtest.Tasks(2)
	for _, c := range [][3]int64{{10, 20, 3}, {30, 50, 2}} {
		b.Event(0, 0, c[0], prv.Pair{Type: 50000001, Value: c[2]})
		b.Event(0, 0, c[1], prv.Pair{Type: 50000001})
	}
	b.Event(0, 0, 60, prv.Pair{Type: 1, Value: 1})
	g := runtest.Graph(t, runtest.Build(t, b))
	for _, c := range []struct {
		thread               int32
		from, to, user, idle int64
	}{{0, 0, 60, 30, 30}, {0, 15, 40, 10, 15}, {0, 12, 18, 0, 6}, {0, 50, 60, 10, 0}, {1, 0, 60, 0, 60}} {
		if u := g.UsageOf(c.thread, c.from, c.to); u.User() != c.user || u.Idle() != c.idle {
			t.Errorf("%+v: %v", c, u)
		}
	}
}
