package record

// From records to a trace: resources, then the records of all threads, one time slice after the other, so that only
// messages in transit are kept. Several processes are merged concurrently; meanwhile the sends and receives of the
// previous ones are matched in process order.

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"time"

	"pview/prv"
	"pview/prv/parallel"
)

// Event types in addition to those of package extrae.
const (
	oneSidedSize = 50001000
	fileSize     = 50000110
)

// merger builds the trace.
type merger struct {
	worlds    []*world
	head      prv.Header
	hosts     []string // of the nodes
	zero      int64    // ns, by rank 0's clock
	lanes     []*lane
	byProcess [][]*lane
	parts     []*part
	rest      part // messages, and ranks without records
	functions functions
	posted    messages
	cpuTime   bool // times are CPU times
}

// part receives the records of some processes. One process of each part is merged at a time.
type part struct {
	out         target
	ends, added []arrival // of this pass, and of the last
	facts
	// before has channels that are closed when the earlier processes of the pass are done: see numbers.
	before []chan struct{}
	ctx    context.Context
}

// facts collects what occurs in the trace, for labels and notes.
type facts struct {
	kinds      [][]callKind    // by world and kind
	states     [64]bool        // used
	user       map[uint32]bool // event types of the program
	detailed   map[uint32]bool // event types of details of calls
	constructs map[uint32]bool // event types of OpenMP
	levels     int             // of the deepest call stack
	counts
}

// newFacts returns empty facts.
func newFacts(kinds [][]callKind) facts {
	f := facts{user: map[uint32]bool{}, detailed: map[uint32]bool{}, constructs: map[uint32]bool{}}
	for _, list := range kinds {
		f.kinds = append(f.kinds, slices.Clone(list))
	}
	return f
}

// add adds the facts of a part.
func (f *facts) add(p *facts) {
	for i, list := range p.kinds {
		for kind := range list {
			f.kinds[i][kind].used = f.kinds[i][kind].used || list[kind].used
		}
	}
	for value, used := range p.states {
		f.states[value] = f.states[value] || used
	}
	maps.Copy(f.user, p.user)
	maps.Copy(f.detailed, p.detailed)
	maps.Copy(f.constructs, p.constructs)
	f.levels = max(f.levels, p.levels)
	f.counts.add(&p.counts)
}

// target receives the records of the trace: a prv.Builder, or a prv.Growing while the program runs.
type target interface {
	State(thread, cpu int32, begin, end int64, value uint32)
	Event(thread, cpu int32, time int64, pairs ...prv.Pair)
	Comm(c prv.Comm)
}

// counts are the numbers in notes.
type counts struct {
	sends, receives              int64 // without a partner
	lost, strange                int64
	foreign                      int64 // sends and receives whose partner is in another MPI program
	killed, limited, full, empty int64 // ranks
}

func (c *counts) add(p *counts) {
	c.sends, c.receives, c.foreign = c.sends+p.sends, c.receives+p.receives, c.foreign+p.foreign
	c.lost, c.strange, c.empty = c.lost+p.lost, c.strange+p.strange, c.empty+p.empty
	c.killed, c.limited, c.full = c.killed+p.killed, c.limited+p.limited, c.full+p.full
}

// callKind is how the trace shows a kind of call of a world.
type callKind struct {
	family uint32
	value  int64
	state  uint32
	used   bool
	match  bool // it receives a message that MPI_Mprobe has matched
	start  bool // counting begins in it
}

// newMerger makes the resources for the scanned records; setTargets comes next.
func newMerger(worlds []*world) *merger {
	m := &merger{worlds: worlds, zero: math.MaxInt64, posted: messages{}}
	m.rest.facts = newFacts(m.callKinds())
	end, computed := int64(0), int64(0)
	for _, w := range worlds {
		w.byMembers = map[string]*group{}
	}
	for _, p := range recorded(worlds) {
		p.receives, p.made = receives{}, map[string]int32{}
		p.fresh, p.unmarked = slices.Collect(maps.Keys(p.comms)), slices.Collect(maps.Keys(p.used))
		p.places, p.named, p.modules, p.callers = map[int64]int64{}, map[uint16]int64{}, nil, nil
		p.parallel, p.tasks = map[int64]int64{}, map[int64]int64{}
		for _, c := range p.comms {
			c.group = nil
		}
		if p.first <= p.last {
			m.zero = min(m.zero, p.clock.correct(p.first))
			end = max(end, p.clock.correct(p.last))
		}
		for _, s := range p.streams {
			m.cpuTime = m.cpuTime || s.cpuTimes
			computed = max(computed, s.computed)
		}
	}
	if m.cpuTime {
		end = m.zero + computed
	}
	m.head = prv.Header{Unit: prv.Nanoseconds, End: max(end-m.zero, 0), Date: m.date()}
	m.place()
	m.groups()
	return m
}

