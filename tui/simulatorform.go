package tui

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/sim"
	"pview/tui/raster"
)

// The form of the simulator: pages of fields. A field is a parameter of the machine's table, or one made from a table for a
// node, a collective operation, a block of the program or a rule of the model; the form knows no parameter by name. Where fields
// stand is computed from the page and the width alone, so that drawing, keys and mouse agree.

// simPage is a page of the form.
type simPage uint8

const (
	pageMachine simPage = iota
	pageNodes
	pageTasks
	pageCollectives
	pageBlocks
	pageModel
	pageRuns

	numSimPages
)

// simPages are the pages, in the order of their tabs.
var simPages = [numSimPages]struct {
	name, doc string
	lay       func(s *simulator, width int) *formLayout
}{
	pageMachine:     {"Machine", "parameters of all nodes and networks", layMachine},
	pageNodes:       {"Nodes", "each node by itself", layNodes},
	pageTasks:       {"Tasks", "the node of each task", layTasks},
	pageCollectives: {"Collectives", "how each collective operation is charged", layCollectives},
	pageBlocks:      {"Blocks", "make a block of the program so many times faster", layBlocks},
	pageModel:       {"Model", "the rules of the simulation", layModel},
	pageRuns:        {"Runs", "what was simulated so far", layRuns},
}

// simField is something that can be changed.
type simField struct {
	p    *sim.Parameter // what its values are
	get  func(c *scenario) (v float64, same bool)
	set  func(c *scenario, v float64)
	show func(v float64) string // nil: as the parameter does
	// check tells why a value is impossible, where the parameter does not know; nil: none is.
	check func(c *scenario, v float64) error
	// ofAll: of the machine as a whole, where it may have a distribution.
	ofAll bool
}

// distribution is what the field has in place of one value; its Kind is "" where it has one.
func (f *simField) distribution(c *scenario) sim.Distribution {
	if !f.ofAll {
		return sim.Distribution{}
	}
	s, _ := f.p.Setting(c.machine)
	return s.Distribution
}

// to is the field with what it is to be set to, also a distribution.
func (f *simField) to(s sim.Setting) *simField {
	if !f.ofAll {
		return f
	}
	g := *f
	g.set = func(c *scenario, _ float64) { f.p.Apply(c.machine, s) }
	return &g
}

// parse reads what is typed.
func (f *simField) parse(text string) (s sim.Setting, err error) {
	if f.ofAll {
		return f.p.ParseSetting(text)
	}
	s.Value, err = f.p.Parse(text)
	return s, err
}

// ofMachine makes a field of a parameter.
func ofMachine(p *sim.Parameter) *simField {
	return &simField{p: p, get: func(c *scenario) (float64, bool) { return p.Get(c.machine) }, set: func(c *scenario, v float64) { p.Set(c.machine, v) }, ofAll: true}
}

// text is the value of a field as it is shown.
func (f *simField) text(c *scenario) string {
	if d := f.distribution(c); d.Kind != "" {
		return f.p.FormatSetting(sim.Setting{Distribution: d})
	}
	v, same := f.get(c)
	switch {
	case !same:
		return "several"
	case f.show != nil:
		return f.show(v)
	}
	return f.p.Show(v)
}

// formLayout is where everything of a page stands.
type formLayout struct {
	cells  []formCell
	texts  []formText
	head   []formText // above the rest; it does not scroll
	frozen int        // columns at the left that do not scroll sideways
	width  int
	height int
	run    []*simRun // of pageRuns, one per cell
}

// formCell is a field, or a run, and where it stands.
type formCell struct {
	field   *simField
	label   string
	x, y, w int
	labelW  int
	col     int
}

// formText is a text beside fields.
type formText struct {
	text    string
	x, y, w int
	right   bool
	strong  bool
	fixed   bool // it stands in the frozen columns
}

// simForm is where the user is in the form.
type simForm struct {
	page simPage
	at   [numSimPages]int // position in the cells
	top  [numSimPages]int
	left [numSimPages]int

	layout   *formLayout
	laidPage simPage
	laidFor  int         // width
	body     raster.Rect // of the fields in the pane, as last drawn
}

func (f *simForm) invalidate() { f.layout = nil }

