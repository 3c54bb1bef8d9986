// Package model has the trace: its resources, its records in columns, its labels and names. Package prv reads and
// writes it.
//
// The package holds data and does not interpret it: package semantic defines the meaning of states and events, package
// filter selects them.
package model

import (
	"math/bits"

	"pview/prv/mapped"
)

// Trace is one run of a parallel program: its objects (Resources), the records of each
// thread (Threads), the messages (Comms), and the names of the numbers (Labels, Names).
//
// A Trace is immutable once built, and safe for concurrent reading. store.Builder makes one, prv.Open reads one. All
// times are in Unit, counted from the begin of the run. All object numbers in the columns are 0-based and count through
// the whole trace: thread 5 is its sixth thread, whatever its ptask and task. Only CPU numbers are kept as in the file:
// 1-based over all nodes, 0 for "unknown".
type Trace struct {
	Path string // the .prv or .prv.gz it was read from; "" when built in memory
	Date string // text between the header's parentheses, as found
	Unit Unit   // of every time in the trace

	// Duration is the end of the trace: the latest of the header's end time, the last state's end and the last event.
	// Message times do not extend it (as in Paraver). HeaderEnd is the end by the header alone.
	Duration  int64
	HeaderEnd int64

	Resources
	Communicators []Communicator
	Comments      []string // comment lines of the body, without line ends

	Threads []Thread // one per thread of Resources, in order
	Comms   Comms    // all communications, in file order

	Labels *Labels // the .pcf; never nil, empty when there is no file
	Names  *Names  // the .row; never nil, empty when there is no file

	Counts *Counted // see Summarize; nil: counts are not kept

	Skipped Skipped // bad records that were left out, by reason
	Cut     *Cut    // non-nil when the file ends in the middle of a record or gzip stream
	Notes   []Note  // other remarks on the files, such as a bad line in the .pcf
	Doubts  Doubts  // records that are read, but doubtful
	// StatesSorted is set if States.FileOrder was dropped: see SortedStates.
	StatesSorted bool

	Maps *mapped.Files // the files that hold the columns; nil: in memory
}

// Broken returns why the files that hold the records can no longer be read; nil if they can. Records read before an
// error are valid.
func (t *Trace) Broken() error {
	if t.Maps == nil || len(t.Maps.List) == 0 {
		return nil
	}
	return mapped.Check(t.Maps.List...)
}

// Unit is the unit of a trace's times.
type Unit uint8

// The units that a .prv header can name. Paraver takes a missing or unknown
// suffix for microseconds.
const (
	Microseconds Unit = iota
	Nanoseconds
	Milliseconds
)

// Nanoseconds returns the length of one unit in nanoseconds.
func (u Unit) Nanoseconds() int64 {
	switch u {
	case Nanoseconds:
		return 1
	case Milliseconds:
		return 1_000_000
	}
	return 1_000
}

// String returns the unit's symbol: "ns", "us" or "ms".
func (u Unit) String() string {
	switch u {
	case Nanoseconds:
		return "ns"
	case Milliseconds:
		return "ms"
	}
	return "us"
}

// Thread holds the records of one thread, in columns sorted by time.
type Thread struct {
	// CPU is the CPU of all records of the thread. If they differ, a CPU column below is not nil and has them instead.
	CPU int32

	States States
	Events Events

	// Comm lists, per role, the communications in which the thread has that role, as indices into Trace.Comms, sorted
	// by the time of the role (file order at equal times). Index it with a Role.
	Comm [4][]int32
}

// States are the state records of a thread, sorted by begin (file order at equal begins).
type States struct {
	Begin []int64
	End   []int64 // NoEnd if the record has none; before Begin in records that Paraver keeps: see HasEnd
	Value []uint32
	CPU   []int32 // nil if constant: see Thread.CPU
	// FileOrder is nil if the file had the records in the order of the columns. Otherwise FileOrder[i] is the position
	// of record i among the thread's states in the file: Paraver uses it when one state ends and another begins at the
	// same time.
	FileOrder []int32
}

// NoEnd is the end time of a state without an end: it lasts until the next begins.
const NoEnd int64 = -1

// Len returns the number of state records.
func (s *States) Len() int { return len(s.Begin) }

// HasEnd reports whether a state ends at End. A state that ends before it begins does not: in a window it lasts until
// the next record, and its End cuts short the state that lasts at that time.
func (s *States) HasEnd(i int) bool { return s.End[i] >= s.Begin[i] }

// earlyEnds is how many of the following states may cut a state short.
const earlyEnds = 64

// Until returns the end of a state: one without an end lasts until the next begins, the last one to the given time. As
// in Paraver, a following state that ends before it begins cuts this one short at its own end.
func (s *States) Until(i int, last int64) int64 {
	end := last
	switch {
	case s.HasEnd(i):
		end = s.End[i]
	case i+1 < len(s.Begin):
		end = s.Begin[i+1]
	}
	if i+1 < len(s.Begin) && !s.HasEnd(i+1) {
		return s.endedEarly(i, end)
	}
	return end
}

