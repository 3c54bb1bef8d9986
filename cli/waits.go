package cli

// The wait states of a run and their causes: pview diagnose --waits.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/insight/waits"
	"pview/prv"
)

// findWaits analyses the waits of a trace, and shows the progress.
func (a *app) findWaits(ctx context.Context, t *prv.Trace, opt waits.Options) (*waits.Result, error) {
	bar := newProgress(a.Err, "waits of "+t.Path)
	bar.plain = true
	defer bar.close()
	opt.Progress = bar.report
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
		return writeJSON(out, w.object())
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(styled(out), bold.Render(prv.Clean(w.t.Path))+"\n\n"+w.text(func(s string) string {
			return bold.Render(s)
		}))
		return err
	}
	return w.rows().write(out, format)
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
	fmt.Fprintf(&b, "%s, %s: %s of the time of %s\n", plural(int64(len(w.r.Waits)), "wait"), duration(waiting, u),
		percent(ratio(waiting, w.whole()), 1),
		plural(int64(w.t.NumThreads()), "thread"))
	for _, line := range w.remarks() {
		b.WriteString(line + "\n")
	}
	show := func(v any) string { return duration(v.(int64), u) }
	share := func(v any) string { return percent(v.(float64), 1) }
	classes := &table{columns: []column{{title: "Class"}, {title: "Waits"}, {title: "Time", show: show},
		{title: "Share", show: share}, {title: "Longest", show: show},
		{title: "Direct", show: show}, {title: "Indirect", show: show}}}
	for _, c := range w.classes(true) {
		n := &w.r.Totals[c.Class]
		classes.add(c.Name, n.Count, n.Time, ratio(n.Time, w.whole()), n.Longest, n.Direct, n.Time-n.Direct)
	}
	for _, c := range w.classes(false) {
		n := &w.r.Totals[c.Class]
		classes.add(c.Name, n.Count, n.Time, ratio(n.Time, w.whole()), n.Longest, nil, nil)
	}
	b.WriteString("\n" + classes.text("  ", heading))
	list := w.costly()
	if len(list) == 0 {
		return b.String()
	}
	causes := &table{columns: []column{{title: "Cause"}, {title: "Thread"}, {title: "Waiting caused", show: show},
		{title: "Share", show: share}, {title: "At once", show: show},
		{title: "Further down", show: show}, {title: "Waits"}, {title: "Worst"}}}
	shown := list
	if w.top > 0 && len(list) > w.top {
		shown = list[:w.top]
	}
	for _, d := range shown {
		worst := &w.r.Waits[d.Worst]
		causes.add(w.r.Regions[d.Region].Name, objectID(w.t, prv.LevelThread, int(d.Thread)), d.Cost(),
			ratio(d.Cost(), w.whole()), d.Short, d.Long, int64(d.Waits),
			fmt.Sprintf("%s from %s, %s", objectID(w.t, prv.LevelThread, int(worst.Thread)), duration(worst.From, u),
				duration(worst.Length(), u)))
	}
	b.WriteString("\n" + causes.text("  ", heading))
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(&b, "  and %s more (--top 0 shows all)\n", count(int64(n)))
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
				count(e.Size), name, how))
		}
	}
	for _, c := range w.r.Clocks {
		lines = append(lines,
			fmt.Sprintf("Clocks of nodes %d and %d disagree: %s received before sent, %s left too early, by up to %s",
				c.From+1, c.To+1,
				plural(c.Messages, "message"), plural(c.Operations, "collective operation"),
				duration(c.Largest, w.t.Unit)))
	}
	return lines
}

// object is the answer for programs.
func (w *waitReport) object() object {
	ns := w.t.Unit.Nanoseconds()
	classes, delays := []object{}, []object{}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if n := &w.r.Totals[c.Class]; n.Count > 0 {
			classes = append(classes, object{{"class", c.Key}, {"waiting", c.Waiting}, {"count", n.Count},
				{"time_ns", n.Time * ns}, {"share", ratio(n.Time, w.whole())},
				{"longest_ns", n.Longest * ns}, {"direct_ns", n.Direct * ns}})
		}
	}
	for _, d := range w.costly() {
		worst := &w.r.Waits[d.Worst]
		delays = append(delays, object{{"thread", objectID(w.t, prv.LevelThread, int(d.Thread))},
			{"region", w.r.Regions[d.Region].Name}, {"cost_ns", d.Cost() * ns},
			{"short_ns", d.Short * ns}, {"long_ns", d.Long * ns}, {"waits", d.Waits},
			{"worst", object{{"thread", objectID(w.t, prv.LevelThread, int(worst.Thread))},
				{"from_ns", worst.From * ns}, {"to_ns", worst.To * ns}, {"class", worst.Class.Info().Key}}}})
	}
	return object{{"path", w.t.Path}, {"length_ns", w.t.Duration * ns}, {"threads", w.t.NumThreads()},
		{"waiting_ns", w.r.Waiting() * ns}, {"unknown_ns", w.r.Unknown * ns},
		{"regions", w.r.Level.String()}, {"classes", classes}, {"delays", delays}, {"notes", w.remarks()}}
}

// rows has a line for each class and each delay.
func (w *waitReport) rows() *table {
	ns := w.t.Unit.Nanoseconds()
	out := &table{columns: []column{{key: "part"}, {key: "name"}, {key: "thread"}, {key: "count"}, {key: "time_ns"},
		{key: "direct_ns"}, {key: "indirect_ns"}}}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if n := &w.r.Totals[c.Class]; n.Count > 0 {
			if c.Waiting {
				out.add("class", c.Key, nil, n.Count, n.Time*ns, n.Direct*ns, (n.Time-n.Direct)*ns)
			} else {
				out.add("class", c.Key, nil, n.Count, n.Time*ns, nil, nil)
			}
		}
	}
	for _, d := range w.costly() {
		out.add("delay", w.r.Regions[d.Region].Name, objectID(w.t, prv.LevelThread, int(d.Thread)), int64(d.Waits),
			d.Cost()*ns, d.Short*ns, d.Long*ns)
	}
	return out
}
