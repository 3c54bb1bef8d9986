package account

// Time in calls in which nobody is waited for: what the fitted machine needs for the message or the operation, what
// that takes beyond it, and the call's own time.

import (
	"cmp"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv/extrae"
)

// need is how long a call may take for its transfer.
type need struct {
	call  int32
	group bool
	ready int64 // the last of the two sides
	until int64 // when the fitted machine would be done; never: the machine is not known
	time  int64 // of a collective operation, from when all were ready
}

// measureNeeds finds the needs of the calls of the thread, in their order.
func (s *sweep) measureNeeds() {
	if s.Driven != nil {
		return
	}
	known := s.Params.Latency.Source != "assumed"
	var list []waits.Delivery
	s.Waits.Deliveries(s.thread, func(d waits.Delivery) { list = append(list, d) })
	slices.SortStableFunc(list, func(x, y waits.Delivery) int {
		return cmp.Or(cmp.Compare(x.Call, y.Call), cmp.Compare(x.Ready, y.Ready))
	})
	for i := range list {
		d := &list[i]
		n := len(s.needs) - 1
		if n < 0 || s.needs[n].call != d.Call {
			s.needs = append(s.needs, need{call: d.Call})
			n++
		}
		x := &s.needs[n]
		x.ready = max(x.ready, d.Ready)
		x.until = never
		if known { // messages of one call share the way into the thread
			begin := max(d.Ready+int64(s.Params.Latency.Value), x.time)
			x.time = begin + int64(s.Params.Byte.Value*float64(d.Size))
			x.until = x.time
		}
	}
	s.Waits.Operations(s.thread, func(call int32, x *waits.Instance) {
		if x.Nonblocking() {
			return
		}
		n := need{call: call, group: true, ready: x.Last, until: never}
		if known {
			size := s.groupSize(s.Waits.Call(s.thread, int(call)).Enter)
			n.time = int64(eventgraph.Rounds(float64(x.Parts)) * s.Params.Transfer(size))
			n.until = 0
		}
		s.needs = append(s.needs, n)
	})
	slices.SortStableFunc(s.needs, func(x, y need) int { return cmp.Compare(x.call, y.call) })
}

// groupSize is the bytes of the collective operation that begins at a time.
func (s *sweep) groupSize(at int64) (size int64) {
	e := &s.T.Threads[s.thread].Events
	for k := sort.Search(e.Len(), func(k int) bool { return e.Time[k] >= at }); k < e.Len() && e.Time[k] == at; k++ {
		if e.Type[k] == extrae.CollectiveSent || e.Type[k] == extrae.CollectiveRecv {
			size = max(size, e.Value[k])
		}
	}
	return size
}

// calls puts a stretch inside of a call.
func (s *sweep) calls(from, to int64, what state) {
	s.regionAt(s.now.Enter)
	k := key{kind: Call, by: byCall, a: s.now.Region, b: s.around}
	if what.meaning == extrae.IO && !what.gap {
		k.kind = IO
		s.put(k, from, to)
		return
	}
	if what.meaning == extrae.Waiting && s.Waits.Regions[s.now.Region].State { // unless a message tells more
		k = key{kind: Wait, by: byState, a: int32(what.value)}
	}
	i := sort.Search(len(s.needs), func(i int) bool { return s.needs[i].call >= int32(s.call) })
	if i == len(s.needs) || s.needs[i].call != int32(s.call) {
		s.put(k, from, to)
		return
	}
	n := &s.needs[i]
	until := n.until
	if n.group && until == 0 {
		until = max(n.ready, s.now.Enter) + n.time
	}
	if !n.group && until <= s.now.Enter { // the message was there
		s.put(k, from, to)
		return
	}
	k = key{kind: Transfer, by: byCall, a: s.now.Region, b: s.around}
	if stop := min(to, until); from < stop {
		s.put(k, from, stop)
		from = stop
	}
	if from < to {
		k.kind = TransferMore
		s.put(k, from, to)
	}
}
