package network

// Collective operations that occupy a whole network (thesis, 3.5.2): the operation waits until the messages that were
// ready before it have arrived; messages that become ready later wait until it is over. So it acts as a gate,
// independent of the network behind it.

import "pview/sim/engine/clock"

// gate admits messages and collective operations to a network.
type gate struct {
	Network
	Host
	moving  int         // admitted transfers in progress
	closed  bool        // an operation is in progress
	waiting clock.Deque // transfers, and collective instances as -1-instance
}

// passes reports whether a transfer stays within a node, and so needs no network.
func (g *gate) passes(tr int32) bool {
	t := &g.List[tr]
	return g.Node[t.From] == g.Node[t.To]
}

func (g *gate) Request(tr int32) {
	switch {
	case g.passes(tr):
		g.Network.Request(tr)
	case g.closed || g.waiting.N > 0:
		g.List[tr].requested = g.Now
		g.awaitBus(&g.List[tr])
		g.waiting.PushBack(tr)
	default:
		g.moving++
		g.Network.Request(tr)
	}
}

func (g *gate) Release(tr int32) {
	g.Network.Release(tr)
	if !g.passes(tr) {
		g.moving--
		g.open()
	}
}

func (g *gate) Occupy(in int32) bool {
	if g.Operations.WithinNode(in) {
		return true
	}
	if g.closed || g.moving > 0 || g.waiting.N > 0 {
		g.waiting.PushBack(-1 - in)
		return false
	}
	g.closed = true
	return true
}

func (g *gate) Vacate(in int32) {
	if !g.Operations.WithinNode(in) {
		g.closed = false
		g.open()
	}
}

// open admits waiting transfers and operations, up to an operation that has to wait for others.
func (g *gate) open() {
	for !g.closed && g.waiting.N > 0 {
		who := g.waiting.Front()
		if who < 0 && g.moving > 0 {
			return
		}
		g.waiting.PopFront()
		if who < 0 {
			g.closed = true
			g.Operations.Begin(-1 - who)
			return
		}
		g.moving++
		since := g.List[who].requested
		g.gotBus(&g.List[who])
		g.Network.Request(who)
		g.Waits[g.List[who].From].Buses += g.Now - since
	}
}
