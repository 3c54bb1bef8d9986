package simulator

// A field is a parameter of the machine's table, or one made from a table for a node, a collective operation, a block
// of the program or a rule of the model; the form knows no parameter by name.

import (
	"strings"

	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// field is a changeable value.
type field struct {
	p    *parameter.Parameter // the kind of its values
	get  func(c *scenario.Scenario) (v float64, same bool)
	set  func(c *scenario.Scenario, v float64)
	show func(v float64) string // nil: as the parameter does
	// look changes what the page shows instead of the machine; nil: set changes the machine.
	look func(v float64)
	// check explains why a value is impossible, if the parameter cannot tell; nil: no value is.
	check func(c *scenario.Scenario, v float64) error
	// ofAll: of the whole machine, which may have a distribution.
	ofAll bool
	// typing is the text that can replace a choice; nil: none.
	typing *parameter.Text
}

// distribution stands in the field in place of one value; its Kind is "" if it has one value.
func (f *field) distribution(c *scenario.Scenario) sim.Distribution {
	if !f.ofAll {
		return sim.Distribution{}
	}
	s, _ := f.p.Setting(c.Machine)
	return s.Distribution
}

// to returns the field with its new value, possibly a distribution.
func (f *field) to(s parameter.Setting) *field {
	if !f.ofAll {
		return f
	}
	g := *f
	g.set = func(c *scenario.Scenario, _ float64) { f.p.Apply(c.Machine, s) }
	return &g
}

// parse reads a typed value.
func (f *field) parse(text string) (s parameter.Setting, err error) {
	if f.ofAll {
		return f.p.ParseSetting(text)
	}
	s.Value, err = f.p.Parse(text)
	return s, err
}

// chosen reports whether its values are chosen, not typed.
func (f *field) chosen() bool {
	return f.p.Kind == parameter.KindChoice || f.p.Kind == parameter.KindSwitch
}

// scaled returns the field of all nodes if they differ: set to a factor it multiplies the value of each.
func (f *field) scaled() *field {
	g := *f
	g.set = func(c *scenario.Scenario, factor float64) {
		for i := range c.Machine.Nodes {
			n := &c.Machine.Nodes[i]
			if v, ok := f.p.Scale(f.p.Node.Get(n), factor); ok {
				f.p.Node.Set(n, v)
			}
		}
	}
	return &g
}

// asOn returns the field of all nodes that sets each to its value on another machine.
func (f *field) asOn(m *sim.Machine) *field {
	g := *f
	g.set = func(c *scenario.Scenario, _ float64) {
		for i := range c.Machine.Nodes {
			f.p.Node.Set(&c.Machine.Nodes[i], f.p.Node.Get(&m.Nodes[min(i, len(m.Nodes)-1)]))
		}
	}
	return &g
}

// typed returns the value as users type it; "" if there is no such form.
func (f *field) typed(c scenario.Scenario) string {
	if f.distribution(&c).Kind != "" {
		return f.text(&c)
	}
	v, same := f.get(&c)
	if !same || f.p.Word != "" && v == f.p.Special {
		return ""
	}
	return f.p.Format(v)
}

// units names the units in which a value can be typed.
func (f *field) units() string {
	k := &parameter.Kinds[f.p.Kind]
	if k.Shown == nil {
		return ""
	}
	var names []string
	for _, u := range k.Shown {
		names = append(names, u.Name)
	}
	return " with a unit (" + strings.Join(names, ", ") + "; without one " + k.Unit + ")"
}

// ofMachine makes a field of a parameter.
func ofMachine(p *parameter.Parameter) *field {
	return &field{p: p, get: func(c *scenario.Scenario) (float64, bool) {
		return p.Get(c.Machine)
	}, set: func(c *scenario.Scenario, v float64) { p.Set(c.Machine, v) }, ofAll: true}
}

// text returns the displayed value of a field.
func (f *field) text(c *scenario.Scenario) string {
	if d := f.distribution(c); d.Kind != "" {
		return f.p.FormatSetting(parameter.Setting{Distribution: d})
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
