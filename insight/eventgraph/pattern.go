package eventgraph

// How the executions of a class follow from one another within a phase (Sinha's thesis, 5.4).

import "slices"

// Matrix says of each processor and logical depth which processors created the executions of a class there.
type Matrix struct {
	Creators [][][]int32 // by processor and depth
	Origins  [][][]int32 // the processors that created the first execution of their line
	depth    int         // columns
}

// Pattern is the form of a matrix.
type Pattern uint8

const (
	NoPattern Pattern = iota
	Reduction
	RingOfAll
	ChainOfAll
	BottleneckOfAll
	BroadcastToAll
)

// Depths returns the numbers of proper ancestors of the same class in the phase, by unit of the class.
func (g *Graph) Depths(ph *Phase, class int32) map[int32]int {
	above := map[int32]int{} // executions of the class among a unit and its ancestors
	out := map[int32]int{}
	for i := range g.InOrder(ph) {
		n := 0
		if c := g.Units[i].Creator; c >= 0 {
			n = above[c]
		}
		if g.Units[i].Class == class {
			out[i] = n
			n++
		}
		above[i] = n
	}
	return out
}

// MatrixOf returns the logical matrix of a class.
func (g *Graph) MatrixOf(ph *Phase, class int32) *Matrix {
	m := &Matrix{Creators: make([][][]int32, len(ph.Firsts)), Origins: make([][][]int32, len(ph.Firsts))}
	depths := g.Depths(ph, class)
	for _, d := range depths {
		m.depth = max(m.depth, d+1)
	}
	from := origins{Graph: g, depths: depths, known: map[int32]int32{}}
	for th := range ph.Firsts {
		m.Creators[th], m.Origins[th] = make([][]int32, m.depth), make([][]int32, m.depth)
		for i := ph.Firsts[th]; i < ph.Ends[th]; i++ {
			d, ok := depths[i]
			if !ok || g.Units[i].Creator < 0 {
				continue
			}
			m.Creators[th][d] = append(m.Creators[th][d], g.Units[g.Units[i].Creator].Thread)
			m.Origins[th][d] = append(m.Origins[th][d], from.of(i))
		}
	}
	return m
}

// origins are the processors that created the first execution of the line of a unit; -1: none.
type origins struct {
	*Graph
	depths map[int32]int
	known  map[int32]int32
	line   []int32
}

// of walks back to a unit with a known origin, and forward again.
func (o *origins) of(i int32) int32 {
	origin := int32(-1)
	o.line = o.line[:0]
	for at := i; at >= 0; at = o.Units[at].Creator {
		if known, ok := o.known[at]; ok {
			origin = known
			break
		}
		o.known[at] = -1 // a circle, in a damaged trace, ends here
		o.line = append(o.line, at)
	}
	for k := len(o.line) - 1; k >= 0; k-- {
		at := o.line[k]
		if d, ok := o.depths[at]; ok && o.Units[at].Creator >= 0 && (d == 0 || origin < 0) {
			origin = o.Units[o.Units[at].Creator].Thread
		}
		o.known[at] = origin
	}
	return origin
}

// Form returns the pattern of a matrix.
func (m *Matrix) Form() Pattern {
	for _, f := range []struct {
		is      func() bool
		pattern Pattern
	}{{m.isBottleneck, BottleneckOfAll}, {m.isBroadcast, BroadcastToAll}, {m.isChain, ChainOfAll},
		{m.isRing, RingOfAll}, {m.isReduction, Reduction}} {
		if f.is() {
			return f.pattern
		}
	}
	return NoPattern
}

// each calls do for each execution; it stops when that returns false.
func (m *Matrix) each(do func(processor, depth int, creator int32) bool) bool {
	for p := range m.Creators {
		for d, list := range m.Creators[p] {
			for _, c := range list {
				if !do(p, d, c) {
					return false
				}
			}
		}
	}
	return true
}

// isReduction: every processor creates at most one execution, exactly one creates none, and the deepest are all on that
// processor.
func (m *Matrix) isReduction() bool {
	made := make([]int, len(m.Creators))
	if !m.each(func(_, _ int, creator int32) bool { made[creator]++; return made[creator] == 1 }) {
		return false
	}
	root := slices.Index(made, 0)
	if root < 0 || m.depth < 2 || slices.Contains(made[root+1:], 0) {
		return false
	}
	return m.each(func(p, d int, _ int32) bool { return d < m.depth-1 || p == root })
}

// isRing: at every depth each processor executes one, all of different origins.
func (m *Matrix) isRing() bool {
	if m.depth < 2 {
		return false
	}
	for d := range m.depth {
		seen := make([]bool, len(m.Origins))
		for p := range m.Origins {
			if len(m.Origins[p][d]) != 1 || seen[m.Origins[p][d][0]] || int(m.Creators[p][d][0]) == p {
				return false
			}
			seen[m.Origins[p][d][0]] = true
		}
	}
	return true
}

// isChain: each processor executes exactly one, and there is exactly one at each depth.
func (m *Matrix) isChain() bool {
	if m.depth != len(m.Creators) || m.depth < 2 {
		return false
	}
	perDepth := make([]int, m.depth)
	for p := range m.Creators {
		n := 0
		for d := range m.depth {
			n += len(m.Creators[p][d])
			perDepth[d] += len(m.Creators[p][d])
		}
		if n != 1 {
			return false
		}
	}
	return !slices.ContainsFunc(perDepth, func(n int) bool { return n != 1 })
}

// isBottleneck: all executions are on one processor, and each other processor has created one or more.
func (m *Matrix) isBottleneck() bool {
	at, made := -1, make([]bool, len(m.Creators))
	same := m.each(func(p, _ int, creator int32) bool {
		made[creator] = true
		first := at < 0 || at == p
		at = p
		return first
	})
	if !same || m.depth != 1 || at < 0 || len(m.Creators) < 3 {
		return false
	}
	made[at] = true
	return !slices.Contains(made, false)
}

// isBroadcast: one processor creates one execution for each.
func (m *Matrix) isBroadcast() bool {
	if m.depth != 1 || len(m.Creators) < 2 {
		return false
	}
	from := int32(-1)
	for p := range m.Creators {
		list := m.Creators[p][0]
		if len(list) != 1 || from >= 0 && list[0] != from {
			return false
		}
		from = list[0]
	}
	return true
}