// lay returns the layout of the page that is shown.
func (s *simulator) lay(width int) *formLayout {
	f := &s.form
	if f.layout == nil || f.laidPage != f.page || f.laidFor != width {
		f.layout, f.laidPage, f.laidFor = simPages[f.page].lay(s, width), f.page, width
	}
	f.at[f.page] = max(min(f.at[f.page], len(f.layout.cells)-1), 0)
	return f.layout
}

// cell is the one at the cursor; nil where there is none.
func (s *simulator) cell() *formCell {
	l := s.form.layout
	if l == nil || len(l.cells) == 0 {
		return nil
	}
	return &l.cells[min(s.form.at[s.form.page], len(l.cells)-1)]
}

// columnWidth is the least width of a column of fields: a title, a value, a mark and a gap.
const columnWidth = 38

// layMachine puts groups of fields side by side, in columns of about the same height. What does not matter on the machine, such as the quantum of
// another policy, is left out.
func layMachine(s *simulator, width int) *formLayout {
	type group struct {
		name   string
		fields []*simField
	}
	var groups []group
	titles, lines := 0, 0
	for _, name := range sim.ParameterGroups {
		g := group{name: name}
		for i := range sim.Parameters {
			if p := &sim.Parameters[i]; p.Group == name && (p.Applies == nil || p.Applies(s.now.machine)) {
				g.fields = append(g.fields, ofMachine(p))
				titles = max(titles, raster.TextWidth(p.Title))
			}
		}
		if g.fields != nil {
			groups = append(groups, g)
			lines += len(g.fields) + 1
		}
	}
	columns := max(min(width/columnWidth, len(groups)), 1)
	each := width / columns
	l := &formLayout{width: width}
	// The height is the least at which the groups fit, one after the other.
	fits := func(height int) bool {
		col, y := 0, 0
		for _, g := range groups {
			if y > 0 && y+len(g.fields)+1 > height {
				col, y = col+1, 0
			}
			y += len(g.fields) + 1
		}
		return col < columns
	}
	height := lines / columns
	for !fits(height) {
		height++
	}
	col, y := 0, 0
	for _, g := range groups {
		if y > 0 && y+len(g.fields)+1 > height {
			col, y = col+1, 0
		}
		x := col * each
		l.texts = append(l.texts, formText{text: g.name, x: x + 1, y: y, w: each - 2, strong: true})
		y++
		for _, f := range g.fields {
			l.cells = append(l.cells, formCell{field: f, label: f.p.Title, x: x + 1, y: y, w: each - 3, labelW: min(titles, each/2) + 1, col: col})
			y++
		}
		l.height = max(l.height, y)
	}
	return l
}

// grid lays out a table of fields: rows with a name and notes, columns with a title.
type grid struct {
	l       *formLayout
	nameW   int
	columns []int // widths
	x       []int
}

func newGrid(nameTitle string, nameW int, titles ...string) *grid {
	g := &grid{l: &formLayout{}, nameW: nameW}
	g.l.frozen = nameW + 2
	g.l.head = append(g.l.head, formText{text: nameTitle, x: 1, w: nameW, fixed: true})
	x := nameW + 2
	for _, t := range titles {
		w := max(raster.TextWidth(t), 10)
		g.columns, g.x = append(g.columns, w), append(g.x, x)
		g.l.head = append(g.l.head, formText{text: t, x: x, w: w, right: true})
		x += w + 2
	}
	g.l.width = x
	return g
}

// row adds a row; a nil field leaves its place to a note.
func (g *grid) row(name string, fields []*simField, notes []string) {
	y := g.l.height
	g.l.texts = append(g.l.texts, formText{text: name, x: 1, y: y, w: g.nameW, fixed: true})
	for i, f := range fields {
		if f != nil {
			g.l.cells = append(g.l.cells, formCell{field: f, label: name, x: g.x[i], y: y, w: g.columns[i], col: i})
		} else if notes[i] != "" {
			g.l.texts = append(g.l.texts, formText{text: notes[i], x: g.x[i], y: y, w: g.columns[i], right: true})
		}
	}
	g.l.height++
}

// maxNodeRows bounds the rows of the pages of nodes and tasks.
const maxNodeRows = 2048

