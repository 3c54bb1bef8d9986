package picl

// The system events of PICL (codes of MPICL), and the states that they become; package system has their classes.

import (
	"fmt"

	"pview/prv/extrae/system"
)

// Event types that only this package reads; package system has the others.
const (
	markType    = 75000000 // an instant that the program marks, by its number
	messageType = 75000001 // a text that the program traces
	// usersInOrder is the first user event whose type does not follow from its number.
	usersInOrder = 1_000_000
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

// usedStates are the states in use; they are Extrae's.
var usedStates = []int64{stateIdle, stateRunning, stateRecv, stateSend, stateSync, stateTest, stateSchedule, stateWait,
	stateIsend, stateIrecv, stateIO, stateGroup, stateUntraced, stateOthers}

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

// event describes a system event.
type event struct {
	id    int // negative
	name  string
	state uint32
	role  role
}

func (e *event) class() system.Class { return system.ClassOf(e.id) }

const (
	envelope      = system.EnvelopeEvent
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
	firstSystemID = -11
)

// systemEvents are the known system events.
var systemEvents = withNonblocking([]event{
	{openEvent, "open", stateOthers, noRole}, {closeEvent, "close", stateOthers, noRole},
	{-13, "who", stateOthers, noRole}, {-14, "recvinfo", stateOthers, noRole},
	{-15, "set buffering", stateOthers, noRole}, {-16, "status check", stateOthers, noRole},
	{sendEvent, "send", stateSend, sendCall}, {-22, "buffered send", stateSend, sendCall},
	{-23, "synchronous send", stateSend, sendCall},
	{-24, "ready send", stateSend, sendCall},
	{recvNow, "receive", stateRecv, recvCall}, {recvBlocked, "receive, blocked", stateRecv, recvCall},
	{probeNow, "probe", stateTest, noRole}, {-54, "probe, nothing there", stateTest, noRole},
	{-55, "blocking probe", stateTest, noRole},
	{-56, "blocking probe, blocked", stateTest, noRole},
	{beginIrecv, "begin nonblocking receive", stateIrecv, recvBegin},
	{-58, "test receive, done", stateTest, recvDone}, {-59, "test receive", stateTest, noRole},
	{-60, "wait for receive", stateWait, recvDone}, {-61, "wait for receive, blocked", stateWait,
		recvDone}, {-62, "cancel receive", stateOthers, noRole},
	{-201, "file open", stateIO, fileRequest}, {-202, "file close", stateIO, fileRequest},
	{-221, "file write", stateIO, transfer},
	{-251, "file read", stateIO, transfer},
	{-401, "clock synchronisation", stateSync, noRole},
	{barrier, "barrier", stateSync, noRole},
	{-501, "get processors", stateSchedule, noRole},
	{-502, "release processors", stateSchedule, noRole}, {-503, "spawn", stateSchedule, noRole},
	{-601, "idle", stateIdle, noRole}, {-602, "system overhead", stateOthers, noRole},
	{-603, "user overhead", stateOthers, noRole},
	{-756, "pack", stateOthers, noRole}, {-773, "unpack", stateOthers, noRole},
	{-780, "allgather", stateGroup, noRole}, {allreduce, "allreduce", stateGroup, noRole},
	{-783, "alltoall", stateGroup, noRole},
	{bcast, "bcast", stateGroup, noRole}, {-786, "gather", stateGroup, noRole},
	{-790, "reduce", stateGroup, noRole},
	{-791, "reduce-scatter", stateGroup, noRole}, {-792, "scan", stateGroup, noRole},
	{-793, "scatter", stateGroup, noRole},
	{-804, "communicator create", stateOthers, noRole}, {-805, "communicator dup", stateOthers,
		noRole}, {-806, "communicator free", stateOthers, noRole},
	{-812, "communicator split", stateOthers, noRole},
	{-826, "intercommunicator create", stateOthers, noRole},
	{-827, "intercommunicator merge", stateOthers, noRole},
	{-841, "cartesian create", stateOthers, noRole}, {-846, "cartesian sub", stateOthers, noRole},
	{-849, "graph create", stateOthers, noRole},
	{envelope, "tracing", stateRunning, noRole},
	{-902, "trace statistics", stateOthers, noRole}, {-903, "trace files", stateOthers,
		noRole}, {-904, "trace level", stateOthers, noRole},
	{-905, "trace info", stateOthers, noRole}, {-911, "trace message", stateOthers, noRole},
	{traceFlush, "trace flush", stateOthers, noRole},
	{-913, "trace full", stateOthers, noRole},
	{-914, "trace overwrite", stateOthers, noRole},
})

// withNonblocking adds the four kinds of nonblocking sends: six events each, from -27 downwards.
func withNonblocking(list []event) []event {
	id := -27
	for _, kind := range []string{"", "buffered ", "synchronous ", "ready "} {
		for _, e := range []event{{0, "begin nonblocking " + kind + "send", stateIsend, sendBegin},
			{0, "test " + kind + "send, done", stateTest, noRole},
			{0, "test " + kind + "send", stateTest, noRole},
			{0, "wait for " + kind + "send", stateWait, noRole},
			{0, "wait for " + kind + "send, blocked", stateWait, noRole},
			{0, "cancel " + kind + "send", stateOthers, noRole}} {
			e.id = id
			list = append(list, e)
			id--
		}
	}
	return list
}

// classStates are the states of unknown system events.
var classStates = map[system.Class]uint32{system.Transmit: stateSend, system.Receive: stateRecv,
	system.InputOutput: stateIO, system.Synchronise: stateSync, system.Allocate: stateSchedule,
	system.Collective: stateGroup}

var byID = func() map[int]*event {
	m := map[int]*event{}
	for i := range systemEvents {
		m[systemEvents[i].id] = &systemEvents[i]
	}
	return m
}()

// eventOf returns a system event by its number, which is below -10; known is false for numbers that PICL does not
// define, which are treated like others of their class.
func eventOf(id int) (e *event, known bool) {
	if e, ok := byID[id]; ok {
		return e, true
	}
	e = &event{id: id, name: fmt.Sprintf("system event %d", id), state: stateOthers}
	if state, ok := classStates[e.class()]; ok {
		e.state = state
	}
	return e, false
}
