package workload

// Where the time of a thread goes: the classes of its states, or of the system events of a trace with system events.

import (
	"context"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
	"pview/prv/parallel"
)

// use is a set of uses of time.
type use uint16

const (
	computing use = 1 << iota
	receiving
	sending
	communicating // in any way
	doingIO
	settingUp
	synchronising
	allocating
	inSystem // anything but computation
)

// uses are the times of a thread by use.
type uses map[use]float64

// numbered are the uses of Extrae's states. State 8, a wait, is a receive if one completes at its end, else a send.
var numbered = map[uint32]use{3: receiving | communicating, 11: receiving | communicating, 4: sending | communicating,
	10: sending | communicating, 6: communicating,
	13: communicating, 16: communicating, 5: synchronising, 12: doingIO, 15: settingUp, 7: allocating}

const waitState = 8

// meant are the uses of states of other writers, by meaning.
var meant = map[extrae.Meaning]use{extrae.Waiting: receiving | communicating, extrae.Communicating: communicating,
	extrae.IO: doingIO, extrae.Overhead: allocating}

// classed are the uses of the classes of system events.
var classed = map[system.Class]use{system.Setup: settingUp, system.Transmit: sending | communicating,
	system.Receive: receiving | communicating, system.Collective: communicating,
	system.InputOutput: doingIO, system.Synchronise: synchronising, system.Allocate: allocating}

// account finds how the threads of a trace use their time.
type account struct {
	t      *prv.Trace
	states *extrae.States
	system bool // it has system events
	// from and to delimit the part of the run that counts.
	from, to int64
}

func newAccount(t *prv.Trace, opt Options) *account {
	a := &account{t: t, states: extrae.StatesOf(t.Labels, extrae.Auto), system: system.In(t)}
	a.from, a.to = opt.window(t)
	return a
}

// span returns the time from the first to the last state in which a thread exists, within the part of the run that
// counts.
func (a *account) span(thread int32) (from, to int64, ok bool) {
	s := &a.t.Threads[thread].States
	absent := func(i int) bool { return a.states.Meaning(s.Value[i]) == extrae.Absent && !a.system }
	first, last := 0, s.Len()-1
	for first <= last && absent(first) {
		first++
	}
	for last >= first && absent(last) {
		last--
	}
	if first > last {
		return 0, 0, false
	}
	from, to = max(s.Begin[first], a.from), min(s.Until(last, a.t.Duration), a.to)
	return from, to, from <= to
}

// each calls f for the stretches of a thread within its span, in order.
func (a *account) each(thread int32, f func(begin, end int64, u use)) {
	from, to, ok := a.span(thread)
	if !ok {
		return
	}
	if a.system {
		a.eachSystemEvent(thread, from, to, f)
		return
	}
	s := &a.t.Threads[thread].States
	for i, v := range s.Value {
		begin, end := max(s.Begin[i], from), min(s.Until(i, a.t.Duration), to)
		if end > begin {
			f(begin, end, a.useOf(thread, v, begin, end))
		}
	}
}

// useOf returns the use of a state.
func (a *account) useOf(thread int32, state uint32, begin, end int64) use {
	m := a.states.Meaning(state)
	switch {
	case m == extrae.Useful:
		return computing
	case a.states.Writer != extrae.Extrae:
		return meant[m] | inSystem
	case state == waitState:
		if a.receives(thread, begin, end) {
			return receiving | communicating | inSystem
		}
		return sending | communicating | inSystem
	}
	return numbered[state] | inSystem
}

// receives reports whether a message arrives at a thread in (begin,end].
func (a *account) receives(thread int32, begin, end int64) bool {
	rows, times := a.t.Threads[thread].Comm[prv.PhysicalRecv], a.t.Comms.Times[prv.PhysicalRecv]
	i := sort.Search(len(rows), func(i int) bool { return times[rows[i]] > begin })
	return i < len(rows) && times[rows[i]] <= end
}

