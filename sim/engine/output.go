package engine

// The predicted trace.

import (
	"context"
	"fmt"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
	"pview/sim/engine/network"
)

// recorder writes the predicted trace while the simulation runs.
type recorder struct {
	e        *engine
	h        prv.Header
	columns  *predictedTrace // nil: a tape is written
	b        *prv.Builder    // with tape
	tape     *tape
	from, to int64
	number   [sim.NumStates]uint32 // number of each state in the trace
}

func newRecorder(e *engine) *recorder {
	r := &recorder{e: e, from: e.opt.From, to: e.opt.To}
	if r.to <= 0 {
		r.to = 1<<63 - 1
	}
	for _, s := range sim.States {
		r.number[s.Value] = uint32(s.Value)
		if e.rules[sim.StateNumbers] == sim.StatesThesis {
			r.number[s.Value] = uint32(s.Thesis)
		}
	}
	r.h = r.header()
	if !r.wantsTape() {
		r.columns = newPredicted(e.p)
		return r
	}
	r.b = prv.NewBuilder(r.h)
	r.b.Limit(e.opt.Memory)
	r.tape = newTape(r.b)
	return r
}

// header returns the nodes in use, renumbered, and the program's tasks.
func (r *recorder) header() prv.Header {
	e := r.e
	h := prv.Header{Unit: prv.Nanoseconds}
	number := make([]int, len(e.cpus.nodes))
	for i := range e.tasks {
		number[e.tasks[i].node] = 1
	}
	for i := range e.cpus.nodes {
		if number[i] == 0 {
			continue
		}
		number[i] = len(h.Nodes)
		h.AddNode(len(e.cpus.nodes[i].on))
		e.cpus.nodes[i].firstCPU = h.Nodes[number[i]].FirstCPU
	}
	for i, pt := range e.p.Ptasks {
		h.AddPtask()
		for t := pt.FirstTask; t < pt.FirstTask+pt.Tasks; t++ {
			h.AddTask(int(e.p.Tasks[t].Threads), number[e.tasks[t].node])
		}
		for _, c := range e.p.Communicators {
			if int(c.Ptask) == i {
				h.Communicators = append(h.Communicators, prv.Communicator{Text: communicatorLine(&c, pt.FirstTask)})
			}
		}
	}
	return h
}

func communicatorLine(c *sim.Communicator, firstTask int32) string {
	var b strings.Builder
	fmt.Fprintf(&b, "c:%d:%d:%d", c.Ptask+1, c.ID, len(c.Tasks))
	for _, t := range c.Tasks {
		fmt.Fprintf(&b, ":%d", t-firstTask+1)
	}
	return b.String()
}

// cpu returns the CPU of a thread in a state; 0 if it has none.
func (r *recorder) cpu(t *thread, state uint8) int32 {
	switch state {
	case sim.StateRunning,
		sim.StateIdle,
		sim.StateStartup,
		sim.StateSwitch,
		sim.StateBusyWait,
		sim.StateIO,
		sim.StateOthers,
		sim.StateFork:
		return r.e.cpus.nodes[t.node].firstCPU + max(t.cpu, 0)
	}
	return 0
}

// state writes t's current state, until at.
func (r *recorder) state(i int32, t *thread, at int64) { r.stretch(i, t, t.state, t.since, at) }

// stretch writes a state of a thread.
func (r *recorder) stretch(i int32, t *thread, state uint8, begin, end int64) {
	if r.columns != nil {
		if begin < end {
			r.columns.threads[i].state(r.cpu(t, state), begin, end, r.number[state])
		}
		return
	}
	begin, end = max(begin, r.from), min(end, r.to)
	if begin < end {
		s := r.tape.now
		s.states = append(s.states, stateRecord{i, r.cpu(t, state), begin - r.from, end - r.from, r.number[state]})
		r.tape.noted(recordState)
	}
}

// eventOf adds the event at the thread's record to its line.
func (r *recorder) eventOf(i int32, t *thread) {
	if t.kind[t.pc].NotRecorded() {
		return
	}
	if r.columns != nil {
		r.pass(i, t, 1)
		return
	}
	typ, value := t.src.Event(int(t.pc))
	s := r.tape.now
	s.pairs = append(s.pairs, prv.Pair{Type: typ, Value: value})
	r.tape.line++
}

// pass notes the next n events of a thread, with columns.
func (r *recorder) pass(i int32, t *thread, n int) {
	r.columns.threads[i].pass(r.e.cpus.cpuOf(t), r.e.nowNS, n)
}

// endLine writes the line of events.
func (r *recorder) endLine(i int32, t *thread) {
	if r.columns != nil {
		return
	}
	s, n := r.tape.now, r.tape.line
	if n == 0 {
		return
	}
	r.tape.line = 0
	at := r.e.nowNS
	if at < r.from || at > r.to {
		s.pairs = s.pairs[:len(s.pairs)-n]
		return
	}
	s.lines = append(s.lines, lineRecord{i, r.e.cpus.nodes[t.node].firstCPU + max(t.cpu, 0), at - r.from, int32(n)})
	r.tape.noted(recordLine)
}

// comm writes a received message.
func (r *recorder) comm(tr *network.Transfer, receiver, cpu int32, logicalRecv float64) {
	times := [4]int64{
		prv.LogicalSend:  wholeNS(tr.LogicalSend),
		prv.PhysicalSend: wholeNS(tr.PhysicalSend),
		prv.LogicalRecv:  wholeNS(logicalRecv),
		prv.PhysicalRecv: wholeNS(tr.Arrived),
	}
	for i := range times {
		if prv.Role(i) == prv.PhysicalRecv {
			times[i] = min(times[i], r.to) // a message in flight at the end is kept
		}
		if times[i] < r.from || times[i] > r.to {
			return
		}
		times[i] -= r.from
	}
	c := prv.Comm{Send: tr.Sender, Recv: receiver, SendCPU: tr.Cpu, RecvCPU: cpu, Times: times, Size: tr.Size,
		Tag: tr.Tag}
	if r.columns != nil {
		r.columns.comm(&c)
		return
	}
	s := r.tape.now
	s.comms = append(s.comms, c)
	r.tape.noted(recordComm)
}

// close ends the packing of the tape.
func (r *recorder) close() {
	if r.tape != nil {
		r.tape.close()
	}
}

// records returns a trace of all records.
func (r *recorder) records(ctx context.Context) (*prv.Trace, error) {
	if r.columns != nil {
		return prv.Assemble(ctx, r.h, r.columns.threadColumns(), r.columns.comms)
	}
	r.close()
	return r.b.Build()
}

func (r *recorder) trace(ctx context.Context, total int64) (*prv.Trace, error) {
	t, err := r.records(ctx)
	if err != nil {
		return nil, err
	}
	end := min(total, r.to) - r.from
	t.HeaderEnd = max(end, 0)
	t.Duration = max(t.Duration, t.HeaderEnd)
	for _, s := range sim.States {
		if s.Value == sim.StateCollectiveWork && r.e.rules[sim.StateNumbers] == sim.StatesParaver {
			continue
		}
		t.Labels.AddState(int64(r.number[s.Value]), s.Name)
	}
	t.Labels.AddType(extrae.Predicted, extrae.PredictedLabel)
	return t, nil
}
