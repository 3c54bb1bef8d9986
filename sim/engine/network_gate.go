package engine

// Collective operations that occupy a whole network (thesis, 3.5.2): the operation waits until the messages
// that were ready before it have arrived; messages that become ready later wait until it is over. So it acts as
// a gate between them, independent of the network behind it.

// gate lets messages and collective operations into a network.
type gate struct {
	network
	e       *engine
	moving  int   // admitted transfers in progress
	closed  bool  // an operation is in progress
	waiting deque // transfers, and collective instances as -1-instance
}

// passes reports whether a transfer stays within a node, and so needs no network.
func (g *gate) passes(tr int32) bool {
	t := &g.e.transfers.list[tr]
	return g.e.tasks[t.from].node == g.e.tasks[t.to].node
}

func (g *gate) request(tr int32) {
	switch {
	case g.passes(tr):
		g.network.request(tr)
	case g.closed || g.waiting.n > 0:
		g.e.transfers.list[tr].requested = g.e.now
		g.e.transfers.awaitBus(&g.e.transfers.list[tr])
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

// within reports whether an operation stays within a node, and so needs no network.
func (g *gate) within(in int32) bool {
	parts := g.e.collectives.groups[g.e.collectives.instances[in].group].parts
	return len(parts) == 1 && len(parts[0].nodes) == 1
}

func (g *gate) occupy(in int32) bool {
	if g.within(in) {
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
	if !g.within(in) {
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
			g.e.collectives.begin(-1 - who)
			return
		}
		g.moving++
		since := g.e.transfers.list[who].requested
		g.e.transfers.gotBus(&g.e.transfers.list[who])
		g.network.request(who)
		g.e.tasks[g.e.transfers.list[who].from].waitBuses += g.e.now - since
	}
}
