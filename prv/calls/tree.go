package calls

import (
	"context"
	"errors"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// The call paths of a run: the stacks of all threads, as one tree. Every instant of a thread belongs to the innermost
// call on its stack, so own times sum up to the threads' time, and an inclusive time is the sum of the own times of a
// path and the paths below it.

// Path is a call with its enclosing calls: a node of a tree. Times are sums over the threads.
type Path struct {
	Name           string
	Depth          int // enclosing calls; the root has none, and no name
	Calls          int64
	Own, Inclusive wide.Int
	// The longest call, clipped to the interval; for the root, the thread that is outside of calls for the longest
	// time.
	Thread     int32
	Begin, End int64
}

// Tree has the paths in depth-first order, siblings by inclusive time. The first is the root: all time.
type Tree struct {
	Paths []Path
	Cut   int // calls that are too deep for a level
}

// node is a path of a tree that is being made.
type node struct {
	Path
	of       symbol
	children []int
}

// grower makes the tree of one thread.
type grower struct {
	nodes      []node
	at         map[branch]int // position of a child
	begin, end int64          // the interval
	open       []openCall     // by level
	last       int64          // time has been charged up to here
}

type branch struct {
	parent int
	of     symbol
}

type openCall struct {
	node  int
	begin int64
	ended bool // it has ended, but not a call within it
}

// TreeOf makes the tree of the call paths of some threads in an interval.
func TreeOf(ctx context.Context, tr *prv.Trace, threads []int32, begin, end int64) (*Tree, error) {
	types := TypesOf(tr.Labels)
	growers, cut := make([]*grower, len(threads)), make([]int, len(threads))
	err := parallel.For(ctx, len(threads), func(i int) error {
		g := &grower{nodes: make([]node, 1), at: map[branch]int{}, begin: begin, end: end, last: begin}
		g.nodes[0].Thread = threads[i]
		cut[i] = types.walk(tr, int(threads[i]), g.step)
		g.charge(end)
		for k := range g.nodes {
			g.nodes[k].Thread = threads[i]
		}
		growers[i] = g
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	t, whole := &Tree{}, &grower{nodes: make([]node, 1), at: map[branch]int{}}
	names := map[string]symbol{} // calls with the same name are one
	for i, g := range growers {
		t.Cut += cut[i]
		whole.add(0, g, 0, tr.Labels, names)
	}
	whole.sum(0)
	whole.list(t, 0, 0)
	if len(t.Paths) == 1 {
		return nil, errors.New("no calls in this time: no user functions, OpenMP constructs, MPI calls or callers")
	}
	return t, nil
}

// step begins or ends a call: see Types.walk.
func (g *grower) step(level int, at int64, of symbol) {
	g.charge(at)
	if of != (symbol{}) {
		parent := 0
		if level > 0 {
			parent = g.open[level-1].node
		}
		g.open = append(g.open[:level], openCall{node: g.child(parent, of), begin: at})
		return
	}
	if level >= len(g.open) {
		return
	}
	g.count(g.open[level], at)
	g.open[level].ended = true
	for len(g.open) > 0 && g.open[len(g.open)-1].ended {
		g.open = g.open[:len(g.open)-1]
	}
}

// charge adds the time until now to the innermost call.
func (g *grower) charge(now int64) {
	if now = min(now, g.end); now <= g.last {
		return
	}
	n := 0
	if len(g.open) > 0 {
		n = g.open[len(g.open)-1].node
	}
	g.nodes[n].Own = g.nodes[n].Own.Plus(wide.Of(now - g.last))
	g.last = now
}

// count counts a call that ends, clipped to the interval.
func (g *grower) count(c openCall, at int64) {
	begin, end := max(c.begin, g.begin), min(at, g.end)
	if c.ended || end < begin || end == begin && at > c.begin {
		return
	}
	n := &g.nodes[c.node]
	if n.Calls++; n.Calls == 1 || end-begin > n.End-n.Begin {
		n.Begin, n.End = begin, end
	}
}

func (g *grower) child(parent int, of symbol) int {
	n, ok := g.at[branch{parent, of}]
	if !ok {
		n = len(g.nodes)
		g.at[branch{parent, of}] = n
		g.nodes = append(g.nodes, node{of: of})
		g.nodes[parent].children = append(g.nodes[parent].children, n)
	}
	return n
}

// add adds a path of another tree and the paths below it.
func (g *grower) add(to int, other *grower, from int, l *prv.Labels, names map[string]symbol) {
	have, more := &g.nodes[to], &other.nodes[from]
	if have.Calls == 0 || more.End-more.Begin > have.End-have.Begin && more.Calls > 0 {
		have.Thread, have.Begin, have.End = more.Thread, more.Begin, more.End
	}
	have.Calls, have.Own = have.Calls+more.Calls, have.Own.Plus(more.Own)
	for _, c := range more.children {
		name := other.nodes[c].of.name(l)
		of, ok := names[name]
		if !ok {
			of = other.nodes[c].of
			names[name] = of
		}
		n := g.child(to, of)
		g.nodes[n].Name = name
		g.add(n, other, c, l, names)
	}
}

// sum computes the inclusive time of a path and the paths below it.
func (g *grower) sum(at int) {
	total := g.nodes[at].Own
	for _, c := range g.nodes[at].children {
		g.sum(c)
		total = total.Plus(g.nodes[c].Inclusive)
	}
	g.nodes[at].Inclusive = total
}

// list appends a path and the paths below it, without calls outside of the interval.
func (g *grower) list(t *Tree, at, depth int) {
	n := &g.nodes[at]
	n.Depth = depth
	t.Paths = append(t.Paths, n.Path)
	slices.SortFunc(n.children, func(a, b int) int {
		x, y := &g.nodes[a], &g.nodes[b]
		if by := y.Inclusive.Compare(x.Inclusive); by != 0 {
			return by
		}
		return strings.Compare(x.Name, y.Name)
	})
	for _, c := range n.children {
		if below := &g.nodes[c]; below.Calls > 0 || below.Inclusive != (wide.Int{}) {
			g.list(t, c, depth+1)
		}
	}
}
