package findings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/breakdown"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
)

// The class table: what each region of code contributes to the run, sorted by any column, with its longest executions
// as evidence.

// classes is the class table of the pane.
type classes struct {
	shown bool // in place of the findings
	of    *timeline.Trace
	from  *diagnose.Result  // that it was made of
	list  []breakdown.Class // sorted
	err   error
	sort  int // column
	at    int // the class that is chosen
	top   int
	// detail is the execution of it that is shown in the timeline; -1: none.
	detail int
	cancel context.CancelFunc // of the job under way; nil: none
	gen    int
}

// classesMsg is a class table.
type classesMsg struct {
	gen  int
	list []breakdown.Class
	err  error
}

// byTime is the column that the table is sorted by at first.
const byTime = 1

// toggleClasses shows the class table, or the findings again.
func (p *Pane) toggleClasses(string) tea.Cmd {
	k := &p.classes
	if !k.shown && p.result() == nil {
		return p.sc.Refuse(errors.New("the run is not diagnosed yet"))
	}
	k.shown, p.gap, p.stages.shown = !k.shown, nil, false
	p.stopClasses()
	return nil
}

// syncClasses starts to make the table if it is shown and not there.
func (p *Pane) syncClasses() tea.Cmd {
	k, r := &p.classes, p.result()
	if !k.shown || r == nil || k.from == r {
		return nil
	}
	p.stopClasses()
	ctx, cancel := context.WithCancel(p.sc.Context)
	*k = classes{shown: true, of: p.sc.View.Trace, from: r, sort: byTime, detail: -1, cancel: cancel,
		gen: p.sc.NextGen()}
	gen := k.gen
	return func() tea.Msg {
		defer cancel()
		list, err := r.Classes(ctx)
		if ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		return classesMsg{gen, list, err}
	}
}

// stopClasses ends the job; what is not there then is made when it is wanted again.
func (p *Pane) stopClasses() bool {
	k := &p.classes
	if k.cancel == nil {
		return false
	}
	k.cancel()
	k.cancel, k.from = nil, nil
	return true
}

func (p *Pane) takeClasses(msg classesMsg) {
	k := &p.classes
	if k.gen != msg.gen || k.cancel == nil {
		return
	}
	k.list, k.err, k.cancel = msg.list, msg.err, nil
}

// sortClasses sorts by the next column, or the one before.
func (p *Pane) sortClasses(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		k := &p.classes
		if !k.shown {
			return p.sc.Refuse(errors.New("findings are ranked by what they cost; " + p.sc.KeysOf("classes") +
				" shows the class table, which can be sorted"))
		}
		n := len(breakdown.ClassColumns)
		k.sort = (k.sort + by + n) % n
		of := breakdown.ClassColumns[k.sort].Of
		slices.SortStableFunc(k.list, func(a, b breakdown.Class) int { return descending(of(&a), of(&b)) })
		p.choose(0)
		return nil
	}
}

// descending compares numbers, those that are none last.
func descending(a, b float64) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return -cmp.Compare(boolAs(!math.IsNaN(a)), boolAs(!math.IsNaN(b)))
	}
	return cmp.Compare(b, a)
}

func boolAs(b bool) int {
	if b {
		return 1
	}
	return 0
}

// chosenClass is the class that is chosen; nil for none.
func (p *Pane) chosenClass() *breakdown.Class {
	k := &p.classes
	if !k.shown || k.from == nil || k.from != p.result() || k.at >= len(k.list) {
		return nil
	}
	return &k.list[k.at]
}

// places are what Enter goes through: the evidence of the chosen finding, or the longest executions of the chosen
// class, or the chosen stage; and the one that is shown.
func (p *Pane) places() (list []report.Evidence, shown *int) {
	if p.stages.shown {
		return p.stages.chosenStage(), &p.stages.detail
	}
	if p.classes.shown {
		if c := p.chosenClass(); c != nil {
			return c.Longest, &p.classes.detail
		}
		return nil, &p.classes.detail
	}
	if f := p.chosen(); f != nil {
		return evidenceOf(f), &p.evidence
	}
	return nil, &p.evidence
}

// evidenceOf are the places of a finding, then those of the findings below it.
func evidenceOf(f *report.Finding) []report.Evidence {
	list := f.Evidence
	for i := range f.Children {
		child := &f.Children[i]
		list = slices.Clip(list) // the finding keeps its own
		for _, e := range child.Evidence {
			e.Why = strings.TrimSuffix(string(child.Rule)+", "+e.Why, ", ")
			list = append(list, e)
		}
	}
	return list
}

