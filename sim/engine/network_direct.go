package engine

// The network of PUPPET: a message takes the time of its way, as if it were alone. Senders pay nothing on their CPUs.

import (
	"fmt"

	"pview/sim"
	"pview/sim/topology"
)

// fabric is an interconnect with its topology and the processor of each task.
type fabric struct {
	sim.Interconnect
	topology.Topology
	at []int32 // vertex by task
}

// newFabric places the tasks of a program.
func newFabric(c *sim.Interconnect, node []int32, nodes int) (*fabric, error) {
	t, at, err := c.Placed(node, nodes)
	if err != nil {
		return nil, err
	}
	f := &fabric{*c, t, at}
	return f, f.connected()
}

// connected reports two tasks between which there is no way: on a graph every one of them must reach the first, and be
// reached by it.
func (f *fabric) connected() error {
	if f.Graph == nil {
		return nil
	}
	for i, v := range f.at {
		for _, way := range [2][2]int32{{f.at[0], v}, {v, f.at[0]}} {
			if f.Topology.Distance(int(way[0]), int(way[1])) < 0 {
				return fmt.Errorf("%s: there is no way from processor %d to processor %d, where task %d runs",
					f.Topology, way[0], way[1], i+1)
			}
		}
	}
	return nil
}

func (f *fabric) distance(from, to int32) int {
	return f.Topology.Distance(int(f.at[from]), int(f.at[to]))
}

// fabrics are the networks of a direct machine: that of messages, and those of collective operations.
type fabrics struct {
	host
	of [1 + 16]*fabric // by Handling.Routine
}

func newFabrics(h host) (fabrics, error) {
	n := fabrics{host: h}
	main, err := newFabric(&h.m.Direct, h.node, len(h.m.Nodes))
	if err != nil {
		return n, err
	}
	for i := range n.of {
		n.of[i] = main
	}
	for i := range h.m.Routines {
		r := &h.m.Routines[i]
		own, err := newFabric(&r.Interconnect, h.node, len(h.m.Nodes))
		if err == nil {
			err = main.sameNeighbours(own)
		}
		if err != nil {
			return n, fmt.Errorf("network of %s: %w", sim.Collectives[r.Op], err)
		}
		n.of[1+r.Op] = own
	}
	return n, nil
}

// sameNeighbours reports two tasks that share a processor of one network but not of the other.
func (f *fabric) sameNeighbours(o *fabric) error {
	for _, way := range [2][2]*fabric{{f, o}, {o, f}} {
		first := map[int32]int{}
		for i, at := range way[0].at {
			k, ok := first[at]
			if !ok {
				first[at] = i
			} else if way[1].at[k] != way[1].at[i] {
				return fmt.Errorf("tasks %d and %d share a processor of one network, but not of the other", k+1, i+1)
			}
		}
	}
	return nil
}

func (n *fabrics) startup(_, _ int32, _ *sim.Message) float64 { return 0 }

func (n *fabrics) occupy(int32) bool { return true }
func (n *fabrics) vacate(int32)      {}

func (n *fabrics) hop(int32)             {}
func (n *fabrics) loads() []sim.LinkLoad { return nil }

// direct is the network without contention.
type direct struct{ fabrics }

func newDirect(h host) (network, error) {
	n, err := newFabrics(h)
	return &direct{n}, err
}

func (n *direct) plan(t *transfer, _ *sim.Message) {
	f := n.of[t.routine]
	t.outLink, t.inLink, t.pool = linkless, linkless, noPool
	d := f.distance(t.from, t.to)
	n.hops += int64(d)
	n.byteHops += int64(d) * t.size
	t.duration = f.Time(d, t.size)
}

func (n *direct) request(tr int32) { n.depart(tr, &n.list[tr]) }
func (n *direct) release(int32)    {}
