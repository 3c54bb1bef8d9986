package store

// Stripes: how the rows of wide traces wait for their columns.
//
// A chunk of a trace with thousands of threads has few records of each: grouping them by thread, and the state per
// segment and thread, would cost more than the records. So a wide file is divided into a few ranges, each of which
// becomes a segment. While a range is read, its records are appended to stripes in file order:
//
//	range 0 --> stripe of threads 0 to 255: record | record | ...; threads 256 to 511: record | ... --.
//	range 1 --> stripe of threads 0 to 255: record | record | ...; threads 256 to 511: record | ... ---+--> columns
//
// The ends of all stripes fit the cache of a core. So do the ends of the columns of a stripe's threads, when the stripe
// is distributed to them, range after range.
//
// A record is a few 32-bit numbers: a head; its time, low half first; then, for a state, the low half of the end and
// the value, or, for each event, type and value.

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"
	"unsafe"

	"pview/prv/model"
	"pview/prv/parallel"
)

// wideThreads is the minimum number of threads of a wide trace.
const wideThreads = 1024

// stripeThreads is the number of threads of a stripe.
const stripeThreads = 256

// The first number of a record: the thread in the stripe, the kind, and the number of events.
const (
	isEvent     = 1 << 8
	firstOfLine = 1 << 9
	eventsShift = 10
	mostEvents  = 1000 // per record: longer lines take several
)

// Numbers of a record before its events, and of a state.
const recordHead, stateRecord = 3, 5

// usualPairs is the number of event numbers that are copied at a time, and roomLeast the room of a record with them.
const usualPairs, roomLeast = 16, recordHead + 16

// stripes are the rows of a segment.
type stripes struct {
	list   []stripe
	blocks *blocks
	view   view // all except rows

	// Communications are kept in file order; their ends are threads, not slots.
	comms int
	rows  [][]commRow
	send  uint32 // low half of the last one's logical send
}

// stripe holds the records of some threads: full blocks, and the block being filled.
type stripe struct {
	last block
	full []block
}

func newStripes(threads int, blocks *blocks) *stripes {
	return &stripes{list: make([]stripe, (threads+stripeThreads-1)/stripeThreads), blocks: blocks}
}

// room returns room for a record of n numbers of a thread, and some more.
func (l *stripes) room(thread int32, n int) *[roomLeast]uint32 {
	ln := &l.list[uint32(thread)/stripeThreads]
	at := len(ln.last)
	if at+max(n, roomLeast) > cap(ln.last) {
		l.addBlock(ln)
		at = 0
	}
	ln.last = ln.last[:at+n]
	return (*[roomLeast]uint32)(ln.last[at : at+roomLeast])
}

// addBlock adds an empty block to a stripe.
func (l *stripes) addBlock(ln *stripe) {
	if ln.last != nil {
		ln.full = append(ln.full, ln.last)
	}
	ln.last = l.blocks.get()[:0]
}

// state adds a state.
func (l *stripes) state(thread int32, begin, end int64, value uint32) {
	// The numbers are stored one by one: an array would be built elsewhere and copied, which stalls until its stores
	// have completed.
	b := l.room(thread, stateRecord)
	b[0], b[1], b[2], b[3], b[4] = uint32(thread)%stripeThreads, uint32(begin), uint32(begin>>32), uint32(end), value
}

// comm adds a communication; n has the low halves of its numbers.
func (l *stripes) comm(from, to int32, n *[10]uint32, eventLines uint32) {
	last := len(l.rows) - 1
	if last < 0 || len(l.rows[last]) == cap(l.rows[last]) {
		l.rows = append(l.rows, commRowsIn(l.blocks.get()))
		last++
	}
	l.rows[last] = append(l.rows[last], newCommRow(uint32(from), uint32(to), n, l.send, eventLines))
	l.send = n[0]
	l.comms++
}

