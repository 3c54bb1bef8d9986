package compare

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/compare"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
)

// How the pane is drawn: what is compared; the sentence; the kinds of parts; and a line for each part with its times
// and a bar, to the left for less time, to the right for more.

// Colours of the bars, which colour-blind eyes tell apart.
var (
	more = raster.RGB(221, 132, 82)
	less = raster.RGB(76, 134, 199)
)

// Widths of the parts of a line.
const (
	timeWidth  = 10
	leastBars  = 21 // columns left from which on bars are drawn
	leastNames = 24 // of the names beside them
	usualNames = 30
)

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	body := c.Sub(1, 1, c.W-2, c.H-1)
	p.lines = 0
	a, b := p.pair()
	if a == nil || b == nil {
		body.Text(1, 0, th.Cut("Two traces are compared; "+p.sc.KeysOf("open")+" opens another.", body.W-1), th.Dim)
		return
	}
	c.Text(x+2, 0, th.Cut(th.ASCII(fmt.Sprintf("A %s · B %s", a.Name, b.Name)), c.W-x-3), dim)
	switch {
	case p.err != nil:
		body.Text(1, 0, th.Cut(p.err.Error()+"; r repeats", body.W-1), th.Warn)
	case p.result == nil:
		body.Text(1, 0, th.ASCII("comparing…"), th.Dim)
	default:
		p.drawResult(body)
	}
}

func (p *Pane) drawResult(c raster.Canvas) {
	th := p.sc.Theme
	y := 0
	for _, line := range style.Wrap(p.result.Headline(), c.W-2) {
		if y < max(c.H-4, 1) {
			c.Text(1, y, th.ASCII(line), th.Bold)
			y++
		}
	}
	x := 1
	for k := range compare.NumKinds {
		st := th.Dim
		if k == p.kind {
			st = raster.Style{FG: th.Accent.FG, Attr: raster.Bold}
		}
		x = c.Text(x, y, k.String(), st) + 2
	}
	p.drawParts(c.Sub(0, y+1, c.W, max(c.H-y-1, 0)))
	p.first = 1 + y + 2
}

// drawParts draws the list, below the names of its columns.
func (p *Pane) drawParts(c raster.Canvas) {
	th, parts := p.sc.Theme, p.parts()
	body := c.Sub(0, 1, c.W, max(c.H-1, 0))
	if len(parts) == 0 {
		c.Text(1, 0, "different numbers of threads: they have no partners", th.Dim)
		return
	}
	p.lines = min(body.H, len(parts))
	p.top = min(max(p.top, p.at-body.H+1), p.at)
	p.top = max(0, min(p.top, len(parts)-body.H))
	names := p.nameWidth(c.W, parts)
	bars := c.W - names - 4*timeWidth - 4
	if bars < leastBars {
		bars = 0
	}
	c.Text(1, 0, th.Cut(p.kind.Doc(), names), th.Dim)
	for i, head := range []string{"A", "B", "B - A", "of A"} {
		c.Text(names+1+i*timeWidth, 0, fmt.Sprintf("%*s", timeWidth, head), th.Dim)
	}
	largest := int64(0)
	for i := range parts {
		largest = max(largest, parts[i].Difference(), -parts[i].Difference())
	}
	for y := range p.lines {
		p.drawPart(body.Sub(0, y, body.W, 1), &parts[p.top+y], p.top+y == p.at, names, bars, largest)
	}
	style.DrawScrollbar(body, p.top, body.H, len(parts), th)
}

// nameWidth is the width of the names: what they need, if there is as much.
func (p *Pane) nameWidth(room int, parts []compare.Part) (w int) {
	for i := range parts {
		w = max(w, raster.TextWidth(parts[i].Name))
	}
	room -= 4*timeWidth + 4
	if room-leastBars >= leastNames {
		room -= leastBars
	}
	return max(min(max(w, usualNames), room), 8)
}

func (p *Pane) drawPart(c raster.Canvas, part *compare.Part, chosen bool, names, bars int, largest int64) {
	th := p.sc.Theme
	st := th.Text
	if chosen {
		st = th.DrawChosen(c, p.sc.Focused)
	}
	if part.Noisy() && !chosen {
		st = th.Dim
	}
	c.Text(1, 0, th.ASCII(th.Cut(prv.Clean(part.Name), names)), st)
	d := part.Difference()
	sign := "+"
	if d < 0 {
		sign = "-"
	}
	total, _ := p.result.Times()
	of := ""
	if total > 0 {
		of = fmt.Sprintf("%+.2f %%", 100*float64(d)/float64(total))
	}
	for i, text := range []string{durationOf(part.A), durationOf(part.B), sign + durationOf(max(d, -d)), of} {
		c.Text(names+1+i*timeWidth, 0, fmt.Sprintf("%*s", timeWidth, th.ASCII(text)), st)
	}
	if bars > 0 && largest > 0 {
		p.drawBar(c.Sub(names+4*timeWidth+3, 0, bars, 1), float64(d)/float64(largest), st)
	}
}

// drawBar draws a share from -1 to 1, from the middle.
func (p *Pane) drawBar(c raster.Canvas, share float64, st raster.Style) {
	half := (c.W - 1) / 2
	n := int(math.Round(math.Abs(share) * float64(half)))
	colour, from := more, half+1
	if share < 0 {
		colour, from = less, half-n
	}
	c.Text(half, 0, string(p.sc.Theme.Glyphs.Vertical), st)
	bar := "█"
	if p.sc.ASCII {
		bar = "#"
	}
	c.Text(from, 0, strings.Repeat(bar, n), raster.Style{FG: colour, BG: st.BG})
}

func durationOf(ns int64) string { return raster.FormatDuration(ns, prv.Nanoseconds) }
