package compare

// The time of one run by several criteria: categories are the entries of its account, each instant is in exactly one.

import (
	"context"

	"pview/insight/account"
	"pview/insight/eventgraph"
	"pview/insight/phase"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/wide"
)

// Category is a use of a thread's time: an entry of the account.
type Category account.Kind

// The categories that are handled separately.
const (
	waiting = Category(account.Wait)
	unknown = Category(account.Unknown)
)

// own reports whether a category is the program's own code.
func (c Category) own() bool {
	return c == Category(account.Computing) || c == Category(account.Preempted)
}

// String returns the name.
func (c Category) String() string {
	if c == waiting {
		return "waiting" // the account says why
	}
	return account.Kinds[c].Name
}

// categoryOf returns the category with a name.
func categoryOf(name string) (c Category) {
	for c < Category(account.NumKinds) && c.String() != name {
		c++
	}
	if c == Category(account.NumKinds) {
		return unknown
	}
	return c
}

// Names of parts that have none.
const (
	outside   = "outside of calls"
	noName    = "no function"
	notWaited = "not waiting"

	unknownCause = "unknown"
)

// sums is the time of a run by several criteria. Each adds up to the time of all threads, in the trace's unit.
type sums struct {
	spent  []totals       // by phase
	thread []account.Sums // by thread of the application
	calls  map[string]wide.Int
	called map[string]int64 // by call: how often all threads call it
	funcs  map[string]wide.Int
	waits  map[string]wide.Int
	causes map[detail]wide.Int // by category and detail
	waited []int64             // by thread: the time in waits
	caused []wide.Int          // by thread: the waiting it caused
	// derived is set where threads without states were judged by their calls.
	derived bool
}

// totals are the times of all threads by category.
type totals [account.NumKinds]wide.Int

// useful returns the useful time.
func (s *totals) useful() wide.Int { return s[account.Computing].Plus(s[account.Preempted]) }

// newSums returns the sums of n threads over some phases, all zero.
func newSums(phases, n int) sums {
	return sums{spent: make([]totals, phases), waited: make([]int64, n), caused: make([]wide.Int, n),
		calls: map[string]wide.Int{}, called: map[string]int64{}, funcs: map[string]wide.Int{},
		waits: map[string]wide.Int{}, causes: map[detail]wide.Int{}}
}

// grow adds a time to a sum.
func grow[K comparable](sums map[K]wide.Int, key K, time int64) { sums[key] = sums[key].Add(time) }

// detail is a category with the function, call or class of wait.
type detail struct {
	Category
	what string
	wait bool // what names a class of wait
}

// take goes through the records of all threads of the application.
func (r *Run) take(ctx context.Context, g *eventgraph.Graph, tiling *phase.Tiling) error {
	t := g.T
	r.sums = newSums(len(tiling.Phases), len(r.threads))
	rd := &reader{sums: &r.sums, t: t, tiling: tiling, kinds: kindsOf(t), text: map[named]string{}}
	walkers := make([]*walker, len(r.threads))
	for i, th := range r.threads {
		walkers[i] = newWalker(rd, i, th, g.Waits)
	}
	a, err := account.New(ctx, g, account.Options{From: r.begin, To: t.Duration, Threads: r.threads,
		Visit: func(i int) func(from, to int64, kind account.Kind) { return walkers[i].take }})
	if err != nil {
		return err
	}
	r.thread = a.ByThread
	for i, w := range walkers {
		for kind := range r.thread[i] {
			r.thread[i][kind] /= r.unit
		}
		rd.add(w)
		r.unexplain(w.waiting - r.thread[i][waiting])
	}
	return nil
}

// unexplain moves waiting without a cause to unknown time, as the account does, taking from the longest classes first.
func (s *sums) unexplain(time int64) {
	for time > 0 {
		longest, most := detail{}, wide.Int{}
		for d, v := range s.causes {
			order := v.Compare(most)
			if d.Category == waiting && (order > 0 || order == 0 && v.Sign() > 0 && d.what < longest.what) {
				longest, most = d, v
			}
		}
		if most.Sign() == 0 {
			return
		}
		part := min(time, most.Int64())
		grow(s.causes, longest, -part)
		grow(s.causes, detail{Category: unknown}, part)
		time -= part
	}
}

// charge charges the waits to the threads that are their root causes.
func (r *Run) charge(found *waits.Result) {
	for _, d := range found.Delays {
		if i := int(d.Thread - r.threads[0]); i >= 0 && i < len(r.caused) {
			r.caused[i] = r.caused[i].Add(d.Cost())
		}
	}
}

// byCause returns the times of all threads by the names given, each wait counted for the thread that caused it.
func (r *Run) byCause(names []string) map[string]wide.Int {
	m, left := map[string]wide.Int{}, wide.Int{}
	for i := range r.thread {
		all := wide.Sum(r.thread[i][:])
		m[names[i]] = m[names[i]].Plus(all).Add(-r.waited[i]).Plus(r.caused[i])
		left = left.Plus(all).Minus(m[names[i]])
	}
	m[unknownCause] = left
	return m
}

// kindsOf returns the event types that matter here.
func kindsOf(t *prv.Trace) *extrae.TypeTable {
	kinds, words := map[uint32]uint8{}, extrae.Of(t.Labels)
	for _, typ := range words.Family(extrae.MPI) {
		kinds[typ] = uint8(call)
	}
	for _, typ := range words.Family(extrae.Functions) {
		kinds[typ] = uint8(function)
	}
	return extrae.NewTypeTable(kinds)
}

// kind is the role of an event type.
type kind uint8

const (
	other    kind = iota
	call          // of a communication library
	function      // of the user
)

// named is a value of an event type.
type named struct {
	typ   uint32
	value int64
}

// reader is shared by the walkers.
type reader struct {
	*sums
	t      *prv.Trace
	tiling *phase.Tiling
	kinds  *extrae.TypeTable // of the types kind
	text   map[named]string  // names
}

// name returns the name of a call or function.
func (r *reader) name(n named, none string) string {
	if n == (named{}) {
		return none
	}
	name, ok := r.text[n]
	if !ok {
		name = extrae.RegionName(r.t.Labels, n.typ, n.value)
		r.text[n] = name
	}
	return name
}

// add adds the sums of a thread.
func (r *reader) add(w *walker) {
	r.derived = r.derived || w.th.States.Len() == 0 && w.th.Events.Len() > 0
	for i := range w.spent {
		for c := range w.spent[i] {
			r.spent[i][c] = r.spent[i][c].Add(w.spent[i][c])
		}
	}
	for i, n := range w.entered {
		if name := w.names[i+1]; kind(r.kinds.Part(name.typ)) != function {
			r.called[r.name(name, outside)] += n
		}
	}
	for m, time := range w.moments {
		call, fn := w.names[m.call], w.names[m.fn]
		grow(r.calls, r.name(call, outside), time)
		grow(r.funcs, r.name(fn, noName), time)
		grow(r.waits, m.why.String(), time)
		d := detail{Category: m.category}
		if m.category == waiting {
			w.waiting += time
		}
		if m.why != notWaiting {
			r.waited[w.number] += time
		}
		switch {
		case m.why != notWaiting && (m.category == waiting || m.category == Category(account.Runtime) ||
			m.category == Category(account.NoWork)):
			d.what, d.wait = m.why.String(), true
		case m.category.own() || m.category == Category(account.Runtime):
			d.what = r.name(fn, "")
		case m.category != Category(account.Outside) && m.category != unknown:
			d.what = r.name(call, "")
		}
		grow(r.causes, d, time)
	}
}
