// Package network measures the cost of messages in a run: latency and time per byte, within a node and between nodes.
// Findings, repairs and the machine that replays a run take them from here.
//
// A recorded message shows the network if its receiver waited for it: the receive then ends when the message arrives.
// If a call completes several messages, the last one counts, from the start of its send to the end of the receive.
// Messages that may have waited for their receiver count only if there are no others of their size. A message that had
// already arrived gives an upper bound. If messages arrive without a call, as in a simulated or a message-driven run,
// all others count, from send to arrival.
//
// The network is often shared, and a process does not always run, so the fastest messages of each size count, with a
// Theil-Sen line through them.
package network

import (
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantile"
)

// Network has the times of messages, in the trace's unit.
type Network struct {
	t *prv.Trace
	w *waits.Result
	// Ways by kind: waits.SameNode, waits.DifferentNodes.
	Ways [2]Way
	// Starting is the time of a call that starts a send or a receive.
	Starting int64
	// Handling is the time of a call for a message that has already arrived: at most twice Starting, or Starting if all
	// messages came later. Without calls that show either, it counts as part of the message's time.
	Handling map[extrae.Call]int64
}

// Way is a kind of route. Without Messages its cost is unknown.
type Way struct {
	// Latency is the time of an empty message, from the start of its send to the end of the receive that waits for it.
	Latency, PerByte float64
	Call             float64 // the receive call's part of Latency: the usual time of these calls
	Messages         int     // behind the line
	One              int64   // bytes of the messages if all have one size; Latency includes their time
	AtMost           bool    // no receiver waited
}

// sample is a message's size and time.
type sample struct {
	size   int64
	time   float64
	call   float64 // that received it
	either bool    // it was in flight at least that long,
	most   bool    // at most that long
}

// Of measures the network of a run.
func Of(ctx context.Context, t *prv.Trace) (*Network, error) {
	w, err := waits.Analyze(ctx, t, waits.Options{OnlyWaits: true})
	if err != nil {
		return nil, err
	}
	return Measure(ctx, t, w)
}

// Measure measures the network of a run whose waits are known. The only error is ctx's.
func Measure(ctx context.Context, t *prv.Trace, w *waits.Result) (n *Network, err error) {
	defer parallel.OnEnd(ctx, &err)
	watch := parallel.NewWatch(ctx)
	n = &Network{t: t, w: w, Handling: map[extrae.Call]int64{}}
	var ways [2][]sample
	switch {
	case w.Simulated() || execution.IsDriven(t):
		ways = n.arrived(watch)
	default:
		if ways = n.waited(watch); len(ways[0])+len(ways[1]) == 0 {
			ways = n.arrived(watch)
		}
	}
	round := n.perRound()
	for way, list := range ways {
		if len(list) > 0 {
			n.Ways[way] = fit(list, round)
		}
	}
	return n, nil
}

// most is the number of messages, or of calls that complete them, examined.
const most = 200_000

// arrived returns the messages by kind of route, from send to arrival, except those that may have waited for their
// receiver
func (n *Network) arrived(watch *parallel.Watch) (ways [2][]sample) {
	c := &n.t.Comms
	for m := 0; m < c.Len(); m += max(1, c.Len()/most) {
		watch.Step()
		sent, took := c.Times[prv.LogicalSend][m], c.Times[prv.PhysicalRecv][m]-c.Times[prv.LogicalSend][m]
		if c.Send[m] == c.Recv[m] || took <= 0 || device.IsLink(n.t, int32(m)) ||
			n.w.MayWait(int32(m)) && c.Times[prv.LogicalRecv][m] > sent {
			continue
		}
		way := n.Way(c.Send[m], c.Recv[m])
		ways[way] = append(ways[way], sample{size: c.Size[m], time: float64(took)})
	}
	return ways
}

// receive is a call that completes messages, represented by the one ready last.
type receive struct {
	waits.Call
	message int32
	ready   int64
	either  bool // either ready when its receive was posted, or earlier, when it was sent
	far     bool // a message comes from another node
}

// waited returns the messages that calls completed, by kind of route; those that their receivers waited for are exact.
func (n *Network) waited(watch *parallel.Watch) (ways [2][]sample) {
	calls := n.receives(watch)
	alone := n.starting()
	n.Starting = max(1, int64(usualStart/float64(n.t.Unit.Nanoseconds())))
	if len(alone) > 0 {
		n.Starting = int64(quantile.Below(alone, 0.1))
	}
	there, all := map[extrae.Call][]float64{}, map[extrae.Call][]float64{}
	for i := range calls {
		x := &calls[i]
		k, took := x.Kind.Call, float64(x.Exit-x.Enter)
		if all[k] = append(all[k], took); x.Enter > x.ready {
			there[k] = append(there[k], took)
		}
	}
	for kind, list := range all {
		switch {
		case len(there[kind]) > 0:
			n.Handling[kind] = min(int64(quantile.Below(there[kind], 0.1)), 2*n.Starting)
		case len(alone) > 0:
			n.Handling[kind] = min(int64(quantile.Below(list, 0.1)), n.Starting)
		}
	}
	c := &n.t.Comms
	for i := range calls {
		x := &calls[i]
		handling := n.Handling[x.Kind.Call]
		took := x.Exit - x.ready
		if AnyOf(x.Kind.Call) || took <= handling {
			continue
		}
		way, there := n.Way(c.Send[x.message], c.Recv[x.message]), x.Exit-x.Enter <= 2*handling
		if way == waits.SameNode && x.far {
			there = true // the call seems to have waited for the other one
		}
		ways[way] = append(ways[way], sample{c.Size[x.message], float64(took), float64(handling), x.either, there})
	}
	return ways
}

