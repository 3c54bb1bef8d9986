package account

// Message-driven runs: a gap of a processor is explained by the unit that ends it. Until the message of that unit was
// created the gap has the cause that its creator has: what that one's processor did at the same instants, and where it
// was idle itself, what that gap waited for.

import (
	"sort"

	"pview/prv/extrae"
)

// mostHops bounds a chain of causes.
const mostHops = 1 << 10

// computeUnit puts computation into the entry methods that execute.
func (s *sweep) computeUnit(from, to int64) {
	own := s.OfThread(s.thread)
	k := sort.Search(len(own), func(k int) bool { return own[k].End > from })
	for ; from < to; k++ {
		if k == len(own) || own[k].Begin >= to {
			s.put(key{kind: Computing, by: byEntryMethod, a: -1}, from, to)
			return
		}
		s.put(key{kind: Computing, by: byEntryMethod, a: -1}, from, own[k].Begin)
		from = max(from, own[k].Begin)
		stop := min(to, own[k].End)
		s.put(key{kind: Computing, by: byEntryMethod, a: own[k].Class}, from, stop)
		from = max(from, stop)
	}
}

// gap explains an idle stretch of the thread.
func (s *sweep) gap(from, to int64) { s.explain(s.thread, from, to, 0) }

// explain explains a part of the time in which a thread, itself or as a cause, is idle.
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

// way puts the time of a message on its way.
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

// causes puts waiting for the entry methods that another thread executes.
func (s *sweep) causes(thread int32, from, to int64) {
	own := s.OfThread(thread)
	for k := sort.Search(len(own), func(k int) bool { return own[k].End > from }); from < to; k++ {
		class, stop := int32(-1), to
		if k < len(own) && own[k].Begin < to {
			if own[k].Begin > from {
				stop = own[k].Begin
				k--
			} else {
				class, stop = own[k].Class, min(to, own[k].End)
			}
		}
		s.put(key{kind: Wait, by: byDrivenCause, a: class, c: thread}, from, stop)
		from = max(from, stop)
	}
}
