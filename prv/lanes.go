package prv

// Lanes: how the rows of wide traces wait for their columns.
//
// A chunk of a trace with thousands of threads has few records of each: to group them by thread, and to keep what a segment
// keeps of each thread, costs more than the records. So a wide file is divided into a few ranges, a segment is made of each, and
// while a range is read, its records are appended to lanes in the order in which they stand in the file:
//
//	range 0 --> lane of threads 0 to 255: record | record | ...; lane of threads 256 to 511: record | ... --.
//	range 1 --> lane of threads 0 to 255: record | record | ...; lane of threads 256 to 511: record | ... ---+--> columns
//
// The ends of all lanes fit the cache of a core. When a lane is distributed to the columns of its threads, range after
// range, the ends of these do, too.
//
// A record is a few numbers of 32 bits: what it is; its time, low half first; then length and value of a state, or
// type and value of each event.

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"
	"unsafe"

	"pview/prv/parallel"
)

// laneThreads is the number of threads of a lane.
const laneThreads = 256

// The first number of a record: the thread in the lane, the kind, and the number of events.
const (
	isEvent     = 1 << 8
	firstOfLine = 1 << 9
	eventsShift = 10
	mostEvents  = 1000 // of a record: longer lines take several
)

// Numbers of a record before its events, and of a state.
const recordHead, stateRecord = 3, 5

// laneBlock is how many numbers are allocated for a lane at a time, slabBlocks how many blocks for all lanes.
const laneBlock, slabBlocks = 32 << 10, 32

// lanes are the rows of a segment.
type lanes struct {
	list  []lane
	slabs []packed
	free  []uint32 // of the last slab
	view  view     // all but rows

	comms int // that are packed
	packs []commPack
	rows  []commRow // to be packed
	send  uint32    // logical send of the last communication
}

// lane are the records of some threads: full blocks, and the one that is being filled.
type lane struct {
	last []uint32
	full [][]uint32
}

// commPack are some packed communications.
type commPack struct {
	rows int
	data []byte
}

// packedComms is how many communications are packed at a time.
const packedComms = 1024

func newLanes(threads int) *lanes {
	return &lanes{list: make([]lane, (threads+laneThreads-1)/laneThreads)}
}

// room returns room for a record of n numbers of a thread.
func (l *lanes) room(thread int32, n int) []uint32 {
	ln := &l.list[uint32(thread)/laneThreads]
	at := len(ln.last)
	if at+n > cap(ln.last) {
		l.addBlock(ln)
		at = 0
	}
	ln.last = ln.last[:at+n]
	return ln.last[at:]
}

// addBlock adds an empty block to a lane.
func (l *lanes) addBlock(ln *lane) {
	if len(l.free) == 0 {
		slab := newPacked(4 * slabBlocks * laneBlock)
		l.slabs = append(l.slabs, slab)
		l.free, _ = rowsIn[uint32](slab.bytes, slabBlocks*laneBlock)
	}
	if ln.last != nil {
		ln.full = append(ln.full, ln.last)
	}
	ln.last, l.free = l.free[:0:laneBlock], l.free[laneBlock:]
}

// state adds a state.
func (l *lanes) state(thread int32, begin int64, length, value uint32) {
	*(*[stateRecord]uint32)(l.room(thread, stateRecord)) = [stateRecord]uint32{uint32(thread) % laneThreads, uint32(begin), uint32(begin >> 32), length, value}
}

// line adds events of one line, at most mostEvents. first is firstOfLine where they are the first.
func (l *lanes) line(thread int32, time int64, pairs []uint32, first uint32) {
	b := l.room(thread, recordHead+len(pairs))
	*(*[recordHead]uint32)(b) = [recordHead]uint32{uint32(thread)%laneThreads | isEvent | first | uint32(len(pairs))/2<<eventsShift, uint32(time), uint32(time >> 32)}
	copy(b[recordHead:], pairs)
}

// longLine adds a line of any length.
func (l *lanes) longLine(thread int32, time int64, pairs []uint32) {
	first := uint32(firstOfLine)
	for part := range slices.Chunk(pairs, 2*mostEvents) {
		l.line(thread, time, part, first)
		first = 0
	}
}

// addComms moves the listed communications to the lanes, and empties the lists.
func (p *packer) addComms() {
	l := p.lanes
	before := len(l.rows)
	l.rows = p.groupComms(l.rows, l.send)
	for i := before; i < len(l.rows); i++ {
		l.send += uint32(l.rows[i].times[LogicalSend])
	}
	l.comms += len(l.rows) - before
	if len(l.rows) >= packedComms {
		p.packComms()
	}
	p.empty()
}

