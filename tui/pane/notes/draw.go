package notes

import (
	"fmt"

	"pview/render/raster"
)

// How the pages are drawn: for the notes, one line each, with the time, object and text.

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	list, body := p.list(), c.Sub(0, 1, c.W, c.H-1)
	switch {
	case p.sc.View == nil:
	case p.pages.At == pageHistory:
		c.Text(x+2, 0, p.sc.Theme.Cut(p.sc.View.Title(), c.W-x-3), dim)
		p.drawHistory(c, body)
	case p.pages.At == pageProblems:
		if d := p.problems.Document(); d != nil && len(d.Sections) > 0 {
			p.problems.Draw(c, body.Sub(1, 0, body.W-1, body.H))
			return
		}
		body.Text(2, 0, "no problems", p.sc.Theme.Dim)
	default:
		p.drawNotes(c, body, list, x, dim)
	}
}

func (p *Pane) drawNotes(c, body raster.Canvas, list []note, x int, dim raster.Style) {
	if len(list) == 0 {
		body.Text(2, 0, p.sc.Theme.ASCII("no notes on this trace yet: "+p.sc.KeysOf("note")+" adds one at the cursor"),
			p.sc.Theme.Dim)
		return
	}
	c.Text(x+2, 0, raster.CountOf(len(list), "note"), dim)
	times, objects := p.widths(list)
	p.rows.Draw(p.sc.ListLook(c), body, func(c raster.Canvas, i int, text, dim raster.Style) {
		p.drawNote(c, &list[i], i == p.rows.At(), text, dim, times, objects)
	})
}

// widths returns the columns that times and names of objects need.
func (p *Pane) widths(list []note) (times, objects int) {
	tr := p.sc.View.Trace.Data
	for i := range list {
		times = max(times, raster.TextWidth(raster.FormatTime(list[i].time, tr.Unit, 1)))
		objects = max(objects, raster.TextWidth(p.name(&list[i])))
	}
	return times, objects
}

// name names the object of a note as the timeline does.
func (p *Pane) name(n *note) string {
	return p.sc.View.Short(p.sc.View.Trace.Data.Name(n.level, n.object))
}

func (p *Pane) drawNote(c raster.Canvas, n *note, chosen bool, text, dim raster.Style, times, objects int) {
	th, tr := p.sc.Theme, p.sc.View.Trace.Data
	if chosen {
		c.Text(0, 0, th.ASCII("▸"), text)
	}
	lead := fmt.Sprintf("%*s  %-*s  ", times, raster.FormatTime(n.time, tr.Unit, 1), objects, p.name(n))
	x := c.Text(2, 0, th.ASCII(lead), dim)
	c.Text(x, 0, th.Cut(n.text, c.W-x-2), text)
}
