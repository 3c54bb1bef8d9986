package dimemas

// Operations from MPI calls: messages by the kind of the call at each of their ends, and collective operations.

import (
	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
)

// write puts a record into the program.
func (th *threadTranslator) write(it *item) {
	switch {
	case it.kind == idle:
		if len(th.calls) == 0 {
			th.burst()
		}
		th.out.AddIdle(it.value != 0)
	case it.kind == physicalSend:
	case it.kind < event:
		th.message(it)
	case isCall(it.typ) && it.value != 0:
		if len(th.calls) == 0 {
			th.burst()
		}
		th.out.AddEvent(it.typ, it.value)
		th.calls = append(th.calls, call{typ: it.typ, value: it.value})
		if th.early != nil {
			th.early.calls++
		}
		th.beginCollective(it)
	case isCall(it.typ):
		th.endCall(it)
	case th.worker && th.idleBefore(it):
		th.last = th.at
		th.out.AddEvent(it.typ, it.value)
	default:
		if len(th.calls) == 0 {
			th.pollArea(it)
		}
		th.out.AddEvent(it.typ, it.value)
	}
}

// idleBefore reports whether the time before an event of an OpenMP worker is dropped: outside of any outlined function
// it only waits for work. prv2dim decides by counting begins and ends; an end without its start (traces have them for
// worksharing) throws it off, so it drops a little time elsewhere, once. This is kept for identical predictions.
func (th *threadTranslator) idleBefore(it *item) bool {
	step := 1
	if it.value == 0 {
		step = -1
	}
	depth := th.depth
	switch it.typ {
	case extrae.OpenMPOutlined:
		th.depth += step
		return it.value != 0 && depth == 0
	case extrae.OpenMPBarrier:
		th.depth += step
		return it.value != 0 && depth == -1
	case extrae.OpenMPWorksharing:
		th.depth += step
	}
	return false
}

// pollArea writes the computation before an event outside of calls; between failed calls of MPI_Iprobe or MPI_Test it
// may be dropped.
func (th *threadTranslator) pollArea(it *item) {
	rate := 0.0
	switch it.typ {
	case extrae.ProbeMisses:
		rate = th.tr.opt.ProbeRate
	case extrae.TestMisses:
		rate = th.tr.opt.TestRate
	}
	if rate > 0 && it.value != 0 && th.at > th.last {
		ms := float64(th.at-th.last) * th.tr.unit / 1e6
		if float64(it.value)/ms >= rate {
			th.out.AddCompute(0)
			th.last = th.at
			return
		}
	}
	th.burst()
}

// endCall writes the end of a call; a call without an operation gets a no-operation.
func (th *threadTranslator) endCall(it *item) {
	for _, o := range th.ops { // begun at the same instant
		th.collective(o)
	}
	th.ops = th.ops[:0]
	if n := len(th.calls); n > 0 {
		c := th.calls[n-1]
		th.calls = th.calls[:n-1]
		if th.early != nil && c.typ != extrae.MPICollective {
			for _, comm := range th.early.waits(pointToPoint[c.value]) {
				c.done = true
				th.addMessage(sim.Wait, th.tr.t.Comms.Send[comm], comm)
			}
		}
		switch {
		case c.typ == extrae.MPIOther && c.value == 31 && !th.tr.opt.NoInitBarrier && th.world() >= 0:
			th.out.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: th.world()})
		case c.typ == extrae.MPIPointToPoint && c.value == 5 && !c.done && len(th.pending) > 0:
			th.out.AddCollective(sim.CollectiveWait, th.pending[0])
			th.pending = th.pending[1:]
			th.out.AddNop()
		case !c.done || c.typ == extrae.MPICollective:
			th.out.AddNop()
		}
	}
	th.out.AddEvent(it.typ, it.value)
	th.last = th.at
}

// world returns the row of communicator 1, or -1.
func (th *threadTranslator) world() int32 {
	if row, ok := th.tr.comms[th.tr.t.Tasks[th.task].Ptask][1]; ok {
		return row
	}
	return -1
}

// use is the meaning of the ends of messages in a call; 0 for none.
type use struct{ logicalSend, logicalRecv, physicalRecv sim.Kind }

// pointToPoint has, by call number, the meaning of the ends of messages in the call.
var pointToPoint = map[int64]use{
	1:   {logicalSend: sim.SendRendezvous},                                       // Send
	34:  {logicalSend: sim.SendRendezvous},                                       // Ssend
	35:  {logicalSend: sim.SendRendezvous},                                       // Rsend
	61:  {logicalSend: sim.SendRendezvous},                                       // Probe
	190: {logicalSend: sim.SendRendezvous},                                       // Mprobe
	123: {logicalSend: sim.SendRendezvous, logicalRecv: sim.Irecv},               // Start
	124: {logicalSend: sim.SendRendezvous, logicalRecv: sim.Irecv},               // Startall
	3:   {logicalSend: sim.Isend},                                                // Isend
	33:  {logicalSend: sim.Isend},                                                // Bsend
	37:  {logicalSend: sim.Isend},                                                // Issend
	62:  {logicalSend: sim.Isend},                                                // Iprobe
	36:  {logicalSend: sim.Isend},                                                // Ibsend; prv2dim does not know it
	38:  {logicalSend: sim.IsendRendezvous},                                      // Irsend
	41:  {logicalSend: sim.Send, logicalRecv: sim.Irecv, physicalRecv: sim.Wait}, // Sendrecv
	42:  {logicalSend: sim.Send, logicalRecv: sim.Irecv, physicalRecv: sim.Wait}, // Sendrecv_replace
	2:   {logicalRecv: sim.Recv},                                                 // Recv
	192: {logicalRecv: sim.Recv},                                                 // Mrecv
	4:   {logicalRecv: sim.Irecv},                                                // Irecv
	193: {logicalRecv: sim.Irecv},                                                // Imrecv
	5:   {physicalRecv: sim.Wait},                                                // Wait
	6:   {physicalRecv: sim.Wait},                                                // Waitall
	59:  {physicalRecv: sim.Wait},                                                // Waitany
	60:  {physicalRecv: sim.Wait},                                                // Waitsome
	39:  {physicalRecv: sim.Wait},                                                // Test
	126: {physicalRecv: sim.Wait},                                                // Testany
	125: {physicalRecv: sim.Wait},                                                // Testall
}

