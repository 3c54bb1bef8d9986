package network

// The network of Dimemas: links and buses, acquired in turn.
//
// A message between nodes takes an output link of its source, then an input link of its destination, then a bus of the
// network; it holds its resources while waiting for the rest, and all of them during the transfer: size/bandwidth. The
// same holds within a node, with links of each task and the node's own buses, and between clusters, with links of each
// cluster and no bus. Bandwidth is not shared: a message waits or moves at full speed. Queues are first come, first
// served, with two exceptions that affect times, and so must match Dimemas:
//
//   - A message that holds an output link but waits for its input link may be robbed
//     of the output link by one that finds its own input link free; the robbed one
//     then becomes the first in the queue for an output link.
//   - Links are freed, and those who wait for them retry, before the bus is: a message
//     that gets its links at that moment finds no bus, and joins the end of its queue.
//
// Occupy has the needs of collective operations, wide.go those over several clusters.

// linksAndBuses is the network of Dimemas.
type linksAndBuses struct {
	wiring
	missing map[int32]int         // buses that a collective operation within a cluster waits for
	wide    map[int32]*occupation // of operations over several clusters
	over    []*occupation         // for reuse
}

func (w *linksAndBuses) Request(tr int32) {
	t := &w.List[tr]
	t.requested = w.Now
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

// try advances a transfer as far as possible, and queues it where it has to wait.
func (w *linksAndBuses) try(tr int32) {
	t := &w.List[tr]
	if t.inFirst && t.inLink == noLink && !w.takeIn(tr, t) {
		w.ports[t.inPort].waitIn.PushBack(tr)
		return
	}
	if t.outLink == noLink {
		if !w.takeOut(tr, t) {
			w.ports[t.outPort].waitOut.PushBack(tr)
			return
		}
		w.countWait(t)
	}
	if t.inLink == noLink && !w.takeIn(tr, t) {
		t.waitsIn = true
		w.ports[t.inPort].waitIn.PushBack(tr)
		return
	}
	if t.Linked < 0 {
		t.Linked = w.Now
		w.countWait(t)
	}
	if t.pool != noPool {
		if p := &w.pools[t.pool]; p.buses > 0 {
			if p.free == 0 {
				w.awaitBus(t)
				p.queue.PushBack(tr)
				return
			}
			p.free--
		}
	}
	w.Waits[t.From].Buses += w.Now - t.Linked
	w.gotBus(t)
	w.depart(tr, t)
}

// countWait counts a completed wait for a link.
func (w *linksAndBuses) countWait(t *Transfer) {
	w.Waits[t.From].Links += w.Now - t.requested
	t.requested = w.Now
}

// takeOut acquires an output link, possibly from a transfer that is itself waiting.
func (w *linksAndBuses) takeOut(tr int32, t *Transfer) bool {
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

// takeIn acquires an input link; on a half-duplex node possibly from a transfer that is
// itself waiting.
func (w *linksAndBuses) takeIn(tr int32, t *Transfer) bool {
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
		p.holder, p.taken = make([]int32, p.out+p.in), make([]int64, p.out+p.in)
	}
	for i := first; i < first+n; i++ {
		if p.holder[i] == 0 {
			p.holder[i], p.taken[i] = tr, p.takings
			p.takings++
			return int32(i)
		}
	}
	panic("sim: a free link that is not there")
}

// lendable returns the output link whose holder waits for its input link, the one taken longest ago if there are
// several; or -1.
func (w *linksAndBuses) lendable(p *port) int {
	link := -1
	for i, h := range p.holder[:min(p.out, len(p.holder))] {
		if h > 0 && w.List[h].waitsIn && (link < 0 || p.taken[i] < p.taken[link]) {
			link = i
		}
	}
	return link
}

// rob takes an output link from a waiting transfer.
func (w *linksAndBuses) rob(p *port, link int) {
	victim := p.holder[link]
	t := &w.List[victim]
	t.waitsIn = false
	t.outLink = noLink
	t.requested = w.Now // its wait until now does not count, as in Dimemas
	w.ports[t.inPort].waitIn.Remove(victim)
	w.ports[t.outPort].waitOut.PushFront(victim)
}

func (w *linksAndBuses) Release(tr int32) {
	t := &w.List[tr] // stays valid: releasing makes no new transfer
	if t.outLink >= 0 {
		w.releaseOut(&w.ports[t.outPort], t.outLink)
	}
	if t.inLink >= 0 {
		w.releaseIn(&w.ports[t.inPort], t.inLink)
	}
	if t.pool != noPool {
		if p := &w.pools[t.pool]; p.buses > 0 {
			p.free++
			w.serve(p)
		}
	}
}

// releaseOut frees an output link, which serves both directions if links are half duplex.
func (w *linksAndBuses) releaseOut(p *port, link int32) {
	p.holder[link] = 0
	p.freeOut++
	if p.half {
		w.wakeIn(p)
	}
	w.wakeOut(p)
}

// releaseIn frees an input link.
func (w *linksAndBuses) releaseIn(p *port, link int32) {
	p.holder[link] = 0
	if p.half {
		p.freeOut++
		w.wakeOut(p)
	} else {
		p.freeIn++
	}
	w.wakeIn(p)
}

func (w *linksAndBuses) wakeOut(p *port) {
	if p.waitOut.N == 0 {
		return
	}
	who := p.waitOut.PopFront()
	if who < 0 {
		w.getOut(-1-who, p)
		return
	}
	w.try(who)
}

func (w *linksAndBuses) wakeIn(p *port) {
	if p.waitIn.N == 0 {
		return
	}
	who := p.waitIn.PopFront()
	if who < 0 {
		w.getIn(-1-who, p)
		return
	}
	w.List[who].waitsIn = false
	w.try(who)
}

// serve grants free buses to waiting transfers and operations.
func (w *linksAndBuses) serve(p *pool) {
	for p.free > 0 && p.queue.N > 0 {
		who := p.queue.Front()
		if who >= 0 {
			w.try(p.queue.PopFront())
			continue
		}
		p.free--
		p.queue.PopFront()
		w.collectiveGetsBus(-1-who, p)
	}
}

// Occupy takes the buses of the network of a collective operation: the free ones immediately, the others as they become
// free.
func (w *linksAndBuses) Occupy(in int32) bool {
	clusters := w.Operations.Clusters(in)
	if len(clusters) > 1 {
		return w.occupyWide(in, clusters)
	}
	missing := w.takeBuses(in, &w.pools[clusters[0]])
	if missing > 0 {
		w.missing[in] = missing
	}
	return missing == 0
}

// takeBuses takes the free buses of a network, queues for the others, and returns their number.
func (w *linksAndBuses) takeBuses(in int32, p *pool) (missing int) {
	missing = p.buses - p.free
	p.free = 0
	for range missing {
		p.queue.PushBack(-1 - in)
	}
	return missing
}

func (w *linksAndBuses) Vacate(in int32) {
	clusters := w.Operations.Clusters(in)
	if len(clusters) > 1 {
		w.vacateWide(in)
		return
	}
	if p := &w.pools[clusters[0]]; p.buses > 0 {
		p.free = p.buses
		w.serve(p)
	}
}

// collectiveGetsBus grants an operation one of the buses that it waits for.
func (w *linksAndBuses) collectiveGetsBus(in int32, p *pool) {
	if w.wide[in] != nil {
		w.wideGetsBus(in, p)
		return
	}
	if w.missing[in]--; w.missing[in] == 0 {
		delete(w.missing, in)
		w.Operations.Begin(in)
	}
}
