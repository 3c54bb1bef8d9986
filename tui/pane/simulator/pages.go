package simulator

// The pages of the form, and their contents.

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// page is a page of the form.
type page uint8

const (
	pageMachine page = iota
	pageNetwork
	pageNodes
	pageTasks
	pageCollectives
	pageBlocks
	pageModel
	pageRuns

	numPages
)

// pages are the pages, in the order of their tabs.
var pages = [numPages]struct {
	name string
	lay  func(s *Simulation, width int) *layout
}{
	pageMachine:     {"Machine", layMachine},
	pageNetwork:     {"Network", layNetwork},
	pageNodes:       {"Nodes", layNodes},
	pageTasks:       {"Tasks", layTasks},
	pageCollectives: {"Collectives", layCollectives},
	pageBlocks:      {"Blocks", layBlocks},
	pageModel:       {"Model", layModel},
	pageRuns:        {"Runs", layRuns},
}

// columnWidth is the minimum width of a column of fields: a title, a value, a mark and a gap.
const columnWidth = 38

// group is fields with a title above them.
type group struct {
	name   string
	fields []*field
}

// height returns the number of lines of a group: its title and its fields.
func (g *group) height() int { return len(g.fields) + 1 }

// groups returns the parameters of a machine. It omits irrelevant ones, such as the quantum of another policy.
func groups(m *sim.Machine) (list []group) {
	for _, name := range parameter.Groups {
		g := group{name: name}
		for i := range parameter.All {
			if p := &parameter.All[i]; p.Group == name && (p.Applies == nil || p.Applies(m)) {
				g.fields = append(g.fields, ofMachine(p))
			}
		}
		if g.fields != nil {
			list = append(list, g)
		}
	}
	return list
}

// stack puts groups one below the other in columns of limited height, and returns the number of columns; it calls place
// with the column and line of each.
func stack(list []group, height int, place func(g *group, col, y int)) (columns int) {
	col, y := 0, 0
	for i := range list {
		g := &list[i]
		if y > 0 && y+g.height() > height {
			col, y = col+1, 0
		}
		place(g, col, y)
		y += g.height()
	}
	return col + 1
}

// layMachine puts groups of fields side by side, in columns of about the same height: the minimum at which they fit.
func layMachine(s *Simulation, width int) *layout {
	list := groups(s.Setup().Machine)
	titles, lines := 0, 0
	for _, g := range list {
		lines += g.height()
		for _, f := range g.fields {
			titles = max(titles, raster.TextWidth(f.p.Title))
		}
	}
	columns := max(min(width/columnWidth, len(list)), 1)
	height := lines / columns
	for stack(list, height, func(*group, int, int) {}) > columns {
		height++
	}
	each := width / columns
	l := &layout{width: width}
	stack(list, height, func(g *group, col, y int) {
		x := col*each + 1
		l.texts = append(l.texts, label{text: g.name, x: x, y: y, w: each - 2, strong: true})
		for i, f := range g.fields {
			l.cells = append(l.cells, cell{field: f, label: f.p.Title, x: x, y: y + 1 + i, w: each - 3,
				labelW: min(titles, each/2) + 1, col: col})
		}
		l.height = max(l.height, y+g.height())
	})
	return l
}

// maxNodeRows limits the rows of the pages of nodes and tasks.
const maxNodeRows = 2048

// layNodes lists the nodes, with their own values of parameters.
func layNodes(s *Simulation, _ int) *layout {
	m := s.Setup().Machine
	titles := []string{"tasks"}
	var params []*parameter.Parameter
	for i := range parameter.All {
		if p := &parameter.All[i]; p.Node != nil && (p.Applies == nil || p.Applies(m)) {
			params = append(params, p)
			title := strings.ToLower(p.Title)
			if p.Group == parameter.GroupLocal {
				title = "local " + title
			}
			titles = append(titles, title)
		}
	}
	g := newGrid("Node", 10, titles...)
	load, err := m.Load(s.program.Program)
	for n := range min(len(m.Nodes), maxNodeRows) {
		notes, fields := make([]string, len(titles)), make([]*field, len(titles))
		if err == nil {
			notes[0] = fmt.Sprint(load[n])
		}
		for i, p := range params {
			fields[i+1] = ofMachine(p.OfNode(n))
		}
		g.row(fmt.Sprintf("node %d", n+1), fields, notes)
	}
	return g.l
}

