package prv

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Header is what a trace says of itself before its records.
type Header struct {
	Date string
	Unit Unit
	End  int64
	Resources
	Communicators []Communicator
}

// Pair is one type:value pair of an event line.
type Pair struct {
	Type  uint32
	Value int64
}

// Comm is one communication. Threads are 0-based over the trace, CPUs 1-based
// over all nodes (0 unknown), times by Role, Size in bytes.
type Comm struct {
	Send, Recv       int32
	SendCPU, RecvCPU int32
	Times            [4]int64
	Size, Tag        int64
}

// Builder makes a Trace from records given in any order; those of one thread are
// put in the order of time, records of equal time stay in the order given. The
// parser, the importers and the simulator all use it. A Builder is for one
// goroutine; a mistake of the caller (no such thread, a negative time) is
// remembered and returned by Build.
type Builder struct {
	head     Header
	packer   *packer
	segments []*segment
	err      error
}

// segmentSize is about how many packed bytes a segment of a Builder gets.
const segmentSize = 4 << 20

// NewBuilder returns a Builder for a trace with the given header.
func NewBuilder(h Header) *Builder {
	return &Builder{head: h, packer: newPacker(h.NumThreads())}
}

// State adds a state record: from begin to end (NoEnd: until the next begins).
func (b *Builder) State(thread, cpu int32, begin, end int64, value uint32) {
	if !b.check(thread, cpu, begin) {
		return
	}
	if end != NoEnd && end < begin {
		b.fail("state of thread %d ends at %d, before it begins at %d", thread, end, begin)
		return
	}
	b.packer.state(thread, cpu, begin, end, value)
	b.full()
}

// Event adds one line of events: pairs that share thread, CPU and time.
func (b *Builder) Event(thread, cpu int32, time int64, pairs ...Pair) {
	if !b.check(thread, cpu, time) || len(pairs) == 0 {
		return
	}
	s := b.packer.eventLine(thread, cpu, time)
	for _, p := range pairs {
		b.packer.pair(s, p.Type, p.Value)
	}
	b.packer.endLine()
	b.full()
}

// Comm adds a communication.
func (b *Builder) Comm(c Comm) {
	for _, t := range c.Times {
		if !b.check(c.Send, c.SendCPU, t) || !b.check(c.Recv, c.RecvCPU, t) {
			return
		}
	}
	b.packer.comm(&c)
	b.full()
}

func (b *Builder) check(thread, cpu int32, time int64) bool {
	switch {
	case thread < 0 || int(thread) >= b.head.NumThreads():
		b.fail("no thread %d", thread)
	case cpu < 0 || len(b.head.Nodes) > 0 && int(cpu) > b.head.NumCPUs():
		b.fail("no CPU %d", cpu)
	case time < 0:
		b.fail("time %d is negative", time)
	default:
		return true
	}
	return false
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("building a trace: "+format, args...)
	}
}

func (b *Builder) full() {
	if b.packer.n >= segmentSize {
		b.segments = append(b.segments, b.packer.take())
	}
}

// Build returns the trace; the Builder is spent.
func (b *Builder) Build() (*Trace, error) {
	if b.err != nil {
		return nil, b.err
	}
	segs := append(b.segments, b.packer.take())
	b.segments, b.packer = nil, nil
	return assemble(context.Background(), b.head, segs, runtime.GOMAXPROCS(0))
}

