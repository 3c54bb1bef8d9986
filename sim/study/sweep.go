package study

// Sweeps: one or several parameters take a series of values.

import (
	"context"
	"fmt"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
)

// Axis is a quantity and its values.
type Axis struct {
	Name   string
	Unit   string // of the numbers: "ns", "MB/s", "B", "" for none
	Names  bool   // values are names, not numbers
	Values []Value
	first  bool
	get    func(c *Case) (float64, bool) // Quantity.Get
}

// Value is a value of an axis: its text, its number, and its effect on a case.
type Value struct {
	Text   string
	Number float64
	Apply  func(c *Case)
}

// Input returns the axis as an input; its values are the indices of Values if they are names.
func (a *Axis) Input() Input {
	in := Input{Column: Column{Name: a.Name, Unit: a.Unit}, First: a.first, get: a.get}
	byNumber := map[float64]int{}
	for i, v := range a.Values {
		if a.Names {
			in.Levels = append(in.Levels, v.Text)
		}
		byNumber[a.at(i)] = i
	}
	in.Apply = func(c *Case, v float64) { a.Values[byNumber[v]].Apply(c) }
	return in
}

// at returns the value of the input at an index of Values.
func (a *Axis) at(i int) float64 {
	if a.Names {
		return float64(i)
	}
	return a.Values[i].Number
}

// maxValues bounds the values of an axis, and the points of a sweep.
const maxValues = 1 << 16

// ParseAxis reads NAME=VALUES: a quantity and a list (0,25us,1ms), a range with a step (0..100us+10us) or a range with
// a factor (1us..10ms*10), or a sequence of these.
func ParseAxis(text string) (Axis, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || strings.TrimSpace(list) == "" {
		return Axis{}, fmt.Errorf("%q is not NAME=VALUES, such as latency=1us..10ms*10", text)
	}
	q, err := quantityByName(name)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Name: q.Name, Unit: q.Unit, Names: q.Words, first: q.First, get: q.Get}
	for _, part := range splitList(list) {
		if err := a.parse(q, part); err != nil {
			return Axis{}, fmt.Errorf("%s: %w", q.Name, err)
		}
		if len(a.Values) > maxValues {
			return Axis{}, fmt.Errorf("%s: more than %d values", q.Name, maxValues)
		}
	}
	return a, nil
}

// ParseSetting reads NAME=VALUE: a quantity and one value, which may contain commas. The value has no number.
func ParseSetting(text string) (Value, error) {
	name, value, ok := strings.Cut(text, "=")
	if value = strings.TrimSpace(value); !ok || value == "" {
		return Value{}, fmt.Errorf("%q is not NAME=VALUE, such as latency=1us", text)
	}
	q, err := quantityByName(name)
	if err != nil {
		return Value{}, err
	}
	set, err := q.Setter(value)
	switch {
	case err != nil && len(splitList(value)) > 1:
		return Value{}, fmt.Errorf("%s takes one value, not %q", q.Name, value)
	case err != nil:
		return Value{}, fmt.Errorf("%s: %w", q.Name, err)
	}
	return Value{Text: value, Apply: set}, nil
}

// parse appends the values of a part of the list.
func (a *Axis) parse(q *Quantity, part string) error {
	if q.Parse != nil && strings.Contains(part, "..") {
		values, err := parseRange(q, part)
		for _, v := range values {
			a.Values = append(a.Values, Value{q.Show(v), v, func(c *Case) { q.Set(c, v) }})
		}
		return err
	}
	set, err := q.Setter(part)
	if err != nil {
		return err
	}
	v := Value{part, float64(len(a.Values)), set}
	if q.Parse != nil {
		if v.Number, err = q.Parse(part); err != nil { // a distribution
			a.Names, a.Unit = true, ""
		} else {
			v.Text = q.Show(v.Number)
		}
	}
	a.Values = append(a.Values, v)
	return nil
}

