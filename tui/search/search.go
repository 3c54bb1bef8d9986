// Package search looks for records in the background of the viewer: a trace may have hundreds of millions.
//
// A record's position is its time and its row; positions are ordered by time, then by row. Each thread is searched from
// the position to the best match in the threads before it, so that a near match ends the search early.
package search

import (
	"context"
	"sort"

	"pview/filter"
	"pview/prv"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/notation"
)

// Position is a place in a window.
type Position struct {
	Time int64
	Row  int32
}

func (p Position) before(q Position) bool {
	return p.Time < q.Time || p.Time == q.Time && p.Row < q.Row
}

// Search is one search for a record.
type Search struct {
	Context   context.Context
	Trace     *prv.Trace
	Level     prv.Level
	Rows      []int32 // see rowsByObject
	Pass      *filter.Pass
	Query     *notation.Query
	From      Position
	Forward   bool
	Inclusive bool // a record at the start counts

	best   Position
	record nearby.Record
	found  bool
	steps  int
}

func (s *Search) Run() (Position, nearby.Record, bool) {
	for th := range s.Trace.Threads {
		if s.Context.Err() != nil {
			break
		}
		switch t := &s.Trace.Threads[th]; {
		case s.Query.Messages():
			list := t.Comm[prv.LogicalSend]
			times := s.Trace.Comms.Times[prv.LogicalSend]
			s.thread(len(list), func(i int) int64 { return times[list[i]] }, func(i int) bool {
				c := int(list[i])
				return s.Query.Message(&s.Trace.Comms, c) && s.Pass.Comms.Has(c)
			}, func(i int) nearby.Record {
				return nearby.Record{Kind: nearby.Send, Thread: int32(th), Index: list[i]}
			})
		case s.Query.States():
			s.thread(t.States.Len(), func(i int) int64 { return t.States.Begin[i] },
				func(i int) bool { return s.Query.State[int64(t.States.Value[i])] },
				func(i int) nearby.Record {
					return nearby.Record{Kind: nearby.State, Thread: int32(th), Index: int32(i)}
				})
		default:
			ev := &t.Events
			s.thread(ev.Len(), func(i int) int64 { return ev.Time[i] }, func(i int) bool {
				return s.Query.Event(ev.Type[i], ev.Value.At(i), s.Pass.Events.Value(ev.Type[i], ev.Value.At(i))) &&
					s.Pass.Events.Has(ev.Type[i], ev.Value.At(i))
			}, func(i int) nearby.Record {
				return nearby.Record{Kind: nearby.Event, Thread: int32(th), Index: int32(i)}
			})
		}
	}
	return s.best, s.record, s.found
}

// thread searches n records of a thread, sorted by time.
func (s *Search) thread(n int, time func(int) int64, fits func(int) bool, get func(int) nearby.Record) {
	step, i := 1, sort.Search(n, func(i int) bool { return time(i) >= s.From.Time })
	if !s.Forward {
		step, i = -1, sort.Search(n, func(i int) bool { return time(i) > s.From.Time })-1
	}
	for ; i >= 0 && i < n; i += step {
		if s.steps++; s.steps&(1<<16-1) == 0 && s.Context.Err() != nil {
			return
		}
		t := time(i)
		if s.found && (s.Forward && t > s.best.Time || !s.Forward && t < s.best.Time) {
			return
		}
		if fits(i) {
			s.consider(t, get(i))
		}
	}
}

// consider takes a record if it is nearer than the best so far.
func (s *Search) consider(t int64, r nearby.Record) {
	at := Position{t, timeline.Place(s.Rows, s.Trace.ObjectOf(s.Level, r.Thread, r.CPU(s.Trace)))}
	if at.Row < 0 {
		return
	}
	beyond, nearer := s.From.before(at) || s.Inclusive && at == s.From, at.before(s.best)
	if !s.Forward {
		beyond, nearer = at.before(s.From), s.best.before(at)
	}
	if beyond && (!s.found || nearer) {
		s.best, s.record, s.found = at, r, true
	}
}
