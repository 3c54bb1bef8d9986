package notes

import (
	"fmt"

	"pview/render/raster"
)

// How the list is drawn: one line for each note, with its time, its object and its text.

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	list, body := p.list(), c.Sub(0, 1, c.W, c.H-1)
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

// widths returns the columns that times and names of objects take.
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
