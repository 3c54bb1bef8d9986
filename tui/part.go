package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/raster"
)

// A large trace is shown before it is read: first the part that the reader hands over after a moment, then a larger one, in
// the end all of it. The time of which nothing is known yet is dotted.

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
		l.shown.until = p.until
		return cmd
	case !slices.Contains(m.traces, l.shown): // its windows have been closed
		return nil
	}
	l.shown.until = p.until
	return m.revise(l.shown, p.trace)
}

// drawUnread dots the columns of the plot that show time of which nothing has been read.
func (m *Model) drawUnread(c raster.Canvas, w *window) {
	until := w.trace.until
	if until == 0 {
		return
	}
	axis := w.axis(c.W)
	for x := c.W - 1; x >= 0; x-- {
		if begin, _ := axis.Bounds(x); begin <= until {
			return
		}
		for y := range c.H {
			c.Set(x, y, raster.Cell{Rune: m.theme.Glyphs.Empty, Style: m.theme.Dim})
		}
	}
}

// partText says how much there is of a trace that is not all there.
func (t *openTrace) partText() string {
	return fmt.Sprintf("only the first %s are read", raster.FormatDuration(t.until, t.tr.Unit))
}
