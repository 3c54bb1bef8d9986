package criticalpath

import (
	"fmt"
	"testing"

	"pview/prv"
)

// Stretches that follow each other on a thread are one; those of no length are none. The 20 longest are kept.
func TestStretches(t *testing.T) {
	var l stretches
	for _, g := range []Segment{{Begin: 0, End: 10}, {Begin: 10, End: 15}, {Begin: 15, End: 20, Thread: 1},
		{Begin: 22, End: 30, Thread: 1}, {Begin: 40, End: 40}} {
		l.add(g.Thread, g.Begin, g.End)
	}
	l.close()
	got := ""
	for _, e := range l.evidence() {
		got += fmt.Sprint(e.From, "-", e.To, e.Threads, e.Cost, " ")
	}
	if want := "0-15 [0] 15 22-30 [1] 8 15-20 [1] 5 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	l = stretches{}
	for n := range int64(22) { // of 3, 4, ... 24, and one of 5 more
		l.add(0, 100*n, 100*n+3+n)
	}
	l.add(0, 2200, 2205)
	l.close()
	list := l.evidence()
	if len(list) != 20 || list[0].Cost != 24 || list[19].Cost != 5 || list[19].From != 200 {
		t.Errorf("%+v", list)
	}
}

// A kind of time is told from a tenth of the path on, computation in a block from a fifth.
func TestBoundsOfFindings(t *testing.T) {
	for _, c := range []struct {
		total, waiting, block int64
		want                  int
	}{{200, 20, 0, 1}, {200, 19, 0, 0}, {200, 0, 40, 1}, {200, 0, 39, 0}, {200, 20, 40, 2}, {0, 0, 0, 0}} {
		s := &Summary{Total: c.total, Blocks: []Share{{Name: "f"}}}
		s.Kinds[Waiting], s.Kinds[Computation], s.Blocks[0].Kinds[Computation] = c.waiting, c.total, c.block
		if list := s.findings(); len(list) != c.want {
			t.Errorf("%+v: %+v", c, list)
		}
	}
}

// A thread is marked where the path enters and leaves it; nothing is on the network, nor where the path leaves a thread
// and enters it again at once.
func TestMarksOfPath(t *testing.T) {
	on := func(thread int32, begin, end int64) Segment {
		return Segment{Thread: thread, Begin: begin, End: end, Kind: Computation}
	}
	network := func(thread int32, begin, end int64) Segment {
		return Segment{Thread: thread, Begin: begin, End: end, Kind: Transfer}
	}
	for _, c := range []struct {
		segments []Segment
		want     string // time=value of each thread
	}{
		{nil, "[] []"},
		{[]Segment{on(0, 0, 10), on(0, 10, 20)}, "[0=1 20=0] []"},
		{[]Segment{on(0, 0, 10), on(1, 10, 20), on(0, 20, 30)}, "[0=1 10=0 20=1 30=0] [10=1 20=0]"},
		{[]Segment{on(0, 0, 10), network(1, 10, 20), on(1, 20, 30)}, "[0=1 10=0] [20=1 30=0]"},
		{[]Segment{on(0, 0, 10), network(0, 10, 20), on(0, 20, 30)}, "[0=1 10=0 20=1 30=0] []"},
		{[]Segment{on(0, 0, 10), network(0, 10, 10), on(0, 10, 30)}, "[0=1 30=0] []"},
		{[]Segment{on(0, 0, 10), on(1, 10, 10), on(0, 10, 30)}, "[0=1 30=0] [10=1 10=0]"},
	} {
		tr := (&Path{Segments: c.segments}).Mark(&prv.Trace{Threads: make([]prv.Thread, 2), Labels: &prv.Labels{}})
		var got [2][]string
		for i := range tr.Threads {
			e := &tr.Threads[i].Events
			for k := range e.Time {
				got[i] = append(got[i], fmt.Sprint(e.Time[k], "=", e.Value.At(k)))
			}
		}
		if text := fmt.Sprint(got[0], " ", got[1]); text != c.want {
			t.Errorf("%+v: %s, want %s", c.segments, text, c.want)
		}
	}
}

// Marks stand before the events of their time, each in a line of its own, on the CPU of the event behind them. A line
// that began with an old mark begins with its next event.
func TestWithMarks(t *testing.T) {
	e := &prv.Events{Lines: prv.NewBits(4), CPU: []int32{3, 3, 3, 4}}
	for i, typ := range []uint32{EventType, 7, 8, 9} {
		e.Time, e.Type = append(e.Time, []int64{5, 5, 5, 9}[i]), append(e.Type, typ)
		e.Value.Append(int64(10 * i))
	}
	e.Lines.Set(0)
	e.Lines.Set(3)
	for _, c := range []struct {
		marks []mark
		want  string
	}{
		{nil, "[5 7=10 on 3] 5 8=20 on 3 [9 9=30 on 4] "},
		{[]mark{{5, 1}, {9, 0}}, "[5 90=1 on 3] [5 7=10 on 3] 5 8=20 on 3 [9 90=0 on 4] [9 9=30 on 4] "},
		{[]mark{{0, 1}, {6, 0}, {12, 1}}, "[0 90=1 on 3] [5 7=10 on 3] 5 8=20 on 3 [6 90=0 on 4] [9 9=30 on 4] " +
			"[12 90=1 on 4] "},
	} {
		out := withMarks(e, c.marks)
		text := ""
		for k := range out.Time {
			one := fmt.Sprintf("%d %d=%d on %d", out.Time[k], out.Type[k], out.Value.At(k), out.CPU[k])
			if out.Lines.Has(k) {
				one = "[" + one + "]"
			}
			text += one + " "
		}
		if text != c.want {
			t.Errorf("%v: %s, want %s", c.marks, text, c.want)
		}
	}
}

