package store

import (
	"context"
	"pview/prv/model"
	"slices"
)

// A large trace takes a while to read, and its first part says much about the whole. So waiting users can be shown that
// part, and larger ones later. Parts grow so fast that all of them together cost a fraction of the reading time.

// Watcher is notified of the progress of reading a trace. Each function may be nil; each is called from one goroutine
// at a time.
type Watcher struct {
	// Progress is called now and then with the bytes of the file read so far, and the file's size (0 if unknown).
	Progress func(done, total int64)
	// Part is called with a trace of the records read so far, while the rest is read, unless the file is small or more
	// than half of it has been read.
	Part func(*Part)
}

// Part is a trace of the records read so far: the whole trace except for what depends on the rest of the file.
type Part struct {
	Trace *model.Trace
	// Until is the time from which records may be missing: if the file is in time order, unread records are later.
	Until int64
	// Unread marks the threads of which nothing has been read; nil if there are none. A task of which nothing has been
	// read has one thread.
	Unread []bool
	// Provisional tells in a few words what may still change; "": neither objects nor times.
	Provisional string
}

// Text of the first part, and the growth factor of the following ones.
const (
	firstPart  = 4 << 20
	partGrowth = 6
)

// parts builds the parts of a trace for a Watcher.
type parts struct {
	r    *Reader
	next int64 // amount of text for the next part
	busy bool  // one is being built
}

// take returns the contents of the next part if it is due: copies of the leading segments of the trace, as far as they
// have been parsed. The caller must have the turn.
func (p *parts) take(segs []*segment, text int64) []*segment {
	r := p.r
	if r.Options.Part == nil || p.busy || text < p.next || r.Src.total < 2*r.Src.Done {
		return nil
	}
	if m := r.Options.Memory; m > 0 && text > m/8 {
		return nil
	}
	n := slices.Index(segs, nil)
	if n < 0 {
		n = len(segs)
	}
	if 4*n < 3*len(segs) { // an early segment is slow: the part would be much smaller than the text read
		return nil
	}
	part := make([]*segment, n)
	for i := range part {
		s := *segs[i]
		s.threads = slices.Clone(s.threads) // unpacking changes their counts
		s.data.mapped = false               // the segment owns the memory
		part[i] = &s
	}
	p.busy, p.next = true, partGrowth*text
	return part
}

// show builds a trace from segments returned by take. Its errors are ignored: the whole trace will report the same.
func (p *parts) show(ctx context.Context, segs []*segment) {
	var until int64
	for i := range segs[len(segs)-1].threads {
		until = max(until, segs[len(segs)-1].threads[i].latest())
	}
	a := assembly{head: p.r.Head, segs: segs, inFileOrder: true, workers: 1, spilled: p.r.Options.Storage.Spill}
	t, err := a.trace(ctx)
	if err != nil {
		return
	}
	t.Path = p.r.Options.Name
	p.r.Options.Part(&Part{Trace: t, Until: until})
}

// latest returns the time of the last record.
func (s *segmentShare) latest() int64 {
	return max(s.last[0], s.last[1])
}
