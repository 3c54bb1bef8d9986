package study

// The parameters that matter: a two-level factorial design (thesis, section 3.7.2; Jain, The Art of Computer Systems
// Performance Analysis, chapters 17 and 18). Each of k factors takes a low and a high value; the time of the run at all
// 2^k combinations is written as
//
//	y = q0 + sum qA xA + sum qAB xA xB + ...       x = -1 at the low value, +1 at the high one
//
// which the 2^k times determine exactly. q0 is their mean; an effect's share of the variation is its square over the
// sum of all squares.

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
)

// MaxFactors bounds the factors: 2^10 simulations.
const MaxFactors = 10

// Factor is a varied quantity.
type Factor struct {
	Name      string
	Low, High Value
}

// ParseFactor reads a factor: NAME of a parameter, varied around its value on the machine by a share (0.1: 0.9 to 1.1
// times), TYPE:VALUE of a block of the program, with its speed varied around 1, or NAME=LOW,HIGH.
func ParseFactor(text string, m *sim.Machine, by float64) (Factor, error) {
	if strings.Contains(text, "=") {
		a, err := ParseAxis(text)
		if err != nil {
			return Factor{}, err
		}
		if len(a.Values) != 2 {
			return Factor{}, fmt.Errorf("%s: a factor has two values, not %d", a.Name, len(a.Values))
		}
		return Factor{a.Name, a.Values[0], a.Values[1]}, nil
	}
	q, err := quantityByName(text)
	if err != nil {
		return Factor{}, err
	}
	if q.Check != nil {
		if err := q.Check(&Case{Machine: m}); err != nil {
			return Factor{}, fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	if q.Words {
		return Factor{}, fmt.Errorf("%s has values that are words: name two of them (%s=A,B)", q.Name, q.Name)
	}
	v, uniform := q.Get(&Case{Machine: m})
	if !uniform {
		return Factor{}, fmt.Errorf("%s differs from node to node: name its two values (%s=LOW,HIGH)", q.Name, q.Name)
	}
	low, ok1 := q.scale(v, 1-by)
	high, ok2 := q.scale(v, 1+by)
	if !ok1 || !ok2 {
		return Factor{}, fmt.Errorf("%s is %s, which cannot be varied by %s: name its two values (%s=LOW,HIGH)",
			q.Name, q.Show(v), quantity.FormatValue(100*by, "%"), q.Name)
	}
	set := func(v float64) Value { return Value{q.Show(v), v, func(c *Case) { q.Set(c, v) }} }
	return Factor{q.Name, set(low), set(high)}, nil
}

// parseBlock reads TYPE:VALUE.
func parseBlock(text string) (typ uint32, value int64, ok bool) {
	n, err := fmt.Sscanf(text, "%d:%d", &typ, &value)
	return typ, value, err == nil && n == 2 && text == fmt.Sprintf("%d:%d", typ, value)
}

// Effect is a coefficient of the fit: of one factor, or an interaction. Factors is a bit set, 0 for the mean.
type Effect struct {
	Factors uint
	Q       float64
	Share   float64 // of the variation; 0 for the mean
}

// Effects returns the effects of 2^k times: bit i of an index is the level of factor i. The mean is the first; the
// others are in the order of their bits. It fails if the number of times is not 2^k.
func Effects(y []float64) ([]Effect, error) {
	if n := len(y); n < 2 || bits.OnesCount(uint(n)) != 1 {
		return nil, fmt.Errorf("%d times are not those of a design of two levels", len(y))
	}
	// A fast Walsh-Hadamard transform: sums and differences factor by factor.
	q := append([]float64(nil), y...)
	for step := 1; step < len(q); step *= 2 {
		for i := range q {
			if i&step == 0 {
				low, high := q[i], q[i+step]
				q[i], q[i+step] = low+high, high-low
			}
		}
	}
	variation := 0.0
	effects := make([]Effect, len(q))
	for i := range q {
		q[i] /= float64(len(q))
		effects[i] = Effect{Factors: uint(i), Q: q[i]}
		if i > 0 {
			variation += q[i] * q[i]
		}
	}
	for i := 1; i < len(effects) && variation > 0; i++ {
		effects[i].Share = q[i] * q[i] / variation
	}
	return effects, nil
}

// Sensitivity is the result: the time at each combination of levels, and the effects on it, ns.
type Sensitivity struct {
	Factors []Factor
	Times   []float64
	Effects []Effect
}

// Vary simulates all combinations of the factors' levels.
func Vary(ctx context.Context, c Case, factors []Factor, opt Options) (*Sensitivity, error) {
	if len(factors) == 0 || len(factors) > MaxFactors {
		return nil, fmt.Errorf("%d factors: from 1 to %d can be varied", len(factors), MaxFactors)
	}
	c.Rules[sim.ModuleNesting] = sim.ModulesNest
	var axes []Axis
	for k := len(factors) - 1; k >= 0; k-- { // the first factor varies fastest
		f := factors[k]
		axes = append(axes, Axis{Name: f.Name, Names: true, Values: []Value{f.Low, f.High}})
	}
	g, err := NewGrid([]Case{c}, axes)
	if err != nil {
		return nil, err
	}
	p, err := g.Plan("sensitivity", outcomeOutputs[:1])
	if err != nil {
		return nil, err
	}
	t, err := carry(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	a := &Sensitivity{Factors: factors}
	for i := range t.Rows {
		if t.Rows[i].Status != Done {
			return nil, errors.New(t.Rows[i].Reason)
		}
		a.Times = append(a.Times, t.Rows[i].Outputs[0])
	}
	a.Effects, err = Effects(a.Times)
	return a, err
}

// EffectName names the factors of an effect: "latency", "latency and bandwidth".
func (a *Sensitivity) EffectName(e *Effect) string {
	var names []string
	for k := range a.Factors {
		if e.Factors>>k&1 != 0 {
			names = append(names, a.Factors[k].Name)
		}
	}
	if names == nil {
		return "mean"
	}
	return strings.Join(names, " and ")
}
