package prv

// The lines of doubtful records.

import (
	"pview/prv/model"
	"pview/prv/store"

	"context"
	"slices"
)

// locateDoubts finds the line of the first record of each kind of doubt. The columns have no line numbers, and traces
// with doubts are rare enough to be read again, up to the last of these lines.
func locateDoubts(ctx context.Context, d *Doubts, path string, t *Trace) error {
	if d.Total() == 0 {
		return nil
	}
	f, size, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := NewText(f, store.Options{Name: path, Size: size})
	if err != nil {
		return err
	}
	defer text.Close()
	lines := store.NewLines(&text.Header.Resources)
	l := doubtLocator{Doubts: d, end: t.HeaderEnd, last: make([]int64, t.NumThreads())}
	before := text.HeaderLines()
	for buf := []byte(nil); l.missing(); {
		chunk, grown, err := text.Next(ctx, buf)
		if err != nil || len(chunk) == 0 {
			return ctx.Err()
		}
		buf = grown
		lines.Reset(chunk)
		for lines.Next() {
			l.line(&lines.Line, before+lines.Count)
		}
		before += lines.Count
	}
	return nil
}

// doubtLocator reads the lines of the file in order.
type doubtLocator struct {
	*Doubts
	end  int64
	last []int64 // begin of each thread's last state
}

func (l *doubtLocator) missing() bool {
	for k, n := range l.Count {
		if n > 0 && l.Line[k] == 0 {
			return true
		}
	}
	return false
}

// at sets the line of a kind of doubt, unless it is set.
func (l *doubtLocator) at(k Doubt, line int64) {
	if l.Count[k] > 0 && l.Line[k] == 0 {
		l.Line[k] = line
	}
}

func (l *doubtLocator) line(r *store.Line, line int64) {
	latest := r.Times[0]
	switch r.Kind {
	case store.StateLine:
		latest = max(latest, r.Times[1])
		if r.Times[0] < l.last[r.Thread] {
			l.at(StateOutOfOrder, line)
		}
		l.last[r.Thread] = r.Times[0]
		if r.Times[1] < r.Times[0] && r.Times[1] != NoEnd {
			l.at(EndBeforeBegin, line)
		}
		if (model.DoubtfulState{Thread: r.Thread, Begin: r.Times[0], End: r.Times[1], Value: r.State}) == l.Overlap {
			l.at(StateOverlap, line)
		}
	case store.CommLine:
		latest = slices.Max(r.Times[:])
		if r.Times[PhysicalRecv] < r.Times[LogicalSend] {
			l.at(ReceivedBeforeSent, line)
		}
	case store.EventLine:
	default:
		return
	}
	if l.end > 0 && latest > l.end {
		l.at(AfterEnd, line)
	}
}

// followedDoubts counts the doubtful records of a growing trace, as its lines are read.
type followedDoubts struct {
	found        Doubts
	overlapBegin int64 // of the first overlapping state in time
	end          int64 // of the header last compared with
	compared     bool  // end is set
	stale        bool  // the end has changed since
}

func (d *followedDoubts) at(k Doubt, line int64) {
	if d.found.Count[k]++; d.found.Count[k] == 1 {
		d.found.Line[k] = line
	}
}

// overlaps notes the line of an overlapping state; each thread keeps its own count.
func (d *followedDoubts) overlaps(begin, line int64) {
	if d.found.Line[StateOverlap] == 0 || begin < d.overlapBegin {
		d.overlapBegin, d.found.Line[StateOverlap] = begin, line
	}
}

func (d *followedDoubts) after(end, time, line int64) {
	d.stale = d.stale || d.compared && end != d.end
	d.end, d.compared = end, true
	if end > 0 && time > end {
		d.at(AfterEnd, line)
	}
}

// of returns the doubts of the current trace. States that came out of order have been sorted by now, and overlaps among
// them show only then, without line numbers. Records after the end in a header that has changed have no line numbers,
// either.
func (d *followedDoubts) of(t *Trace, threads []growing) Doubts {
	if d.compared && (d.stale || t.HeaderEnd != d.end) {
		again := Doubts{}
		for i := range t.Threads {
			again.Thread(t, int32(i))
		}
		again.Messages(t)
		d.found.Count[AfterEnd], d.found.Line[AfterEnd], d.end = again.Count[AfterEnd], 0, t.HeaderEnd
		d.stale = false
	}
	all := d.found
	for i := range threads {
		if threads[i].statesDisordered {
			again := Doubts{}
			again.Thread(t, int32(i))
			all.Count[StateOverlap] += again.Count[StateOverlap]
			all.Line[StateOverlap] = 0
		} else {
			all.Count[StateOverlap] += threads[i].overlaps
		}
	}
	if all.Count[StateOverlap] == 0 {
		all.Line[StateOverlap] = 0
	}
	return all
}
