package diagnose

// How the executions of a class follow from one another within a phase (Sinha's thesis, 5.4).

import "slices"

// matrix says of each processor and logical depth which processors created the executions of a class there.
type matrix struct {
	creators [][][]int32 // by processor and depth
	origins  [][][]int32 // the processors that created the first of their line
	depth    int         // columns
}

// pattern is the form of a matrix.
type pattern uint8

const (
	noPattern pattern = iota
	reduction
	ringOfAll
	chainOfAll
	bottleneckOfAll
	broadcastToAll
)

// depths are the numbers of proper ancestors of the same class in the phase, by unit of the class.
func (g *graph) depths(ph *phase, class int32) map[int32]int {
	above := map[int32]int{} // executions of the class among a unit and its ancestors
	out := map[int32]int{}
	for i := range g.inOrder(ph.firsts, ph.ends) {
		n := 0
		if c := g.units[i].creator; c >= 0 {
			n = above[c]
		}
		if g.units[i].class == class {
			out[i] = n
			n++
		}
		above[i] = n
	}
	return out
}

// matrixOf is the logical matrix of a class.
func (g *graph) matrixOf(ph *phase, class int32) *matrix {
	m := &matrix{creators: make([][][]int32, len(ph.firsts)), origins: make([][][]int32, len(ph.firsts))}
	depths := g.depths(ph, class)
	for _, d := range depths {
		m.depth = max(m.depth, d+1)
	}
	for th := range ph.firsts {
		m.creators[th], m.origins[th] = make([][]int32, m.depth), make([][]int32, m.depth)
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			d, ok := depths[i]
			if !ok || g.units[i].creator < 0 {
				continue
			}
			m.creators[th][d] = append(m.creators[th][d], g.units[g.units[i].creator].thread)
			m.origins[th][d] = append(m.origins[th][d], g.originOf(i, depths))
		}
	}
	return m
}

// originOf is the processor that created the first execution of the line that a unit ends.
func (g *graph) originOf(i int32, depths map[int32]int) (origin int32) {
	origin = -1
	for n := 0; i >= 0 && n <= len(g.units); i, n = g.units[i].creator, n+1 {
		if d, ok := depths[i]; ok && g.units[i].creator >= 0 {
			origin = g.units[g.units[i].creator].thread
			if d == 0 {
				return origin
			}
		}
	}
	return origin
}

// form recognises the pattern.
func (m *matrix) form() pattern {
	for _, f := range []struct {
		is      func() bool
		pattern pattern
	}{{m.isBottleneck, bottleneckOfAll}, {m.isBroadcast, broadcastToAll}, {m.isChain, chainOfAll},
		{m.isRing, ringOfAll}, {m.isReduction, reduction}} {
		if f.is() {
			return f.pattern
		}
	}
	return noPattern
}

// each calls do for each execution; it stops when that returns false.
func (m *matrix) each(do func(processor, depth int, creator int32) bool) bool {
	for p := range m.creators {
		for d, list := range m.creators[p] {
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
// one.
func (m *matrix) isReduction() bool {
	made := make([]int, len(m.creators))
	if !m.each(func(_, _ int, creator int32) bool { made[creator]++; return made[creator] == 1 }) {
		return false
	}
	root := slices.Index(made, 0)
	if root < 0 || m.depth < 2 || slices.Contains(made[root+1:], 0) {
		return false
	}
	return m.each(func(p, d int, _ int32) bool { return d < m.depth-1 || p == root })
}

// isRing: at every depth each processor executes one, each of another origin.
func (m *matrix) isRing() bool {
	if m.depth < 2 {
		return false
	}
	for d := range m.depth {
		seen := make([]bool, len(m.origins))
		for p := range m.origins {
			if len(m.origins[p][d]) != 1 || seen[m.origins[p][d][0]] || int(m.creators[p][d][0]) == p {
				return false
			}
			seen[m.origins[p][d][0]] = true
		}
	}
	return true
}

// isChain: each processor executes exactly one, and there is exactly one at each depth.
func (m *matrix) isChain() bool {
	if m.depth != len(m.creators) || m.depth < 2 {
		return false
	}
	perDepth := make([]int, m.depth)
	for p := range m.creators {
		n := 0
		for d := range m.depth {
			n += len(m.creators[p][d])
			perDepth[d] += len(m.creators[p][d])
		}
		if n != 1 {
			return false
		}
	}
	return !slices.ContainsFunc(perDepth, func(n int) bool { return n != 1 })
}

// isBottleneck: all executions are on one processor, and each other processor has created one or more.
func (m *matrix) isBottleneck() bool {
	at, made := -1, make([]bool, len(m.creators))
	same := m.each(func(p, _ int, creator int32) bool {
		made[creator] = true
		first := at < 0 || at == p
		at = p
		return first
	})
	if !same || m.depth != 1 || at < 0 || len(m.creators) < 3 {
		return false
	}
	made[at] = true
	return !slices.Contains(made, false)
}

// isBroadcast: one processor creates one execution for each.
func (m *matrix) isBroadcast() bool {
	if m.depth != 1 || len(m.creators) < 2 {
		return false
	}
	from := int32(-1)
	for p := range m.creators {
		list := m.creators[p][0]
		if len(list) != 1 || from >= 0 && list[0] != from {
			return false
		}
		from = list[0]
	}
	return true
}
