package cli

import (
	_ "embed"
	"io"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/prv"
)

// finiteOrNone is a number, or nil where it is not finite.
func finiteOrNone(v float64) any {
	if !isFinite(v) {
		return nil
	}
	return v
}

func asTime(v any) string { return nanoseconds(v.(float64)) }

func decimals(n int) func(any) string {
	return func(v any) string { return strconv.FormatFloat(v.(float64), 'f', n, 64) }
}

// bar draws a figure as a share of the greatest.
func bar(v, most float64, width int) string {
	if !(most > 0) {
		return ""
	}
	return strings.Repeat("#", int(v/most*float64(width)+0.5))
}

func asDuration(v any) string { return nanoseconds(float64(v.(int64))) }

func asPercent(v any) string { return percent(v.(float64), 1) }

// printAnswer prints an answer for people.
func (a *app) printAnswer(list ...passage) error {
	var b strings.Builder
	bold := lipgloss.NewStyle().Bold(true)
	for _, p := range list {
		b.WriteString(p.text)
		b.WriteString(definitions(p.pairs, helpWidth))
		if p.table != nil {
			b.WriteString(p.table.text("  ", func(s string) string { return bold.Render(s) }))
		}
	}
	_, err := io.WriteString(a.styled(a.Out), b.String())
	return err
}

// passage is a piece of the answer of a study: lines of text, and below them names and what they are, or a table.
type passage struct {
	text  string
	pairs [][2]string
	table *table
}

// orNone is a figure > 0, or nil where there is none.
func orNone(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

// objectID returns the numbers of an object: "1.2.1" for a thread, "2.4" for a CPU of
// node 2, nothing for the workload and the system.
func objectID(t *prv.Trace, l prv.Level, i int) string {
	_, id, _ := strings.Cut(t.DefaultName(l, i), " ")
	return id
}
