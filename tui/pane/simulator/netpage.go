package simulator

// The page of the network: its fields, and a drawing of the network with the tasks on their nodes. If a run is shown,
// links are coloured by their load in it.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/traffic"
	"pview/prv/quantity"
	"pview/render/netmap"
	"pview/render/raster"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/parameter"
	"pview/sim/scenario"
	"pview/sim/topology"
	"pview/tui/dialog"
)

// mapped is the network's drawing for a run.
type mapped struct {
	run    *scenario.Run
	drawn  *netmap.Map // nil while in progress
	cancel context.CancelFunc
}

// mappedMsg is a finished drawing.
type mappedMsg struct {
	of    *Simulation
	run   *scenario.Run
	drawn *netmap.Map
}

// ofMessages is the network of messages; the network of a collective operation has the operation's number + 1.
const ofMessages = 0

// netFields is the width of the fields on the page of the network.
const netFields = 44

// layNetwork puts the fields of the network at the left, and its drawing beside them.
func layNetwork(s *Simulation, width int) *layout {
	setup := s.Setup()
	m := setup.Machine
	l := &layout{width: width}
	w := min(netFields, width-2)
	add := func(f *field) {
		l.cells = append(l.cells, cell{field: f, label: f.p.Title, x: 1, y: l.height, w: w - 1, labelW: w / 2})
		l.height++
	}
	add(ofMachine(parameter.ByName("network")))
	if !m.IsDirect() {
		const text = "A network of links between processors, kind direct, has a topology to choose."
		l.texts = append(l.texts, label{text: text, x: 1, y: l.height + 1, w: width - 2})
		l.height += 2
		return l
	}
	if f := s.linksField(); f != nil {
		add(f)
	}
	l.pictureX = w + 3
	if s.links != ofMessages {
		s.layOwn(l, add, &setup, w)
		return l
	}
	direct := func(m *sim.Machine) *sim.Interconnect { return &m.Direct }
	add(topologyField(&setup, parameter.TextByName("topology"), direct))
	for i := range parameter.All {
		if p := &parameter.All[i]; p.Group == parameter.GroupDirect && (p.Applies == nil || p.Applies(m)) {
			add(ofMachine(p))
		}
	}
	add(ofMachine(parameter.ByName("mapping")))
	net, at, err := m.Processors(s.program.Program)
	l.picture = func(p view, c raster.Canvas) {
		th := p.sc.Theme
		if err != nil {
			c.Text(0, 0, th.Cut(err.Error(), c.W), th.Warn)
			return
		}
		of, title := netmap.New(&traffic.Network{Topology: net, At: at}, nil), "tasks on "+net.String()
		if s.mapped.drawn != nil && s.mapped.run.Machine.Equal(m) {
			of = s.mapped.drawn
			if of.Most() > 0 {
				title = "busiest " + of.Name(of.Loads[0].From) + " -> " + of.Name(of.Loads[0].To) + ": "
				title += quantity.Bytes.Format(of.Most())
			}
		}
		if c.H > 2 {
			x := c.Text(0, c.H-1, th.Cut(th.ASCII(title), c.W), th.Dim)
			if of.Most() > 0 && x+14 < c.W {
				of.DrawScale(c.Sub(0, c.H-1, c.W, 1), p.sc.Look, th, x+2)
			}
			c = c.Sub(0, 0, c.W, c.H-1)
		}
		of.Draw(c, p.sc.Look, th)
	}
	return l
}

// linksField chooses the links that the page shows: those of messages, or of a collective operation that the program
// calls or that has its own; nil if there is no choice.
func (s *Simulation) linksField() *field {
	m := s.Setup().Machine
	p := &parameter.Parameter{Name: "links", Group: parameter.GroupDirect, Title: "Links of", Kind: parameter.KindChoice,
		Doc:     "messages, or a collective operation, which can have its own network",
		Choices: []parameter.Choice{{Name: "messages", Doc: "and of all operations without a network of their own"}}}
	ops := []int{ofMessages}
	for op, name := range sim.Collectives {
		own := m.OwnNetwork(sim.CollectiveOp(op)) != nil
		if !own && s.program.Operations[op] == 0 && s.links != op+1 {
			continue
		}
		doc := fmt.Sprintf("%s calls", raster.FormatCount(s.program.Operations[op]))
		if own {
			doc += ", its own network"
		}
		ops, p.Choices = append(ops, op+1), append(p.Choices, parameter.Choice{Name: name, Doc: doc})
	}
	if len(ops) == 1 {
		return nil
	}
	return &field{p: p,
		get: func(*scenario.Scenario) (float64, bool) { return float64(max(slices.Index(ops, s.links), 0)), true },
		look: func(v float64) {
			s.links = ops[int(v)]
			s.form.invalidate()
		}}
}

