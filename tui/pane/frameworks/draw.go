package frameworks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pview/insight/frameworks"
	"pview/insight/frameworks/plots"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
)

// How the pane is drawn: the structure and the first advice in a line each; the parameters at the left, each with its
// origin; and a plot, the table or the whole advice at the right, or instead of the parameters where there is no room
// beside them.

// page is what stands beside the parameters.
type page struct {
	name   string
	figure int // of Figures; -1: text
	lines  func(p *Pane, r *frameworks.Report, width int) []style.Line
}

var pages = []page{
	{"Curve", 0, nil},
	{"Index, staircase", 1, nil},
	{"Table", -1, (*Pane).tableLines},
	{"Advice", -1, (*Pane).adviceLines},
}

// drawn is what stood where when the pane was drawn last.
type drawn struct {
	pagesAt int   // line of the names of the pages
	left    int   // column where they begin
	pages   []int // first column of each from there
	list    raster.Rect
	placed  plot.Placed
}

const (
	beside    = 100 // width from which on the plot stands beside the parameters
	sideWidth = 47
)

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	p.drawn = drawn{pagesAt: -1}
	s, ok := p.subject()
	if !ok {
		c.Text(2, 2, "the trace is still being read", th.Dim)
		return
	}
	if s.to > 0 {
		text := raster.FormatTime(s.from, s.trace.Data.Unit, 1) + " .. " + raster.FormatTime(s.to, s.trace.Data.Unit, 1)
		text = th.Cut(text, max(c.W-x-3, 0))
		c.Text(c.W-raster.TextWidth(text)-1, 0, text, dim)
	}
	o, known := p.known[s]
	body := c.Sub(1, 1, c.W-2, c.H-1)
	switch {
	case !known:
		body.Text(0, 1, th.ASCII("looking for a structure…"), th.Dim)
	case errors.Is(o.err, context.Canceled):
		body.Text(0, 1, "stopped; "+p.sc.KeysOf("framework-again")+" looks again", th.Dim)
	case o.err != nil:
		p.drawText(body, o.err.Error(), th.Warn)
	case o.report.Refusal != "":
		p.drawRefusal(body, o.report)
	default:
		p.drawReport(body, o.report)
	}
}

func (p *Pane) drawText(c raster.Canvas, text string, st raster.Style) (lines int) {
	for y, line := range style.Wrap(p.sc.Theme.ASCII(text), max(c.W-1, 10)) {
		c.Text(0, y, line, st)
		lines = y + 1
	}
	return lines
}

// drawRefusal says why there is no structure, with the scores.
func (p *Pane) drawRefusal(c raster.Canvas, r *frameworks.Report) {
	th := p.sc.Theme
	y := p.drawText(c.Sub(0, 1, c.W, c.H-1), r.Refusal, th.Text) + 2
	for _, s := range r.Scores {
		if y >= c.H {
			return
		}
		x := c.Text(0, y, fmt.Sprintf("%-26s ", s.Kind), th.Bold)
		x = c.Text(x, y, fmt.Sprintf("%.2f  ", s.Score), th.Accent)
		rest := c.Sub(x, y, c.W-x, c.H-y)
		y += max(p.drawText(rest, s.Why, th.Dim), 1)
	}
}

