package picl

// The vocabulary: what the system events of PICL are (Worley, A New PICL Trace File Format, ORNL/TM-12125, 1992; codes
// of MPICL), and the event types and states that they become.

import (
	"fmt"

	"pview/prv"
)

// Event types of the trace.
const (
	MarkType     = 75000000 // an instant that the program marks, by its number
	MessageType  = 75000001 // a text that the program traces
	SystemType   = 76000000 // begin of a system event: its number without the sign; end: 0
	SentType     = 76000001 // bytes, where a send begins
	ReceivedType = 76000002 // bytes, where a receive is complete
	IOBytesType  = 76000003 // bytes, where an I/O call begins
	UserType     = 77000000 // and following: user events by number
	lastUserType = 77999999
	// usersInOrder is the first user event that has no type by its number.
	usersInOrder = 1_000_000
)

// SystemLabel names SystemType in the .pcf, and so identifies a trace that was read from PICL.
const SystemLabel = "PICL system event"

// Class is a class of system events: the time in them is a parameter of the workload.
type Class uint8

// The classes.
const (
	NoClass       Class = iota
	Setup               // enabling and disabling communication
	Transmit            // sends
	Receive             // receives
	Collective          // collectives, packing, communicators
	InputOutput         //
	Synchronise         // clock synchronisation, barriers
	Allocate            // processors
	Generic             // idle, overhead
	TracingClass        // the tracer itself
	EnvelopeClass       // tracing starts and stops
)

// States, by Extrae's numbers.
const (
	stateIdle     = 0
	stateRunning  = 1
	stateRecv     = 3
	stateSend     = 4
	stateSync     = 5
	stateTest     = 6
	stateSchedule = 7
	stateWait     = 8
	stateIsend    = 10
	stateIrecv    = 11
	stateIO       = 12
	stateGroup    = 13
	stateUntraced = 14
	stateOthers   = 15
)

// stateNames are the states that are used.
var stateNames = []prv.ValueLabel{{Value: stateIdle, Label: "Idle"}, {Value: stateRunning, Label: "Running"},
	{Value: stateRecv, Label: "Waiting a message"},
	{Value: stateSend, Label: "Blocking Send"}, {Value: stateSync, Label: "Synchronization"},
	{Value: stateTest, Label: "Test/Probe"},
	{Value: stateSchedule, Label: "Scheduling and Fork/Join"}, {Value: stateWait, Label: "Wait/WaitAll"},
	{Value: stateIsend, Label: "Immediate Send"},
	{Value: stateIrecv, Label: "Immediate Receive"}, {Value: stateIO, Label: "I/O"},
	{Value: stateGroup, Label: "Group Communication"},
	{Value: stateUntraced, Label: "Tracing Disabled"}, {Value: stateOthers, Label: "Others"}}

// role is the part of a system event in messages and I/O.
type role uint8

const (
	noRole      role = iota
	sendCall         // blocking: bytes, tag, destination at its begin
	sendBegin        // nonblocking: the same; the request at its end
	recvCall         // blocking: tag at its begin; bytes, tag, source at its end
	recvBegin        // nonblocking: tag at its begin, the request at its end
	recvDone         // completes a nonblocking receive: the request at its begin; bytes, tag, source at its end
	transfer         // I/O of bytes
	fileRequest      // I/O without bytes
)

// Event describes a system event.
type Event struct {
	ID    int // negative
	Name  string
	Class Class
	state uint32
	role  role
}

// IsRequest reports whether the event is a request to send, receive, read or write: tests, waits, probes and cancels
// are not.
func (e *Event) IsRequest() bool { return e.role != noRole && e.role != recvDone }

const (
	envelope      = -901
	sendEvent     = -21
	recvNow       = -51
	recvBlocked   = -52
	probeNow      = -53
	beginIrecv    = -57
	barrier       = -402
	allreduce     = -782
	bcast         = -785
	traceFlush    = -912
	openEvent     = -11
	closeEvent    = -12
	lastUnnamed   = -1000 // below are aliases of statistics
	firstSystemID = -11
)

