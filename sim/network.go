package sim

// Messages on their way: which links and buses they need, who gets them first.
//
// A message between nodes takes an output link of its source, then an input link
// of its destination, then a bus of the network; it holds what it has while it
// waits for the rest, and all of it for the time of the transfer: size/bandwidth.
// The same holds within a node, with links of each task and the node's own buses, and between
// clusters, with links of each cluster and no bus. Bandwidth is not shared: messages
// wait or go. Who waits waits in the order of asking, but for two exceptions that
// decide times, and so must be as they are in Dimemas:
//
//   - A message that holds an output link but waits for its input link may be robbed
//     of the output link by one that finds its own input link free; the robbed one
//     is then the first to wait for an output link again.
//   - Links are freed, and who waits for them tries again, before the bus is: a message
//     that gets its links in that moment finds no bus, and stands at the end of
//     the queue for it.

// port is the set of links of a node, a task or a cluster.
type port struct {
	out, in         int // links; half duplex: out of them, for both directions
	half, unlimited bool
	freeOut, freeIn int
	holder          []int32 // transfer by link: outputs, then inputs; 0: free; nil before the first
	waitOut, waitIn deque   // of transfers
}

func newPort(l Links) port {
	p := port{out: l.Out, in: l.In, half: l.HalfDuplex(), unlimited: l.Unlimited()}
	if p.half {
		p.out, p.in = l.Out+l.In, 0
	}
	p.freeOut, p.freeIn = p.out, p.in
	return p
}

// pool is the set of buses of a network.
type pool struct {
	buses, free int
	queue       deque // transfers; a collective instance, as -1-instance, for each bus that it waits for
}

// Links of a transfer that stand for none.
const (
	noLink         = -1 // not taken yet
	linkless       = -2 // none is needed
	noPort, noPool = -1, -1
)

// network moves messages. It calls engine.depart when one has all it needs.
type network interface {
	// request asks for what a transfer needs.
	request(tr int32)
	// release gives back what a transfer that is over holds.
	release(tr int32)
}

// linksAndBuses is the network of Dimemas.
type linksAndBuses struct {
	e     *engine
	ports []port
	pools []pool
}

func (w *linksAndBuses) request(tr int32) {
	t := &w.e.transfers[tr]
	t.requested = w.e.now
	t.outLink, t.inLink = linkless, linkless
	if t.outPort != noPort {
		t.outLink, t.inLink = noLink, noLink
		if w.ports[t.outPort].unlimited {
			t.outLink = linkless
		}
		if w.ports[t.inPort].unlimited {
			t.inLink = linkless
		}
	}
	w.try(tr)
}

// try goes as far as it can with a transfer, and queues it where it cannot go on.
func (w *linksAndBuses) try(tr int32) {
	t := &w.e.transfers[tr]
	if t.inFirst && t.inLink == noLink && !w.takeIn(tr, t) {
		w.ports[t.inPort].waitIn.pushBack(tr)
		return
	}
	if t.outLink == noLink && !w.takeOut(tr, t) {
		w.ports[t.outPort].waitOut.pushBack(tr)
		return
	}
	if t.inLink == noLink && !w.takeIn(tr, t) {
		t.waitsIn = true
		w.ports[t.inPort].waitIn.pushBack(tr)
		return
	}
	e := w.e
	if t.linked < 0 {
		t.linked = e.now
		e.tasks[t.from].waitLinks += e.now - t.requested
	}
	if t.pool != noPool {
		if p := &w.pools[t.pool]; p.buses > 0 {
			if p.free == 0 {
				p.queue.pushBack(tr)
				return
			}
			p.free--
		}
	}
	e.tasks[t.from].waitBuses += e.now - t.linked
	e.depart(tr, t)
}

// takeOut gets an output link, also one that another only waits with.
func (w *linksAndBuses) takeOut(tr int32, t *transfer) bool {
	p := &w.ports[t.outPort]
	if p.freeOut > 0 {
		t.outLink = p.takeFree(tr, 0, p.out, &p.freeOut)
		return true
	}
	if !t.borrows {
		return false
	}
	link := w.lendable(p)
	if link < 0 || t.inLink == noLink && !w.takeIn(tr, t) {
		return false
	}
	w.rob(p, link)
	p.holder[link] = tr
	t.outLink = int32(link)
	return true
}