// layOwn puts the fields of the links of a collective operation on the page, and draws its network.
func (s *Simulation) layOwn(l *layout, add func(*field), setup *scenario.Setup, w int) {
	op, m := sim.CollectiveOp(s.links-1), setup.Machine
	name := sim.Collectives[op]
	add(&field{p: &parameter.Parameter{Name: "collective-network", Group: parameter.GroupDirect, Title: "Its own",
		Kind: parameter.KindSwitch, Doc: "a separate network for the messages of " + name +
			", which starts as a copy of the network of messages"},
		get: func(c *scenario.Scenario) (float64, bool) {
			if c.Machine.OwnNetwork(op) != nil {
				return 1, true
			}
			return 0, true
		},
		set: func(c *scenario.Scenario, v float64) { c.Machine.SetOwnNetwork(op, v != 0) }})
	if m.OwnNetwork(op) == nil {
		for _, text := range []string{"Its messages take the links", "of other messages."} {
			l.texts = append(l.texts, label{text: text, x: 1, y: l.height, w: w})
			l.height++
		}
	} else {
		add(topologyField(setup, ownTopology(op), func(m *sim.Machine) *sim.Interconnect { return m.NetworkOf(op) }))
		params := parameter.OfLinks(op)
		for i := range params {
			if p := &params[i]; p.Applies(m) {
				f := ofMachine(p)
				f.ofAll = false // it has no distribution
				add(f)
			}
		}
	}
	net, at, err := m.ProcessorsOf(s.program.Program, op)
	l.picture = func(p view, c raster.Canvas) {
		th := p.sc.Theme
		if err != nil {
			c.Text(0, 0, th.Cut(err.Error(), c.W), th.Warn)
			return
		}
		if c.H > 2 {
			c.Text(0, c.H-1, th.Cut(th.ASCII(name+": tasks on "+net.String()), c.W), th.Dim)
			c = c.Sub(0, 0, c.W, c.H-1)
		}
		netmap.New(&traffic.Network{Topology: net, At: at}, nil).Draw(c, p.sc.Look, th)
	}
}

// ownTopology returns the topology of the network of a collective operation.
func ownTopology(op sim.CollectiveOp) *parameter.Text {
	x := *parameter.TextByName("topology")
	x.Title = "Topology of " + sim.Collectives[op]
	x.Get = func(m *sim.Machine) string { return m.NetworkOf(op).ShapeText() }
	x.Set = func(m *sim.Machine, text string) error {
		m.SetOwnNetwork(op, true)
		return m.OwnNetwork(op).SetShape(text, len(m.Nodes))
	}
	return &x
}

