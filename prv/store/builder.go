package store

import (
	"pview/prv/index"
	"pview/prv/model"

	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"pview/prv/parallel"
)

// Builder makes a Trace from records given in any order; each thread's are sorted by time, and records with equal times
// keep their order. The parser, the importers and the simulator all use it. A Builder is for one goroutine, as is each
// of its parts; a mistake of the caller (an unknown thread, a negative time) is remembered and returned by Build.
type Builder struct {
	head     model.Header
	packer   *packer
	segments []*segment
	most     int // bytes of the lists
	storage  *Storage
	parts    []*Builder
	err      error
}

// The approximate size in bytes at which the lists of a Builder, or of a part, become a segment.
const (
	segmentSize = 4 << 20
	partSize    = segmentSize / 4
)

// NewBuilder returns a Builder for a trace with the given header.
func NewBuilder(h model.Header) *Builder {
	return &Builder{head: h, packer: newPacker(h.NumThreads()), most: segmentSize, storage: &Storage{}}
}

// Part returns a Builder whose records go into the trace that b builds. All states and events of a thread must be given
// to the same Builder.
func (b *Builder) Part() *Builder {
	p := NewBuilder(b.head)
	p.most, p.storage = partSize, b.storage
	b.parts = append(b.parts, p)
	return p
}

// Limit bounds the memory of the records, in bytes; beyond that, they are kept in temporary files. 0: no limit.
func (b *Builder) Limit(memory int64) { b.storage.Memory = memory }

// State adds a state record: from begin to end (NoEnd: until the next begins).
func (b *Builder) State(thread, cpu int32, begin, end int64, value uint32) {
	if !b.check(thread, cpu, begin) {
		return
	}
	if end != model.NoEnd && end < begin {
		b.fail("state of thread %d ends at %d, before it begins at %d", thread, end, begin)
		return
	}
	b.packer.state(thread, cpu, begin, end, value)
	b.full()
}

// Event adds one line of events: pairs that share thread, CPU and time.
func (b *Builder) Event(thread, cpu int32, time int64, pairs ...model.Pair) {
	if !b.check(thread, cpu, time) || len(pairs) == 0 {
		return
	}
	b.packer.eventLine(thread, cpu, time)
	for i, p := range pairs {
		b.packer.pair(thread, uint32(i), p.Type, p.Value)
	}
	b.packer.endLine(thread, uint32(len(pairs)))
	b.full()
}

// Comm adds a communication.
func (b *Builder) Comm(c model.Comm) {
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
	if b.packer.listed() >= b.most {
		b.keep()
	}
}

// keep packs the records in the lists into a segment.
func (b *Builder) keep() {
	s := b.packer.take()
	b.segments = append(b.segments, s)
	if err := b.storage.keep(s); err != nil && b.err == nil {
		b.err = err
	}
}

// Build returns the trace; the Builder and its parts are spent.
func (b *Builder) Build() (*model.Trace, error) {
	all := append(b.parts, b)
	err := parallel.For(context.Background(), len(all), func(i int) error {
		all[i].keep()
		return all[i].err
	})
	var segs []*segment
	for _, p := range all {
		segs = append(segs, p.segments...)
		p.segments, p.packer = nil, nil
	}
	var t *model.Trace
	st := b.storage
	if err == nil {
		a := assembly{head: b.head, segs: segs, workers: runtime.GOMAXPROCS(0), store: st.columns, spilled: st.Spill,
			trim: st.release}
		t, err = a.trace(context.Background())
	}
	st.parsed(segs, err)
	return t, err
}

// assembly makes a trace from packed segments.
type assembly struct {
	head    model.Header
	segs    []*segment // consumed
	workers int
	spilled *spill // has the segments that are not in memory; nil if all are
	// inFileOrder: the segments come from a file, so Comms.EventLines can be computed.
	inFileOrder bool
	// store creates the columns; nil: in memory.
	store func(sizes *index.Sizes, inMemory func(*index.Sizes) *index.Columns) (*index.Columns, error)
	// reserved holds the columns with the rows of shares that are marked as stored; nil if none.
	reserved *reserved
	memory   int64 // if columns take more than half of it, they stay where store makes them; 0: no limit
	// trim, if not nil, is called now and then to evict pages of the columns from memory.
	trim func()

	columns *index.Columns // made by trace
	// inBlocks: each thread's states and events are in blocks, where unpackStripe makes their columns.
	inBlocks bool
	plan     plan
	filled   atomic.Int64 // bytes of columns
}

