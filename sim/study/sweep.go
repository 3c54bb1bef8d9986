package study

// Sweeps: one or several parameters take a series of values.

import (
	"context"
	"fmt"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
)

// Axis is a parameter and its values.
type Axis struct {
	Name   string
	Unit   string // of the numbers: "ns", "MB/s", "B", "" for none
	Names  bool   // the values are names, not numbers
	Values []Value
}

// Value is a value of an axis: its text, its number, and its effect on a machine for a program.
type Value struct {
	Text   string
	Number float64
	Apply  func(m *sim.Machine, p *sim.Program)
}

// MaxValues bounds the values of an axis, and the points of a sweep.
const MaxValues = 1 << 16

// ParseAxis reads NAME=VALUES: a parameter of sim.Parameters and a list (0,25us,1ms), a range with a step (0..100us+10us) or a
// range with a factor (1us..10ms*10), or several of these in a row.
func ParseAxis(text string) (Axis, error) {
	name, list, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	p := sim.ParameterByName(name)
	if !ok || strings.TrimSpace(list) == "" {
		return Axis{}, fmt.Errorf("%q is not NAME=VALUES, such as latency=1us..10ms*10", text)
	}
	if p == nil {
		return Axis{}, fmt.Errorf("there is no parameter %q", name)
	}
	a := Axis{Name: name, Names: p.Kind == sim.KindChoice || p.Kind == sim.KindSwitch}
	a.Unit = map[sim.ParameterKind]string{sim.KindTime: "ns", sim.KindBandwidth: "MB/s", sim.KindSize: "B"}[p.Kind]
	for _, part := range strings.Split(list, ",") {
		values, err := parseRange(p, part)
		if err != nil {
			return Axis{}, fmt.Errorf("%s: %w", name, err)
		}
		for _, v := range values {
			a.Values = append(a.Values, Value{p.Show(v), v, func(m *sim.Machine, _ *sim.Program) { p.Set(m, v) }})
		}
		if len(a.Values) > MaxValues {
			return Axis{}, fmt.Errorf("%s: more than %d values", name, MaxValues)
		}
	}
	return a, nil
}

// parseRange reads a value, A..B+STEP or A..B*FACTOR. The end is included, even if steps miss it by rounding.
func parseRange(p *sim.Parameter, text string) ([]float64, error) {
	first, rest, isRange := strings.Cut(text, "..")
	if !isRange {
		v, err := p.Parse(text)
		return []float64{v}, err
	}
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
		if err != nil || step <= 0 || high < low || (high-low)/step > MaxValues {
			return nil, fmt.Errorf("the range %q goes up by a step above 0, in at most %d steps", text, MaxValues)
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
	for v := low; v <= high*(1+1e-9) && len(values) <= MaxValues; v *= factor {
		values = append(values, v)
	}
	return values, nil
}

// Subject is a program with the machine that a study changes.
type Subject struct {
	Name    string
	Program *sim.Program
	Machine *sim.Machine
	// Room gives the machine as many nodes as its mapping needs: it stands for a class of machines.
	Room bool
}

// Point is one simulation of a sweep.
type Point struct {
	Subject int
	At      []int // by axis: index of the value
	Outcome
	// Slowdown is relative to the subject's baseline, Speedup to the first subject at the same values; 0 where there is none.
	Slowdown, Speedup float64
}

// Sweep simulates every subject with every combination of the axes' values; the last axis varies fastest. baseline gives the
// reference machine for slowdowns; its outcomes are returned by subject.
func Sweep(ctx context.Context, subjects []Subject, axes []Axis, baseline func(Subject) *sim.Machine, opt Options) (points []Point, bases []Outcome, err error) {
	each := 1
	for _, a := range axes {
		if each *= len(a.Values); each > MaxValues || each == 0 {
			return nil, nil, fmt.Errorf("a sweep of more than %d points, or of none", MaxValues)
		}
	}
	var cases []Case
	for i, s := range subjects {
		cases = append(cases, Case{s.Program, baseline(s)})
		for n := range each {
			at := make([]int, len(axes))
			m := s.Machine.Clone()
			for k := len(axes) - 1; k >= 0; k-- {
				at[k] = n % len(axes[k].Values)
				n /= len(axes[k].Values)
			}
			for k, a := range axes {
				a.Values[at[k]].Apply(m, s.Program)
			}
			if s.Room {
				m.Room(s.Program)
			}
			cases = append(cases, Case{s.Program, m})
			points = append(points, Point{Subject: i, At: at})
		}
	}
	outcomes, err := Run(ctx, cases, opt)
	if err != nil {
		return nil, nil, err
	}
	for i := range subjects {
		first := i * (each + 1)
		bases = append(bases, outcomes[first])
		for n := range each {
			p := &points[i*each+n]
			p.Outcome = outcomes[first+1+n]
			p.Slowdown = Slowdown(bases[i].Total, p.Total)
			p.Speedup = Speedup(points[n].Total, p.Total)
		}
	}
	return points, bases, nil
}
