// Package nearby finds the records around a point of a trace: a time and an object of any level.
package nearby

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// Kind is a kind of record; a message is two: its send and its receive.
type Kind uint8

// The kinds.
const (
	State Kind = iota
	Event
	Send
	Receive
)

// String returns the kind in one word.
func (k Kind) String() string { return [...]string{"state", "event", "send", "receive"}[k] }

// IsMessage reports whether the record is an end of a message.
func (k Kind) IsMessage() bool { return k >= Send }

// role returns the logical role of an end of a message, whose time is the record's.
func (k Kind) role() prv.Role {
	if k == Send {
		return prv.LogicalSend
	}
	return prv.LogicalRecv
}

// Record names one record of a trace.
type Record struct {
	Kind   Kind
	Thread int32
	Index  int32 // into the thread's states or events, or into the trace's messages
}

// Time returns the place of the record: the begin of a state, the logical time of a message's end.
func (r Record) Time(t *prv.Trace) int64 {
	switch r.Kind {
	case State:
		return t.Threads[r.Thread].States.Begin[r.Index]
	case Event:
		return t.Threads[r.Thread].Events.Time[r.Index]
	}
	return t.Comms.Times[r.Kind.role()][r.Index]
}

// CPU returns the CPU of the record (global, 1-based); 0 if unknown.
func (r Record) CPU(t *prv.Trace) int32 {
	switch r.Kind {
	case State:
		return t.Threads[r.Thread].StateCPU(int(r.Index))
	case Event:
		return t.Threads[r.Thread].EventCPU(int(r.Index))
	}
	return t.CommCPU(int(r.Index), r.Kind.role())
}

// Partner returns the other end of a message.
func (r Record) Partner(t *prv.Trace) Record {
	r.Kind = Send + Receive - r.Kind
	r.Thread = t.Comms.Thread(int(r.Index), r.Kind.role())
	return r
}

// Raw returns the record as a .prv has it: an event with all pairs of its line. In hexadecimal when hex.
func (r Record) Raw(t *prv.Trace, hex bool) string {
	fields := r.fields(t)
	text := make([]string, len(fields))
	for i, f := range fields {
		if text[i] = strconv.FormatInt(f, 10); hex && i > 0 {
			text[i] = fmt.Sprintf("%#x", f)
		}
	}
	return strings.Join(text, ":")
}

// fields returns the numbers of the record's line.
func (r Record) fields(t *prv.Trace) []int64 {
	line := func(kind int64, thread, cpu int32, rest ...int64) []int64 {
		p, ta, th := t.ThreadID(thread)
		return append([]int64{kind, int64(cpu), int64(p), int64(ta), int64(th)}, rest...)
	}
	switch r.Kind {
	case State:
		s, i := &t.Threads[r.Thread].States, r.Index
		return line(1, r.Thread, r.CPU(t), s.Begin[i], s.End[i], int64(s.Value[i]))
	case Event:
		e := &t.Threads[r.Thread].Events
		fields := line(2, r.Thread, r.CPU(t), e.Time[r.Index])
		first := r.lineStart(t)
		for i := first; i == first || i < e.Len() && len(e.Lines) > 0 && !e.Lines.Has(i); i++ {
			fields = append(fields, int64(e.Type[i]), e.Value.At(i))
		}
		return fields
	}
	c, i := &t.Comms, r.Index
	fields := line(3, c.Send[i], t.CommCPU(int(i), prv.LogicalSend), c.Times[prv.LogicalSend][i],
		c.Times[prv.PhysicalSend][i])
	receive := line(3, c.Recv[i], t.CommCPU(int(i), prv.LogicalRecv), c.Times[prv.LogicalRecv][i],
		c.Times[prv.PhysicalRecv][i], c.Size[i], c.Tag[i])
	return append(fields, receive[1:]...)
}

// lineStart returns the first pair of an event's line.
func (r Record) lineStart(t *prv.Trace) int {
	e := &t.Threads[r.Thread].Events
	i := int(r.Index)
	for len(e.Lines) > 0 && i > 0 && !e.Lines.Has(i) {
		i--
	}
	return i
}

// OnePerLine keeps only the first of the events that share a line of the .prv; it changes the list.
func OnePerLine(t *prv.Trace, list []Record) []Record {
	last := map[int32]int{} // by thread: the line's first pair
	return slices.DeleteFunc(list, func(r Record) bool {
		if r.Kind != Event {
			return false
		}
		first := r.lineStart(t)
		before, seen := last[r.Thread]
		last[r.Thread] = first
		return seen && before == first
	})
}
