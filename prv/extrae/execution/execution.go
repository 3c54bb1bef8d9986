// Package execution names the event types of message-driven runs: which entry executes, the message that started it,
// the messages that it creates, and accesses to shared variables. They are found by the labels of the .pcf, else by the
// numbers of this package.
package execution

import (
	"math"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
)

// Slot is the meaning of an event of message-driven execution.
type Slot uint8

// The slots.
const (
	Entry    Slot = iota // an entry executes: its id; 0: end
	Message              // message that started it: id on its creator; 0: none
	Creator              // of the message, from 1
	Created              // a message: id
	Target               // entry that it is for
	Kind                 // of message: ToNewObject ...
	Receiver             // from 1; 0: a balancer decides
	Enqueue              // a message: id, with Creator
	Dequeue
	Priority // of a message; smaller is more urgent
	Object   // of the entry
	Library  // 1: an entry of the runtime system
	Access   // to a shared variable: Read ...
	Variable
	// key in a table; when a monotonic variable is created: the interval at which its updates are combined, 0: each
	// update goes to all
	Element
	Outcome // of the entry's work: Useful ...

	NumSlots = int(Outcome) + 1
)

// Type returns the event type of a slot, unless the .pcf has another.
func (s Slot) Type() uint32 { return 79000001 + uint32(s) }

// Outcomes of speculative work.
const (
	Useful = 1 + iota
	Useless
	Solution // it found the best solution so far
)

// Kinds of messages (Sinha's thesis, 4.1).
const (
	ToNewObject = 1 + iota
	ToObject
	ToGroup
	ToAll
)

// MemoryInUse is the event type of the bytes in use.
const MemoryInUse = 79000103

// Event types of summaries, which have no executions: shares of an interval in percent, at its begin; and sums by entry
// method at the end of the run, with times in microseconds.
const (
	Utilisation = 79000301 + iota
	IdleShare
	SummedEntry
	SummedTime
	SummedCalls
	SummedLongest
)

// Kinds of access to shared variables.
const (
	CreateVariable = 1 + iota
	ReadVariable
	UpdateVariable
	CollectVariable
	InsertElement
	FindElement
	DeleteElement
)

// slots are the labels, in lower case, and descriptions of the slots.
var slots = [NumSlots]struct {
	labels []string
	doc    string
}{
	Entry: {[]string{"entry method", "entry executing"},
		"an entry executes: its number, named by the .pcf; 0: it ends"},
	Message: {[]string{"message that started the entry", "message that started it"},
		"the message that started it: its number on the processor that created it; 0: none"},
	Creator: {[]string{"pe that created it", "creating processor"},
		"the processor that created the message, from 1"},
	Created: {[]string{"message created"}, "a message is created: its number"},
	Target:  {[]string{"entry method of the message", "destination entry"}, "the entry that it is for"},
	Kind: {[]string{"kind of message", "system type"},
		"1 to a new object, 2 to an object, 3 to a member of a group, 4 to all of them"},
	Receiver: {[]string{"pe that the message goes to", "destination processor"},
		"the processor that it goes to, from 1; 0: a balancer decides"},
	Enqueue: {[]string{"message enqueued", "enqueue"},
		"a message is put into a queue: its number, with its creator"},
	Dequeue: {[]string{"message dequeued", "dequeue"}, "it is taken from a queue"},
	Priority: {[]string{"priority", "priority of the message"},
		"of a message that is created; smaller is more urgent"},
	Object: {[]string{"object"}, "of the entry"},
	Library: {[]string{"entry of the runtime system", "library entry flag"},
		"1: an entry of the runtime system"},
	Access: {[]string{"shared variable access"},
		"to a shared variable: 1 create, 2 read, 3 update, 4 collect, 5 insert, 6 find, 7 delete"},
	Variable: {[]string{"shared variable"}, "its number"},
	Element: {[]string{"key of the shared variable", "key"},
		"key in a table; of a monotonic variable that is created, the interval at which updates are combined, " +
			"0: each is passed on"},
	Outcome: {[]string{"outcome of the entry", "outcome"},
		"of speculative work: 1 useful, 2 useless, 3 the best solution so far"},
}