// assemble makes the columns of a trace from its packed segments, which are used up.
func assemble(ctx context.Context, h Header, segs []*segment, workers int) (*Trace, error) {
	t := &Trace{
		Date: h.Date, Unit: h.Unit, HeaderEnd: h.End, Duration: h.End,
		Resources: h.Resources, Communicators: h.Communicators,
		Threads: make([]Thread, h.NumThreads()),
		Labels:  &Labels{}, Names: &Names{},
	}
	for _, s := range segs {
		t.Comments = append(t.Comments, s.comments...)
		t.Communicators = append(t.Communicators, s.communicators...)
		t.Duration = max(t.Duration, s.lastTime)
	}
	plan := t.allocate(segs)
	if plan.comms > math.MaxInt32 {
		return nil, fmt.Errorf("%d communications: pview holds at most %d", plan.comms, math.MaxInt32)
	}
	err := eachParallel(ctx, len(segs), workers, func(i int) {
		segs[i].unpack(t)
		segs[i] = nil
	})
	if err != nil {
		return nil, err
	}
	err = eachParallel(ctx, len(t.Threads), workers, func(i int) {
		if plan.statesDisordered[i] {
			t.Threads[i].States.sort()
		}
		if plan.eventsDisordered[i] {
			t.Threads[i].Events.sort()
		}
	})
	if err != nil {
		return nil, err
	}
	t.dropConstantCPUs()
	return t, t.orderComms(ctx, workers)
}

// eachParallel calls f for 0..n-1 from several goroutines, until ctx ends.
func eachParallel(ctx context.Context, n, workers int, f func(i int)) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(workers, n) {
		g.Go(func() error {
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				f(i)
			}
		})
	}
	return g.Wait()
}

// plan is what allocate learns of the segments beyond the columns' lengths.
type plan struct {
	comms                              int
	statesDisordered, eventsDisordered []bool // by thread
}

// allocate makes the columns and tells each segment where in them its records go.
func (t *Trace) allocate(segs []*segment) plan {
	n := len(t.Threads)
	p := plan{statesDisordered: make([]bool, n), eventsDisordered: make([]bool, n)}
	type total struct {
		states, pairs        int
		lastState, lastEvent int64
		seen                 bool
		stateCPU, eventCPU   bool // the column is needed
	}
	totals := make([]total, n)
	commCPU := false
	for _, s := range segs {
		s.commBase = p.comms
		p.comms += s.comms
		for i := range s.threads {
			sh := &s.threads[i]
			tot := &totals[sh.thread]
			if !tot.seen {
				tot.seen = true
				t.Threads[sh.thread].CPU = sh.cpu
			}
			moved := sh.cpu != t.Threads[sh.thread].CPU
			tot.stateCPU = tot.stateCPU || sh.stateCPUVaries || moved && sh.states > 0
			tot.eventCPU = tot.eventCPU || sh.eventCPUVaries || moved && sh.pairs > 0
			commCPU = commCPU || sh.commCPUVaries || moved && s.comms > 0
			sh.stateBase, sh.pairBase = tot.states, tot.pairs
			if sh.states > 0 {
				if sh.statesDisordered || tot.states > 0 && sh.firstState < tot.lastState {
					p.statesDisordered[sh.thread] = true
				}
				tot.lastState = sh.lastState
			}
			if sh.pairs > 0 {
				if sh.eventsDisordered || tot.pairs > 0 && sh.firstEvent < tot.lastEvent {
					p.eventsDisordered[sh.thread] = true
				}
				tot.lastEvent = sh.lastEvent
			}
			tot.states += sh.states
			tot.pairs += sh.pairs
		}
	}
	for i := range totals {
		th, tot := &t.Threads[i], &totals[i]
		if tot.states > 0 {
			th.States = States{Begin: make([]int64, tot.states), End: make([]int64, tot.states), Value: make([]uint32, tot.states)}
			if tot.stateCPU {
				th.States.CPU = make([]int32, tot.states)
			}
		}
		if tot.pairs > 0 {
			th.Events = Events{Time: make([]int64, tot.pairs), Type: make([]uint32, tot.pairs), Value: make([]int64, tot.pairs), Lines: NewBits(tot.pairs)}
			if tot.eventCPU {
				th.Events.CPU = make([]int32, tot.pairs)
			}
		}
	}
	if p.comms > 0 {
		c := &t.Comms
		c.Send, c.Recv = make([]int32, p.comms), make([]int32, p.comms)
		for r := range c.Times {
			c.Times[r] = make([]int64, p.comms)
		}
		c.Size, c.Tag = make([]int64, p.comms), make([]int64, p.comms)
		if commCPU {
			c.SendCPU, c.RecvCPU = make([]int32, p.comms), make([]int32, p.comms)
		}
	}
	return p
}

