package account

// Message-driven runs: a processor's gap is explained by the unit that ends it. Until the message of that unit was
// created, the gap is due to its creator: to what the creator's processor did meanwhile, and while that was idle too,
// to what caused that gap.

import (
	"sort"

	"pview/prv/extrae"
)

// mostHops bounds a chain of causes.
const mostHops = 1 << 10

// byUnit passes on the classes of the units that a thread executes in a stretch, -1 outside of units. Some stretches
// are empty.
func (s *sweep) byUnit(thread int32, from, to int64, tell func(class int32, from, to int64)) {
	until := func(class int32, end int64) {
		end = min(end, to)
		tell(class, from, end)
		from = max(from, end)
	}
	own := s.OfThread(thread)
	for k := sort.Search(len(own), func(k int) bool { return own[k].End > from }); k < len(own) && from < to; k++ {
		until(-1, own[k].Begin)
		until(own[k].Class, own[k].End)
	}
	until(-1, to)
}

// computeUnit books computation under the entry methods that execute.
func (s *sweep) computeUnit(from, to int64) {
	s.byUnit(s.thread, from, to, func(class int32, from, to int64) {
		s.put(key{kind: Computing, by: byEntryMethod, a: class}, from, to)
	})
}

// gap explains an idle stretch of the thread.
func (s *sweep) gap(from, to int64) { s.explain(s.thread, from, to, 0) }

// explain explains a stretch in which a thread is idle: the swept one, or one that made it wait.
func (s *sweep) explain(thread int32, from, to int64, hops int) {
	s.watch.Step()
	reason := func(kind Kind, by by, why int32, from, to int64) { s.put(key{kind: kind, by: by, a: why}, from, to) }
	own := s.OfThread(thread)
	k := sort.Search(len(own), func(k int) bool { return own[k].Begin >= to })
	switch {
	case k == len(own):
		reason(NoWork, byReason, endOfRun, from, to)
		return
	case hops == mostHops:
		reason(Unknown, byReason, tooDeep, from, to)
		return
	}
	i := s.FirstUnit[thread] + int32(k)
	x, start := &own[k], &s.Driven.Starts[i]
	if x.Creator < 0 || start.Resumed {
		reason(Unknown, byReason, noMessage, from, to)
		return
	}
	created := min(max(s.Created(i), from), to)
	there := max(min(max(start.Queued, from), to), created)
	if s.IsDynamic(i) {
		for _, g := range s.StagesIn(from, created) {
			if g.Available > g.Running {
				reason(Runtime, byConstruct, placedElsewhere, g.From, g.To)
			} else {
				reason(NoWork, byReason, tooFewTasks, g.From, g.To)
			}
		}
	} else {
		s.creator(x.Creator, from, created, hops)
	}
	s.way(x.Via, created, there)
	reason(Runtime, byConstruct, queued, there, to)
}

// way books the time in which a message is in flight.
func (s *sweep) way(m int32, from, to int64) {
	stop := to
	if m >= 0 {
		if usual := int64(s.Params.Transfer(s.Size(m))); usual > 0 {
			stop = min(to, from+usual)
		}
	}
	k := key{kind: Transfer, by: byReason, a: message}
	s.put(k, from, stop)
	k.kind = TransferMore
	s.put(k, stop, to)
}

// creator explains the time until a unit creates a message.
func (s *sweep) creator(unit int32, from, to int64, hops int) {
	y := &s.Units[unit]
	s.EachPart(y.Thread, from, to, func(from, to int64, part extrae.Part) {
		switch part {
		case extrae.PartIdle:
			s.explain(y.Thread, from, to, hops+1)
		case extrae.PartAbsent:
			s.put(key{kind: Unknown, by: byReason, a: notRecorded}, from, to)
		case extrae.PartUser:
			s.causes(y.Thread, from, to)
		default:
			s.put(key{kind: Wait, by: byDrivenCause, a: runtimeSystem, c: y.Thread}, from, to)
		}
	})
}

// causes books waiting for the entry methods that another thread executes.
func (s *sweep) causes(thread int32, from, to int64) {
	s.byUnit(thread, from, to, func(class int32, from, to int64) {
		s.put(key{kind: Wait, by: byDrivenCause, a: class, c: thread}, from, to)
	})
}
