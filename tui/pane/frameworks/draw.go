package frameworks

import (
	"context"
	"errors"
	"slices"

	"pview/insight/frameworks"
	"pview/insight/frameworks/plots"
	"pview/insight/report"
	"pview/render/raster"
)

// How the pane is drawn: the structure and the first advice in a line each; the parameters at the left; and a plot, the
// tables or the whole advice at the right, or below the parameters if it does not fit beside them.

const (
	beside    = 110 // minimum width for the page beside the parameters
	sideWidth = 52
	roomy     = 14 // minimum height for an empty line below the head
)

// Pages of text.
const (
	pageTables = 2
	pageAdvice = 3
)

// page returns the document of the page; nil for a plot.
func (p *Pane) page() *report.Document {
	r := p.report()
	switch {
	case r == nil:
		return nil
	case r.Refusal != "", p.pages.At == pageTables:
		return p.tables
	case p.pages.At == pageAdvice, p.pages.At >= len(plots.Figures(r)):
		return p.advice
	}
	return nil
}

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	s, ok := p.subject()
	if !ok {
		c.Text(2, 2, "the trace is still being read", th.Dim)
		return
	}
	if s.to > 0 {
		text := th.Cut(raster.FormatRange(s.from, s.to, s.trace.Data.Unit), max(c.W-x-3, 0))
		c.Text(c.W-raster.TextWidth(text)-1, 0, text, dim)
	}
	o, known := p.known[s]
	body := c.Sub(1, 1, c.W-2, c.H-1)
	switch {
	case !known:
		body.Text(0, 1, th.ASCII("looking for a structure…"), th.Dim)
	case errors.Is(o.err, context.Canceled):
		body.Text(0, 1, "stopped; "+p.sc.KeysOf("frameworks again")+" looks again", th.Dim)
	case o.err != nil:
		p.sc.DrawText(body, o.err.Error(), th.Warn)
	case o.report.Refusal != "":
		p.text.Draw(c, c.Sub(0, 1, c.W, c.H-1))
	default:
		p.drawReport(c, body, o.report)
	}
}

// drawReport draws the results.
func (p *Pane) drawReport(on, c raster.Canvas, r *frameworks.Report) {
	th := p.sc.Theme
	x, y, head := 0, 0, p.head
	if n := max(c.H/4, 2); len(head) > n { // the last line is the verdict of the simulator
		head = slices.Concat(head[:n-1], head[len(head)-1:])
	}
	for ; y < len(head); y++ {
		st := th.Text
		if y == 1 {
			st = th.Accent
		}
		x = c.Text(0, y, th.Cut(th.ASCII(head[y]), c.W), st)
	}
	if r.Verdict == nil && !p.Busy() {
		c.Text(x+2, y-1, th.Cut(p.sc.KeysOf("frameworks simulate")+" simulates it", c.W-x-2), th.Dim)
	}
	if c.H >= roomy {
		y++
	}
	rest := c.Sub(0, y, c.W, c.H-y)
	if c.W < beside {
		n := min(len(r.Parameters)+1, max(rest.H/3, 3))
		p.inputs.Draw(on, rest.Sub(0, 0, rest.W, n))
		p.drawPage(on, rest.Sub(0, n, rest.W, rest.H-n), r)
		return
	}
	p.inputs.Draw(on, rest.Sub(0, 0, sideWidth, rest.H))
	for k := range rest.H {
		rest.Set(sideWidth, k, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
	}
	p.drawPage(on, rest.Sub(sideWidth+2, 0, rest.W-sideWidth-2, rest.H), r)
}

// drawPage draws the chosen page.
func (p *Pane) drawPage(on, c raster.Canvas, r *frameworks.Report) {
	if p.page() == nil {
		p.sc.DrawFigure(plots.Figures(r)[p.pages.At], c)
		return
	}
	p.text.Draw(on, c)
}
