package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/engine"
)

// step is a record of a task: us of computation, or a message without bytes.
type step struct {
	kind    sim.Kind
	us      float64
	peer    int32 // from 1
	tag     int64
	handled sim.Handling
}

// Messages without bytes are there 25 us after their sends begin. Task 2 sends at 100 with tag 7, task 3 at 50 with tag
// 8, so that they are there at 125 and 75. What task 1 does with them: receives from any sender or with any tag, which
// take what comes first, probes, immediate operations and waits for them.
func TestMailbox(t *testing.T) {
	compute := func(us float64) step { return step{kind: sim.Compute, us: us} }
	anyone := sim.Handling{AnySource: true, AnyTag: true}
	anyTag := sim.Handling{AnyTag: true}
	request := func(n int32, h sim.Handling) sim.Handling { h.Request = n; return h }
	receive := step{kind: sim.Recv, handled: anyone}
	from := func(kind sim.Kind, peer int32, tag int64) step { return step{kind: kind, peer: peer, tag: tag} }
	post := func(n, peer int32, tag int64) step {
		return step{kind: sim.Irecv, peer: peer, tag: tag, handled: request(n, sim.Handling{})}
	}
	await := func(n int32) step { return step{kind: sim.WaitRequest, handled: request(n, sim.Handling{})} }
	var b strings.Builder
	for _, c := range []struct {
		what  string
		first []step
		send  sim.Kind
	}{
		{"two receives from anyone", []step{receive, compute(10), receive}, sim.Send},
		{"with any tag from 2, then from anyone", []step{{kind: sim.Recv, peer: 2, handled: anyTag}, compute(10),
			receive}, sim.Send},
		{"a probe, then two receives", []step{{kind: sim.Probe, handled: anyone}, compute(10), receive, receive},
			sim.Send},
		{"late receives", []step{compute(200), receive, receive}, sim.Send},
		{"late receives of announced messages", []step{compute(200), receive, receive}, sim.SendRendezvous},
		{"immediate receives, awaited in turn", []step{post(1, 2, 7), post(2, 3, 8), compute(20), await(1), await(2)},
			sim.Send},
		{"immediate receives from anyone", []step{{kind: sim.Irecv, handled: request(1, anyone)},
			{kind: sim.Irecv, handled: request(2, anyone)}, compute(20), await(1), compute(10), await(2)}, sim.Send},
		{"immediate receives by envelope", []step{from(sim.Irecv, 2, 7), from(sim.Irecv, 3, 8), compute(90),
			from(sim.Wait, 3, 8), from(sim.Wait, 2, 7)}, sim.Send},
		{"a wait for nothing", []step{await(1), from(sim.Recv, 2, 7), from(sim.Recv, 3, 8)}, sim.Send},
		{"sends that wait for a late receiver", []step{compute(300), from(sim.Recv, 2, 7), from(sim.Recv, 3, 8)},
			sim.IsendRendezvous},
		{"a message that nobody sends", []step{receive, receive, receive}, sim.Send},
		{"a message of another tag", []step{from(sim.Recv, 2, 9)}, sim.Send},
		{"a probe for nothing", []step{from(sim.Probe, 3, 9)}, sim.Send},
		{"a message that nobody receives", []step{from(sim.Recv, 2, 7)}, sim.Send},
	} {
		p := &sim.Program{}
		p.AddPtask()
		for range 3 {
			p.AddTask(1)
		}
		add := func(task int, list ...step) {
			for _, s := range list {
				if s.kind == sim.Compute {
					p.Threads[task].AddCompute(1000 * s.us)
					continue
				}
				p.Threads[task].AddHandled(s.kind, sim.Message{Peer: max(0, s.peer-1), Tag: s.tag}, s.handled)
			}
		}
		add(0, c.first...)
		last := sim.Handling{}
		if c.send == sim.IsendRendezvous {
			last.Request = 1
		}
		for task, s := range map[int][2]float64{1: {100, 7}, 2: {50, 8}} {
			add(task, compute(s[0]), step{kind: c.send, peer: 1, tag: int64(s[1]), handled: last}, compute(30))
			if last.Request > 0 {
				add(task, step{kind: sim.WaitRequest, handled: last})
			}
		}
		fmt.Fprintf(&b, "%s:", c.what)
		if err := p.Link(); err != nil {
			fmt.Fprintf(&b, " %v\n", err)
			continue
		}
		r, err := engine.Run(context.Background(), p, network(3), sim.Options{Trace: true})
		if err != nil {
			fmt.Fprintf(&b, " %v\n", err)
			continue
		}
		for i := range r.Tasks {
			fmt.Fprintf(&b, " %.6g", float64(r.Tasks[i].End)/1000)
		}
		times := &r.Trace.Comms
		for m := range times.Len() {
			fmt.Fprintf(&b, ", from %d received %g", times.Send[m]+1, float64(times.Times[prv.LogicalRecv][m])/1000)
		}
		s := &r.Tasks[0]
		fmt.Fprintf(&b, "; waiting %d, there %d, queue %d, unreceived %d %s\n", s.WaitingRecvs, s.ImmediateRecvs,
			s.MaxQueue, r.Unreceived, r.Unmatched)
	}
	prvtest.SameFile(t, "testdata/mailbox.txt", b.String())
}

