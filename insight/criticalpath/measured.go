package criticalpath

// Measured traces: the path goes from a wait to its cause, as found by insight/waits.

import (
	"context"
	"slices"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/sim/study"
)

// measured walks the path of a measured trace.
type measured struct {
	walk
	graph  *eventgraph.Graph
	waits  *waits.Result
	states *extrae.States
	needs  map[int32][]eventgraph.Need // by thread
	order  *gpu.Order                  // nil: no device work

	// A chain of waits that end at one instant must not go in a circle.
	met    []int64 // by thread: the last instant at which the path left one of its waits
	latest int64   // of the waits left at this instant, the latest start
	now    int64   // this instant
}

// findMeasured finds the path of a measured trace.
func findMeasured(ctx context.Context, t *prv.Trace, opt Options) (p *Path, err error) {
	defer parallel.OnEnd(ctx, &err)
	m := &measured{walk: walk{t: t}, graph: opt.Graph, met: make([]int64, len(t.Threads)),
		needs: map[int32][]eventgraph.Need{}}
	if err := m.findDevices(ctx); err != nil {
		return nil, err
	}
	o := waits.Options{Regions: opt.Blocks, OnlyWaits: true, Progress: opt.Progress}
	if opt.Timing == Measured {
		o.Writer = extrae.Extrae
	}
	m.states = extrae.StatesOf(t.Labels, o.Writer)
	if m.graph == nil {
		if m.graph, err = eventgraph.NewGraph(ctx, t, o, eventgraph.Given{}); err != nil {
			return nil, err
		}
	}
	m.waits = m.graph.Waits
	m.start(func(_ int32, state uint32) (active, works bool) {
		what := m.states.Meaning(state)
		return what != extrae.Idle && what != extrae.Absent, what == extrae.Useful
	})
	if err := m.back(ctx, nil, m.step); err != nil {
		return nil, err
	}
	p = m.path()
	if m.order == nil {
		m.visitRegions(p)
		return p, nil
	}
	blocks := opt.Blocks
	if blocks == nil {
		blocks = slices.Concat(study.DefaultBlocks, deviceBlocks)
	}
	idx, err := readCalls(ctx, t, blocks)
	if err != nil {
		return nil, err
	}
	p.visits = idx.names.visits(p.Segments)
	return p, nil
}

// step leaves the wait that the path is in, or goes back to the one before.
func (m *measured) step() {
	if m.order != nil && m.order.IsStream(m.thread) {
		m.stepStream()
		return
	}
	own := m.waits.Of(m.thread)
	i := sort.Search(len(own), func(i int) bool { return own[i].From >= m.at }) - 1
	if i < 0 {
		m.along(0, nil)
		return
	}
	if w := &own[i]; w.To >= m.at {
		m.leave(w)
	} else {
		m.along(w.To, w)
	}
}

// leave goes from a wait to its cause, at this instant. If that is unknown, or the path has already been in a wait of
// the cause at this instant, it stays; in a circle, until before the last of its waits began.
func (m *measured) leave(w *waits.Wait) {
	if w.Cause < 0 {
		m.stay(w.From, Waiting)
		return
	}
	if m.now != m.at {
		m.now, m.latest = m.at, w.From
	}
	m.latest = max(m.latest, w.From)
	if m.met[m.thread] = m.at; m.met[w.Cause] == m.at {
		m.stay(m.latest, Waiting)
		return
	}
	m.jump(w.Cause)
}

// along goes back with a thread that does not wait, over one activity, at most to a time: the end of the wait before.
func (m *measured) along(floor int64, before *waits.Wait) {
	s := &m.t.Threads[m.thread].States
	k := sort.Search(s.Len(), func(k int) bool { return s.Begin[k] >= m.at }) - 1
	state, known := uint32(0), false
	if k >= 0 {
		if end := s.Until(k, m.t.Duration); end < m.at {
			floor = max(floor, end)
		} else {
			floor, state, known = max(floor, s.Begin[k]), s.Value[k], true
		}
	}
	if m.order != nil && known && m.onDevice(k, floor) {
		return
	}
	kind, begin := m.activity(state, known, before)
	if kind == Other && before == nil && m.unborn(k) {
		if opener, forked := m.waits.Fork(m.thread, m.at); opener >= 0 && m.met[opener] != m.at {
			m.met[m.thread] = m.at
			m.stay(max(forked, 0), Runtime)
			m.jump(opener)
			return
		}
	}
	m.stay(max(begin, floor), kind)
}

// unborn reports whether a thread has done nothing up to one of its states.
func (m *measured) unborn(record int) bool {
	s := &m.t.Threads[m.thread].States
	for k := record; k >= 0; k-- {
		if what := m.states.Meaning(s.Value[k]); what != extrae.Idle && what != extrae.Absent {
			return false
		}
	}
	return m.waits.CallBefore(m.thread, m.at) < 0
}

