package compare

// The account of one run: where the time of every thread went, each instant in exactly one category.

import (
	"context"
	"strings"
	"sync"

	"pview/insight/phase"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// Category is a use of a thread's time.
type Category uint8

// The categories.
const (
	Computing Category = iota
	Overhead
	Waiting
	Transfer
	IO
	Absent

	NumCategories
)

// Categories are the categories, with a key for programs and an explanation.
var categories = [NumCategories]struct{ name, doc string }{
	{"computing", "the program's own work"},
	{"call overhead", "in calls that neither wait nor move data, in the runtime, in the tracer"},
	{"waiting", "for another process or thread, or for a CPU"},
	{"transfer", "in calls that move data, without waiting"},
	{"I/O", "input and output"},
	{"absent", "not created, ended, or not traced"},
}

// String returns the name.
func (c Category) String() string { return categories[c].name }

// Doc returns an explanation.
func (c Category) Doc() string { return categories[c].doc }

// Names of parts without one of their own.
const (
	outside   = "outside of calls"
	noName    = "no function"
	notWaited = "not waiting"

	unknownCause = "unknown"
)

// account is the time of a run by several criteria. Each adds up to the time of all threads.
type account struct {
	spent  [][NumCategories]int64 // by phase
	thread [][NumCategories]int64 // by thread of the application
	calls  map[string]int64
	called map[string]int64 // by call: how often all threads call it
	funcs  map[string]int64
	waits  map[string]int64
	causes map[detail]int64 // by category and what it was
	caused []int64          // by thread: the waiting that it has caused
	// derived is set where threads without states were judged by their calls.
	derived bool
}

// detail is a category with the function, call or class of wait.
type detail struct {
	Category
	what string
}

// take goes through the records of all threads of the application.
func (r *Run) take(ctx context.Context, t *prv.Trace, tiling *phase.Tiling, found *waits.Result) error {
	r.account = account{spent: make([][NumCategories]int64, len(tiling.Phases)),
		thread: make([][NumCategories]int64, len(r.threads)),
		calls:  map[string]int64{}, called: map[string]int64{}, funcs: map[string]int64{},
		waits: map[string]int64{}, causes: map[detail]int64{}}
	rd := &reader{account: &r.account, t: t, threads: r.threads, tiling: tiling,
		meanings: extrae.StatesOf(t.Labels, extrae.Auto), kinds: kindsOf(t), text: map[named]string{}}
	return parallel.Each(ctx, len(r.threads), 0, func(_, i int) error {
		w := newWalker(ctx, rd, i, found)
		if err := w.walk(); err != nil {
			return err
		}
		rd.add(w)
		return nil
	})
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
		for cat, v := range r.thread[i] {
			if left += v; Category(cat) != Waiting {
				m[names[i]] += v
			}
		}
		m[names[i]] += r.caused[i]
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
	if typ, ok := words.Type(extrae.MPIOther); ok {
		kinds[typ] = uint8(local)
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
	local         // a call that neither waits nor moves data
	function      // of the user
)

// named is a value of an event type.
type named struct {
	typ   uint32
	value int64
}

// reader is shared by the walkers.
type reader struct {
	*account
	t        *prv.Trace
	threads  []int32 // of the application
	tiling   *phase.Tiling
	meanings *extrae.States
	kinds    *extrae.TypeTable // of the types kind
	mu       sync.Mutex
	text     map[named]string // names
}

// name returns the name of a call or function; mu is held.
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.derived = r.derived || w.derived
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
	for m, time := range w.sums {
		category, call, fn, wait := m.category(), w.names[m.call], w.names[m.fn], m.why().String()
		r.thread[w.number][category] += time
		r.calls[r.name(call, outside)] += time
		r.funcs[r.name(fn, noName)] += time
		r.waits[wait] += time
		what := r.name(call, "")
		switch category {
		case Computing:
			what = r.name(fn, "")
		case Waiting:
			what = wait
		case Absent:
			what = ""
		}
		r.causes[detail{category, what}] += time
	}
}