// endedEarly returns the end of a state that lasts until end at most: a following state may cut it short.
func (s *States) endedEarly(i int, end int64) int64 {
	for j := i + 1; j < min(len(s.Begin), i+1+earlyEnds) && s.End[j] != NoEnd && !s.HasEnd(j); j++ {
		if s.End[j] > s.Begin[i] || s.End[j] == s.Begin[i] && s.order(j) > s.order(i) {
			end = min(end, s.End[j])
		}
	}
	return end
}

// order returns the position of a record among the thread's states in the file.
func (s *States) order(i int) int {
	if s.FileOrder == nil {
		return i
	}
	return int(s.FileOrder[i])
}

// Events are the events of a thread: one row per type:value pair, sorted by time (file order at equal times).
type Events struct {
	Time  []int64
	Type  []uint32
	Value Values  // unscaled: see EventType.Precision. Unsigned values above 2^63-1 wrap, as in Paraver
	CPU   []int32 // nil if constant: see Thread.CPU
	Lines Bits    // set if a row is the first of its line in the .prv
}

// Len returns the number of type:value pairs.
func (e *Events) Len() int { return len(e.Time) }

// Bits is a set of row numbers.
type Bits []uint64

// NewBits returns an empty set that can hold rows 0..n-1.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether row i is in the set.
func (b Bits) Has(i int) bool { return b[i>>6]>>(uint(i)&63)&1 != 0 }

// Set puts row i into the set.
func (b Bits) Set(i int) { b[i>>6] |= 1 << (uint(i) & 63) }

// Count returns the number of rows in the set.
func (b Bits) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Comms has communications in columns: messages that one thread sends and another receives. "Logical" is when the
// program calls send or receive, "physical" when the data leaves or arrives.
type Comms struct {
	Send  []int32    // sending thread
	Recv  []int32    // receiving thread
	Times [4][]int64 // by Role
	Size  []int64    // bytes
	Tag   []int64
	// The CPUs of the two ends; nil if all equal the Thread.CPU of their threads.
	SendCPU []int32
	RecvCPU []int32
	// EventLines[i] is the number of event lines before communication i in the file, modulo 2^32 (the true number never
	// decreases, so Ordinals can detect the wraps). It is nil in a trace that was not read from a file: then
	// communications count as coming after all events at the time of their physical send, where Write puts them.
	EventLines []uint32
}

// Len returns the number of communications.
func (c *Comms) Len() int { return len(c.Send) }

// First returns the first N communications; appending to them does not change c.
func (c *Comms) First(n int) Comms {
	out := Comms{
		Send: cut(c.Send, n), Recv: cut(c.Recv, n), SendCPU: cut(c.SendCPU, n), RecvCPU: cut(c.RecvCPU, n),
		Size: cut(c.Size, n), Tag: cut(c.Tag, n), EventLines: cut(c.EventLines, n),
	}
	for r := range c.Times {
		out.Times[r] = cut(c.Times[r], n)
	}
	return out
}

// cut returns the first N rows of a column, if there is one.
func cut[T any](col []T, n int) []T {
	if col == nil {
		return nil
	}
	return col[:n:n]
}

// Ordinals returns, for each communication, its number among the event and communication lines of the file, from 1, by
// which other tools identify messages. It is nil if EventLines is.
func (c *Comms) Ordinals() []int64 {
	if c.EventLines == nil {
		return nil
	}
	list := make([]int64, c.Len())
	events := int64(0)
	for i, n := range c.EventLines {
		events += int64(n - uint32(events)) // modulo 2^32
		list[i] = events + int64(i) + 1
	}
	return list
}

// Thread returns the thread that has the given role in communication i.
func (c *Comms) Thread(i int, r Role) int32 {
	if r.IsSend() {
		return c.Send[i]
	}
	return c.Recv[i]
}

// Role is one of the four points in time of a communication.
type Role uint8

// The four roles, in the order of the record's fields.
const (
	LogicalSend Role = iota
	PhysicalSend
	LogicalRecv
	PhysicalRecv
)

// IsSend reports whether the role is the sender's.
func (r Role) IsSend() bool { return r <= PhysicalSend }

// IsLogical reports whether the role is a logical one.
func (r Role) IsLogical() bool { return r == LogicalSend || r == LogicalRecv }

// String returns the role in words: "logical send".
func (r Role) String() string {
	return [...]string{"logical send", "physical send", "logical receive", "physical receive"}[r]
}

// StateCPU returns the CPU of state record i of thread th: 1-based, 0 unknown.
func (th *Thread) StateCPU(i int) int32 {
	if th.States.CPU != nil {
		return th.States.CPU[i]
	}
	return th.CPU
}

// EventCPU returns the CPU of event i of thread th: 1-based, 0 unknown.
func (th *Thread) EventCPU(i int) int32 {
	if th.Events.CPU != nil {
		return th.Events.CPU[i]
	}
	return th.CPU
}

// CommCPU returns the CPU of communication i at the end of the given role:
// 1-based, 0 unknown.
func (t *Trace) CommCPU(i int, r Role) int32 {
	th, col := t.Comms.Send, t.Comms.SendCPU
	if !r.IsSend() {
		th, col = t.Comms.Recv, t.Comms.RecvCPU
	}
	if col != nil {
		return col[i]
	}
	return t.Threads[th[i]].CPU
}