// A thread is in a call from its start on, up to its end.
func TestCallAt(t *testing.T) {
	c := &calls{byThread: [][]callRef{{{begin: 10, end: 20, number: 1}, {begin: 30, end: 40, number: 2}}}}
	for time, want := range map[int64]int32{9: 0, 10: 1, 19: 1, 20: 0, 29: 0, 30: 2, 39: 2, 40: 0} {
		if ref, ok := c.at(0, time); ref.number != want || ok != (want > 0) {
			t.Errorf("at %d: %+v, %v", time, ref, ok)
		}
	}
}

// Calls match by number; where some were not traced, the last that began before a time, if it overlaps.
func TestPartsOfOperation(t *testing.T) {
	list := []call{{begin: 0, end: 5}, {begin: 10, end: 15}}
	g := &group{members: []member{{calls: list}}, equal: true}
	if c, ok := g.part(callRef{begin: 100, number: 1}, 0, 0); !ok || c != &list[1] {
		t.Errorf("the second call is %+v", c)
	}
	g.equal = false
	for _, c := range []struct {
		begin, before int64
		want          int // -1: none
	}{{4, 10, 0}, {5, 10, -1}, {5, 11, 1}, {14, 20, 1}, {15, 20, -1}, {0, 0, -1}, {0, 1, 0}} {
		got, ok := g.part(callRef{begin: c.begin, number: 1}, 0, c.before)
		if ok != (c.want >= 0) || ok && got != &list[c.want] {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// Who delayed the first member, which has left the operation at some time: the last that had come by then. Where one
// left before all had come, nobody waits for all: the root of a Bcast delays, and only the root of a Reduce is delayed.
func TestLastArrival(t *testing.T) {
	const bcast, barrier, reduce, allreduce = 7, 8, 9, 10
	of := func(begin, end int64) call { return call{begin: begin, end: end} }
	root := func(begin, end int64) call { return call{begin: begin, end: end, root: true} }
	for name, c := range map[string]struct {
		value int64
		at    int64
		calls [][]call // by member
		want  int64    // begin; -1: nobody
	}{
		"all wait":       {allreduce, 10, [][]call{{of(0, 10)}, {of(4, 10)}, {of(7, 10)}}, 7},
		"came by then":   {allreduce, 6, [][]call{{of(0, 10)}, {of(4, 10)}, {of(7, 10)}}, 4},
		"just then":      {allreduce, 7, [][]call{{of(0, 10)}, {of(4, 10)}, {of(7, 10)}}, 7},
		"alone":          {allreduce, 10, [][]call{{of(0, 10)}}, -1},
		"own is last":    {allreduce, 10, [][]call{{of(8, 10)}, {of(4, 10)}}, 4},
		"root of bcast":  {bcast, 10, [][]call{{of(5, 10)}, {root(2, 4)}, {of(8, 12)}}, 2},
		"root to come":   {bcast, 10, [][]call{{of(5, 10)}, {root(11, 12)}, {of(8, 12)}}, -1},
		"root just came": {bcast, 10, [][]call{{of(5, 10)}, {root(10, 12)}, {of(8, 12)}}, 10},
		"left just then": {bcast, 8, [][]call{{of(5, 8)}, {root(2, 8)}, {of(8, 12)}}, 2},
		"no root":        {bcast, 10, [][]call{{of(5, 10)}, {of(2, 4)}, {of(8, 12)}}, -1},
		"not the root":   {reduce, 6, [][]call{{of(5, 6)}, {root(2, 12)}, {of(8, 12)}}, -1},
		"root of reduce": {reduce, 12, [][]call{{root(2, 12)}, {of(3, 4)}, {of(8, 9)}}, 8},
		"barrier":        {barrier, 6, [][]call{{of(5, 6)}, {of(8, 12)}, {of(3, 12)}}, 3},
		// The next call of the third member begins later, and is of another operation.
		"next call": {bcast, 10, [][]call{{of(0, 10)}, {root(2, 10)},
			{of(3, 10), of(11, 20)}}, 3},
	} {
		g := &group{equal: true}
		for _, list := range c.calls {
			for i := range list {
				list[i].value = c.value
			}
			g.members = append(g.members, member{calls: list})
			g.equal = g.equal && len(list) == len(c.calls[0])
		}
		own := &g.members[0].calls[0]
		last := (&finder{walk: walk{at: c.at}}).lastArrival(g, callRef{begin: own.begin, end: own.end}, own)
		if got := last; got == nil && c.want >= 0 || got != nil && got.begin != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

// Threads that have waited are among the tasks of a communicator, or it is not the one.
func TestContainsAll(t *testing.T) {
	for _, c := range []struct {
		tasks []int32
		waits map[int32]bool
		want  bool
	}{{[]int32{0, 1, 2}, map[int32]bool{1: true, 2: true}, true},
		{[]int32{0, 1}, map[int32]bool{1: true, 2: true}, false},
		{nil, nil, true}} {
		if got := containsAll(c.tasks, c.waits); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
