package repair

// The run as a program for the simulator that waits for the same reasons, and takes the traced time for everything
// else: computation, and the operation of each call. On a network that takes no time it ends when the traced run did.
// With a repair applied it shows what the repair gives, including the waits that then appear elsewhere.
//
// Each thread is a task of the program. A message is sent where its call began, and waited for where the receiver's
// call began. A send that may wait for its receiver waits for an acknowledgement of the posted receive. In an operation
// of all with all one member collects and releases the others.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv/extrae"
	"pview/sim"
	"pview/sim/engine"
)

// point is a place of a thread where it sends or waits for something.
type point struct {
	time int64
	tag  int64
	peer int32
	step pointStep
}

// pointStep is the kind of a point, in the order at one instant.
type pointStep uint8

const (
	sends pointStep = iota
	collects
	releases
	receives
)

// maxPoints bounds the memory of a replay: a point takes 24 bytes, and about 60 in the simulator.
const maxPoints = 8 << 20

// Replay is the run's dependencies.
type Replay struct {
	g        *eventgraph.Graph
	points   [][]point
	modelled [][]eventgraph.Span // by thread: waits that the points bring about
	number   int64               // of tags
	count    int
	ends     []int64 // by thread: its last activity
	Baseline float64
	Quick    float64    // end of the run with quick calls; 0: not yet simulated
	calls    [][]Change // by thread: what quick calls take; nil: not yet built
}

// NewReplay finds the dependencies.
func NewReplay(g *eventgraph.Graph) *Replay {
	n := g.T.NumThreads()
	r := &Replay{g: g, points: make([][]point, n), modelled: make([][]eventgraph.Span, n), ends: make([]int64, n)}
	for i := range r.ends {
		r.ends[i] = eventgraph.LastActive(g, int32(i))
	}
	return r
}

func (r *Replay) add(thread int32, p point) {
	r.points[thread] = append(r.points[thread], p)
	r.count++
}

// edge lets a thread at a time wait for what another one does at its time.
func (r *Replay) edge(from int32, at int64, to int32, until int64) {
	r.number++
	r.add(from, point{at, r.number, to, sends})
	r.add(to, point{until, r.number, from, receives})
}

// build makes the points of all threads, with a repair.
func (r *Replay) build(ctx context.Context, fix *Repair) error {
	for i := range r.points {
		r.points[i], r.modelled[i] = r.points[i][:0], r.modelled[i][:0]
	}
	r.number, r.count = 0, 0
	r.messages(fix)
	whole := make([]bool, len(r.g.Waits.Instances)) // operations that are modelled for all of their members
	for i := range whole {
		r.g.Look()
		if r.count > maxPoints {
			break
		}
		whole[i] = r.operation(&r.g.Waits.Instances[i])
	}
	r.fromWaits(whole, fix)
	r.fromForks()
	for i := range r.points {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		slices.SortStableFunc(r.points[i], func(x, y point) int {
			r.g.Look()
			return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.step, y.step))
		})
	}
	return ctx.Err()
}

// messages adds an edge for each message, and one back for each send that may wait.
func (r *Replay) messages(fix *Repair) {
	c := &r.g.T.Comms
	for m := range int32(c.Len()) {
		r.g.Look()
		msg, ok := r.g.Waits.Message(m)
		if !ok || msg.Complete < 0 || msg.Sent > msg.Done || r.count > maxPoints {
			continue
		}
		at := msg.Begun
		if k := r.g.Waits.Call(c.Recv[m], int(msg.Complete)).Kind.Call; k == extrae.Test || k == extrae.Iprobe ||
			k == extrae.Waitany || k == extrae.Waitsome {
			at = msg.Done // it did not wait for all of its messages
		}
		sent := msg.Sent
		if moved, ok := fix.sent[m]; ok {
			sent = moved
		}
		if moved, ok := fix.received[m]; ok {
			at = moved
		}
		r.edge(c.Send[m], sent, c.Recv[m], at)
		if fix.Eager || msg.Send < 0 || !r.g.Waits.MayWait(m) {
			continue
		}
		call := r.g.Waits.Call(c.Send[m], int(msg.Send))
		if k := call.Kind.Call; (k == extrae.Send || k == extrae.SyncSend || k == extrae.Sendrecv) &&
			msg.Posted < call.Exit {
			r.edge(c.Recv[m], msg.Posted, c.Send[m], call.Enter)
		}
	}
}

