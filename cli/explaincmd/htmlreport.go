package explaincmd

// The diagnosis as a page to send to a colleague: findings with pictures of their evidence, idle time, waits,
// efficiency.

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"

	"pview/cli/command"
	"pview/insight/diagnose"
	"pview/insight/efficiency"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	screened "pview/render/timeline"
	"pview/semantic/series"
)

// Limits of the page.
const (
	pictured = 8  // findings with a picture
	mostRows = 24 // threads in a picture
)

//go:embed report.html
var reportPage string

var reportTemplate = command.PageTemplate("report", reportPage)

// htmlPage is what the template shows.
type htmlPage struct {
	Name, About string
	Notes       []string
	Findings    []htmlFinding
	Minor       []htmlFinding
	Tables      []*command.HtmlTable
}

type htmlFinding struct {
	Cost, Title, Advice, Verified, Formula, About string
	Confirmed                                     bool
	Parts                                         []string
	Picture                                       template.URL // an SVG within the page
}

// writeHTML writes the page.
func (q *diagnosis) writeHTML(ctx context.Context, p *printout) error {
	page, err := q.page(ctx, p)
	if err != nil {
		return err
	}
	return prv.SaveFile(q.html, func(w io.Writer) error { return reportTemplate.Execute(w, page) })
}

func (q *diagnosis) page(ctx context.Context, p *printout) (*htmlPage, error) {
	r := p.r
	page := &htmlPage{Name: prv.Clean(filepath.Base(p.t.Path)), Notes: r.Notes}
	page.About = fmt.Sprintf("%s on %s, %s utilised; at most %s (%s) can be gained", p.span(float64(r.Length)),
		command.Plural(int64(r.Threads), "thread"), command.Percent(r.Utilisation, 1),
		p.span(r.Recoverable), command.Percent(r.Recoverable, float64(max(1, r.Length))))
	pictures := &evidencePictures{t: screened.NewTrace(1, p.t),
		cache: series.NewCache(max(q.MemoryBytes/command.SeriesShare, 64<<20))}
	for i := range r.Findings {
		f := p.htmlFinding(&r.Findings[i])
		if i < pictured && len(r.Findings[i].Evidence) > 0 {
			url, err := pictures.draw(ctx, &r.Findings[i].Evidence[0])
			if err != nil {
				return nil, err
			}
			f.Picture = url
		}
		page.Findings = append(page.Findings, f)
	}
	for i := range r.Minor {
		page.Minor = append(page.Minor, p.htmlFinding(&r.Minor[i]))
	}
	factors, err := p.factorRows(ctx)
	if err != nil {
		return nil, err
	}
	figures := []bool{1: true, 2: true} // of a name, two figures and an explanation
	page.Tables = []*command.HtmlTable{{Title: "Idle time by cause", Rows: p.idleRows(), Numbers: figures},
		{Title: "Wait states", Rows: p.waitRows(), Numbers: figures},
		{Title: "Efficiency (POP)", Rows: factors, Numbers: figures}}
	return page, nil
}

// htmlFinding is a finding in words.
func (p *printout) htmlFinding(f *report.Finding) htmlFinding {
	h := htmlFinding{Title: prv.Clean(f.Title), Advice: f.Advice, Formula: prv.Clean(f.Formula),
		Confirmed: f.Checked == report.Confirmed}
	h.About = fmt.Sprintf("rule %s (%s), confidence %s", f.Rule, f.Name, f.Confidence)
	if f.Warning {
		h.Cost = "warning"
	} else if w := f.Weight(); w != report.NoSeverity {
		h.Cost = command.Percent(w, float64(max(1, p.r.Length)))
	}
	switch f.Checked {
	case report.Confirmed:
		h.Verified = fmt.Sprintf("Confirmed by simulation of the repair: %s shorter; the estimate was %s.",
			p.span(f.Verified), p.span(f.Severity))
	case report.Bounded:
		h.Verified = fmt.Sprintf("Simulations of the repair are between %s and %s shorter; the estimate was %s.",
			p.span(f.Least), p.span(f.Most), p.span(f.Severity))
	case report.CannotTell:
		h.Verified = "Not verified: " + f.Unchecked
	}
	if f.Assumed != "" {
		h.Verified += " Assumed: " + f.Assumed + "."
	}
	if len(f.Evidence) > 0 {
		e := &f.Evidence[0]
		from, to := quantity.FormatInterval(e.From, e.To, p.t.Unit, 1000)
		h.About += fmt.Sprintf("; seen from %s to %s%s%s", from, to, p.on(e.Threads), p.more(f))
	}
	for i := range f.Children {
		h.Parts = append(h.Parts, fmt.Sprintf("%s: %s", f.Children[i].Rule, prv.Clean(f.Children[i].Title)))
	}
	return h
}

func (p *printout) idleRows() (rows [][]string) {
	for c, v := range p.r.Ledger {
		if v > 0 {
			rows = append(rows, []string{diagnose.Causes[c].Name, command.Duration(v, p.t.Unit),
				command.Percent(float64(v), float64(max(1, p.r.Idle))), diagnose.Causes[c].Doc})
		}
	}
	return rows
}

func (p *printout) waitRows() (rows [][]string) {
	all := p.r.Waits.Waiting()
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if t := p.r.Waits.Totals[c.Class]; c.Waiting && t.Time > 0 {
			rows = append(rows, []string{c.Name, command.Duration(t.Time, p.t.Unit),
				command.Percent(float64(t.Time), float64(max(1, all))), c.Doc})
		}
	}
	return rows
}

// factorRows are the POP factors of the run.
func (p *printout) factorRows(ctx context.Context) (rows [][]string, err error) {
	run, err := efficiency.Measure(ctx, p.t, efficiency.Options{})
	if err != nil {
		return nil, err
	}
	r := efficiency.Compare([]*efficiency.Run{run}, 0)
	for _, f := range r.Shown() {
		if v := r.Value(f, 0); f.Unit == "%" && !f.Compares && !math.IsNaN(v) {
			rows = append(rows, []string{f.Title, f.Format(v), "", f.Doc})
		}
	}
	return rows, nil
}

// evidencePictures draws places of a trace.
type evidencePictures struct {
	t     *screened.Trace
	cache *series.Cache
	gen   int
}

// draw draws the states of the threads of a piece of evidence, and of those they exchange its messages with, with a
// tenth of its time on each side.
func (d *evidencePictures) draw(ctx context.Context, e *report.Evidence) (template.URL, error) {
	d.gen++
	v := screened.NewView(d.gen, d.t)
	v.Objects = d.threads(e)
	wide := max((e.To-e.From)/10, 1)
	v.Begin, v.End = max(0, e.From-wide), min(e.To+wide, d.t.Data.Duration)
	v.Drawing.Comms = screened.CommsLogical
	v.Clamp(d.t.Data, max(d.t.Data.Duration, v.End, 1))
	if err := v.Complete(screened.Resources{Context: ctx, Cache: d.cache, Gen: &d.gen}); err != nil {
		return "", err
	}
	return command.SvgOf(&picture.Figure{Width: command.ReportWide, Panels: []picture.Panel{picture.OfView(v, false)}})
}

// threads are those to draw, in order; of evidence on the whole run, the first ones.
func (d *evidencePictures) threads(e *report.Evidence) (list []int32) {
	list = append(list, e.Threads...)
	c := &d.t.Data.Comms
	for _, m := range e.Messages {
		list = append(list, c.Send[m], c.Recv[m])
	}
	if len(list) == 0 {
		for i := range d.t.Data.NumThreads() {
			list = append(list, int32(i))
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(mostRows, len(list))]
}
