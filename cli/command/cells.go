package command

import (
	_ "embed"
	"io"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/prv"
	"pview/render/document"
)

// FiniteOrNone is a number, or nil where it is not finite.
func FiniteOrNone(v float64) any {
	if !IsFinite(v) {
		return nil
	}
	return v
}

func AsTime(v any) string { return Nanoseconds(v.(float64)) }

func Decimals(n int) func(any) string {
	return func(v any) string { return strconv.FormatFloat(v.(float64), 'f', n, 64) }
}

// Bar draws a figure as a share of the greatest.
func Bar(v, most float64, width int) string {
	if !(most > 0) {
		return ""
	}
	return strings.Repeat("#", int(v/most*float64(width)+0.5))
}

func AsDuration(v any) string { return Nanoseconds(float64(v.(int64))) }

func AsPercent(v any) string { return Percent(v.(float64), 1) }

// PrintAnswer prints an answer for people.
func (a *App) PrintAnswer(list ...Passage) error {
	var b strings.Builder
	bold := lipgloss.NewStyle().Bold(true)
	for _, p := range list {
		b.WriteString(p.Text)
		b.WriteString(Definitions(p.Pairs, HelpWidth))
		if p.Table != nil {
			b.WriteString(document.TableText(p.Table, "  ", func(s string) string { return bold.Render(s) }))
		}
	}
	_, err := io.WriteString(a.Styled(a.Out), b.String())
	return err
}

// Passage is a piece of the answer of a study: lines of text, and below them names and what they are, or a table.
type Passage struct {
	Text  string
	Pairs [][2]string
	Table *Table
}

// OrNone is a figure > 0, or nil where there is none.
func OrNone(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

// ObjectID returns the numbers of an object: "1.2.1" for a thread, "2.4" for a CPU of
// node 2, nothing for the workload and the system.
func ObjectID(t *prv.Trace, l prv.Level, i int) string {
	_, id, _ := strings.Cut(t.DefaultName(l, i), " ")
	return id
}