// takeIn gets an input link; of a half-duplex node also one that another only waits
// with.
func (w *linksAndBuses) takeIn(tr int32, t *transfer) bool {
	p := &w.ports[t.inPort]
	if !p.half {
		if p.freeIn == 0 {
			return false
		}
		t.inLink = p.takeFree(tr, p.out, p.in, &p.freeIn)
		return true
	}
	if p.freeOut > 0 {
		t.inLink = p.takeFree(tr, 0, p.out, &p.freeOut)
		return true
	}
	if !t.borrows {
		return false
	}
	link := w.lendable(p)
	if link < 0 || p.holder[link] == tr {
		return false
	}
	w.rob(p, link)
	p.holder[link] = tr
	t.inLink = int32(link)
	return true
}

func (p *port) takeFree(tr int32, first, n int, free *int) int32 {
	*free--
	if p.holder == nil {
		p.holder = make([]int32, p.out+p.in)
	}
	for i := first; i < first+n; i++ {
		if p.holder[i] == 0 {
			p.holder[i] = tr
			return int32(i)
		}
	}
	panic("sim: a free link that is not there")
}

// lendable returns an output link whose holder waits for its input link, or -1.
func (w *linksAndBuses) lendable(p *port) int {
	for i, h := range p.holder {
		if i < p.out && h != 0 && w.e.transfers[h].waitsIn {
			return i
		}
	}
	return -1
}

// rob takes an output link from the transfer that waits with it.
func (w *linksAndBuses) rob(p *port, link int) {
	victim := p.holder[link]
	t := &w.e.transfers[victim]
	t.waitsIn = false
	t.outLink = noLink
	t.requested = w.e.now // what it waited so far does not count, as in Dimemas
	w.ports[t.inPort].waitIn.remove(victim)
	w.ports[t.outPort].waitOut.pushFront(victim)
}

func (w *linksAndBuses) release(tr int32) {
	t := w.e.transfers[tr]
	if t.outLink >= 0 {
		p := &w.ports[t.outPort]
		p.holder[t.outLink] = 0
		p.freeOut++
		if p.half {
			w.wakeIn(p)
		}
		w.wakeOut(p)
	}
	if t.inLink >= 0 {
		p := &w.ports[t.inPort]
		p.holder[t.inLink] = 0
		if p.half {
			p.freeOut++
			w.wakeOut(p)
		} else {
			p.freeIn++
		}
		w.wakeIn(p)
	}
	if t.pool != noPool {
		if p := &w.pools[t.pool]; p.buses > 0 {
			p.free++
			w.serve(p)
		}
	}
}

func (w *linksAndBuses) wakeOut(p *port) {
	if p.waitOut.n > 0 {
		w.try(p.waitOut.popFront())
	}
}

func (w *linksAndBuses) wakeIn(p *port) {
	if p.waitIn.n > 0 {
		tr := p.waitIn.popFront()
		w.e.transfers[tr].waitsIn = false
		w.try(tr)
	}
}

// serve gives free buses to those who wait for them.
func (w *linksAndBuses) serve(p *pool) {
	for p.free > 0 && p.queue.n > 0 {
		who := p.queue.front()
		if who >= 0 {
			w.try(p.queue.popFront())
			continue
		}
		p.free--
		p.queue.popFront()
		w.e.collectiveGetsBus(-1 - who)
	}
}

// takeAll asks for all buses of a network for a collective operation. It returns how many it has
// to wait for.
func (p *pool) takeAll(instance int32) (missing int) {
	missing = p.buses - p.free
	p.free = 0
	for range missing {
		p.queue.pushBack(-1 - instance)
	}
	return missing
}