// eachSystemEvent calls f for the outermost system events of a trace with system events and for the computation in
// between.
func (a *account) eachSystemEvent(thread int32, from, to int64, f func(begin, end int64, u use)) {
	e := &a.t.Threads[thread].Events
	depth, since, now := 0, from, computing
	turn := func(at int64, next use) {
		if at = min(max(at, since), to); at > since {
			f(since, at, now)
			since = at
		}
		now = next
	}
	for i, typ := range e.Type {
		if typ != system.Type {
			continue
		}
		if e.Value.At(i) != 0 {
			if depth++; depth == 1 {
				turn(e.Time[i], classed[system.ClassOf(-int(e.Value.At(i)))]|inSystem)
			}
		} else if depth > 0 {
			if depth--; depth == 0 {
				turn(e.Time[i], computing)
			}
		}
	}
	turn(to, computing)
}

// uses sums the stretches of a thread, in ns.
func (a *account) uses(thread int32) uses {
	out, unit := uses{}, float64(a.t.Unit.Nanoseconds())
	a.each(thread, func(begin, end int64, u use) {
		for bit := computing; bit <= inSystem; bit <<= 1 {
			if u&bit != 0 {
				out[bit] += float64(end-begin) * unit
			}
		}
	})
	return out
}

// Profile is the number of processors in a class at each time: N[i] from Times[i] to Times[i+1], the last one to End.
type Profile struct {
	Class string
	Times []int64
	N     []int
	End   int64
}

// profileClasses are the classes of profiles.
var profileClasses = []struct {
	Name, Doc string
	use       use
}{
	{"execution", "between first and last record", 0}, {"computation", "in no call", computing},
	{"communication", "in a call of communication", communicating},
	{"receive", "receiving", receiving}, {"transmit", "sending", sending}, {"io", "in I/O", doingIO},
}

// Profiles counts the processors in each class over time.
func Profiles(ctx context.Context, t *prv.Trace, opt Options) ([]Profile, error) {
	a := newAccount(t, opt)
	steps := make([][][]step, len(t.Threads))
	err := parallel.Each(ctx, len(t.Threads), opt.Workers, func(_, i int) error {
		if !opt.has(int32(i)) {
			return nil
		}
		own := make([][]step, len(profileClasses))
		a.each(int32(i), func(begin, end int64, u use) {
			for k := range profileClasses {
				if c := profileClasses[k].use; c == 0 || u&c != 0 {
					own[k] = append(own[k], step{begin, 1}, step{end, -1})
				}
			}
		})
		steps[i] = own
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	var list []Profile
	for k := range profileClasses {
		var all []step
		for _, own := range steps {
			if own != nil {
				all = append(all, own[k]...)
			}
		}
		p := profileOf(all, t.Duration)
		p.Class = profileClasses[k].Name
		list = append(list, p)
	}
	return list, nil
}

// step is a change of the number of processors.
type step struct {
	time  int64
	delta int
}

func profileOf(steps []step, end int64) Profile {
	sort.Slice(steps, func(i, k int) bool { return steps[i].time < steps[k].time })
	p := Profile{Times: []int64{0}, N: []int{0}, End: end}
	n := 0
	for i := 0; i < len(steps); {
		at := steps[i].time
		for ; i < len(steps) && steps[i].time == at; i++ {
			n += steps[i].delta
		}
		last := len(p.N) - 1
		switch {
		case p.N[last] == n:
		case p.Times[last] == at:
			p.N[last] = n
		case at < end:
			p.Times, p.N = append(p.Times, at), append(p.N, n)
		}
	}
	return p
}

// Shape returns the share of the time with exactly n processors, by n.
func (p *Profile) Shape() []float64 {
	var f []float64
	for i, n := range p.N {
		until := p.End
		if i+1 < len(p.Times) {
			until = p.Times[i+1]
		}
		for len(f) <= n {
			f = append(f, 0)
		}
		if p.End > 0 {
			f[n] += float64(until-p.Times[i]) / float64(p.End)
		}
	}
	return f
}

// Average returns the average parallelism, and its variance over time.
func (p *Profile) Average() (mean, variance float64) {
	shape := p.Shape()
	for n, f := range shape {
		mean += float64(n) * f
	}
	for n, f := range shape {
		variance += (float64(n) - mean) * (float64(n) - mean) * f
	}
	return mean, variance
}
