package study

// What a study can vary: any parameter of the machine, a parameter of some nodes, the speed of a block of the program,
// the cost of a collective operation, the placement of tasks, the machine as a whole, the model and its individual
// rules. Each is a Quantity, found by its name in one list of families.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// Column describes an input or an output of the runs of a study.
type Column struct {
	Name string
	Unit string // "ns", "MB/s" of 2^20 bytes, "B", "share" of 1, "%", and others; "" for a plain number
	// Levels are the texts of a non-numeric column, indexed by its values; nil: numbers.
	Levels []string
}

// notations are the quantities of units.
var notations = map[string]*quantity.Kind{"ns": quantity.Time, "MB/s": quantity.MachineRate, "B": quantity.Bytes,
	"share": quantity.Share, "%": quantity.Percent}

// Notation writes the values for people; nil for plain numbers and other units.
func (c *Column) Notation() *quantity.Kind { return notations[c.Unit] }

// Ends are words for the least and the greatest value: for times, the least is the best.
func (c *Column) Ends() (least, greatest string) {
	if c.Unit == "ns" {
		return "best", "worst"
	}
	return "least", "greatest"
}

// Text writes a value so that the quantity's Parse reads it back exactly.
func (c *Column) Text(v float64) string {
	if c.Levels != nil {
		if i := int(v); i >= 0 && i < len(c.Levels) {
			return c.Levels[i]
		}
		return ""
	}
	return fmt.Sprintf("%v", v)
}

// Quantity is something that a study can vary. Values are in the unit of the column; for a quantity of words they index
// the words of the variable or axis; see Setter.
type Quantity struct {
	Name string
	Unit string
	Kind parameter.Kind
	// Words: the values are texts, not numbers, and only a list as density.
	Words bool
	// Whole: values are rounded to whole numbers.
	Whole bool
	// Above and Most are the physical range of random values: > Above (>= Above if Closed), <= Most.
	Above, Most float64
	Closed      bool
	// First: it overrides what others set, so it is applied before them.
	First bool

	// Parse reads a number; Show writes it for people. Nil for a quantity of words.
	Parse func(text string) (float64, error)
	Show  func(v float64) string
	// Get returns the value of a case, false if it differs from node to node or is not a number.
	Get func(c *Case) (float64, bool)
	// amount reads an argument of a density, which need not be whole.
	amount func(text string) (float64, error)
	// scale is parameter.Parameter.Scale.
	scale func(v, factor float64) (float64, bool)
	// Set changes a case, which must have its own machine.
	Set func(c *Case, v float64)
	// Setter checks a text and returns its change. For a quantity of numbers it follows from Parse and Set.
	Setter func(text string) (func(c *Case), error)
	// Check reports that a case does not have the quantity; nil: all have it.
	Check func(c *Case) error
}

// families find the quantities by name, in this order.
var families = []struct {
	Name, Doc string
	find      func(name string) *Quantity
}{
	{"PARAMETER", "a parameter of the machine (pview list parameters)", parameterQuantity},
	{"TEXT",
		"what a flag of pview sim with a text sets: topology, collective-network, algorithm, split, node, " +
			"collective, module, scheduler, comms, random", textQuantity},
	{"disable-openmp", "yes or no: only the masters of OpenMP programs are simulated", openMPQuantity},
	{"machine", "the machine as a whole: names and configurations", machineQuantity},
	{"model", "the model of the simulation (pview list models)", modelQuantity},
	{"RULE", "a rule of the model (pview list rules)", ruleQuantity},
	{"placement", "node of each task: [1,1,2,2]", placementQuantity},
	{"OPERATION", "cost of a collective operation, FAN-IN+FAN-OUT: LOG:MAX+LOG:MAX (pview list collectives)",
		collectiveQuantity},
	{"TYPE:VALUE", "speed of a block of the program: 2 computes twice as fast", blockQuantity},
	{"split:TYPE:VALUE", "number of threads that share a block of the program (pview sim --split)", splitQuantity},
	{"NODE:PARAMETER", "a parameter of one node, or of several: 3:cpu-ratio, 1-4:latency", nodeQuantity},
}

