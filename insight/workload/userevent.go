package workload

// User events: kinds of program regions on a thread, with the activity in them. "Level 1" is directly inside an
// occurrence; the contents of nested user events are hidden. System events inside system events do not count, nor do
// user events inside system events.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
	"pview/prv/parallel"
)

// region is a kind of user event on a thread.
type region struct {
	typ    uint32
	value  int64
	thread int32
	first  int64
	last   int64
	sums   regionSums
}

// regionSums are the parameters, times in the trace's unit.
type regionSums struct{ ctime, stime, utime, hstime, cnum, snum, unum, hsnum, hunum int64 }

// EventParameters are the parameters of user events.
var EventParameters = []struct {
	Name, Unit, Doc string
	of              func(s *regionSums) int64
}{
	{"ctime", "ns", "time in it, outermost occurrences", func(s *regionSums) int64 { return s.ctime }},
	{"stime", "ns", "time in system events at level 1", func(s *regionSums) int64 { return s.stime }},
	{"utime", "ns", "time in user events at level 1", func(s *regionSums) int64 { return s.utime }},
	{"hstime", "ns", "hidden: time in system events inside nested user events", func(s *regionSums) int64 {
		return s.hstime
	}},
	{"selftime", "ns", "ctime - stime - utime", func(s *regionSums) int64 { return s.ctime - s.stime - s.utime }},
	{"cnum", "", "occurrences", func(s *regionSums) int64 { return s.cnum }},
	{"snum", "", "system events at level 1", func(s *regionSums) int64 { return s.snum }},
	{"unum", "", "user events at level 1", func(s *regionSums) int64 { return s.unum }},
	{"hsnum", "", "hidden: system events inside nested user events", func(s *regionSums) int64 { return s.hsnum }},
	{"hunum", "", "hidden: user events inside user events of level 1", func(s *regionSums) int64 { return s.hunum }},
}

// extractEvents has a component for each kind of user event on a thread: PICL's, user functions, or the values of
// requested types.
func extractEvents(ctx context.Context, t *prv.Trace, opt Options) (*Set, error) {
	kinds := regionTypes(t, opt.Types)
	from, to := opt.window(t)
	lists := make([][]*region, len(t.Threads))
	err := parallel.Each(ctx, len(t.Threads), opt.Workers, func(_, i int) error {
		if opt.has(int32(i)) {
			w := &regionWalker{t: t, thread: int32(i), kinds: kinds, from: from, to: to, found: map[[2]int64]*region{},
				depth: map[[2]int64]int{}}
			lists[i] = w.walk()
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(lists...)
	s, unit := &Set{n: len(all)}, t.Unit.Nanoseconds()
	for _, r := range all {
		s.Thread, s.Begin, s.End = append(s.Thread, r.thread), append(s.Begin, r.first), append(s.End, r.last)
		s.Key, s.Value = append(s.Key, int64(r.typ)), append(s.Value, r.value)
		name := t.Labels.ValueName(r.typ, r.value)
		if system.In(t) {
			name = t.Labels.TypeName(r.typ)
		}
		s.Names = append(s.Names, fmt.Sprintf("%s %s", t.Name(prv.LevelThread, int(r.thread)), name))
	}
	for k := range EventParameters {
		p := &EventParameters[k]
		values := s.add(p.Name, p.Unit, p.Doc).Values
		for i, r := range all {
			v := p.of(&r.sums)
			if p.Unit == "ns" {
				v *= unit
			}
			values[i] = float64(v)
		}
	}
	return s, nil
}

// regionTypes maps a trace's event types to whether their values are user events (true) or system events (false).
func regionTypes(t *prv.Trace, own []uint32) map[uint32]bool {
	kinds := map[uint32]bool{}
	if system.In(t) {
		kinds[system.Type] = false
		for i := range t.Labels.Types {
			if typ := t.Labels.Types[i].Type; typ >= system.UserType && typ <= system.LastUserType {
				kinds[typ] = true
			}
		}
	} else {
		words := extrae.Of(t.Labels)
		for _, typ := range words.Family(extrae.MPI) {
			kinds[typ] = false
		}
		if len(own) == 0 {
			for _, typ := range words.Family(extrae.Functions) {
				kinds[typ] = true
			}
		}
	}
	for _, typ := range own {
		kinds[typ] = true
	}
	return kinds
}

// deepest is the maximum nesting depth of events.
const deepest = 1 << 10

// regionWalker walks the events of a thread.
type regionWalker struct {
	t      *prv.Trace
	thread int32
	kinds  map[uint32]bool
	from   int64 // the part of the run that counts
	to     int64
	open   []openRegion
	found  map[[2]int64]*region
	list   []*region
	depth  map[[2]int64]int // of open occurrences
}

type openRegion struct {
	typ    uint32
	of     *region // nil: a system event
	since  int64
	inside bool // a system event
}

func (w *regionWalker) walk() []*region {
	e := &w.t.Threads[w.thread].Events
	for i, typ := range e.Type {
		user, ok := w.kinds[typ]
		if !ok || e.Time[i] < w.from || e.Time[i] > w.to {
			continue
		}
		if e.Value.At(i) != 0 {
			w.enter(typ, e.Value.At(i), e.Time[i], user)
		} else {
			w.leave(typ, e.Time[i])
		}
	}
	for len(w.open) > 0 {
		w.pop(len(w.open)-1, min(w.t.Duration, w.to))
	}
	slices.SortStableFunc(w.list, func(a, b *region) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.value, b.value))
	})
	return w.list
}

func (w *regionWalker) enter(typ uint32, value, time int64, user bool) {
	if len(w.open) == deepest {
		return
	}
	o := openRegion{typ: typ, since: time}
	if n := len(w.open); n > 0 {
		o.inside = w.open[n-1].inside || w.open[n-1].of == nil
	}
	if user {
		key := [2]int64{int64(typ), value}
		if o.of = w.found[key]; o.of == nil {
			o.of = &region{typ: typ, value: value, thread: w.thread, first: time}
			w.found[key] = o.of
			w.list = append(w.list, o.of)
		}
		w.depth[key]++
	}
	w.open = append(w.open, o)
}

// leave ends the innermost event of a type.
func (w *regionWalker) leave(typ uint32, time int64) {
	for i := len(w.open) - 1; i >= 0; i-- {
		if w.open[i].typ == typ {
			w.pop(i, time)
			return
		}
	}
}

// pop ends the event at a depth.
func (w *regionWalker) pop(at int, time int64) {
	o := w.open[at]
	w.open = slices.Delete(w.open, at, at+1)
	length := time - o.since
	if o.of != nil {
		key := [2]int64{int64(o.of.typ), o.of.value}
		if w.depth[key]--; w.depth[key] == 0 {
			o.of.sums.ctime += length
		}
		o.of.sums.cnum++
		o.of.last = time
	}
	if o.inside {
		return
	}
	level := 0
	for i := at - 1; i >= 0; i-- {
		around := w.open[i].of
		if around == nil {
			return
		}
		s := &around.sums
		switch level++; {
		case o.of == nil && level == 1:
			s.stime += length
			s.snum++
		case o.of == nil:
			s.hstime += length
			s.hsnum++
		case level == 1:
			s.utime += length
			s.unum++
		default:
			s.hunum++
		}
	}
}