// operation adds the edges of a collective operation or barrier, if all members left after the last arrival, or a root
// explains all.
func (r *Replay) operation(x *waits.Instance) bool {
	members := r.g.Waits.Members(x)
	if x.Nonblocking() || len(members) < 2 {
		return false
	}
	switch x.Class {
	case waits.WaitNxN, waits.WaitBarrier, waits.WaitFence, waits.TeamImplicit, waits.TeamExplicit:
		if x.Left < x.Last {
			return false
		}
		hub := members[0]
		for _, m := range members[1:] {
			r.number += 2
			r.add(m.Thread, point{m.Enter, r.number - 1, hub.Thread, sends})
			r.add(hub.Thread, point{hub.Enter, r.number - 1, m.Thread, collects})
			r.add(hub.Thread, point{hub.Enter, r.number, m.Thread, releases})
			r.add(m.Thread, point{m.Enter, r.number, hub.Thread, receives})
		}
		return true
	case waits.LateBroadcast, waits.EarlyReduce:
		root := slices.IndexFunc(members, func(m waits.Member) bool { return m.Root })
		if root < 0 {
			return false
		}
		one := members[root]
		for i, m := range members {
			switch {
			case i == root:
			case x.Class == waits.LateBroadcast && one.Enter <= m.Exit:
				r.edge(one.Thread, one.Enter, m.Thread, m.Enter)
			case x.Class == waits.EarlyReduce && m.Enter <= one.Exit:
				r.edge(m.Thread, m.Enter, one.Thread, one.Enter)
			}
		}
		return true
	}
	return false
}

// fromWaits notes the waits that the points bring about, and adds an edge for each of the others with a cause.
func (r *Replay) fromWaits(whole []bool, fix *Repair) {
	list := r.g.Waits.Waits
	for i := range list {
		r.g.Look()
		w := &list[i]
		if r.count > maxPoints {
			return
		}
		done := false
		switch {
		case w.Cause < 0 || w.Flags&waits.BadClock != 0:
			continue // its time stays
		case w.Kind == waits.ToInstance:
			done = whole[w.Ref]
		case w.Kind == waits.ToMessage:
			done = w.Flags&waits.Inferred == 0 && !r.waitsAtEnd(w)
			if w.Class == waits.LateReceiver && fix.Eager {
				done = true
			}
		}
		if !done {
			r.edge(w.Cause, w.To, w.Thread, w.From)
		}
		r.modelled[w.Thread] = append(r.modelled[w.Thread], eventgraph.Span{From: w.From, To: w.To})
	}
}

// fromForks lets threads of OpenMP begin once the first thread of their task has opened the parallel region in which
// they did.
func (r *Replay) fromForks() {
	for _, task := range r.g.T.Tasks {
		for th := task.FirstThread + 1; th < task.FirstThread+task.Threads; th++ {
			fork := eventgraph.ForkBefore(r.g, task.FirstThread, r.begins(th))
			if own := r.g.Waits.Of(th); fork == 0 || len(own) > 0 && own[0].From < fork {
				continue
			}
			r.edge(task.FirstThread, fork, th, 0)
			r.modelled[th] = slices.Insert(r.modelled[th], 0, eventgraph.Span{To: fork})
		}
	}
}

// begins is the time of the first unit or point of a thread; 0 if it has no unit.
func (r *Replay) begins(thread int32) int64 {
	own := r.g.OfThread(thread)
	if len(own) == 0 {
		return 0
	}
	begin := own[0].Begin
	for _, p := range r.points[thread] {
		r.g.Look()
		begin = min(begin, p.time)
	}
	return begin
}

