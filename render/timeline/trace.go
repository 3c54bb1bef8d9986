package timeline

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"pview/filter"
	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// Trace is a trace that windows show, with the data that the program derives from it once, in the background.
type Trace struct {
	ID       int
	Data     *prv.Trace
	Revision int             // number of times that the data was replaced: see revise
	Until    int64           // for a part of the trace: the time until which it is complete; 0: the trace is complete
	unread   []bool          // unread threads of a part; nil: none
	unsure   string          // what may still change in a part
	Profiled int             // revision that Profile belongs to
	Name     string          // display name
	Palette  *raster.Palette // of the .pcf, as in Paraver
	Paraver  bool            // use that palette instead of the colours of pview's own theme
	states   *raster.Palette // by their meaning
	values   *raster.Palette
	named    map[*semantic.NamedValue]*raster.Palette // of values with their own colours, by the first of them
	Types    []ready.TypeCount                        // event types that occur, most frequent first; nil until counted
	facts    *ready.Facts                             // facts that choose the ready views; nil until counted
	Profile  []float64                                // useful threads per equal part of the run; nil until known
	// ProfileUntil is the time up to which the trace was read for the profile; 0: completely.
	ProfileUntil int64

	Summary      *report.Headline // nil until known
	Summarised   int              // revision that Summary belongs to
	SummarisedTo int64            // end of that revision
	summarises   context.CancelFunc

	// the measured trace whose next prediction replaces this trace; nil for an independent trace
	PredictedFrom *Trace
	Predicted     bool   // predicted, whether independent or not
	Derived       bool   // made from other traces for display: it is not a run, and is not saved in sessions
	StacksOf      *Trace // the trace whose call stacks this one shows; nil for other traces
}

func NewTrace(id int, tr *prv.Trace) *Trace {
	t := &Trace{ID: id, Data: tr, Name: "demo"}
	t.Recolor()
	if tr.Path != "" {
		t.Name = filepath.Base(tr.Path)
	}
	return t
}

// Recolor makes the palettes from the trace's labels.
func (t *Trace) Recolor() {
	t.Palette, t.states, t.values = raster.NewPalette(t.Data.Labels), raster.StatePalette(t.Data.Labels),
		raster.ValuePalette()
}

// namedPalette returns the palette of a window whose values have their own names and colours.
func (t *Trace) namedPalette(w *semantic.Window) *raster.Palette {
	values := w.ValuesOf()
	if len(values) == 0 {
		return t.values
	}
	p := t.named[&values[0]]
	if p == nil {
		p = PaletteOf(values)
		if t.named == nil {
			t.named = map[*semantic.NamedValue]*raster.Palette{}
		}
		t.named[&values[0]] = p
	}
	return p
}

// PaletteOf returns a palette with the colours of some values.
func PaletteOf(values []semantic.NamedValue) *raster.Palette {
	p := raster.ValuePalette()
	for _, v := range values {
		p.Set(int64(v.Value), raster.RGB(v.Color[0], v.Color[1], v.Color[2]))
	}
	return p
}

func (t *Trace) TypeLabel(typ uint32) string { return t.Data.Labels.TypeName(typ) }

// Has reports whether any of the event types occurs; ok is false before they are counted.
func (t *Trace) Has(types ...uint32) (found []uint32, ok bool) {
	for _, c := range t.Types {
		if slices.Contains(types, c.Type) {
			found = append(found, c.Type)
		}
	}
	slices.Sort(found)
	return found, t.Types != nil
}

// FromNS converts nanoseconds to the trace's unit.
func (t *Trace) FromNS(ns int64) int64 { return ns / t.Data.Unit.Nanoseconds() }

// ToNS converts a time of the trace to nanoseconds; times beyond 292 years become the maximum.
func (t *Trace) ToNS(time int64) int64 {
	n := t.Data.Unit.Nanoseconds()
	if time > math.MaxInt64/n {
		return math.MaxInt64
	}
	return time * n
}

// Convert returns a time of t in the unit of another trace.
func (t *Trace) Convert(time int64, to *Trace) int64 {
	if t.Data.Unit == to.Data.Unit {
		return time
	}
	return to.FromNS(t.ToNS(time))
}

