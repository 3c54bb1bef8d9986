package explaincmd

// The class table of pview diagnose --classes: what each region of code contributes to a run.

import (
	"context"
	"fmt"
	"io"
	"math"

	"charm.land/lipgloss/v2"

	"pview/cli/command"
	"pview/insight/breakdown"
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
		return fmt.Errorf("%w: nobody computes in %s", command.ErrNothing, t.Path)
	}
	out := classTable(list, t.Unit)
	if q.Format.Value != "table" {
		return out.Write(q.Out, q.Format.Value)
	}
	fmt.Fprintf(q.Out, "code regions: %s\n\n", r.Level)
	left := 0
	if q.top > 0 && len(list) > q.top {
		left, out.Rows = len(list)-q.top, out.Rows[:q.top]
	}
	bold := lipgloss.NewStyle().Bold(true)
	text := out.Text("", func(s string) string { return bold.Render(s) })
	if left > 0 {
		text += fmt.Sprintf("\nand %s more (--top 0 shows all)\n", command.Count(int64(left)))
	}
	_, err = io.WriteString(q.Styled(q.Out), text)
	return err
}

// classTable is the table, its columns as in diagnose.
func classTable(list []breakdown.Class, unit prv.Unit) *command.Table {
	out := &command.Table{Columns: []command.Column{{Key: "class", Title: "Class"}}}
	for _, c := range breakdown.ClassColumns {
		key := c.Key
		if c.Kind == breakdown.Times {
			key += "_ns"
		}
		out.Columns = append(out.Columns, command.Column{Key: key, Title: c.Title, Show: func(v any) string {
			return showClass(c.Kind, v.(float64))
		}, Right: true})
	}
	out.Columns = append(out.Columns, command.Column{Key: "pattern", Title: "pattern"})
	for i := range list {
		row := []any{prv.Clean(list[i].Name)}
		for _, c := range breakdown.ClassColumns {
			switch v := c.Of(&list[i]); {
			case math.IsNaN(v):
				row = append(row, nil)
			case c.Kind == breakdown.Times:
				row = append(row, v*float64(unit.Nanoseconds()))
			default:
				row = append(row, v)
			}
		}
		out.Add(append(row, list[i].Pattern)...)
	}
	return out
}

// showClass writes a value of the class table for a person.
func showClass(kind breakdown.ColumnKind, v float64) string {
	switch kind {
	case breakdown.Times:
		return quantity.FormatDuration(int64(math.Round(v)), prv.Nanoseconds)
	case breakdown.Shares:
		return command.Percent(v, 1)
	case breakdown.Ratios:
		return breakdown.FormatRatio(v)
	}
	return command.Count(int64(v))
}
