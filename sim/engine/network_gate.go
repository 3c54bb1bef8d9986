package engine

// Collective operations that occupy a whole network (thesis, 3.5.2): the operation waits until the messages
// that were ready before it have arrived; messages that become ready later wait until it is over. So it acts as
// a gate between them, independent of the network behind it.

// gate lets messages and collective operations into a network.
type gate struct {
	network
	host
	moving  int   // admitted transfers in progress
	closed  bool  // an operation is in progress
	waiting deque // transfers, and collective instances as -1-instance
}

// passes reports whether a transfer stays within a node, and so needs no network.
func (g *gate) passes(tr int32) bool {
	t := &g.list[tr]
	return g.node[t.from] == g.node[t.to]
}

func (g *gate) request(tr int32) {
	switch {
	case g.passes(tr):
		g.network.request(tr)
	case g.closed || g.waiting.n > 0:
		g.list[tr].requested = g.now
		g.awaitBus(&g.list[tr])
		g.waiting.pushBack(tr)
	default:
		g.moving++
		g.network.request(tr)
	}
}

func (g *gate) release(tr int32) {
	g.network.release(tr)
	if !g.passes(tr) {
		g.moving--
		g.open()
	}
}

func (g *gate) occupy(in int32) bool {
	if g.ops.withinNode(in) {
		return true
	}
	if g.closed || g.moving > 0 || g.waiting.n > 0 {
		g.waiting.pushBack(-1 - in)
		return false
	}
	g.closed = true
	return true
}

func (g *gate) vacate(in int32) {
	if !g.ops.withinNode(in) {
		g.closed = false
		g.open()
	}
}

// open admits waiting transfers and operations, up to an operation that has to wait for others.
func (g *gate) open() {
	for !g.closed && g.waiting.n > 0 {
		who := g.waiting.front()
		if who < 0 && g.moving > 0 {
			return
		}
		g.waiting.popFront()
		if who < 0 {
			g.closed = true
			g.ops.begin(-1 - who)
			return
		}
		g.moving++
		since := g.list[who].requested
		g.gotBus(&g.list[who])
		g.network.request(who)
		g.waits[g.list[who].from].buses += g.now - since
	}
}
