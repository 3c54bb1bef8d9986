package semantic

import (
	"cmp"
	"slices"

	"pview/prv"
)

// Thread functions on states. The start of a state starts a burst. So does its end, with the value of state 0, if no
// other state starts at that time, unless the window holds states through gaps.

// running is the state of a thread that computes.
const running = 1

var listedStates = []Param{{Name: "States", Default: []float64{1}, List: true}}

var stateFunctions = []Entry{
	{Name: "State As Is", Meaning: StateCodes, Group: "State", Doc: "number of the state; 0 in gaps",
		thread: ofState(func(s uint32, _ params) float64 { return float64(s) })},
	{Name: "Useful", YesNo: true, Meaning: StateCodes, Group: "State", Doc: "1 in state 1 (Running), else 0",
		thread: ofState(func(s uint32, _ params) float64 { return truth(s == running) })},
	{Name: "State Sign", YesNo: true, Group: "State", Doc: "1 if the state is not 0, else 0",
		thread: ofState(func(s uint32, _ params) float64 { return truth(s != 0) })},
	{Name: "Given State", Meaning: StateCodes, Group: "State", Doc: "number of the state if it is listed, else 0",
		Params: listedStates,
		thread: ofState(func(s uint32, p params) float64 { return float64(s) * truth(p.lists(0, float64(s))) })},
	{Name: "In State", YesNo: true, Asks: StateCodes, Group: "State",
		Doc: "1 in a listed state, else 0; a gap counts as state 0", Params: listedStates,
		thread: ofState(func(s uint32, p params) float64 { return truth(p.lists(0, float64(s))) })},
	{Name: "Not In State", YesNo: true, Group: "State", Doc: "0 in a listed state and before the first record, else 1",
		Params: listedStates,
		thread: ofState(func(s uint32, p params) float64 { return truth(!p.lists(0, float64(s))) })},
	{Name: "State Record Dur.", Meaning: Times, Group: "State",
		Doc:    "duration of the whole state record if its state is listed, else 0; with 0 listed, of gaps too",
		Params: listedStates,
		thread: threadFunc{toStates, stateRecordDuration}},
}

// truth returns 1 for true, 0 for false.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// statesTabled is the number of states whose values ofState keeps in a table.
const statesTabled = 256

// ofState makes a thread function from a function of the state's number. The few numbers that occur are computed once.
func ofState(value func(state uint32, p params) float64) threadFunc {
	return threadFunc{toStates, func(x *threadRow, m *marks, p params, v []float64) {
		var table [statesTabled]float64
		for s := range table {
			table[s] = value(uint32(s), p)
		}
		states := x.records().States.Value
		for k := 1; k < len(v); k++ {
			s := uint32(0)
			if m.kind[k] == stateBegin {
				s = states[m.rec[k]]
			}
			if s < statesTabled {
				v[k] = table[s]
			} else {
				v[k] = value(s, p)
			}
		}
	}}
}

// stateRecordDuration gives the duration of records of listed states. A gap, which has no record, lasts until the next
// state begins. The gap after the last state has no duration: as in Paraver, its value is the time at which it begins.
func stateRecordDuration(x *threadRow, m *marks, p params, v []float64) {
	s := &x.records().States
	gaps := p.lists(0, 0)
	for k := 1; k < len(v); k++ {
		i := m.rec[k]
		switch {
		case m.kind[k] == stateEnd:
			if gaps {
				v[k] = x.clock.at(nextBegin(m, k))
			}
		case !p.lists(0, float64(s.Value[i])):
		case s.End[i] == prv.NoEnd:
			v[k] = x.clock.at(nextBegin(m, k))
		default:
			v[k] = x.clock.at(s.End[i] - s.Begin[i])
		}
	}
}

// nextBegin returns the time from mark k until a state begins; the time of mark k if none does.
func nextBegin(m *marks, k int) int64 {
	for j := k + 1; j < len(m.kind); j++ {
		if m.kind[j] == stateBegin {
			return m.time[j] - m.time[k]
		}
	}
	return m.time[k]
}

