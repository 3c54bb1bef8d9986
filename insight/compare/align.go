package compare

// Both runs on one time axis, that of A: run B with each phase stretched or squeezed to its partner in A, and the
// differences between them, as ordinary traces.
//
//	A        |  1  |   2   |  3  |  4  |
//	B        | 1 |    2    | x | 3 |4|        as it was
//	aligned  |  1  |   2   |  3  |  4  |      x has no partner: it shrinks to an instant
//
// A phase of B without a partner takes no time; during a phase of A without a partner, nothing happens in B.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/account"
	"pview/prv"
	"pview/semantic"
)

// stretch maps a stretch of B onto one of A; times in the units of the runs.
type stretch struct{ fromB, toB, fromA, toA int64 }

// stretches returns the pairs of phases in order; the partner of a single phase is empty.
func (c *Result) stretches() []stretch {
	var list []stretch
	a, b := c.A.begin, c.B.begin
	for _, p := range c.Pairs {
		s := stretch{b, b, a, a}
		if p.A >= 0 {
			s.toA = c.A.phases[p.A].End
		}
		if p.B >= 0 {
			s.toB = c.B.phases[p.B].End
		}
		a, b = s.toA, s.toB
		list = append(list, s)
	}
	return list
}

// clock takes times of B to times of A.
type clock []stretch

// in maps a time of B within a stretch to A.
func (s *stretch) in(t int64) int64 {
	if t >= s.toB {
		return s.toA
	}
	d, n, m := t-s.fromB, s.toA-s.fromA, s.toB-s.fromB
	if n == m {
		return s.fromA + d
	}
	return s.fromA + int64(float64(d)*(float64(n)/float64(m)))
}

// begin maps a start time in B to A: at a boundary of phases, to the next phase.
func (k clock) begin(t int64) int64 {
	i := sort.Search(len(k), func(i int) bool { return k[i].toB > t })
	if i == len(k) {
		return k.end(t)
	}
	return k[i].in(t)
}

// end maps an end time in B to A: at a boundary of phases, to the previous phase.
func (k clock) end(t int64) int64 {
	i := sort.Search(len(k), func(i int) bool { return k[i].toB >= t })
	if i == len(k) {
		return k[len(k)-1].toA
	}
	return k[i].in(min(t, k[i].toB))
}

// mostAligned is the maximum number of records of a run that is aligned: it is copied in memory.
const mostAligned = 40_000_000

// Aligned returns run B, whose trace is given, on the time axis of A. The error is ctx's, or says that the trace is too
// large.
func (c *Result) Aligned(ctx context.Context, b *prv.Trace) (*prv.Trace, error) {
	records := b.Comms.Len()
	for i := range b.Threads {
		records += b.Threads[i].States.Len() + b.Threads[i].Events.Len()
	}
	if records > mostAligned {
		return nil, fmt.Errorf("%d million records are too many to be aligned: at most %d million", records/1_000_000,
			mostAligned/1_000_000)
	}
	k := clock(c.stretches())
	out := prv.NewBuilder(prv.Header{Date: b.Date, Unit: c.A.times, End: c.A.begin + c.A.Duration/c.A.unit,
		Resources: b.Resources, Communicators: b.Communicators})
	for i := range b.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k.states(out, b, int32(i))
		k.events(out, b, int32(i))
	}
	k.messages(out, b)
	t, err := out.Build()
	if err != nil {
		return nil, err
	}
	t.Labels, t.Names = b.Labels, b.Names
	return t, ctx.Err()
}

// states copies the states of a thread; it drops those that take no time on A's axis.
func (k clock) states(out *prv.Builder, t *prv.Trace, thread int32) {
	th := &t.Threads[thread]
	for i, v := range th.States.Value {
		begin, end := k.begin(th.States.Begin[i]), th.States.End[i]
		if !th.States.HasEnd(i) {
			end = prv.NoEnd
		} else {
			if end = k.end(end); end <= begin {
				continue
			}
		}
		out.State(thread, th.StateCPU(i), begin, end, v)
	}
}

// events copies the events of a thread, line by line: value 0 marks an end.
func (k clock) events(out *prv.Builder, t *prv.Trace, thread int32) {
	th := &t.Threads[thread]
	e := &th.Events
	var line []prv.Pair
	for i := 0; i < e.Len(); {
		first := i
		line = append(line[:0], prv.Pair{Type: e.Type[i], Value: e.Value.At(i)})
		for i++; i < e.Len() && !e.Lines.Has(i); i++ {
			line = append(line, prv.Pair{Type: e.Type[i], Value: e.Value.At(i)})
		}
		at := k.end(e.Time[first])
		if slices.ContainsFunc(line, func(p prv.Pair) bool { return p.Value != 0 }) {
			at = k.begin(e.Time[first])
		}
		out.Event(thread, th.EventCPU(first), at, line...)
	}
}

// messages copies the messages.
func (k clock) messages(out *prv.Builder, t *prv.Trace) {
	m := &t.Comms
	for i := range m.Len() {
		c := prv.Comm{Send: m.Send[i], Recv: m.Recv[i], SendCPU: t.CommCPU(i, prv.LogicalSend),
			RecvCPU: t.CommCPU(i, prv.LogicalRecv), Size: m.Size[i], Tag: m.Tag[i]}
		for r := range c.Times {
			c.Times[r] = k.end(m.Times[r][i])
		}
		out.Comm(c)
	}
}

