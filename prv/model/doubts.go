package model

// Records that are valid one by one, but cannot all be true, or do not mean what they seem to. They are read as Paraver
// reads them, and counted to warn the user.

import (
	"context"
	"fmt"
	"slices"

	"pview/prv/parallel"
)

// Doubt is a kind of doubtful record.
type Doubt uint8

// The kinds.
const (
	StateOutOfOrder Doubt = iota
	StateOverlap
	ReceivedBeforeSent
	AfterEnd
	EndBeforeBegin
	NumDoubts
)

// AllDoubts lists the kinds.
var AllDoubts = []Doubt{StateOutOfOrder, StateOverlap, ReceivedBeforeSent, AfterEnd, EndBeforeBegin}

var doubtTexts = [NumDoubts]struct{ key, text, effect string }{
	StateOutOfOrder: {"states_out_of_order", "state begins before the one that its thread has before it in the file",
		"where one ends as another begins, the order of the file decides, as in Paraver: time of states can be lost"},
	StateOverlap: {"overlapping_states", "state begins before an earlier one of its thread has ended",
		"the sums of info count such times twice, a window shows one state at a time"},
	ReceivedBeforeSent: {"received_before_sent", "message is received before it is sent",
		"clocks differ, or the tracer paired messages wrongly"},
	AfterEnd: {"after_end", "record is later than the end in the header",
		"states and events extend the trace, messages do not"},
	EndBeforeBegin: {"end_before_begin", "state ends before it begins",
		"it counts as one without an end; its end ends what lasts then, as in Paraver"},
}

// Key returns the kind as an identifier, for programs: "states_out_of_order".
func (d Doubt) Key() string { return doubtTexts[d].key }

// String describes the problem with such a record.
func (d Doubt) String() string { return doubtTexts[d].text }

// Effect describes why the problem matters.
func (d Doubt) Effect() string { return doubtTexts[d].effect }

// Doubts counts the records of each kind and has the line of the first; 0 if unknown. For overlapping states that is
// the first in time, otherwise the first in the file.
type Doubts struct {
	Count [NumDoubts]int64 `json:"count"`
	Line  [NumDoubts]int64 `json:"line"`

	Overlap DoubtfulState `json:"-"` // the first
}

// Total returns the number of records of all kinds.
func (d *Doubts) Total() (n int64) {
	for _, c := range d.Count {
		n += c
	}
	return n
}

// DoubtfulState identifies a state record in the file.
type DoubtfulState struct {
	Thread     int32
	Begin, End int64
	Value      uint32
}

// FindDoubts counts the doubtful records of a trace.
func FindDoubts(ctx context.Context, t *Trace) (*Doubts, error) {
	found := make([]Doubts, len(t.Threads))
	err := parallel.For(ctx, len(t.Threads), func(i int) error {
		found[i].Thread(t, int32(i))
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := &Doubts{}
	for i := range found {
		f := &found[i]
		if f.Count[StateOverlap] > 0 && (d.Count[StateOverlap] == 0 || f.Overlap.Begin < d.Overlap.Begin) {
			d.Overlap = f.Overlap
		}
		for k := range d.Count {
			d.Count[k] += f.Count[k]
		}
	}
	d.Messages(t)
	return d, nil
}

// Thread counts the doubtful records of one thread.
func (d *Doubts) Thread(t *Trace, thread int32) {
	th := &t.Threads[thread]
	s, e := &th.States, &th.Events
	order := Inverse(s.FileOrder)
	for i := 1; i < len(order); i++ {
		if s.Begin[order[i]] < s.Begin[order[i-1]] {
			d.Count[StateOutOfOrder]++
		}
	}
	latest := int64(0)
	for i, begin := range s.Begin {
		if begin < latest {
			if d.Count[StateOverlap] == 0 {
				d.Overlap = DoubtfulState{thread, begin, s.End[i], s.Value[i]}
			}
			d.Count[StateOverlap]++
		}
		if latest = max(latest, s.End[i]); s.End[i] < begin && s.End[i] != NoEnd {
			d.Count[EndBeforeBegin]++
		}
	}
	if t.HeaderEnd == 0 || t.Duration <= t.HeaderEnd {
		return
	}
	for i, end := range s.End {
		if max(end, s.Begin[i]) > t.HeaderEnd {
			d.Count[AfterEnd]++
		}
	}
	for i := e.Len() - 1; i >= 0 && e.Time[i] > t.HeaderEnd; i-- {
		if e.Lines.Has(i) {
			d.Count[AfterEnd]++
		}
	}
}

// Messages counts the doubtful communications. If the header has no end, no record is after the end.
func (d *Doubts) Messages(t *Trace) {
	c := &t.Comms
	limit := t.HeaderEnd
	for i := range c.Len() {
		times := [4]int64{c.Times[0][i], c.Times[1][i], c.Times[2][i], c.Times[3][i]}
		if times[PhysicalRecv] < times[LogicalSend] {
			d.Count[ReceivedBeforeSent]++
		}
		if limit > 0 && slices.Max(times[:]) > limit {
			d.Count[AfterEnd]++
		}
	}
}

// Doubtful returns the warnings about doubtful records, a line for each kind.
func (t *Trace) Doubtful() (notes []Note) {
	for _, k := range AllDoubts {
		n := t.Doubts.Count[k]
		if n == 0 || k == ReceivedBeforeSent && t.CPUTime() {
			continue
		}
		effect := k.Effect()
		if k == StateOutOfOrder && t.StatesSorted {
			effect = "they are read in the order of time"
		}
		notes = append(notes, Note{t.Path, t.Doubts.Line[k], fmt.Sprintf("%s (%d in all): %s", k, n, effect)})
	}
	return notes
}

// SortedStates returns the trace as if the file had the states in time order.
func (t *Trace) SortedStates() *Trace {
	if !slices.ContainsFunc(t.Threads, func(th Thread) bool { return th.States.FileOrder != nil }) {
		return t
	}
	s := *t
	s.StatesSorted = true
	s.Threads = slices.Clone(t.Threads)
	for i := range s.Threads {
		s.Threads[i].States.FileOrder = nil
	}
	return &s
}
