package remedy

// Collective operations that are needless, slow, or move much data.

import (
	"fmt"
	"math"
	"slices"

	"pview/insight/network"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// operations are the collective operations of a run, and the network that they use.
type operations struct {
	*Run
	calls []operation
	// leaves are the edges from the last arrival at each instance to the end of its members' calls.
	leaves map[int32][]int32
	// alpha and beta are the latency and the time per byte of the network.
	alpha, beta float64
}

// operation is a call with its instances: rows of the waits' Instances.
type operation struct {
	value int64 // of the event
	name  string
	class waits.Class
	rows  []int32
}

// operations reads the operations of a run once.
func (r *Run) operations() *operations {
	if r.ops == nil {
		r.ops = &operations{Run: r, leaves: map[int32][]int32{}}
		r.ops.read()
		r.ops.network()
	}
	return r.ops
}

func (o *operations) read() {
	at := map[int64]int{}
	for i := range o.Graph.Waits.Instances {
		x := &o.Graph.Waits.Instances[i]
		if !x.Collective() || x.Nonblocking() || x.Parts < 2 || x.Class == waits.InitCompletion ||
			x.Class == waits.WaitFinalize {
			continue
		}
		k, ok := at[x.Value]
		if !ok {
			k = len(o.calls)
			at[x.Value] = k
			o.calls = append(o.calls, operation{value: x.Value, name: o.callName(x), class: x.Class})
		}
		o.calls[k].rows = append(o.calls[k].rows, int32(i))
	}
	for k, e := range o.Edge {
		if e.Kind == replay.LeaveEdge {
			o.leaves[e.Ref] = append(o.leaves[e.Ref], int32(k))
		}
	}
}

// callName names the call of an operation.
func (r *Run) callName(x *waits.Instance) string {
	for _, m := range r.Graph.Waits.Members(x) {
		if m.Call >= 0 {
			return r.Graph.Waits.Regions[r.Graph.Waits.Call(m.Thread, int(m.Call)).Region].Name
		}
	}
	return "barrier of a team"
}

// instance returns a row of the waits' Instances.
func (o *operations) instance(row int32) *waits.Instance { return &o.Graph.Waits.Instances[row] }

// needless finds barriers.
func needless(r *Run) (list []*Candidate) {
	o := r.operations()
	for _, call := range o.calls {
		if call.class != waits.WaitBarrier {
			continue
		}
		c := &Candidate{Rule: BarriersID, Kind: report.Synchronisation, When: report.Steady, Region: -1,
			Edit: r.NewEdit(), Spec: "remove:call=" + call.name}
		for _, i := range call.rows {
			x := o.instance(i)
			for _, k := range o.leaves[i] {
				c.Edit.SetLag(k, replay.Gone)
			}
			cost := int64(0) // mean of the members
			for _, m := range r.Graph.Waits.Members(x) {
				cost += (m.Exit - m.Enter) / int64(x.Parts)
			}
			c.Estimate += cost
			c.Evidence = append(c.Evidence, report.Evidence{From: x.Last, To: x.Left, Why: "a barrier",
				Cost: float64(cost)})
		}
		c.Title = fmt.Sprintf("%s, %s: without the barrier, threads that are late would catch up",
			quantity.CountOf(int64(len(call.rows)), "operation"), call.name)
		c.Advice = "remove the barrier, if messages or other operations order what it orders"
		list = append(list, c)
	}
	return list
}

// slowest is the ratio to the time of its network from which an operation is slow.
const slowest = 2.5

// slowOperations finds collective operations that take longer than the network explains.
func slowOperations(r *Run) (list []*Candidate) {
	o := r.operations()
	for _, call := range o.calls {
		c := &Candidate{Rule: SlowCollectivesID, Kind: report.SlowCollective, When: report.Steady, Region: -1,
			Edit: r.NewEdit(), Spec: "as-network:call=" + call.name}
		took, needs := 0.0, 0.0
		for _, i := range call.rows {
			x := o.instance(i)
			if x.Left < x.Last {
				continue
			}
			usual := o.latency(x) + o.beta*o.bytes(x)
			took, needs = took+float64(x.Left-x.Last), needs+usual
			o.shorten(c, i, usual, "from the last arrival to the first exit")
		}
		if took < slowest*needs || c.Edit.IsEmpty() {
			continue
		}
		n := float64(len(call.rows))
		c.Title = fmt.Sprintf("%s is slow: %s per operation from the last arrival to the first exit, where its "+
			"network needs %s", call.name, r.span(took/n), r.span(needs/n))
		c.Advice = "look for contention or a bad algorithm of this collective operation in the MPI library"
		list = append(list, c)
	}
	return list
}

// large finds collective operations whose bytes take long.
func (o *operations) large() (list []*Candidate) {
	for _, call := range o.calls {
		if call.class != waits.WaitNxN {
			continue
		}
		c := &Candidate{Rule: SlowMessagesID, Kind: report.MessageSize, When: report.Steady, Region: -1,
			Edit: o.NewEdit(), Spec: "fewer-bytes:call=" + call.name}
		took, needs := 0.0, 0.0
		for _, i := range call.rows {
			x := o.instance(i)
			empty := o.latency(x)
			if is := float64(x.Left - x.Last); is > 2*empty {
				took, needs = took+is, needs+empty+o.beta*o.bytes(x)
				o.shorten(c, i, empty, "bytes on their way")
			}
		}
		if c.Edit.IsEmpty() || took > slowest*needs {
			continue
		}
		c.Title = fmt.Sprintf("%s moves large amounts of data: %s per operation, most of it for its bytes", call.name,
			o.span(took/float64(len(call.rows))))
		c.Advice = "send less data: fewer bytes, lower precision, large messages only where they are needed"
		list = append(list, c)
	}
	return list
}

// shorten limits the time of an operation after the last arrival.
func (o *operations) shorten(c *Candidate, row int32, to float64, why string) {
	x := o.instance(row)
	over := float64(x.Left-x.Last) - to
	if over <= 0 {
		return
	}
	for _, k := range o.leaves[row] {
		c.Edit.SetLag(k, max(0, o.Lag[k]-int64(over)))
	}
	c.Estimate += int64(over)
	c.Evidence = append(c.Evidence, report.Evidence{From: x.Last, To: x.Left, Why: why, Cost: over})
}

// latency returns the time of an operation without bytes: a tree over its members.
func (o *operations) latency(x *waits.Instance) float64 {
	return o.alpha * network.Rounds(float64(x.Parts))
}

// bytes returns the bytes that cross a link of the network in sequence.
func (o *operations) bytes(x *waits.Instance) float64 {
	most := int64(0) // that a member sends or receives
	for n, m := range o.Graph.Waits.Members(x) {
		if m.Call < 0 || n > 1 {
			break
		}
		e := &o.Graph.T.Threads[m.Thread].Events
		at, _ := slices.BinarySearch(e.Time, m.Enter)
		for ; at < e.Len() && e.Time[at] == m.Enter; at++ {
			if typ := e.Type[at]; typ == extrae.CollectiveSent || typ == extrae.CollectiveRecv {
				most = max(most, e.Value.At(at))
			}
		}
	}
	switch {
	case x.Class == waits.WaitNxN && o.perPartner(x):
		return float64(most) * float64(x.Parts-1)
	case x.Class == waits.WaitNxN || x.Class == waits.LateBroadcast || x.Class == waits.EarlyReduce:
		return float64(most) * network.Rounds(float64(x.Parts))
	}
	return float64(most)
}

// perPartner reports whether the size of an all-to-all operation is the size per member.
func (o *operations) perPartner(x *waits.Instance) bool {
	name := o.callName(x)
	return name == "MPI_Alltoall" || name == "MPI_Allgather"
}

// slowByte is the time per byte at 0.5 GB/s, in ns, and usualLatency the latency of today's networks.
const (
	slowByte     = 2
	usualLatency = 2000
)

// network finds latency and time per byte from messages, or without messages from the fastest operations.
func (o *operations) network() {
	way := waits.SameNode
	if len(o.Graph.T.Nodes) > 1 && o.Graph.Net.Ways[waits.DifferentNodes].Messages > 0 {
		way = waits.DifferentNodes
	}
	known := &o.Graph.Net.Ways[way]
	o.alpha, o.beta = known.Latency, known.PerByte
	unit := float64(o.Graph.T.Unit.Nanoseconds())
	if known.Messages == 0 {
		fastest, kinds := o.fastest()
		if kinds == 0 {
			return
		}
		if o.alpha = fastest; kinds == 1 { // nothing to compare it with
			o.alpha = min(fastest, usualLatency/unit)
		}
	}
	if o.beta == 0 {
		o.beta = slowByte / unit // no messages show it: a slow network of today
	}
}

// fastest returns the time per round of the fastest operation with few bytes, and the number of calls with such
// operations.
func (o *operations) fastest() (time float64, kinds int) {
	time = math.Inf(1)
	for _, call := range o.calls {
		small := false
		for _, i := range call.rows {
			x := o.instance(i)
			if rounds := network.Rounds(float64(x.Parts)); x.Left > x.Last && o.bytes(x) <= 4096*rounds {
				small = true
				time = min(time, float64(x.Left-x.Last)/rounds)
			}
		}
		if small {
			kinds++
		}
	}
	return time, kinds
}