// setTargets sets where the records go; each process belongs to one of the parts.
func (m *merger) setTargets(rest target, parts ...target) {
	m.rest.out = rest
	for _, out := range parts {
		m.parts = append(m.parts, &part{out: out, facts: newFacts(m.rest.kinds)})
	}
	m.makeLanes()
}

// date returns the start of the first process, in the format of a .prv.
func (m *merger) date() string {
	at := int64(math.MaxInt64)
	for _, p := range recorded(m.worlds) {
		at = min(at, p.streams[0].date)
	}
	return time.Unix(at, 0).Format("02/01/2006 at 15:04")
}

// place makes the resources: a ptask for each world, a task for each rank, and a CPU for each thread on its host.
func (m *merger) place() {
	node := map[string]int{}
	onNode := []int{}
	type where struct{ node, threads int }
	var tasks [][]where
	for _, w := range m.worlds {
		var list []where
		for _, p := range w.processes {
			host, threads := "?", 1
			if p != nil {
				host, threads = p.streams[0].host, len(p.streams)
			} else {
				m.rest.empty++
			}
			n, ok := node[host]
			if !ok {
				n = len(onNode)
				node[host] = n
				onNode = append(onNode, 0)
				m.hosts = append(m.hosts, host)
			}
			onNode[n] += threads
			list = append(list, where{n, threads})
		}
		tasks = append(tasks, list)
	}
	for _, threads := range onNode {
		m.head.AddNode(threads)
	}
	used := make([]int32, len(onNode))
	thread := int32(0)
	for i, w := range m.worlds {
		m.head.AddPtask()
		w.task = int32(len(m.head.Tasks))
		for rank, at := range tasks[i] {
			m.head.AddTask(at.threads, at.node)
			p := w.processes[rank]
			for k := range at.threads {
				if p != nil {
					s := p.streams[k]
					s.thread, s.cpu = thread, m.head.Nodes[at.node].FirstCPU+used[at.node]
				}
				used[at.node]++
				thread++
			}
		}
	}
}

// groups finds the communicators that belong together: those with the same members, in the order in which each process
// created them. Used ones get a number in the trace. It handles what has been scanned since the last call.
func (m *merger) groups() {
	for i, w := range m.worlds {
		var used []*group // now
		for _, p := range w.processes {
			if p == nil {
				continue
			}
			slices.Sort(p.fresh)
			for _, id := range p.fresh {
				if c := p.comms[id]; c.group == nil {
					c.group = p.groupOf(c)
				}
			}
			p.fresh = p.fresh[:0]
			p.unmarked = slices.DeleteFunc(p.unmarked, func(id int32) bool {
				c := p.comms[id]
				if c == nil { // created by another thread that has not been read yet
					return false
				}
				if !c.group.used {
					c.group.used, used = true, append(used, c.group)
				}
				return true
			})
		}
		slices.SortFunc(used, func(a, b *group) int { return cmp.Compare(a.order, b.order) })
		for _, g := range used {
			g.number = len(m.head.Communicators) + 1
			text := fmt.Sprintf("c:%d:%d:%d", i+1, g.number, len(g.ranks))
			for _, rank := range g.ranks {
				text += fmt.Sprintf(":%d", rank+1)
			}
			m.head.Communicators = append(m.head.Communicators, prv.Communicator{Text: text})
		}
	}
}

// groupOf returns the group of the next communicator of a process.
func (p *process) groupOf(c *comm) *group {
	a, b := c.members, c.remote
	if b != nil && slices.Compare(b, a) < 0 {
		a, b = b, a
	}
	var key []byte
	for _, part := range [][]int32{a, b} {
		for _, rank := range part {
			key = binary.LittleEndian.AppendUint32(key, uint32(rank))
		}
		key = append(key, '|')
	}
	p.made[string(key)]++
	key = binary.LittleEndian.AppendUint32(key, uint32(p.made[string(key)]))
	g := p.world.byMembers[string(key)]
	if g == nil {
		g = &group{order: len(p.world.byMembers), ranks: slices.Concat(a, b)}
		p.world.byMembers[string(key)] = g
	}
	return g
}