// Events are the known system events.
var Events = withNonblocking([]Event{
	{openEvent, "open", Setup, stateOthers, noRole}, {closeEvent, "close", Setup, stateOthers, noRole},
	{-13, "who", Setup, stateOthers, noRole}, {-14, "recvinfo", Setup, stateOthers, noRole},
	{-15, "set buffering", Setup, stateOthers, noRole}, {-16, "status check", Setup, stateOthers, noRole},
	{sendEvent, "send", Transmit, stateSend, sendCall}, {-22, "buffered send", Transmit, stateSend, sendCall},
	{-23, "synchronous send", Transmit, stateSend, sendCall},
	{-24, "ready send", Transmit, stateSend, sendCall},
	{recvNow, "receive", Receive, stateRecv, recvCall}, {recvBlocked, "receive, blocked", Receive, stateRecv, recvCall},
	{probeNow, "probe", Receive, stateTest, noRole}, {-54, "probe, nothing there", Receive, stateTest, noRole},
	{-55, "blocking probe", Receive, stateTest, noRole},
	{-56, "blocking probe, blocked", Receive, stateTest, noRole},
	{beginIrecv, "begin nonblocking receive", Receive, stateIrecv, recvBegin},
	{-58, "test receive, done", Receive, stateTest, recvDone}, {-59, "test receive", Receive, stateTest, noRole},
	{-60, "wait for receive", Receive, stateWait, recvDone}, {-61, "wait for receive, blocked", Receive, stateWait,
		recvDone}, {-62, "cancel receive", Receive, stateOthers, noRole},
	{-201, "file open", InputOutput, stateIO, fileRequest}, {-202, "file close", InputOutput, stateIO, fileRequest},
	{-221, "file write", InputOutput, stateIO, transfer},
	{-251, "file read", InputOutput, stateIO, transfer},
	{-401, "clock synchronisation", Synchronise, stateSync, noRole},
	{barrier, "barrier", Synchronise, stateSync, noRole},
	{-501, "get processors", Allocate, stateSchedule, noRole},
	{-502, "release processors", Allocate, stateSchedule, noRole}, {-503, "spawn", Allocate, stateSchedule, noRole},
	{-601, "idle", Generic, stateIdle, noRole}, {-602, "system overhead", Generic, stateOthers, noRole},
	{-603, "user overhead", Generic, stateOthers, noRole},
	{-756, "pack", Collective, stateOthers, noRole}, {-773, "unpack", Collective, stateOthers, noRole},
	{-780, "allgather", Collective, stateGroup, noRole}, {allreduce, "allreduce", Collective, stateGroup, noRole},
	{-783, "alltoall", Collective, stateGroup, noRole},
	{bcast, "bcast", Collective, stateGroup, noRole}, {-786, "gather", Collective, stateGroup, noRole},
	{-790, "reduce", Collective, stateGroup, noRole},
	{-791, "reduce-scatter", Collective, stateGroup, noRole}, {-792, "scan", Collective, stateGroup, noRole},
	{-793, "scatter", Collective, stateGroup, noRole},
	{-804, "communicator create", Collective, stateOthers, noRole}, {-805, "communicator dup", Collective, stateOthers,
		noRole}, {-806, "communicator free", Collective, stateOthers, noRole},
	{-812, "communicator split", Collective, stateOthers, noRole},
	{-826, "intercommunicator create", Collective, stateOthers, noRole},
	{-827, "intercommunicator merge", Collective, stateOthers, noRole}, {-841, "cartesian create", Collective,
		stateOthers, noRole}, {-846, "cartesian sub", Collective, stateOthers, noRole},
	{-849, "graph create", Collective, stateOthers, noRole},
	{envelope, "tracing", EnvelopeClass, stateRunning, noRole},
	{-902, "trace statistics", TracingClass, stateOthers, noRole}, {-903, "trace files", TracingClass, stateOthers,
		noRole}, {-904, "trace level", TracingClass, stateOthers, noRole},
	{-905, "trace info", TracingClass, stateOthers, noRole}, {-911, "trace message", TracingClass, stateOthers, noRole},
	{traceFlush, "trace flush", TracingClass, stateOthers, noRole},
	{-913, "trace full", TracingClass, stateOthers, noRole},
	{-914, "trace overwrite", TracingClass, stateOthers, noRole},
})

// withNonblocking adds the four kinds of nonblocking sends: six events each, from -27 downwards.
func withNonblocking(list []Event) []Event {
	id := -27
	for _, kind := range []string{"", "buffered ", "synchronous ", "ready "} {
		for _, e := range []Event{{0, "begin nonblocking " + kind + "send", Transmit, stateIsend, sendBegin},
			{0, "test " + kind + "send, done", Transmit, stateTest, noRole},
			{0, "test " + kind + "send", Transmit, stateTest, noRole},
			{0, "wait for " + kind + "send", Transmit, stateWait, noRole},
			{0, "wait for " + kind + "send, blocked", Transmit, stateWait, noRole},
			{0, "cancel " + kind + "send", Transmit, stateOthers, noRole}} {
			e.ID = id
			list = append(list, e)
			id--
		}
	}
	return list
}

// ranges have the classes of unknown system events: down to an ID.
var ranges = []struct {
	last  int
	class Class
	state uint32
}{{-20, Setup, stateOthers}, {-50, Transmit, stateSend}, {-200, Receive, stateRecv}, {-400, InputOutput, stateIO},
	{-500, Synchronise, stateSync}, {-600, Allocate, stateSchedule},
	{-700, Generic, stateOthers}, {-900, Collective, stateGroup}, {lastUnnamed, TracingClass, stateOthers}}

var byID = func() map[int]*Event {
	m := map[int]*Event{}
	for i := range Events {
		m[Events[i].ID] = &Events[i]
	}
	return m
}()

// EventOf returns a system event by its number, below -10; known is false for numbers that PICL does not define, whose
// class is that of their neighbours.
func EventOf(id int) (e *Event, known bool) {
	if e, ok := byID[id]; ok {
		return e, true
	}
	e = &Event{ID: id, Name: fmt.Sprintf("system event %d", id), Class: TracingClass, state: stateOthers}
	for _, r := range ranges {
		if id >= r.last {
			e.Class, e.state = r.class, r.state
			break
		}
	}
	return e, false
}
