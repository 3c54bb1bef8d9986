package nearby

// Finding the nearest records. An object of a level above thread has up to four sorted lists per thread (states,
// events, sends, receives): on a run of 8,192 threads that is 32,768 lists, and a filter may pass none of their
// records. So the search goes away from the point to both sides, in strips of time that begin small and grow:
//
//	      strip 3         | strip 2 | 1 | point | 1 | 2 | ...
//	<-- grows by growth --|---------|---|   t   |---|---|----->
//
// A strip reads the records of every list in it, once, and costs a step per list besides. The search stops when it has
// found enough, when all lists are at their end, or when it has read Budget records. A strip that turns out too dense
// (a burst of records) is cut short and retried with a narrower one. The result is complete between the strips' ends.

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// Query is a point of a trace and the wanted records around it.
type Query struct {
	Trace  *prv.Trace
	Level  prv.Level
	Object int // 0-based
	Time   int64
	Pass   *filter.Pass // nil lets everything pass; states always do

	States, Events, Messages bool

	// Before and After are the wanted numbers of records up to and including the time, and after it.
	Before, After int
	// Budget bounds the number of records read on each side; 0: defaultBudget.
	Budget int
}

// defaultBudget takes up to about 0.1 s.
const defaultBudget = 2 << 20

// Result are the records around a point.
type Result struct {
	// Records are in order of time; at one time in Paraver's order: messages, events, states.
	Records []Record
	// From and To are the interval in which nothing is missing (except records that share the time From or To with the
	// first or last one); math.MinInt64 and math.MaxInt64 if there is nothing beyond.
	From, To int64
}

// FilterOf compiles the filter of a window for a trace.
func FilterOf(t *prv.Trace, w *semantic.Window) *filter.Pass {
	perUnit := float64(semantic.Units[w.Unit].Nanoseconds) / float64(t.Unit.Nanoseconds())
	return w.Filter.Compile(t, w.Level, perUnit)
}

// Find returns the records around the point.
func Find(ctx context.Context, q Query) (*Result, error) {
	if q.Budget <= 0 {
		q.Budget = defaultBudget
	}
	lists := q.lists()
	before, from, err := q.side(ctx, lists, -1, q.Before)
	if err != nil {
		return nil, err
	}
	after, to, err := q.side(ctx, lists, 1, q.After)
	if err != nil {
		return nil, err
	}
	return &Result{Records: append(before, after...), From: from, To: to}, nil
}

// list is a sorted list of records of a thread.
type list struct {
	kind   Kind
	thread int32
	times  []int64
	order  []int32 // rows of times, of messages; nil: in order
}

func (l *list) len() int {
	if l.order != nil {
		return len(l.order)
	}
	return len(l.times)
}

func (l *list) record(i int) Record {
	if l.order != nil {
		i = int(l.order[i])
	}
	return Record{l.kind, l.thread, int32(i)}
}

func (l *list) time(i int) int64 {
	if l.order != nil {
		i = int(l.order[i])
	}
	return l.times[i]
}

// lists returns the lists that can have records of the object that pass.
func (q *Query) lists() (all []list) {
	add := func(l list) {
		if l.len() > 0 {
			all = append(all, l)
		}
	}
	for _, th := range q.Trace.ThreadsOf(q.Level, q.Object) {
		t := &q.Trace.Threads[th]
		if q.States {
			add(list{State, th, t.States.Begin, nil})
		}
		if q.Events && (q.Pass == nil || !q.Pass.Events.None()) {
			add(list{Event, th, t.Events.Time, nil})
		}
		if q.Messages {
			for _, k := range []Kind{Send, Receive} {
				if order := t.Comm[k.role()]; len(order) > 0 {
					add(list{k, th, q.Trace.Comms.Times[k.role()], order})
				}
			}
		}
	}
	return all
}

// has reports whether a record passes the filter and belongs to the object: on a CPU or node not all records of a
// thread do.
func (q *Query) has(r Record) bool {
	if q.Pass != nil {
		switch r.Kind {
		case State:
		case Event:
			e := &q.Trace.Threads[r.Thread].Events
			if !q.Pass.Events.Has(e.Type[r.Index], e.Value.At(int(r.Index))) {
				return false
			}
		default:
			if i := int(r.Index); !q.Pass.Comms.Has(i) || !q.Pass.Comms.Partner(i, r.Kind.role()) {
				return false
			}
		}
	}
	return !q.Level.IsResource() || q.Trace.ObjectOf(q.Level, r.Thread, r.CPU(q.Trace)) == q.Object
}

const (
	// growth is the factor by which a strip is wider than the one before; applied twice if that found nothing.
	growth = 4
	// narrower is the factor by which a strip that is too dense is cut.
	narrower = 16
	// crowd bounds the records that a strip may find, as a multiple of those that are wanted.
	crowd = 8
)

// walk is the search from the point to one side.
type walk struct {
	*Query
	lists []list
	step  int    // -1: back in time
	next  []int  // by list: the record to look at next
	done  uint64 // distance from the point up to which all was read
	spent int    // records read
	found []Record
}

