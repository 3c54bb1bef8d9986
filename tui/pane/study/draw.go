package study

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/report/figure"
	"pview/render/plot"
	"pview/render/raster"
	"pview/sim/study"
	"pview/tui/list"
)

// How the pane is drawn: the progress; the columns of the axes; and the page. If there is room, the definition and a
// summary of the output are beside it.

// drawn holds the places of the last drawing.
type drawn struct {
	body   raster.Rect
	placed plot.Placed
}

const (
	beside    = 120 // minimum width of the pane for the definition beside the page
	sideWidth = 48
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
	if s.cancel != nil || s.table != nil {
		text := th.Cut(th.ASCII(s.progress()), max(c.W-x-3, 0))
		c.Text(c.W-raster.TextWidth(text)-1, 0, text, dim)
	}
	if s.program == nil {
		if _, _, err := p.sc.Simulation(s.measured); err != nil {
			p.sc.DrawMissing(c.Sub(2, 1, c.W-4, c.H-1), err)
		}
		return
	}
	k := p.sc.ListLook(c)
	p.drawAxes(k, c.Sub(1, 1, c.W-1, 1), s)
	body := raster.Rect{X: 0, Y: 2, W: c.W, H: c.H - 2}
	if c.W >= beside {
		p.drawSide(k, c.Sub(0, 2, sideWidth, c.H-2), s)
		body.X, body.W = sideWidth+1, c.W-sideWidth-1
	}
	p.drawn.body = body
	p.drawPage(k, body.Of(c), s, c.W >= beside)
}

// drawAxes writes the columns shown.
func (p *view) drawAxes(k list.Look, c raster.Canvas, s *session) {
	if s.count() == 0 || p.pages.At == pageSetup {
		return
	}
	text := "y " + s.info(s.y).Name
	if pages[p.pages.At].hasX {
		text = "x " + s.info(s.x).Name + "  " + text
	}
	c.Text(0, 0, k.Theme.Cut(text, c.W-1), k.Theme.Text)
}

func (p *view) drawPage(k list.Look, c raster.Canvas, s *session, side bool) {
	page := p.pages.At
	switch {
	case page == pageSetup && !side:
		p.drawSetup(k, c, s)
	case p.shown(s) == 0:
		p.drawEmpty(c, s)
	case page == pageRuns:
		p.drawTable(k, c, s)
	default:
		if page == pageSetup { // it is shown at the side
			page = pageMean
		}
		p.drawn.placed = p.sc.DrawFigure(p.plotOf(s, page), c)
		if p.drawn.placed.Plot.H == 0 && c.H > 1 {
			c.Text(1, 1, "no room", k.Theme.Dim)
		}
	}
}

// shown returns the number of runs that the page shows.
func (p *view) shown(s *session) int {
	if p.pages.At == pageRuns {
		return s.listed()
	}
	return s.runs()
}

// drawEmpty explains how to start a study.
func (p *view) drawEmpty(c raster.Canvas, s *session) {
	text := p.sc.KeysOf("study run") + " simulates " + raster.CountOf(s.def.Runs, "run")
	switch {
	case s.err != nil:
		text = s.err.Error()
	case s.cancel != nil:
		text = "no run has ended yet"
	case len(s.def.Variables) == 0:
		text = p.sc.KeysOf("study variable") + " adds a random variable; so does " + p.sc.KeysOf("field random") +
			" on a field of the Simulator"
	}
	p.sc.DrawText(c.Sub(2, 1, c.W-4, c.H-1), text, p.sc.Theme.Dim)
}

// drawSide draws the definition, and below it a summary of the output.
func (p *view) drawSide(k list.Look, c raster.Canvas, s *session) {
	for y := range c.H {
		c.Set(c.W-1, y, raster.Cell{Rune: p.sc.Theme.Glyphs.Vertical, Style: raster.Style{FG: p.sc.Theme.Border.FG}})
	}
	c = c.Sub(0, 0, c.W-2, c.H)
	n := min(s.def.lines()+2, c.H)
	p.drawSetup(k, c.Sub(0, 0, c.W, n), s)
	p.drawSummary(c.Sub(0, n+1, c.W, c.H-n-1), s)
}

