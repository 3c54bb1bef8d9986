package replay

// What a message takes on the ways of a run, fitted to messages that their receiver waited for: latency and time per
// byte within a node and between nodes.

import (
	"slices"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv/extrae"
)

// Network are the fitted costs, in the trace's unit.
type Network struct {
	g *eventgraph.Graph
	// Latency and PerByte by kind of way: waits.SameNode, waits.DifferentNodes.
	Latency, PerByte [2]float64
	// Fitted reports whether messages of a kind were there to fit.
	Fitted [2]bool
	// Starting is the time of a call that starts a send or a receive.
	Starting int64
	// Handling is the time of a call for a message that is there already.
	Handling map[extrae.Call]int64
}

// sample is a message's size and time.
type sample struct {
	size int64
	time float64
}

// fitNetwork fits the costs: the latency is the 5th percentile of the smallest messages, the time per byte the slope of
// the lower envelope from there to the largest.
func fitNetwork(g *eventgraph.Graph) Network {
	n := Network{g: g, Handling: map[extrae.Call]int64{}}
	c := &g.T.Comms
	type ending struct {
		ready int64
		m     int32
	}
	lasts := make([]map[int32]ending, g.T.NumThreads()) // by receiver and call: the message that was ready last
	const most = 200000
	step := max(1, c.Len()/most)
	for m := 0; m < c.Len(); m++ {
		g.Look()
		msg, ok := g.Waits.Message(int32(m))
		if !ok || msg.Complete < 0 || msg.Sent > msg.Done || step > 1 && int(msg.Complete)%step != 0 {
			continue
		}
		ready := msg.Sent
		if g.Waits.MayWait(int32(m)) {
			ready = max(ready, min(msg.Posted, msg.Done))
		}
		to := c.Recv[m]
		if lasts[to] == nil {
			lasts[to] = map[int32]ending{}
		}
		if x, ok := lasts[to][msg.Complete]; !ok || ready > x.ready {
			lasts[to][msg.Complete] = ending{ready, int32(m)}
		}
	}
	var ways [2][]sample
	durations := map[extrae.Call][]int64{}
	for th, calls := range lasts {
		for k := range calls {
			call := g.Waits.Call(int32(th), int(k))
			durations[call.Kind.Call] = append(durations[call.Kind.Call], call.Exit-call.Enter)
		}
	}
	n.Starting = n.starting()
	quick := 2 * n.Starting
	for kind, list := range durations {
		slices.Sort(list)
		n.Handling[kind] = min(list[len(list)/10], quick)
	}
	for th, calls := range lasts {
		for k, x := range calls {
			call := g.Waits.Call(int32(th), int(k))
			handling := n.Handling[call.Kind.Call]
			if anyOf(call.Kind.Call) || call.Exit-call.Enter <= 2*handling {
				continue // the message was there
			}
			way := n.Way(c.Send[x.m], c.Recv[x.m])
			ways[way] = append(ways[way], sample{c.Size[x.m], float64(call.Exit - x.ready - handling)})
		}
	}
	round := n.perRound()
	for way, list := range ways {
		if len(list) > 0 {
			n.Fitted[way] = true
			n.Latency[way], n.PerByte[way] = fitLine(list, round)
		}
	}
	return n
}

// starting is the 10th percentile of the time of calls that start sends and receives: most of them wait for nobody.
func (n *Network) starting() int64 {
	var list []int64
	for th := range int32(n.g.T.NumThreads()) {
		for k := range min(n.g.Waits.Calls(th), 2000) {
			if c := n.g.Waits.Call(th, k); c.Kind.Call == extrae.Isend || c.Kind.Call == extrae.Irecv {
				list = append(list, c.Exit-c.Enter)
			}
		}
	}
	c := &n.g.T.Comms
	for m := 0; m < c.Len() && len(list) < 100000; m++ {
		if msg, ok := n.g.Waits.Message(int32(m)); ok && msg.Send >= 0 && c.Size[m] < onlySize {
			if call := n.g.Waits.Call(c.Send[m], int(msg.Send)); call.Kind.Call == extrae.Send {
				list = append(list, call.Exit-call.Enter)
			}
		}
	}
	if len(list) == 0 {
		return int64(1500 / float64(n.g.T.Unit.Nanoseconds()))
	}
	slices.Sort(list)
	return list[len(list)/10]
}

// perRound is the time of the fastest small collective operation, per round of a tree; 0 if there is none.
func (n *Network) perRound() float64 {
	best := 0.0
	for i := range n.g.Waits.Instances {
		x := &n.g.Waits.Instances[i]
		if !x.Collective() || x.Nonblocking() || x.Parts < 2 || x.Left <= x.Last || x.Class == waits.InitCompletion ||
			x.Class == waits.WaitFinalize {
			continue
		}
		if t := float64(x.Left-x.Last) / eventgraph.Rounds(float64(x.Parts)); best == 0 || t < best {
			best = t
		}
	}
	return best
}

// Way is the kind of way between two threads: waits.SameNode or waits.DifferentNodes.
func (n *Network) Way(x, y int32) int {
	if n.g.T.ThreadNode(x) == n.g.T.ThreadNode(y) {
		return waits.SameNode
	}
	return waits.DifferentNodes
}

// Fit is a kind of way whose costs are fitted: the given one, else the other.
func (n *Network) Fit(way int) int {
	if n.Fitted[way] {
		return way
	}
	return 1 - way
}

// onlySize is the size from which messages of one size are said to take their time for their bytes.
const onlySize = 4096

// fitLine fits latency and time per byte. Where all messages have one size the latency is at most a round of the
// fastest collective operation.
func fitLine(list []sample, round float64) (latency, perByte float64) {
	slices.SortFunc(list, func(x, y sample) int { return int(x.size - y.size) })
	low := func(part []sample) float64 {
		times := make([]float64, len(part))
		for i := range part {
			times[i] = part[i].time
		}
		slices.Sort(times)
		return times[len(times)/20]
	}
	first, last := list[0].size, list[len(list)-1].size
	small := slices.IndexFunc(list, func(s sample) bool { return s.size > 2*first+64 })
	if small < 0 {
		if latency = low(list); first >= onlySize && round > 0 && round < latency {
			return round, (latency - round) / float64(first)
		}
		return latency, 0
	}
	latency = low(list[:small])
	large := slices.IndexFunc(list, func(s sample) bool { return s.size > last/2 })
	if high := low(list[large:]); high > latency {
		perByte = (high - latency) / float64(list[large].size-first)
		latency = max(0, latency-perByte*float64(first))
	}
	return latency, perByte
}

// Transfer is the usual time of a message.
func (n *Network) Transfer(m int32) int64 {
	c := &n.g.T.Comms
	return n.Takes(n.Way(c.Send[m], c.Recv[m]), c.Size[m])
}

// Takes is the usual time of a message of a size on a kind of way.
func (n *Network) Takes(way int, size int64) int64 {
	way = n.Fit(way)
	return int64(n.Latency[way] + n.PerByte[way]*float64(size))
}
