package explaincmd

// The wait states of a run and their causes: pview diagnose --waits.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/cli/command"
	"pview/insight/waits"
	"pview/prv"
	"pview/render/document"
)

// findWaits analyses the waits of a trace, and shows the progress.
func findWaits(a *command.App, ctx context.Context, t *prv.Trace, opt waits.Options) (*waits.Result, error) {
	bar := command.NewProgress(a.Err, "waits of "+t.Path)
	bar.Plain = true
	defer bar.Close()
	opt.Progress = bar.Report
	return waits.Analyze(ctx, t, opt)
}

// waitReport is the wait states of a trace, to be printed.
type waitReport struct {
	t   *prv.Trace
	r   *waits.Result
	top int
}

// whole is the time of all threads.
func (w *waitReport) whole() int64 { return w.t.Duration * int64(w.t.NumThreads()) }

// costly are the delays that have caused waiting, the costliest first.
func (w *waitReport) costly() []waits.Delay {
	list := slices.DeleteFunc(slices.Clone(w.r.Delays), func(d waits.Delay) bool { return d.Cost() == 0 })
	slices.SortStableFunc(list, func(a, b waits.Delay) int { return cmp.Compare(b.Cost(), a.Cost()) })
	return list
}

func (w *waitReport) print(out io.Writer, format string, styled func(io.Writer) io.Writer) error {
	switch format {
	case "json":
		return command.WriteJSON(out, w.object())
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(styled(out), bold.Render(prv.Clean(w.t.Path))+"\n\n"+w.text(func(s string) string {
			return bold.Render(s)
		}))
		return err
	}
	return document.WriteTable(out, w.rows(), format)
}

// classes are the classes that occur.
func (w *waitReport) classes(waiting bool) (list []*waits.ClassInfo) {
	for i := range waits.Classes {
		if c := &waits.Classes[i]; c.Waiting == waiting && w.r.Totals[c.Class].Count > 0 {
			list = append(list, c)
		}
	}
	return list
}

// text is the answer for a person.
func (w *waitReport) text(heading func(string) string) string {
	var b strings.Builder
	u := w.t.Unit
	waiting := w.r.Waiting()
	fmt.Fprintf(&b, "%s, %s: %s of the time of %s\n", command.Plural(int64(len(w.r.Waits)), "wait"),
		command.Duration(waiting, u),
		command.Percent(ratio(waiting, w.whole()), 1),
		command.Plural(int64(w.t.NumThreads()), "thread"))
	for _, line := range w.remarks() {
		b.WriteString(line + "\n")
	}
	show := func(v any) string { return command.Duration(v.(int64), u) }
	share := func(v any) string { return command.Percent(v.(float64), 1) }
	classes := &command.Table{Columns: []command.Column{{Title: "Class"}, {Title: "Waits"}, {Title: "Time", Show: show},
		{Title: "Share", Show: share}, {Title: "Longest", Show: show},
		{Title: "Direct", Show: show}, {Title: "Indirect", Show: show}}}
	for _, c := range w.classes(true) {
		n := &w.r.Totals[c.Class]
		classes.Add(c.Name, n.Count, n.Time, ratio(n.Time, w.whole()), n.Longest, n.Direct, n.Time-n.Direct)
	}
	for _, c := range w.classes(false) {
		n := &w.r.Totals[c.Class]
		classes.Add(c.Name, n.Count, n.Time, ratio(n.Time, w.whole()), n.Longest, nil, nil)
	}
	b.WriteString("\n" + document.TableText(classes, "  ", heading))
	list := w.costly()
	if len(list) == 0 {
		return b.String()
	}
	causes := &command.Table{Columns: []command.Column{{Title: "Cause"}, {Title: "Thread"},
		{Title: "Waiting caused", Show: show},
		{Title: "Share", Show: share}, {Title: "At once", Show: show},
		{Title: "Further down", Show: show}, {Title: "Waits"}, {Title: "Worst"}}}
	shown := list
	if w.top > 0 && len(list) > w.top {
		shown = list[:w.top]
	}
	for _, d := range shown {
		worst := &w.r.Waits[d.Worst]
		causes.Add(w.r.Regions[d.Region].Name, command.ObjectID(w.t, prv.LevelThread, int(d.Thread)), d.Cost(),
			ratio(d.Cost(), w.whole()), d.Short, d.Long, int64(d.Waits),
			fmt.Sprintf("%s from %s, %s", command.ObjectID(w.t, prv.LevelThread, int(worst.Thread)),
				command.Duration(worst.From, u),
				command.Duration(worst.Length(), u)))
	}
	b.WriteString("\n" + document.TableText(causes, "  ", heading))
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(&b, "  and %s more (--top 0 shows all)\n", command.Count(int64(n)))
	}
	return b.String()
}

