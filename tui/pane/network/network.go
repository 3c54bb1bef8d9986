// Package network is the Network pane: which links carry the messages of the time in view, who sends to whom, and how
// far. The network is that of the machine in the Simulator; without one, every pair of nodes is linked.
package network

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/insight/traffic"
	"pview/prv"
	"pview/render/netmap"
	"pview/render/timeline"
	"pview/sim"
	"pview/sim/topology"
	"pview/tui/list"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Network"

// key identifies the subject of the pane.
type key struct {
	trace    *timeline.Trace
	revision int
	from, to int64
	machine  *sim.Machine // of the Simulator; nil for none
}

// answer is the traffic, and the network that carries it.
type answer struct {
	key
	traffic *traffic.Traffic
	net     *traffic.Network
	netmap  *netmap.Map
	far     []traffic.Distance
	err     error
}

// Pane is the Network pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	shown *answer // nil until there is an answer
	asked key
	job   pane.Job

	pages   list.Pages
	links   list.List // the busiest first
	measure int
	from    int // cursor in the matrix, tasks
	to      int
	drawn   drawn
}

// foundMsg is the result of a search for a message; comm is -1 if none.
type foundMsg struct {
	trace *timeline.Trace
	comm  int
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, job: pane.NewJob(sc)}
	for i := range pages {
		p.pages.Names = append(p.pages.Names, pages[i].name)
	}
	p.links.Len = func() int { return len(p.loads()) }
	return p
}

func (p *Pane) Title() string { return Title }

func (p *Pane) Height(room int) int { return pane.Tall(room) }

func (p *Pane) Busy() bool { return p.job.What() != "" }

// Cancel stops the job; any change of the view restarts it.
func (p *Pane) Cancel() bool { return p.job.Stop() }

// Update goes to a message that was found, and forgets closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		return p.found(msg)
	case pane.TraceClosed:
		if p.asked.trace == msg.Trace {
			p.Cancel()
			p.shown, p.asked = nil, key{}
		}
	}
	return nil
}

// now returns the current subject of the pane; ok is false if there is none.
func (p *Pane) now() (k key, ok bool) {
	v := p.sc.View
	if v == nil {
		return k, false
	}
	k = key{trace: v.Trace, revision: v.Trace.Revision, from: v.Begin, to: v.End}
	if p.sc.Selected {
		k.from, k.to = p.sc.SelBegin, p.sc.SelEnd
	}
	if _, setup, err := p.sc.Simulation(measured(v.Trace)); err == nil {
		k.machine = setup.Machine
	}
	return k, true
}

// measured returns the trace that another one was predicted from, or the trace itself.
func measured(t *timeline.Trace) *timeline.Trace {
	if t.PredictedFrom != nil {
		return t.PredictedFrom
	}
	return t
}

// Sync collects the traffic of the time in view.
func (p *Pane) Sync() tea.Cmd {
	k, ok := p.now()
	if !ok || p.sc.Open != p || k == p.asked {
		return nil
	}
	p.asked = k
	tr := k.trace.Data
	var program *sim.Program
	if k.machine != nil {
		described, _, _ := p.sc.Simulation(measured(k.trace))
		program = described.Program
	}
	return p.job.Start("adding up messages", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		a := collect(ctx, k, tr, program)
		return func() tea.Cmd {
			p.shown = a
			return nil
		}
	})
}

// collect adds up the traffic and its routes.
func collect(ctx context.Context, k key, tr *prv.Trace, program *sim.Program) *answer {
	a := &answer{key: k}
	if a.traffic, a.err = traffic.Collect(ctx, tr, k.from, k.to); a.err != nil {
		return a
	}
	if a.net, a.err = network(tr, k.machine, program); a.err != nil {
		return a
	}
	a.netmap = netmap.New(a.net, a.traffic.Links(a.net))
	a.far = a.traffic.ByDistance(a.net)
	return a
}

// network returns the network of the machine; without one, a network in which all nodes are linked.
func network(tr *prv.Trace, m *sim.Machine, program *sim.Program) (*traffic.Network, error) {
	if m == nil || len(program.Tasks) != len(tr.Tasks) {
		n := &traffic.Network{}
		for _, t := range tr.Tasks {
			n.At = append(n.At, max(t.Node, 0))
		}
		var err error
		n.Topology, err = topology.Parse("complete", max(len(tr.Nodes), 1))
		return n, err
	}
	t, at, err := m.Processors(program)
	if err != nil {
		return nil, err
	}
	return &traffic.Network{Topology: t, At: at}, nil
}

// found goes to the message that was found.
func (p *Pane) found(msg foundMsg) tea.Cmd {
	v := p.sc.View
	if v == nil || v.Trace != msg.trace {
		return nil
	}
	if msg.comm < 0 {
		p.sc.Say("no further message in this time")
		return nil
	}
	tr := v.Trace.Data
	c := &tr.Comms
	row := v.RowOfThread(c.Send[msg.comm])
	if row < 0 {
		return p.sc.Refuse(errors.New("the window has no row for the sender"))
	}
	p.sc.Do(pane.GoTo{View: v, Time: c.Times[prv.LogicalSend][msg.comm], Row: row})
	return nil
}

// next searches the next message between wanted tasks, from the cursor on; after the last one of the time in view, the
// first.
func (p *Pane) next(wanted func(from, to int32) bool) tea.Cmd {
	a, v := p.shown, p.sc.View
	if a == nil || v == nil || a.trace != v.Trace {
		return nil
	}
	tr, after, k := v.Trace.Data, v.Cursor, a.key
	return func() tea.Msg {
		best, first := -1, -1
		c := &tr.Comms
		sent := c.Times[prv.LogicalSend]
		for i := range c.Len() {
			if !wanted(tr.ThreadTask[c.Send[i]], tr.ThreadTask[c.Recv[i]]) || c.Times[prv.PhysicalRecv][i] < k.from ||
				c.Times[prv.PhysicalSend][i] >= k.to {
				continue
			}
			if first < 0 || sent[i] < sent[first] {
				first = i
			}
			if sent[i] > after && (best < 0 || sent[i] < sent[best]) {
				best = i
			}
		}
		if best < 0 {
			best = first
		}
		return foundMsg{k.trace, best}
	}
}