// activity says what the thread does until now, in a state that may be unknown, and since when at least.
func (m *measured) activity(state uint32, known bool, before *waits.Wait) (Kind, int64) {
	begin := int64(0)
	what := m.states.Meaning(state)
	if k := m.waits.CallBefore(m.thread, m.at); k >= 0 {
		c := m.waits.Call(m.thread, k)
		if begin = c.Exit; c.Exit >= m.at {
			return m.inCall(&c, int32(k), what, known)
		}
	}
	idle := known && (what == extrae.Idle || what == extrae.Absent) ||
		!known && m.t.Threads[m.thread].States.Len() > 0
	switch {
	case idle && before != nil && before.Class == waits.IdleWorker && before.To >= begin: // on its way to the team
		return Runtime, begin
	case idle:
		return Other, begin
	case !known || what == extrae.Useful:
		region, since := m.waits.RegionBefore(m.thread, m.at)
		if region >= 0 && m.waits.Regions[region].Call {
			return Runtime, max(begin, since)
		}
		return Computation, max(begin, since)
	case what == extrae.IO:
		return IO, begin
	case what == extrae.Unknown:
		return Other, begin
	case what == extrae.Overhead || m.t.Tasks[m.t.ThreadTask[m.thread]].Threads > 1:
		return Runtime, begin
	}
	return MPI, begin
}

// inCall returns the kind of the time in a call, and since when it has that kind.
func (m *measured) inCall(c *waits.Call, k int32, what extrae.Meaning, known bool) (Kind, int64) {
	switch {
	case known && what == extrae.Absent:
		return Other, c.Enter
	case known && what == extrae.IO:
		return IO, c.Enter
	case m.waits.Untold(m.thread, c):
		return Waiting, c.Enter
	case c.Kind.Is(extrae.Group):
		return Collective, c.Enter
	}
	needs, found := m.needs[m.thread]
	if !found {
		needs = m.graph.Needs(m.thread)
		m.needs[m.thread] = needs
	}
	switch own, fast := eventgraph.InCall(needs, k, c.Enter); {
	case m.at <= own:
		return MPI, c.Enter
	case m.at <= fast:
		return Transfer, max(c.Enter, own)
	default:
		return SlowTransfer, max(c.Enter, fast)
	}
}

// visitRegions divides the segments by the code regions of their threads. Time in which a thread is absent or not
// traced is in none.
func (m *measured) visitRegions(p *Path) {
	for i := range m.waits.Regions {
		p.regions = append(p.regions, m.waits.Regions[i].Name)
	}
	p.regions = append(p.regions, OutsideName)
	p.between = m.waits.Level == waits.ByLine || m.waits.Level == waits.ByCall
	cursors := make([]waits.Cursor, len(m.t.Threads))
	for i := range cursors {
		cursors[i] = m.waits.Cursor(int32(i))
	}
	for i := range p.Segments {
		g := &p.Segments[i]
		for at := g.Begin; at < g.End; {
			region, until := cursors[g.Thread].At(at)
			if g.Kind == Other || g.Kind == Runtime { // the thread may be created only after the fork
				absent, change := m.absent(g.Thread, at)
				if until = min(until, change); absent {
					region = -1
				}
			}
			if region < 0 {
				region = int32(len(p.regions) - 1)
			}
			if until = min(until, g.End); g.Kind.OnNetwork() {
				until = g.End
			}
			p.visits = append(p.visits, visit{int32(i), blockKey{value: int64(region)}, at, until})
			at = until
		}
	}
}

// absent reports whether a thread is absent or not traced at a time, by its state, and until when that holds.
func (m *measured) absent(thread int32, at int64) (bool, int64) {
	s := &m.t.Threads[thread].States
	k := sort.Search(s.Len(), func(k int) bool { return s.Begin[k] > at })
	next := m.t.Duration
	if k < s.Len() {
		next = min(next, s.Begin[k])
	}
	if k == 0 {
		return false, next
	}
	if end := s.Until(k-1, m.t.Duration); end > at {
		return m.states.Meaning(s.Value[k-1]) == extrae.Absent, min(next, end)
	}
	return false, next
}

// TimesIn returns the time of a kind on the path by code region; -1: outside of all.
func (p *Path) TimesIn(w *waits.Result, kind Kind) map[int32]int64 {
	times := map[int32]int64{}
	cursors := make([]waits.Cursor, len(p.t.Threads))
	for i := range cursors {
		cursors[i] = w.Cursor(int32(i))
	}
	for i := range p.Segments {
		g := &p.Segments[i]
		for at := g.Begin; g.Kind == kind && at < g.End; {
			region, until := cursors[g.Thread].At(at)
			until = min(until, g.End)
			times[max(region, -1)] += until - at
			at = until
		}
	}
	return times
}

// ByThread returns the parts of the path on each thread.
func (p *Path) ByThread() [][]eventgraph.Span {
	list := make([][]eventgraph.Span, len(p.t.Threads))
	for _, s := range p.Stretches() {
		list[s.Thread] = append(list[s.Thread], eventgraph.Span{From: s.From, To: s.To})
	}
	return list
}

// Stretches returns the parts of the path on one thread, without gaps on other threads; a message in flight is in the
// call of its receiver.
func (p *Path) Stretches() (list []waits.Stretch) {
	for i := range p.Segments {
		g := &p.Segments[i]
		if n := len(list) - 1; n >= 0 && list[n].Thread == g.Thread {
			list[n].To = g.End
			continue
		}
		list = append(list, waits.Stretch{From: g.Begin, To: g.End, Thread: g.Thread})
	}
	return list
}
