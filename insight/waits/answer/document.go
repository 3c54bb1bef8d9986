// Package answer says which waits a run has and who caused them: as a document, and for one wait in sentences.
package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// answer makes the document of the wait states of a trace.
type answer struct {
	*waits.Result
	t     *prv.Trace
	whole wide.Int // time of all threads
	// costly are the delays that caused waiting, the costliest first.
	costly []waits.Delay
	// path has the regions by their time on the critical path, the longest first, and their cost to all threads.
	path   []waits.RegionCost
	length int64 // of the path
}

// Document returns the wait states of a trace and their causes, with the first top of each; 0: all. path has the
// stretches of the critical path, for the cost of its regions; nil: no path.
func Document(r *waits.Result, t *prv.Trace, top int, path []waits.Stretch) *report.Document {
	w := &answer{Result: r, t: t, whole: wide.Product(t.Duration, int64(t.NumThreads()))}
	w.costly = slices.DeleteFunc(slices.Clone(r.Delays), func(d waits.Delay) bool { return d.Cost() == 0 })
	slices.SortStableFunc(w.costly, func(a, b waits.Delay) int { return cmp.Compare(b.Cost(), a.Cost()) })
	w.path = r.Impact(path)
	slices.SortStableFunc(w.path, func(a, b waits.RegionCost) int { return cmp.Compare(b.OnPath, a.OnPath) })
	for _, s := range path {
		w.length += s.To - s.From
	}
	d := &report.Document{Title: t.Path, Rows: w.rows, Object: w.object}
	lines := []report.Block{report.Sentence(fmt.Sprintf("%s, %s: %s of the time of %s",
		quantity.CountOf(int64(len(r.Waits)), "wait"), w.total(r.Waiting()), report.ShowShare(w.share(r.Waiting())),
		quantity.CountOf(int64(t.NumThreads()), "thread")))}
	for _, line := range w.remarks() {
		lines = append(lines, report.Sentence(line))
	}
	d.Add(lines...)
	d.Add(w.classTable())
	if len(w.costly) > 0 {
		causes := w.causeTable()
		causes.Top = top
		d.Add(causes)
	}
	if w.length > 0 {
		t := w.pathTable()
		t.Top = top
		d.Add(t)
	}
	return d
}

func (w *answer) time(t int64) string { return quantity.FormatDuration(t, w.t.Unit) }

func (w *answer) total(t wide.Int) string { return quantity.FormatTotal(t, w.t.Unit) }

func (w *answer) share(t wide.Int) float64 { return report.RatioOf(t, w.whole) }

func (w *answer) thread(i int32) string { return report.ObjectID(w.t, prv.LevelThread, int(i)) }

// classes returns the classes that occur.
func (w *answer) classes(waiting bool) (list []*waits.ClassInfo) {
	for i := range waits.Classes {
		if c := &waits.Classes[i]; c.Waiting == waiting && w.Totals[c.Class].Count > 0 {
			list = append(list, c)
		}
	}
	return list
}

func (w *answer) classTable() *report.Table {
	show := func(v any) string { return w.total(v.(wide.Int)) }
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Class"}, {Title: "Waits"},
		{Title: "Time", Show: show}, {Title: "Share", Show: report.ShowShare},
		{Title: "Longest", Show: func(v any) string { return w.time(v.(int64)) }},
		{Title: "Direct", Show: show}, {Title: "Indirect", Show: show}}}
	for _, c := range w.classes(true) {
		n := &w.Totals[c.Class]
		t.Add(c.Name, n.Count, n.Time, w.share(n.Time), n.Longest, n.Direct, n.Time.Minus(n.Direct))
	}
	for _, c := range w.classes(false) {
		n := &w.Totals[c.Class]
		t.Add(c.Name, n.Count, n.Time, w.share(n.Time), n.Longest, nil, nil)
	}
	return t
}

func (w *answer) causeTable() *report.Table {
	show := func(v any) string { return w.time(v.(int64)) }
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Cause"}, {Title: "Thread"},
		{Title: "Waiting caused", Show: show}, {Title: "Share", Show: report.ShowShare},
		{Title: "At once", Show: show}, {Title: "Further down", Show: show}, {Title: "Waits"}, {Title: "Worst"}}}
	for _, d := range w.costly {
		worst := &w.Waits[d.Worst]
		t.AddSeen([]report.Evidence{{From: worst.From, To: worst.To, Threads: []int32{worst.Thread, d.Thread}}},
			w.Regions[d.Region].Name, w.thread(d.Thread), d.Cost(), w.share(wide.Of(d.Cost())), d.Short, d.Long, int64(d.Waits),
			fmt.Sprintf("%s from %s, %s", w.thread(worst.Thread), w.time(worst.From), w.time(worst.Length())))
	}
	return t
}

