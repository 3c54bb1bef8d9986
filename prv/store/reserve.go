package store

// Columns that are reserved before the text is read.
//
// The rows of segments wait until the lengths of the columns are known (segment.go), and waiting costs memory: fresh
// pages, which the system clears one by one, are a fifth of the reading time. If the text is a plain file, samples give
// the approximate lengths of each thread's columns. So columns are reserved with room to spare (untouched memory costs
// nothing), and a segment is unpacked into them while its rows are still in the core's cache:
//
//	text chunk 0 --> list of records --> rows, reused --> columns, from 0 on
//	text chunk 1 --> list of records --> rows, reused --> columns, behind the rows of segment 0
//
// For this, a segment needs the number of records of each thread before it, so segments take their places in turn.
// Shares that do not fit stay in the segment as rows, and the columns of their threads are rebuilt with the exact
// length. The same holds for a segment's communications; their CPUs, which are rarely needed, are entered later.
//
// A compressed text cannot be sampled. Its sample is the first sixteenth of the file, whose rows wait in segments;
// columns are reserved for the rest.

import (
	"bytes"
	"io"
	"math"
	"pview/prv/index"
	"pview/prv/model"
	"sync"
)

// Size of a sample, as a fraction of a chunk, and of all samples, as a fraction of the text.
const (
	samplePart  = 128 // a sample is this much smaller than a chunk,
	sampledPart = 32  // and all of them together this much smaller than the text
	samplesMost = 512

	zippedRatio = 16        // of a text to its compressed file, with a margin
	zippedPart  = 16        // fraction of a compressed file that is the sample, at its start,
	zippedLeast = 512 << 10 // but at least this many bytes: some are read ahead
)

// Room beyond the sample's estimate: a sixth because records come in bursts, or half if the sample is the start of the
// file.
const (
	sampledRoom = 1.17
	zippedRoom  = 1.5
)

// reserved are the reserved columns.
type reserved struct {
	threads []reservedThread
	comms   reservedComms

	mu      sync.Mutex
	changed *sync.Cond
	turn    int  // the segment whose turn it is to take its places
	broken  bool // some segment will never take its places

	// zipped is the reader of a compressed text whose columns are not made yet; read is the number of bytes of the file
	// up to the end of the segments so far.
	zipped *Reader
	read   int64
}

// reservedThread are the reserved columns of one thread.
type reservedThread struct {
	model.States
	model.Events
	next   [2]int // place of the next row: by kind & 1, as in current
	stored [2]int // rows that are, or will be, stored
	large  int    // values of Events.Value.Large up to the next row
}

// reservedComms are the reserved columns of the communications, without CPUs.
type reservedComms struct {
	model.Comms
	next   int    // place of the next communication
	stored int    // communications that are, or will be, stored
	lines  uint32 // of events before the next one
}

// reserve makes columns for the text that follows, or prepares to make them when enough of it is known; nil if that
// would not help.
func (r *Reader) reserve() *reserved {
	st := r.Options.Storage
	threads := r.Head.NumThreads()
	if r.inStripes() || r.Options.Part != nil || len(st.Places) > 0 && index.Supported || threads >= wideThreads {
		return nil
	}
	res := &reserved{threads: make([]reservedThread, threads)}
	res.changed = sync.NewCond(&res.mu)
	if r.Gzip {
		res.zipped = r
		return res
	}
	src, ok := r.Src.r.(io.ReaderAt)
	if !ok || r.Src.total < int64(sampledPart*r.chunkSize()) {
		return nil
	}
	counts, comms, scale := r.sample(src)
	if !res.makeColumns(r, counts, comms, scale, sampledRoom) {
		return nil
	}
	return res
}