// listStripes adds the lines of a block to the stripes, and reports whether most of them were not plain; nums has the
// low halves of the numbers. A state's end and value are stored like an event's type and value: the kind of a line is
// unpredictable, so few branches should depend on it.
func (p *chunkParser) listStripes(b []byte, nums []uint32) (odd bool) {
	f, l, seq := &p.fields, p.stripes, p.seq
	numbers, current, threads := f.numbers, p.current, p.lineThreads(f)
	before, first, left, lastTime := p.seg.lines, 0, p.left, p.seg.lastTime
	p.fetch(threads[:min(fetchLines, len(threads))])
	for k, behind := range f.lines {
		if k%fetchLines == 0 {
			p.fetch(threads[min(k+fetchLines, len(threads)):min(k+2*fetchLines, len(threads))])
		}
		i, n := first, int(behind)-first
		first = int(behind)
		v := (*[commFields]uint64)(numbers[i:])
		kind, time, thread := v[0], v[timeField], threads[k]
		if thread < 0 || kind > commKind || n > maxPlain || plainShapes[kind][n] == 0 ||
			f.bigFrom(i+timeField)&plainShapes[kind][n] != 0 {
			p.leaveLine(b, before+int64(k)+1, f.ends[i])
			continue
		}
		if kind == commKind {
			if !p.listComm(v, thread, len(p.nums)-len(nums)+i+timeField) {
				p.leaveLine(b, before+int64(k)+1, f.ends[i])
			}
			continue
		}
		c, length := &current[thread], (v[endField]-time)&stateMask[kind]
		if uint64(c.cpu) != v[cpuField]+1 || time&notRead|length>>32 != 0 {
			p.leaveLine(b, before+int64(k)+1, f.ends[i])
			continue
		}
		if c.seq != seq {
			p.open(thread, int64(time))
		}
		pairs := nums[i+endField:][: n-endField : n-endField+usualPairs]
		size := recordHead + len(pairs)
		ln := &l.list[uint32(thread)/stripeThreads]
		at := len(ln.last)
		if at+max(size, roomLeast) > cap(ln.last) {
			l.addBlock(ln)
			at = 0
		}
		ln.last = ln.last[:at+size]
		r := (*[roomLeast]uint32)(ln.last[at : at+roomLeast])
		r[0] = uint32(thread)%stripeThreads | firstOfLine | uint32(kind-stateKind)*isEvent | uint32(
			len(pairs))/2<<eventsShift
		r[1], r[2] = uint32(time), uint32(time>>32)
		copyPairs((*[usualPairs]uint32)(r[recordHead:]), (*[usualPairs]uint32)(pairs[:usualPairs]))
		if len(pairs) > usualPairs {
			copy(ln.last[at+recordHead:], pairs)
		}
		p.eventLines += uint32(kind) - stateKind
		if c.follow(int(kind), int64(time)) {
			p.remark(thread, int(kind), int64(time))
		}
		c.rows[kind&1] += uint32(len(pairs)) >> 1
		lastTime = max(lastTime, int64(time+length))
	}
	p.seg.lines = before + int64(len(f.lines))
	p.seg.lastTime = max(p.seg.lastTime, lastTime)
	return p.left-left > len(f.lines)/2
}

// copyPairs copies numbers. An assignment would call memmove, since the arrays might overlap.
func copyPairs(to, from *[usualPairs]uint32) {
	a, b := (*[usualPairs / 2]uint64)(unsafe.Pointer(to)), (*[usualPairs / 2]uint64)(unsafe.Pointer(from))
	a[0], a[1], a[2], a[3] = b[0], b[1], b[2], b[3]
	a[4], a[5], a[6], a[7] = b[4], b[5], b[6], b[7]
}

// leaveLine leaves a line to the line parser; the line begins after the given end of a field.
func (p *chunkParser) leaveLine(b []byte, number int64, behind uint32) {
	p.left++
	p.seg.lines = number
	p.line(b, int(behind+1))
}

// fetchLines is the number of lines whose threads' state listStripes prefetches at a time, if the cache cannot hold the
// state of all threads.
const fetchLines = 64

