package engine

import (
	"context"
	"fmt"

	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/engine/clock"
)

// sumUp completes the statistics of tasks, and adds them up.
func (e *engine) sumUp() *sim.Result {
	r := &sim.Result{Tasks: e.stats, Events: int64(e.Seq - clock.Ordinary + e.First), Hops: e.transfers.Hops,
		ByteHops: e.transfers.ByteHops,
		BusQueue: e.transfers.MostBusQueue}
	r.Links = e.net.Loads()
	for i := range r.Tasks {
		s, t := &r.Tasks[i], &e.tasks[i]
		s.Computation, s.Startups, s.BlockedRecv = t.computation, t.startups, t.blockedRecv
		s.BlockedSend = t.blockedSend
		s.BlockedColl, s.InColl, s.WaitLinks, s.WaitBuses = t.blockedColl, t.inColl, e.transfers.Waits[i].Links,
			e.transfers.Waits[i].Buses
		r.Total = max(r.Total, s.End)
		r.Computation += s.Computation
		r.Messages += s.MessagesSent
		r.Bytes += s.BytesSent
	}
	r.Speedup = sim.Share(r.Computation, float64(r.Total))
	return r
}

func (e *engine) result(ctx context.Context) (*sim.Result, error) {
	r := e.sumUp()
	if e.repeat == nil {
		e.countUnreceived(r)
	} else {
		for i := range e.repeat.apps {
			r.Runs = append(r.Runs, e.repeat.apps[i].ends)
		}
	}
	if e.out != nil {
		t, err := e.out.trace(ctx, r.Total)
		if err != nil {
			return nil, err
		}
		r.Trace = t
	}
	return r, nil
}

// countUnreceived counts the messages left in the channels.
func (e *engine) countUnreceived(r *sim.Result) {
	left := func(n int32) {
		t := &e.transfers.List[n]
		if r.Unreceived++; r.Unreceived == 1 {
			r.Unmatched = fmt.Sprintf("of %s with tag %d from task %s to task %s",
				quantity.CountOf(t.Size, "byte"), t.Tag,
				e.p.TaskName(t.From), e.p.TaskName(t.To))
		}
	}
	if e.mail != nil {
		for _, n := range e.mail.unreceived() {
			left(n)
		}
	}
	for i := range e.streams.channels {
		ch := &e.streams.channels[i]
		for _, list := range []*int32{&ch.arrived, &ch.senders} {
			for *list != 0 {
				left(e.transfers.Pop(list))
			}
		}
	}
}

// setState ends the state of a thread and begins another.
func (e *engine) setState(i int32, t *thread, state uint8) { e.setStateAt(i, t, state, e.nowNS) }

func (e *engine) setStateAt(i int32, t *thread, state uint8, at int64) {
	if at > t.since {
		if t.state != sim.StateNone {
			e.stats[t.task].States[t.state] += at - t.since
			if e.out != nil {
				e.out.state(i, t, at)
			}
		}
		t.since = at
	}
	t.state = state
}
