package workload

// Messages and collective operations.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/extrae/system"
)

// extractMessages makes a component of each communication, except links from calls to what they launch, in the order of
// the trace. A transfer is from the physical send to the physical receive: it is negative if the send ends after the
// receive, or if clocks differ.
func extractMessages(_ context.Context, t *prv.Trace, opt Options) (*Set, error) {
	from, to := opt.window(t)
	var rows []int
	c := &t.Comms
	for i := range c.Len() {
		if !device.IsLink(t, int32(i)) && opt.has(c.Send[i]) && c.Times[prv.LogicalSend][i] >= from &&
			c.Times[prv.PhysicalRecv][i] <= to {
			rows = append(rows, i)
		}
	}
	s := &Set{n: len(rows)}
	for _, i := range rows {
		s.Thread = append(s.Thread, c.Send[i])
		s.Begin = append(s.Begin, min(c.Times[prv.LogicalSend][i], c.Times[prv.LogicalRecv][i]))
		s.End = append(s.End, c.Times[prv.PhysicalRecv][i])
	}
	unit := float64(t.Unit.Nanoseconds())
	between := func(a, b prv.Role) func(i int) float64 {
		return func(i int) float64 { return float64(c.Times[b][i]-c.Times[a][i]) * unit }
	}
	for _, p := range []struct {
		name, unit, doc string
		of              func(i int) float64
	}{
		{"size", "B", "bytes", func(i int) float64 { return float64(c.Size[i]) }},
		{"transfer", "ns", "physical send to physical receive", between(prv.PhysicalSend, prv.PhysicalRecv)},
		{"senddelay", "ns", "logical to physical send", between(prv.LogicalSend, prv.PhysicalSend)},
		{"recvwait", "ns", "logical to physical receive", between(prv.LogicalRecv, prv.PhysicalRecv)},
		{"src", "", "sending thread, from 1", func(i int) float64 { return float64(c.Send[i]) + 1 }},
		{"dst", "", "receiving thread, from 1", func(i int) float64 { return float64(c.Recv[i]) + 1 }},
		{"tag", "", "tag", func(i int) float64 { return float64(c.Tag[i]) }},
	} {
		values := s.add(p.name, p.unit, p.doc).Values
		for k, i := range rows {
			values[k] = p.of(i)
		}
	}
	return s, nil
}

// groupCall is a call of a collective operation.
type groupCall struct {
	thread       int32
	enter, leave int64
	bytes        int64
}

// groupKey identifies an operation: the n-th of a communicator.
type groupKey struct {
	ptask   int32
	comm    int64
	call    int64
	ordinal int
}

// extractCollectives has a component for each collective operation: the n-th calls of a communicator (for PICL, of a
// kind) by all its tasks.
func extractCollectives(ctx context.Context, t *prv.Trace, opt Options) (*Set, error) {
	groups := map[groupKey][]groupCall{}
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if opt.has(int32(i)) {
			gatherCalls(t, int32(i), groups)
		}
	}
	from, to := opt.window(t)
	type operation struct {
		key          groupKey
		begin, end   int64
		last         int64 // arrival
		bytes, waits int64
		members      int
	}
	var list []operation
	for key, calls := range groups {
		o := operation{key: key, begin: calls[0].enter, members: len(calls)}
		for _, c := range calls {
			o.begin, o.end, o.last, o.bytes = min(o.begin, c.enter), max(o.end, c.leave), max(o.last, c.enter),
				max(o.bytes, c.bytes)
		}
		inside := int64(0)
		for _, c := range calls {
			o.waits += max(0, min(o.last, c.leave)-c.enter)
			inside += c.leave - c.enter
		}
		if o.begin >= from && o.end <= to {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.key.ptask, b.key.ptask), cmp.Compare(a.key.comm,
			b.key.comm), cmp.Compare(a.key.call, b.key.call), cmp.Compare(a.key.ordinal, b.key.ordinal))
	})
	s, unit := &Set{n: len(list)}, float64(t.Unit.Nanoseconds())
	duration, size := s.add("duration", "ns", "first arrival to last exit").Values,
		s.add("size", "B", "most bytes of a member").Values
	spread, share := s.add("spread", "ns", "first to last arrival").Values,
		s.add("waitshare", "", "part of the time of all members before the last arrival").Values
	members := s.add("members", "", "threads that take part").Values
	for i, o := range list {
		s.Thread, s.Begin, s.End, s.Key = append(s.Thread, -1), append(s.Begin, o.begin), append(s.End, o.end),
			append(s.Key, o.key.call)
		duration[i], size[i], spread[i], members[i] = float64(o.end-o.begin)*unit, float64(o.bytes),
			float64(o.last-o.begin)*unit, float64(o.members)
		total := int64(0)
		for _, c := range groups[o.key] {
			total += c.leave - c.enter
		}
		if total > 0 {
			share[i] = float64(o.waits) / float64(total)
		}
	}
	return s, nil
}

// gatherCalls adds the calls of a thread to their operations.
func gatherCalls(t *prv.Trace, thread int32, groups map[groupKey][]groupCall) {
	if system.In(t) {
		gatherSystemEvents(t, thread, groups)
		return
	}
	words := extrae.Of(t.Labels)
	group, ok := words.Type(extrae.MPICollective)
	if !ok {
		return
	}
	e := &t.Threads[thread].Events
	ptask := t.Tasks[t.ThreadTask[thread]].Ptask
	ordinals := map[int64]int{}
	var open *groupCall
	var key groupKey
	leave := func(at int64) {
		if open != nil {
			open.leave = at
			groups[key] = append(groups[key], *open)
			open = nil
		}
	}
	for i := 0; i < e.Len(); i++ {
		if e.Type[i] != group {
			continue
		}
		if e.Value.At(i) == 0 {
			leave(e.Time[i])
			continue
		}
		open = &groupCall{thread: thread, enter: e.Time[i]}
		key = groupKey{ptask: ptask, call: e.Value.At(i)}
		for k := firstAt(e, i); k < e.Len() && e.Time[k] == e.Time[i]; k++ { // the pairs of the line
			switch e.Type[k] {
			case extrae.CollectiveComm:
				key.comm = e.Value.At(k)
			case extrae.CollectiveSent, extrae.CollectiveRecv:
				open.bytes = max(open.bytes, e.Value.At(k))
			}
		}
		key.ordinal = ordinals[key.comm]
		ordinals[key.comm]++
	}
	leave(t.Duration) // like all calls that do not end
}

// firstAt returns the first event at the time of event i.
func firstAt(e *prv.Events, i int) int {
	for i > 0 && e.Time[i-1] == e.Time[i] {
		i--
	}
	return i
}

// gatherSystemEvents adds the collective and synchronising events of a thread.
func gatherSystemEvents(t *prv.Trace, thread int32, groups map[groupKey][]groupCall) {
	e := &t.Threads[thread].Events
	ordinals := map[int64]int{}
	type span struct{ value, since int64 }
	var open []span
	leave := func(at int64) {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if c := system.ClassOf(-int(s.value)); c == system.Collective || c == system.Synchronise {
			key := groupKey{call: s.value, ordinal: ordinals[s.value]}
			ordinals[s.value]++
			groups[key] = append(groups[key], groupCall{thread: thread, enter: s.since, leave: at})
		}
	}
	for i, typ := range e.Type {
		if typ != system.Type {
			continue
		}
		if v := e.Value.At(i); v != 0 {
			open = append(open, span{v, e.Time[i]})
			continue
		}
		if len(open) > 0 {
			leave(e.Time[i])
		}
	}
	for len(open) > 0 {
		leave(t.Duration)
	}
}