// lineThreads returns the threads of the lines of a block; -1 if a line is not plain.
func (p *chunkParser) lineThreads(f *fields) []int32 {
	p.threads = slices.Grow(p.threads[:0], len(f.lines))[:len(f.lines)]
	first := 0
	for k, behind := range f.lines {
		v := (*[threadField + 1]uint64)(f.numbers[first:])
		thread := p.known(v[ptaskField], v[taskField], v[threadField])
		if f.ends[first+1]-f.ends[first] != 2 { // the kind does not have one digit
			thread = -1
		}
		p.threads[k] = thread
		first = int(behind)
	}
	for k, odds := 0, f.odd; len(odds) > 0; odds = odds[1:] {
		for f.ends[f.lines[k]] < odds[0] {
			k++
		}
		p.threads[k] = -1
	}
	return p.threads
}

// line adds the events of a line, at most mostEvents. The flags are for its head. It may read numbers after the events,
// and store them where the next record goes.
func (l *stripes) line(thread int32, time int64, pairs []uint32, flags uint32) {
	n := recordHead + len(pairs)
	b := l.room(thread, n)
	b[0], b[1], b[2] = uint32(thread)%stripeThreads|flags|uint32(len(pairs))/2<<eventsShift, uint32(time),
		uint32(time>>32)
	if len(pairs) <= usualPairs && cap(pairs) >= usualPairs {
		*(*[usualPairs]uint32)(b[recordHead:]) = *(*[usualPairs]uint32)(pairs[:usualPairs])
		return
	}
	copy(unsafe.Slice(&b[0], n)[recordHead:], pairs)
}

// longLine adds a line of any length.
func (l *stripes) longLine(thread int32, time int64, pairs []uint32) {
	flags := uint32(isEvent | firstOfLine)
	for part := range slices.Chunk(pairs, 2*mostEvents) {
		l.line(thread, time, part, flags)
		flags = isEvent
	}
}

// takeStripes moves the stripes to the segment.
func (p *packer) takeStripes(s *segment, v *view) {
	l := p.stripes
	for i := range l.list {
		ln := &l.list[i]
		if ln.last != nil {
			ln.full, ln.last = append(ln.full, ln.last), nil
		}
	}
	l.view = view{turns: slices.Clone(v.turns), ends: slices.Clone(v.ends), values: slices.Clone(v.values),
		wideComms: slices.Clone(v.wideComms)}
	s.comms, s.stripes, p.stripes = l.comms, l, nil
}

// inStripes reports whether the trace's rows wait in stripes: if several places of the file can be read at the same
// time, and memory is not short. Records take half the size of their text; numbers that do not fit take more.
func (r *Reader) inStripes() bool {
	_, ok := r.Src.r.(io.ReaderAt)
	least := r.Options.wide
	if least == 0 {
		least = wideThreads
	}
	return ok && !r.Gzip && r.Options.Part == nil && r.Src.total > 0 && r.Head.NumThreads() >= least &&
		(r.Options.Memory == 0 || r.Src.total <= r.Options.Memory/4)
}

// ranges returns the starts of the ranges of a file, and the end of the last one.
func (r *Reader) ranges() (bounds []int64) {
	from := r.Src.Done - int64(r.Text.Buffered())
	size := max((r.Src.total-from)/int64(4*r.Options.Workers), int64(1024*r.Head.NumThreads()))
	if r.Options.Chunk > 0 {
		size = int64(4 * r.Options.Chunk)
	}
	for ; from < r.Src.total; from += size {
		bounds = append(bounds, from)
	}
	return append(bounds, max(r.Src.total, from-size))
}

// rangeChunk is the amount of a range's text that is read at a time: it leaves most of a core's cache to the threads'
// state.
const rangeChunk = 128 << 10

// rangeReader reads ranges of a file. Each worker has one.
type rangeReader struct {
	*Reader
	parser *chunkParser
	buf    []byte
}