// receives returns the calls that complete messages. It skips messages between nodes whose clocks contradict each
// other.
func (n *Network) receives(watch *parallel.Watch) (list []receive) {
	c := &n.t.Comms
	rows := make([]map[int32]int, n.t.NumThreads()) // of the list, by receiver and call
	step := max(1, c.Len()/most)
	skewed := n.skewed()
	for m := range int32(c.Len()) {
		watch.Step()
		msg, ok := n.w.Message(m)
		if !ok || msg.Complete < 0 || msg.Sent > msg.Done || step > 1 && int(msg.Complete)%step != 0 ||
			skewed[[2]int32{n.t.ThreadNode(c.Send[m]), n.t.ThreadNode(c.Recv[m])}] {
			continue
		}
		to, x := c.Recv[m], receive{message: m, ready: msg.Sent, far: n.Way(c.Send[m], c.Recv[m]) != waits.SameNode}
		if x.either = n.w.MayWait(m) && msg.Posted > msg.Sent; x.either {
			x.ready = min(msg.Posted, msg.Done)
		}
		if rows[to] == nil {
			rows[to] = map[int32]int{}
		}
		k, known := rows[to][msg.Complete]
		switch {
		case !known:
			x.Call = n.w.Call(to, int(msg.Complete))
			rows[to][msg.Complete] = len(list)
			list = append(list, x)
		case x.ready > list[k].ready:
			x.Call, x.far = list[k].Call, x.far || list[k].far
			list[k] = x
		default:
			list[k].far = list[k].far || x.far
		}
	}
	return list
}

// skewed returns the pairs of nodes, from sender to receiver, whose clocks contradict each other.
func (n *Network) skewed() map[[2]int32]bool {
	pairs := map[[2]int32]bool{}
	for _, x := range n.w.Clocks {
		pairs[[2]int32{x.From, x.To}], pairs[[2]int32{x.To, x.From}] = true, true
	}
	return pairs
}

// AnyOf reports whether a call need not wait for all the requests that it completes.
func AnyOf(k extrae.Call) bool {
	return k == extrae.Test || k == extrae.Iprobe || k == extrae.Waitany || k == extrae.Waitsome
}

// usualStart is the time of a call that starts a send or a receive, in ns, if no call shows it.
const usualStart = 1500

// starting returns the times of calls that start sends and receives: most of them do not wait.
func (n *Network) starting() (list []float64) {
	for th := range int32(n.t.NumThreads()) {
		for k := range min(n.w.Calls(th), 2000) {
			if c := n.w.Call(th, k); c.Kind.Call == extrae.Isend || c.Kind.Call == extrae.Irecv {
				list = append(list, float64(c.Exit-c.Enter))
			}
		}
	}
	c := &n.t.Comms
	for m := 0; m < c.Len() && len(list) < 100000; m++ {
		if msg, ok := n.w.Message(int32(m)); ok && msg.Send >= 0 && c.Size[m] < onlySize {
			if call := n.w.Call(c.Send[m], int(msg.Send)); call.Kind.Call == extrae.Send {
				list = append(list, float64(call.Exit-call.Enter))
			}
		}
	}
	return list
}

// perRound returns the time of the fastest small collective operation, per round of a tree; 0 if there is none.
func (n *Network) perRound() float64 {
	best := 0.0
	for i := range n.w.Instances {
		x := &n.w.Instances[i]
		if !x.Collective() || x.Nonblocking() || x.Parts < 2 || x.Left <= x.Last || x.Class == waits.InitCompletion ||
			x.Class == waits.WaitFinalize {
			continue
		}
		if t := float64(x.Left-x.Last) / Rounds(float64(x.Parts)); best == 0 || t < best {
			best = t
		}
	}
	return best
}

// Rounds returns the number of steps of a tree over n threads: ceil(log2 n).
func Rounds(n float64) float64 { return math.Ceil(math.Log2(max(1, n))) }

// onlySize is the size from which messages of one size are assumed to spend their time on their bytes.
const onlySize = 4096

