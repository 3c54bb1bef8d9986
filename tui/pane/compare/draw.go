package compare

import (
	"fmt"

	"pview/render/raster"
)

// Draw paints the pane: the runs, sentences about them, and the document with the parts of a kind.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	body := c.Sub(1, 1, c.W-2, c.H-1)
	a, b := p.pair()
	if a == nil || b == nil {
		text := "A comparison needs two traces: " + p.sc.KeysOf("open") + " opens another."
		body.Text(1, 0, th.Cut(text, body.W-1), th.Dim)
		return
	}
	c.Text(x+2, 0, th.Cut(th.ASCII(fmt.Sprintf("A %s · B %s", a.Name, b.Name)), c.W-x-3), dim)
	switch {
	case p.err != nil:
		body.Text(1, 0, th.Cut(p.err.Error()+"; r repeats", body.W-1), th.Warn)
	case p.result == nil:
		body.Text(1, 0, th.ASCII("comparing…"), th.Dim)
	default:
		p.drawResult(c, body)
	}
}

func (p *Pane) drawResult(on, c raster.Canvas) {
	th, y := p.sc.Theme, 0
	for _, passage := range p.head {
		y += p.sc.DrawText(c.Sub(1, y, c.W-2, max(c.H-3, 1)-y), passage.Text, th.Bold)
	}
	body := c.Sub(0, y, c.W, max(c.H-y, 0))
	if len(p.result.Of(p.kind())) == 0 {
		body.Text(1, 0, "different numbers of threads: they have no partners", th.Dim)
		return
	}
	p.doc.Draw(on, body)
}
