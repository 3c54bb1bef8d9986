package network

// Messages that compete for the links of a direct network.
//
// A message takes the links of its route (dimension by dimension on grids, else a shortest route), each of which
// carries one message at a time, first come first served. The links that it holds depend on the switching:
//
//   - packet: a link at a time, each for t(s), after it has arrived whole. Processors on the way store it.
//   - cut-through: a link at a time. The header is over it after t0, and asks for the next; the link is free after t0 +
//     t(s).
//     A message whose header must wait is stored where it is.
//   - circuit, wormhole: all links at once, until the message has arrived. It waits its turn at each of them, in the
//     order of sending, so that
//     there is no deadlock.
//
// Because links serve in the order of requests, and requests come in the order of time, the time at which a link will
// be free is known when it is requested: links have no queues. Without competitors the times are those of the network
// "direct".

import (
	"pview/sim"
	"pview/sim/engine/clock"
	"pview/sim/topology"
)

// contention is the network with contention.
type contention struct {
	fabrics
	links [1 + 16]*linkTable // by Handling.Routine; operations without their own network share the one for messages
}

// linkState is a link.
type linkState struct {
	free     float64 // when it becomes free
	busy     float64 // how long it has been held
	messages int64
	bytes    int64
}

// linkTable has the links in pages, since a large complete graph uses few of them.
type linkTable struct {
	ports int
	pages [][]linkState
}

const linkPage = 1 << 10

func newLinkTable(t topology.Topology) *linkTable {
	return &linkTable{t.Ports(), make([][]linkState, (t.Vertices()*t.Ports()+linkPage-1)/linkPage)}
}

func (l *linkTable) at(vertex, port int) *linkState {
	n := vertex*l.ports + port
	page := &l.pages[n/linkPage]
	if *page == nil {
		*page = make([]linkState, linkPage)
	}
	return &(*page)[n%linkPage]
}

func newContention(h Host) (Network, error) {
	f, err := newFabrics(h)
	if err != nil {
		return nil, err
	}
	n := &contention{fabrics: f}
	for i := range n.links {
		if n.links[i] = n.links[0]; n.links[i] == nil || n.of[i] != n.of[0] {
			n.links[i] = newLinkTable(n.of[i].Topology)
		}
	}
	return n, nil
}

// Plan: outPort and inPort are the vertices the current position and the destination of the message.
func (n *contention) Plan(t *Transfer, _ *sim.Message) {
	f := n.of[t.Routine]
	t.outLink, t.inLink, t.pool = linkless, linkless, noPool
	t.outPort, t.inPort = f.at[t.From], f.at[t.To]
	d := f.distance(t.From, t.To)
	n.Hops += int64(d)
	n.ByteHops += int64(d) * t.Size
	t.duration = f.Time(d, t.Size)
}

func (n *contention) Release(int32) {}

func (n *contention) Request(tr int32) {
	t := &n.List[tr]
	f := n.of[t.Routine]
	switch {
	case t.outPort == t.inPort:
		n.depart(tr, t)
	case f.Switching == sim.SwitchCircuit || f.Switching == sim.SwitchWormhole:
		n.holdAll(tr, t, f)
	default:
		t.PhysicalSend = -1
		n.Hop(tr)
	}
}

// holdAll reserves the whole route, starting when its last link becomes free.
func (n *contention) holdAll(tr int32, t *Transfer, f *fabric) {
	links := n.links[t.Routine]
	start := n.Now
	for at := int(t.outPort); at != int(t.inPort); {
		port, next := f.Next(at, int(t.inPort))
		start = max(start, links.at(at, port).free)
		at = next
	}
	for at := int(t.outPort); at != int(t.inPort); {
		port, next := f.Next(at, int(t.inPort))
		links.at(at, port).take(start, t.duration, t.Size)
		at = next
	}
	n.Waits[t.From].Links += start - n.Now
	t.PhysicalSend = start
	n.Schedule(start+t.duration, clock.TransferDone, tr)
}

// take holds a link.
func (l *linkState) take(from, long float64, bytes int64) {
	l.free = from + long
	l.busy += long
	l.messages++
	l.bytes += bytes
}

// Hop takes the next link of a message.
func (n *contention) Hop(tr int32) {
	t := &n.List[tr]
	f := n.of[t.Routine]
	port, next := f.Next(int(t.outPort), int(t.inPort))
	l := n.links[t.Routine].at(int(t.outPort), port)
	start := max(n.Now, l.free)
	n.Waits[t.From].Links += start - n.Now
	if t.PhysicalSend < 0 {
		t.PhysicalSend = start
	}
	ahead, behind := f.LinkTime(float64(t.Size)), 0.0
	if f.Switching == sim.SwitchCutThrough {
		ahead, behind = f.ControlTime(), ahead
	}
	l.take(start, ahead+behind, t.Size)
	if t.outPort = int32(next); t.outPort == t.inPort {
		n.Schedule(start+ahead+behind, clock.TransferDone, tr)
		return
	}
	n.Schedule(start+ahead, clock.LinkPassed, tr)
}

// Loads returns the loads of the used links, sorted by network, processor and port.
func (n *contention) Loads() (list []sim.LinkLoad) {
	for r, table := range n.links {
		if r > 0 && table == n.links[0] {
			continue
		}
		for p, page := range table.pages {
			for k := range page {
				if l := &page[k]; l.messages > 0 {
					from, to := topology.Ends(n.of[r].Topology, p*linkPage+k)
					list = append(list, sim.LinkLoad{From: int32(from), To: int32(to), Routine: uint8(r),
						Messages: l.messages, Bytes: l.bytes, Busy: l.busy})
				}
			}
		}
	}
	return list
}