// QuantityKinds lists the families of quantities, for the help.
func QuantityKinds() (rows [][2]string) {
	for _, f := range families {
		rows = append(rows, [2]string{f.Name, f.Doc})
	}
	return rows
}

// quantityByName finds a quantity.
func quantityByName(name string) (*Quantity, error) {
	name = strings.TrimSpace(name)
	for _, f := range families {
		if q := f.find(name); q != nil {
			if q.Setter == nil {
				q.Setter = func(text string) (func(*Case), error) {
					v, err := q.Parse(text)
					return func(c *Case) { q.Set(c, v) }, err
				}
			}
			return q, nil
		}
	}
	return nil, fmt.Errorf("there is no parameter %q", name)
}

// units are the units of values by kind.
var units = map[parameter.Kind]string{parameter.KindTime: "ns", parameter.KindBandwidth: "MB/s",
	parameter.KindSize: "B"}

// number returns a quantity with the notation and range of a parameter.
func number(name string, p *parameter.Parameter) *Quantity {
	q := &Quantity{Name: name, Unit: units[p.Kind], Kind: p.Kind, Most: math.MaxFloat64,
		Whole: p.Kind == parameter.KindCount ||
			p.Kind == parameter.KindSize, Parse: p.Parse, Show: p.Show, scale: p.Scale,
		amount: p.Parse}
	switch p.Kind {
	case parameter.KindTime, parameter.KindSize: // may be 0
		q.Closed = true
	case parameter.KindCount:
		q.Most = 1<<22 - 1
		q.amount = func(text string) (float64, error) { return quantity.Number.Parse(text, 1) }
	case parameter.KindNumber:
		q.Above, q.Closed = -1e9, true
	}
	return q
}

func parameterQuantity(name string) *Quantity {
	p := parameter.ByName(name)
	if p == nil {
		return nil
	}
	q := number(name, p)
	q.Words = p.Kind == parameter.KindChoice || p.Kind == parameter.KindSwitch
	q.Get = func(c *Case) (float64, bool) { return p.Get(c.Machine) }
	q.Set = func(c *Case, v float64) {
		p.Set(c.Machine, v)
		c.Given.Note(p.Name)
	}
	q.Setter = func(text string) (func(*Case), error) {
		s, err := p.ParseSetting(text) // also a distribution, from which each use draws
		return func(c *Case) {
			p.Apply(c.Machine, s)
			c.Given.Note(p.Name)
		}, err
	}
	return q
}

func nodeQuantity(name string) *Quantity {
	n, ok := scenario.ParseNodeParameter(name)
	if !ok || n.Parameter == nil || n.Node == nil {
		return nil
	}
	q := number(name, n.Parameter)
	q.Get = func(c *Case) (float64, bool) {
		if n.First < 0 || n.First >= len(c.Machine.Nodes) {
			return 0, false
		}
		return n.Node.Get(&c.Machine.Nodes[n.First]), n.First == n.Last
	}
	q.Set = func(c *Case, v float64) { n.Set(c.Machine, v) }
	q.Check = func(c *Case) error { return n.Check(c.Machine) }
	return q
}

func blockQuantity(name string) *Quantity {
	typ, value, ok := parseBlock(name)
	if !ok {
		return nil
	}
	ratio := parameter.ByName("cpu-ratio")
	q := number(name, ratio)
	q.Get = func(c *Case) (float64, bool) { return c.Machine.ModuleRatio(typ, value), true }
	q.Set = func(c *Case, v float64) { c.Machine.SetBlockSpeed(typ, value, v) }
	return q
}

func splitQuantity(name string) *Quantity {
	block, ok := strings.CutPrefix(name, "split:")
	typ, value, isBlock := parseBlock(block)
	if !ok || !isBlock {
		return nil
	}
	q := number(name, &parameter.Parameter{Name: name, Kind: parameter.KindCount})
	q.Most, q.Above, q.Closed = sim.MaxSplit, 1, true
	q.Parse = func(text string) (float64, error) {
		v, err := q.amount(text)
		if err == nil && (v < 1 || v > sim.MaxSplit || v != math.Trunc(v)) {
			err = fmt.Errorf("must be a whole number from 1 to %d, not %q", sim.MaxSplit, text)
		}
		return v, err
	}
	q.Get = func(c *Case) (float64, bool) { return float64(max(c.Machine.Block(typ, value).Threads, 1)), true }
	q.Set = func(c *Case, v float64) {
		b := c.Machine.Block(typ, value)
		b.Threads = int(v)
		c.Machine.SetModule(b)
	}
	return q
}

