package charm

// From the logs to a trace: units and their messages, then states, events and communications.

import (
	"context"
	"slices"
	"sort"
	"strings"

	"pview/prv"
)

// Event types in addition to those of package execution.
const (
	typeUser      = 79000100
	typeBracket   = 79000101
	typeSupplied  = 79000102
	typeNote      = 79000104
	typePhase     = 79000105
	typeFunction  = 79000106
	typeStatistic = 79000200 // and following, by statistic
	typeCounter   = 79001000 // and following, by counter
)

// States, by Extrae's numbers.
const (
	stateIdle     = 0
	stateRunning  = 1
	stateAbsent   = 2
	stateRuntime  = 7
	stateUntraced = 14
	stateOverhead = 15
	stateUntold   = 40 // of summaries: idle or in the runtime system, unknown which
)

// builder builds the trace.
type builder struct {
	run     *run
	logs    []*log
	thread  []int32 // by PE
	out     *prv.Builder
	finish  int64
	objects map[string]int64
	names   []string // of the objects, by number from 1
	texts   []string
	// created are the creations of each PE by event number.
	created   []creations
	receivers map[[2]int64]int32 // by creation: the only PE that begins it, + 1; 0: several
	counts
}

// counts are the counts in the notes.
type counts struct{ stale, orphans, dropped, resumed, open int64 }

// creations are the rows of the creations of a log, by event.
type creations []int32

// build makes the trace.
func build(ctx context.Context, run *run, logs []*log) (*prv.Trace, error) {
	b := &builder{run: run, logs: logs, objects: map[string]int64{}, receivers: map[[2]int64]int32{}}
	for _, l := range logs {
		if l == nil {
			continue
		}
		for k := range l.records {
			b.finish = max(b.finish, l.records[k].time, l.records[k].end())
		}
	}
	b.place()
	b.index()
	for _, l := range logs {
		if l != nil {
			b.link(l)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	for i, l := range logs {
		if l != nil {
			(&lane{builder: b, log: l, thread: b.thread[i]}).walk()
		} else if b.finish > 0 {
			b.out.State(b.thread[i], 0, 0, b.finish, stateAbsent)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	t, err := b.out.Build()
	if err != nil {
		return nil, err
	}
	t.Path = run.path
	t.Labels, t.Names = b.labels(), b.rows()
	b.notes(t)
	return t, nil
}

// place makes the resources of a run that ends at finish: a task for each node of PEs that share memory, with its
// communication thread last, or for each PE.
func (b *builder) place() {
	h := prv.Header{Unit: prv.Microseconds}
	r := b.run
	b.thread = make([]int32, r.pes)
	h.AddPtask()
	size, nodes := r.nodeSize, r.nodes
	if size == 0 {
		size, nodes = 1, r.pes
	}
	inNodes, next := size*nodes, int32(0)
	for n := range nodes {
		threads := size
		if inNodes+n < r.pes {
			threads++
		}
		h.AddNode(threads)
		h.AddTask(threads, n)
		for i := range size {
			b.thread[n*size+i] = next
			next++
		}
		if threads > size {
			b.thread[inNodes+n] = next
			next++
		}
	}
	for pe := inNodes + nodes; pe < r.pes; pe++ { // more PEs than the nodes explain
		h.AddNode(1)
		h.AddTask(1, nodes+pe-inNodes-nodes)
		b.thread[pe] = next
		next++
	}
	h.End = b.finish
	b.out = prv.NewBuilder(h)
}

// end returns the end of the activity in a record.
func (r *record) end() int64 {
	if r.kind == bracketNote || r.kind == creation || r.kind == broadcast || r.kind == multicast {
		return r.until
	}
	return 0
}

// isCreation reports whether a record creates a message.
func (r *record) isCreation() bool {
	return r.kind == creation || r.kind == broadcast || r.kind == multicast
}

// index finds the creations of each PE.
func (b *builder) index() {
	b.created = make([]creations, len(b.logs))
	for i, l := range b.logs {
		if l == nil {
			continue
		}
		list := l.records
		for k := range list {
			if list[k].isCreation() {
				b.created[i] = append(b.created[i], int32(k))
			}
		}
		slices.SortStableFunc(b.created[i], func(x, y int32) int { return int(list[x].event - list[y].event) })
	}
}

// creationOf returns the creation with a number on a PE.
func (b *builder) creationOf(pe int32, event int64) *record {
	if pe < 0 || int(pe) >= len(b.logs) || b.logs[pe] == nil {
		return nil
	}
	list, rows := b.logs[pe].records, b.created[pe]
	i := sort.Search(len(rows), func(i int) bool { return list[rows[i]].event >= event })
	if i == len(rows) || list[rows[i]].event != event {
		return nil
	}
	return &list[rows[i]]
}

// forwarders are prefixes of the names of entries that forward messages to others.
var forwarders = []string{"deliver", "recvBroadcast", "sendBroadcast"}

// fits reports whether a creation can have made a unit's message: some units keep the number of an unrelated message.
func (b *builder) fits(c, unit *record) bool {
	if c.entry == unit.entry {
		return true
	}
	name := b.run.entries[int64(c.entry)].name
	return slices.ContainsFunc(forwarders, func(p string) bool { return strings.HasPrefix(name, p) })
}

// unitKey identifies the message and object of a unit.
type unitKey struct {
	pe, entry, object int32
	event             int64
}

func keyOf(r *record) unitKey { return unitKey{r.pe, r.entry, r.object, r.event} }

// link finds out which units begin and which resume, and finds the messages that started those that begin. A unit
// resumes if a unit with its message and object has begun before, and another unit has ended at most 1 us ago.
func (b *builder) link(l *log) {
	seen := map[unitKey]bool{}
	var open, ended *unitKey
	endedAt := int64(0)
	for i := range l.records {
		r := &l.records[i]
		switch r.kind {
		case endUnit, endTrace:
			if open != nil {
				ended, endedAt, open = open, r.time, nil
			}
		case beginUnit:
			key := keyOf(r)
			if open != nil {
				ended, endedAt = open, r.time
			}
			r.first = !(seen[key] && ended != nil && *ended != key && r.time-endedAt <= 1)
			seen[key] = true
			open = &key
			if !r.first {
				b.resumed++
				continue
			}
			b.findCreator(l, r)
		}
	}
}

// findCreator finds the creation of a unit's message.
func (b *builder) findCreator(l *log, r *record) {
	if r.event < 0 {
		return
	}
	c := b.creationOf(r.pe, r.event)
	switch {
	case c == nil:
		b.orphans++
		return
	case !b.fits(c, r):
		b.stale++
		return
	}
	r.created = true
	id := [2]int64{int64(r.pe), r.event}
	if who, ok := b.receivers[id]; ok && who != int32(l.pe)+1 {
		b.receivers[id] = 0
	} else if !ok {
		b.receivers[id] = int32(l.pe) + 1
	}
}