// makeColumns makes columns for scale times as many rows as were counted, with a margin. It reports whether they fit
// the memory.
func (r *reserved) makeColumns(reader *Reader, counts [][2]int, comms int, scale, more float64) bool {
	bytes := 0.0
	room := func(n int, size float64) int {
		// Four standard deviations above the estimate.
		rows := more * scale * (float64(n) + 4*math.Sqrt(float64(n)) + 4)
		bytes += size * rows
		return int(rows)
	}
	rooms := make([][2]int, len(counts))
	for i := range rooms {
		rooms[i] = [2]int{room(counts[i][0], 20), room(counts[i][1], 16)}
	}
	messages := 0
	if comms > 0 {
		messages = min(room(comms, 64), math.MaxInt32)
	}
	most := float64(16 * reader.Src.total)
	if reader.Gzip {
		most *= zippedRatio
	}
	if memory := reader.Options.Storage.Memory; bytes > most || memory > 0 && bytes > float64(memory/4) {
		return false
	}
	for i := range rooms {
		th, states, events := &r.threads[i], rooms[i][stateKind&1], rooms[i][eventKind&1]
		th.States = model.States{Begin: make([]int64, states), End: make([]int64, states),
			Value: make([]uint32, states)}
		th.Events = model.Events{Time: make([]int64, events), Type: make([]uint32, events),
			Value: model.Values{Small: make([]uint32, events)}, Lines: model.NewBits(events)}
	}
	c := &r.comms.Comms
	for _, col := range []*[]int32{&c.Send, &c.Recv} {
		*col = make([]int32, messages)
	}
	for _, col := range []*[]int64{&c.Times[0], &c.Times[1], &c.Times[2], &c.Times[3], &c.Size, &c.Tag} {
		*col = make([]int64, messages)
	}
	c.EventLines = make([]uint32, messages)
	return true
}

// extrapolate makes the columns of a compressed text when enough of it is known.
func (r *reserved) extrapolate() {
	total := r.zipped.Src.total
	if r.read < max(total/zippedPart, zippedLeast) || r.read > total/2 {
		return
	}
	counts := make([][2]int, len(r.threads))
	for i := range counts {
		counts[i] = r.threads[i].next
	}
	r.makeColumns(r.zipped, counts, r.comms.next, float64(total)/float64(r.read), zippedRoom)
	r.zipped = nil
}

// sample counts the rows of each thread, and the communications, in samples of the text. The whole text has about scale
// times as many.
func (r *Reader) sample(src io.ReaderAt) (counts [][2]int, comms int, scale float64) {
	size := int64(max(r.chunkSize()/samplePart, 1))
	n := min(samplesMost, max(1, r.Src.total/sampledPart/size))
	counts = make([][2]int, r.Head.NumThreads())
	p := r.newParser()
	text, read := make([]byte, size+Pad), 0
	for i := range n {
		got, err := src.ReadAt(text[:size], (2*i+1)*r.Src.total/(2*n)-size/2)
		if err != nil && err != io.EOF {
			break
		}
		// Whole lines.
		from, to := bytes.IndexByte(text[:got], '\n')+1, bytes.LastIndexByte(text[:got], '\n')+1
		if from == 0 || from >= to {
			continue
		}
		s := p.parse(text[from:to])
		for k := range s.threads {
			sh := &s.threads[k]
			counts[sh.thread][stateKind&1] += sh.states
			counts[sh.thread][eventKind&1] += sh.pairs
		}
		comms += s.comms
		s.release()
		read += to - from
	}
	return counts, comms, float64(r.Src.total) / float64(max(read, 1))
}

// take waits for the turn of the segment with the given number, and assigns places to its shares. read is the number of
// bytes of the file up to the segment's end.
func (r *reserved) take(number int, s *segment, read int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.turn != number && !r.broken {
		r.changed.Wait()
	}
	if r.zipped != nil && !r.broken {
		r.extrapolate()
		r.read = read
	}
	for i := range s.threads {
		sh := &s.threads[i]
		th := &r.threads[sh.thread]
		sh.stateBase, sh.pairBase, sh.largeBase = th.next[stateKind&1], th.next[eventKind&1], th.large
		th.next[stateKind&1] += sh.states
		th.next[eventKind&1] += sh.pairs
		th.large += sh.large
		if sh.stored = !r.broken && th.next[stateKind&1] <= len(th.Begin) &&
			th.next[eventKind&1] <= len(th.Time); sh.stored {
			th.stored = th.next
		}
	}
	c := &r.comms
	s.commBase, s.lineBase = c.next, c.lines
	c.next += s.comms
	c.lines += s.eventLines
	if s.commsStored = !r.broken && c.next <= len(c.Send); s.commsStored {
		c.stored = c.next
	}
	r.turn++
	r.changed.Broadcast()
}

// abandon wakes those that wait for a segment that will not come.
func (r *reserved) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = true
	r.changed.Broadcast()
}