// layTasks lists the tasks and their nodes. Moving one stores the nodes of all.
func layTasks(s *Simulation, _ int) *layout {
	g := newGrid("Task", 12, "threads", "node", "computation")
	prog := s.program.Program
	places := map[*sim.Machine][]int32{} // of the current machine, and of the loaded one
	placement := func(m *sim.Machine) []int32 {
		at, ok := places[m]
		if !ok {
			at, _ = m.Placement(prog)
			places[m] = at
		}
		return at
	}
	for t := range min(len(prog.Tasks), maxNodeRows) {
		g.row("task "+prog.TaskName(int32(t)), []*field{nil, placeField(prog, t, placement), nil},
			[]string{fmt.Sprint(prog.Tasks[t].Threads), "", duration(int64(s.program.Computation[t]))})
	}
	return g.l
}

// placeField returns the node of a task.
func placeField(prog *sim.Program, task int, placement func(*sim.Machine) []int32) *field {
	return &field{
		p: &parameter.Parameter{Name: "placement", Title: "Node of task " + prog.TaskName(int32(task)),
			Kind:    parameter.KindCount,
			Default: float64(task + 1),
			Doc:     "numbered from 1; other tasks are not moved (mapping EXPLICIT)"},
		get: func(c *scenario.Scenario) (float64, bool) {
			if at := placement(c.Machine); at != nil {
				return float64(at[task] + 1), true
			}
			return 0, true
		},
		set: func(c *scenario.Scenario, v float64) { c.Machine.Place(prog, task, int(v)-1) },
		check: func(c *scenario.Scenario, v float64) error {
			if n := len(c.Machine.Nodes); v < 1 || int(v) > n {
				return fmt.Errorf("no node %g; nodes are 1 to %d", v, n)
			}
			return nil
		},
	}
}

// modelChoices and sizeChoices are the choices for a stage of a collective operation.
func modelChoices() (list []parameter.Choice) {
	for _, m := range sim.CollectiveModels {
		list = append(list, parameter.Choice{Name: m.Name, Doc: m.Doc})
	}
	return append(list, parameter.Choice{Name: "default", Doc: "the model of the network"})
}

func sizeChoices() (list []parameter.Choice) {
	for _, z := range sim.CollectiveSizes {
		list = append(list, parameter.Choice{Name: z.Name, Doc: z.Doc})
	}
	list[sim.SizeCurrent].Name = "as called"
	return list
}

// layCollectives lists the operations, those of the program first.
func layCollectives(s *Simulation, _ int) *layout {
	g := newGrid("Operation", 22, "calls", "fan-in model", "fan-in size", "fan-out model", "fan-out size")
	ops := make([]int, len(sim.Collectives))
	for i := range ops {
		ops[i] = i
	}
	slices.SortStableFunc(ops, func(a, b int) int {
		return int(min(s.program.Operations[b], 1) - min(s.program.Operations[a], 1))
	})
	models, sizes := modelChoices(), sizeChoices()
	for _, op := range ops {
		calls := ""
		if n := s.program.Operations[op]; n > 0 {
			calls = raster.FormatCount(n)
		}
		g.row(sim.Collectives[op], []*field{nil,
			costField(op, "fan-in model", models, func(c *sim.CollectiveCost) *uint8 {
				return (*uint8)(&c.FanIn.Model)
			}),
			costField(op, "fan-in size", sizes, func(c *sim.CollectiveCost) *uint8 { return (*uint8)(&c.FanIn.Size) }),
			costField(op, "fan-out model", models, func(c *sim.CollectiveCost) *uint8 {
				return (*uint8)(&c.FanOut.Model)
			}),
			costField(op, "fan-out size", sizes, func(c *sim.CollectiveCost) *uint8 {
				return (*uint8)(&c.FanOut.Size)
			}),
		}, []string{calls, "", "", "", ""})
	}
	return g.l
}