// callKinds gives each kind of call its event type, value and state in the trace.
func (m *merger) callKinds() (list [][]callKind) {
	own := map[string]int64{}
	var names []string
	for _, w := range m.worlds {
		for _, name := range w.names {
			if _, seen := own[name]; !seen && name != "" && callOf(name).Value == 0 {
				own[name] = 0
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for i, name := range names {
		own[name] = firstOwn + int64(i)
	}
	for _, w := range m.worlds {
		kinds := make([]callKind, len(w.names))
		for i, name := range w.names {
			if name == "" {
				continue
			}
			c := callOf(name)
			kinds[i] = callKind{family: c.Type, value: c.Value, state: uint32(c.State),
				match: name == "Mrecv" || name == "Mrecv_c", start: name == "Init" || name == "Init_thread"}
			if c.Value == 0 {
				kinds[i].value = own[name]
			}
		}
		list = append(list, kinds)
	}
	return list
}

// sliceRecords is the maximum number of records of a thread in a slice, unless others have fewer.
const sliceRecords = 1 << 14

// makeLanes makes a lane for each thread.
func (m *merger) makeLanes() {
	for i, w := range m.worlds {
		for _, p := range w.processes {
			if p == nil {
				continue
			}
			lanes, part := make([]*lane, len(p.streams)), m.parts[len(m.byProcess)%len(m.parts)]
			for k, s := range p.streams {
				lanes[k] = &lane{merger: m, part: part, process: p, stream: s, kinds: part.kinds[i], pos: -1,
					counting: slices.Clone(s.counting)}
			}
			for _, l := range lanes {
				l.team = lanes
			}
			m.byProcess = append(m.byProcess, lanes)
			m.lanes = append(m.lanes, lanes...)
		}
	}
}

// merge adds the scanned records that begin before a time in the trace.
func (m *merger) merge(ctx context.Context, limit int64, progress func(done, total int64)) error {
	for _, l := range m.lanes {
		l.setWhen()
	}
	for until := int64(math.MinInt64); until < limit; {
		total, done, first := int64(0), int64(0), limit-1
		until = limit
		for _, l := range m.lanes {
			total += int64(l.stream.n)
			done += int64(l.at)
			if l.at < l.stream.n {
				first = min(first, l.when)
			}
			if next := l.at + sliceRecords; next < l.stream.n {
				until = min(until, l.begin(next))
			}
		}
		until = max(until, first+1) // a call may have more records than a slice
		if progress != nil {
			progress(done, total)
		}
		if done == total {
			break
		}
		if err := m.each(ctx, func(lanes []*lane) {
			for l := earliest(lanes); l != nil && l.when < until; l = earliest(lanes) {
				l.step()
			}
		}); err != nil {
			return err
		}
	}
	return m.pass(ctx, nil, nil)
}

// finish adds what is known only when no more records will come.
func (m *merger) finish(ctx context.Context) error {
	if err := m.each(ctx, func(lanes []*lane) {
		lanes[0].process.receives.end()
		for _, l := range lanes {
			l.finish()
		}
	}); err != nil {
		return err
	}
	if err := m.pass(ctx, nil, nil); err != nil {
		return err
	}
	for _, q := range m.posted {
		m.rest.sends += int64(len(q.sends))
		m.rest.receives += int64(len(q.receives))
	}
	m.absent()
	return nil
}

// each calls f for the threads of each process. The sends and receives of the last pass remain to be matched.
func (m *merger) each(ctx context.Context, f func(lanes []*lane)) error {
	for batch := range slices.Chunk(m.byProcess, len(m.parts)) {
		if err := m.pass(ctx, batch, f); err != nil {
			return err
		}
	}
	return nil
}

// pass calls f for the threads of one process of each part, concurrently, and meanwhile matches the sends and receives
// of the previous pass.
func (m *merger) pass(ctx context.Context, batch [][]*lane, f func(lanes []*lane)) error {
	done := make([]chan struct{}, len(batch))
	for i, p := range m.parts {
		if len(p.added) == 0 { // else ctx ended the last pass
			p.ends, p.added = p.added, p.ends
		}
		if i < len(batch) {
			done[i] = make(chan struct{})
			p.before, p.ctx = done[:i], ctx
		}
	}
	return parallel.Each(ctx, 1+len(batch), min(len(m.parts), runtime.GOMAXPROCS(0)), func(_, i int) error {
		if i > 0 {
			defer close(done[i-1])
			f(batch[i-1])
			return nil
		}
		for _, p := range m.parts {
			for _, e := range p.added {
				m.add(e)
			}
			p.added = p.added[:0]
		}
		return nil
	})
}

// earliest returns the lane whose next record begins first, nil if all are done.
func earliest(lanes []*lane) (first *lane) {
	for _, l := range lanes {
		if l.at < l.stream.n && (first == nil || l.when < first.when) {
			first = l
		}
	}
	return first
}

// absent gives the ranks without records an absent state.
func (m *merger) absent() {
	for _, w := range m.worlds {
		for rank, p := range w.processes {
			if p == nil && m.head.End > 0 {
				m.rest.state(m.head.Tasks[w.task+int32(rank)].FirstThread, 0, 0, m.head.End, stateAbsent)
			}
		}
	}
}

func (p *part) state(thread, cpu int32, begin, end int64, value uint32) {
	if end > begin {
		p.out.State(thread, cpu, begin, end, value)
		p.states[value] = true
	}
}
