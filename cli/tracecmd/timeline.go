package tracecmd

// A window as numbers: a line per burst.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/semantic"
)

// timeline is a window bound to a trace. All of its rows are printed, whatever it
// selects, from the burst that covers the begin to the last that begins before
// the end; neither is cut. So does Paraver's tool.
type timeline struct {
	ctx        context.Context
	window     *semantic.Window
	trace      *prv.Trace
	evaluator  *semantic.Evaluator
	begin, end int64
}

func (t *timeline) title() string { return t.window.Name }
func (t *timeline) kind() string  { return "timeline" }

// listing lists the bursts for programs.
func (t *timeline) listing(precision int) *command.Listing {
	l := &command.Listing{Keys: []string{"object", "begin", "duration", "value"}, Decimals: precision}
	l.Rows = func(yield func([]command.Datum) error) error {
		cells := make([]command.Datum, 4)
		return t.bursts(func(row int, begin, duration, v float64) error {
			if row >= 0 {
				cells[0] = command.Textual(report.ObjectID(t.trace, t.window.Level, row))
			}
			cells[1], cells[2], cells[3] = command.Numeric(begin), command.Numeric(duration), command.Numeric(v)
			return yield(cells)
		})
	}
	return l
}

// bursts calls do for each burst, with times in the window's unit and the number of
// the row at its first burst, -1 at the others.
func (t *timeline) bursts(do func(row int, begin, duration, v float64) error) error {
	n := t.evaluator.Rows()
	rows := make([]columns, min(n, runtime.GOMAXPROCS(0)))
	for first := 0; first < n; first += len(rows) {
		some := rows[:min(len(rows), n-first)]
		if err := t.compute(first, some); err != nil {
			return err
		}
		for i := range some {
			if err := t.row(first+i, &some[i], do); err != nil {
				return err
			}
		}
	}
	return nil
}

// columns are the bursts of a row.
type columns struct {
	begin, until []int64
	value        []float64
}

// compute computes some rows in parallel, starting with row first.
func (t *timeline) compute(first int, rows []columns) error {
	return parallel.Each(t.ctx, len(rows), len(rows), func(_, i int) (err error) {
		c := &rows[i]
		c.begin, c.until, c.value, err = t.evaluator.Printed(t.ctx, first+i)
		return err
	})
}

func (t *timeline) row(row int, c *columns, do func(row int, begin, duration, v float64) error) error {
	u, from := t.window.Unit, t.trace.Unit
	first := true
	for i, begin := range c.begin {
		end := c.until[i]
		if end <= t.begin && i+1 < len(c.begin) {
			continue
		}
		if !first && c.until[i-1] >= t.end {
			break
		}
		number := -1
		if first {
			number = row
		}
		first = false
		if err := do(number, u.Time(begin, from), u.Time(end-begin, from), c.value[i]); err != nil {
			return err
		}
	}
	return nil
}

// Text prints the bursts for a person: objects by name, values with their
// labels.
func (t *timeline) Text(w io.Writer, precision int) error {
	out := bufio.NewWriter(w)
	u := t.window.Unit
	fmt.Fprintf(out, "%s: %s\n\n", document.Label(t.window.Name),
		document.Sentence(t.window.DescribeWith(t.trace.Labels)))
	n := t.evaluator.Rows()
	names := make([]string, n)
	width := len("object")
	for i := range names {
		names[i] = document.Label(t.trace.Name(t.window.Level, i))
		width = max(width, ansi.StringWidth(names[i]))
	}
	begin, duration := fmt.Sprintf("begin (%s)", u), fmt.Sprintf("duration (%s)", u)
	longest := len(personal(u.Time(t.trace.Duration, t.trace.Unit), precision)) + 3
	fmt.Fprintf(out, "%-*s  %*s  %*s  value\n", width, "object", max(longest, len(begin)), begin,
		max(longest, len(duration)), duration)
	labels := t.window.Labels(t.trace)
	named := !labels.Meaning().IsAmount()
	name := ""
	err := t.bursts(func(row int, at, lasts, v float64) error {
		if row >= 0 {
			name = names[row] + strings.Repeat(" ", width-ansi.StringWidth(names[row]))
		}
		value := personal(v, precision)
		if named {
			value += "  " + document.Label(labels.Name(v))
		}
		_, err := fmt.Fprintf(out, "%s  %*s  %*s  %s\n", name, max(longest, len(begin)), personal(at, precision),
			max(longest, len(duration)), personal(lasts, precision), value)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// personal writes a number for a person: commas between thousands, and only
// significant decimals, unless their number is given.
func personal(v float64, precision int) string {
	if !command.IsFinite(v) {
		return "-"
	}
	decimals := precision
	if precision < 0 {
		decimals = 3
		for limit := 1.0; decimals < 9 && v != 0 && v < limit && v > -limit; limit /= 10 {
			decimals++
		}
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if precision < 0 {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	whole, fraction, has := strings.Cut(s, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && n != 0 {
		whole = quantity.FormatCount(n)
	}
	if has {
		return whole + "." + fraction
	}
	return whole
}
