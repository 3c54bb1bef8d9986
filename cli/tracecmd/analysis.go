package tracecmd

// The analyzer's figures of each row of a window, as a table.

import (
	"context"
	"fmt"
	"io"
	"strings"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
	"pview/semantic/expr"
	"pview/semantic/stat"
)

// analysis is a query to the analyzer and, once computed, its answer.
type analysis struct {
	stat.Query
	trace     *prv.Trace
	functions []*stat.Function
	user      *expr.Program // --sum; nil if none
	answer    *stat.Analysis
	sums      []float64 // of user, by row
}

func (n *analysis) title() string { return n.Window.Name }
func (n *analysis) kind() string  { return "analysis" }

func (n *analysis) compute(ctx context.Context, progress func(done, total int)) (err error) {
	opt := stat.Options{Progress: progress}
	if n.answer, err = stat.Analyze(ctx, n.trace, n.Query, opt); err != nil || n.user == nil {
		return err
	}
	if n.sums, err = stat.UserSums(ctx, n.trace, n.Query, n.user, opt); err != nil {
		err = fmt.Errorf("--sum: %w", err)
	}
	return err
}

// figure returns a figure of a row by the index of its function, the user's being the last; ok is false if there is
// none.
func (n *analysis) figure(row, function int) (v float64, ok bool) {
	if function == len(n.functions) {
		return n.sums[row], command.IsFinite(n.sums[row])
	}
	return n.answer.Value(row, n.functions[function])
}

// headings returns the names of the figures, for programs or for people.
func (n *analysis) headings(person bool) (list []string) {
	for _, f := range n.functions {
		name := strings.ToLower(strings.NewReplacer(" ", "_", ".", "").Replace(f.Name))
		if person {
			name = f.Name
			if unit := n.answer.UnitOf(f); unit != "" {
				name += " (" + unit + ")"
			}
		}
		list = append(list, name)
	}
	if n.user != nil {
		list = append(list, "sum")
	}
	return list
}

// listing has a line per row for programs; a missing figure is "nan", in json
// null.
func (n *analysis) listing(precision int) *command.Listing {
	headings := n.headings(false)
	l := &command.Listing{Keys: append([]string{"object"}, headings...), Decimals: precision}
	l.Rows = func(_ int, yield func([]command.Datum) error) error {
		for i, row := range n.answer.Rows {
			cells := []command.Datum{command.Textual(report.ObjectID(n.trace, n.Window.Level, row.Object))}
			for f := range headings {
				v, ok := n.figure(i, f)
				cells = append(cells, command.NumericOrNone(v, ok))
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}
	return l
}

// Text prints the figures for a person.
func (n *analysis) Text(w io.Writer, precision int) error {
	u := n.answer.Unit
	begin, end := u.Time(n.answer.Begin, n.trace.Unit), u.Time(n.answer.End, n.trace.Unit)
	fmt.Fprintf(w, "%s, %s .. %s %s\n%s\n\n", document.Label(n.Window.Name), personal(begin, precision),
		personal(end, precision), u,
		document.Sentence(n.Window.DescribeWith(n.trace.Labels)))
	headings := n.headings(true)
	t := &report.Table{Columns: []report.Column{{Title: "object"}}}
	for _, name := range headings {
		t.Columns = append(t.Columns, report.Column{Title: name, Show: func(v any) string {
			return personal(v.(float64), precision)
		}})
	}
	for i, row := range n.answer.Rows {
		cells := []any{row.Name}
		for f := range headings {
			if v, ok := n.figure(i, f); ok {
				cells = append(cells, v)
			} else {
				cells = append(cells, nil)
			}
		}
		t.Add(cells...)
	}
	_, err := io.WriteString(w, document.TableText(t, "", nil))
	return err
}