// remarks say what the figures rest on.
func (w *waitReport) remarks() (lines []string) {
	lines = append(lines, w.r.Notes...)
	for way, name := range []string{"on one node", "between nodes"} {
		if e := w.r.Eager[way]; e.Size >= 0 && w.r.Messages > 0 {
			how := "assumed"
			if e.Proved {
				how = "proved by sends that returned before their receive"
			}
			lines = append(lines, fmt.Sprintf("Sends of up to %s bytes %s do not wait for their receiver (%s)",
				command.Count(e.Size), name, how))
		}
	}
	for _, c := range w.r.Clocks {
		lines = append(lines,
			fmt.Sprintf("Clocks of nodes %d and %d disagree: %s received before sent, %s left too early, by up to %s",
				c.From+1, c.To+1,
				command.Plural(c.Messages, "message"), command.Plural(c.Operations, "collective operation"),
				command.Duration(c.Largest, w.t.Unit)))
	}
	return lines
}

// object is the answer for programs.
func (w *waitReport) object() command.Object {
	ns := w.t.Unit.Nanoseconds()
	classes, delays := []command.Object{}, []command.Object{}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if n := &w.r.Totals[c.Class]; n.Count > 0 {
			classes = append(classes, command.Object{{Key: "class", Value: c.Key}, {Key: "waiting", Value: c.Waiting},
				{Key: "count", Value: n.Count},
				{Key: "time_ns", Value: n.Time * ns}, {Key: "share", Value: ratio(n.Time, w.whole())},
				{Key: "longest_ns", Value: n.Longest * ns}, {Key: "direct_ns", Value: n.Direct * ns}})
		}
	}
	for _, d := range w.costly() {
		worst := &w.r.Waits[d.Worst]
		delays = append(delays, command.Object{{Key: "thread",
			Value: command.ObjectID(w.t, prv.LevelThread, int(d.Thread))},
			{Key: "region", Value: w.r.Regions[d.Region].Name}, {Key: "cost_ns", Value: d.Cost() * ns},
			{Key: "short_ns", Value: d.Short * ns}, {Key: "long_ns", Value: d.Long * ns},
			{Key: "waits", Value: d.Waits},
			{Key: "worst", Value: command.Object{{Key: "thread",
				Value: command.ObjectID(w.t, prv.LevelThread, int(worst.Thread))},
				{Key: "from_ns", Value: worst.From * ns}, {Key: "to_ns", Value: worst.To * ns},
				{Key: "class", Value: worst.Class.Info().Key}}}})
	}
	return command.Object{{Key: "path", Value: w.t.Path}, {Key: "length_ns", Value: w.t.Duration * ns},
		{Key: "threads", Value: w.t.NumThreads()},
		{Key: "waiting_ns", Value: w.r.Waiting() * ns}, {Key: "unknown_ns", Value: w.r.Unknown * ns},
		{Key: "regions", Value: w.r.Level.String()}, {Key: "classes", Value: classes}, {Key: "delays", Value: delays},
		{Key: "notes", Value: w.remarks()}}
}

// rows has a line for each class and each delay.
func (w *waitReport) rows() *command.Table {
	ns := w.t.Unit.Nanoseconds()
	out := &command.Table{Columns: []command.Column{{Key: "part"}, {Key: "name"}, {Key: "thread"}, {Key: "count"},
		{Key: "time_ns"},
		{Key: "direct_ns"}, {Key: "indirect_ns"}}}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if n := &w.r.Totals[c.Class]; n.Count > 0 {
			if c.Waiting {
				out.Add("class", c.Key, nil, n.Count, n.Time*ns, n.Direct*ns, (n.Time-n.Direct)*ns)
			} else {
				out.Add("class", c.Key, nil, n.Count, n.Time*ns, nil, nil)
			}
		}
	}
	for _, d := range w.costly() {
		out.Add("delay", w.r.Regions[d.Region].Name, command.ObjectID(w.t, prv.LevelThread, int(d.Thread)),
			int64(d.Waits),
			d.Cost()*ns, d.Short*ns, d.Long*ns)
	}
	return out
}
