package tracecmd

// A histogram as numbers: a line per cell for programs, a table for people.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
	"pview/semantic"
	"pview/semantic/stat"
)

// histogram is a query and, once computed, its answer.
type histogram struct {
	stat.Histogram
	trace *prv.Trace
	table *stat.Table
	// memory bounds the table, in bytes.
	memory int64
}

func (h *histogram) title() string { return h.Name }
func (h *histogram) kind() string  { return "histogram" }

func (h *histogram) compute(ctx context.Context, progress func(done, total int)) (err error) {
	h.table, err = stat.Compute(ctx, h.trace, h.Histogram, stat.Options{Memory: h.memory, Progress: progress})
	return err
}

// lost says if some values are in no column, and how to fix that; "" if none are. Columns for whole numbers of a time
// miss values in between.
func (h *histogram) lost() string {
	switch {
	case !h.table.Dropped:
		return ""
	case h.Columns.Auto && h.Control.Meaning() == semantic.Times && h.Control.Unit != semantic.Nanoseconds:
		return fmt.Sprintf("values outside the columns are not counted: a unit below %s, such as --unit ns, helps",
			h.Control.Unit)
	}
	return "values outside the columns are not counted"
}

// listing lists the cells and the totals for programs.
func (h *histogram) listing(precision int) *command.Listing {
	l := &command.Listing{Keys: []string{"plane", "row", "column", "value"}, Decimals: precision}
	if precision > 0 {
		precision-- // like Paraver's tool
	}
	l.Rows = func(_ int, yield func([]command.Datum) error) error {
		cells := make([]command.Datum, 4)
		for e := range h.table.Entries(precision) {
			cells[0], cells[1], cells[2], cells[3] = command.Textual(e.Plane), command.Textual(e.Row),
				command.Textual(e.Column),
				command.Numeric(e.Value)
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}
	return l
}

// Text prints the planes for a person.
func (h *histogram) Text(w io.Writer, precision int) error {
	var out bytes.Buffer
	u := h.Control.Unit
	data := h.Data
	if data == h.Control {
		data = nil
	}
	what := h.table.Statistic.Name
	if h.table.Unit != "" && !strings.Contains(what, h.table.Unit) {
		what += " (" + h.table.Unit + ")"
	}
	fmt.Fprintf(&out, "%s: %s, %s .. %s %s\n", document.Label(h.Name), what,
		personal(u.Time(h.table.Begin, h.trace.Unit),
			precision), personal(u.Time(h.table.End, h.trace.Unit), precision), u)
	for _, line := range []struct {
		title  string
		window *semantic.Window
	}{{"columns", h.Control}, {"values", data}, {"planes", h.Third}} {
		if line.window != nil {
			fmt.Fprintf(&out, "%s: %s\n", line.title,
				document.Sentence(line.window.Name+", "+line.window.DescribeWith(h.trace.Labels)))
		}
	}
	if lost := h.lost(); lost != "" {
		out.WriteString(lost + "\n")
	}
	for p := range h.table.Planes {
		plane := &h.table.Planes[p]
		if h.table.Third {
			if plane.Cells == 0 {
				continue
			}
			fmt.Fprintf(&out, "\nplane %s", document.Label(plane.Label(precision)))
		}
		out.WriteString("\n" + document.TableText(h.matrix(p, precision), "", nil))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// matrix returns a plane as a table: empty cells are blank, and columns
// of empty cells are hidden.
func (h *histogram) matrix(p, precision int) *report.Table {
	rows, columns := make([]string, len(h.table.Rows)), make([]string, len(h.table.Columns))
	used := h.table.Used(p)
	for i := range rows {
		rows[i] = prv.Clean(h.table.Rows[i].Name)
	}
	for i := range columns {
		if used[i] || h.table.Vertical {
			columns[i] = prv.Clean(h.table.Columns[i].Label(precision))
		}
	}
	totals := &h.table.Planes[p].Totals
	cell := func(r, c int) (float64, bool) { return h.table.Cell(p, r, c) }
	if h.table.Vertical {
		rows, columns, totals = columns, rows, &h.table.Planes[p].RowTotals
		used = h.table.UsedRows(p)
		cell = func(r, c int) (float64, bool) { return h.table.Cell(p, c, r) }
	}
	t := &report.Table{Columns: []report.Column{{}}}
	show := func(v any) string { return personal(v.(float64), precision) }
	var shown []int
	for c, name := range columns {
		if used[c] {
			shown = append(shown, c)
			t.Columns = append(t.Columns, report.Column{Title: name, Show: show})
		}
	}
	for r, name := range rows {
		line := []any{name}
		for _, c := range shown {
			v, ok := cell(r, c)
			line = append(line, finiteCell(v, ok))
		}
		t.Add(line...)
	}
	for _, total := range stat.Totals {
		line := []any{total.String()}
		for _, c := range shown {
			line = append(line, finiteCell(totals[total][c], true))
		}
		t.Add(line...)
	}
	return t
}

// finiteCell returns a cell of a table: blank if there is nothing to show.
func finiteCell(v float64, ok bool) any {
	if !ok || !command.IsFinite(v) {
		return nil
	}
	return v
}