func (p *packer) packComms() {
	l, d := p.lanes, &p.dense
	if len(l.rows) == 0 {
		return
	}
	d.out = d.out[:0]
	d.addComms(l.rows)
	data := make([]byte, len(d.out)+numberBytes) // the last number is read with what follows
	copy(data, d.out)
	l.packs = append(l.packs, commPack{len(l.rows), data})
	l.rows = l.rows[:0]
}

// takeLanes gives the lanes to the segment.
func (p *packer) takeLanes(s *segment, v *view) {
	p.addComms()
	p.packComms()
	l := p.lanes
	l.rows, l.free = nil, nil
	for i := range l.list {
		ln := &l.list[i]
		ln.full, ln.last = append(ln.full, ln.last), nil
	}
	l.view = view{turns: slices.Clone(v.turns), ends: slices.Clone(v.ends), values: slices.Clone(v.values), wideComms: slices.Clone(v.wideComms)}
	s.comms, s.lanes, p.lanes = l.comms, l, nil
}

// release gives the memory of the rows back.
func (l *lanes) release() {
	if l == nil {
		return
	}
	for _, slab := range l.slabs {
		if slab.mapped {
			unmap(slab.bytes)
		}
	}
	l.slabs, l.list, l.packs = nil, nil, nil
}

// inLanes reports whether the rows of the trace wait in lanes: where the file can be read in several places at a time, and
// memory is not short. Records take half as much as their text; numbers that do not fit take more.
func (r *reader) inLanes() bool {
	_, ok := r.src.r.(io.ReaderAt)
	least := r.opt.wide
	if least == 0 {
		least = 2 * wideThreads
	}
	return ok && !r.gz && r.opt.Part == nil && r.src.total > 0 && r.head.NumThreads() >= least && (r.opt.Memory == 0 || r.src.total <= r.opt.Memory/4)
}

// ranges returns where the ranges of a file begin, and where the last one ends.
func (r *reader) ranges() (bounds []int64) {
	from := r.src.done - int64(r.text.Buffered())
	size := max((r.src.total-from)/int64(4*r.opt.Workers), int64(1024*r.head.NumThreads()))
	if r.opt.chunk > 0 {
		size = int64(4 * r.opt.chunk)
	}
	for ; from < r.src.total; from += size {
		bounds = append(bounds, from)
	}
	return append(bounds, max(r.src.total, from-size))
}

// rangeReader reads ranges of a file. Each worker has one.
type rangeReader struct {
	*reader
	parser *chunkParser
	buf    []byte
}

// readRanges reads the records of a wide trace.
func (r *reader) readRanges(ctx context.Context) ([]*segment, error) {
	bounds := r.ranges()
	segs := make([]*segment, len(bounds)-1)
	readers := make([]rangeReader, r.opt.Workers)
	asides := asideBudget{limit: r.opt.asideLimit()}
	var turn sync.Mutex
	r.src.done = bounds[0]
	progress := func(n int) {
		turn.Lock()
		r.src.advance(n)
		turn.Unlock()
	}
	err := parallel.Each(ctx, len(segs), r.opt.Workers, func(worker, i int) error {
		w := &readers[worker]
		if w.parser == nil {
			w.reader, w.parser = r, r.newParser()
		}
		p := w.parser
		if p.asideLimit = asides.limit; asides.spent.Load() {
			p.asideLimit = 0
		}
		p.lanes = newLanes(r.head.NumThreads())
		if err := w.read(ctx, bounds[i], bounds[i+1], i == 0, i == len(segs)-1, progress); err != nil {
			p.lanes.release()
			return err
		}
		s := p.take()
		turn.Lock()
		segs[i] = s
		asides.settle(segs)
		turn.Unlock()
		return nil
	})
	for len(segs) > 1 && segs[len(segs)-1] != nil && segs[len(segs)-1].lines == 0 { // a line was longer than a range
		segs = segs[:len(segs)-1]
	}
	return segs, err
}

// read reads the lines that begin in from..to-1.
func (w *rangeReader) read(ctx context.Context, from, to int64, first, last bool, progress func(int)) error {
	if !first {
		from-- // the line end, if a line begins at from
	}
	text := bufio.NewReaderSize(io.NewSectionReader(w.src.r.(io.ReaderAt), from, math.MaxInt64-from), 64<<10)
	if !first {
		n, err := skipLine(text)
		if from += n; err == io.EOF || from >= to {
			return nil
		} else if err != nil {
			return fileError(w.opt.Name, err)
		}
	}
	c := chunker{reader: w.reader, text: text, left: to - from, size: leastChunk}
	if last {
		c.left = math.MaxInt64
	}
	if w.opt.chunk > 0 {
		c.size = w.opt.chunk
	}
	for {
		chunk, grown, err := c.next(ctx, w.buf)
		if err != nil || len(chunk) == 0 {
			return err
		}
		w.buf = grown
		w.parser.add(chunk)
		progress(len(chunk))
	}
}

