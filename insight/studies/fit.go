package studies

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/sim/parameter"
	"pview/sim/study"
)

// Fit concludes from a fit to measured times, variant by variant.
func Fit(f *study.Fit, t *study.Table) *Answer {
	list := f.Results(t)
	a, best := &Answer{}, study.BestVariant(list)
	for i := range list {
		r := &list[i]
		var blocks []report.Block
		if len(list) > 1 {
			name := r.Variant
			if i == best {
				name += " (the best)"
			}
			blocks = append(blocks, report.Sentence(name))
		}
		blocks = append(blocks, fitTable(f, r))
		for _, line := range fitRemarks(f, r) {
			blocks = append(blocks, indented(line))
		}
		a.add(blocks...)
	}
	a.Fields = report.NewObject("ranges", fitObjects(f, list), "best", fitBest(f, list, best))
	return a
}

// fitTable has a line for each benchmark, and one for the common region.
func fitTable(f *study.Fit, r *study.FitResult) *report.Table {
	titles := []string{"Measured", "Kept"}
	for i := range f.Variables {
		titles = append(titles, report.UpperFirst(f.Variables[i].Name), "Width")
	}
	t := &report.Table{Indent: 2, Columns: columns("Trace", append(titles, "Best fit")...)}
	add := func(name string, k *study.Kept, e string) {
		measured := ""
		if k.Measured > 0 {
			measured = quantity.Time.Format(k.Measured)
		}
		row := []any{name, measured, fmt.Sprintf("%d of %d", k.N, k.Of)}
		for i := range f.Variables {
			if k.Ranges == nil {
				row = append(row, "", "")
				continue
			}
			c, n, width := &f.Variables[i].Column, k.Ranges[i], ""
			if r.Best != nil && r.Best[i] != 0 {
				width = report.ShowShare(n.Width(r.Best[i]))
			}
			row = append(row, Show(c, n.Least)+" .. "+Show(c, n.Most), width)
		}
		t.Add(append(row, e)...)
	}
	for i := range r.Kept {
		e := ""
		if r.Errors != nil {
			e = quantity.FormatChange(r.Errors[i])
		}
		add(r.Kept[i].Benchmark, &r.Kept[i], e)
	}
	if len(r.Kept) > 1 {
		add("all", &r.Common, "")
	}
	return t
}

// fitRemarks returns the conclusions of a fit.
func fitRemarks(f *study.Fit, r *study.FitResult) (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if r.Best != nil {
		var settings []string
		for i := range f.Variables {
			settings = append(settings, f.Variables[i].Name+" "+Show(&f.Variables[i].Column, r.Best[i]))
		}
		wrong := quantity.FormatPercent(r.Error)
		if f.Absolute {
			wrong = quantity.Time.Format(r.Error)
		}
		say("best fit: %s (root mean square error %s)", strings.Join(settings, ", "), wrong)
	}
	for i, b := range r.Fixes {
		if b >= 0 {
			say("%s is narrowed most by %s", f.Variables[i].Name, r.Kept[b].Benchmark)
		} else {
			say("no trace narrows %s by a tenth", f.Variables[i].Name)
		}
	}
	for _, b := range r.Unmet() {
		say("no draw reproduces %s; the nearest errs by %s", r.Kept[b].Benchmark, report.ShowShare(r.Kept[b].Nearest))
	}
	for _, c := range r.Conflicts {
		say("%s and %s contradict each other: no draw reproduces both", r.Kept[c[0]].Benchmark, r.Kept[c[1]].Benchmark)
	}
	if len(r.Kept) > 2 && r.Common.N == 0 && r.Conflicts == nil && r.Unmet() == nil {
		say("no draw reproduces all traces, though every two of them have one")
	}
	return lines
}