// CountJob counts the events by type.
func (t *Trace) CountJob(ctx context.Context) Job {
	tr, revision := t.Data, t.Revision
	return func() Answer {
		f, err := ready.Observe(ctx, tr)
		if err != nil {
			return nil
		}
		return func() {
			if t.Revision == revision {
				t.Types, t.facts = f.Types, f
			}
		}
	}
}

// Facts returns the known facts for choosing the trace's ready views.
func (t *Trace) Facts() *ready.Facts {
	if t.facts != nil && t.facts.Trace == t.Data {
		return t.facts
	}
	return &ready.Facts{Trace: t.Data, Types: t.Types}
}

// profileParts is the resolution of the overview: a multiple of the columns of the widest screen, so that a column's
// range includes short events.
const profileParts = 9600

// ProfileJob computes the mean number of useful threads over equal parts of the run, thread by thread, so that it keeps
// no row in memory.
func (t *Trace) ProfileJob(ctx context.Context) Job {
	tr, revision, until := t.Data, t.Revision, t.Until
	return func() Answer {
		w := semantic.ThreadWindow("Useful")
		e, err := semantic.Compile(tr, &w)
		if err != nil {
			return nil
		}
		profile := make([]float64, profileParts)
		for row := range e.Rows() {
			s, err := e.Series(ctx, row)
			if err != nil {
				return nil
			}
			addShares(profile, s, max(tr.Duration, 1))
		}
		return func() {
			if t.Revision == revision {
				t.Profile, t.Profiled, t.ProfileUntil = profile, revision, until
			}
		}
	}
}

// SummaryJob makes the headline of the run.
func (t *Trace) SummaryJob(ctx context.Context,
	summarise func(ctx context.Context, tr *prv.Trace, predicted bool) (*report.Headline, error)) Job {
	tr, revision, predicted := t.Data, t.Revision, t.Predicted
	ctx, t.summarises = context.WithCancel(ctx)
	stop := t.summarises
	return func() Answer {
		defer stop()
		s, err := summarise(ctx, tr, predicted)
		if err != nil {
			s = nil
		}
		return func() {
			if t.Revision == revision {
				t.Summary, t.Summarised, t.SummarisedTo, t.summarises = s, revision, tr.Duration, nil
			}
		}
	}
}

// Summarises reports whether the summary is being made.
func (t *Trace) Summarises() bool { return t.summarises != nil }

// StopSummary stops making the summary; it reports whether it was being made.
func (t *Trace) StopSummary() bool {
	if t.summarises == nil {
		return false
	}
	t.summarises()
	t.summarises = nil
	return true
}

// addShares adds the mean of a series over each of equal parts of a run.
func addShares(profile []float64, s *series.Series, duration int64) {
	perTick := float64(len(profile)) / float64(duration)
	for k := range s.Len() {
		begin, end, v := s.Burst(k)
		if v == 0 {
			continue
		}
		from, to := float64(begin)*perTick, float64(end)*perTick
		for x := max(int(from), 0); x < len(profile) && float64(x) < to; x++ {
			profile[x] += v * (min(to, float64(x+1)) - max(from, float64(x)))
		}
	}
}

// Resampled returns the maximum of a profile in each of n columns, the rest of the columns' ranges, and a scale that
// fits them.
func Resampled(profile []float64, n int) (most []float64, spread []raster.Spread, scale raster.Scale) {
	most, spread = make([]float64, n), make([]raster.Spread, n)
	for x := range most {
		lo, hi := x*len(profile)/n, max((x+1)*len(profile)/n, x*len(profile)/n+1)
		part, sum := profile[lo:min(hi, len(profile))], 0.0
		for _, v := range part {
			sum += v
		}
		most[x] = slices.Max(part)
		spread[x] = raster.Spread{Least: slices.Min(part), Mean: sum / float64(len(part))}
		scale.Max = max(scale.Max, most[x])
	}
	return most, spread, scale
}

// ListedTypes returns the event types that a filter names one by one.
func ListedTypes(f *filter.Filter) []uint32 {
	if f.Events.Type.Func != filter.Equal {
		return nil
	}
	types := make([]uint32, 0, len(f.Events.Type.Values))
	for _, v := range f.Events.Type.Values {
		types = append(types, uint32(v))
	}
	return types
}

// number writes a number as people type it: integers, such as event types, without an exponent.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Numbers writes a list of numbers: "1,3".
func Numbers(list []float64) string {
	s := ""
	for i, v := range list {
		if i > 0 {
			s += ","
		}
		s += number(v)
	}
	return s
}
