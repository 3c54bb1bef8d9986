package workload

// How the pane is drawn: the tabs and what is computed; the pages, and the result in a few words; and the page. Where
// there is room, the settings stand beside it.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
)

// drawn is what stood where when the pane was drawn last.
type drawn struct {
	pages  []int // first column of each page's name
	lines  raster.Rect
	body   raster.Rect
	table  raster.Rect // of the body
	placed plot.Placed
}

const (
	wide      = 110 // width of the pane from which on the settings stand beside the page
	sideWidth = 46
	keyWidth  = 13
)

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	p.drawn = drawn{}
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
	p.drawPages(c.Sub(0, 1, c.W, 1), s)
	body := raster.Rect{X: 0, Y: 2, W: c.W, H: c.H - 2}
	if c.W >= wide {
		p.drawSide(c.Sub(0, 2, sideWidth, c.H-2), s)
		body.X, body.W = sideWidth+1, c.W-sideWidth-1
	}
	p.drawn.body = body
	p.drawPage(body.Of(c), s)
}

// state is what is computed for the trace.
func (p *Pane) state(s *session) string {
	switch {
	case p.job != nil:
		return p.job.progress() + "…"
	case errors.Is(s.err, context.Canceled):
		return "stopped; " + p.sc.KeysOf("workload-again") + " computes it"
	case s.streamed != 0:
		return "clusters in the timeline"
	}
	return ""
}

// drawPages writes the names of the pages, and the result in a few words.
func (p *Pane) drawPages(c raster.Canvas, s *session) {
	th, x, gap := p.sc.Theme, 0, 2
	if c.W < roomForMore {
		gap = 1
	}
	p.drawn.pages, x = th.DrawTabs(c, 1, gap, p.PageNames(), p.page, p.sc.Focused)
	if s.result == nil || s.broken() {
		return
	}
	text := th.Cut(th.ASCII(s.summary()), max(c.W-x-1, 0))
	if n := raster.TextWidth(text); n > 8 {
		c.Text(c.W-n-1, 0, text, th.Text)
	}
}

// beside is the page beside the settings, where they stand at the side and are chosen; -1 elsewhere.
func (p *Pane) beside() int {
	if p.page == pageSetup && p.sc.Region.W >= wide {
		return pageScatter
	}
	return -1
}

func (p *Pane) drawPage(c raster.Canvas, s *session) {
	page := p.page
	if page == pageSetup && c.W < p.sc.Region.W {
		page = pageScatter
	}
	switch {
	case page == pageSetup:
		p.drawSetup(c, s)
	case s.result == nil, s.broken():
		p.say(c, p.missing(s))
	case page == pageClusters:
		p.drawTable(c, s)
	default:
		p.drawView(c, s, page)
	}
}

// broken reports whether what is set now has no result.
func (s *session) broken() bool {
	return s.err != nil && !errors.Is(s.err, context.Canceled) && !errors.Is(s.err, errStale)
}

// missing says why there is no result.
func (p *Pane) missing(s *session) string {
	switch {
	case s.err == nil || errors.Is(s.err, errStale):
		return "looking for clusters…"
	case errors.Is(s.err, context.Canceled):
		return "stopped; " + p.sc.KeysOf("workload-again") + " looks for clusters"
	case errors.Is(s.err, errNone):
		return fmt.Sprintf("the trace has no %s; the first line of the setup chooses other components", s.kind.Name)
	}
	return s.err.Error()
}

func (p *Pane) say(c raster.Canvas, text string) {
	for y, line := range style.Wrap(p.sc.Theme.ASCII(text), max(c.W-4, 10)) {
		c.Text(2, y+1, line, p.sc.Theme.Dim)
	}
}

// drawView draws what was made of a page: the last one while another is being made.
func (p *Pane) drawView(c raster.Canvas, s *session, page int) {
	v := s.shown[page]
	switch {
	case v == nil && s.failed[pages[page].name] != nil:
		p.say(c, "stopped; "+p.sc.KeysOf("workload-again")+" computes it")
	case v == nil:
		p.say(c, "being computed…")
	case v.err != nil:
		p.say(c, v.err.Error())
	case v.lines != nil:
		p.drawLines(c, v.lines)
	default:
		f := *v.figure
		s.point(page, v, &f)
		p.drawn.placed = p.sc.DrawFigure(&f, c)
		if p.drawn.placed.Plot.H == 0 && c.H > 1 {
			c.Text(1, 1, "no room", p.sc.Theme.Dim)
		}
	}
}

