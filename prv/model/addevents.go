package model

import "context"

// Events that an analysis adds to a trace, such as clusters.

// TimedPair is an event of a thread.
type TimedPair struct {
	Time int64
	Pair
}

// WithLabels returns a trace with other labels; it shares the records and their counts.
func (t *Trace) WithLabels(labels *Labels) *Trace {
	s := *t
	s.Labels = labels
	s.Counts = &Counted{Of: &s, Load: func() *Summary {
		sum, err := t.Counts.get(context.Background(), t)
		if err != nil {
			return nil
		}
		return sum
	}}
	return &s
}

// WithEvents returns a trace with more events. add has each thread's new events in time order, which go after others of
// the same time; keep tells which types of the trace's events to keep. The columns of states and messages are shared
// with the trace.
func (t *Trace) WithEvents(add [][]TimedPair, labels *Labels, keep func(typ uint32) bool) *Trace {
	s := *t
	s.Labels, s.Counts = labels, nil
	s.Threads = make([]Thread, len(t.Threads))
	copy(s.Threads, t.Threads)
	for i := range s.Threads {
		s.Threads[i].Events = t.Threads[i].Events.with(add[i], t.Threads[i].CPU, keep)
	}
	s.Comms.EventLines = nil // the lines are no longer those of the file
	return &s
}

// with returns the events with others added, each on its own line and on the CPU of the preceding event.
func (c *Events) with(add []TimedPair, cpu int32, keep func(uint32) bool) (out Events) {
	n := c.Len() + len(add)
	out = Events{Time: make([]int64, 0, n), Type: make([]uint32, 0, n), Value: NewValues(n), Lines: NewBits(n)}
	if c.CPU != nil {
		out.CPU = make([]int32, 0, n)
	}
	put := func(at int64, p Pair, on int32, first bool) {
		if first {
			out.Lines.Set(len(out.Time))
		}
		out.Time, out.Type = append(out.Time, at), append(out.Type, p.Type)
		out.Value.Append(p.Value)
		if out.CPU != nil {
			out.CPU = append(out.CPU, on)
		}
	}
	first := false // an earlier row of this line was left out
	for i, at := range c.Time {
		for len(add) > 0 && add[0].Time < at {
			put(add[0].Time, add[0].Pair, cpu, true)
			add = add[1:]
		}
		if c.CPU != nil {
			cpu = c.CPU[i]
		}
		first = first || c.Lines.Has(i)
		if keep(c.Type[i]) {
			put(at, Pair{c.Type[i], c.Value.At(i)}, cpu, first)
			first = false
		}
	}
	for _, p := range add {
		put(p.Time, p.Pair, cpu, true)
	}
	return out
}
