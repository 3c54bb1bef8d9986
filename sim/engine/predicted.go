package engine

// The columns of a predicted trace, written while the simulation runs.
//
// A predicted run has all events of the program, in its order: only their times are new. So types, values and lines are
// columns of the program, shared by all of its predictions, and a simulation writes a time for each event. If that does
// not hold (a window of time, a closed workload), or if memory is bounded, the recorder writes a tape.

import (
	"math"
	"slices"

	"pview/prv"
	"pview/sim"
)

// predictedThread is the record of a thread.
type predictedThread struct {
	events *sim.EventColumns
	states prv.States // with the CPU of each
	times  []int64    // of all events
	n      int        // events so far
	cpu    int32      // of the first record
	begun  bool       // there is a record
	cpus   []int32    // of the events; nil while all are on cpu
	lines  prv.Bits   // its own, if the thread has waited within a line; else nil
}

// predictedTrace has the records of all threads.
type predictedTrace struct {
	threads []predictedThread
	comms   prv.Comms
}

func newPredicted(p *sim.Program) *predictedTrace {
	all := p.EventColumns()
	l := &predictedTrace{threads: make([]predictedThread, len(all))}
	sends := 0
	for i := range all {
		c := &all[i]
		l.threads[i].events, l.threads[i].times = c, make([]int64, len(c.Type))
		l.threads[i].states.Begin = make([]int64, 0, c.Actions)
		l.threads[i].states.End = make([]int64, 0, c.Actions)
		l.threads[i].states.Value = make([]uint32, 0, c.Actions)
		l.threads[i].states.CPU = make([]int32, 0, c.Actions)
		sends += c.Sends
	}
	m := &l.comms
	for _, col := range []*[]int32{&m.Send, &m.Recv, &m.SendCPU, &m.RecvCPU} {
		*col = make([]int32, 0, sends)
	}
	for _, col := range []*[]int64{&m.Times[0], &m.Times[1], &m.Times[2], &m.Times[3], &m.Size, &m.Tag} {
		*col = make([]int64, 0, sends)
	}
	return l
}

// onCPU notes the CPU of a record.
func (l *predictedThread) onCPU(cpu int32) {
	if !l.begun {
		l.begun, l.cpu = true, cpu
	}
}

func (l *predictedThread) state(cpu int32, begin, end int64, value uint32) {
	l.onCPU(cpu)
	s := &l.states
	s.Begin, s.End = append(s.Begin, begin), append(s.End, end)
	s.Value, s.CPU = append(s.Value, value), append(s.CPU, cpu)
}

// pass notes the time of the next n events.
func (l *predictedThread) pass(cpu int32, at int64, n int) {
	if n == 0 {
		return
	}
	l.onCPU(cpu)
	times := l.times[l.n:][:n]
	for i := range times {
		times[i] = at
	}
	if cpu != l.cpu && l.cpus == nil {
		l.cpus = make([]int32, len(l.times))
		for i := range l.cpus[:l.n] {
			l.cpus[i] = l.cpu
		}
	}
	if l.cpus != nil {
		for i := range l.cpus[l.n:][:n] {
			l.cpus[l.n+i] = cpu
		}
	}
	l.n += n
}

// beginLine is called if the next event has its own time.
func (l *predictedThread) beginLine() {
	if l.n == len(l.times) { // no next event
		return
	}
	if l.lines == nil {
		l.lines = slices.Clone(l.events.Lines)
	}
	l.lines.Set(l.n)
}

func (l *predictedTrace) comm(c *prv.Comm) {
	l.threads[c.Send].onCPU(c.SendCPU)
	l.threads[c.Recv].onCPU(c.RecvCPU)
	m := &l.comms
	m.Send, m.Recv = append(m.Send, c.Send), append(m.Recv, c.Recv)
	m.SendCPU, m.RecvCPU = append(m.SendCPU, c.SendCPU), append(m.RecvCPU, c.RecvCPU)
	for r, at := range c.Times {
		m.Times[r] = append(m.Times[r], at)
	}
	m.Size, m.Tag = append(m.Size, c.Size), append(m.Tag, c.Tag)
}

// threadColumns returns the columns of all threads.
func (l *predictedTrace) threadColumns() []prv.Thread {
	list := make([]prv.Thread, len(l.threads))
	for i := range list {
		from, th := &l.threads[i], &list[i]
		n := from.n
		lines := from.events.Lines
		if from.lines != nil {
			lines = from.lines
		}
		th.CPU, th.States = from.cpu, from.states
		th.Events = prv.Events{Time: from.times[:n], Type: from.events.Type[:n:n],
			Value: from.events.Value.First(n), Lines: lines[:(n+63)/64]}
		if from.cpus != nil {
			th.Events.CPU = from.cpus[:n]
		}
	}
	return list
}

// wantsTape reports whether the trace must go to a tape.
func (r *recorder) wantsTape() bool {
	o := r.e.opt
	return r.from > 0 || r.to < math.MaxInt64 || o.Repeat.What != sim.RepeatNothing || o.Memory > 0 &&
		r.e.p.PredictedBytes() > o.Memory/2
}