func layNodes(s *simulator, _ int) *formLayout {
	m := s.now.machine
	titles := []string{"tasks"}
	var params []*sim.Parameter
	for i := range sim.Parameters {
		if p := &sim.Parameters[i]; p.Node != nil && (p.Applies == nil || p.Applies(m)) {
			params = append(params, p)
			title := strings.ToLower(p.Title)
			if p.Group == sim.GroupLocal {
				title = "local " + title
			}
			titles = append(titles, title)
		}
	}
	g := newGrid("Node", 10, titles...)
	load, err := m.Load(s.program)
	for n := range min(len(m.Nodes), maxNodeRows) {
		notes, fields := make([]string, len(titles)), make([]*simField, len(titles))
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

// layTasks lists the tasks and where they run. To move one writes down the places of all.
func layTasks(s *simulator, _ int) *formLayout {
	g := newGrid("Task", 12, "threads", "node", "computation")
	prog := s.program
	places := map[*sim.Machine][]int32{} // of the machine now, and of the one that was loaded
	placement := func(m *sim.Machine) []int32 {
		at, ok := places[m]
		if !ok {
			at, _ = m.Placement(prog)
			places[m] = at
		}
		return at
	}
	for t := range min(len(prog.Tasks), maxNodeRows) {
		p := &sim.Parameter{Name: "placement", Title: "Node of task " + prog.TaskName(int32(t)), Kind: sim.KindCount, Default: float64(t + 1),
			Doc: "numbered from 1; the other tasks stay where they are (mapping EXPLICIT)"}
		f := &simField{p: p, get: func(c *scenario) (float64, bool) {
			if at := placement(c.machine); at != nil {
				return float64(at[t] + 1), true
			}
			return 0, true
		}, set: func(c *scenario, v float64) { c.machine.Place(prog, t, int(v)-1) }}
		f.check = func(c *scenario, v float64) error {
			if n := len(c.machine.Nodes); v < 1 || int(v) > n {
				return fmt.Errorf("there is no node %g, but nodes 1 to %d", v, n)
			}
			return nil
		}
		g.row("task "+prog.TaskName(int32(t)), []*simField{nil, f, nil},
			[]string{fmt.Sprint(prog.Tasks[t].Threads), "", raster.FormatDuration(int64(s.computation[t]), prv.Nanoseconds)})
	}
	return g.l
}

// modelChoices and sizeChoices are what a stage of a collective operation can be.
func modelChoices() (list []sim.Choice) {
	for _, m := range sim.CollectiveModels {
		list = append(list, sim.Choice{Name: m.Name, Doc: m.Doc})
	}
	return append(list, sim.Choice{Name: "default", Doc: "the model of the network"})
}

func sizeChoices() (list []sim.Choice) {
	for _, z := range sim.CollectiveSizes {
		list = append(list, sim.Choice{Name: z.Name, Doc: z.Doc})
	}
	list[sim.SizeCurrent].Name = "as called"
	return list
}

// layCollectives lists the operations, those of the program first.
func layCollectives(s *simulator, _ int) *formLayout {
	g := newGrid("Operation", 22, "calls", "fan-in model", "fan-in size", "fan-out model", "fan-out size")
	ops := make([]int, len(sim.Collectives))
	for i := range ops {
		ops[i] = i
	}
	slices.SortStableFunc(ops, func(a, b int) int { return int(min(s.ops[b], 1) - min(s.ops[a], 1)) })
	models, sizes := modelChoices(), sizeChoices()
	for _, op := range ops {
		field := func(title string, choices []sim.Choice, get func(*sim.CollectiveCost) uint8, set func(*sim.CollectiveCost, uint8)) *simField {
			p := &sim.Parameter{Name: "collective", Group: sim.GroupCollectives, Title: title + " of " + sim.Collectives[op], Kind: sim.KindChoice, Choices: choices,
				Doc: "of all networks"}
			p.Get = func(m *sim.Machine) (float64, bool) {
				if len(m.Clusters) == 0 {
					return 0, true
				}
				v, same := get(&m.Clusters[0].Collectives[op]), true
				for i := range m.Clusters {
					same = same && get(&m.Clusters[i].Collectives[op]) == v
				}
				return float64(v), same
			}
			p.Set = func(m *sim.Machine, v float64) {
				for i := range m.Clusters {
					set(&m.Clusters[i].Collectives[op], uint8(v))
				}
				set(&m.WAN.Collectives[op], uint8(v))
			}
			if p.Default = 0; choices[len(choices)-1].Name == "default" {
				p.Default = float64(sim.ModelDefault)
			}
			return ofMachine(p)
		}
		calls := ""
		if s.ops[op] > 0 {
			calls = raster.FormatCount(s.ops[op])
		}
		g.row(sim.Collectives[op], []*simField{nil,
			field("fan-in model", models, func(c *sim.CollectiveCost) uint8 { return uint8(c.FanIn.Model) }, func(c *sim.CollectiveCost, v uint8) { c.FanIn.Model = sim.CollectiveModel(v) }),
			field("fan-in size", sizes, func(c *sim.CollectiveCost) uint8 { return uint8(c.FanIn.Size) }, func(c *sim.CollectiveCost, v uint8) { c.FanIn.Size = sim.CollectiveSize(v) }),
			field("fan-out model", models, func(c *sim.CollectiveCost) uint8 { return uint8(c.FanOut.Model) }, func(c *sim.CollectiveCost, v uint8) { c.FanOut.Model = sim.CollectiveModel(v) }),
			field("fan-out size", sizes, func(c *sim.CollectiveCost) uint8 { return uint8(c.FanOut.Size) }, func(c *sim.CollectiveCost, v uint8) { c.FanOut.Size = sim.CollectiveSize(v) }),
		}, []string{calls, "", "", "", ""})
	}
	return g.l
}

// maxBlocks bounds the rows of the page of blocks.
const maxBlocks = 500

// layBlocks lists the blocks of the program that have a name or a factor, the most computation first.
func layBlocks(s *simulator, width int) *formLayout {
	g := newGrid("Block", max(min(width-57, 60), 20), "computation", "share", "entered", "times faster")
	labels := s.measured.Data.Labels
	whole := 1.0
	for _, ns := range s.computation {
		whole += ns
	}
	for _, b := range s.blocks {
		_, named := labels.Type(b.Type)
		if !named && s.now.machine.ModuleRatio(b.Type, b.Value) == 1 {
			continue
		}
		if len(g.l.cells) == maxBlocks {
			break
		}
		p := &sim.Parameter{Name: "module", Title: "Block " + s.blockName(b.Type, b.Value), Kind: sim.KindRatio, Default: 1, Word: "no time",
			Doc: fmt.Sprintf("its computation is so many times faster: 2 takes half the time, 0.5 twice, 0 none (event %d:%d, %s)", b.Type, b.Value, labels.TypeName(b.Type)),
			Get: func(m *sim.Machine) (float64, bool) { return m.ModuleRatio(b.Type, b.Value), true },
			Set: func(m *sim.Machine, v float64) { m.SetModule(sim.Module{Type: b.Type, Value: b.Value, Ratio: v}) }}
		f := ofMachine(p)
		f.show = func(v float64) string {
			if v < 0 {
				return ratioText(v)
			}
			return p.Show(v)
		}
		g.row(s.blockName(b.Type, b.Value), []*simField{nil, nil, nil, f}, []string{raster.FormatDuration(int64(b.Computation), prv.Nanoseconds),
			fmt.Sprintf("%.1f %%", 100*b.Computation/whole), raster.FormatCount(b.Times), ""})
	}
	if len(g.l.cells) == 0 {
		g.l.texts = append(g.l.texts, formText{text: "The trace has no events that begin and end blocks of computation, such as user functions.", x: 1, w: 100})
		g.l.height = 1
	}
	return g.l
}

// layModel lists the models and their rules.
func layModel(_ *simulator, _ int) *formLayout {
	g := newGrid("Rule", 26, "                 choice")
	model := &sim.Parameter{Name: "model", Title: "Model", Kind: sim.KindChoice, Doc: "all rules at once"}
	for _, m := range sim.Models {
		model.Choices = append(model.Choices, sim.Choice{Name: m.Name, Doc: m.Doc})
	}
	g.row("model", []*simField{{p: model,
		get: func(c *scenario) (float64, bool) {
			i := slices.IndexFunc(sim.Models[:], func(m struct {
				Name, Doc string
				Rules     sim.Rules
			}) bool {
				return m.Rules == c.rules
			})
			return float64(max(i, 0)), i >= 0
		},
		set: func(c *scenario, v float64) { c.rules = sim.Models[int(v)].Rules }}}, []string{""})
	for i := range sim.RuleTable {
		r := &sim.RuleTable[i]
		p := &sim.Parameter{Name: "rule", Title: "Rule " + r.Name, Kind: sim.KindChoice, Doc: r.Doc + " (" + r.Source + ")"}
		for _, v := range r.Values {
			p.Choices = append(p.Choices, sim.Choice(v))
		}
		g.row(r.Name, []*simField{{p: p,
			get: func(c *scenario) (float64, bool) { return float64(c.rules[i]), true },
			set: func(c *scenario, v float64) { c.rules[i] = uint8(v) }}}, []string{""})
	}
	g.row("disable-openmp", []*simField{{p: &sim.Parameter{Name: "rule", Title: "Rule disable-openmp", Kind: sim.KindSwitch, Doc: "threads of OpenMP programs do not wait for one another"},
		get: func(c *scenario) (float64, bool) {
			if c.noOpenMP {
				return 1, true
			}
			return 0, true
		},
		set: func(c *scenario, v float64) { c.noOpenMP = v != 0 }}}, []string{""})
	return g.l
}

// layRuns lists the runs, the last one first.
func layRuns(s *simulator, width int) *formLayout {
	titles, room := []string{"time", "of measured", "efficiency", "vs. marked"}, width-52
	if s.marked == nil {
		titles, room = titles[:3], room+12
	}
	g := newGrid("Run", max(min(room, 90), 20), titles...)
	base := s.baseline()
	for i := len(s.runs) - 1; i >= 0; i-- {
		r := s.runs[i]
		y := g.l.height
		name := fmt.Sprintf("%d  %s", r.number, r.title())
		g.l.cells = append(g.l.cells, formCell{label: name, x: 0, y: y, w: width - 1})
		g.l.run = append(g.l.run, r)
		versus := ""
		switch {
		case s.marked == r:
			versus = "marked"
		case s.marked != nil:
			versus = fmt.Sprintf("%+.2f %%", 100*(float64(r.result.Total)/max(float64(s.marked.result.Total), 1)-1))
		}
		g.row(name, make([]*simField, len(titles)), []string{raster.FormatDuration(r.result.Total, prv.Nanoseconds),
			fmt.Sprintf("%.3f", float64(r.result.Total)/max(base, 1)), fmt.Sprintf("%.1f %%", 100*r.efficiency), versus})
	}
	if len(s.runs) == 0 {
		g.l.texts = append(g.l.texts, formText{text: "Nothing was simulated yet.", x: 1, w: 60})
		g.l.height = 1
	}
	return g.l
}

// move goes to a field in a direction: up and down within a column, sideways to the column beside it, at the same height as
// far as that goes.
func (s *simulator) move(dx, dy int) {
	l := s.form.layout
	c := s.cell()
	if c == nil {
		return
	}
	best, bestCost := -1, 0
	for i := range l.cells {
		o := &l.cells[i]
		var cost int
		switch {
		case dy != 0:
			d := (o.y - c.y) * dy
			if o.col != c.col || d <= 0 {
				continue
			}
			cost = d
		case dx != 0:
			d := (o.col - c.col) * dx
			if d <= 0 {
				continue
			}
			cost = d*10000 + max(o.y-c.y, c.y-o.y)
		}
		if best < 0 || cost < bestCost {
			best, bestCost = i, cost
		}
	}
	if best < 0 && dy != 0 { // over the end of a column to the next
		best = s.form.at[s.form.page] + dy
		if best < 0 || best >= len(l.cells) || l.cells[best].col == c.col {
			return
		}
	}
	if best >= 0 {
		s.form.at[s.form.page] = best
	}
}

// cellAt returns the position of the cell at a place of the body.
func (s *simulator) cellAt(x, y int) int {
	l, f := s.form.layout, &s.form
	if l == nil {
		return -1
	}
	y += f.top[f.page]
	if x >= l.frozen {
		x += f.left[f.page]
	}
	return slices.IndexFunc(l.cells, func(c formCell) bool { return c.y == y && x >= c.x && x < c.x+c.w })
}
