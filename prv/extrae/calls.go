package extrae

// The role of each MPI call in communication: whether it sends, posts a receive or completes one. Calls are recognised
// by their labels in the .pcf, or by Extrae's numbers if labels are missing.

import (
	"strings"

	"pview/prv"
)

// Call is the kind of an MPI call, by its part in communication.
type Call uint8

// The kinds. Calls without a part in communication are OtherCall.
const (
	OtherCall Call = iota
	Send           // standard mode: it may wait for the receiver
	SyncSend       // always waits for the receiver
	LocalSend      // buffered or ready: never waits
	Isend
	SyncIsend
	LocalIsend
	Recv
	Irecv
	Sendrecv
	StartRequest // of persistent requests
	Wait
	Waitall
	Waitany
	Waitsome
	Test  // Test, Testall, Testany, Testsome: never waits
	Probe // blocking
	Iprobe
	OneToAll // Bcast, Scatter
	AllToOne // Reduce, Gather
	PrefixScan
	AllToAll // every member needs all others
	Barrier
	Init
	Finalize
	Fence  // and Win_create, Win_free: like AllToAll
	Access // Put, Get, Accumulate
	WinStart
	WinComplete
	WinPost
	WinWait
	WinLock
	WinUnlock
	UnknownCollective
	TeamBarrier // of OpenMP
	TeamJoin    // of an OpenMP worksharing construct, with wait
	Lock        // OpenMP: from the request until the thread has it
	Unlock
	Taskwait

	numCalls
)

// CallRole is a set of roles of a kind of call.
type CallRole uint8

// The roles.
const (
	Sends     CallRole = 1 << iota // starts a message
	Posts                          // posts a receive
	Completes                      // may complete a receive
	Group                          // a collective operation
)

var callRoles = [numCalls]CallRole{
	Send: Sends, SyncSend: Sends, LocalSend: Sends, Isend: Sends, SyncIsend: Sends, LocalIsend: Sends,
	Recv: Posts | Completes, Irecv: Posts, Sendrecv: Sends | Posts | Completes, StartRequest: Sends | Posts,
	Wait: Completes, Waitall: Completes, Waitany: Completes, Waitsome: Completes, Test: Completes,
	OneToAll: Group, AllToOne: Group, PrefixScan: Group, AllToAll: Group, Barrier: Group, Init: Group, Finalize: Group,
	Fence:             Group,
	UnknownCollective: Group,
}

// Is reports whether calls of the kind have a role.
func (c Call) Is(r CallRole) bool { return callRoles[c]&r != 0 }

// CallKind is the kind of a call, and whether it is a collective operation that returns immediately.
type CallKind struct {
	Call
	Nonblocking bool
}

