package findings

import (
	"fmt"
	"math"

	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
)

// How the pane is drawn: what the run is; a line for each finding; and what the chosen one says, beside the list or
// below it.

// beside is the width of the pane from which on the details stand beside the list.
const beside = 118

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	body := c.Sub(1, 1, c.W-2, c.H-1)
	p.lines = 0
	v := p.sc.View
	if v == nil {
		return
	}
	o := p.outcome()
	switch {
	case v.Trace.Until != 0:
		body.Text(1, 0, th.Cut("The trace is still being read and is diagnosed once complete.", body.W-1), th.Dim)
	case p.job != nil && p.job.of == v.Trace && !p.job.verifies:
		body.Text(1, 0, th.ASCII("diagnosing…"), th.Dim)
	case o.err != nil:
		body.Text(1, 0, th.Cut(o.err.Error()+"; r repeats", body.W-1), th.Warn)
	case o.result == nil:
	default:
		c.Text(x+2, 0, th.Cut(v.Trace.Name, c.W-x-3), dim)
		p.drawResult(body)
	}
}

func (p *Pane) drawResult(c raster.Canvas) {
	th, r, list := p.sc.Theme, p.result(), p.findings()
	head := p.drawnHead(c.W-1, c.H+1)
	for y, line := range head {
		c.Text(1, y, th.ASCII(th.Cut(line, c.W-1)), th.Dim)
	}
	rest := c.Sub(0, len(head), c.W, max(c.H-len(head), 0))
	p.first = 1 + len(head)
	if p.gap != nil {
		p.drawText(rest, p.gap)
		return
	}
	if p.classes.shown {
		p.drawClasses(rest)
		return
	}
	if p.stages.shown {
		p.drawStages(rest)
		return
	}
	if len(list) == 0 {
		text, st := "Nothing found: no finding is worth a change.", th.Good
		if len(r.Findings)+len(r.Minor) > 0 {
			text, st = "All findings are dismissed, or have not the text of the filter.", th.Dim
		}
		rest.Text(1, 0, th.Cut(text, rest.W-1), st)
		return
	}
	if c.W >= beside {
		left := c.W * 11 / 20
		p.drawList(rest.Sub(0, 0, left, rest.H), list)
		p.drawText(rest.Sub(left+2, 0, rest.W-left-2, rest.H), p.details(&list[p.at]))
		return
	}
	lines := min(len(list), max(rest.H-9, rest.H/3, 1))
	p.drawList(rest.Sub(0, 0, rest.W, lines), list)
	p.drawText(rest.Sub(0, lines+1, rest.W, max(rest.H-lines-1, 0)), p.details(&list[p.at]))
}

// drawnHead is what is said of the run, in lines of a width: the notes of the diagnosis have a fifth of the pane's
// height, and the last line ends in a mark where that is not enough.
func (p *Pane) drawnHead(width, height int) []string {
	r := p.result()
	if r == nil {
		return []string{""}
	}
	text := fmt.Sprintf("%.1f %% utilised; at most %s (%.1f %%) can be gained", 100*r.Utilisation,
		p.span(r.Recoverable), 100*r.Recoverable/float64(max(r.Length, 1)))
	for _, note := range r.Notes {
		text += "; " + note
	}
	lines, most := style.Wrap(prv.Clean(text), max(width-1, 10)), max(height/5, 1)
	if len(lines) > most {
		lines[most-1] += " …"
	}
	return lines[:min(len(lines), most)]
}

func (p *Pane) drawList(c raster.Canvas, list []report.Finding) {
	p.lines = min(c.H, len(list))
	p.at = min(p.at, len(list)-1)
	p.top = min(max(p.top, p.at-c.H+1), p.at)
	p.top = max(0, min(p.top, len(list)-c.H))
	major := p.outcome().major
	for y := range p.lines {
		i := p.top + y
		p.drawFinding(c.Sub(0, y, c.W-1, 1), &list[i], i == p.at, i >= major)
	}
	style.DrawScrollbar(c, p.top, c.H, len(list), p.sc.Theme)
}

