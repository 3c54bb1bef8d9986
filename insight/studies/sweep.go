package studies

import (
	"fmt"
	"path/filepath"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/sim/study"
)

// Sweep is a sweep to conclude from.
type Sweep struct {
	Cases    []study.Case
	Axes     []study.Axis
	Points   []study.Point
	Bases    []study.Outcome // by case
	Baseline string          // name of the machine of Bases
}

// Answer concludes from a sweep.
func (s *Sweep) Answer() *Answer {
	a := &Answer{Rows: s.table(false)}
	var bases []report.Block
	for i := range s.Cases {
		if b := &s.Bases[i]; b.Err == nil {
			bases = append(bases, report.Sentence(fmt.Sprintf("%s: %s on the baseline machine (%s), %s",
				s.Cases[i].Name,
				report.ShowDuration(b.Total), s.Baseline, quantity.CountOf(b.Messages, "message"))))
		}
	}
	a.add(bases...)
	a.add(s.table(true))
	a.Fields = report.NewObject("points", a.Rows.Objects())
	return a
}

// table has a line for each point: text and bars for people, numbers for programs.
func (s *Sweep) table(person bool) *report.Table {
	out := &report.Table{Columns: []report.Column{{Key: "trace", Title: "Trace", Known: true},
		{Key: "tasks", Title: "Tasks", Known: true}}}
	for i := range s.Axes {
		a := &s.Axes[i]
		out.Columns = append(out.Columns, report.Column{Key: key(a.Name, a.Unit), Title: report.UpperFirst(a.Name),
			Right: !a.Names})
	}
	out.Columns = append(out.Columns, report.Column{Key: "time_ns", Title: "Time", Show: report.ShowDuration})
	if person {
		out.Indent = 2
		out.Columns = append(out.Columns, report.Column{Drawn: true})
	}
	out.Columns = append(out.Columns, report.Column{Key: "computing", Title: "Computing", Show: report.ShowShare},
		report.Column{Key: "occupied", Title: "Occupied", Show: report.ShowShare},
		report.Column{Key: "slowdown", Title: "Speed", Show: report.ShowDecimals(3)},
		report.Column{Key: "speedup", Title: "Speedup", Show: report.ShowDecimals(2), Known: len(s.Cases) == 1})
	if !person {
		out.Columns = append(out.Columns, report.Column{Key: "messages"}, report.Column{Key: "bytes"},
			report.Column{Key: "problem"})
	}
	most := int64(0)
	for i := range s.Points {
		most = max(most, s.Points[i].Total)
	}
	for i := range s.Points {
		out.Rows = append(out.Rows, s.row(&s.Points[i], most, person))
	}
	return out
}

func (s *Sweep) row(p *study.Point, most int64, person bool) []any {
	name := s.Cases[p.Subject].Name
	if person {
		name = filepath.Base(name)
	}
	row := []any{name, int64(len(s.Cases[p.Subject].Program.Tasks))}
	for k, at := range p.At {
		if v := &s.Axes[k].Values[at]; person || s.Axes[k].Names {
			row = append(row, v.Text)
		} else {
			row = append(row, number(v.Number))
		}
	}
	cell := func(v any) any {
		if p.Err != nil {
			return nil
		}
		return v
	}
	row = append(row, cell(p.Total))
	if person {
		row = append(row, bar(p.Total, most))
	}
	row = append(row, cell(p.Computing), cell(p.Occupied), report.PositiveOrNil(p.Slowdown),
		report.PositiveOrNil(p.Speedup))
	switch {
	case person:
		return row
	case p.Err != nil:
		return append(row, nil, nil, p.Err.Error())
	}
	return append(row, p.Messages, p.Bytes, nil)
}

// bar draws a time as a share of the greatest.
func bar(v, most int64) string {
	const width = 20
	if most <= 0 {
		return ""
	}
	return strings.Repeat("#", int(float64(v)/float64(most)*width+0.5))
}
