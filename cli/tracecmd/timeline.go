package tracecmd

// A window as numbers: a line per burst.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
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
	"pview/semantic/label"
)

// timeline is a window bound to a trace. Like Paraver's tool, it prints all rows, whatever the window selects, from the
// burst that covers the start to the last that begins before the end, without cutting them.
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
	l.Parts = t.parts()
	l.Rows = func(part int, yield func([]command.Datum) error) error {
		cells := make([]command.Datum, 4)
		return t.bursts(part, func(row int, begin, duration, v float64) error {
			if row >= 0 {
				cells[0] = command.Textual(report.ObjectID(t.trace, t.window.Level, row))
			}
			cells[1], cells[2], cells[3] = command.Numeric(begin), command.Numeric(duration), command.Numeric(v)
			return yield(cells)
		})
	}
	return l
}

// mostParts bounds the parts for printing rows.
const mostParts = 256

// parts returns the number of parts.
func (t *timeline) parts() int { return max(1, min(t.evaluator.Rows(), mostParts)) }

// bursts calls do for each burst of a part, with times in the window's unit and the number of the row at its first
// burst, -1 otherwise.
func (t *timeline) bursts(part int, do func(row int, begin, duration, v float64) error) error {
	n, parts := t.evaluator.Rows(), t.parts()
	for row := part * n / parts; row < (part+1)*n/parts; row++ {
		var c columns
		var err error
		if c.begin, c.until, c.value, err = t.evaluator.Printed(t.ctx, row); err != nil {
			return err
		}
		if err := t.row(row, &c, do); err != nil {
			return err
		}
	}
	return nil
}

// columns are the bursts of a row.
type columns struct {
	begin, until []int64
	value        []float64
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
	labels := label.Of(t.window, t.trace)
	named := !labels.Meaning().IsAmount()
	err := command.WriteParts(t.ctx, out, t.parts(), func(part int, p *parallel.Part) error {
		name := ""
		return t.bursts(part, func(row int, at, lasts, v float64) error {
			if row >= 0 {
				name = names[row] + strings.Repeat(" ", width-ansi.StringWidth(names[row])+2)
			}
			line := append(p.Text, name...)
			line = append(appendRight(line, at, precision, max(longest, len(begin))), "  "...)
			line = append(appendRight(line, lasts, precision, max(longest, len(duration))), "  "...)
			line = appendPersonal(line, v, precision)
			if named {
				line = append(append(line, "  "...), document.Label(labels.Name(v))...)
			}
			p.Text = append(line, '\n')
			return p.Pass()
		})
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// appendRight appends a number at the right end of a column.
func appendRight(b []byte, v float64, precision, width int) []byte {
	var text [64]byte
	number := appendPersonal(text[:0], v, precision)
	for range width - len(number) {
		b = append(b, ' ')
	}
	return append(b, number...)
}

// personal writes a number for a person: commas between thousands, and only significant decimals unless precision is
// given.
func personal(v float64, precision int) string { return string(appendPersonal(nil, v, precision)) }

// appendPersonal appends a number as personal writes it.
func appendPersonal(b []byte, v float64, precision int) []byte {
	if !command.IsFinite(v) {
		return append(b, '-')
	}
	decimals := precision
	if precision < 0 {
		decimals = 3
		for limit := 1.0; decimals < 9 && v != 0 && v < limit && v > -limit; limit /= 10 {
			decimals++
		}
	}
	var text [64]byte
	s := quantity.AppendFixed(text[:0], v, decimals)
	if precision < 0 {
		s = bytes.TrimSuffix(bytes.TrimRight(s, "0"), []byte("."))
	}
	whole, fraction, has := bytes.Cut(s, []byte("."))
	if n, err := strconv.ParseInt(string(whole), 10, 64); err == nil && n != 0 {
		b = quantity.AppendCount(b, n)
	} else {
		b = append(b, whole...)
	}
	if has {
		b = append(append(b, '.'), fraction...)
	}
	return b
}
