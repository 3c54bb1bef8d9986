// Package about lays out pages of text about the program and its traces: the help, the contents of a trace, its
// problems.
package about

import (
	"cmp"
	"fmt"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
)

// ProblemText says in a few words that a trace is not whole.
func ProblemText(t *prv.Trace) string {
	var parts []string
	if n := t.Skipped.Total(); n == 1 {
		parts = append(parts, "1 record skipped")
	} else if n > 1 {
		parts = append(parts, raster.FormatCount(n)+" records skipped")
	}
	if n := t.Doubts.Count[prv.StateOutOfOrder]; n > 0 && !t.StatesSorted {
		parts = append(parts, raster.FormatCount(n)+" states out of order")
	}
	if t.Cut != nil {
		parts = append(parts, "cut short")
	}
	return strings.Join(parts, ", ")
}

func InfoLines(t *timeline.Trace, th *style.Theme, width int) []style.Line {
	tr := t.Data
	var lines []style.Line
	row := func(name, text string) {
		for i, part := range style.Wrap(text, width-18) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, style.Line{{Text: fmt.Sprintf("%-16s  ", name), Style: th.PopupDim},
				{Text: part, Style: th.Popup}})
		}
	}
	if tr.Path != "" {
		row("file", tr.Path)
	}
	row("recorded", tr.Date)
	row("duration", raster.FormatDuration(tr.Duration, tr.Unit)+"  ("+raster.FormatExact(tr.Duration, tr.Unit)+")")
	for _, l := range timeline.LevelOrder {
		if n := tr.Count(l); n > 0 && l != prv.LevelWorkload && l != prv.LevelSystem {
			row(l.String()+"s", raster.FormatCount(int64(n)))
		}
	}
	row("communicators", raster.FormatCount(int64(len(tr.Communicators))))
	states, events, eventLines := 0, 0, 0
	for i := range tr.Threads {
		states += tr.Threads[i].States.Len()
		events += tr.Threads[i].Events.Len()
		eventLines += tr.Threads[i].Events.Lines.Count()
	}
	row("states", raster.FormatCount(int64(states)))
	if text := extrae.Remark(tr); text != "" {
		row("", text)
	}
	row("events", raster.FormatCount(int64(events))+" on "+raster.FormatCount(int64(eventLines))+" lines")
	row("messages", raster.FormatCount(int64(tr.Comms.Len())))
	if len(t.Types) > 0 {
		lines = append(lines, nil, style.Line{{Text: "Event types", Style: th.PopupTitle}})
		for _, c := range t.Types {
			lines = append(lines, style.Line{{Text: fmt.Sprintf("%12s  ", raster.FormatCount(c.Count)),
				Style: th.Popup}, {Text: fmt.Sprintf("%10d  ", c.Type), Style: th.PopupDim},
				{Text: t.TypeLabel(c.Type), Style: th.Popup}})
		}
	}
	return lines
}

// Troubled reports whether anything is wrong with a trace's files.
func Troubled(t *prv.Trace) bool {
	return t.Skipped.Total() > 0 || t.Doubts.Total() > 0 || t.Cut != nil || len(t.Notes) > 0
}

// TextLines lays out a list of errors under a heading, the last ones first.
func TextLines(heading string, list []error, th *style.Theme, width int) []style.Line {
	if len(list) == 0 {
		return nil
	}
	lines := []style.Line{{{Text: heading, Style: th.PopupTitle}}}
	for i := len(list) - 1; i >= 0; i-- {
		for _, part := range style.Wrap(list[i].Error(), width) {
			lines = append(lines, style.Line{{Text: part, Style: th.Popup}})
		}
	}
	return append(lines, nil)
}

func ProblemLines(t *prv.Trace, th *style.Theme, width int) []style.Line {
	var lines []style.Line
	text := func(st raster.Style, s string) {
		for _, part := range style.Wrap(s, width) {
			lines = append(lines, style.Line{{Text: part, Style: st}})
		}
	}
	if n := t.Skipped.Total(); n > 0 {
		text(th.PopupTitle, "Skipped records")
		for _, r := range prv.Reasons {
			if c := t.Skipped.Count[r]; c > 0 {
				lines = append(lines, style.Line{{Text: fmt.Sprintf("%12s  ", raster.FormatCount(c)), Style: th.Popup},
					{Text: r.String(), Style: th.Popup}})
			}
		}
		lines = append(lines, style.Line{{Text: fmt.Sprintf("%12s  ", raster.FormatCount(n)), Style: th.Popup},
			{Text: "in all", Style: th.PopupDim}}, nil)
		p := t.Skipped.First
		text(th.PopupTitle, "The first")
		text(th.Popup, fmt.Sprintf("%s:%d: %s", cmp.Or(t.Path, "trace"), p.Line, p.Reason))
		text(th.PopupDim, p.Text)
		lines = append(lines, nil)
	}
	if t.Cut != nil {
		text(th.PopupTitle, "Cut short")
		text(th.Popup, fmt.Sprintf("%s:%d: %s; everything before is shown", cmp.Or(t.Path, "trace"), t.Cut.Line,
			t.Cut.Why))
		lines = append(lines, nil)
	}
	if list := t.Doubtful(); len(list) > 0 {
		text(th.PopupTitle, "Doubtful records")
		for _, n := range list {
			text(th.Popup, n.String())
		}
		lines = append(lines, nil)
	}
	if len(t.Notes) > 0 {
		text(th.PopupTitle, "Notes")
		for _, n := range t.Notes {
			text(th.Popup, n.String())
		}
	}
	return lines
}
