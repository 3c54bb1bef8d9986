package cli

// The class table of pview diagnose --classes: what each region of code contributes to a run.

import (
	"context"
	"fmt"
	"io"
	"math"

	"charm.land/lipgloss/v2"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/quantity"
)

// printClasses prints the class table.
func (q *diagnosis) printClasses(ctx context.Context, t *prv.Trace, r *diagnose.Result) error {
	list, err := r.Classes(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%w: nobody computes in %s", errNothing, t.Path)
	}
	out := classTable(list, t.Unit)
	if q.format.value != "table" {
		return out.write(q.Out, q.format.value)
	}
	fmt.Fprintf(q.Out, "code regions: %s\n\n", r.Level)
	left := 0
	if q.top > 0 && len(list) > q.top {
		left, out.rows = len(list)-q.top, out.rows[:q.top]
	}
	bold := lipgloss.NewStyle().Bold(true)
	text := out.text("", func(s string) string { return bold.Render(s) })
	if left > 0 {
		text += fmt.Sprintf("\nand %s more (--top 0 shows all)\n", count(int64(left)))
	}
	_, err = io.WriteString(q.styled(q.Out), text)
	return err
}

// classTable is the table, its columns as in diagnose.
func classTable(list []diagnose.Class, unit prv.Unit) *table {
	out := &table{columns: []column{{key: "class", title: "Class"}}}
	for _, c := range diagnose.ClassColumns {
		key := c.Key
		if c.Kind == diagnose.Times {
			key += "_ns"
		}
		out.columns = append(out.columns, column{key: key, title: c.Title, show: func(v any) string {
			return showClass(c.Kind, v.(float64))
		}, right: true})
	}
	out.columns = append(out.columns, column{key: "pattern", title: "pattern"})
	for i := range list {
		row := []any{prv.Clean(list[i].Name)}
		for _, c := range diagnose.ClassColumns {
			switch v := c.Of(&list[i]); {
			case math.IsNaN(v):
				row = append(row, nil)
			case c.Kind == diagnose.Times:
				row = append(row, v*float64(unit.Nanoseconds()))
			default:
				row = append(row, v)
			}
		}
		out.add(append(row, list[i].Pattern)...)
	}
	return out
}

// showClass writes a value of the class table for a person.
func showClass(kind diagnose.ColumnKind, v float64) string {
	switch kind {
	case diagnose.Times:
		return quantity.FormatDuration(int64(math.Round(v)), prv.Nanoseconds)
	case diagnose.Shares:
		return percent(v, 1)
	case diagnose.Ratios:
		return diagnose.FormatRatio(v)
	}
	return count(int64(v))
}