// drawNetwork starts drawing the network of the shown run, if the page needs it.
func (p work) drawNetwork(s *Simulation) tea.Cmd {
	r := s.history.Shown()
	if s.form.page != pageNetwork || s.program == nil || r == nil || r.Trace == nil || !r.Machine.IsDirect() ||
		s.mapped.run == r {
		return nil
	}
	if s.mapped.cancel != nil {
		s.mapped.cancel()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	s.mapped = mapped{run: r, cancel: cancel}
	tr, program := r.Trace, s.program.Program
	return func() tea.Msg {
		defer cancel()
		t, err := traffic.Collect(ctx, tr, 0, tr.Duration+1)
		if err != nil {
			return nil // cancelled
		}
		net, at, err := r.Machine.Processors(program)
		if err != nil {
			return nil // the page says so
		}
		n := &traffic.Network{Topology: net, At: at}
		return mappedMsg{s, r, netmap.New(n, t.Links(n))}
	}
}

// topologyField chooses among the shapes with enough room for the nodes; another one can be typed.
func topologyField(setup *scenario.Setup, text *parameter.Text, links func(m *sim.Machine) *sim.Interconnect) *field {
	of := func(m *sim.Machine) string {
		if links(m).Graph != nil {
			return text.Get(m)
		}
		t, err := links(m).Shape(len(m.Nodes))
		if err != nil {
			return text.Get(m)
		}
		return t.String()
	}
	names := topology.Fitting(len(setup.Machine.Nodes))
	for _, m := range []*sim.Machine{setup.Machine, setup.Base.Machine} {
		if name := of(m); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	p := &parameter.Parameter{Name: text.Name, Group: text.Group, Title: text.Title, Kind: parameter.KindChoice,
		Doc: text.Doc}
	for _, name := range names {
		p.Choices = append(p.Choices, parameter.Choice{Name: name, Doc: shapeDoc(name)})
	}
	graph := links(setup.Machine).Graph
	return &field{p: p, typing: text,
		get: func(c *scenario.Scenario) (float64, bool) {
			return float64(slices.Index(names, of(c.Machine))), true
		},
		set: func(c *scenario.Scenario, v float64) {
			if graph == nil || names[int(v)] != graph.String() {
				_ = text.Set(c.Machine, names[int(v)]) // cannot fail: the shape exists, or was made for the nodes
			}
		},
		show: func(v float64) string {
			if v < 0 {
				return "another"
			}
			return names[int(v)]
		},
	}
}

// shapeDoc describes a shape.
func shapeDoc(name string) string {
	for _, s := range topology.Shapes() {
		if s.Name == strings.Fields(name)[0] {
			return s.Doc
		}
	}
	return "of a file"
}

// setText sets a parameter that is a text.
func (p actions) setText(s *Simulation, x *parameter.Text, value string) tea.Cmd {
	m := s.Setup().Machine.Clone()
	if x.Name == "topology" && !m.IsDirect() {
		return p.sc.Refuse(
			errors.New("a topology is of links between processors: set network to direct or direct-contention first"))
	}
	if err := x.Set(m, value); err != nil {
		return p.sc.Refuse(fmt.Errorf("%s: %w", x.Name, err))
	}
	return p.changeMachine(s, x.Name, func(m *sim.Machine) { _ = x.Set(m, value) })
}

// changeMachine changes the machine as a whole.
func (p actions) changeMachine(s *Simulation, name string, set func(m *sim.Machine)) tea.Cmd {
	notes, changed := s.editor.Change(s.program.Program,
		scenario.Change{Set: func(c *scenario.Scenario) { set(c.Machine) }, Parameter: name})
	if !changed {
		return nil
	}
	if notes != nil {
		p.sc.Say("with it: " + strings.Join(notes, ", "))
	}
	return p.edited(s)
}

// typeText asks for a text.
func (p actions) typeText(s *Simulation, x *parameter.Text) tea.Cmd {
	line := &dialog.Prompt{Label: x.Title + " ", Hint: x.Doc}
	line.Accept = func(text string) tea.Cmd {
		if text == "" {
			return nil
		}
		return p.setText(s, x, text)
	}
	line.Input.Set(x.Get(s.Setup().Machine))
	line.Input.Select()
	return p.sc.Dialogs.Open(line)
}

// mapTasks places the tasks by a rule, or by a launcher's file.
func (p actions) mapTasks(args string) tea.Cmd {
	s := p.ready()
	switch {
	case s == nil:
		return p.refuseNoMachine()
	case args == "":
		return p.sc.Ask("machine tasks")
	}
	prog, m := s.program.Program, s.Setup().Machine
	s.mappings++
	at, ok := mapping.Named(args, len(prog.Tasks), len(m.Nodes), s.mappings)
	if !ok {
		var err error
		if at, err = mapping.Open(args, len(prog.Tasks), len(m.Nodes), nil); err != nil {
			return p.sc.Refuse(err)
		}
	}
	return p.changeMachine(s, "placement", func(m *sim.Machine) { at.Place(m, prog) })
}