// costField edits the cost of a stage of a collective operation, on all networks.
func costField(op int, title string, choices []parameter.Choice, of func(*sim.CollectiveCost) *uint8) *field {
	p := &parameter.Parameter{Name: "collective", Group: parameter.GroupCollectives,
		Title: title + " of " + sim.Collectives[op],
		Kind:  parameter.KindChoice, Choices: choices,
		Doc: "of all networks"}
	p.Get = func(m *sim.Machine) (float64, bool) {
		if len(m.Clusters) == 0 {
			return 0, true
		}
		v, same := *of(&m.Clusters[0].Collectives[op]), true
		for i := range m.Clusters {
			same = same && *of(&m.Clusters[i].Collectives[op]) == v
		}
		return float64(v), same
	}
	p.Set = func(m *sim.Machine, v float64) {
		for i := range m.Clusters {
			*of(&m.Clusters[i].Collectives[op]) = uint8(v)
		}
		*of(&m.WAN.Collectives[op]) = uint8(v)
	}
	if choices[len(choices)-1].Name == "default" {
		p.Default = float64(sim.ModelDefault)
	}
	return ofMachine(p)
}

// maxBlocks limits the rows of the page of blocks.
const maxBlocks = 500

// layBlocks lists the blocks of the program that have a name or a factor, the most computation first.
func layBlocks(s *Simulation, width int) *layout {
	g := newGrid("Block", max(min(width-91, 60), 20), "computation", "share", "entered", "times faster", "threads",
		"fork", "join")
	labels := s.measured.Data.Labels
	whole := 1.0
	for _, ns := range s.program.Computation {
		whole += ns
	}
	name := s.blockName()
	for _, b := range s.program.Blocks {
		_, named := labels.Type(b.Type)
		if set := s.Setup().Machine.Block(b.Type, b.Value); !named && set.Ratio == 1 && set.Threads < 2 {
			continue
		}
		if len(g.l.cells) == maxBlocks {
			break
		}
		text := name(b.Type, b.Value)
		g.row(text, append([]*field{nil, nil, nil, blockField(b, text, labels.TypeName(b.Type))},
			splitFields(b, text)...), []string{duration(int64(b.Computation)),
			quantity.FormatPercent(b.Computation / whole), raster.FormatCount(b.Times), "", "", "", ""})
	}
	if len(g.l.cells) == 0 {
		g.l.texts = append(g.l.texts,
			label{text: "The trace has no events that delimit blocks of computation, such as user functions.", x: 1,
				w: 100})
		g.l.height = 1
	}
	return g.l
}

// blockField edits the speed-up of a block.
func blockField(b sim.Block, name, typeName string) *field {
	p := &parameter.Parameter{Name: "module", Title: "Block " + name, Kind: parameter.KindRatio, Default: 1,
		Word: "no time",
		Doc: fmt.Sprintf("speedup of its computation: 2 halves the time, 0.5 doubles it, 0: no time (event %d:%d, %s)",
			b.Type, b.Value, typeName),
		Get: func(m *sim.Machine) (float64, bool) { return m.ModuleRatio(b.Type, b.Value), true },
		Set: func(m *sim.Machine, v float64) { m.SetBlockSpeed(b.Type, b.Value, v) }}
	f := ofMachine(p)
	f.show = func(v float64) string {
		if v < 0 { // the time of each
			return scenario.RatioText(v)
		}
		return p.Show(v)
	}
	return f
}

// splitFields returns the fields for the threads that share a block, and for the cost of fork and join.
func splitFields(b sim.Block, name string) []*field {
	part := func(p parameter.Parameter, get func(s *sim.Split) float64, set func(s *sim.Split, v float64)) *field {
		p.Name, p.Title = "split", p.Title+" of block "+name
		p.Get = func(m *sim.Machine) (float64, bool) {
			at := m.Block(b.Type, b.Value).Split
			return get(&at), true
		}
		p.Set = func(m *sim.Machine, v float64) {
			at := m.Block(b.Type, b.Value)
			set(&at.Split, v)
			m.SetModule(at)
		}
		f := ofMachine(&p)
		f.ofAll = false // it has no distribution
		return f
	}
	threads := part(parameter.Parameter{Title: "Threads", Kind: parameter.KindCount, Default: 1,
		Doc: "what if its computation were shared out among several threads, on the CPUs of the node that other " +
			"threads of the program leave"},
		func(s *sim.Split) float64 { return float64(max(s.Threads, 1)) }, func(s *sim.Split, v float64) {
			s.Threads = int(v)
		})
	threads.check = func(_ *scenario.Scenario, v float64) error {
		if v < 1 || v > sim.MaxSplit {
			return fmt.Errorf("threads must be from 1 to %d", sim.MaxSplit)
		}
		return nil
	}
	fork := part(parameter.Parameter{Title: "Fork", Kind: parameter.KindTime,
		Doc: "time to fork its threads, at each entry"},
		func(s *sim.Split) float64 { return s.Fork }, func(s *sim.Split, v float64) { s.Fork = v })
	join := part(parameter.Parameter{Title: "Join", Kind: parameter.KindTime,
		Doc: "time to join its threads, at each exit"},
		func(s *sim.Split) float64 { return s.Join }, func(s *sim.Split, v float64) { s.Join = v })
	for _, f := range []*field{fork, join} {
		f.check = func(c *scenario.Scenario, _ float64) error {
			if c.Machine.Block(b.Type, b.Value).Threads < 2 {
				return fmt.Errorf("%s is not split: set its threads first", name)
			}
			return nil
		}
	}
	return []*field{threads, fork, join}
}

