// Package mapping finds the best node for each task: it weighs mappings by the messages of a program and the shape of a
// network, searches for better ones, and writes the best for MPI launchers.
package mapping

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
	"pview/sim/topology"
)

// Mapping is the node of each task, both from 0.
type Mapping []int

// String lists the nodes from 0, as a key. Problem.Placement is for people and programs.
func (m Mapping) String() string {
	words := make([]string, len(m))
	for i, n := range m {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}

// Placement writes a mapping in the notation of pview sim --placement: the nodes from 1, a list for each application.
func (b *Problem) Placement(m Mapping) string {
	var text strings.Builder
	for _, app := range b.apps {
		words := make([]string, app.Tasks)
		for i := range words {
			words[i] = strconv.Itoa(m[int(app.FirstTask)+i] + 1)
		}
		text.WriteString("[" + strings.Join(words, ",") + "]")
	}
	return text.String()
}

// Form is an entry of Forms.
type Form struct {
	Name, Doc string

	place func(tasks, nodes int, seed uint64) Mapping
}

// Forms are the mappings by rule.
var Forms = []Form{
	{"wrap", "task j on node j mod P", func(n, p int, _ uint64) Mapping {
		return filled(n, func(j int) int { return j % p })
	}},
	{"block", "tasks in order, ceil(n/P) on a node; row-major on a grid", func(n, p int, _ uint64) Mapping {
		return filled(n, func(j int) int { return j / perNode(n, p) })
	}},
	{"random", "as many on a node, in random order", func(n, p int, seed uint64) Mapping {
		slots := rand.New(rand.NewPCG(seed, 0)).Perm(p * perNode(n, p))
		return filled(n, func(j int) int { return slots[j] % p })
	}},
}

func filled(n int, node func(int) int) Mapping {
	m := make(Mapping, n)
	for j := range m {
		m[j] = node(j)
	}
	return m
}

// perNode returns the number of tasks on a node if they are spread.
func perNode(tasks, nodes int) int { return (tasks + nodes - 1) / nodes }

// Named returns the mapping of a form.
func Named(name string, tasks, nodes int, seed uint64) (Mapping, bool) {
	i := slices.IndexFunc(Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return Forms[i].place(tasks, nodes, seed), true
}

// Problem is a program whose tasks are to be placed on the nodes of a machine.
type Problem struct {
	Tasks, Nodes int
	CPU          []float64 // of each task, ns
	Speed        []float64 // of each node
	Network      topology.Topology

	apps     []sim.Ptask
	traffic  [][]edge // by task: its sends
	partners [][]edge // by task: its sends and receives
	table    []int16  // distances between nodes; nil: too many
}

// edge is the traffic to another task.
type edge struct {
	peer            int32
	bytes, messages int64
}

// tableLimit is the maximum number of nodes for a table of distances.
const tableLimit = 4096

// NewProblem collects the messages of a program, including collective operations simulated as messages. On a network
// that is not direct, all nodes are at distance 1.
func NewProblem(p *sim.Program, m *sim.Machine, rules sim.Rules) (*Problem, error) {
	q, err := rules.AsMessages(p, m)
	if err != nil {
		return nil, err
	}
	b := &Problem{Tasks: len(p.Tasks), Nodes: len(m.Nodes), CPU: make([]float64, len(p.Tasks)),
		apps: p.Ptasks, traffic: make([][]edge, len(p.Tasks)), partners: make([][]edge, len(p.Tasks))}
	if m.IsDirect() {
		if b.Network, err = m.Direct.Shape(len(m.Nodes)); err == nil && b.Network.Hosts() < len(m.Nodes) {
			err = fmt.Errorf("%s has %d processors, the machine %d nodes", b.Network, b.Network.Hosts(), len(m.Nodes))
		}
	} else {
		b.Network, err = topology.Parse("complete", len(m.Nodes))
	}
	if err != nil {
		return nil, err
	}
	for i := range m.Nodes {
		b.Speed = append(b.Speed, m.Nodes[i].Speed)
	}
	for i := range q.Tasks {
		out := map[int32]edge{}
		t := &q.Tasks[i]
		for k := t.FirstThread; k < t.FirstThread+t.Threads; k++ {
			th := &q.Threads[k]
			b.CPU[i] += th.Computation()
			for row, kind := range th.Kinds() {
				if kind.IsSend() {
					msg := th.Message(row)
					e := out[msg.Peer]
					out[msg.Peer] = edge{msg.Peer, e.bytes + msg.Size, e.messages + 1}
				}
			}
		}
		for _, e := range out {
			b.traffic[i] = append(b.traffic[i], e)
		}
		slices.SortFunc(b.traffic[i], func(x, y edge) int { return cmp.Compare(x.peer, y.peer) })
	}
	b.pair()
	if b.Nodes <= tableLimit {
		b.table = make([]int16, b.Nodes*b.Nodes)
		for x := range b.Nodes {
			for y := range b.Nodes {
				b.table[x*b.Nodes+y] = int16(b.distance(x, y))
			}
		}
	}
	return b, nil
}

// pair sums the traffic between two tasks in both directions.
func (b *Problem) pair() {
	for i, list := range b.traffic {
		for _, e := range list {
			if int(e.peer) != i {
				b.partners[i] = append(b.partners[i], e)
				b.partners[e.peer] = append(b.partners[e.peer], edge{int32(i), e.bytes, e.messages})
			}
		}
	}
}

func (b *Problem) distance(x, y int) int {
	return b.Network.Distance(b.Network.Host(x), b.Network.Host(y))
}

// between returns the distance of two nodes.
func (b *Problem) between(x, y int) int64 {
	if b.table != nil {
		return int64(b.table[x*b.Nodes+y])
	}
	return int64(b.distance(x, y))
}

// Weight is a mapping's use of the network.
type Weight struct {
	Hops     int64 // links, over all messages
	ByteHops int64 // the same, each with the bytes of its message
	MaxLink  int64 // bytes over the busiest link
}

// Weigh weighs a mapping.
func (b *Problem) Weigh(m Mapping) (w Weight) {
	load := map[int]int64{}
	var route []int
	for i, list := range b.traffic {
		for _, e := range list {
			x, y := m[i], m[e.peer]
			d := b.between(x, y)
			w.Hops += d * e.messages
			w.ByteHops += d * e.bytes
			route = topology.Route(b.Network, b.Network.Host(x), b.Network.Host(y), route[:0])
			for _, l := range route {
				load[l] += e.bytes
				w.MaxLink = max(w.MaxLink, load[l])
			}
		}
	}
	return w
}

// Busy returns the CPU time on each node, ns.
func (b *Problem) Busy(m Mapping) []float64 {
	busy := make([]float64, b.Nodes)
	for i, n := range m {
		if b.Speed[n] > 0 {
			busy[n] += b.CPU[i] / b.Speed[n]
		}
	}
	return busy
}

// On returns the machine with a mapping of the tasks of a program.
func (m Mapping) On(machine *sim.Machine, p *sim.Program) *sim.Machine {
	c := machine.Clone()
	m.Place(c, p)
	return c
}

// Place gives a machine the mapping.
func (m Mapping) Place(machine *sim.Machine, p *sim.Program) {
	machine.Mapping = nil
	for _, app := range p.Ptasks {
		machine.Mapping = append(machine.Mapping,
			sim.Mapping{Kind: sim.Explicit, Tasks: 1, Nodes: slices.Clone(m[app.FirstTask : app.FirstTask+app.Tasks])})
	}
}