// fit fits latency and time per byte. If all messages have about one size, and larger ones do not take significantly
// longer, the two cannot be separated: the latency is at most a round of the fastest collective operation.
func fit(list []sample, round float64) Way {
	p := fastest(list)
	least, last := p.sizes[0], p.sizes[len(p.sizes)-1]
	line := p.line()
	way := Way{Latency: max(0, line.At0), PerByte: line.Slope, Messages: len(list), AtMost: p.most}
	if last <= 2*least+64 && (last == least || line.Slope*(last-least) <= 2*line.Spread()) {
		way.Latency, way.PerByte, way.One = slices.Min(p.times), 0, int64(last)
		if least >= onlySize && round > 0 && round < way.Latency {
			way.Latency, way.PerByte, way.One = round, (way.Latency-round)/least, 0
		}
	}
	calls := make([]float64, len(list))
	for i := range list {
		calls[i] = list[i].call
	}
	way.Call = min(quantile.Median(calls), way.Latency)
	return way
}

// few is the share of messages that a point needs, including smaller sizes, to bound the latency.
const few = 0.01

// line returns the Theil-Sen line through the points. An empty message takes no longer than a small one: if the line
// passes above the smallest, for instance because the time per byte of large messages varies, it starts there.
func (p *points) line() quantile.Line {
	line := quantile.TheilSen(p.sizes, p.times, p.weights, 0)
	first, seen := 0, p.weights[0]
	for ; seen < few*floats.Sum(p.weights) && first < len(p.sizes)-1; first++ {
		seen += p.weights[first+1]
	}
	if line.At0+line.Slope*p.sizes[first] <= p.times[first] || first == len(p.sizes)-1 {
		return line
	}
	return quantile.From(p.sizes[first:], p.times[first:], p.weights[first:], 0)
}

// fast is the share of the messages of a size faster than the one that represents them.
const fast = 0.05

// mostSizes bounds the points of the line; if there are more, similar sizes are joined.
const mostSizes = 256

// points are the fastest messages of each size, weighted by the number of messages, in order of size.
type points struct {
	sizes, times, weights []float64
	most                  bool // no receiver waited
}

// fastest finds the fastest messages. Exact times count, or upper bounds if lower; without an exact time, lower and
// upper bounds.
func fastest(list []sample) (p points) {
	p.most = !slices.ContainsFunc(list, func(s sample) bool { return !s.most })
	exact, either, most := map[int64][]float64{}, map[int64][]float64{}, map[int64][]float64{}
	for _, s := range list {
		switch {
		case s.most && !s.either:
			most[s.size] = append(most[s.size], s.time)
		case s.either:
			either[s.size] = append(either[s.size], s.time)
		default:
			exact[s.size] = append(exact[s.size], s.time)
		}
	}
	for size, times := range either {
		if exact[size] == nil {
			exact[size] = times
		}
	}
	if len(exact) == 0 {
		exact = most
	}
	for _, size := range slices.Sorted(maps.Keys(exact)) {
		time := quantile.Below(exact[size], fast)
		if len(most[size]) > 0 {
			time = min(time, quantile.Below(most[size], fast))
		}
		p.add(float64(size), time, float64(len(exact[size])))
	}
	for len(p.sizes) > mostSizes {
		p = p.joined()
	}
	for i := len(p.sizes) - 2; i >= 0; i-- { // no message is slower than a larger one
		p.times[i] = min(p.times[i], p.times[i+1])
	}
	return p
}

func (p *points) add(size, time, weight float64) {
	p.sizes, p.times, p.weights = append(p.sizes, size), append(p.times, time), append(p.weights, weight)
}

// joined joins neighbours: of two sizes, the point that is faster for its size represents both.
func (p *points) joined() points {
	out := points{most: p.most}
	for i := 0; i < len(p.sizes); i += 2 {
		k, weight := i, p.weights[i]
		if next := i + 1; next < len(p.sizes) {
			weight += p.weights[next]
			if p.times[next]*p.sizes[i] < p.times[i]*p.sizes[next] {
				k = next
			}
		}
		out.add(p.sizes[k], p.times[k], weight)
	}
	return out
}

// Way returns the kind of route between two threads: waits.SameNode or waits.DifferentNodes.
func (n *Network) Way(x, y int32) int {
	if n.t.ThreadNode(x) == n.t.ThreadNode(y) {
		return waits.SameNode
	}
	return waits.DifferentNodes
}

// Known returns the costs of a kind of route: its own, or the other's if only that has messages.
func (n *Network) Known(way int) *Way {
	if n.Ways[way].Messages == 0 {
		way = 1 - way
	}
	return &n.Ways[way]
}

// Transfer returns the usual time of a message, without the call that receives it.
func (n *Network) Transfer(m int32) int64 {
	c := &n.t.Comms
	return n.Takes(n.Way(c.Send[m], c.Recv[m]), c.Size[m])
}

// Takes returns the usual time of a message of a size on a kind of route, without the call that receives it.
func (n *Network) Takes(way int, size int64) int64 {
	w := n.Known(way)
	return int64(w.Latency - w.Call + w.PerByte*float64(size))
}