// stateRules say how to read states that overlap or leave gaps.
type stateRules struct {
	hold            bool // a state's end is no change
	ignoreFileOrder bool // ends come before begins of the same time
}

// stateMarks returns the begins of states, and the ends that leave a gap.
func (x *threadRow) stateMarks() *marks {
	s := &x.records().States
	if s.FileOrder != nil || !sequential(s) {
		return overlappingMarks(s, x.states)
	}
	n := s.Len()
	m := newMarks(n + n/4)
	for i, t := range s.Begin {
		m.add(t, int32(i), stateBegin)
		if end := s.End[i]; end != prv.NoEnd && !x.states.hold && (i+1 == n || end < s.Begin[i+1]) {
			m.add(end, int32(i), stateEnd)
		}
	}
	return m
}

// sequential reports whether each state begins no earlier than its predecessor ends, and ends no earlier than it
// begins.
func sequential(s *prv.States) bool {
	for i, begin := range s.Begin {
		if i > 0 && s.End[i-1] > begin || s.End[i] < begin && s.End[i] != prv.NoEnd {
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
	kind  markKind
}

// overlappingMarks is stateMarks for states that overlap or are out of order in the file.
func overlappingMarks(s *prv.States, rules stateRules) *marks {
	edges := stateEdges(s, rules)
	m := newMarks(len(edges))
	for k, e := range edges {
		if e.kind == stateBegin || !rules.hold && !beginFollows(edges[k+1:], e.time) {
			m.add(e.time, e.state, e.kind)
		}
	}
	return m
}

// stateEdges returns the begins and ends of states in order of time; at one
// time they keep the order of the file, each begin before its end.
func stateEdges(s *prv.States, rules stateRules) []edge {
	edges := make([]edge, 0, 2*s.Len())
	for i := range s.Begin {
		order := int32(i)
		if s.FileOrder != nil && !rules.ignoreFileOrder {
			order = s.FileOrder[i]
		}
		edges = append(edges, edge{s.Begin[i], order, int32(i), stateBegin})
		if s.End[i] != prv.NoEnd {
			edges = append(edges, edge{s.End[i], order, int32(i), stateEnd})
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int {
		if c := cmp.Compare(a.time, b.time); c != 0 {
			return c
		}
		if rules.ignoreFileOrder {
			return cmp.Or(cmp.Compare(a.phase(s), b.phase(s)), cmp.Compare(a.order, b.order))
		}
		return cmp.Compare(a.order, b.order)
	})
	return edges
}

// edgeWalk goes through the begins and ends of states in order.
type edgeWalk struct {
	s     *prv.States
	edges []edge // nil if the states follow one another and are thus in order
	k     int
}

func newEdgeWalk(s *prv.States, rules stateRules) edgeWalk {
	if s.FileOrder == nil && sequential(s) {
		return edgeWalk{s: s}
	}
	return edgeWalk{s: s, edges: stateEdges(s, rules)}
}

func (w *edgeWalk) next() (edge, bool) {
	if w.edges != nil {
		if w.k == len(w.edges) {
			return edge{}, false
		}
		w.k++
		return w.edges[w.k-1], true
	}
	for {
		i := w.k / 2
		if i == w.s.Len() {
			return edge{}, false
		}
		w.k++
		if w.k&1 != 0 {
			return edge{w.s.Begin[i], int32(i), int32(i), stateBegin}, true
		}
		if w.s.End[i] != prv.NoEnd {
			return edge{w.s.End[i], int32(i), int32(i), stateEnd}, true
		}
	}
}

// phase orders the edges of one time: ends, states of no length, begins.
func (e edge) phase(s *prv.States) int {
	switch {
	case s.Begin[e.state] == s.End[e.state]:
		return 1
	case e.kind == stateEnd:
		return 0
	}
	return 2
}

// beginFollows reports whether a state begins at time t among the later edges.
func beginFollows(edges []edge, t int64) bool {
	for _, e := range edges {
		if e.time != t {
			return false
		}
		if e.kind == stateBegin {
			return true
		}
	}
	return false
}
