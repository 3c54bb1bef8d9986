package study

// Stochastic design improvement: parameters that bring the outputs to targets. Points are drawn in a box around the
// best point so far; the box moves to the best of them, and so on. The method assumes nothing about the function except
// that it can be simulated, which makes it slow but robust. Values and limits come before directions: a cheaper machine
// that is only nearly fast enough does not win.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Knob is a parameter to improve.
type Knob struct {
	Quantity    *Quantity
	Start, Half float64 // half the width of the box
	Least, Most float64
}

// ParseKnob reads NAME=[START]+-HALF,LEAST..MOST, such as latency=100us+-10us,1us..200us; the default start is the
// value of the case.
func ParseKnob(text string, base *Case) (k Knob, err error) {
	usage := fmt.Errorf("%q is not NAME=START+-HALF,LEAST..MOST, such as latency=100us+-10us,1us..200us", text)
	name, rest, ok := strings.Cut(text, "=")
	box, limits, ok2 := strings.Cut(rest, ",")
	start, half, ok3 := strings.Cut(box, "+-")
	least, most, ok4 := strings.Cut(limits, "..")
	if !ok || !ok2 || !ok3 || !ok4 {
		return k, usage
	}
	q, err := quantityByName(name)
	if err != nil {
		return k, err
	}
	if q.Words {
		return k, fmt.Errorf("%s has values that are words, which have no order", q.Name)
	}
	if q.Check != nil {
		if err := q.Check(base); err != nil {
			return k, fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	k.Quantity = q
	for _, p := range []struct {
		to   *float64
		text string
	}{{&k.Start, start}, {&k.Half, half}, {&k.Least, least}, {&k.Most, most}} {
		if p.to == &k.Start && strings.TrimSpace(start) == "" {
			var uniform bool
			if k.Start, uniform = q.Get(base); !uniform {
				return k, fmt.Errorf("%s differs from node to node: %w", q.Name, usage)
			}
			continue
		}
		if *p.to, err = q.amount(strings.TrimSpace(p.text)); err != nil {
			return k, fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	if !(k.Half > 0) || !(k.Least < k.Most) || k.Start < k.Least || k.Start > k.Most {
		return k, fmt.Errorf("%s: must have HALF > 0 and LEAST <= START <= MOST", q.Name)
	}
	return k, nil
}

// Relation is the kind of a target.
type Relation uint8

// The relations.
const (
	Equal   Relation = iota // near the value
	AtMost                  // <= the value
	AtLeast                 // >= the value
	Least                   // as small as possible
	Most                    // as large as possible
)

// String returns the sign of a value or limit.
func (r Relation) String() string { return [...]string{"=", "<=", ">=", "min", "max"}[r] }

// Target is a target for an output or a parameter.
type Target struct {
	Name     string
	Relation Relation
	Value    float64 // 0 for a direction
	// scale makes distances comparable: the target value, or the value at the start.
	scale float64
}

// distance returns the distance of a value from the target, relative to its size; 0: reached.
func (t *Target) distance(v float64) float64 {
	d := (v - t.Value) / t.scale
	switch t.Relation {
	case AtMost:
		return max(d, 0)
	case AtLeast:
		return max(-d, 0)
	case Least:
		return v / t.scale
	case Most:
		return t.scale / max(v, math.SmallestNonzeroFloat64)
	}
	return math.Abs(d)
}

// Improve is the definition of an improvement.
type Improve struct {
	Base      Case
	Knobs     []Knob
	Outputs   []Output
	Targets   []Target
	Points    int     // in each box
	Boxes     int     // at most
	Patience  int     // consecutive boxes without gain
	Tolerance float64 // of value targets: 0.1 is 10 %
	// Halve halves the width after a box without gain.
	Halve bool
	Seed  uint64
}

// Check reports an impossible definition.
func (m *Improve) Check() error {
	switch {
	case len(m.Knobs) == 0 || len(m.Targets) == 0:
		return fmt.Errorf("an improvement needs parameters and targets")
	case m.Points < 1 || m.Boxes < 1 || m.Patience < 1:
		return fmt.Errorf("points, boxes and patience must be >= 1")
	case m.Points > MaxRuns || m.Boxes > MaxRuns:
		return fmt.Errorf("points and boxes must be <= %d", MaxRuns)
	case !(m.Tolerance > 0 && m.Tolerance < 1):
		return fmt.Errorf("a tolerance of %g: must be > 0 and < 1", m.Tolerance)
	}
	return CheckRuns(m.Points*m.Boxes + 1)
}

// Plan prepares the runs: the start, then the points box by box.
func (m *Improve) Plan() (*Plan, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	var inputs []Input
	var spec []string
	for i := range m.Knobs {
		k := &m.Knobs[i]
		inputs = append(inputs, Input{Column: Column{Name: k.Quantity.Name, Unit: k.Quantity.Unit},
			Apply: k.Quantity.Set})
		spec = append(spec, fmt.Sprint(k.Quantity.Name, k.Start, k.Half, k.Least, k.Most))
	}
	d := &improvement{m: m}
	p, err := newPlan("improve", m.Seed, &m.Base, inputs, m.Outputs, d)
	if err != nil {
		return nil, err
	}
	for i := range m.Targets {
		t := &m.Targets[i]
		if _, _, ok := (&Table{Inputs: p.Inputs, Outputs: p.Outputs}).Column(t.Name); !ok {
			return nil, fmt.Errorf("the target %s is neither an output nor a parameter of the study", t.Name)
		}
		spec = append(spec, fmt.Sprint(t.Name, t.Relation, t.Value))
	}
	d.table = &Table{Inputs: p.Inputs, Outputs: p.Outputs}
	p.Key = Key("improve", []*Case{&m.Base}, m.Seed, spec, m.Points, m.Patience, m.Tolerance, m.Halve, names(m.Outputs))
	return p, nil
}

// improvement is the design.
type improvement struct {
	m     *Improve
	table *Table // its columns

	mu    sync.Mutex
	boxes []box
}

// box is the area of the points.
type box struct {
	center []float64
	half   float64 // of the knobs' halves
}

// Step is an accepted centre.
type Step struct {
	Row
	Box int // of its point; 0: the start
	Distance
}

// Distance is a run's distance from the targets: from values and limits, and the size of what is to be minimised.
type Distance struct{ Missed, Direction float64 }

// less compares the directions if both runs miss by the same amount.
func (d Distance) less(e Distance) bool {
	return cmp.Or(cmp.Compare(d.Missed, e.Missed), cmp.Compare(d.Direction, e.Direction)) < 0
}

// Path is the path of an improvement.
type Path struct {
	Steps   []Step
	Boxes   int      // drawn
	Reached bool     // the targets are reached
	Missed  []Target // values and limits that the last step does not reach
	Why     string
	idle    int // boxes without gain, since the last step
	half    float64
}

// Path follows the accepted centres through the runs.
func (m *Improve) Path(rows []Row, inputs, outputs []Column) (p Path) {
	t := &Table{Inputs: inputs, Outputs: outputs}
	p.half = 1
	if len(rows) == 0 || rows[0].Status != Done {
		return p
	}
	targets := append([]Target(nil), m.Targets...)
	for i := range targets {
		targets[i].scale = math.Abs(targets[i].Value)
		if targets[i].scale == 0 {
			targets[i].scale = max(math.Abs(valueIn(t, targets[i].Name, &rows[0])), math.SmallestNonzeroFloat64)
		}
	}
	p.Steps = []Step{{rows[0], 0, m.distance(t, targets, &rows[0])}}
	p.judge(m, t, targets)
	for first := 1; first+m.Points <= len(rows) && !p.over(m); first += m.Points {
		p.Boxes++
		gain := false
		for i := first; i < first+m.Points; i++ {
			if rows[i].Status != Done {
				continue
			}
			if d := m.distance(t, targets, &rows[i]); d.less(p.Steps[len(p.Steps)-1].Distance) {
				step := Step{rows[i], p.Boxes, d}
				if gain { // a better point of the same box
					p.Steps[len(p.Steps)-1] = step
				} else {
					p.Steps = append(p.Steps, step)
				}
				gain = true
			}
		}
		if p.idle++; gain {
			p.idle = 0
		} else if m.Halve {
			p.half /= 2
		}
		p.judge(m, t, targets)
	}
	if !p.over(m) {
		p.Why = "the search was interrupted"
	}
	return p
}

// over reports whether the search has ended.
func (p *Path) over(m *Improve) bool {
	switch {
	case p.Reached:
		p.Why = "the targets are reached"
	case p.idle >= m.Patience:
		p.Why = fmt.Sprintf("%d boxes in a row without gain", p.idle)
	case p.Boxes >= m.Boxes:
		p.Why = "the budget is used up"
	default:
		return false
	}
	return true
}

// distance returns the distance of a run to the targets. If there are directions, a value within its tolerance does not
// count as missed.
func (m *Improve) distance(t *Table, targets []Target, r *Row) (sum Distance) {
	directed := slices.ContainsFunc(targets, func(t Target) bool { return t.Relation >= Least })
	for i := range targets {
		d := targets[i].distance(valueIn(t, targets[i].Name, r))
		switch {
		case targets[i].Relation >= Least:
			sum.Direction += d * d
		case !directed || !m.meets(&targets[i], d):
			sum.Missed += d * d
		}
	}
	if math.IsNaN(sum.Missed + sum.Direction) {
		return Distance{math.Inf(1), math.Inf(1)}
	}
	return Distance{math.Sqrt(sum.Missed), math.Sqrt(sum.Direction)}
}

func valueIn(t *Table, name string, r *Row) float64 {
	_, of, _ := t.Column(name)
	return of(r)
}

// meets reports whether a run at a distance reaches a value or limit.
func (m *Improve) meets(t *Target, distance float64) bool {
	if t.Relation == Equal {
		return distance <= m.Tolerance
	}
	return distance <= 0
}

// judge notes which values and limits the last step misses. A direction is never reached.
func (p *Path) judge(m *Improve, t *Table, targets []Target) {
	p.Missed, p.Reached = nil, true
	for i := range targets {
		if targets[i].Relation >= Least {
			p.Reached = false
		} else if v := valueIn(t, targets[i].Name, &p.Steps[len(p.Steps)-1].Row); !m.meets(&targets[i],
			targets[i].distance(v)) {
			p.Missed, p.Reached = append(p.Missed, targets[i]), false
		}
	}
}

func (d *improvement) most() int { return 1 + d.m.Points*d.m.Boxes }

// Next implements Design.
func (d *improvement) Next(done []Row) (int, error) {
	if len(done) == 0 {
		return 1, nil
	}
	if done[0].Status != Done {
		return 0, nil
	}
	p := d.m.Path(done, d.table.Inputs, d.table.Outputs)
	if p.over(d.m) {
		return 0, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.boxes = append(d.boxes[:p.Boxes], box{p.Steps[len(p.Steps)-1].Inputs, p.half})
	return d.m.Points, nil
}

// At implements Design.
func (d *improvement) At(index int) (out Draw, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for k := range d.m.Knobs {
		knob := &d.m.Knobs[k]
		x := knob.Start
		if index > 0 {
			b := d.boxes[(index-1)/d.m.Points]
			x = b.center[k] + (2*open(stream(d.m.Seed, index, k))-1)*knob.Half*b.half
			x = min(max(x, knob.Least), knob.Most)
		}
		if knob.Quantity.Whole {
			x = math.Round(x)
		}
		out.Inputs = append(out.Inputs, x)
	}
	return out, nil
}
