package eventgraph

// The time that the machine needs for the messages and operations of a call: the rest of the call is a slow transfer,
// or the call's own time.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"pview/insight/network"
	"pview/insight/waits"
	"pview/prv/extrae"
)

// Need is the time that a call may take for its transfers.
type Need struct {
	call  int32
	group bool  // a collective operation
	known bool  // the cost of its messages
	ready int64 // of an operation: the last arrival
	time  int64 // duration from then on, or for messages the time when the last one arrives
	usual int64 // of the longest of the messages, alone
}

// Needs returns the needs of a thread's calls, in order. Calls without a message or an operation have none.
func (g *Graph) Needs(thread int32) (needs []Need) {
	known := g.Params.Latency.Source != "assumed"
	var list []waits.Delivery
	if g.Params.Latency.Source != atMost { // else no receiver waited for a message
		g.Waits.Deliveries(thread, func(d waits.Delivery) { list = append(list, d) })
	}
	slices.SortStableFunc(list, func(x, y waits.Delivery) int {
		return cmp.Or(cmp.Compare(x.Call, y.Call), cmp.Compare(x.Ready, y.Ready))
	})
	for i := range list {
		d := &list[i]
		n := len(needs) - 1
		if n < 0 || needs[n].call != d.Call {
			needs = append(needs, Need{call: d.Call, known: known})
			n++
		}
		x := &needs[n]
		// Messages of one call share the thread's input.
		x.usual = max(x.usual, int64(g.Usual(d.Size, g.Waits.Call(thread, int(d.Call)).Kind.Call)))
		begin := max(d.Ready+int64(g.Params.Latency.Value-g.Params.Call), x.time)
		x.time = begin + int64(g.Params.Byte.Value*float64(d.Size))
	}
	for i := range needs {
		needs[i].time += int64(g.receiving(g.Waits.Call(thread, int(needs[i].call)).Kind.Call))
	}
	g.Waits.Operations(thread, func(call int32, x *waits.Instance) {
		if x.Nonblocking() {
			return
		}
		n := Need{call: call, group: true, known: known, ready: x.Last}
		if known {
			size := g.groupSize(thread, g.Waits.Call(thread, int(call)).Enter)
			n.time = int64(network.Rounds(float64(x.Parts)) * g.Params.Transfer(size))
		}
		needs = append(needs, n)
	})
	slices.SortStableFunc(needs, func(x, y Need) int { return cmp.Compare(x.call, y.call) })
	return needs
}

// groupSize returns the bytes of the collective operation that a thread begins at a time.
func (g *Graph) groupSize(thread int32, at int64) (size int64) {
	e := &g.T.Threads[thread].Events
	for k := sort.Search(e.Len(), func(k int) bool { return e.Time[k] >= at }); k < e.Len() && e.Time[k] == at; k++ {
		if e.Type[k] == extrae.CollectiveSent || e.Type[k] == extrae.CollectiveRecv {
			size = max(size, e.Value.At(k))
		}
	}
	return size
}

// InCall divides a call entered at a time: up to own it takes its own time, up to fast it transfers as fast as the
// machine can, and the rest is a slow transfer. A call with nothing to transfer has only its own time; if all its
// messages had arrived, its own time lasts as long as the machine needs for the longest of them.
func InCall(needs []Need, call int32, enter int64) (own, fast int64) {
	i, found := slices.BinarySearchFunc(needs, call, func(n Need, call int32) int { return cmp.Compare(n.call, call) })
	if !found {
		return math.MaxInt64, math.MaxInt64
	}
	n := &needs[i]
	switch {
	case !n.known:
		return enter, math.MaxInt64
	case n.group:
		return enter, max(n.ready, enter) + n.time
	case n.time > enter:
		return enter, n.time
	}
	return enter + n.usual, enter + n.usual
}
