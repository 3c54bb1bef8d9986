package studies

import (
	"fmt"
	"strconv"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/sim/study"
)

// The runs as a table with numbered columns: the inputs first, then the outputs.

// Columns returns the number of columns.
func Columns(t *study.Table) int { return len(t.Inputs) + len(t.Outputs) }

// ColumnAt describes column i.
func ColumnAt(t *study.Table, i int) *study.Column {
	if n := len(t.Inputs); i >= n {
		return &t.Outputs[i-n]
	}
	return &t.Inputs[i]
}

// Value returns the value of a run in column i; figure.None if none.
func Value(t *study.Table, r *study.Row, i int) float64 {
	list, n := r.Inputs, len(t.Inputs)
	if i >= n {
		if list, i = r.Outputs, i-n; r.Status != study.Done {
			return figure.None
		}
	}
	if i >= len(list) {
		return figure.None
	}
	return list[i]
}

// Values is column i for plots.
func Values(t *study.Table, i int) figure.Column {
	c := ColumnAt(t, i)
	list := figure.Column{Name: c.Name, Kind: c.Notation()}
	for k := range t.Rows {
		list.Values = append(list.Values, Value(t, &t.Rows[k], i))
	}
	return list
}

// Show writes a value of a column for people.
func Show(c *study.Column, v float64) string {
	switch {
	case v != v:
		return ""
	case c.Levels != nil:
		return c.Text(v)
	case report.OrNil(v) == nil:
		return ""
	}
	text := strconv.FormatFloat(v, 'g', 5, 64)
	switch c.Unit {
	case "":
		return text
	case "ns", "B", "share", "%":
		return c.Notation().Format(v)
	}
	return text + " " + c.Unit
}

// key returns the key of a column for programs: times are in ns, bandwidths in MB/s of 2^20 bytes, sizes in bytes.
func key(name, unit string) string {
	if unit == "ns" {
		return name + "_ns"
	}
	return name
}

func columnKey(c *study.Column) string { return key(c.Name, c.Unit) }

// RunTable has a line for each run, inputs then outputs.
func RunTable(t *study.Table) *report.Table {
	out := &report.Table{Columns: []report.Column{{Key: "index", Title: "Run"}, {Key: "seed", Title: "Seed"}}}
	for i := range Columns(t) {
		c := ColumnAt(t, i)
		out.Columns = append(out.Columns, report.Column{Key: columnKey(c), Title: report.UpperFirst(c.Name)})
	}
	out.Columns = append(out.Columns, report.Column{Key: "redraws"}, report.Column{Key: "status"},
		report.Column{Key: "reason"})
	for k := range t.Rows {
		r := &t.Rows[k]
		row := []any{int64(r.Index), int64(r.Seed)}
		for i := range Columns(t) {
			row = append(row, cell(t, r, i))
		}
		out.Add(append(row, int64(r.Redraws), r.Status.String(), r.Reason)...)
	}
	return out
}

// cell returns the value of a run in column i for programs; nil if none.
func cell(t *study.Table, r *study.Row, i int) any {
	v, c := Value(t, r, i), ColumnAt(t, i)
	switch {
	case report.OrNil(v) == nil:
		return nil
	case c.Levels != nil:
		return c.Text(v)
	}
	return number(v)
}

// number returns a figure for programs, as a whole number if it is one.
func number(v float64) any {
	if n := int64(v); float64(n) == v {
		return n
	}
	return v
}

// runObjects returns the runs for JSON.
func runObjects(t *study.Table) (list []report.Object) {
	named := func(r *study.Row, from, to int) report.Object {
		o := report.Object{}
		for i := from; i < to; i++ {
			o = o.With(columnKey(ColumnAt(t, i)), cell(t, r, i))
		}
		return o
	}
	n := len(t.Inputs)
	for k := range t.Rows {
		r := &t.Rows[k]
		list = append(list, report.NewObject("index", int64(r.Index), "seed", int64(r.Seed), "inputs", named(r, 0, n),
			"outputs", named(r, n, Columns(t)), "redraws", int64(r.Redraws), "status", r.Status.String(),
			"reason", r.Reason, "host", r.Host, "wall_ns", int64(r.Wall)))
	}
	return list
}

// summaryTable has a line for each output: its mean, deviation, percentiles and worst run.
func summaryTable(t *study.Table) *report.Table {
	out := &report.Table{Indent: 2, Columns: columns("Output", "Runs", "Mean", "+- 95 %", "SD", "Least", "5 %",
		"Median",
		"95 %", "Most", "in run")}
	for i := range t.Outputs {
		s := t.Summarise(t.Outputs[i].Name)
		if s.N == 0 {
			out.Add(s.Name, fmt.Sprintf("0 of %d", s.Of), "", "", "", "", "", "", "", "", "")
			continue
		}
		runs := quantity.FormatCount(int64(s.N))
		if s.N < s.Of {
			runs += " of " + quantity.FormatCount(int64(s.Of))
		}
		say := func(v float64) string { return Show(&s.Column, v) }
		out.Add(s.Name, runs, say(s.Mean), say(s.Half), say(s.SD), say(s.Min), say(s.Percentile(5)),
			say(s.Percentile(50)), say(s.Percentile(95)), say(s.Max), quantity.FormatCount(int64(s.Worst)))
	}
	return out
}

// columns are columns of text with a name at the left and figures at the right.
func columns(name string, figures ...string) []report.Column {
	list := []report.Column{{Title: name}}
	for _, title := range figures {
		list = append(list, report.Column{Title: title, Right: true})
	}
	return list
}

// summaryObject has the figures of each output for JSON.
func summaryObject(t *study.Table) report.Object {
	o := report.Object{}
	for i := range t.Outputs {
		s := t.Summarise(t.Outputs[i].Name)
		figures := report.NewObject("n", int64(s.N), "of", int64(s.Of))
		if s.N > 0 {
			percentiles := report.Object{}
			for k, p := range study.Percents {
				percentiles = percentiles.With(fmt.Sprint(p), s.Percentiles[k])
			}
			figures = figures.With("mean", s.Mean, "half_width", report.OrNil(s.Half), "sd", s.SD, "min", s.Min,
				"max", s.Max, "worst", int64(s.Worst), "best", int64(s.Best), "percentiles", percentiles)
		}
		o = o.With(columnKey(&t.Outputs[i]), figures)
	}
	return o
}
