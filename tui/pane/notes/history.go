package notes

import (
	"fmt"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/notation"
)

// The history of the window in focus: its first content, and its content after each change, undone changes included.

// history returns the setups of the window, the first one first; nil without a window. The present setup follows the
// past ones.
func (p *Pane) history() (list []*timeline.Setup) {
	v := p.sc.View
	if v == nil {
		return nil
	}
	for i := range v.History.Past {
		list = append(list, &v.History.Past[i].Setup)
	}
	list = append(list, &v.Setup)
	for i := len(v.History.Future) - 1; i >= 0; i-- {
		list = append(list, &v.History.Future[i].Setup)
	}
	return list
}

// step describes the difference of setup i of the history to the previous one, and its time.
func (p *Pane) step(list []*timeline.Setup, i int) (what, when string) {
	t, now := p.sc.View.Trace, list[i]
	f := raster.NewIntervalFormat(now.Begin, now.End, t.Data.Unit, p.sc.Columns())
	if when = f.Range(now.Begin, now.End); i == 0 {
		return "first: " + content(t, now), when
	}
	return p.change(list[i-1], now), when
}

// change names the difference between two setups.
func (p *Pane) change(was, is *timeline.Setup) string {
	t := p.sc.View.Trace
	span, before := is.End-is.Begin, was.End-was.Begin
	switch {
	case content(t, is) != content(t, was):
		return content(t, is)
	case is.Sem.Key() != was.Sem.Key():
		if text := notation.FilterText(&is.Sem.Filter); text != notation.FilterText(&was.Sem.Filter) && text != "" {
			return "filter " + text
		}
		return "function, parameters or filter changed"
	case span < before:
		return fmt.Sprintf("zoom in to %s", raster.FormatDuration(span, t.Data.Unit))
	case span > before:
		return fmt.Sprintf("zoom out to %s", raster.FormatDuration(span, t.Data.Unit))
	case is.Begin < was.Begin:
		return "pan left"
	case is.Begin > was.Begin:
		return "pan right"
	case is.Drawing != was.Drawing:
		return "drawing changed"
	}
	v := timeline.View{Trace: t, Setup: *is}
	return raster.CountOf(v.RowsInView(t.Data), "row") + " from " + p.sc.View.Short(v.RowName(is.Top))
}

// content names the content of a setup.
func content(t *timeline.Trace, s *timeline.Setup) string {
	v := timeline.View{Trace: t, Setup: *s}
	return v.Title() + " · " + s.Sem.Level.String()
}

// drawHistory draws a line for each setup, with a mark at the present one; those that were undone are dim.
func (p *Pane) drawHistory(c, body raster.Canvas) {
	th, now, wide, list := p.sc.Theme, len(p.sc.View.History.Past), 0, p.history()
	for i := range list {
		_, when := p.step(list, i)
		wide = max(wide, raster.TextWidth(when))
	}
	p.steps.Draw(p.sc.ListLook(c), body, func(c raster.Canvas, i int, text, dim raster.Style) {
		what, when := p.step(list, i)
		if i == now {
			c.Text(0, 0, th.ASCII("▸"), text)
		} else if i > now {
			text = dim
		}
		x := c.Text(2, 0, th.ASCII(fmt.Sprintf("%*s  ", wide, when)), dim)
		c.Text(x, 0, th.Cut(th.ASCII(what), c.W-x-2), text)
	})
}
