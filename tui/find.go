package tui

import (
	"context"
	"fmt"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/semantic/nearby"
	"pview/tui/notation"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// Looking for records, in the background: a trace may have hundreds of millions.
//
// A record's position is its time and its row; positions are ordered by time, then
// by row. Each thread is searched from the position on, up to the best that was
// found in the threads before it, so that a near hit ends the search early.

// position is a place in a window.
type position struct {
	t   int64
	row int32
}

func (p position) before(q position) bool { return p.t < q.t || p.t == q.t && p.row < q.row }

// finding is a search on its way.
type finding struct {
	gen    int
	cancel context.CancelFunc
}

type foundMsg struct {
	gen, window int
	at          position
	record      nearby.Record
	ok          bool
	forward     bool
	err         error
}

// find looks for the query from the cursor on.
func (m *Model) find(forward bool) tea.Cmd {
	m.cursorBack()
	w, q := m.window(), m.query
	if m.finding != nil {
		m.finding.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	m.finding = &finding{m.gen, cancel}
	s := search{
		ctx: ctx, tr: w.Trace.Data, level: w.Sem.Level, rows: w.RowsByObject(), q: q,
		from: position{w.Cursor, int32(w.CursorRow)}, forward: forward,
		// At the very begin nothing has been seen yet, so that what is there counts.
		inclusive: forward && w.Cursor == 0 && w.CursorRow == 0,
	}
	gen, id, sem := m.gen, w.ID, w.Sem
	return tea.Batch(func() tea.Msg {
		defer cancel()
		s.pass = timeline.CompileFilter(s.tr, &sem)
		at, r, ok := s.run()
		return foundMsg{gen, id, at, r, ok, forward, ctx.Err()}
	}, m.tick())
}

func foundRecord(m *Model, msg foundMsg) tea.Cmd {
	if m.finding == nil || m.finding.gen != msg.gen {
		return nil
	}
	m.finding = nil
	w := m.windowByID(msg.window)
	switch {
	case msg.err != nil || w == nil || m.query == nil:
	case !msg.ok && msg.forward:
		m.say(fmt.Sprintf("no %s after the cursor", m.query.Text))
	case !msg.ok:
		m.say(fmt.Sprintf("no %s before the cursor", m.query.Text))
	default:
		m.goTo(w, msg.at.t, int(msg.at.row))
		m.say(m.what.Summary(w.Trace, msg.record) + " at " + raster.FormatTime(msg.at.t, w.Trace.Data.Unit, 1))
	}
	return nil
}

// search is one search for a record.
type search struct {
	ctx       context.Context
	tr        *prv.Trace
	level     prv.Level
	rows      []int32 // see rowsByObject
	pass      *filter.Pass
	q         *notation.Query
	from      position
	forward   bool
	inclusive bool // a record at from counts

	best   position
	record nearby.Record
	found  bool
	steps  int
}

func (s *search) run() (position, nearby.Record, bool) {
	for th := range s.tr.Threads {
		if s.ctx.Err() != nil {
			break
		}
		switch t := &s.tr.Threads[th]; {
		case s.q.Messages():
			list := t.Comm[prv.LogicalSend]
			times := s.tr.Comms.Times[prv.LogicalSend]
			s.thread(len(list), func(i int) int64 { return times[list[i]] }, func(i int) bool {
				c := int(list[i])
				return s.q.Message(&s.tr.Comms, c) && s.pass.Comms.Has(c)
			}, func(i int) nearby.Record {
				return nearby.Record{Kind: nearby.Send, Thread: int32(th), Index: list[i]}
			})
		case s.q.States():
			s.thread(t.States.Len(), func(i int) int64 { return t.States.Begin[i] },
				func(i int) bool { return s.q.State[int64(t.States.Value[i])] },
				func(i int) nearby.Record {
					return nearby.Record{Kind: nearby.State, Thread: int32(th), Index: int32(i)}
				})
		default:
			ev := &t.Events
			s.thread(ev.Len(), func(i int) int64 { return ev.Time[i] }, func(i int) bool {
				return s.q.Event(ev.Type[i], ev.Value[i], s.pass.Events.Value(ev.Type[i], ev.Value[i])) && s.pass.Events.Has(ev.Type[i], ev.Value[i])
			}, func(i int) nearby.Record {
				return nearby.Record{Kind: nearby.Event, Thread: int32(th), Index: int32(i)}
			})
		}
	}
	return s.best, s.record, s.found
}

// thread searches n records of a thread, sorted by time.
func (s *search) thread(n int, time func(int) int64, fits func(int) bool, get func(int) nearby.Record) {
	step, i := 1, sort.Search(n, func(i int) bool { return time(i) >= s.from.t })
	if !s.forward {
		step, i = -1, sort.Search(n, func(i int) bool { return time(i) > s.from.t })-1
	}
	for ; i >= 0 && i < n; i += step {
		if s.steps++; s.steps&(1<<16-1) == 0 && s.ctx.Err() != nil {
			return
		}
		t := time(i)
		if s.found && (s.forward && t > s.best.t || !s.forward && t < s.best.t) {
			return
		}
		if fits(i) {
			s.consider(t, get(i))
		}
	}
}

// consider takes a record when it is nearer than the best so far.
func (s *search) consider(t int64, r nearby.Record) {
	at := position{t, timeline.Place(s.rows, timeline.ObjectOf(s.tr, s.level, r.Thread, r.CPU(s.tr)))}
	if at.row < 0 {
		return
	}
	beyond, nearer := s.from.before(at) || s.inclusive && at == s.from, at.before(s.best)
	if !s.forward {
		beyond, nearer = at.before(s.from), s.best.before(at)
	}
	if beyond && (!s.found || nearer) {
		s.best, s.record, s.found = at, r, true
	}
}

// lookFor starts a search for a text: criteria, or a label.
func lookFor(m *Model, text string, forward bool) tea.Cmd {
	q, err := notation.ParseQuery(text, m.window().Trace.Data.Labels)
	if err != nil {
		return m.refuse(err)
	}
	m.query = q
	return m.find(forward)
}

// stepBurst moves the cursor to the begin of the next burst of its row, or of the
// one before.
func (m *Model) stepBurst(forward bool) tea.Cmd {
	m.cursorBack()
	w := m.window()
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		return nil
	}
	i, ok := s.Next(w.Cursor)
	if !forward {
		i, ok = s.Prev(w.Cursor)
	}
	if !ok {
		m.say("no further burst in this row")
		return nil
	}
	begin, _, _ := s.Burst(i)
	m.goTo(w, begin, w.CursorRow)
	return nil
}