const (
	classWidth  = 11 // of a column
	leastName   = 22 // columns of the name
	classDetail = 4  // lines below the table
)

// drawClasses draws the table: as many columns as there is room for, the one that it is sorted by first; and all of the
// chosen class below it.
func (p *Pane) drawClasses(c raster.Canvas) {
	th, k := p.sc.Theme, &p.classes
	switch {
	case k.cancel != nil || k.from == nil:
		c.Text(1, 0, th.ASCII("comparing the regions of code…"), th.Dim)
		return
	case k.err != nil:
		c.Text(1, 0, th.Cut(k.err.Error(), c.W-1), th.Warn)
		return
	case len(k.list) == 0:
		c.Text(1, 0, th.Cut("Nobody computes in this run.", c.W-1), th.Dim)
		return
	}
	columns := p.classColumns(c.W)
	names := c.W - 2 - len(columns)*classWidth
	lines := max(1, min(len(k.list), c.H-1-classDetail))
	c.Text(1, 0, th.Cut("Region of code ("+p.result().Level.String()+")", names), th.Dim)
	for i, col := range columns {
		st := th.Dim
		if col == k.sort {
			st = th.Bold
		}
		c.Text(1+names+i*classWidth, 0, fmt.Sprintf("%*s", classWidth-1, breakdown.ClassColumns[col].Title), st)
	}
	k.top = max(0, min(max(min(k.top, k.at), k.at-lines+1), len(k.list)-lines))
	p.first, p.lines = 3, lines
	for y := range lines {
		p.drawClass(c.Sub(0, 1+y, c.W-1, 1), &k.list[k.top+y], columns, names, k.top+y == k.at)
	}
	style.DrawScrollbar(c.Sub(0, 1, c.W, lines), k.top, lines, len(k.list), th)
	p.drawText(c.Sub(0, lines+1, c.W, max(c.H-lines-1, 0)), p.classDetails(&k.list[k.at]))
}

// classColumns are the columns that fit: the usual order, with that of the order among them.
func (p *Pane) classColumns(width int) (list []int) {
	fit := max(1, min((width-2-leastName)/classWidth, len(breakdown.ClassColumns)))
	for i := range fit {
		list = append(list, i)
	}
	if p.classes.sort >= fit {
		list[fit-1] = p.classes.sort
	}
	return list
}

func (p *Pane) drawClass(c raster.Canvas, class *breakdown.Class, columns []int, names int, chosen bool) {
	th := p.sc.Theme
	st := th.Text
	if chosen {
		st = th.DrawChosen(c, p.sc.Focused)
	}
	c.Text(1, 0, th.ASCII(th.Cut(prv.Clean(class.Name), names-1)), st)
	for i, col := range columns {
		c.Text(1+names+i*classWidth, 0, fmt.Sprintf("%*s", classWidth-1, th.ASCII(p.classValue(class, col))), st)
	}
}

// classValue writes a value of the table.
func (p *Pane) classValue(class *breakdown.Class, column int) string {
	col := &breakdown.ClassColumns[column]
	v := col.Of(class)
	switch {
	case math.IsNaN(v):
		return ""
	case col.Kind == breakdown.Times:
		return p.span(v)
	case col.Kind == breakdown.Shares:
		return fmt.Sprintf("%.1f %%", 100*v)
	case col.Kind == breakdown.Ratios:
		return breakdown.FormatRatio(v)
	}
	return raster.FormatCount(int64(v))
}

// classDetails are the lines on a class.
func (p *Pane) classDetails(class *breakdown.Class) []string {
	var parts []string
	for i := range breakdown.ClassColumns {
		if v := p.classValue(class, i); v != "" {
			parts = append(parts, breakdown.ClassColumns[i].Title+" "+v)
		}
	}
	if class.Pattern != "" {
		parts = append(parts, "pattern "+class.Pattern)
	}
	head := fmt.Sprintf("%s: the %s longest executions; Enter shows them", class.Name,
		raster.FormatCount(int64(len(class.Longest))))
	if d := p.classes.detail; d >= 0 && d < len(class.Longest) {
		e := &class.Longest[d]
		head = fmt.Sprintf("%s: execution %d of the %d longest, %s on %s", class.Name, d+1, len(class.Longest),
			p.span(e.Cost), p.sc.View.Trace.Data.Name(prv.LevelThread, int(e.Threads[0])))
	}
	sorted := breakdown.ClassColumns[p.classes.sort]
	return []string{head, strings.Join(parts, ", "), "Sorted by " + sorted.Title + ": " + sorted.Doc}
}
