// Package about lays out pages of text about the program and its traces: the help, the contents of a trace, its
// problems.
package about

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
)

// ProblemText says in a few words that a trace is incomplete.
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
	if t.CPUTime() {
		parts = append(parts, "CPU times")
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

// Problems lists the problems of a trace's files, nil for none, the traces that could not be read, and earlier
// messages, the latest first. A document without sections has nothing to say.
func Problems(t *prv.Trace, unread, log []error) *report.Document {
	d := &report.Document{}
	if t != nil {
		problemsOf(t, d)
	}
	under := func(heading string, list []error) {
		var blocks []report.Block
		for _, err := range slices.Backward(list) {
			blocks = append(blocks, report.Sentence(err.Error()))
		}
		if blocks != nil {
			d.AddUnder(heading, blocks...)
		}
	}
	under("Traces that could not be read", unread)
	under("Messages", log)
	return d
}

func problemsOf(t *prv.Trace, d *report.Document) {
	if n := t.Skipped.Total(); n > 0 {
		list := &report.Table{Headless: true, Indent: 2, Columns: make([]report.Column, 2)}
		for _, r := range prv.Reasons {
			if c := t.Skipped.Count[r]; c > 0 {
				list.Add(raster.FormatCount(c), r.String())
			}
		}
		list.Add(raster.FormatCount(n), "in all")
		list.Columns[0].Right = true
		d.AddUnder("Skipped records", list)
		p := t.Skipped.First
		d.AddUnder("The first", report.Sentence(fmt.Sprintf("%s:%d: %s", cmp.Or(t.Path, "trace"), p.Line, p.Reason)),
			&report.Passage{Text: p.Text, Tone: report.Note})
	}
	if t.Cut != nil {
		d.AddUnder("Cut short", report.Sentence(prv.Note{File: cmp.Or(t.Path, "trace"), Line: t.Cut.Line,
			Text: t.Cut.Why + "; everything before is shown"}.String()))
	}
	for _, part := range []struct {
		heading string
		list    []prv.Note
	}{{"Doubtful records", t.Doubtful()}, {"Remarks on the files", t.Notes}} {
		var blocks []report.Block
		for _, n := range part.list {
			blocks = append(blocks, report.Sentence(n.String()))
		}
		if blocks != nil {
			d.AddUnder(part.heading, blocks...)
		}
	}
}
