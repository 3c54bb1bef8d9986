package criticalpath

// The contents of the events: the collective operations and their participants, and the block of the program that
// each thread is in. One pass over the events of each thread.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Rooted operations by the value of their event: in one-to-all operations only the root can delay others, in all-to-one
// only the root can be delayed.
var (
	oneToAll = map[int64]bool{7: true, 15: true, 16: true} // Bcast, Scatter, Scatterv
	allToOne = map[int64]bool{9: true, 13: true, 14: true} // Reduce, Gather, Gatherv
)

// maxDepth bounds the nesting of blocks and calls, against traces in which they never end.
const maxDepth = 1 << 10

// calls is the data read from the events.
type calls struct {
	groups   []group
	byThread [][]callRef
	names    *names
}

// group is a communicator: the tasks that called collective operations on it.
type group struct {
	members []member
	equal   bool // all called the same number of times: the n-th calls match
}

type member struct {
	task  int32
	calls []call // in order of start
}

// call is one task's part in a collective operation.
type call struct {
	begin, end int64
	thread     int32
	root       bool
	value      int64
	comm       int64 // of its ptask
}

// callRef identifies a call.
type callRef struct {
	begin, end            int64
	group, member, number int32
}

// names are the blocks of the program by thread and time.
type names struct {
	t       *prv.Trace
	changes [][]change
}

// change is the time at which a thread enters another block, or, with type 0, leaves all.
type change struct {
	time  int64
	typ   uint32
	value int64
}

// reader reads the events of one thread.
type reader struct {
	e      *prv.Events
	blocks []uint32
	thread int32

	open    []change // open blocks and calls, innermost last
	changes []change
	calls   []call
	pending []int // rows of open calls
}

// readCalls reads the events of all threads.
func readCalls(ctx context.Context, t *prv.Trace, blocks []uint32) (*calls, error) {
	readers := make([]reader, len(t.Threads))
	err := parallel.For(ctx, len(readers), func(i int) error {
		readers[i] = reader{e: &t.Threads[i].Events, blocks: blocks, thread: int32(i)}
		return readers[i].run(ctx)
	})
	if err != nil {
		return nil, err
	}
	c := &calls{names: &names{t: t, changes: make([][]change, len(readers))}}
	for i := range readers {
		c.names.changes[i] = readers[i].changes
	}
	c.gather(t, readers)
	return c, nil
}

func (r *reader) run(ctx context.Context) error {
	for i, typ := range r.e.Type {
		if i&0xfffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case typ >= extrae.MPIPointToPoint && typ <= extrae.MPIOneSided:
			if typ == extrae.MPICollective {
				r.collective(i)
			}
			r.block(i)
		case slices.Contains(r.blocks, typ):
			r.block(i)
		}
	}
	return nil
}

// block handles the start or end of a block or call.
func (r *reader) block(i int) {
	typ, value := r.e.Type[i], r.e.Value.At(i)
	if value != 0 {
		if len(r.open) < maxDepth {
			r.open = append(r.open, change{typ: typ, value: value})
		}
	} else {
		for k := len(r.open) - 1; k >= 0; k-- {
			if r.open[k].typ == typ {
				r.open = slices.Delete(r.open, k, k+1)
				break
			}
		}
	}
	now := change{}
	if n := len(r.open); n > 0 {
		now = r.open[n-1]
	}
	now.time = r.e.Time[i]
	if n := len(r.changes); n > 0 && r.changes[n-1].time == now.time {
		r.changes[n-1] = now
		return
	}
	r.changes = append(r.changes, now)
}

// collective handles the start or end of a collective call.
func (r *reader) collective(i int) {
	if r.e.Value.At(i) == 0 {
		if n := len(r.pending); n > 0 {
			r.calls[r.pending[n-1]].end = r.e.Time[i]
			r.pending = r.pending[:n-1]
		}
		return
	}
	c := call{begin: r.e.Time[i], end: 1<<63 - 1, thread: r.thread, value: r.e.Value.At(i)}
	first, fields, comm := i, false, int64(1)
	for first > 0 && !r.e.Lines.Has(first) {
		first--
	}
	for k := first; k < r.e.Len() && (k <= i || !r.e.Lines.Has(k)); k++ {
		switch typ := r.e.Type[k]; {
		case typ < extrae.CollectiveSent || typ > extrae.CollectiveComm:
			continue
		case typ == extrae.CollectiveRoot:
			c.root = r.e.Value.At(k) != 0
		case typ == extrae.CollectiveComm:
			comm = r.e.Value.At(k)
		}
		fields = true
	}
	if fields {
		c.comm = comm
	}
	if len(r.pending) < maxDepth {
		r.pending = append(r.pending, len(r.calls))
	}
	r.calls = append(r.calls, c)
}

// gather groups the calls by communicator and task.
func (c *calls) gather(t *prv.Trace, readers []reader) {
	type key struct {
		ptask int32
		comm  int64
	}
	row := map[key]int{}
	for i := range readers {
		task := t.ThreadTask[i]
		for _, cl := range readers[i].calls {
			k := key{t.Tasks[task].Ptask, cl.comm}
			g, ok := row[k]
			if !ok {
				g = len(c.groups)
				row[k] = g
				c.groups = append(c.groups, group{})
			}
			m := c.groups[g].members
			if len(m) == 0 || m[len(m)-1].task != task {
				m = append(m, member{task: task})
			}
			last := &m[len(m)-1]
			last.calls = append(last.calls, cl)
			c.groups[g].members = m
		}
	}
	c.byThread = make([][]callRef, len(readers))
	for g := range c.groups {
		c.index(int32(g))
	}
	for _, refs := range c.byThread {
		slices.SortStableFunc(refs, func(a, b callRef) int { return cmp.Compare(a.begin, b.begin) })
	}
}

// index sorts the calls of a group and adds them to their threads.
func (c *calls) index(gi int32) {
	g := &c.groups[gi]
	g.equal = true
	for m := range g.members {
		list := g.members[m].calls
		// Threads of a task may share its calls.
		slices.SortStableFunc(list, func(a, b call) int { return cmp.Compare(a.begin, b.begin) })
		g.equal = g.equal && len(list) == len(g.members[0].calls)
		for n := range list {
			c.byThread[list[n].thread] = append(c.byThread[list[n].thread],
				callRef{list[n].begin, list[n].end, gi, int32(m), int32(n)})
		}
	}
}

// at returns the collective call that a thread is in at a time.
func (c *calls) at(thread int32, time int64) (callRef, bool) {
	refs := c.byThread[thread]
	i := sort.Search(len(refs), func(i int) bool { return refs[i].begin > time }) - 1
	// Calls nest only by mistake.
	if i < 0 || refs[i].end <= time {
		return callRef{}, false
	}
	return refs[i], true
}

// part returns the call of a member in the same operation as another member's call, provided it began before a
// time.
func (g *group) part(ref callRef, m int, before int64) (*call, bool) {
	list := g.members[m].calls
	i := int(ref.number)
	if !g.equal {
		// Parts of the run were not traced: match calls that overlap, as they do unless clocks differ.
		i = sort.Search(len(list), func(i int) bool { return list[i].begin >= before }) - 1
		if i < 0 || list[i].end <= ref.begin {
			return nil, false
		}
	}
	return &list[i], true
}
