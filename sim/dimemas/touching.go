package dimemas

// Calls that touch: one begins at the instant at which the one before it ends.
//
// The steps of the clock make them: 10 ns on some machines, 1 us in many traces. prv2dim gives all ends of messages of
// the instant to the call that ends, and drops those that this call does not expect; then a partner waits for ever.
// Here an end belongs to the first of the calls that still expects one of its kind.

import (
	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
)

// several are the calls in which more than one message begins or ends.
var several = map[int64]bool{6: true, 60: true, 124: true, 125: true} // Waitall, Waitsome, Startall, Testall

// use returns the meaning of the ends of messages in the call.
func (c *call) use() use {
	if c.typ == extrae.MPICollective {
		return use{}
	}
	return pointToPoint[c.value]
}

// take notes an end of a message that lies in the call.
func (c *call) take(kind itemKind, comm int32) { c.took[kind] = comm + 1 }

// expects reports whether an end of a message may lie in the call, given those that do.
func (c *call) expects(kind itemKind, comm int32) bool {
	u, free := c.use(), c.took[kind] == 0 || several[c.value]
	switch {
	case kind == logicalSend:
		return u.logicalSend != 0 && free
	case kind == logicalRecv:
		return u.logicalRecv != 0 && free
	case kind == physicalRecv && (u.physicalRecv != 0 || u.logicalRecv == sim.Recv):
		return free && (u.logicalRecv == 0 || c.took[logicalRecv] == comm+1)
	}
	return kind == physicalSend
}

// ownFirst finds the first end that belongs to the call ended by a line, and moves it to the front of the ends of the
// same instant. It returns false if there is none: all belong to calls that begin after the line.
func (th *threadTranslator) ownFirst(ends []messageEnd, e *prv.Events, first int) bool {
	next := th.nextCall(e, first+1, e.Time[first])
	if next < 0 {
		return true
	}
	c := th.openCall()
	if c == nil {
		return true
	}
	for i := 0; i < len(ends) && ends[i].time == e.Time[first]; i++ {
		if own := ends[i]; c.expects(own.kind, own.comm) || !th.expectedLater(&own, e, next) {
			copy(ends[1:i+1], ends[:i])
			ends[0] = own
			return true
		}
	}
	return false
}

// expectedLater reports whether an end of a message may lie in a call that begins at its instant, at an event or later.
// In a trace from a simulation, the arrival of a message needs no call.
func (th *threadTranslator) expectedLater(end *messageEnd, e *prv.Events, at int) bool {
	if end.kind == physicalRecv && th.early != nil {
		return false
	}
	for ; at >= 0; at = th.nextCall(e, at+1, end.time) {
		c := call{typ: e.Type[at], value: e.Value.At(at)}
		if end.kind == physicalRecv && c.use().logicalRecv != 0 {
			c.take(logicalRecv, end.comm)
		}
		if c.expects(end.kind, end.comm) {
			return true
		}
	}
	return false
}

// nextCall returns the first event at an instant, from one on, that begins a call; -1: none.
func (th *threadTranslator) nextCall(e *prv.Events, from int, time int64) int {
	for k := from; k < e.Len() && e.Time[k] == time; k++ {
		if isCall(e.Type[k]) && e.Value.At(k) != 0 {
			return k
		}
	}
	return -1
}

// openCall is the innermost open call with the ends of messages in it, as far as the group has been examined: Waitall
// may have thousands of them at one instant.
type openCall struct {
	call
	seen  int  // items of the group
	ended bool // the group has the end of a call
}

// openCall returns the innermost open call, with the ends of messages in the group; nil if none or if the group has the
// end of one.
func (th *threadTranslator) openCall() *call {
	o := &th.open
	if n := len(th.calls); o.seen == 0 {
		*o = openCall{}
		if n > 0 {
			o.call = th.calls[n-1]
		}
	}
	for _, it := range th.group[o.seen:] {
		switch {
		case it.kind <= physicalRecv:
			o.take(it.kind, it.comm)
		case it.kind == event && isCall(it.typ) && it.value == 0:
			o.ended = true
		case it.kind == event && isCall(it.typ):
			o.call = call{typ: it.typ, value: it.value}
		}
	}
	if o.seen = len(th.group); o.ended || o.typ == 0 {
		return nil
	}
	return &o.call
}