// readRanges reads the records of a wide trace.
func (r *Reader) readRanges(ctx context.Context) ([]*segment, error) {
	bounds := r.ranges()
	segs := make([]*segment, len(bounds)-1)
	readers := make([]rangeReader, r.Options.Workers)
	asides, pool := asideBudget{limit: r.Options.AsideLimit()}, &blocks{}
	var turn sync.Mutex
	r.Src.Done = bounds[0]
	progress := func(n int) {
		turn.Lock()
		r.Src.advance(n)
		turn.Unlock()
	}
	err := parallel.Each(ctx, len(segs), r.Options.Workers, func(worker, i int) error {
		w := &readers[worker]
		if w.parser == nil {
			w.Reader, w.parser = r, r.newParser()
		}
		p := w.parser
		turn.Lock()
		p.asideLimit = asides.limitOf(segs, i)
		turn.Unlock()
		p.stripes = newStripes(r.Head.NumThreads(), pool)
		if err := w.read(ctx, bounds[i], bounds[i+1], i == 0, i == len(segs)-1, progress); err != nil {
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
		from-- // to read the line end, if a line begins at from
	}
	text := bufio.NewReaderSize(io.NewSectionReader(w.Src.r.(io.ReaderAt), from, math.MaxInt64-from), 64<<10)
	if !first {
		n, err := skipLine(text)
		if from += n; err == io.EOF || from >= to {
			return nil
		} else if err != nil {
			return model.AsFileError(w.Options.Name, err)
		}
	}
	c := Chunker{Reader: w.Reader, text: text, left: to - from, size: rangeChunk}
	if last {
		c.left = math.MaxInt64
	}
	if w.Options.Chunk > 0 {
		c.size = w.Options.Chunk
	}
	for {
		chunk, grown, err := c.Next(ctx, w.buf)
		if err != nil || len(chunk) == 0 {
			return err
		}
		w.buf = grown
		w.parser.add(chunk)
		progress(len(chunk))
	}
}

// skipLine reads up to the next line and returns the number of bytes.
func skipLine(r *bufio.Reader) (n int64, err error) {
	for {
		b, err := r.ReadSlice('\n')
		n += int64(len(b))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

// stripeColumns has the places of the next rows of a stripe's threads. Pointers instead of slices keep it small: it
// should stay in the cache together with the ends of the columns.
type stripeColumns struct {
	events [stripeThreads]stripeEvents
	states [stripeThreads]stripeStates
}

// stripeEvents are the columns of the events of a thread, and the number of filled rows.
type stripeEvents struct {
	time       *int64
	typ, value *uint32
	lines      *uint64
	next, rows int
}

// stripeStates are the columns of the states of a thread, and the number of filled rows.
type stripeStates struct {
	begin, end *int64
	value      *uint32
	next, rows int
}

// set starts at the first rows of thread i of the stripe.
func (c *stripeColumns) set(i int, th *model.Thread) {
	s, e := &th.States, &th.Events
	c.states[i] = stripeStates{unsafe.SliceData(s.Begin), unsafe.SliceData(s.End), unsafe.SliceData(s.Value), 0,
		len(s.Begin)}
	c.events[i] = stripeEvents{unsafe.SliceData(e.Time), unsafe.SliceData(e.Type),
		unsafe.SliceData(e.Value.Small), unsafe.SliceData(e.Lines), 0, len(e.Time)}
}

// unpackStripes distributes the stripes of all segments to the columns.
func (a *assembly) unpackStripes(ctx context.Context, t *model.Trace) error {
	err := parallel.Each(ctx, len(a.segs), a.workers, func(_, i int) error {
		a.stripeComms(t, a.segs[i])
		a.stored(int64(a.segs[i].comms) * 64)
		return nil
	})
	if err != nil {
		return err
	}
	rooms := make([]columnRoom, a.workers)
	err = parallel.Each(ctx, (len(t.Threads)+stripeThreads-1)/stripeThreads, a.workers, func(worker, i int) error {
		rooms[worker].blocks = a.segs[0].stripes.blocks
		a.unpackStripe(t, i, &rooms[worker])
		return nil
	})
	if err != nil {
		return err
	}
	a.segs[0].stripes.blocks.releasePages()
	return parallel.Each(ctx, len(a.segs), a.workers, func(_, i int) error {
		s := a.segs[i]
		s.unpackWide(t, &s.stripes.view)
		for k := range s.threads {
			sh := &s.threads[k]
			storeCPUs(&t.Threads[sh.thread], &s.stripes.view, sh)
		}
		s.release()
		return nil
	})
}

// unpackStripe distributes a stripe to the columns and releases it.
func (a *assembly) unpackStripe(t *model.Trace, number int, room *columnRoom) {
	var columns stripeColumns
	first, n := number*stripeThreads, int64(0)
	for i := range min(stripeThreads, len(t.Threads)-first) {
		th, tot := &t.Threads[first+i], &a.plan.totals[first+i]
		if a.inBlocks {
			th.States.Begin, th.States.End, th.States.Value = columnIn[int64](room, tot.states),
				columnIn[int64](room, tot.states), columnIn[uint32](room, tot.states)
			th.Events.Time, th.Events.Value.Small, th.Events.Type = columnIn[int64](room, tot.pairs),
				columnIn[uint32](room, tot.pairs), columnIn[uint32](room, tot.pairs)
		}
		columns.set(i, th)
		n += int64(tot.states + tot.pairs)
	}
	for _, s := range a.segs {
		ln := &s.stripes.list[number]
		for _, b := range ln.full {
			columns.put(b)
		}
		for _, b := range ln.full {
			a.reuse(b[:cap(b)], room.blocks)
		}
		ln.full = nil
	}
	a.stored(n * 20)
}

// put stores the records in a block of numbers.
func (c *stripeColumns) put(b []uint32) {
	for len(b) >= recordHead {
		what, thread := b[0], b[0]%stripeThreads
		time := int64(b[1]) | int64(b[2])<<32
		if what&isEvent == 0 {
			at := &c.states[thread]
			i := at.next
			at.next++
			begin, end, value := unsafe.Slice(at.begin, at.rows), unsafe.Slice(at.end, at.rows),
				unsafe.Slice(at.value, at.rows)
			begin[i], end[i], value[i] = time, time+int64(b[3]-b[1]), b[4]
			b = b[stateRecord:]
			continue
		}
		at, n := &c.events[thread], int(what>>eventsShift)
		i := at.next
		if what&firstOfLine != 0 {
			model.Bits(unsafe.Slice(at.lines, (at.rows+63)/64)).Set(i)
		}
		times, types, values := unsafe.Slice(at.time, at.rows)[i:][:n], unsafe.Slice(at.typ, at.rows)[i:][:n],
			unsafe.Slice(at.value, at.rows)[i:][:n]
		at.next += n
		pairs := b[recordHead:][:2*n]
		for i := range times {
			times[i], types[i], values[i] = time, pairs[2*i], pairs[2*i+1]
		}
		b = b[recordHead+2*n:]
	}
}

// reuse frees a block for the next columns, or, if columns are not in blocks, for the system.
func (a *assembly) reuse(b block, free *blocks) {
	if !a.inBlocks {
		b.releasePages()
		return
	}
	free.put(b)
}

// stripeComms stores the communications of a segment and frees their rows.
func (a *assembly) stripeComms(t *model.Trace, s *segment) {
	l, i, send := s.stripes, s.commBase, int64(0)
	wide := l.view.wideComms
	for _, rows := range l.rows {
		for k := range rows {
			var m model.Comm
			m, send = rows[k].comm(send)
			if len(wide) > 0 && wide[0].row == int64(i-s.commBase) {
				m, wide = wide[0].Comm, wide[1:]
				send = m.Times[model.LogicalSend]
			}
			putComm(&t.Comms, i, &m, s.lineBase+rows[k].eventLines)
			i++
		}
		a.reuse(blockOf(rows), l.blocks)
	}
	l.rows = nil
	s.putCommCPUs(t, l.view.wideComms)
}