// fitObjects returns the ranges by variant, for JSON.
func fitObjects(f *study.Fit, list []study.FitResult) []report.Object {
	kept := func(k *study.Kept) report.Object {
		ranges := report.Object{}
		for i, r := range k.Ranges {
			ranges = ranges.With(columnKey(&f.Variables[i].Column), []float64{r.Least, r.Most})
		}
		return report.NewObject("trace", k.Benchmark, "measured_ns", k.Measured, "kept", int64(k.N), "of", int64(k.Of),
			"nearest_error", report.OrNil(k.Nearest), "ranges", ranges)
	}
	out := []report.Object{}
	for i := range list {
		r := &list[i]
		var benchmarks []report.Object
		for b := range r.Kept {
			benchmarks = append(benchmarks, kept(&r.Kept[b]))
		}
		conflicts := [][2]string{}
		for _, c := range r.Conflicts {
			conflicts = append(conflicts, [2]string{r.Kept[c[0]].Benchmark, r.Kept[c[1]].Benchmark})
		}
		fixes := report.Object{}
		for k, b := range r.Fixes {
			if b >= 0 {
				fixes = fixes.With(f.Variables[k].Name, r.Kept[b].Benchmark)
			}
		}
		out = append(out, report.NewObject("variant", r.Variant, "benchmarks", benchmarks, "common", kept(&r.Common),
			"conflicts", conflicts, "fixed_by", fixes))
	}
	return out
}

// fitBest returns the best fit of all variants, for JSON.
func fitBest(f *study.Fit, list []study.FitResult, best int) any {
	if best < 0 {
		return nil
	}
	o := report.Object{}
	for k, x := range list[best].Best {
		o = o.With(columnKey(&f.Variables[k].Column), x)
	}
	return report.NewObject("variant", list[best].Variant, "parameters", o, "error", list[best].Error,
		"errors", list[best].Errors)
}

// Messages are the messages to which a line is fitted.
type Messages struct {
	Sizes, Times []float64 // bytes, ns
	Outlier      []bool    // far from the line
}

// Network concludes from a fitted line: the parameters of a machine.
func Network(l study.Line, m Messages) *Answer {
	a, t := &Answer{Rows: &report.Table{}}, m.table(l)
	latency, bandwidth := parameter.ByName("latency"), parameter.ByName("bandwidth")
	a.add(report.Pairs{{"Latency", quantity.Time.Format(l.Latency)}, {"Bandwidth", bandwidth.Show(l.Bandwidth)},
		{"Fit", fmt.Sprintf("R2 = %.5f over %s", l.Fit, quantity.CountOf(int64(len(t.Rows)), "message"))}})
	if l.Latency >= 0 && l.Bandwidth > 0 {
		word := strings.NewReplacer(" ", "") // a flag's value is one word
		a.add(report.Sentence(fmt.Sprintf("As a machine: --set latency=%s --set bandwidth=%s",
			word.Replace(latency.Format(math.Round(l.Latency))), word.Replace(bandwidth.Show(l.Bandwidth)))),
			report.Sentence(fmt.Sprintf("In a model of a direct network: link-speed %.6g %.6g", l.Latency/1e9,
				l.PerByte()/1e9)))
	} else {
		a.add(report.Sentence("Negative latency or bandwidth: fit fewer sizes (--from, --to)"))
	}
	a.add(t)
	a.Rows.Columns = []report.Column{{Key: "latency_ns"}, {Key: "bandwidth_mb_s"}, {Key: "r2"}, {Key: "messages"}}
	a.Rows.Add(l.Latency, report.OrNil(l.Bandwidth), report.OrNil(l.Fit), int64(len(m.Sizes)))
	a.Fields = report.NewObject("latency_ns", l.Latency, "bandwidth_mb_s", report.OrNil(l.Bandwidth),
		"per_byte_ns", l.PerByte(), "r2", report.OrNil(l.Fit), "messages", t.Objects())
	return a
}

// table has a line for each message.
func (m *Messages) table(l study.Line) *report.Table {
	count := func(v any) string { return quantity.FormatCount(int64(v.(float64))) }
	outlier := func(v any) string { return map[bool]string{true: "outlier"}[v.(bool)] }
	out := &report.Table{Indent: 2, Columns: []report.Column{{Key: "bytes", Title: "Bytes", Show: count},
		{Key: "time_ns", Title: "Time", Show: report.ShowTime}, {Key: "line_ns", Title: "Fitted",
			Show: report.ShowTime},
		{Key: "error", Title: "Error", Show: report.ShowShare}, {Key: "outlier", Show: outlier}}}
	for i, size := range m.Sizes {
		var e any
		if m.Times[i] > 0 {
			e = l.Time(size)/m.Times[i] - 1
		}
		out.Add(size, m.Times[i], l.Time(size), e, m.Outlier[i])
	}
	return out
}