// unpacker reads the packed bytes of a segment.
type unpacker struct {
	data []byte
	i    int
	time int64
}

func (u *unpacker) uvarint() uint64 {
	b := u.data[u.i]
	u.i++
	if b < 0x80 {
		return uint64(b)
	}
	v := uint64(b & 0x7f)
	for shift := 7; ; shift += 7 {
		b = u.data[u.i]
		u.i++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (u *unpacker) varint() int64 {
	v := u.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// unpack stores the records of a segment into the columns of t.
func (s *segment) unpack(t *Trace) {
	u := unpacker{data: s.data}
	// Where the next record of each thread goes; last is reused for the CPU.
	for i := range s.threads {
		s.threads[i].last = s.threads[i].cpu
	}
	comm := s.commBase
	for u.i < len(u.data) {
		kind := u.data[u.i]
		u.i++
		if kind&3 == packComm {
			s.unpackComm(t, &u, comm, kind&packCPU != 0)
			comm++
			continue
		}
		sh := &s.threads[u.uvarint()]
		if kind&packCPU != 0 {
			sh.last = int32(u.uvarint())
		}
		u.time += u.varint()
		th := &t.Threads[sh.thread]
		if kind&3 == packState {
			th.States.put(sh, &u)
		} else {
			th.Events.put(sh, &u, s.types)
		}
	}
}

func (c *States) put(sh *segmentShare, u *unpacker) {
	i := sh.stateBase
	sh.stateBase++
	c.Begin[i] = u.time
	if d := u.uvarint(); d == 0 {
		c.End[i] = NoEnd
	} else {
		c.End[i] = u.time + int64(d-1)
	}
	c.Value[i] = uint32(u.uvarint())
	if c.CPU != nil {
		c.CPU[i] = sh.last
	}
}

func (c *Events) put(sh *segmentShare, u *unpacker, types []uint32) {
	i := sh.pairBase
	// Words of the set are shared with the segments before and after.
	atomic.OrUint64(&c.Lines[i>>6], 1<<(uint(i)&63))
	for {
		at := u.uvarint()
		if at == 0 {
			break
		}
		if at == 1 {
			c.Type[i] = uint32(u.uvarint())
		} else {
			c.Type[i] = types[at-2]
		}
		c.Time[i] = u.time
		c.Value[i] = u.varint()
		if c.CPU != nil {
			c.CPU[i] = sh.last
		}
		i++
	}
	sh.pairBase = i
}

func (s *segment) unpackComm(t *Trace, u *unpacker, i int, cpus bool) {
	c := &t.Comms
	from, to := &s.threads[u.uvarint()], &s.threads[u.uvarint()]
	sendCPU, recvCPU := from.cpu, to.cpu
	if cpus {
		sendCPU, recvCPU = int32(u.uvarint()), int32(u.uvarint())
	}
	c.Send[i], c.Recv[i] = from.thread, to.thread
	if c.SendCPU != nil {
		c.SendCPU[i], c.RecvCPU[i] = sendCPU, recvCPU
	}
	at := u.time
	for r := range c.Times {
		at += u.varint()
		c.Times[r][i] = at
	}
	u.time = c.Times[PhysicalSend][i]
	c.Size[i] = u.varint()
	c.Tag[i] = u.varint()
}

// sort puts the states in order of begin; the file's order is kept in FileOrder.
func (c *States) sort() {
	order := timeOrder(c.Begin)
	c.Begin, c.End = permuted(c.Begin, order), permuted(c.End, order)
	c.Value = permuted(c.Value, order)
	c.CPU = permuted(c.CPU, order)
	c.FileOrder = order
}

// sort puts the events in order of time.
func (c *Events) sort() {
	order := timeOrder(c.Time)
	c.Time, c.Type, c.Value = permuted(c.Time, order), permuted(c.Type, order), permuted(c.Value, order)
	c.CPU = permuted(c.CPU, order)
	lines := NewBits(len(order))
	for i, from := range order {
		if c.Lines.Has(int(from)) {
			lines.Set(i)
		}
	}
	c.Lines = lines
}

// timeOrder returns the row numbers in stable order of their times.
func timeOrder(times []int64) []int32 {
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
	}
	sortByTime(order, times)
	return order
}

// sortByTime sorts row numbers by their times. Those of equal time stay as they
// are. Traces are nearly in order, if not quite (a message stands at its physical
// send, a buffer was flushed late), so the sorted stretch that the rows begin with
// is kept and each later row is moved back to its place, until that has cost more
// than a sort from scratch would.
func sortByTime(rows []int32, times []int64) {
	budget := 8 * len(rows)
	for i := 1; i < len(rows); i++ {
		row, at := rows[i], times[rows[i]]
		j := i
		for j > 0 && times[rows[j-1]] > at {
			rows[j] = rows[j-1]
			j--
		}
		rows[j] = row
		if budget -= i - j; budget < 0 {
			slices.SortStableFunc(rows, func(a, b int32) int {
				switch {
				case times[a] < times[b]:
					return -1
				case times[a] > times[b]:
					return 1
				}
				return 0
			})
			return
		}
	}
}

func permuted[T any](col []T, order []int32) []T {
	if col == nil {
		return nil
	}
	out := make([]T, len(col))
	for i, from := range order {
		out[i] = col[from]
	}
	return out
}

// dropConstantCPUs drops the CPU columns of the communications when they say no
// more than Thread.CPU does (they are made on suspicion).
func (t *Trace) dropConstantCPUs() {
	c := &t.Comms
	for i := range c.SendCPU {
		if c.SendCPU[i] != t.Threads[c.Send[i]].CPU || c.RecvCPU[i] != t.Threads[c.Recv[i]].CPU {
			return
		}
	}
	c.SendCPU, c.RecvCPU = nil, nil
}

// orderComms fills Thread.Comm: the communications of each thread, per role.
func (t *Trace) orderComms(ctx context.Context, workers int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	g.Go(func() error { return t.orderSide(ctx, LogicalSend, t.Comms.Send) })
	g.Go(func() error { return t.orderSide(ctx, LogicalRecv, t.Comms.Recv) })
	return g.Wait()
}

// orderSide fills the orders of the two roles of one end, logical and physical;
// threads are the threads at that end.
// Where they are the same they share their memory.
func (t *Trace) orderSide(ctx context.Context, logical Role, threads []int32) error {
	physical := logical + 1
	counts := make([]int32, len(t.Threads)+1)
	for _, th := range threads {
		counts[th+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	rows := make([]int32, len(threads))
	at := slices.Clone(counts[:len(t.Threads)])
	for i, th := range threads {
		rows[at[th]] = int32(i)
		at[th]++
	}
	for i := range t.Threads {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		own := rows[counts[i]:counts[i+1]:counts[i+1]]
		if len(own) == 0 {
			continue
		}
		same := ordered(own, t.Comms.Times[logical]) && ordered(own, t.Comms.Times[physical])
		t.Threads[i].Comm[physical] = own
		if same {
			t.Threads[i].Comm[logical] = own
			continue
		}
		first := slices.Clone(own)
		sortByTime(first, t.Comms.Times[logical])
		t.Threads[i].Comm[logical] = first
		sortByTime(own, t.Comms.Times[physical])
	}
	return nil
}

func ordered(rows []int32, times []int64) bool {
	for i := 1; i < len(rows); i++ {
		if times[rows[i]] < times[rows[i-1]] {
			return false
		}
	}
	return true
}
