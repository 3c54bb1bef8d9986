package semantic

import (
	"cmp"
	"slices"

	"pview/prv"
)

// Thread functions on states. A state's begin starts a burst; so does its end
// where no other state begins at that time, unless state gaps are not filled: the
// value is that of state 0 then.

// running is the state of a thread that computes.
const running = 1

var stateFunctions = []Entry{
	{Name: "State As Is", Group: "State", Doc: "number of the state; 0 where there is none",
		thread: stateFunc(func(s uint32, _ params) float64 { return float64(s) })},
	{Name: "Useful", Group: "State", Doc: "1 in state 1 (Running), else 0",
		thread: stateFunc(func(s uint32, _ params) float64 { return truth(s == running) })},
	{Name: "In State", Group: "State", Doc: "1 in a listed state, else 0",
		Params: []Param{{Name: "State", Default: []float64{1}, List: true}},
		thread: stateFunc(func(s uint32, p params) float64 { return truth(slices.Contains(p[0], float64(s))) })},
}

// stateFunc makes a thread function of one from state numbers to values.
func stateFunc(value func(state uint32, p params) float64) threadFunc {
	return func(x *threadRow, p params) bursts {
		b := newBursts(x.end, 0, x.records().States.Len())
		x.walkStates(func(t int64, i int) {
			if i < 0 {
				b.add(t, value(0, p))
			} else {
				b.add(t, value(x.records().States.Value[i], p))
			}
		})
		return b
	}
}

// truth returns 1 for true, 0 for false.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// walkStates calls visit for each valid state record: with its number at its
// begin, with -1 at an end that leaves a gap.
func (x *threadRow) walkStates(visit func(t int64, i int)) {
	s := &x.records().States
	if s.FileOrder != nil || !sequential(s) {
		x.walkOverlapping(visit)
		return
	}
	for i, t := range s.Begin {
		visit(t, i)
		end := s.End[i]
		if end != prv.NoEnd && x.fillGaps && (i+1 == len(s.Begin) || end < s.Begin[i+1]) {
			visit(end, -1)
		}
	}
}

// sequential reports whether no state begins before the one before it ends.
func sequential(s *prv.States) bool {
	for i := 1; i < len(s.Begin); i++ {
		if s.End[i-1] > s.Begin[i] {
			return false
		}
	}
	return true
}

// edge is a begin or an end of a state record.
type edge struct {
	time  int64
	order int32 // of the record in the file
	state int32
	end   bool
}

// walkOverlapping is walkStates for states that overlap or stand out of order
// in the file: begins and ends at one time keep the order of the file, and an end
// leaves a gap unless a begin follows at the same time.
func (x *threadRow) walkOverlapping(visit func(t int64, i int)) {
	s := &x.records().States
	edges := make([]edge, 0, 2*s.Len())
	for i := range s.Begin {
		order := int32(i)
		if s.FileOrder != nil {
			order = s.FileOrder[i]
		}
		edges = append(edges, edge{s.Begin[i], order, int32(i), false})
		if s.End[i] != prv.NoEnd {
			edges = append(edges, edge{s.End[i], order, int32(i), true})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.order, b.order))
	})
	for k, e := range edges {
		switch {
		case !e.end:
			visit(e.time, int(e.state))
		case x.fillGaps && !beginFollows(edges[k+1:], e.time):
			visit(e.time, -1)
		}
	}
}

// beginFollows reports whether a state begins at time t further on.
func beginFollows(edges []edge, t int64) bool {
	for _, e := range edges {
		if e.time != t {
			return false
		}
		if !e.end {
			return true
		}
	}
	return false
}