// waitsAtEnd reports whether the edge of a wait's message is at the end of its call, so that it does not bring the wait
// about.
func (r *Replay) waitsAtEnd(w *waits.Wait) bool {
	if w.Class == waits.LateReceiver {
		return false
	}
	msg, ok := r.g.Waits.Message(w.Ref)
	if !ok || msg.Complete < 0 {
		return true
	}
	k := r.g.Waits.Call(w.Thread, int(msg.Complete)).Kind.Call
	return k == extrae.Waitany || k == extrae.Waitsome || msg.Begun != w.From
}

// program makes the program.
func (r *Replay) program(fix *Repair) (*sim.Program, error) {
	p := &sim.Program{Name: r.g.T.Path}
	p.AddPtask()
	for range r.points {
		p.AddTask(1)
	}
	for i := range r.points {
		out := &p.Threads[i]
		out.Grow(2*len(r.points[i]) + 1)
		out.Messages = make([]sim.Message, 0, len(r.points[i]))
		own := r.newOwn(int32(i), fix)
		for _, pt := range r.points[i] {
			r.g.Look()
			if d := own.until(pt.time); d > 0 {
				out.AddCompute(d)
			}
			kind := sim.Recv
			if pt.step == sends || pt.step == releases {
				kind = sim.Isend
			}
			out.AddMessage(kind, sim.Message{Tag: pt.tag, Peer: pt.peer})
		}
		if d := own.until(r.ends[i]); d > 0 {
			out.AddCompute(d)
		}
	}
	return p, p.LinkContext(r.g.Ctx)
}

// own is the time of a thread outside of modelled waits, along the run.
type own struct {
	r         *Replay
	fix       *Repair
	thread    int32
	at        int64
	waits     []eventgraph.Span
	stretches []Change
	calls     []Change
	cursor    waits.Cursor
}

func (r *Replay) newOwn(thread int32, fix *Repair) *own {
	o := &own{r: r, fix: fix, thread: thread, waits: r.modelled[thread], cursor: r.g.Waits.Cursor(thread)}
	if fix.stretches != nil {
		o.stretches = fix.stretches[thread]
	}
	if fix.Quick {
		o.calls = r.quickCalls()[thread]
	}
	return o
}

// until returns the time from the last call up to a time, in nanoseconds.
func (o *own) until(to int64) (sum float64) {
	for o.at < to {
		o.r.g.Look()
		for len(o.waits) > 0 && o.waits[0].To <= o.at {
			o.waits = o.waits[1:]
		}
		stop, waiting := to, false
		if len(o.waits) > 0 {
			if w := o.waits[0]; w.From <= o.at {
				stop, waiting = min(to, w.To), true
			} else {
				stop = min(to, w.From)
			}
		}
		if !waiting {
			sum += o.scaled(o.at, stop)
		}
		o.at = stop
	}
	return sum * float64(o.r.g.T.Unit.Nanoseconds())
}

// scaled is a stretch with the factors of the repair.
func (o *own) scaled(from, to int64) (sum float64) {
	for from < to {
		o.r.g.Look()
		factor, stop := factorAt(&o.stretches, from, to)
		call, stop := factorAt(&o.calls, from, stop)
		factor *= call
		if o.fix.scale != nil {
			region, until := o.cursor.At(from)
			stop = min(stop, max(until, from+1))
			factor *= o.fix.scale(o.thread, region, from)
		}
		sum += float64(stop-from) * factor
		from = stop
	}
	return sum
}

// factorAt is the factor at a time, and how long it lasts, up to a limit. Stretches that have ended are dropped.
func factorAt(list *[]Change, at, limit int64) (factor float64, until int64) {
	for len(*list) > 0 && (*list)[0].To <= at {
		*list = (*list)[1:]
	}
	if len(*list) == 0 {
		return 1, limit
	}
	if c := &(*list)[0]; c.From <= at {
		return c.Factor, min(limit, c.To)
	}
	return 1, min(limit, (*list)[0].From)
}