// mpiCalls are the calls by name; numbers are Extrae's, 0 if only the label identifies the call.
var mpiCalls = []struct {
	number int64
	name   string
	kind   CallKind
}{
	{1, "Send", CallKind{Call: Send}}, {2, "Recv", CallKind{Call: Recv}}, {3, "Isend", CallKind{Call: Isend}},
	{4, "Irecv", CallKind{Call: Irecv}},
	{5, "Wait", CallKind{Call: Wait}}, {6, "Waitall", CallKind{Call: Waitall}},
	{59, "Waitany", CallKind{Call: Waitany}}, {60, "Waitsome", CallKind{Call: Waitsome}},
	{33, "Bsend", CallKind{Call: LocalSend}}, {34, "Ssend", CallKind{Call: SyncSend}},
	{35, "Rsend", CallKind{Call: LocalSend}},
	{36, "Ibsend", CallKind{Call: LocalIsend}}, {37, "Issend", CallKind{Call: SyncIsend}},
	{38, "Irsend", CallKind{Call: LocalIsend}},
	{39, "Test", CallKind{Call: Test}}, {0, "Testall", CallKind{Call: Test}}, {0, "Testany", CallKind{Call: Test}},
	{0, "Testsome", CallKind{Call: Test}},
	{41, "Sendrecv", CallKind{Call: Sendrecv}}, {42, "Sendrecv_replace", CallKind{Call: Sendrecv}},
	{61, "Probe", CallKind{Call: Probe}}, {62, "Iprobe", CallKind{Call: Iprobe}}, {0, "Mprobe", CallKind{Call: Probe}},
	{0, "Improbe", CallKind{Call: Iprobe}},
	{0, "Mrecv", CallKind{Call: Recv}}, {0, "Imrecv", CallKind{Call: Irecv}},
	{0, "Start", CallKind{Call: StartRequest}}, {124, "Startall", CallKind{Call: StartRequest}},
	{7, "Bcast", CallKind{Call: OneToAll}}, {15, "Scatter", CallKind{Call: OneToAll}},
	{16, "Scatterv", CallKind{Call: OneToAll}},
	{9, "Reduce", CallKind{Call: AllToOne}}, {13, "Gather", CallKind{Call: AllToOne}},
	{14, "Gatherv", CallKind{Call: AllToOne}},
	{30, "Scan", CallKind{Call: PrefixScan}}, {0, "Exscan", CallKind{Call: PrefixScan}},
	{10, "Allreduce", CallKind{Call: AllToAll}}, {11, "Alltoall", CallKind{Call: AllToAll}},
	{12, "Alltoallv", CallKind{Call: AllToAll}},
	{0, "Alltoallw", CallKind{Call: AllToAll}}, {17, "Allgather", CallKind{Call: AllToAll}},
	{18, "Allgatherv", CallKind{Call: AllToAll}},
	{80, "Reduce_scatter", CallKind{Call: AllToAll}}, {0, "Reduce_scatter_block", CallKind{Call: AllToAll}},
	{8, "Barrier", CallKind{Call: Barrier}}, {31, "Init", CallKind{Call: Init}},
	{0, "Init_thread", CallKind{Call: Init}}, {32, "Finalize", CallKind{Call: Finalize}},
	{63, "Win_create", CallKind{Call: Fence}}, {64, "Win_free", CallKind{Call: Fence}},
	{68, "Win_fence", CallKind{Call: Fence}},
	{65, "Put", CallKind{Call: Access}}, {66, "Get", CallKind{Call: Access}},
	{67, "Accumulate", CallKind{Call: Access}}, {0, "Get_accumulate", CallKind{Call: Access}},
	{69, "Win_start", CallKind{Call: WinStart}}, {70, "Win_complete", CallKind{Call: WinComplete}},
	{71, "Win_post", CallKind{Call: WinPost}}, {72, "Win_wait", CallKind{Call: WinWait}},
	{0, "Win_lock", CallKind{Call: WinLock}}, {0, "Win_unlock", CallKind{Call: WinUnlock}},
	{156, "Ibarrier", CallKind{Barrier, true}}, {157, "Ibcast", CallKind{OneToAll, true}},
	{155, "Iallreduce", CallKind{AllToAll, true}},
	{0, "Iscatter", CallKind{OneToAll, true}}, {0, "Iscatterv", CallKind{OneToAll, true}},
	{0, "Ireduce", CallKind{AllToOne, true}},
	{0, "Igather", CallKind{AllToOne, true}}, {0, "Igatherv", CallKind{AllToOne, true}},
	{0, "Iscan", CallKind{PrefixScan, true}}, {0, "Iexscan", CallKind{PrefixScan, true}},
	{0, "Ialltoall", CallKind{AllToAll, true}}, {0, "Ialltoallv", CallKind{AllToAll, true}},
	{0, "Ialltoallw", CallKind{AllToAll, true}},
	{0, "Iallgather", CallKind{AllToAll, true}}, {0, "Iallgatherv", CallKind{AllToAll, true}},
	{0, "Ireduce_scatter", CallKind{AllToAll, true}},
	{0, "Ireduce_scatter_block", CallKind{AllToAll, true}},
}

// Calls has the kinds of a trace's MPI calls by the values of their events.
type Calls struct {
	own     map[int64]CallKind // by label
	known   map[int64]bool     // values that have a label
	numbers map[int64]CallKind
}

// CallsOf returns the kinds of the MPI calls of a trace with the given labels.
func CallsOf(l *prv.Labels) *Calls {
	c := &Calls{own: map[int64]CallKind{}, known: map[int64]bool{}, numbers: map[int64]CallKind{}}
	byName := map[string]CallKind{}
	for _, m := range mpiCalls {
		byName["mpi_"+strings.ToLower(m.name)] = m.kind
		if m.number > 0 {
			c.numbers[m.number] = m.kind
		}
	}
	for _, typ := range Of(l).Family(MPI) {
		t, ok := l.Type(typ)
		if !ok {
			continue
		}
		for _, v := range t.Values {
			c.known[v.Value] = true
			if kind, ok := byName[strings.ToLower(strings.TrimSpace(v.Label))]; ok {
				c.own[v.Value] = kind
			}
		}
	}
	for _, number := range []int64{69, 70} { // Extrae has swapped their labels
		if k := c.own[number].Call; k == WinStart || k == WinComplete {
			c.own[number] = c.numbers[number]
		}
	}
	return c
}

// Kind returns the kind of the call with the given value.
func (c *Calls) Kind(value int64) CallKind {
	if k, ok := c.own[value]; ok {
		return k
	}
	if c.known[value] {
		return CallKind{}
	}
	return c.numbers[value]
}

// StartsOnly reports whether the call with a label only starts an operation: its name begins with MPI_I, but so do
// MPI_Init and similar names.
func StartsOnly(label string) bool {
	return strings.HasPrefix(label, "MPI_I") &&
		(!strings.HasPrefix(label, "MPI_In") || strings.HasPrefix(label, "MPI_Ineighbor"))
}

// stateCalls are the kinds of call that a tracer's states represent in a trace without events of calls.
var stateCalls = map[uint32]Call{3: Recv, 4: Send, 8: Waitall, 9: Send, 10: Isend, 11: Irecv, 13: UnknownCollective,
	16: Sendrecv}

// simulatedCalls are the same for a simulator's states.
var simulatedCalls = map[uint32]Call{3: Recv, 4: Recv, 9: SyncSend}

// Call returns the kind of call that a state represents, in a trace without events of calls.
func (s *States) Call(state uint32) Call {
	switch s.Writer {
	case Simulator:
		return simulatedCalls[state]
	case Thesis:
		return map[uint32]Call{3: Recv, 12: Recv}[state]
	}
	return stateCalls[state]
}
