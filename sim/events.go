package sim

import (
	"pview/prv"
)

// EventColumns are the events of a thread that a predicted trace has.
type EventColumns struct {
	Type    []uint32
	Value   prv.Values
	Lines   prv.Bits
	Actions int // records other than events: about as many as the thread has states
	Sends   int
}

// NotRecorded reports whether a predicted trace omits the events of a stored kind.
func (k Kind) NotRecorded() bool { return k >= ReactiveEvent && k < firstRecorded }

// EventColumns returns the events of all threads.
func (p *Program) EventColumns() []EventColumns {
	if have := p.events.Load(); have != nil {
		return *have
	}
	list := make([]EventColumns, len(p.Threads))
	for i := range list {
		list[i] = p.Threads[i].eventColumns()
	}
	p.events.Store(&list)
	return list
}

// recorded returns the number of events that a predicted trace has.
func (t *Thread) recorded() (n int) {
	for _, k := range t.kind {
		if k >= firstRecorded {
			n++
		}
	}
	return n
}

func (t *Thread) eventColumns() (c EventColumns) {
	n := t.recorded()
	c.Type, c.Value, c.Lines = make([]uint32, 0, n), prv.NewValues(n), prv.NewBits(n)
	c.Actions = len(t.kind) - n
	line := false // within an unfinished line
	for row, k := range t.kind {
		switch {
		case k >= firstRecorded:
			if !line {
				c.Lines.Set(len(c.Type))
			}
			typ, value := t.Event(row)
			c.Type = append(c.Type, typ)
			c.Value.Append(value)
			line = true
		case k.NotRecorded() || k == IdleOn || k == IdleOff:
		default:
			line = false
			if k.IsSend() {
				c.Sends++
			}
		}
	}
	return c
}

// PredictedBytes returns about the memory that the columns of a predicted trace will take: 16 bytes for each event, 24
// for each state, and 72 for each message.
func (p *Program) PredictedBytes() int64 {
	sum := int64(0)
	for i := range p.Threads {
		t := &p.Threads[i]
		n := t.recorded()
		sum += int64(n)*16 + int64(len(t.kind)-n)*24
		for _, k := range t.kind {
			if k.IsSend() {
				sum += 72
			}
		}
	}
	return sum
}
