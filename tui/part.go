package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
)

// A large trace is shown before it is read: first the part that the reader hands over after a moment, then a larger
// one, in the end all of it. The time of which nothing is known yet is dotted.

// part is the records that stand first in a file, complete until a time.
type part struct {
	trace *prv.Trace
	until int64
}

// showPart takes what has been read of the trace that is being loaded.
func (m *Model) showPart() tea.Cmd {
	l := m.loading
	if l == nil {
		return nil
	}
	p := l.part.Swap(nil)
	switch {
	case p == nil:
		return nil
	case l.shown == nil:
		cmd := m.show(l, p.trace)
		l.shown.Until = p.until
		return cmd
	case !slices.Contains(m.Traces, l.shown): // its windows have been closed
		return nil
	}
	l.shown.Until = p.until
	return m.revise(l.shown, p.trace)
}
