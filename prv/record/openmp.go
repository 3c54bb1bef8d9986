package record

// OpenMP: the reports of its runtime through OMPT (lib/openmp.c), as Extrae's events and states. The innermost
// construct that a thread is in gives its state: Scheduling and Fork/Join in the thread that opens a region, Running in
// the region's work, Synchronization in barriers and waits. A worker whose work is done is in Synchronization until the
// region ends, and Idle until the next.

import (
	"fmt"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// Constructs of records; see lib/record.c.
const (
	ompParallel = iota + 1
	ompOutlined
	ompSharing
	ompBarrier
	ompTaskwait
	ompLock
	ompCritical
	ompCreate
	ompExecute
	ompConstructs
)

// constructs has the event type of each construct, and the state of a thread in it.
var constructs = [ompConstructs]struct{ typ, state uint32 }{
	ompParallel: {extrae.OpenMPParallel, stateForkJoin},
	ompOutlined: {extrae.OpenMPOutlined, stateRunning},
	ompSharing:  {extrae.OpenMPWorksharing, stateRunning},
	ompBarrier:  {extrae.OpenMPBarrier, stateSync},
	ompTaskwait: {extrae.OpenMPTaskwait, stateSync},
	ompLock:     {extrae.OpenMPNamedLock, stateSync},
	ompCritical: {extrae.OpenMPLock, stateSync},
	ompCreate:   {extrae.OpenMPCreate, stateForkJoin},
	ompExecute:  {extrae.OpenMPExecute, stateRunning},
}

// placeBits is the size of a return address; the bits above it in a team's number count regions.
const placeBits = 48

// openConstruct is a construct that a thread has entered.
type openConstruct struct {
	what int64
	id   int64 // of a team or task
}

// teamwork is a thread's situation in the teams of its process.
type teamwork struct {
	open     []openConstruct // innermost last
	idle     bool            // a worker between two regions
	left     int64           // the team whose region's end it waits for; 0: none
	released int64           // when that region ended; -1: not yet
}

// activity returns the state outside of calls.
func (w *teamwork) activity() uint32 {
	switch n := len(w.open); {
	case n > 0:
		return constructs[w.open[n-1].what].state
	case w.idle:
		return stateIdle
	}
	return stateRunning
}

// endsWait reports whether a mark ends a wait, in which OpenMP's threads may spin.
func (r record) endsWait() bool {
	if r.kind() != kindOpenMP {
		return false
	}
	switch r.request() {
	case ompParallel, ompBarrier, ompTaskwait:
		return r.tag() == 0
	case ompLock, ompCritical:
		return r.tag() == extrae.LockTaken
	}
	return r.tag() > 0 && (r.request() == ompOutlined || r.request() == ompExecute)
}

// waitForTeam writes the states of a worker that has left a region, up to a time. It may execute tasks meanwhile.
func (l *lane) waitForTeam(t int64) {
	if l.left == 0 || len(l.open) > 0 {
		return
	}
	until := t
	if l.released >= 0 {
		until = min(t, l.released)
		l.left = 0
	}
	if until > l.pos {
		l.state(l.stream.thread, l.stream.cpu, l.pos, until, stateSync)
		l.pos = until
	}
}

// openMP merges a record of OpenMP.
func (l *lane) openMP(r record) {
	what, value := r.request(), int64(r.tag())
	if what <= 0 || what >= ompConstructs {
		l.strange++
		return
	}
	at := l.reach(l.span(r).begin)
	typ := constructs[what].typ
	l.constructs[typ] = true
	switch {
	case what == ompLock || what == ompCritical:
		l.lock(r, at, what, value)
	case what == ompCreate:
		l.constructs[extrae.OpenMPTaskID] = true
		place := l.regionAt(r.aux())
		l.process.tasks[r.bytes()] = place
		l.construct(r, at, what, place, prv.Pair{Type: extrae.OpenMPTaskID, Value: r.bytes()})
		l.construct(r, at, what, 0)
	case value == 0:
		l.endConstruct(r, at, what)
	default:
		// The runtime may not report the end of a single: neither worksharing nor a barrier can be nested in one.
		if n := len(l.open); n > 0 && l.open[n-1].what == ompSharing && (what == ompSharing || what == ompBarrier) {
			l.endConstruct(r, at, ompSharing)
		}
		l.open = append(l.open, openConstruct{what, r.bytes()})
		switch what {
		case ompParallel:
			l.open[len(l.open)-1].id = r.aux()
			l.mark(r, at, prv.Pair{Type: typ, Value: value})
		case ompOutlined:
			l.idle = false
			l.open[len(l.open)-1].id = r.aux()
			l.construct(r, at, what, l.regionAt(r.aux()))
		case ompExecute:
			l.construct(r, at, what, l.process.tasks[r.bytes()], prv.Pair{Type: extrae.OpenMPTaskID, Value: r.bytes()})
		default:
			l.mark(r, at, prv.Pair{Type: typ, Value: value})
		}
	}
}

// besideLines is the difference between the event types of a function and of its line.
const besideLines = 100

// construct writes an event of a construct that has a place in the source.
func (l *lane) construct(r record, at, what, value int64, more ...prv.Pair) {
	typ := constructs[what].typ
	l.mark(r, at, append([]prv.Pair{{Type: typ, Value: value}, {Type: typ + besideLines, Value: value}}, more...)...)
}

// endConstruct ends the innermost construct of a kind, and those within it. If recording began within it, it is
// ignored.
func (l *lane) endConstruct(r record, at, what int64) {
	i := len(l.open) - 1
	for i >= 0 && l.open[i].what != what {
		i--
	}
	if i < 0 {
		l.idle = l.idle || what == ompOutlined && len(l.open) == 0
		return
	}
	l.closeFrom(r, at, i)
}

// closeFrom ends the i-th open construct, and those within it.
func (l *lane) closeFrom(r record, at int64, i int) {
	for k := len(l.open) - 1; k >= i; k-- {
		c := l.open[k]
		l.open = l.open[:k]
		switch c.what {
		case ompLock, ompCritical:
			l.mark(r, at, prv.Pair{Type: constructs[c.what].typ, Value: extrae.LockFree})
		case ompOutlined, ompExecute:
			l.construct(r, at, c.what, 0)
		default:
			l.mark(r, at, prv.Pair{Type: constructs[c.what].typ})
		}
		switch c.what {
		case ompParallel:
			l.release(c.id, at)
		case ompOutlined:
			l.leaveTeam(c.id)
		case ompExecute:
			delete(l.process.tasks, c.id)
		}
	}
}

// leaveTeam lets a worker wait until the thread that opened the region leaves it.
func (l *lane) leaveTeam(team int64) {
	if n := len(l.open); n > 0 {
		return
	}
	l.idle = true
	if !l.cpuTime {
		l.left, l.released = team, -1
	}
}

// release ends the waits of workers for the end of a region.
func (l *lane) release(team, at int64) {
	for _, other := range l.team {
		if other.left == team && other.released < 0 {
			other.released = at
		}
	}
}

// lock merges an event of a lock.
func (l *lane) lock(r record, at, what, value int64) {
	typ := constructs[what].typ
	step := func(value int64) { l.mark(r, at, prv.Pair{Type: typ, Value: value}) }
	switch value {
	case extrae.LockAsked:
		l.open = append(l.open, openConstruct{what: what})
		step(extrae.LockAsked)
	case extrae.LockTaken:
		if n := len(l.open); n > 0 && l.open[n-1].what == what {
			l.open = l.open[:n-1]
		} else { // omp_test_lock
			step(extrae.LockAsked)
		}
		step(extrae.LockTaken)
	case extrae.LockReleases:
		step(extrae.LockReleases)
		step(extrae.LockFree)
	default:
		l.strange++
	}
}

// regionAt returns the number of the place that opens a region or creates a task, by its return address.
func (l *lane) regionAt(team int64) int64 {
	place := team & (1<<placeBits - 1)
	if value, ok := l.process.parallel[place]; ok {
		return value
	}
	address := uint64(place) - 1
	m := l.process.module(address)
	f, unnamed := l.functions.find(m, address)
	unnamed.lacks()
	value := l.functions.regions.of(codePlace{m.path, address - m.base, f}, l.part)
	l.process.parallel[place] = value
	return value
}

// codePlace is a place in the code of a program or library.
type codePlace struct {
	path   string
	offset uint64
	function
}

// nameRegions names the places that open parallel regions or create tasks by function and line. Several places may have
// the same line.
func nameRegions(places []codePlace) (list []function) {
	named := map[string]int{} // places per name
	for _, place := range places {
		f := place.function
		if f.line > 0 {
			f.name = fmt.Sprintf("%s:%d", f.name, f.line)
		}
		named[f.name]++
		if n := named[f.name]; n > 1 {
			f.name = fmt.Sprintf("%s (%d)", f.name, n)
		}
		list = append(list, f)
	}
	return list
}

// labelOpenMP names the event types of OpenMP that occur.
func (m *merger) labelOpenMP(l *prv.Labels, all *facts) {
	regions := nameRegions(m.functions.regions.list)
	for _, t := range extrae.OpenMPTypes {
		if all.constructs[t.Type] {
			l.AddType(t.Type, t.Label, t.Values...)
		}
	}
	for _, f := range extrae.OpenMPFunctions {
		if all.constructs[f.Type] {
			labelFunctions(l, regions, f.Type, f.Label, f.Type+besideLines, f.Label+" line and file")
		}
	}
}

// NotOpenMP is the start of the note that OpenMP was not recorded.
const NotOpenMP = "OpenMP is not recorded: "

// Reasons why OpenMP was not recorded; see lib/record.c.
const (
	noOMPT = iota + 1
	ompNotAsked
)

// openMPNotes reports the reasons why OpenMP was not recorded.
func (m *merger) openMPNotes(add func(n int64, format string, args ...any)) {
	why, threads := 0, int64(0)
	for _, l := range m.lanes {
		if l.stream.openMP > 0 {
			why, threads = l.stream.openMP, threads+int64(l.stream.unseen)
		}
	}
	count := quantity.CountOf(threads, "thread")
	switch why {
	case noOMPT:
		add(1, NotOpenMP+"the program uses GCC's libgomp, which has no OMPT (%s); linked with -lomp (LLVM's), it is",
			count)
	case ompNotAsked:
		add(1, NotOpenMP+"the OpenMP runtime has no OMPT, or OMP_TOOL disables it (%s)", count)
	}
}