func (a *assembly) trace(ctx context.Context) (*model.Trace, error) {
	t := &model.Trace{
		Date: a.head.Date, Unit: a.head.Unit, HeaderEnd: a.head.End, Duration: a.head.End,
		Resources: a.head.Resources, Communicators: a.head.Communicators,
		Threads: make([]model.Thread, a.head.NumThreads()),
		Labels:  &model.Labels{}, Names: &model.Names{},
	}
	t.Counts = &model.Counted{Of: t}
	for _, s := range a.segs {
		t.Comments = append(t.Comments, s.asides.Comments()...)
		t.Communicators = append(t.Communicators, s.asides.Communicators()...)
		t.Duration = max(t.Duration, s.lastTime)
	}
	a.plan = planOf(t, a.segs)
	a.plan.sizes.EventLines = a.inFileOrder
	if err := a.plan.fits(); err != nil {
		return nil, err
	}
	if err := a.allocate(t); err != nil {
		return nil, err
	}
	if err := a.fill(ctx, t); err != nil {
		return nil, err
	}
	t.DropConstantCPUs()
	return t, t.OrderComms(ctx, &a.columns.Order, a.workers)
}

// allocate makes the columns.
func (a *assembly) allocate(t *model.Trace) (err error) {
	sizes := a.plan.sizes
	if a.reserved != nil && (a.memory == 0 || sizes.Bytes() <= a.memory/2) {
		n := sizes.Comms
		sizes.States, sizes.Events, sizes.Large = 0, 0, 0
		if int64(a.reserved.comms.stored) == n {
			sizes.Comms = 0
		}
		a.columns = index.HeapColumns(&sizes)
		t.Comms = a.columns.Comms
		adopt(t, a.reserved, &a.plan)
		return nil
	}
	inMemory := index.HeapColumns
	if len(a.segs) > 0 && a.segs[0].stripes != nil {
		inMemory = func(sizes *index.Sizes) *index.Columns {
			a.inBlocks = true
			return index.HeapColumns(&index.Sizes{Comms: sizes.Comms, CommCPU: sizes.CommCPU,
				EventLines: sizes.EventLines})
		}
	}
	if a.store == nil {
		a.columns = inMemory(&sizes)
	} else if a.columns, err = a.store(&sizes, inMemory); err != nil {
		return err
	}
	allocate(t, a.columns, &a.plan, a.inBlocks)
	if a.reserved != nil {
		for i := range t.Threads {
			a.reserved.threads[i].copyTo(&t.Threads[i])
		}
		a.reserved.comms.copyTo(&t.Comms)
	}
	return nil
}

// fill unpacks the segments and sorts records that are not in time order.
func (a *assembly) fill(ctx context.Context, t *model.Trace) error {
	unpack := a.unpackSegments
	if len(a.segs) > 0 && a.segs[0].stripes != nil {
		unpack = a.unpackStripes
	}
	if err := unpack(ctx, t); err != nil {
		return err
	}
	return parallel.Each(ctx, len(t.Threads), a.workers, func(_, i int) error {
		tot := &a.plan.totals[i]
		if tot.statesDisordered {
			t.Threads[i].States.Sort()
		}
		if tot.eventsDisordered {
			t.Threads[i].Events.Sort()
		}
		return nil
	})
}

// unpackSegments unpacks and releases one segment after the other.
func (a *assembly) unpackSegments(ctx context.Context, t *model.Trace) error {
	unpackers := make([]unpacker, a.workers)
	return parallel.Each(ctx, len(a.segs), a.workers, func(worker, i int) error {
		s := a.segs[i]
		a.segs[i] = nil
		data, err := s.load(a.spilled)
		if err != nil {
			return err
		}
		unpackers[worker].unpack(t, s, data)
		s.release()
		a.stored(s.unpacked())
		return nil
	})
}

// stored counts bytes of columns and trims now and then.
func (a *assembly) stored(n int64) {
	if after := a.filled.Add(n); a.trim != nil && after/model.TrimStep > (after-n)/model.TrimStep {
		a.trim()
	}
}