// point marks in a figure what is chosen: the component, eps or k.
func (s *session) point(page int, v *view, f *figure.Figure) {
	switch page {
	case pageScatter:
		if s.at < 0 || v.key != pages[page].key(s) {
			return
		}
		x, y := plots.Place(s.result, s.x, s.y, s.at)
		f.Marks = append(slices.Clip(f.Marks), figure.Mark{X: x, Y: y, Ink: figure.Strong, Sign: '◆', Name: s.placeText()})
	case pageHistogram:
		if s.at >= 0 && v.key == pages[page].key(s) {
			x, _ := plots.Place(s.result, s.x, s.y, s.at)
			f.Rules = append(slices.Clip(f.Rules), figure.Rule{At: x, Ink: figure.Strong, Name: s.placeText()})
		}
	case pageChoice:
		switch {
		case s.method() == "dbscan" && v.suggested > 0:
			f.Rules = append(slices.Clip(f.Rules),
				figure.Rule{At: s.eps(), Flat: true, Ink: figure.Vermilion, Name: fmt.Sprintf("eps %.3g", s.eps())},
				figure.Rule{At: v.suggested, Flat: true, Ink: figure.Green, Name: fmt.Sprintf("knee %.3g", v.suggested)})
		case s.method() == "kmeans" && s.set.K > 1:
			f.Rules = append(slices.Clip(f.Rules),
				figure.Rule{At: float64(s.set.K), Ink: figure.Strong, Name: fmt.Sprintf("chosen: %d", s.set.K)})
		}
	}
}

// placeText says where the chosen component is, in a few words.
func (s *session) placeText() string { return s.placeOf(s.at) }

// placeOf says where a component is.
func (s *session) placeOf(i int) string {
	set := s.result.Set
	if set.Begin == nil || set.Names != nil || set.Thread[i] < 0 {
		return set.Name(i)
	}
	app, task, thread := set.Trace.ThreadID(set.Thread[i])
	return fmt.Sprintf("%d.%d.%d at %s", app, task, thread,
		raster.FormatTime(set.Begin[i], set.Trace.Unit, max(1, (set.End[i]-set.Begin[i])/10)))
}

func (p *Pane) drawLines(c raster.Canvas, lines []line) {
	th := p.sc.Theme
	p.drawn.table = raster.Rect{}
	y := 0
	for _, l := range lines {
		st := th.Text
		if l.head {
			st = th.Bold
		}
		if y >= c.H {
			return
		}
		c.Text(1, y, th.Cut(th.ASCII(l.text), c.W-2), st)
		y++
	}
}

// drawSide draws the settings, and below them the chosen cluster.
func (p *Pane) drawSide(c raster.Canvas, s *session) {
	th := p.sc.Theme
	for y := range c.H {
		c.Set(c.W-1, y, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
	}
	c = c.Sub(0, 0, c.W-2, c.H)
	n := min(len(s.lines()), c.H)
	p.drawSetup(c.Sub(0, 0, c.W, n), s)
	p.drawChosen(c.Sub(0, n+1, c.W, c.H-n-1), s)
}

// drawSetup draws the lines of the definition.
func (p *Pane) drawSetup(c raster.Canvas, s *session) {
	th, list := p.sc.Theme, s.lines()
	p.row = min(p.row, len(list)-1)
	first := 0
	if len(list) > c.H {
		first = min(max(p.row-c.H/2, 0), len(list)-c.H)
	}
	p.drawn.lines = raster.Rect{X: 0, Y: 2 - first, W: c.W, H: len(list)}
	for y := range min(c.H, len(list)) {
		i := first + y
		line := c.Sub(0, y, c.W, 1)
		st, keyStyle := th.Text, th.Dim
		if i == p.row && p.page == pageSetup && p.sc.Focused {
			st, keyStyle = th.PopupSel, th.PopupSelDim
			line.Fill(raster.Cell{Rune: ' ', Style: st})
		}
		line.Text(1, 0, th.Cut(list[i].name, keyWidth-1), keyStyle)
		line.Text(1+keyWidth, 0, th.Cut(th.ASCII(list[i].get(s)), line.W-keyWidth-2), st)
	}
}

// drawChosen says what is known of the chosen cluster, and of the chosen component.
func (p *Pane) drawChosen(c raster.Canvas, s *session) {
	class, ok := s.class()
	if !ok || c.H < 2 || s.broken() {
		return
	}
	th := p.sc.Theme
	c.Set(1, 0, raster.Cell{Rune: th.Glyphs.Full, Style: raster.Style{FG: plot.Color(plots.InkOf(int(class)), p.sc.Dark)}})
	c.Text(3, 0, workload.ClassName(class), th.Bold)
	y := 1
	add := func(name, text string) {
		if y < c.H && text != "" {
			c.Text(1, y, th.Cut(th.ASCII(name), keyWidth-1), th.Dim)
			c.Text(1+keyWidth, y, th.Cut(th.ASCII(text), c.W-keyWidth-2), th.Text)
			y++
		}
	}
	cells := s.cells()
	for i := 0; i < len(cells); i++ {
		title, text := cells[i].title, cells[i].text(class)
		if i+1 < len(cells) && cells[i+1].title == deviation {
			if i++; text != "" {
				text += " ± " + cells[i].text(class)
			}
		}
		add(title, text)
	}
	if s.at < 0 {
		return
	}
	y++
	add("chosen", s.placeText())
	add("", workload.ClassName(s.result.Class[s.at]))
	for j := range s.result.Set.Columns {
		column := &s.result.Set.Columns[j]
		if v := column.Values[s.at]; !math.IsNaN(v) {
			add(cmp.Or(plots.LabelOf(s.result, column.Name), column.Name), shower(column)(v))
		}
	}
}
