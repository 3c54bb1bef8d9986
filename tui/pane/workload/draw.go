package workload

// How the pane is drawn: the work in progress; the result in a few words; and the page. If there is room, the settings
// are beside it.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/render/plot"
	"pview/render/raster"
	"pview/tui/list"
)

// drawn holds the places of the last drawing.
type drawn struct {
	page   int // of text
	body   raster.Rect
	placed plot.Placed
}

const (
	wide      = 110 // minimum width of the pane for the settings beside the page
	sideWidth = 46
	keyWidth  = 13
)

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	p.drawn = drawn{page: p.drawn.page}
	s := p.current()
	if s == nil {
		return
	}
	if text := p.state(s); text != "" {
		text = th.Cut(th.ASCII(text), max(c.W-x-3, 0))
		c.Text(c.W-raster.TextWidth(text)-1, 0, text, dim)
	}
	if s.trace.Until != 0 {
		c.Text(2, 2, "the trace is still being read", th.Dim)
		return
	}
	p.drawSummary(c, s)
	body := raster.Rect{X: 0, Y: 2, W: c.W, H: c.H - 2}
	if c.W >= wide {
		p.drawSide(c, c.Sub(0, 2, sideWidth, c.H-2), s)
		body.X, body.W = sideWidth+1, c.W-sideWidth-1
	}
	p.drawn.body = body
	p.drawPage(c, body.Of(c), s)
}

// state holds the results for the trace.
func (p *Pane) state(s *session) string {
	switch {
	case p.Busy():
		return p.work.Progress() + "…"
	case errors.Is(s.err, context.Canceled):
		return "stopped; " + p.sc.KeysOf("workload again") + " computes it"
	case s.streamed != 0:
		return "clusters in the timeline"
	}
	return ""
}

// drawSummary writes the result in a few words.
func (p *Pane) drawSummary(c raster.Canvas, s *session) {
	if s.result == nil || s.broken() {
		return
	}
	th := p.sc.Theme
	c.Text(1, 1, th.Cut(th.ASCII(s.result.Summary()), c.W-2), th.Text)
}

// setupShown reports whether the settings are on the screen.
func (p *Pane) setupShown() bool { return p.pages.At == pageSetup || p.sc.Region.W >= wide }

// beside returns the page beside the settings, if these are at the side and selected; else -1.
func (p *Pane) beside() int {
	if p.pages.At == pageSetup && p.sc.Region.W >= wide {
		return pageScatter
	}
	return -1
}

func (p *Pane) drawPage(on, c raster.Canvas, s *session) {
	page := p.pages.At
	if page == pageSetup && c.W < p.sc.Region.W {
		page = pageScatter
	}
	switch {
	case page == pageSetup:
		p.drawSetup(on, c, s)
	case s.result == nil, s.broken():
		p.say(c, p.missing(s))
	default:
		p.drawView(on, c, s, page)
	}
}

// broken reports whether the current settings have no result.
func (s *session) broken() bool {
	return s.err != nil && !errors.Is(s.err, context.Canceled) && !errors.Is(s.err, errStale)
}

// missing explains why there is no result.
func (p *Pane) missing(s *session) string {
	switch {
	case s.err == nil || errors.Is(s.err, errStale):
		return "looking for clusters…"
	case errors.Is(s.err, context.Canceled):
		return "stopped; " + p.sc.KeysOf("workload again") + " looks for clusters"
	case errors.Is(s.err, errNone):
		return fmt.Sprintf("the trace has no %s; the first line of the setup chooses other components", s.kind.Name)
	}
	return s.err.Error()
}

func (p *Pane) say(c raster.Canvas, text string) {
	p.sc.DrawText(c.Sub(2, 1, c.W-4, c.H-1), text, p.sc.Theme.Dim)
}

// drawView draws the latest figure of a page while another is being made.
func (p *Pane) drawView(on, c raster.Canvas, s *session, page int) {
	v := s.shown[page]
	switch {
	case v == nil && s.failed[pages[page].name] != nil:
		p.say(c, "stopped; "+p.sc.KeysOf("workload again")+" computes it")
	case v == nil:
		p.say(c, "being computed…")
	case v.err != nil:
		p.say(c, v.err.Error())
	case v.doc != nil:
		p.drawDocument(on, c, s, v.doc)
	default:
		f := *v.figure
		s.point(page, v, &f)
		p.drawn.placed = p.sc.DrawFigure(&f, c)
		if p.drawn.placed.Plot.H == 0 && c.H > 1 {
			c.Text(1, 1, "no room", p.sc.Theme.Dim)
		}
	}
}