// plan is the layout of the columns, based on the segments.
type plan struct {
	sizes  index.Sizes
	totals []total // by thread
}

// total is the sum over all segments for a thread.
type total struct {
	states, pairs, large               int
	last                               [2]int64 // as in segmentShare
	seen                               bool
	stateCPU, eventCPU                 bool // the column is needed
	statesDisordered, eventsDisordered bool
}

// fits rejects a trace that is too large: orders count rows with 32 bits.
func (p *plan) fits() error {
	if p.sizes.Comms > math.MaxInt32 {
		return fmt.Errorf("%d communications: pview holds at most %d", p.sizes.Comms, math.MaxInt32)
	}
	for i := range p.totals {
		if tot := &p.totals[i]; tot.statesDisordered && tot.states > math.MaxInt32 || tot.eventsDisordered &&
			tot.pairs > math.MaxInt32 {
			return fmt.Errorf("more than %d records of one thread are not in time order: pview cannot sort them",
				math.MaxInt32)
		} else if tot.large > model.Escape {
			return fmt.Errorf("more than %d event values of one thread have more than 31 bits: pview cannot hold them",
				model.Escape)
		}
	}
	return nil
}

// planOf counts the records and assigns each segment the position of its records in the
// columns of a thread.
func planOf(t *model.Trace, segs []*segment) plan {
	p := plan{totals: make([]total, len(t.Threads)), sizes: index.Sizes{Threads: len(t.Threads)}}
	commCPU := false
	comms, lines := 0, uint32(0)
	for _, s := range segs {
		s.commBase, s.lineBase = comms, lines
		comms += s.comms
		lines += s.eventLines
		for i := range s.threads {
			sh := &s.threads[i]
			tot := &p.totals[sh.thread]
			if !tot.seen {
				tot.seen = true
				t.Threads[sh.thread].CPU = sh.cpu
			}
			moved := sh.cpu != t.Threads[sh.thread].CPU
			commCPU = commCPU || sh.commCPUVaries || moved && s.comms > 0
			tot.add(sh, moved)
		}
	}
	p.sizes.Comms, p.sizes.CommCPU = int64(comms), commCPU
	for i := range p.totals {
		tot := &p.totals[i]
		p.sizes.States += int64(tot.states)
		p.sizes.Events += int64(tot.pairs)
		p.sizes.Large += int64(tot.large)
		p.sizes.StateCPU = p.sizes.StateCPU || tot.stateCPU
		p.sizes.EventCPU = p.sizes.EventCPU || tot.eventCPU
		p.sizes.StateOrder = p.sizes.StateOrder || tot.statesDisordered
	}
	return p
}

// add adds the share of the next segment; moved: it begins on another CPU than the thread's first record.
func (tot *total) add(sh *segmentShare, moved bool) {
	tot.stateCPU = tot.stateCPU || sh.stateCPUVaries || moved && sh.states > 0
	tot.eventCPU = tot.eventCPU || sh.eventCPUVaries || moved && sh.pairs > 0
	sh.stateBase, sh.pairBase, sh.largeBase = tot.states, tot.pairs, tot.large
	if sh.states > 0 {
		if sh.disordered[stateKind&1] || tot.states > 0 && sh.first[stateKind&1] < tot.last[stateKind&1] {
			tot.statesDisordered = true
		}
		tot.last[stateKind&1] = sh.last[stateKind&1]
	}
	if sh.pairs > 0 {
		if sh.disordered[eventKind&1] || tot.pairs > 0 && sh.first[eventKind&1] < tot.last[eventKind&1] {
			tot.eventsDisordered = true
		}
		tot.last[eventKind&1] = sh.last[eventKind&1]
	}
	tot.states += sh.states
	tot.pairs += sh.pairs
	tot.large += sh.large
}

// has returns the thread's optional columns.
func (tot *total) has() (h index.ThreadHas) {
	if tot.stateCPU {
		h |= index.HasStateCPU
	}
	if tot.eventCPU {
		h |= index.HasEventCPU
	}
	if tot.statesDisordered {
		h |= index.HasStateOrder
	}
	return h
}

