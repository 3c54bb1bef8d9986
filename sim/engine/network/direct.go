package network

// The network of PUPPET: a message takes the time of its route, as if it were alone. Senders pay nothing on their CPUs.

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

// connected reports two tasks without a route between them: on a graph, every task must reach the first one, and be
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

// fabrics are the networks of a direct machine: one for messages, and those for collective operations.
type fabrics struct {
	Host
	of [1 + 16]*fabric // by Handling.Routine
}

func newFabrics(h Host) (fabrics, error) {
	n := fabrics{Host: h}
	main, err := newFabric(&h.Machine.Direct, h.Node, len(h.Machine.Nodes))
	if err != nil {
		return n, err
	}
	for i := range n.of {
		n.of[i] = main
	}
	for i := range h.Machine.Routines {
		r := &h.Machine.Routines[i]
		own, err := newFabric(&r.Interconnect, h.Node, len(h.Machine.Nodes))
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

func (n *fabrics) Startup(_, _ int32, _ *sim.Message) float64 { return 0 }

func (n *fabrics) Occupy(int32) bool { return true }
func (n *fabrics) Vacate(int32)      {}

func (n *fabrics) Hop(int32)             {}
func (n *fabrics) Loads() []sim.LinkLoad { return nil }

// direct is the network without contention.
type direct struct{ fabrics }

func newDirect(h Host) (Network, error) {
	n, err := newFabrics(h)
	return &direct{n}, err
}

func (n *direct) Plan(t *Transfer, _ *sim.Message) {
	f := n.of[t.Routine]
	t.outLink, t.inLink, t.pool = linkless, linkless, noPool
	d := f.distance(t.From, t.To)
	n.Hops += int64(d)
	n.ByteHops += int64(d) * t.Size
	t.duration = f.Time(d, t.Size)
}

func (n *direct) Request(tr int32) { n.depart(tr, &n.List[tr]) }
func (n *direct) Release(int32)    {}