// drawFinding draws a line: the share of the run, the time, the sentence.
func (p *Pane) drawFinding(c raster.Canvas, f *report.Finding, chosen, minor bool) {
	th := p.sc.Theme
	text, dim := th.Text, th.Dim
	if minor {
		text = th.Dim
	}
	if chosen {
		text = th.DrawChosen(c, p.sc.Focused)
		dim = text
	}
	share, cost := "", p.cost(f)
	if w := f.Weight(); w != report.NoSeverity {
		share = fmt.Sprintf("%.1f %%", 100*w/float64(max(p.result().Length, 1)))
	}
	if f.Warning {
		share = th.ASCII("⚠")
	}
	x := c.Text(1, 0, fmt.Sprintf("%7s %10s  ", share, th.ASCII(cost)), dim)
	c.Text(x, 0, th.ASCII(th.Cut(prv.Clean(f.Title), c.W-x-1)), text)
}

// cost is the time of a finding.
func (p *Pane) cost(f *report.Finding) string {
	w := f.Weight()
	if w == report.NoSeverity {
		return ""
	}
	return p.span(w)
}

// span writes a time.
func (p *Pane) span(t float64) string {
	return raster.FormatDuration(int64(math.Round(t)), p.sc.View.Trace.Data.Unit)
}

// details are the lines on a finding.
func (p *Pane) details(f *report.Finding) []string {
	lines := []string{f.Title}
	// early, so that it is in view on small screens
	about := fmt.Sprintf("Rule %s (%s), confidence %s", f.Rule, f.Name, f.Confidence)
	list := evidenceOf(f)
	if n := len(list); n > 0 && p.evidence >= 0 && p.evidence < n {
		about += fmt.Sprintf(". Evidence %d of %d", p.evidence+1, n)
		if why := list[p.evidence].Why; why != "" {
			about += ": " + why
		}
	} else if n > 0 {
		about += fmt.Sprintf(". Evidence: %s; Enter shows it", raster.CountOf(max(f.Total, n), "place"))
	}
	lines = append(lines, about)
	if f.Advice != "" {
		lines = append(lines, "Advice: "+f.Advice)
	}
	lines = append(lines, p.simulated(f)...)
	if f.Assumed != "" {
		lines = append(lines, "Assumed: "+f.Assumed)
	}
	if f.Checked == report.CannotTell && f.Unchecked != "" {
		lines = append(lines, "Not verified: "+f.Unchecked)
	}
	for i := range f.Children {
		lines = append(lines, fmt.Sprintf("with %s: %s", f.Children[i].Rule, f.Children[i].Title))
	}
	return lines
}

// drawText draws paragraphs, wrapped.
func (p *Pane) drawText(c raster.Canvas, paragraphs []string) {
	th, y := p.sc.Theme, 0
	for i, para := range paragraphs {
		st := th.Text
		if i == 0 {
			st = th.Bold
		}
		for _, line := range style.Wrap(prv.Clean(para), max(c.W-2, 10)) {
			if y < c.H {
				c.Text(1, y, th.ASCII(line), st)
			}
			y++
		}
	}
}

// simulated says what a simulation made of the estimate, and which repair it tried.
func (p *Pane) simulated(f *report.Finding) (lines []string) {
	estimate := f.Formula
	if f.Checked == report.Confirmed && f.Severity != report.NoSeverity {
		if estimate = p.span(f.Severity); f.Formula != "" {
			estimate += ", " + f.Formula
		}
		word := "By simulation " + p.span(f.Verified) + " shorter"
		switch {
		case f.IsConfirmed():
			word = "Confirmed by simulation"
		case f.Refuted():
			word = "Not confirmed: by simulation " + p.span(f.Verified) + " shorter"
		}
		lines = append(lines, word+"; the estimate was: "+estimate)
	} else if estimate != "" {
		lines = append(lines, "Estimate: "+estimate)
	}
	if f.Repair != "" {
		lines = append(lines, "Repair: "+f.Repair)
	}
	return lines
}