// skipLine reads up to the next line, and returns how many bytes.
func skipLine(r *bufio.Reader) (n int64, err error) {
	for {
		b, err := r.ReadSlice('\n')
		n += int64(len(b))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

// laneThread is where the next rows of a thread go.
type laneThread struct {
	state, event int // in the columns of all threads
	firstEvent   int
	lines        Bits
}

// unpackLanes distributes the lanes of all segments to the columns.
func (a *assembly) unpackLanes(ctx context.Context, t *Trace) error {
	unpackers := make([]unpacker, a.workers)
	err := parallel.Each(ctx, len(a.segs), a.workers, func(worker, i int) error {
		unpackers[worker].laneComms(t, a.segs[i])
		a.stored(int64(a.segs[i].comms) * 64)
		return nil
	})
	if err != nil {
		return err
	}
	begins := make([]rows, 0, len(a.plan.totals)/laneThreads+1)
	var at rows
	for i := range a.plan.totals {
		if i%laneThreads == 0 {
			begins = append(begins, at)
		}
		at.states += int64(a.plan.totals[i].states)
		at.events += int64(a.plan.totals[i].pairs)
	}
	err = parallel.Each(ctx, len(begins), a.workers, func(_, i int) error {
		a.unpackLane(t, i, begins[i])
		return nil
	})
	if err != nil {
		return err
	}
	return parallel.Each(ctx, len(a.segs), a.workers, func(_, i int) error {
		s := a.segs[i]
		s.unpackWide(t, &s.lanes.view)
		for k := range s.threads {
			sh := &s.threads[k]
			t.Threads[sh.thread].storeCPUs(&s.lanes.view, sh)
		}
		s.release()
		return nil
	})
}

// unpackLane distributes a lane to the columns, which begin at the given rows, and releases it.
func (a *assembly) unpackLane(t *Trace, number int, at rows) {
	var threads [laneThreads]laneThread
	state, event := int(at.states), int(at.events)
	first := number * laneThreads
	for i := range min(laneThreads, len(t.Threads)-first) {
		threads[i] = laneThread{state, event, event, t.Threads[first+i].Events.Lines}
		tot := &a.plan.totals[first+i]
		state += tot.states
		event += tot.pairs
	}
	for _, s := range a.segs {
		ln := &s.lanes.list[number]
		for _, b := range ln.full {
			a.columns.put(&threads, b)
		}
		ln.release(s.lanes.slabs)
	}
	a.stored(int64(state-int(at.states)+event-int(at.events)) * 20)
}

// put stores the records of a block.
func (c *columns) put(threads *[laneThreads]laneThread, b []uint32) {
	for len(b) >= recordHead {
		what, at := b[0], &threads[b[0]%laneThreads]
		time := int64(b[1]) | int64(b[2])<<32
		if what&isEvent == 0 {
			i := at.state
			at.state++
			c.stateBegin[i], c.stateEnd[i], c.stateValue[i] = time, time+int64(b[3]), b[4]
			b = b[stateRecord:]
			continue
		}
		n := int(what >> eventsShift)
		if what&firstOfLine != 0 {
			at.lines.Set(at.event - at.firstEvent)
		}
		times, types, values := c.eventTime[at.event:][:n], c.eventType[at.event:][:n], c.eventValue[at.event:][:n]
		at.event += n
		pairs := b[recordHead:][:2*n]
		for i := range times {
			times[i], types[i], values[i] = time, pairs[2*i], int64(pairs[2*i+1])
		}
		b = b[recordHead+2*n:]
	}
}

// release gives the memory of the blocks back, which are parts of the slabs.
func (ln *lane) release(slabs []packed) {
	for _, b := range ln.full {
		if b = b[:cap(b)]; len(b) > 0 && slabs[0].mapped {
			releasePages(unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), 4*len(b)))
		}
	}
	ln.full = nil
}

// laneComms stores the communications of a segment.
func (u *unpacker) laneComms(t *Trace, s *segment) {
	send, wide, first := int64(0), s.lanes.view.wideComms, 0
	for _, pack := range s.lanes.packs {
		u.rows.comms = slices.Grow(u.rows.comms[:0], pack.rows)[:pack.rows]
		unpackComms(pack.data, u.rows.comms)
		send, wide = s.putComms(&t.Comms, first, send, u.rows.comms, wide)
		first += pack.rows
	}
	s.lanes.packs = nil
}