// side returns the n nearest records on one side, in order of time, and how far nothing is missing.
func (q *Query) side(ctx context.Context, lists []list, step, n int) ([]Record, int64, error) {
	w := walk{Query: q, lists: lists, step: step, next: make([]int, len(lists))}
	records := 0
	for i := range lists {
		l := &lists[i]
		w.next[i] = sort.Search(l.len(), func(i int) bool { return l.time(i) > q.Time })
		if step < 0 {
			w.next[i]--
		}
		records += l.len()
	}
	// As wide as n records are on average.
	width := uint64(float64(max(q.Trace.Duration, 1)) / float64(max(records, 1)) * float64(n))
	ended, err := w.run(ctx, n, max(width, 1))
	if err != nil {
		return nil, 0, err
	}
	return w.nearest(n, ended)
}

// run goes through strips until n records are found; ended: there are no more.
func (w *walk) run(ctx context.Context, n int, width uint64) (ended bool, err error) {
	for len(w.found) < n && w.spent < w.Budget {
		if w.ended() {
			return true, nil
		}
		// A strip that cannot get narrower may find all records of one time.
		most := crowd * n
		if width == 1 {
			most = math.MaxInt
		}
		s := strip{reach: w.done + min(width, math.MaxUint64-w.done), next: slices.Clone(w.next), most: most,
			budget: w.share()}
		if width == 1 {
			s.budget = w.Budget - w.spent
		}
		crowded, err := w.look(ctx, &s)
		w.spent += s.spent
		switch {
		case err != nil:
			return false, err
		case crowded && width == 1:
			return false, nil
		case crowded:
			width = max(width/narrower, 1)
		default:
			w.found, w.next, w.done = append(w.found, s.found...), s.next, s.reach
			by := uint64(growth)
			if len(s.found) == 0 {
				by = growth * growth
			}
			width = min(width, math.MaxUint64/by) * by
		}
	}
	return w.ended(), nil
}

// share returns the part of the budget that one strip may take, so that one that is too dense leaves enough for
// narrower ones; the last few records are not worth another strip.
func (w *walk) share() int {
	left := w.Budget - w.spent
	return max(left/4, min(left, w.Budget/64))
}

// ended reports whether all lists are at their end.
func (w *walk) ended() bool {
	for i, at := range w.next {
		if at >= 0 && at < w.lists[i].len() {
			return false
		}
	}
	return true
}

// strip is the next interval of time beyond those already read.
type strip struct {
	reach  uint64 // its far end, from the point
	next   []int  // by list: the record to look at next
	most   int    // maximum number of records to find
	budget int    // maximum number of records to read
	spent  int
	found  []Record
}

// look reads the records of a strip; crowded: there are more than it may read or find.
func (w *walk) look(ctx context.Context, s *strip) (crowded bool, err error) {
	for k := range w.lists {
		if k%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		l, i, n := &w.lists[k], s.next[k], w.lists[k].len()
		for ; i >= 0 && i < n && w.distance(l.time(i)) <= s.reach; i += w.step {
			if s.spent++; s.spent > s.budget || len(s.found) > s.most {
				return true, nil
			}
			if r := l.record(i); w.has(r) {
				s.found = append(s.found, r)
			}
		}
		s.next[k] = i
	}
	return false, nil
}

// distance returns the distance of a time from the point.
func (w *walk) distance(t int64) uint64 {
	if w.step < 0 {
		return uint64(w.Time) - uint64(t)
	}
	return uint64(t) - uint64(w.Time)
}

// nearest returns the n nearest records found, in order of time, and the bounds within which none is missing.
func (w *walk) nearest(n int, ended bool) ([]Record, int64, error) {
	t := w.Trace
	slices.SortFunc(w.found, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Time(t), b.Time(t)), cmp.Compare(rank(a.Kind), rank(b.Kind)),
			cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Kind, b.Kind))
	})
	cut := max(len(w.found)-n, 0)
	if w.step < 0 {
		if found := w.found[cut:]; cut > 0 && len(found) > 0 {
			return found, found[0].Time(t), nil
		}
		if ended || w.done > uint64(w.Time)-uint64(1<<63) {
			return w.found[cut:], math.MinInt64, nil
		}
		return w.found[cut:], w.Time - int64(w.done), nil
	}
	if found := w.found[:len(w.found)-cut]; cut > 0 && len(found) > 0 {
		return found, found[len(found)-1].Time(t), nil
	}
	if ended || w.done > math.MaxInt64-uint64(w.Time) {
		return w.found[:len(w.found)-cut], math.MaxInt64, nil
	}
	return w.found[:len(w.found)-cut], w.Time + int64(w.done), nil
}

// rank returns the place of a kind among the records of one time.
func rank(k Kind) int {
	return [...]int{State: 2, Event: 1, Send: 0, Receive: 0}[k]
}

// Lasting returns the state of a thread at a time, which may have begun long before.
func Lasting(t *prv.Trace, thread int32, time int64) (Record, bool) {
	s := &t.Threads[thread].States
	i := sort.Search(s.Len(), func(i int) bool { return s.Begin[i] > time }) - 1
	if i < 0 || s.Until(i, math.MaxInt64) <= time {
		return Record{}, false
	}
	return Record{State, thread, int32(i)}, true
}