// drawReport draws what was found.
func (p *Pane) drawReport(c raster.Canvas, r *frameworks.Report) {
	th := p.sc.Theme
	x := c.Text(0, 0, r.Kind+"  ", th.Bold)
	c.Text(x, 0, th.Cut(th.ASCII(structure(r)), c.W-x), th.Text)
	y := 1
	if len(r.Advice) > 0 {
		a := r.Advice[0]
		text := a.What
		if a.Gain > 0 {
			text += fmt.Sprintf(": %s less (%.0f %%)", timeText(a.Gain), 100*a.Share)
		}
		x := c.Text(0, y, th.Cut(th.ASCII(text), c.W), th.Accent)
		if v := r.Verdict; v != nil {
			c.Text(x, y, th.Cut("  "+v.Verdict+" by the simulator", c.W-x), th.Text)
		} else if p.job == nil {
			c.Text(x, y, th.Cut("  "+p.sc.KeysOf("framework-simulate")+" simulates it", c.W-x), th.Dim)
		}
		y++
	}
	y++
	rest := c.Sub(0, y, c.W, c.H-y)
	if c.W < beside {
		p.drawNarrow(rest, r, y)
		return
	}
	p.drawParameters(rest.Sub(0, 0, sideWidth, rest.H), r, raster.Rect{X: 1, Y: 1 + y})
	for k := range rest.H {
		rest.Set(sideWidth, k, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
	}
	right := rest.Sub(sideWidth+2, 0, rest.W-sideWidth-2, rest.H)
	p.drawPages(right.Sub(0, 0, right.W, 1), 1+sideWidth+2, 1+y)
	p.drawPage(right.Sub(0, 1, right.W, right.H-1), r)
}

// drawNarrow draws the parameters above, in a third of the room, and the page below them.
func (p *Pane) drawNarrow(c raster.Canvas, r *frameworks.Report, y int) {
	n := min(len(r.Parameters), max(c.H/3, 2))
	p.drawParameters(c.Sub(0, 0, c.W, n), r, raster.Rect{X: 1, Y: 1 + y})
	p.drawPages(c.Sub(0, n, c.W, 1), 1, 1+y+n)
	p.drawPage(c.Sub(0, n+1, c.W, c.H-n-1), r)
}

// structure is what was recognised, in a line.
func structure(r *frameworks.Report) string {
	if r.Pipeline == nil {
		return strings.Join(r.Structure, ", ")
	}
	var words []string
	for _, s := range r.Pipeline.Stages {
		word := s.Tasks
		if s.Replicas > 0 {
			word = fmt.Sprintf("%s (x%d)", s.Tasks, s.Replicas)
		}
		if s.Slowest {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	return strings.Join(words, " -> ") + "   [] is the bottleneck"
}

// drawPages writes the names of the pages.
func (p *Pane) drawPages(c raster.Canvas, left, y int) {
	var names []string
	for i := range pages {
		names = append(names, pages[i].name)
	}
	p.drawn.pagesAt, p.drawn.left = y, left
	p.drawn.pages, _ = p.sc.Theme.DrawTabs(c, 0, 2, names, p.page, p.sc.Focused)
}

func (p *Pane) drawPage(c raster.Canvas, r *frameworks.Report) {
	page := &pages[p.page]
	if figures := plots.Figures(r); page.figure >= 0 && page.figure < len(figures) {
		p.drawn.placed = p.sc.DrawFigure(figures[page.figure], c)
		return
	}
	lines := p.adviceLines(r, c.W)
	if page.lines != nil {
		lines = page.lines(p, r, c.W)
	}
	for y, line := range lines[:min(len(lines), c.H)] {
		line.Draw(c, 0, y)
	}
}

// drawParameters lists the parameters with their values and origins.
func (p *Pane) drawParameters(c raster.Canvas, r *frameworks.Report, at raster.Rect) {
	th := p.sc.Theme
	n := len(r.Parameters)
	p.row = max(0, min(p.row, n-1))
	p.top = max(0, min(p.top, n-c.H))
	if p.row < p.top {
		p.top = p.row
	} else if p.row >= p.top+c.H {
		p.top = p.row - c.H + 1
	}
	p.drawn.list = raster.Rect{X: at.X, Y: at.Y, W: c.W, H: c.H}
	const value, origin = 15, 3
	for y := range min(c.H, n-p.top) {
		v := &r.Parameters[p.top+y]
		st, dim := th.Text, th.Dim
		if p.top+y == p.row && p.sc.Focused {
			st, dim = th.PopupSel, th.PopupSelDim
			c.Sub(0, y, c.W-1, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		} else if !r.Editable(v.Symbol) {
			st = th.Dim
		}
		name := c.W - value - origin - 8
		c.Text(0, y, th.Cut(v.Name, name), st)
		c.Text(name+1, y, th.Cut(v.Symbol, 6), dim)
		text := valueText(v)
		c.Text(c.W-origin-1-raster.TextWidth(text), y, text, st)
		c.Text(c.W-origin, y, string(v.Origin[0]), dim)
	}
	style.DrawScrollbar(c, p.top, c.H, n, th)
}

// valueText is a parameter as it is read and typed.
func valueText(v *frameworks.Parameter) string {
	switch v.Unit {
	case "ns":
		return timeText(v.Value.Value)
	case "async", "sync":
		return v.Unit
	case "bytes":
		return quantity.Bytes.Format(v.Value.Value)
	}
	return strings.TrimSpace(fmt.Sprintf("%.4g %s", v.Value.Value, v.Unit))
}

func timeText(ns float64) string { return quantity.FormatDuration(int64(ns+0.5), prv.Nanoseconds) }

// tableLines is the table of policies, or of stages.
func (p *Pane) tableLines(r *frameworks.Report, width int) (lines []style.Line) {
	th := p.sc.Theme
	add := func(st raster.Style, format string, args ...any) {
		lines = append(lines, style.Line{{Text: th.Cut(fmt.Sprintf(format, args...), width), Style: st}})
	}
	switch {
	case r.Farm != nil:
		add(th.Bold, "%-10s %6s %10s %9s %9s", "policy", "factor", "time", "messages", "over Tc/n")
		for _, x := range r.Farm.Policies {
			factor := ""
			if x.Factor > 0 {
				factor = fmt.Sprintf("%.1f", x.Factor)
			}
			add(th.Text, "%-10s %6s %10s %9d %8.1f%%", x.Policy, factor, timeText(x.Time), x.Messages, 100*x.Over)
		}
		add(th.Text, "%-10s %6s %10s", "as it was", "", timeText(r.Farm.Played))
		add(th.Dim, "")
		add(th.Dim, "dispatch of the traced tasks; %d chunks, balance %.2f, idle %.2f", r.Farm.Chunks, r.Farm.Balance,
			r.Farm.Idle)
		if s := r.Farm.Steering; s != nil {
			add(th.Dim, "run played again %s, tuned by DAF %s, perfect %s", timeText(s.Without), timeText(s.Tuned),
				timeText(s.Perfect))
		}
	case r.Pipeline != nil:
		add(th.Bold, "%5s %-8s %10s %10s %10s %10s %9s", "stage", "tasks", "Tr", "rTr", "observed", "then", "replicas")
		for _, s := range r.Pipeline.Stages {
			st := th.Text
			if s.Slowest {
				st = th.Accent
			}
			dependent := s.Async
			if r.Pipeline.Model.Protocol == frameworks.Sync {
				dependent = s.Full
			}
			add(st, "%5d %-8s %10s %10s %10s %10s %4d -> %d", s.Stage, s.Tasks, timeText(s.Own), timeText(dependent),
				timeText(s.Observed), timeText(s.Overlapped), s.Replicas, max(s.Replicas, s.Proposed))
		}
	}
	return lines
}

// adviceLines are all of the advice, the verdict and what to mind.
func (p *Pane) adviceLines(r *frameworks.Report, width int) (lines []style.Line) {
	th := p.sc.Theme
	add := func(st raster.Style, format string, args ...any) {
		for _, line := range style.Wrap(th.ASCII(fmt.Sprintf(format, args...)), max(width-1, 10)) {
			lines = append(lines, style.Line{{Text: line, Style: st}})
		}
	}
	for _, a := range r.Advice {
		add(th.Bold, "%s", a.What)
		add(th.Text, "%s less (%.1f %%), %+d processors; safe %s", timeText(a.Gain), 100*a.Share, a.Processors, a.When)
		add(th.Dim, "rests on: %s; confidence: %s", a.Rests, a.Confidence)
	}
	if v := r.Verdict; v != nil {
		add(th.Accent, "Simulation: %s: %s", v.Verdict, v.Why)
		if v.StartUp > 0 {
			add(th.Text, "%s: the simulation has the mean", v.Note)
			if v.Instead > 0 {
				add(th.Text, "with it as m0 the model recommends %d workers", v.Instead)
			}
		}
		if v.Prefers > 0 {
			add(th.Text, "the simulation prefers %d workers", v.Prefers)
		}
	}
	for _, w := range r.Warnings {
		add(th.Warn, "%s", w)
	}
	return lines
}