// message writes an end of a message by its meaning in the call.
func (th *threadTranslator) message(it *item) {
	n := len(th.calls)
	if n == 0 {
		th.messageOutside(it)
		return
	}
	c := &th.calls[n-1]
	u := c.use()
	c.take(it.kind, it.comm)
	var kind sim.Kind
	peer := th.tr.t.Comms.Send[it.comm]
	switch it.kind {
	case logicalSend:
		kind, peer = u.logicalSend, th.tr.t.Comms.Recv[it.comm]
	case logicalRecv:
		kind = u.logicalRecv
	case physicalRecv:
		if kind = u.physicalRecv; kind == 0 && u.logicalRecv == sim.Recv {
			return // a blocking receive is written at its start
		}
	}
	if th.early != nil {
		switch {
		case it.kind == physicalRecv && (kind == 0 || !th.early.waited(it.comm)):
			th.early.arrives(it.comm)
			return
		case kind == sim.Irecv:
			th.early.posts(it.comm)
		}
	}
	if kind == 0 {
		th.counts.Unexpected++
		return
	}
	th.polls = th.polls || c.value == 59 || c.value == 60 || c.value == 39
	c.done = true
	th.addMessage(kind, peer, it.comm)
}

// messageOutside handles a point of a message outside calls.
func (th *threadTranslator) messageOutside(it *item) {
	switch {
	case it.kind == physicalRecv && th.early != nil:
		th.early.arrives(it.comm)
	case it.kind != physicalRecv || !th.receivedBefore(it.comm):
		th.counts.Outside++
	}
}

func (th *threadTranslator) addMessage(kind sim.Kind, peer, comm int32) {
	c := &th.tr.t.Comms
	th.out.AddMessage(kind, sim.Message{Peer: th.tr.t.ThreadTask[peer], Size: c.Size[comm], Tag: c.Tag[comm],
		Match: th.tr.match[comm]})
}

// receivedBefore reports whether a message's receive needed no wait.
func (th *threadTranslator) receivedBefore(comm int32) bool {
	c := &th.tr.t.Comms
	return c.Times[prv.LogicalRecv][comm] == c.Times[prv.PhysicalRecv][comm]
}

// Collective operations by call number: blocking and non-blocking.
var (
	blockingCalls = map[int64]sim.CollectiveOp{8: 0, 7: 1, 13: 2, 14: 3, 15: 4, 16: 5, 17: 6, 18: 7, 11: 8, 12: 9,
		9: sim.OpReduce, 10: 11, 80: 12, 168: 13, 30: 14, 170: 15}
	startedCalls = map[int64]sim.CollectiveOp{156: 0, 157: 1, 162: 2, 163: 3, 164: 4, 165: 5, 160: 6, 161: 7, 158: 8,
		159: 9, 154: sim.OpReduce, 155: 11, 166: 12, 169: 13, 167: 14, 171: 15}
)

// beginCollective records the operation of a call that begins; it is written after the
// events of the instant.
func (th *threadTranslator) beginCollective(it *item) {
	if it.typ != extrae.MPICollective {
		return
	}
	code, blocking := blockingCalls[it.value]
	started := false
	if !blocking {
		code, started = startedCalls[it.value]
	}
	if !blocking && !started {
		return
	}
	if it.line == nil {
		th.counts.Incomplete++
		return
	}
	row, ok := th.tr.comms[th.tr.t.Tasks[th.task].Ptask][it.line.comm]
	if !ok {
		th.counts.Incomplete++
		return
	}
	o := op{kind: sim.Collective, call: sim.CollectiveCall{Communicator: row, Op: code, Root: it.line.root,
		Sent: it.line.sent, Received: it.line.received}}
	switch {
	case started:
		o.kind = sim.CollectiveStart
	case code == sim.OpReduce:
		n := th.reduces[row]
		th.reduces[row]++
		o.kind, o.call.Root = sim.Reduce, false
		if n < len(th.tr.roots[row]) {
			o.call.RootTask = th.tr.roots[row][n]
		} else {
			o.call.RootTask = th.tr.p.Communicators[row].Tasks[0]
		}
	}
	th.ops = append(th.ops, o)
}

func (th *threadTranslator) collective(o op) {
	th.out.AddCollective(o.kind, o.call)
	if o.kind == sim.CollectiveStart {
		th.pending = append(th.pending, o.call)
	}
}