// quickCalls are the calls with messages or partners at the speed of the machine: sends, receives and collective
// operations; and the fork and join of OpenMP threads in no time.
func (r *Replay) quickCalls() [][]Change {
	if r.calls != nil {
		return r.calls
	}
	r.calls = make([][]Change, r.g.T.NumThreads())
	for i := range r.calls {
		thread := int32(i)
		own := r.g.Waits.Of(thread)
		for k := range r.g.Waits.Calls(thread) {
			r.g.Look()
			c := r.g.Waits.Call(thread, k)
			for len(own) > 0 && own[0].To <= c.Enter {
				own = own[1:]
			}
			from := c.Enter
			if len(own) > 0 && own[0].From < c.Exit {
				from = own[0].To
			}
			needs := callNeeds(r.g, thread, &c)
			if took := float64(c.Exit - from); needs >= 0 && took > needs {
				r.calls[i] = append(r.calls[i], Change{From: from, To: c.Exit, Factor: needs / took})
			}
		}
		if r.g.T.Tasks[r.g.T.ThreadTask[i]].Threads > 1 {
			r.calls[i] = apart(r.g, append(r.calls[i], forks(r.g, thread)...))
		}
	}
	return r.calls
}

// forks are the stretches of a thread outside of calls in which it neither computes nor waits for another one.
func forks(g *eventgraph.Graph, thread int32) (list []Change) {
	g.EachPart(thread, 0, g.T.Duration, func(from, to int64, part extrae.Part) {
		if part != extrae.PartIdle && part != extrae.PartOverhead || g.WaitAt(thread, from) != nil {
			return
		}
		for from < to {
			g.Look()
			k := g.Waits.CallAfter(thread, from)
			if k == g.Waits.Calls(thread) {
				list = append(list, Change{From: from, To: to})
				return
			}
			c := g.Waits.Call(thread, k)
			if c.Enter > from {
				list = append(list, Change{From: from, To: min(to, c.Enter)})
			}
			from = max(from, c.Exit)
		}
	})
	return list
}

// callNeeds is what a call takes at the speed of the machine; -1 where that is not known.
func callNeeds(g *eventgraph.Graph, thread int32, c *waits.Call) float64 {
	switch {
	case c.Kind.Call == extrae.Init || c.Kind.Call == extrae.Finalize:
		return -1
	case c.Kind.Is(extrae.Group):
		return eventgraph.Rounds(float64(len(g.T.Tasks))) * g.Params.Latency.Value
	case c.Kind.Is(extrae.Completes):
		return g.Params.Receive.Value + g.Params.Transfer(g.SizeInCall(thread, c.Enter))
	case c.Kind.Is(extrae.Sends):
		return g.Params.Send.Value
	}
	return -1
}

// Run simulates the program with a repair and returns its end in the trace's unit.
func (r *Replay) Run(ctx context.Context, fix *Repair) (float64, error) {
	if err := r.build(ctx, fix); err != nil {
		return 0, err
	}
	if r.count > maxPoints {
		return 0, fmt.Errorf("the run has more than %d dependencies", maxPoints)
	}
	p, err := r.program(fix)
	if err != nil {
		return 0, err
	}
	result, err := engine.Run(ctx, p, sim.IdealFor(p), sim.Options{})
	if err != nil {
		return 0, err
	}
	return float64(result.Total) / float64(r.g.T.Unit.Nanoseconds()), nil
}

// Deviation is how far the simulation without a repair is from the traced end, as a share.
func (r *Replay) Deviation() float64 {
	end := int64(0)
	for _, e := range r.ends {
		end = max(end, e)
	}
	return math.Abs(r.Baseline-float64(end)) / float64(max(1, end))
}

// Gain is the time by which the run is shorter with a repair.
func (r *Replay) Gain(ctx context.Context, fix *Repair) (float64, error) {
	end, err := r.Run(ctx, fix)
	before := r.Baseline
	if fix.Quick {
		before = r.Quick
	}
	return max(0, before-end), err
}