// Task 1 computes 100 us and sends a megabyte, for 25 us and then 10000 us on its way. Task 2, which has an operation
// of a request and so needs a mailbox, receives it at 20000 us for 25 us. The sender goes on at once, when the message
// has arrived, or when it is received; a message that waits for its receiver leaves at 20025 us.
func TestWhenSendersGoOn(t *testing.T) {
	const buffered, synchronous, acknowledged = sim.SendBuffered, sim.SendSynchronous, sim.SendAcknowledged
	for _, c := range []struct {
		rule          uint8
		kind          sim.Kind
		request       int32
		limit         int64 // EagerLimit
		eager         bool
		end, receiver float64 // us
	}{
		{buffered, sim.Send, 0, -1, false, 125, 20025},
		{buffered, sim.SendRendezvous, 0, -1, false, 20025, 30025},
		{buffered, sim.Send, 0, megabyte, false, 20025, 30025},
		{buffered, sim.Send, 0, megabyte + 1, false, 125, 20025},
		{buffered, sim.SendRendezvous, 0, -1, true, 125, 20025},
		{synchronous, sim.Send, 0, -1, false, 10125, 20025},
		{synchronous, sim.SendRendezvous, 0, -1, false, 30025, 30025},
		{synchronous, sim.Isend, 0, -1, false, 125, 20025},
		{synchronous, sim.Isend, 1, -1, false, 10125, 20025},
		{synchronous, sim.IsendRendezvous, 1, -1, false, 30025, 30025},
		{acknowledged, sim.Send, 0, -1, false, 20025, 20025},
		{acknowledged, sim.Send, 0, -1, true, 125, 20025},
		{acknowledged, sim.Send, 0, megabyte, false, 20025, 20025},
		{acknowledged, sim.Send, 0, megabyte + 1, false, 125, 20025},
	} {
		p := &sim.Program{}
		p.AddPtask()
		p.AddTask(1)
		p.AddTask(1)
		a, b := &p.Threads[0], &p.Threads[1]
		h := sim.Handling{Request: c.request}
		a.AddCompute(100_000)
		a.AddHandled(c.kind, sim.Message{Peer: 1, Size: megabyte}, h)
		if c.request > 0 {
			a.AddHandled(sim.WaitRequest, sim.Message{}, h)
		}
		b.AddCompute(20_000_000)
		b.AddHandled(sim.WaitRequest, sim.Message{}, sim.Handling{Request: 1}) // never begun
		b.AddMessage(sim.Recv, sim.Message{Peer: 0})
		link(t, p)
		m := network(2)
		m.EagerLimit, m.EagerSends = c.limit, c.eager
		r := runBy(t, sim.Rules{sim.BlockingSend: c.rule}, p, m)
		s, to := &r.Tasks[0], &r.Tasks[1]
		if float64(s.End) != 1000*c.end || s.BlockedSend != 1000*(c.end-125) || float64(to.End) != 1000*c.receiver ||
			to.BlockedRecv != 1000*(c.receiver-20025) {
			t.Errorf("%+v: ends at %d and %d ns, blocked for %g and %g", c, s.End, to.End, s.BlockedSend,
				to.BlockedRecv)
		}
		waiting := int64(0)
		if c.receiver > 20025 {
			waiting = 1
		}
		if s.MessagesSent != 1 || s.BytesSent != megabyte || to.BytesRecv != megabyte || to.WaitingRecvs != waiting ||
			to.ImmediateRecvs != 1-waiting {
			t.Errorf("%+v: sender %+v, receiver %+v", c, s, to)
		}
	}
}