// parseRange reads A..B+STEP or A..B*FACTOR. The end is included, even if steps miss it by rounding.
func parseRange(p *Quantity, text string) ([]float64, error) {
	first, rest, _ := strings.Cut(text, "..")
	at := strings.LastIndexAny(rest, "+*")
	if at < 0 {
		return nil, fmt.Errorf("the range %q needs a step (+10us) or a factor (*10)", text)
	}
	low, err := p.Parse(first)
	if err != nil {
		return nil, err
	}
	high, err := p.Parse(rest[:at])
	if err != nil {
		return nil, err
	}
	var values []float64
	if rest[at] == '+' {
		step, err := p.Parse(rest[at+1:])
		if err != nil || step <= 0 || high < low || (high-low)/step > maxValues {
			return nil, fmt.Errorf("the range %q goes up by a step above 0, in at most %d steps", text, maxValues)
		}
		for i := 0; low+float64(i)*step <= high+step/1e6; i++ {
			values = append(values, low+float64(i)*step)
		}
		return values, nil
	}
	factor, err := quantity.Number.Parse(rest[at+1:], 1)
	if err != nil || factor <= 1 || low <= 0 || high < low {
		return nil, fmt.Errorf("the range %q goes from above 0 up by a factor above 1", text)
	}
	for v := low; v <= high*(1+1e-9) && len(values) <= maxValues; v *= factor {
		values = append(values, v)
	}
	return values, nil
}

// Point is one simulation of a sweep.
type Point struct {
	Subject int
	At      []int // by axis: index of the value
	Outcome
	// Slowdown is relative to the subject's baseline, Speedup to the first subject at the same values; 0 if there is
	// none.
	Slowdown, Speedup float64
}

// Grid is a design of all combinations of some cases with the values of axes; the last axis varies fastest.
type Grid struct {
	Cases []Case
	Axes  []Axis
	each  int // combinations for each case
}

// NewGrid makes a grid.
func NewGrid(cases []Case, axes []Axis) (*Grid, error) {
	g := &Grid{cases, axes, 1}
	for i := range axes {
		if g.each *= len(axes[i].Values); g.each > maxValues || g.each == 0 {
			return nil, fmt.Errorf("a sweep of more than %d points, or of none", maxValues)
		}
	}
	return g, nil
}

// At returns the case and the indices of the values of a run.
func (g *Grid) At(run int) (subject int, at []int) {
	at = make([]int, len(g.Axes))
	n := run % g.each
	for k := len(g.Axes) - 1; k >= 0; k-- {
		at[k] = n % len(g.Axes[k].Values)
		n /= len(g.Axes[k].Values)
	}
	return run / g.each, at
}

// Plan prepares the runs.
func (g *Grid) Plan(kind string, outputs []Output) (*Plan, error) {
	inputs := []Input{programs(g.Cases)}
	var spec []any
	for i := range g.Axes {
		a := &g.Axes[i]
		inputs = append(inputs, a.Input())
		var changes []func(*Case)
		for _, v := range a.Values {
			spec = append(spec, fmt.Sprint(a.Name, v.Text, v.Number))
			if a.Names {
				changes = append(changes, v.Apply)
			}
		}
		spec = append(spec, effects(&g.Cases[0], changes))
	}
	draw := func(run int) (d Draw, err error) {
		subject, at := g.At(run)
		d.Inputs = []float64{float64(subject)}
		for k := range g.Axes {
			d.Inputs = append(d.Inputs, g.Axes[k].at(at[k]))
		}
		return d, nil
	}
	p, err := newPlan(kind, 0, &g.Cases[0], inputs, outputs, FixedDesign(len(g.Cases)*g.each, draw))
	if err != nil {
		return nil, err
	}
	p.Key = Key(kind, pointers(g.Cases), spec, names(outputs))
	return p, nil
}

// Sweep simulates every case with every combination of the axes' values. baseline gives the reference machine for
// slowdowns; its outcomes are returned by case.
func Sweep(ctx context.Context, cases []Case, axes []Axis, baseline func(Case) *sim.Machine,
	opt Options) (points []Point, bases []Outcome, err error) {
	g, err := NewGrid(cases, axes)
	if err != nil {
		return nil, nil, err
	}
	p, err := g.Plan("sweep", outcomeOutputs)
	if err != nil {
		return nil, nil, err
	}
	var reference []Case
	for _, c := range cases {
		c.Machine = baseline(c)
		reference = append(reference, c)
	}
	if bases, err = Run(ctx, reference, Options{RunOptions: RunOptions{Workers: opt.Workers}}); err != nil {
		return nil, nil, err
	}
	t, err := carry(ctx, p, opt)
	if err != nil {
		return nil, nil, err
	}
	for i := range t.Rows {
		subject, at := g.At(i)
		pt := Point{Subject: subject, At: at, Outcome: outcome(&t.Rows[i], cases[subject].Program)}
		pt.Slowdown = Slowdown(bases[subject].Total, pt.Total)
		points = append(points, pt)
		points[i].Speedup = Speedup(points[i%g.each].Total, pt.Total)
	}
	return points, bases, nil
}