// route says how a message goes: what it needs, and how long it takes.
func (e *engine) route(t *transfer, m *Message) {
	from, to := e.tasks[t.from].node, e.tasks[t.to].node
	a, b := &e.m.Nodes[from], &e.m.Nodes[to]
	w := e.links
	t.borrows, t.inFirst, t.flight, t.pool = false, false, 0, noPool
	var perByte float64
	switch {
	case from == to:
		t.outPort, t.inPort, t.pool = w.taskPort(e, t.from), w.taskPort(e, t.to), w.nodePool(e, from)
		if t.from == t.to {
			t.outPort, t.inPort = noPort, noPort
		}
		perByte = e.localPerByte[from]
		t.inFirst = a.Local.Links.HalfDuplex() && t.from > t.to
	case a.Cluster == b.Cluster:
		t.outPort, t.inPort, t.pool = from, to, int32(a.Cluster)
		t.borrows = true
		perByte = e.netPerByte[a.Cluster]
	default:
		if c := e.connection(int32(a.Cluster), int32(b.Cluster), m); c >= 0 {
			t.outPort, t.inPort = w.connectionPorts(e, c)
			perByte = nsPerByte(e.m.Connections[c].Bandwidth)
			t.flight = e.m.Connections[c].Flight
			break
		}
		t.outPort, t.inPort = w.clusterPort(e, a.Cluster), w.clusterPort(e, b.Cluster)
		t.inFirst = e.m.WAN.Links.HalfDuplex() && a.Cluster > b.Cluster
		perByte = nsPerByte(e.m.WAN.Bandwidth)
		if f := e.m.Clusters[a.Cluster].Flight; f != nil {
			t.flight = f[b.Cluster]
		}
	}
	t.duration = float64(t.size) * perByte
}

// latency is the startup of a message between two tasks: that of the sender's node.
func (e *engine) latency(from, to int32, m *Message) float64 {
	a, b := e.tasks[from].node, e.tasks[to].node
	n := &e.m.Nodes[a]
	switch {
	case a == b:
		return n.Local.Latency
	case n.Cluster == e.m.Nodes[b].Cluster:
		return n.Latency
	}
	if c := e.connection(int32(n.Cluster), int32(e.m.Nodes[b].Cluster), m); c >= 0 {
		return e.m.Connections[c].Latency
	}
	return n.WANLatency
}

// connection finds the dedicated line that a message takes, or -1.
func (e *engine) connection(from, to int32, m *Message) int {
	for i := range e.m.Connections {
		if e.m.Connections[i].takes(from, to, m) {
			return i
		}
	}
	return -1
}

// Ports stand in the order: nodes, tasks, clusters, connections (two each); pools: clusters, nodes.

func newLinksAndBuses(e *engine) *linksAndBuses {
	w := &linksAndBuses{e: e}
	for i := range e.m.Nodes {
		w.ports = append(w.ports, newPort(e.m.Nodes[i].Links))
	}
	for i := range e.tasks {
		w.ports = append(w.ports, newPort(e.m.Nodes[e.tasks[i].node].Local.Links))
	}
	for range e.m.Clusters {
		w.ports = append(w.ports, newPort(e.m.WAN.Links))
	}
	for range 2 * len(e.m.Connections) {
		w.ports = append(w.ports, newPort(Links{1, 1}))
	}
	for i := range e.m.Clusters {
		w.pools = append(w.pools, pool{buses: e.m.Clusters[i].Buses, free: e.m.Clusters[i].Buses})
	}
	for i := range e.m.Nodes {
		b := e.m.Nodes[i].Local.Buses
		w.pools = append(w.pools, pool{buses: b, free: b})
	}
	return w
}

func (w *linksAndBuses) taskPort(e *engine, task int32) int32 { return int32(len(e.m.Nodes)) + task }

func (w *linksAndBuses) clusterPort(e *engine, c int) int32 {
	return int32(len(e.m.Nodes) + len(e.tasks) + c)
}

// connectionPorts: a line has one output and one input link for both directions.
func (w *linksAndBuses) connectionPorts(e *engine, c int) (out, in int32) {
	p := w.clusterPort(e, len(e.m.Clusters)) + int32(2*c)
	return p, p + 1
}

func (w *linksAndBuses) nodePool(e *engine, node int32) int32 { return int32(len(e.m.Clusters)) + node }