// DifferenceType is the event type of Differences: how much more time B takes, as a class (DifferenceValues).
const DifferenceType = 79200001

// differenceClass is a class of differences, in percent of A's phase.
type differenceClass struct {
	semantic.NamedValue
	below float64 // the class has the differences below this
}

// onlyInA is the class of phases without a partner.
const onlyInA = 8

// differenceClasses are the classes, from less to more, in colours that colour-blind people can distinguish.
var differenceClasses = []differenceClass{
	{semantic.NamedValue{Value: 1, Name: "over 30 % less", Color: [3]uint8{42, 105, 178}}, -30},
	{semantic.NamedValue{Value: 2, Name: "10 to 30 % less", Color: [3]uint8{96, 150, 205}}, -10},
	{semantic.NamedValue{Value: 3, Name: "2 to 10 % less", Color: [3]uint8{160, 190, 218}}, -2},
	{semantic.NamedValue{Value: 4, Name: "within 2 %", Color: [3]uint8{112, 116, 124}}, 2},
	{semantic.NamedValue{Value: 5, Name: "2 to 10 % more", Color: [3]uint8{232, 190, 160}}, 10},
	{semantic.NamedValue{Value: 6, Name: "10 to 30 % more", Color: [3]uint8{226, 140, 92}}, 30},
	{semantic.NamedValue{Value: 7, Name: "over 30 % more", Color: [3]uint8{206, 84, 40}}, math.Inf(1)},
	{semantic.NamedValue{Value: onlyInA, Name: "only in A", Color: [3]uint8{148, 120, 190}}, 0},
}

// DifferenceValues returns the classes of differences, with their colours.
func DifferenceValues() (list []semantic.NamedValue) {
	for i := range differenceClasses {
		list = append(list, differenceClasses[i].NamedValue)
	}
	return list
}

func classOf(percent float64) int64 {
	for i := range differenceClasses[:onlyInA-1] {
		if c := &differenceClasses[i]; percent < c.below {
			return int64(c.Value)
		}
	}
	return onlyInA - 1
}

// Differences returns the differences as a trace on A's time axis: a row for the run, and one for each entry that
// differs anywhere; at the start of each phase of A, an event with the class of its difference.
func (c *Result) Differences() (*prv.Trace, error) {
	cats := c.differing()
	h := prv.Header{Unit: c.A.times, End: c.A.begin + c.A.Duration/c.A.unit}
	h.AddNode(1)
	h.AddPtask()
	names := &prv.Names{}
	for i := range len(cats) + 1 {
		h.AddTask(1, 0)
		name := "B - A"
		if i > 0 {
			name = cats[i-1].String()
		}
		names.Levels[prv.LevelThread] = append(names.Levels[prv.LevelThread], name)
	}
	names.Levels[prv.LevelTask] = names.Levels[prv.LevelThread]
	out := prv.NewBuilder(h)
	for _, p := range c.Pairs {
		if p.A < 0 {
			continue
		}
		at := c.A.phases[p.A].Begin
		length := c.length(c.A, p.A)
		for i := range len(cats) + 1 {
			class := int64(onlyInA)
			if p.B >= 0 {
				d := c.length(c.B, p.B) - length
				if i > 0 {
					d = c.spentIn(c.B, p.B, cats[i-1]) - c.spentIn(c.A, p.A, cats[i-1])
				}
				class = classOf(100 * d / max(length, 1))
			}
			out.Event(int32(i), 0, at, prv.Pair{Type: DifferenceType, Value: class})
		}
	}
	t, err := out.Build()
	if err != nil {
		return nil, err
	}
	t.Names, t.Labels = names, t.Labels.Clone()
	var values []prv.ValueLabel
	for _, x := range differenceClasses {
		values = append(values, prv.ValueLabel{Value: int64(x.Value), Label: x.Name})
	}
	t.Labels.AddType(DifferenceType, "Time in B, of the phase in A", values...)
	return t, nil
}

// length returns the duration of a phase, ns; with different numbers of threads, summed over all threads.
func (c *Result) length(r *Run, phase int) float64 {
	return c.scale(r, r.phases[phase].Duration()*r.unit).Float()
}

// spentIn returns the time of a use in a phase, ns: the mean over the threads; with different numbers of threads, the
// sum.
func (c *Result) spentIn(r *Run, phase int, cat Category) float64 {
	sum := r.spent[phase][cat].Times(r.unit).Float()
	if c.Scaled {
		return sum
	}
	return sum / float64(max(r.Threads, 1))
}

// leastDiffering is the minimum share of all differences, in percent, of an entry with its own row.
const leastDiffering = 5

// differing returns the entries with enough difference for a row, summed over pairs of phases regardless of sign.
func (c *Result) differing() (list []Category) {
	var sums [account.NumKinds]float64
	all := 0.0
	for _, p := range c.Pairs {
		if p.A < 0 || p.B < 0 {
			continue
		}
		for cat := range Category(account.NumKinds) {
			d := math.Abs(c.spentIn(c.B, p.B, cat) - c.spentIn(c.A, p.A, cat))
			sums[cat] += d
			all += d
		}
	}
	for cat := range Category(account.NumKinds) {
		if sums[cat] > 0 && sums[cat]*100 >= leastDiffering*all {
			list = append(list, cat)
		}
	}
	return list
}
