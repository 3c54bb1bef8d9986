// Package system names system events: a program's calls into its message-passing system, as separate event types, by
// number and class. PICL's traces have them; the numbers are those of MPICL (Worley, A New PICL Trace File Format,
// ORNL/TM-12125, 1992).
package system

import (
	"slices"

	"pview/prv"
)

// Event types of a trace with system events.
const (
	Type         = 76000000 // start of a system event: its number without the sign; end: 0
	SentType     = 76000001 // bytes, at the start of a send
	ReceivedType = 76000002 // bytes, at the completion of a receive
	IOBytesType  = 76000003 // bytes, at the start of an I/O call
	UserType     = 77000000 // to LastUserType: user events by number
	LastUserType = 77999999
)

// Label names Type in the .pcf, and so identifies a trace with system events.
const Label = "PICL system event"

// In reports whether a trace has system events.
func In(t *prv.Trace) bool {
	typ, ok := t.Labels.Type(Type)
	return ok && typ.Label == Label
}

// Class is a class of system events; the workload has the time in them as a parameter.
type Class uint8

// The classes.
const (
	NoClass     Class = iota
	Setup             // enabling and disabling communication
	Transmit          // sends
	Receive           // receives
	Collective        // collectives, packing, communicators
	InputOutput       //
	Synchronise       // clock synchronisation, barriers
	Allocate          // processors
	Generic           // idle, overhead
	Tracing           // the tracer itself
	Envelope          // tracing starts and stops
)

// EnvelopeEvent is the system event from the start of tracing to its end.
const EnvelopeEvent = -901

// ranges are the ranges of IDs of the classes, downwards to last.
var ranges = []struct {
	last  int
	class Class
}{{-20, Setup}, {-50, Transmit}, {-200, Receive}, {-400, InputOutput}, {-500, Synchronise}, {-600, Allocate},
	{-700, Generic}, {-900, Collective}}

// ClassOf returns the class of a system event by its number.
func ClassOf(id int) Class {
	if id == EnvelopeEvent {
		return Envelope
	}
	for _, r := range ranges {
		if id >= r.last {
			return r.class
		}
	}
	return Tracing
}

// requests are the system events that request a send, receive, read or write: tests, waits, probes and cancels do not.
var requests = []int{-21, -22, -23, -24, -27, -33, -39, -45, -51, -52, -57, -201, -202, -221, -251}

// IsRequest reports whether a system event requests a send, receive, read or write.
func IsRequest(id int) bool { return slices.Contains(requests, id) }

// Kinds of statistics, by the numbers of their records.
const (
	TimeIn        = -101 // seconds
	CountOf       = -102
	BytesSent     = -103
	BytesReceived = -104
	BytesOf       = -105 // volume in either direction
)

// Sum is a statistic of a process, about a system event, a user event (Event >= 0), or a set of system events (Sets).
type Sum struct {
	Processor, Process int32
	Record             int32 // TimeIn ... BytesOf
	Event              int32
	Value              float64
}

// Sets are the sets of system events that statistics may cover, with their classes.
var Sets = map[int32]Class{-1011: Collective, -1012: Transmit, -1013: Receive, -1201: InputOutput,
	-1401: Synchronise, -1501: Allocate, -1601: Generic, -1901: Tracing}

// All is the set of all system events.
const All = -1002

// StatisticsError reports a file that has sums but no events: it can be characterised, but has no timeline.
type StatisticsError struct {
	File  string
	Sums  []Sum
	Notes []prv.Note // remarks on the file
}

func (e *StatisticsError) Error() string {
	return e.File +
		": has statistics only, which have no times: there is no timeline; pview workload characterises them"
}