// words makes a quantity of texts.
func words(name string, setter func(text string) (func(*Case), error)) *Quantity {
	return &Quantity{Name: name, Kind: parameter.KindChoice, Words: true, Setter: setter}
}

func machineQuantity(name string) *Quantity {
	if name != "machine" {
		return nil
	}
	q := words(name, func(text string) (func(*Case), error) {
		machine, class, err := scenario.MachineByName(text)
		return func(c *Case) { c.Machine, c.Room, c.Given = machine(c.Program), class, parameter.Given{} }, err
	})
	q.First = true
	return q
}

// texts are the flags of pview sim that take a text, in addition to parameter.Texts. early: the text can be checked
// without a case.
var texts = []struct {
	name  string
	early bool
	set   func(m *sim.Machine, text string) error
}{
	{"node", false, scenario.SetNode},
	{"collective", true, scenario.SetCollective},
	{"module", true, func(m *sim.Machine, text string) error {
		mod, err := scenario.ParseModule(text)
		if err == nil {
			m.SetBlockSpeed(mod.Type, mod.Value, mod.Ratio)
		}
		return err
	}},
	{"scheduler", true, func(m *sim.Machine, path string) (err error) {
		m.Scheduler, err = dimemas.OpenScheduler(path)
		return err
	}},
	{"comms", true, dimemas.OpenCommunications},
	{"random", true, dimemas.OpenRandom},
}

func textQuantity(name string) *Quantity {
	if x := parameter.TextByName(name); x != nil {
		return machineText(name, true, x.Set)
	}
	for _, x := range texts {
		if x.name == name {
			return machineText(name, x.early, x.set)
		}
	}
	return nil
}

// machineText returns a quantity of texts that change a machine; an invalid text becomes the machine's Fault.
func machineText(name string, early bool, set func(*sim.Machine, string) error) *Quantity {
	return words(name, func(text string) (_ func(*Case), err error) {
		if early {
			err = set(sim.Ideal(1), text)
		}
		return func(c *Case) {
			if err := set(c.Machine, text); err != nil {
				c.Machine.Fault = fmt.Errorf("%s: %w", name, err)
			}
		}, err
	})
}

func openMPQuantity(name string) *Quantity {
	if name != "disable-openmp" {
		return nil
	}
	return words(name, func(text string) (func(*Case), error) {
		switch strings.ToLower(text) {
		case "yes", "true", "1":
			return func(c *Case) { c.NoOpenMP = true }, nil
		case "no", "false", "0":
			return func(c *Case) { c.NoOpenMP = false }, nil
		}
		return nil, fmt.Errorf("must be yes or no, not %q", text)
	})
}

func modelQuantity(name string) *Quantity {
	if name != "model" {
		return nil
	}
	q := words(name, func(text string) (func(*Case), error) {
		rules, err := sim.ModelRules(text)
		return func(c *Case) { c.Rules = rules }, err
	})
	q.First = true
	return q
}

func ruleQuantity(name string) *Quantity {
	rule, ok := sim.RuleByName(name)
	if !ok {
		return nil
	}
	return words(name, func(text string) (func(*Case), error) {
		var r sim.Rules
		err := r.Set(name, text)
		return func(c *Case) { c.Rules[rule] = r[rule] }, err
	})
}

func placementQuantity(name string) *Quantity {
	if name != "placement" {
		return nil
	}
	return words(name, func(text string) (func(*Case), error) {
		mapping, err := sim.ParseMappings(text)
		return func(c *Case) { c.Machine.Mapping = slices.Clone(mapping) }, err
	})
}

func collectiveQuantity(name string) *Quantity {
	op := scenario.CollectiveByName(name)
	if op < 0 {
		return nil
	}
	return words(name, func(text string) (func(*Case), error) {
		cost, err := scenario.ParseCost(strings.ReplaceAll(text, "+", ","))
		return func(c *Case) { scenario.SetCost(c.Machine, op, cost) }, err
	})
}