// point marks the selection in a figure: the component, eps or k.
func (s *session) point(page int, v *view, f *figure.Figure) {
	switch page {
	case pageScatter:
		if s.at < 0 || v.key != pages[page].key(s) {
			return
		}
		x, y := plots.Place(s.result, s.x, s.y, s.at)
		f.Marks = append(slices.Clip(f.Marks),
			figure.Mark{X: x, Y: y, Ink: figure.Strong, Sign: '◆', Name: s.result.Set.Place(s.at)})
	case pageHistogram:
		if s.at >= 0 && v.key == pages[page].key(s) {
			x, _ := plots.Place(s.result, s.x, s.y, s.at)
			f.Rules = append(slices.Clip(f.Rules),
				figure.Rule{At: x, Ink: figure.Strong, Name: s.result.Set.Place(s.at)})
		}
	case pageChoice:
		switch {
		case s.method() == "dbscan" && v.suggested > 0:
			eps := s.used().Eps
			f.Rules = append(
				slices.Clip(f.Rules),
				figure.Rule{At: eps, Flat: true, Ink: figure.Vermilion, Name: fmt.Sprintf("eps %.3g", eps)},
				figure.Rule{
					At:   v.suggested,
					Flat: true,
					Ink:  figure.Green,
					Name: fmt.Sprintf("knee %.3g", v.suggested),
				},
			)
		case s.method() == "kmeans" && s.set.K > 1:
			f.Rules = append(slices.Clip(f.Rules),
				figure.Rule{At: float64(s.set.K), Ink: figure.Strong, Name: fmt.Sprintf("chosen: %d", s.set.K)})
		}
	}
}

// drawDocument draws a page of text. In the table of clusters the chosen one is selected.
func (p *Pane) drawDocument(on, c raster.Canvas, s *session, d *report.Document) {
	if p.doc.Document() != d {
		p.doc.Show(d)
		p.row = -1
	}
	if p.drawn.page != p.pages.At {
		p.doc.By(-list.Far)
	}
	p.drawn.page = p.pages.At
	if p.pages.At == pageClusters && p.row != s.row {
		p.doc.SelectRow(s.row)
		p.row = s.row
	}
	p.doc.Draw(on, c)
}

// drawSide draws the settings, and below them the chosen cluster.
func (p *Pane) drawSide(on, c raster.Canvas, s *session) {
	th := p.sc.Theme
	for y := range c.H {
		c.Set(c.W-1, y, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
	}
	c = c.Sub(0, 0, c.W-2, c.H)
	n := min(len(s.lines()), c.H)
	p.drawSetup(on, c.Sub(0, 0, c.W, n), s)
	p.drawChosen(c.Sub(0, n+1, c.W, c.H-n-1), s)
}

// drawSetup draws the lines of the definition.
func (p *Pane) drawSetup(on, c raster.Canvas, s *session) {
	th, lines := p.sc.Theme, s.lines()
	look := p.sc.ListLook(on)
	at := p.pages.At == pageSetup && look.Focused
	p.setup.rows.Draw(look, c, func(c raster.Canvas, i int, st, dim raster.Style) {
		if !at {
			c.Fill(raster.Cell{Rune: ' '})
			st, dim = th.Text, th.Dim
		}
		c.Text(1, 0, th.Cut(lines[i].name, keyWidth-1), dim)
		c.Text(1+keyWidth, 0, th.Cut(th.ASCII(lines[i].get(s)), c.W-keyWidth-2), st)
	})
}

// drawChosen describes the chosen cluster, and the chosen component.
func (p *Pane) drawChosen(c raster.Canvas, s *session) {
	class, ok := s.class()
	if !ok || c.H < 2 || s.broken() {
		return
	}
	th := p.sc.Theme
	c.Set(1, 0, p.ink(class))
	c.Text(3, 0, workload.ClassName(class), th.Bold)
	y := 1
	pairs := func(list report.Pairs) {
		for _, pair := range list {
			c.Text(1, y, th.Cut(th.ASCII(pair[0]), keyWidth-1), th.Dim)
			c.Text(1+keyWidth, y, th.Cut(th.ASCII(pair[1]), c.W-keyWidth-2), th.Text)
			y++
		}
	}
	pairs(s.result.AboutClass(s.row))
	if y++; s.at >= 0 {
		pairs(s.result.About(s.at))
	}
}