// EventType describes a slot.
type EventType struct {
	Type       uint32 // unless the .pcf has another
	Label, Doc string
}

// EventTypes describes all slots.
func EventTypes() (list []EventType) {
	for s := range slots {
		list = append(list, EventType{Slot(s).Type(), slots[s].labels[0], slots[s].doc})
	}
	return list
}

// Types are the event types of the slots in a trace.
type Types [NumSlots]uint32

// TypesOf finds the event types by the labels of a trace.
func TypesOf(l *prv.Labels) (types Types) {
	for s := range slots {
		types[s] = Slot(s).Type()
		for i := range l.Types {
			if slices.Contains(slots[s].labels, strings.ToLower(strings.TrimSpace(l.Types[i].Label))) {
				types[s] = l.Types[i].Type
				break
			}
		}
	}
	return types
}

// Slot returns the slot of an event type.
func (t *Types) Slot(typ uint32) (Slot, bool) {
	for s, own := range t {
		if typ == own {
			return Slot(s), true
		}
	}
	return 0, false
}

// IsDriven reports whether a trace has executions of entries.
func IsDriven(t *prv.Trace) bool {
	types := TypesOf(t.Labels)
	if _, labelled := t.Labels.Type(types[Entry]); !labelled && len(t.Labels.Types) > 0 {
		return false
	}
	for i := range t.Threads {
		if slices.Contains(t.Threads[i].Events.Type, types[Entry]) {
			return true
		}
	}
	return false
}

// IsSummary reports whether a trace is a summary of a message-driven run: shares of intervals, and sums by entry
// method, without executions or messages.
func IsSummary(t *prv.Trace) bool {
	_, ok := t.Labels.Type(SummedEntry)
	return ok
}

// Untold tells what a summary cannot answer.
const Untold = "a summary has no messages and no times of executions: only logs tell what the processors wait for"

// Window returns the time range that a trace covers. A message-driven run is recorded from the first to the last record
// of any processor; the processors' logs share a clock that began earlier. Any other run is [0, its duration].
func Window(t *prv.Trace) (from, to int64) {
	if !IsDriven(t) {
		return 0, t.Duration
	}
	states := extrae.StatesOf(t.Labels, extrae.Auto)
	from = t.Duration
	note := func(begin, end int64) { from, to = min(from, begin), max(to, min(end, t.Duration)) }
	for i := range t.Threads {
		th := &t.Threads[i]
		for k, v := range th.States.Value {
			if states.Meaning(v) != extrae.Absent {
				end := th.States.End[k]
				if !th.States.HasEnd(k) {
					end = t.Duration
				}
				note(th.States.Begin[k], end)
			}
		}
		if n := th.Events.Len(); n > 0 {
			note(th.Events.Time[0], th.Events.Time[n-1])
		}
	}
	return min(from, to), to
}

// Recorded returns the time from the first to the last record of a thread that shows activity; 0, 0 if none.
func Recorded(t *prv.Trace, thread int32) (from, to int64) {
	from, to = int64(math.MaxInt64), int64(-1)
	th := &t.Threads[thread]
	states := extrae.StatesOf(t.Labels, extrae.Auto)
	s := &th.States
	for i, v := range s.Value {
		if m := states.Meaning(v); m != extrae.Absent && m != extrae.Idle {
			from, to = min(from, s.Begin[i]), max(to, s.Until(i, t.Duration))
		}
	}
	if n := th.Events.Len(); n > 0 {
		from, to = min(from, th.Events.Time[0]), max(to, th.Events.Time[n-1])
	}
	if to < 0 {
		return 0, 0
	}
	return from, to
}

// Time returns the length of Window in nanoseconds: the measured time of a run, with which predictions are compared.
func Time(t *prv.Trace) int64 {
	from, to := Window(t)
	return (to - from) * t.Unit.Nanoseconds()
}
