package engine

// Processor sharing: round robin with an infinitesimal quantum and free switches. While r threads compute on a node
// with c CPUs each progresses at min(1, c/r) of its speed.
//
// A node has a virtual time that runs at this rate; a thread with work w that starts at virtual time v is done at v+w,
// whichever threads come and go meanwhile. So only the node's next end needs a timer, and nothing is updated per
// thread.

import (
	"slices"

	"pview/sim"
	"pview/sim/engine/clock"
)

// sharing is the policy.
type sharing struct {
	fifo
	e     *engine
	nodes []sharedNode
	ended []int32 // buffer of due
}

// sharedNode is a node whose CPUs are shared.
type sharedNode struct {
	virtual float64 // time, ns
	last    float64 // time of the last update
	running []sharer
	timer   uint64 // the next end
}

// sharer is a thread that computes.
type sharer struct {
	thread int32
	end    float64 // virtual time
}

func newSharing(e *engine, _ *sim.Scheduler) cpuPolicy {
	return &sharing{e: e, nodes: make([]sharedNode, len(e.cpus.nodes))}
}

// rate returns the speed of virtual time.
func (s *sharing) rate(node int32) float64 {
	n := &s.nodes[node]
	return min(1, float64(len(s.e.cpus.nodes[node].on))/float64(max(len(n.running), 1)))
}

// advance brings the virtual time of a node up to now.
func (s *sharing) advance(node int32) {
	n := &s.nodes[node]
	n.virtual += (s.e.Now - n.last) * s.rate(node)
	n.last = s.e.Now
}

// start gives a thread its share.
func (s *sharing) start(i int32, t *thread) {
	e := s.e
	if t.asleep {
		t.asleep = false
	}
	t.cpu = max(t.cpu, 0)
	state := sim.StateRunning
	task := &e.tasks[t.task]
	switch {
	case t.phase == starting:
		state = sim.StateStartup
		task.startups += t.left
	case t.idle:
		state = sim.StateIdle
		task.computation += t.left
	case t.construct != nil && t.construct.hides:
		state = sim.StateNone
		task.computation += t.left
	default:
		task.computation += t.left
	}
	e.setState(i, t, state)
	if t.left == 0 {
		e.Schedule(e.Now, clock.NothingShared, i)
		return
	}
	s.advance(t.node)
	n := &s.nodes[t.node]
	n.running = append(n.running, sharer{i, n.virtual + t.left})
	s.setTimer(t.node)
}

// setTimer schedules the next end on a node.
func (s *sharing) setTimer(node int32) {
	n := &s.nodes[node]
	n.timer = 0
	if len(n.running) > 0 {
		n.timer = s.e.Schedule(s.e.Now+max(0, n.first()-n.virtual)/s.rate(node), clock.WorkShared, node)
	}
}

// first returns the virtual time of the next end.
func (n *sharedNode) first() float64 {
	end := n.running[0].end
	for _, r := range n.running[1:] {
		end = min(end, r.end)
	}
	return end
}

// due ends the work of the threads that are due, in thread order.
func (s *sharing) due(node int32, seq uint64) {
	n := &s.nodes[node]
	if n.timer != seq {
		return
	}
	end := n.first()
	n.virtual, n.last = end, s.e.Now
	s.ended = s.ended[:0]
	n.running = slices.DeleteFunc(n.running, func(r sharer) bool {
		if r.end <= end {
			s.ended = append(s.ended, r.thread)
		}
		return r.end <= end
	})
	s.setTimer(node)
	slices.Sort(s.ended)
	for _, i := range s.ended {
		s.done(i)
	}
}

// done lets a thread continue after its work.
func (s *sharing) done(i int32) {
	e := s.e
	t := &e.threads[i]
	t.left, t.runnable = 0, false
	if t.phase == starting {
		t.started, t.phase = true, computing
		e.records.operate(i, t)
		return
	}
	if !t.synthetic {
		t.pc++
	}
	e.records.chain(i, t)
}
