package notes

import (
	"fmt"

	"pview/render/raster"
	"pview/render/style"
)

// How the list is drawn: one line for each note, with its time, its object and its text.

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	list, body := p.list(), c.Sub(0, 1, c.W, c.H-1)
	p.lines = body.H
	if len(list) == 0 {
		body.Text(2, 0, p.sc.Theme.ASCII("no notes on this trace yet: "+p.sc.KeysOf("note")+" adds one at the cursor"),
			p.sc.Theme.Dim)
		return
	}
	c.Text(x+2, 0, raster.CountOf(len(list), "note"), dim)
	chosen := p.chosen()
	p.top = min(max(p.top, chosen-body.H+1), chosen)
	p.top = max(0, min(p.top, len(list)-body.H))
	times, objects := p.widths(list)
	for y := 0; y < body.H && p.top+y < len(list); y++ {
		p.drawNote(body.Sub(0, y, body.W, 1), &list[p.top+y], p.top+y == chosen, times, objects)
	}
	style.DrawScrollbar(body, p.top, body.H, len(list), p.sc.Theme)
}

// widths returns the columns that times and names of objects take.
func (p *Pane) widths(list []note) (times, objects int) {
	tr := p.sc.View.Trace.Data
	for i := range list {
		times = max(times, raster.TextWidth(raster.FormatTime(list[i].time, tr.Unit, 1)))
		objects = max(objects, raster.TextWidth(tr.Name(list[i].level, list[i].object)))
	}
	return times, objects
}

func (p *Pane) drawNote(c raster.Canvas, n *note, chosen bool, times, objects int) {
	th, tr := p.sc.Theme, p.sc.View.Trace.Data
	text, dim := th.Text, th.Dim
	if chosen {
		text = th.DrawChosen(c, p.sc.Focused)
		dim = text
		c.Text(0, 0, th.ASCII("▸"), text)
	}
	lead := fmt.Sprintf("%*s  %-*s  ", times, raster.FormatTime(n.time, tr.Unit, 1), objects,
		tr.Name(n.level, n.object))
	x := c.Text(2, 0, th.ASCII(lead), dim)
	c.Text(x, 0, th.Cut(n.text, c.W-x-2), text)
}