// pathTable has the regions on the critical path: their time, their excess over the mean of the threads, and their
// cost: the time in which threads do the same as the path, do more of it, or lose time to it.
func (w *answer) pathTable() *report.Table {
	show := func(v any) string { return w.time(v.(int64)) }
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "On the critical path"}, {Title: "Time", Show: show},
		{Title: "Share", Show: report.ShowShare}, {Title: "Above the mean", Show: show}, {Title: "Threads: same", Show: show},
		{Title: "More", Show: show}, {Title: "Lost to it", Show: show}}}
	for _, c := range w.path {
		t.Add(w.Regions[c.Region].Name, c.OnPath, report.Ratio(c.OnPath, w.length), int64(c.Imbalance), c.Activity, c.Off,
			int64(c.Lost))
	}
	return t
}

// remarks describe the basis of the figures.
func (w *answer) remarks() (lines []string) {
	lines = append(lines, w.Notes...)
	for way, name := range []string{"on one node", "between nodes"} {
		if e := w.Eager[way]; e.Size >= 0 && w.Messages > 0 {
			how := "assumed"
			if e.Proved {
				how = "proved by sends that returned before their receive"
			}
			lines = append(lines, fmt.Sprintf("Sends of up to %s bytes %s do not wait for their receiver (%s)",
				quantity.FormatCount(e.Size), name, how))
		}
	}
	return append(lines, ClockNotes(w.Result)...)
}

// ClockNotes says by how much clocks disagree, in the unit that reads best. Clocks within a node cannot disagree: then
// the tracer paired records wrongly.
func ClockNotes(r *waits.Result) (lines []string) {
	for _, c := range r.Clocks {
		what := fmt.Sprintf("clocks of nodes %d and %d disagree", c.From+1, c.To+1)
		if c.From == c.To {
			what = fmt.Sprintf("records contradict the one clock of node %d", c.From+1)
		}
		var seen []string
		if c.Messages > 0 {
			seen = append(seen, quantity.CountOf(c.Messages, "message")+" received before sent")
		}
		if c.Operations > 0 {
			seen = append(seen, quantity.CountOf(c.Operations, "collective operation")+" left too early")
		}
		lines = append(lines, fmt.Sprintf("%s: %s, by up to %s", what, strings.Join(seen, ", "),
			quantity.FormatDuration(c.Largest, r.Trace().Unit)))
	}
	return lines
}

// object returns the answer for programs.
func (w *answer) object() any {
	ns := w.t.Unit.Nanoseconds()
	classes, delays := []report.Object{}, []report.Object{}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if n := &w.Totals[c.Class]; n.Count > 0 {
			classes = append(classes, report.NewObject("class", c.Key, "waiting", c.Waiting, "count", n.Count,
				"time_ns", n.Time.Times(ns), "share", w.share(n.Time), "longest_ns", n.Longest*ns,
				"direct_ns", n.Direct.Times(ns)))
		}
	}
	for _, d := range w.costly {
		worst := &w.Waits[d.Worst]
		delays = append(delays, report.NewObject("thread", w.thread(d.Thread), "region", w.Regions[d.Region].Name,
			"cost_ns", d.Cost()*ns, "short_ns", d.Short*ns, "long_ns", d.Long*ns, "waits", d.Waits,
			"worst", report.NewObject("thread", w.thread(worst.Thread), "from_ns", worst.From*ns, "to_ns", worst.To*ns,
				"class", worst.Class.Info().Key)))
	}
	path := []report.Object{}
	for _, c := range w.path {
		path = append(path, report.NewObject("region", w.Regions[c.Region].Name, "on_path_ns", c.OnPath*ns,
			"total_ns", c.Total*ns, "imbalance_ns", c.Imbalance*float64(ns), "activity_ns", c.Activity*ns,
			"off_path_ns", c.Off*ns, "lost_ns", c.Lost*float64(ns)))
	}
	return report.NewObject("path", w.t.Path, "length_ns", w.t.Duration*ns, "threads", w.t.NumThreads(),
		"waiting_ns", w.Waiting().Times(ns), "unknown_ns", w.Unknown*ns, "regions", w.Level.String(), "classes", classes,
		"delays", delays, "critical_path", path, "notes", append([]string{}, w.remarks()...))
}

// rows has a line for each class and each delay.
func (w *answer) rows() *report.Table {
	ns := w.t.Unit.Nanoseconds()
	out := &report.Table{Columns: []report.Column{{Key: "part"}, {Key: "name"}, {Key: "thread"}, {Key: "count"},
		{Key: "time_ns"}, {Key: "direct_ns"}, {Key: "indirect_ns"}}}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		switch n := &w.Totals[c.Class]; {
		case n.Count == 0:
		case c.Waiting:
			out.Add("class", c.Key, nil, n.Count, n.Time.Times(ns), n.Direct.Times(ns),
				n.Time.Minus(n.Direct).Times(ns))
		default:
			out.Add("class", c.Key, nil, n.Count, n.Time.Times(ns), nil, nil)
		}
	}
	for _, d := range w.costly {
		out.Add("delay", w.Regions[d.Region].Name, w.thread(d.Thread), int64(d.Waits), d.Cost()*ns, d.Short*ns,
			d.Long*ns)
	}
	return out
}