// addOptional makes the columns that only few threads have.
func (tot *total) addOptional(th *model.Thread) {
	if tot.stateCPU && tot.states > 0 {
		th.States.CPU = make([]int32, tot.states)
	}
	if tot.statesDisordered {
		th.States.FileOrder = make([]int32, tot.states)
	}
	if tot.eventCPU && tot.pairs > 0 {
		th.Events.CPU = make([]int32, tot.pairs)
	}
	th.Events.Value.GrowLarge(tot.large)
}

// allocate gives the threads their parts of the columns.
func allocate(t *model.Trace, c *index.Columns, p *plan, inBlocks bool) {
	var at index.Rows
	words := 0
	for i := range p.totals {
		words += (p.totals[i].pairs + 63) / 64
	}
	lines := make(model.Bits, words)
	for i := range p.totals {
		tot := &p.totals[i]
		if inBlocks {
			tot.addOptional(&t.Threads[i])
		} else {
			index.Carve(t, c, i, &at, index.Rows{States: int64(tot.states), Events: int64(tot.pairs),
				Large: int64(tot.large)}, tot.has())
		}
		if n := (tot.pairs + 63) / 64; n > 0 {
			t.Threads[i].Events.Lines, lines = lines[:n:n], lines[n:]
		}
	}
	t.Comms = c.Comms
}

// unpacker stores segments in the columns; it has memory for the rows of a share.
type unpacker struct{ rows grouped }

// unpack stores the rows of a segment, which are in data, in the columns of t.
func (u *unpacker) unpack(t *model.Trace, s *segment, data []byte) {
	v := s.sizes.view(data)
	for _, slot := range s.byThread {
		u.share(t, &v, &s.threads[slot])
	}
	u.comms(t, s, &v)
	s.unpackWide(t, &v)
}

// share stores the rows of one thread.
func (u *unpacker) share(t *model.Trace, v *view, sh *segmentShare) {
	th := &t.Threads[sh.thread]
	if !sh.stored {
		u.rows.fit(sh.states, sh.pairs)
		v.unpackRows(sh, &u.rows)
		v.put(sh, u.rows, &th.States, &th.Events)
	}
	storeCPUs(th, v, sh)
}

// storeCPUs stores the CPUs of the rows of a share, if there are columns for them.
func storeCPUs(th *model.Thread, v *view, sh *segmentShare) {
	if th.States.CPU == nil && th.Events.CPU == nil {
		return
	}
	for r := range v.runs(sh) {
		if th.States.CPU != nil {
			index.Fill(th.States.CPU[sh.stateBase:][r.state:r.stateEnd], r.cpu)
		}
		if th.Events.CPU != nil {
			index.Fill(th.Events.CPU[sh.pairBase:][r.event:r.eventEnd], r.cpu)
		}
	}
}

// put stores the rows of a share.
func (v *view) put(sh *segmentShare, rows grouped, s *model.States, e *model.Events) {
	for r := range v.runs(sh) {
		putStates(s, sh.stateBase+r.state, rows.states[r.state:r.stateEnd], r.base)
		putEvents(e, sh.pairBase+r.event, rows.events[r.event:r.eventEnd], r.base)
	}
}

// unpackWide stores the numbers that do not fit their rows; the rows must already be stored.
func (s *segment) unpackWide(t *model.Trace, v *view) {
	for _, w := range v.ends {
		if sh := &s.threads[w.slot]; !sh.stored {
			t.Threads[sh.thread].States.End[sh.stateBase+int(w.row)] = w.value
		}
	}
	for _, w := range v.values {
		if sh := &s.threads[w.slot]; !sh.stored {
			sh.putLarge(w, &t.Threads[sh.thread].Events.Value)
		}
	}
}

// putLarge stores the next large value of the share.
func (sh *segmentShare) putLarge(w wide, to *model.Values) {
	to.PutLarge(sh.pairBase+int(w.row), sh.largeBase, w.value)
	sh.largeBase++
}

// comms stores the communications.
func (u *unpacker) comms(t *model.Trace, s *segment, v *view) {
	switch {
	case s.comms == 0:
		return
	case s.commsStored:
		s.putCommCPUs(t, v.wideComms)
		return
	}
	u.rows.comms = slices.Grow(u.rows.comms[:0], s.comms)[:s.comms]
	unpackComms(v.packed, u.rows.comms)
	s.putComms(&t.Comms, u.rows.comms, v.wideComms)
}