// layModel lists the models and their rules.
func layModel(_ *Simulation, _ int) *layout {
	g := newGrid("Rule", 26, "                 choice")
	g.row("model", []*field{modelField()}, []string{""})
	for i := range sim.RuleTable {
		g.row(sim.RuleTable[i].Name, []*field{ruleField(i)}, []string{""})
	}
	g.row("disable-openmp", []*field{{
		p: &parameter.Parameter{Name: "rule", Title: "Rule disable-openmp", Kind: parameter.KindSwitch,
			Doc: "threads of OpenMP programs do not wait for one another"},
		get: func(c *scenario.Scenario) (float64, bool) {
			if c.NoOpenMP {
				return 1, true
			}
			return 0, true
		},
		set: func(c *scenario.Scenario, v float64) { c.NoOpenMP = v != 0 },
	}}, []string{""})
	return g.l
}

// modelField returns the field for all rules together.
func modelField() *field {
	p := &parameter.Parameter{Name: "model", Title: "Model", Kind: parameter.KindChoice, Doc: "all rules at once"}
	for _, m := range sim.Models {
		p.Choices = append(p.Choices, parameter.Choice{Name: m.Name, Doc: m.Doc})
	}
	return &field{p: p,
		get: func(c *scenario.Scenario) (float64, bool) {
			for i := range sim.Models {
				if sim.Models[i].Rules == c.Rules {
					return float64(i), true
				}
			}
			return 0, false
		},
		set: func(c *scenario.Scenario, v float64) { c.Rules = sim.Models[int(v)].Rules },
	}
}

func ruleField(i int) *field {
	r := &sim.RuleTable[i]
	p := &parameter.Parameter{Name: "rule", Title: "Rule " + r.Name, Kind: parameter.KindChoice,
		Doc: r.Doc + " (" + r.Source + ")"}
	for _, v := range r.Values {
		p.Choices = append(p.Choices, parameter.Choice(v))
	}
	return &field{p: p,
		get: func(c *scenario.Scenario) (float64, bool) { return float64(c.Rules[i]), true },
		set: func(c *scenario.Scenario, v float64) { c.Rules[i] = uint8(v) },
	}
}

// layRuns lists the runs, the last one first.
func layRuns(s *Simulation, width int) *layout {
	titles, room := []string{"time", "of measured", "computing", "vs. marked"}, width-52
	marked := s.history.Marked()
	if marked == nil {
		titles, room = titles[:3], room+12
	}
	g := newGrid("Run", max(min(room, 90), 20), titles...)
	for _, r := range slices.Backward(s.history.Runs()) {
		name := fmt.Sprintf("%d  %s", r.Number, r.Title())
		g.l.cells = append(g.l.cells, cell{label: name, y: g.l.height, w: width - 1})
		g.l.run = append(g.l.run, r)
		versus := ""
		switch marked {
		case nil:
		case r:
			versus = "marked"
		default:
			versus = percentMore(r.Result.Total, marked.Result.Total)
		}
		g.row(name, make([]*field, len(titles)), []string{duration(r.Result.Total),
			fmt.Sprintf("%.3f", float64(r.Result.Total)/max(s.baseline(), 1)),
			quantity.FormatPercent(r.Utilisation), versus})
	}
	if len(g.l.run) == 0 {
		g.l.texts = append(g.l.texts, label{text: "No simulations yet.", x: 1, w: 60})
		g.l.height = 1
	}
	return g.l
}

// percentMore returns how much longer a time is than another, in percent.
func percentMore(a, b int64) string {
	return quantity.FormatChange(float64(a)/max(float64(b), 1) - 1)
}