// drawSetup draws the lines of the definition.
func (p *view) drawSetup(k list.Look, c raster.Canvas, s *session) {
	th := p.sc.Theme
	base := "machine " + s.base.BaseName
	if now, setup, _ := p.sc.Simulation(s.measured); now == s.program && !setup.Scenario.Equal(s.base.Scenario) {
		base += "; " + p.sc.KeysOf("study machine") + " takes the Simulator's"
	}
	c.Text(1, 0, th.Cut(th.ASCII(base), c.W-2), th.Dim)
	const name = 14
	p.setup.Draw(k, c.Sub(0, 1, c.W, c.H-1), func(c raster.Canvas, i int, st, dim raster.Style) {
		if p.pages.At != pageSetup || !k.Focused { // the choice matters on its page alone
			c.Clear()
			st, dim = th.Text, th.Dim
		}
		key, value := s.line(i)
		if i == len(s.def.Variables) {
			c.Text(1, 0, th.Cut(key, c.W-2), dim)
			return
		}
		c.Text(1, 0, th.Cut(key, name-1), dim)
		c.Text(1+name, 0, th.Cut(th.ASCII(value), c.W-name-2), st)
	})
}

// line is line i of the definition.
func (s *session) line(i int) (key, value string) {
	n := len(s.def.Variables)
	switch {
	case i < n:
		key, value, _ = strings.Cut(s.def.Variables[i], "=")
		return key, value
	case i == n:
		return "+ a variable", ""
	}
	st := &settings[i-n-1]
	if value = st.get(&s.def); value == "" {
		value = "none"
	}
	return st.name, value
}

// drawSummary draws the summary of the output: moments, percentiles, extremes, the limit.
func (p *view) drawSummary(c raster.Canvas, s *session) {
	if s.runs() == 0 || c.H < 2 {
		return
	}
	th := p.sc.Theme
	c.Text(1, 0, th.Cut(s.info(s.y).Name, c.W-2), th.Accent)
	for y, l := range p.summaryOf(s) {
		if y+1 >= c.H {
			break
		}
		c.Text(1, y+1, l[0], th.Dim)
		c.Text(12, y+1, th.Cut(th.ASCII(l[1]), c.W-13), th.Text)
	}
}

// summary summarises the output.
func (s *session) summary() (lines [][2]string) {
	values := s.values(s.y)
	f := study.StatisticsOf(values.Values)
	if f.N == 0 {
		return [][2]string{{"", "no run has a value"}}
	}
	add := func(name, text string) { lines = append(lines, [2]string{name, text}) }
	text := s.text(f.Mean, s.y)
	if f.N > 1 {
		text += " ± " + s.text(f.Half, s.y)
	}
	add("mean", text)
	add("deviation", s.text(f.SD, s.y))
	for i, p := range [...]float64{5, 50, 95} {
		add([...]string{"5 %", "median", "95 %"}[i], s.text(f.Percentile(p), s.y))
	}
	least, greatest := s.extremes()
	low, high := s.info(s.y).Ends()
	add(low, fmt.Sprintf("%s, run %d", s.text(s.value(&s.table.Rows[least], s.y), s.y), s.table.Rows[least].Index))
	add(high, fmt.Sprintf("%s, run %d", s.text(s.value(&s.table.Rows[greatest], s.y), s.y),
		s.table.Rows[greatest].Index))
	if !math.IsNaN(s.limit) {
		share, err := figure.Exceeding(values, s.limit)
		add("exceeding", fmt.Sprintf("%s: %s ± %s", s.text(s.limit, s.y), raster.FormatPercent(share),
			raster.FormatPercent(err)))
	}
	if r := s.row(); r != nil {
		add("chosen", s.chosenName())
		for i := range s.count() {
			add("", s.info(i).Name+" "+s.text(s.value(r, i), i))
		}
	}
	return lines
}

func (s *session) chosenName() string { return fmt.Sprintf("run %d", s.at) }
