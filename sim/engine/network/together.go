package network

// The network of the thesis (3.1.1): one queue, in the order in which messages became ready; each takes all its
// resources together. When a resource becomes free the queue is scanned from its front, and every message that finds
// all its resources goes. So a message may overtake an earlier one that waits for something else, but never takes a
// resource that the earlier one could have used.

// takenTogether is a network of links and buses that are acquired together.
type takenTogether struct {
	wiring
	waiting []int32 // transfers, and collective instances as -1-instance, oldest first
}

func (w *takenTogether) Request(tr int32) {
	t := &w.List[tr]
	t.requested = w.Now
	if !w.start(tr) {
		w.waiting = append(w.waiting, tr)
	}
}

// start starts a transfer if all its resources are free.
func (w *takenTogether) start(tr int32) bool {
	t := &w.List[tr]
	if t.outPort != noPort {
		out, in := &w.ports[t.outPort], &w.ports[t.inPort]
		if !out.unlimited && out.freeOut == 0 || !in.unlimited && in.freeForInput() == 0 {
			return false
		}
	}
	if t.Linked < 0 {
		t.Linked = w.Now
	}
	if t.pool != noPool {
		p := &w.pools[t.pool]
		if p.closed || p.buses > 0 && p.free == 0 {
			w.awaitBus(t)
			return false
		}
		if p.buses > 0 {
			p.free--
		}
	}
	if t.outPort != noPort {
		w.ports[t.outPort].freeOut--
		w.ports[t.inPort].addInput(-1)
	}
	w.Waits[t.From].Links += t.Linked - t.requested
	w.Waits[t.From].Buses += w.Now - t.Linked
	w.gotBus(t)
	w.depart(tr, t)
	return true
}

// freeForInput returns the number of further messages that can enter.
func (p *port) freeForInput() int {
	if p.half {
		return p.freeOut
	}
	return p.freeIn
}

func (p *port) addInput(n int) {
	if p.half {
		p.freeOut += n
	} else {
		p.freeIn += n
	}
}

func (w *takenTogether) Release(tr int32) {
	t := &w.List[tr]
	if t.outPort != noPort {
		w.ports[t.outPort].freeOut++
		w.ports[t.inPort].addInput(1)
	}
	if t.pool != noPool && w.pools[t.pool].buses > 0 {
		w.pools[t.pool].free++
	}
	w.serve()
}

// serve starts, in order, all waiting transfers and operations that find all their resources.
func (w *takenTogether) serve() {
	if len(w.waiting) == 0 {
		return
	}
	for i := range w.pools {
		w.pools[i].closed = false
	}
	left := w.waiting[:0]
	for _, who := range w.waiting {
		switch {
		case who >= 0 && w.start(who):
		case who < 0 && w.take(-1-who):
			w.Operations.Begin(-1 - who)
		default:
			left = append(left, who)
		}
	}
	w.waiting = left
}

// Occupy takes the buses of a collective operation's networks when all are free; until then no later request gets one.
func (w *takenTogether) Occupy(in int32) bool {
	if w.take(in) {
		return true
	}
	w.waiting = append(w.waiting, -1-in)
	return false
}

func (w *takenTogether) take(in int32) bool {
	clusters := w.Operations.Clusters(in)
	for _, k := range clusters {
		if p := &w.pools[k]; p.closed || p.free < p.buses {
			for _, k := range clusters {
				q := &w.pools[k]
				q.closed = q.buses > 0
			}
			return false
		}
	}
	for _, k := range clusters {
		w.pools[k].free -= w.pools[k].buses
	}
	return true
}

func (w *takenTogether) Vacate(in int32) {
	clusters := w.Operations.Clusters(in)
	for _, k := range clusters {
		w.pools[k].free += w.pools[k].buses
	}
	w.serve()
}
