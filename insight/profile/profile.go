// Package profile shows where the time of some threads goes: the states, calls, functions, entry methods and ranks that
// take most of it.
package profile

import (
	"cmp"
	"context"
	"slices"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/wide"
	"pview/semantic"
	"pview/semantic/label"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// columns are the sections of a profile except the last: the time of each value of a ready view.
var columns = []struct {
	title, view string
	zero        bool // the value 0 counts
	useful      bool // only useful time counts
	add         func(s *Section, p *Profile, facts *ready.Facts)
}{
	{title: "States", view: "State As Is", zero: true},
	{title: "MPI calls", view: "MPI call"},
	{title: EntryMethods, view: ready.EntryMethod, useful: true, add: (*Section).count},
	{title: "Functions", view: "User function"},
	{title: "OpenMP", view: "OpenMP construct"},
	{title: "Kernels", view: ready.DeviceKernel},
	{title: "Collectives", view: ready.DeviceCollective},
	{title: "Copies", view: ready.DeviceCopy},
}

// EntryMethods is the title of the section of a message-driven run's entry methods, and Ranks that of the last section:
// the useful time of each thread.
const (
	EntryMethods = "Entry methods"
	Ranks        = "Ranks, useful"
)

// Profile divides the time of some threads in an interval. Times are in the trace's unit.
type Profile struct {
	Begin, End int64
	Threads    []int32
	Sections   []Section
	Useful     float64 // share of the time
	IPC        float64 // 0 if unknown
	Rate       float64 // MIPS of useful computation; 0 if unknown
}

// Section is a list of entries, the greatest first.
type Section struct {
	Title  string
	Window *semantic.Window
	List   []Entry
}

// Entry is a value and its time.
type Entry struct {
	Name   string
	Short  string // for screens; "": the same
	Value  float64
	Thread int32 // of a rank; -1 for others
	Time   wide.Int
	Share  float64 // of the time of all threads; for a rank, of its own time
	// Executions of an entry method, and the messages sent by them; -1 if unknown.
	Executions, Messages int64
}

// reader evaluates ready views of a trace.
type reader struct {
	ctx   context.Context
	facts *ready.Facts
	cache *series.Cache
	*Profile
}

// each calls f with the values of every thread; if useful is set, a thread with states only counts while it computes.
// ok is false if the trace does not have the view.
func (r *reader) each(view string, useful bool, f func(thread int32, s *series.Series)) (w *semantic.Window, ok bool,
	err error) {
	views := r.facts.Views()
	at := slices.IndexFunc(views, func(v ready.View) bool { return v.Name == view })
	if at < 0 {
		return nil, false, nil
	}
	w = &views[at].Window
	plain, err := semantic.Compile(r.facts.Trace, w)
	if err != nil {
		return nil, false, err
	}
	within, key, usefulKey := plain, w.Key(), ""
	if useful {
		u := ready.Useful(*w)
		if within, err = semantic.Compile(r.facts.Trace, &u); err != nil {
			return nil, false, err
		}
		usefulKey = u.Key()
	}
	for _, th := range r.Threads {
		e, key := plain, key
		if useful && r.facts.Trace.Threads[th].States.Len() > 0 {
			e, key = within, usefulKey
		}
		s, err := r.cache.Get(r.ctx, e, key, int(th))
		if err != nil {
			return nil, false, err
		}
		f(th, s)
	}
	return w, true, nil
}

// Measure profiles threads from begin to end, within the trace's window. The error is ctx's, or of the evaluation.
func Measure(ctx context.Context, facts *ready.Facts, cache *series.Cache, begin, end int64,
	threads []int32) (*Profile, error) {
	if from, to := execution.Window(facts.Trace); max(from, begin) < min(to, end) {
		begin, end = max(from, begin), min(to, end)
	}
	p := &Profile{Begin: begin, End: end, Threads: threads}
	r := &reader{ctx, facts, cache, p}
	whole := float64(end-begin) * float64(len(threads))
	for _, c := range columns {
		times := map[float64]wide.Int{}
		w, ok, err := r.each(c.view, c.useful, func(_ int32, series *series.Series) {
			series.Times(begin, end, func(v float64, t int64) { times[v] = times[v].Add(t) })
		})
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		labels := label.Of(w, facts.Trace)
		s := Section{Title: c.title, Window: w}
		for v, t := range times {
			if t != (wide.Int{}) && (v != 0 || c.zero) {
				s.List = append(s.List, Entry{Name: labels.Name(v), Short: labels.Shorten(labels.Name(v)), Value: v,
					Thread: -1, Time: t, Share: t.Float() / whole})
			}
		}
		if c.add != nil {
			c.add(&s, p, facts)
		}
		s.sort()
		if len(s.List) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	p.summed(facts.Trace)
	return p, p.compute(r)
}

// compute adds the useful time of the ranks, and figures from counters.
func (p *Profile) compute(r *reader) error {
	length := float64(p.End - p.Begin)
	s := Section{Title: Ranks}
	useful := 0.0
	w, _, err := r.each("Useful", false, func(th int32, series *series.Series) {
		time := series.Aggregate(p.Begin, p.End).TimeNotZero
		if r.facts.Trace.Threads[th].States.Len() == 0 {
			time = efficiency.OutsideCalls(r.facts.Trace, int(th), p.Begin, p.End)
		}
		useful += float64(time)
		s.List = append(s.List, Entry{Name: r.facts.Trace.Name(prv.LevelThread, int(th)), Value: 1, Thread: th,
			Time: wide.Of(time), Share: float64(time) / length})
	})
	if err != nil {
		return err
	}
	s.Window = w
	s.sort()
	p.Sections = append(p.Sections, s)
	p.Useful = useful / (length * float64(max(len(p.Threads), 1)))
	// Rates over time are counts, also of a part of a burst: instructions and thousands of cycles per microsecond.
	counts := map[string]float64{}
	for _, view := range []string{"MIPS", "Clock frequency"} {
		_, _, err := r.each(view, false, func(_ int32, s *series.Series) {
			counts[view] += s.Aggregate(p.Begin, p.End).Integral
		})
		if err != nil {
			return err
		}
	}
	if c := counts["Clock frequency"] * 1000; c > 0 {
		p.IPC = counts["MIPS"] / c
	}
	if useful > 0 {
		p.Rate = counts["MIPS"] / useful
	}
	return nil
}

func (s *Section) sort() {
	slices.SortFunc(s.List, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Value, b.Value))
	})
}
