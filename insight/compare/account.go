package compare

// The time of one run by several criteria: categories are the entries of its account, each instant is in exactly one.

import (
	"context"
	"strings"

	"pview/insight/account"
	"pview/insight/eventgraph"
	"pview/insight/phase"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
)

// Category is a use of a thread's time: an entry of the account.
type Category account.Kind

// The categories that play a part of their own.
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
		return "waiting" // the account says by what
	}
	return account.Kinds[c].Name
}

// categoryOf is the category with a name.
func categoryOf(name string) (c Category) {
	for c < Category(account.NumKinds) && c.String() != name {
		c++
	}
	if c == Category(account.NumKinds) {
		return unknown
	}
	return c
}

// Names of parts without one of their own.
const (
	outside   = "outside of calls"
	noName    = "no function"
	notWaited = "not waiting"

	unknownCause = "unknown"
)

// sums is the time of a run by several criteria. Each adds up to the time of all threads, in the trace's unit.
type sums struct {
	spent  []account.Sums // by phase
	thread []account.Sums // by thread of the application
	calls  map[string]int64
	called map[string]int64 // by call: how often all threads call it
	funcs  map[string]int64
	waits  map[string]int64
	causes map[detail]int64 // by category and what it was
	waited []int64          // by thread: the time in waits
	caused []int64          // by thread: the waiting that it has caused
	// derived is set where threads without states were judged by their calls.
	derived bool
}

// detail is a category with the function, call or class of wait.
type detail struct {
	Category
	what string
	wait bool // what is a class of wait
}

// take goes through the records of all threads of the application.
func (r *Run) take(ctx context.Context, g *eventgraph.Graph, tiling *phase.Tiling) error {
	t := g.T
	r.sums = sums{spent: make([]account.Sums, len(tiling.Phases)), waited: make([]int64, len(r.threads)),
		calls: map[string]int64{}, called: map[string]int64{}, funcs: map[string]int64{},
		waits: map[string]int64{}, causes: map[detail]int64{}}
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

// unexplain moves waiting without a cause to what is unknown, as the account does: from the longest classes.
func (s *sums) unexplain(time int64) {
	for time > 0 {
		longest, most := detail{}, int64(0)
		for d, v := range s.causes {
			if d.Category == waiting && (v > most || v == most && v > 0 && d.what < longest.what) {
				longest, most = d, v
			}
		}
		if most == 0 {
			return
		}
		part := min(time, most)
		s.causes[longest] -= part
		s.causes[detail{Category: unknown}] += part
		time -= part
	}
}

// charge charges the waits to the threads that are their root causes.
func (r *Run) charge(found *waits.Result) {
	r.caused = make([]int64, len(r.threads))
	for _, d := range found.Delays {
		if i := int(d.Thread - r.threads[0]); i >= 0 && i < len(r.caused) {
			r.caused[i] += d.Cost()
		}
	}
}

// byCause are the times of all threads by the names given, each wait with the thread that has caused it.
func (r *Run) byCause(names []string) map[string]int64 {
	m, left := map[string]int64{}, int64(0)
	for i := range r.thread {
		own := -r.waited[i]
		for _, v := range r.thread[i] {
			left, own = left+v, own+v
		}
		m[names[i]] += own + r.caused[i]
		left -= m[names[i]]
	}
	m[unknownCause] = left
	return m
}

// kindsOf are the event types that play a part.
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

// kind is the part that an event type plays.
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
		name = r.t.Labels.ValueName(n.typ, n.value)
		name, _, _ = strings.Cut(name, " [") // mangled names follow in brackets
		r.text[n] = name
	}
	return name
}

// add adds the sums of a thread.
func (r *reader) add(w *walker) {
	r.derived = r.derived || w.th.States.Len() == 0 && w.th.Events.Len() > 0
	for i := range w.spent {
		for c := range w.spent[i] {
			r.spent[i][c] += w.spent[i][c]
		}
	}
	for i, n := range w.entered {
		if name := w.names[i+1]; kind(r.kinds.Part(name.typ)) != function {
			r.called[r.name(name, outside)] += n
		}
	}
	for m, time := range w.moments {
		call, fn := w.names[m.call], w.names[m.fn]
		r.calls[r.name(call, outside)] += time
		r.funcs[r.name(fn, noName)] += time
		r.waits[m.why.String()] += time
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
		r.causes[d] += time
	}
}