// putStates stores states, with times relative to base, from row at on.
func putStates(c *model.States, at int, rows []stateRow, base int64) {
	n := len(rows)
	if n == 0 {
		return
	}
	begin, end, value := c.Begin[at:][:n], c.End[at:][:n], c.Value[at:][:n]
	for i := range rows {
		row := &rows[i]
		b := base + int64(row.begin)
		begin[i], end[i], value[i] = b, b+int64(row.length), row.value
	}
}

// putEvents stores events, with times relative to base, from row at on.
func putEvents(c *model.Events, at int, rows []eventRow, base int64) {
	n := len(rows)
	if n == 0 {
		return
	}
	time, typ, value := c.Time[at:][:n], c.Type[at:][:n], c.Value.Small[at:][:n]
	// The first and the last word may be shared with other segments.
	word, starts := at>>6, uint64(0)
	for i := range rows {
		row := &rows[i]
		time[i], typ[i], value[i] = base+int64(row.time&^lineStart), row.typ, row.value
		bit := uint(at + i)
		starts |= uint64(row.time>>31) << (bit & 63)
		if bit&63 == 63 {
			if word == at>>6 {
				atomic.OrUint64(&c.Lines[word], starts)
			} else {
				c.Lines[word] = starts
			}
			word, starts = word+1, 0
		}
	}
	if starts != 0 {
		atomic.OrUint64(&c.Lines[word], starts)
	}
}

// putComms stores the communications; wide has those that do not fit their rows.
func (s *segment) putComms(c *model.Comms, rows []commRow, wide []wideComm) {
	send := int64(0)
	for k := range rows {
		row, i := &rows[k], s.commBase+k
		from, to := &s.threads[row.from], &s.threads[row.to]
		var m model.Comm
		m, send = row.comm(send)
		m.Send, m.Recv, m.SendCPU, m.RecvCPU = from.thread, to.thread, from.cpu, to.cpu
		if len(wide) > 0 && wide[0].row == int64(k) {
			m, wide = wide[0].Comm, wide[1:]
			send = m.Times[model.LogicalSend]
		}
		putComm(c, i, &m, s.lineBase+row.eventLines)
		if c.SendCPU != nil {
			c.SendCPU[i], c.RecvCPU[i] = m.SendCPU, m.RecvCPU
		}
	}
}

// comm returns a communication without its CPUs, and its logical send, given that of the previous communication.
func (row *commRow) comm(send int64) (model.Comm, int64) {
	send += int64(row.times[model.LogicalSend])
	return model.Comm{Send: int32(row.from), Recv: int32(row.to), Size: int64(row.size), Tag: int64(row.tag),
		Times: [4]int64{send, send + int64(row.times[model.PhysicalSend]), send + int64(row.times[model.LogicalRecv]),
			send + int64(row.times[model.PhysicalRecv])}}, send
}

// putComm stores communication i without its CPUs.
func putComm(c *model.Comms, i int, m *model.Comm, eventLines uint32) {
	c.Send[i], c.Recv[i], c.Size[i], c.Tag[i] = m.Send, m.Recv, m.Size, m.Tag
	for r := range c.Times {
		c.Times[r][i] = m.Times[r]
	}
	if c.EventLines != nil {
		c.EventLines[i] = eventLines
	}
}

// putCommCPUs stores the CPUs of communications that were stored without them.
func (s *segment) putCommCPUs(t *model.Trace, wide []wideComm) {
	c := &t.Comms
	if c.SendCPU == nil {
		return
	}
	first := make(map[int32]int32, len(s.threads))
	for i := range s.threads {
		first[s.threads[i].thread] = s.threads[i].cpu
	}
	for i := s.commBase; i < s.commBase+s.comms; i++ {
		c.SendCPU[i], c.RecvCPU[i] = first[c.Send[i]], first[c.Recv[i]]
	}
	for _, w := range wide {
		i := s.commBase + int(w.row)
		c.SendCPU[i], c.RecvCPU[i] = w.SendCPU, w.RecvCPU
	}
}
