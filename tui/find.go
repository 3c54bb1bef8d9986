package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/notation"
	"pview/tui/pane"
	"pview/tui/search"
)

// Looking for records, in the background: a trace may have hundreds of millions.
//
// A record's position is its time and its row; positions are ordered by time, then
// by row. Each thread is searched from the position on, up to the best that was
// found in the threads before it, so that a near hit ends the search early.

// finding is a search on its way.
type finding struct {
	gen    int
	cancel context.CancelFunc
}

type foundMsg struct {
	gen, window int
	at          search.Position
	record      nearby.Record
	ok          bool
	forward     bool
	err         error
}

// find looks for the query from the cursor on.
func (m *Model) find(forward bool) tea.Cmd {
	m.CursorBack()
	w, q := m.Focused(), m.query
	if m.finding != nil {
		m.finding.cancel()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	m.finding = &finding{m.gen, cancel}
	s := search.Search{
		Context: ctx, Trace: w.Trace.Data, Level: w.Sem.Level, Rows: w.RowsByObject(), Query: q,
		From: search.Position{Time: w.Cursor, Row: int32(w.CursorRow)}, Forward: forward,
		// At the very begin nothing has been seen yet, so that what is there counts.
		Inclusive: forward && w.Cursor == 0 && w.CursorRow == 0,
	}
	gen, id, sem := m.gen, w.ID, w.Sem
	return tea.Batch(func() tea.Msg {
		defer cancel()
		s.Pass = nearby.FilterOf(s.Trace, &sem)
		at, r, ok := s.Run()
		return foundMsg{gen, id, at, r, ok, forward, ctx.Err()}
	}, m.tick())
}

// recordDescriber is the pane that describes records.
type recordDescriber interface {
	Summary(t *timeline.Trace, r nearby.Record) string
}

func foundRecord(m *Model, msg foundMsg) tea.Cmd {
	if m.finding == nil || m.finding.gen != msg.gen {
		return nil
	}
	m.finding = nil
	w := m.WindowByID(msg.window)
	switch {
	case msg.err != nil || w == nil || m.query == nil:
	case !msg.ok && msg.forward:
		m.scene.Say(fmt.Sprintf("no %s after the cursor", m.query.Text))
	case !msg.ok:
		m.scene.Say(fmt.Sprintf("no %s before the cursor", m.query.Text))
	default:
		m.GoTo(w, msg.at.Time, int(msg.at.Row))
		describer, _ := pane.First[recordDescriber](m.panes.list)
		m.scene.Say(describer.Summary(w.Trace, msg.record) + " at " + raster.FormatTime(msg.at.Time, w.Trace.Data.Unit, 1))
	}
	return nil
}

// lookFor starts a search for a text: criteria, or a label.
func lookFor(m *Model, text string, forward bool) tea.Cmd {
	q, err := notation.ParseQuery(text, m.Focused().Trace.Data.Labels)
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.query = q
	return m.find(forward)
}

// stepBurst moves the cursor to the begin of the next burst of its row, or of the
// one before.
func stepBurst(m *Model, forward bool) tea.Cmd {
	m.CursorBack()
	w := m.Focused()
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		return nil
	}
	i, ok := s.Next(w.Cursor)
	if !forward {
		i, ok = s.Prev(w.Cursor)
	}
	if !ok {
		m.scene.Say("no more bursts in this row")
		return nil
	}
	begin, _, _ := s.Burst(i)
	m.GoTo(w, begin, w.CursorRow)
	return nil
}