// store stores all shares of a segment that fit; g has their rows, and read is the number of bytes of the file up to
// the segment's end.
func (r *reserved) store(number int, s *segment, v *view, g *grouped, read int64) {
	r.take(number, s, read)
	if s.commsStored {
		s.putComms(&r.comms.Comms, g.comms, v.wideComms)
	}
	for _, slot := range s.byThread {
		if sh := &s.threads[slot]; sh.stored {
			th := &r.threads[sh.thread]
			v.put(sh, g.of(sh), &th.States, &th.Events)
		}
	}
	for _, w := range v.ends {
		if sh := &s.threads[w.slot]; sh.stored {
			r.threads[sh.thread].End[sh.stateBase+int(w.row)] = w.value
		}
	}
	r.storeLarge(s, v.values)
}

// storeLarge stores the large values of the shares that fit. Their column grows as needed: few values are large.
func (r *reserved) storeLarge(s *segment, values []wide) {
	if len(values) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range values {
		sh := &s.threads[w.slot]
		if !sh.stored {
			continue
		}
		to := &r.threads[sh.thread].Events.Value
		to.GrowLarge(sh.largeBase + 1)
		sh.putLarge(w, to)
	}
}

// copyTo copies the stored communications to the columns of a trace, unless these are the same, and drops its own.
func (from *reservedComms) copyTo(c *model.Comms) {
	if n := from.stored; n > 0 && &c.Send[0] != &from.Send[0] {
		copy(c.Send, from.Send[:n])
		copy(c.Recv, from.Recv[:n])
		for r := range c.Times {
			copy(c.Times[r], from.Times[r][:n])
		}
		copy(c.Size, from.Size[:n])
		copy(c.Tag, from.Tag[:n])
		copy(c.EventLines, from.EventLines[:n])
	}
	from.Comms = model.Comms{}
}

// adopt gives the threads their reserved columns, or exact ones if these were too short.
func adopt(t *model.Trace, r *reserved, p *plan) {
	for i := range p.totals {
		tot, from, th := &p.totals[i], &r.threads[i], &t.Threads[i]
		if n := tot.states; n > 0 {
			if from.stored[stateKind&1] == n {
				th.States = model.States{Begin: from.Begin[:n:n], End: from.End[:n:n], Value: from.States.Value[:n:n]}
			} else {
				th.States = model.States{Begin: make([]int64, n), End: make([]int64, n), Value: make([]uint32, n)}
			}
			if tot.stateCPU {
				th.States.CPU = make([]int32, n)
			}
			if tot.statesDisordered {
				th.States.FileOrder = make([]int32, n)
			}
		}
		if n := tot.pairs; n > 0 {
			words := (n + 63) / 64
			if from.stored[eventKind&1] == n {
				th.Events = model.Events{Time: from.Time[:n:n], Type: from.Type[:n:n],
					Value: from.Events.Value.First(n), Lines: from.Lines[:words:words]}
			} else {
				th.Events = model.Events{Time: make([]int64, n), Type: make([]uint32, n),
					Value: model.Values{Small: make([]uint32, n)}, Lines: model.NewBits(n)}
			}
			th.Events.Value.GrowLarge(tot.large) // including shares that are not stored
			if tot.eventCPU {
				th.Events.CPU = make([]int32, n)
			}
		}
		from.copyTo(th)
	}
	if n := p.sizes.Comms; n == int64(r.comms.stored) {
		t.Comms = r.comms.First(int(n))
		if p.sizes.CommCPU {
			t.Comms.SendCPU, t.Comms.RecvCPU = make([]int32, n), make([]int32, n)
		}
	}
	r.comms.copyTo(&t.Comms)
}

// copyTo copies the stored rows to the columns of a thread, unless these are the same, and drops its own.
func (from *reservedThread) copyTo(th *model.Thread) {
	if n := from.stored[stateKind&1]; n > 0 && &th.States.Begin[0] != &from.Begin[0] {
		copy(th.States.Begin, from.Begin[:n])
		copy(th.States.End, from.End[:n])
		copy(th.States.Value, from.States.Value[:n])
	}
	if n := from.stored[eventKind&1]; n > 0 && &th.Events.Time[0] != &from.Time[0] {
		copy(th.Events.Time, from.Time[:n])
		copy(th.Events.Type, from.Type[:n])
		copy(th.Events.Value.Small, from.Events.Value.Small[:n])
		copy(th.Events.Value.Large, from.Events.Value.Large)
		copy(th.Events.Lines, from.Lines[:(n+63)/64])
	}
	from.States, from.Events = model.States{}, model.Events{}
}
