package sim

// Parameters with a distribution instead of a single value (thesis, 3.7.4): a value is drawn for each use. This models
// the load that others put on a machine.
//
// Each parameter draws from a stream of its own, made from the seed and the parameter, so that a change to one does
// not alter the values of another: machines that differ in one parameter draw the same numbers for all others.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Distribution is a row of Distributions and its parameters, in the unit of the machine parameter. The zero value is
// none.
type Distribution struct {
	Kind   string
	Params [3]float64
}

// DistributionKind is an entry of Distributions.
type DistributionKind struct {
	Name   string
	Doc    string
	Params []DistributionParam

	new func(p [3]float64, src rand.Source) sampler
}

// DistributionParam is a parameter of a distribution: an amount in the unit of the machine parameter, or a plain
// number.
type DistributionParam struct {
	Name   string
	Amount bool
}

// sampler is the simulator's view of a distribution.
type sampler interface {
	Rand() float64
	CDF(x float64) float64
	Mean() float64
}

// Distributions are the distributions available for parameters.
var Distributions = []DistributionKind{
	{"constant", "always the same", []DistributionParam{{"value", true}}, func(p [3]float64, _ rand.Source) sampler {
		return constant(p[0])
	}},
	{"uniform", "any value between two, equally often", []DistributionParam{{"least", true}, {"most", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Uniform{Min: p[0], Max: p[1], Src: src} }},
	{"normal", "the bell curve", []DistributionParam{{"mean", true}, {"deviation", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Normal{Mu: p[0], Sigma: p[1], Src: src} }},
	{"lognormal", "most values below the mean, few far above it; the logarithm is normal",
		[]DistributionParam{{"mean", true}, {"deviation", true}}, newLogNormal},
	{"exponential", "the time between things that happen at random", []DistributionParam{{"mean", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Exponential{Rate: 1 / p[0], Src: src} }},
	{"triangle", "between two values, most often a third",
		[]DistributionParam{{"least", true}, {"mode", true}, {"most", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.NewTriangle(p[0], p[2], p[1], src) }},
	{"gamma", "the sum of so many (the shape) exponential times",
		[]DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) sampler {
			return distuv.Gamma{Alpha: p[0], Beta: 1 / p[1], Src: src}
		}},
	{"weibull", "as exponential with shape 1, narrower with more, heavier tails with less",
		[]DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Weibull{K: p[0], Lambda: p[1], Src: src} }},
	{"pareto", "from a least value on, with rare very large ones: the more so the smaller the shape",
		[]DistributionParam{{"least", true}, {"shape", false}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Pareto{Xm: p[0], Alpha: p[1], Src: src} }},
}

// newLogNormal takes mean and deviation of the values, not of their logarithms.
func newLogNormal(p [3]float64, src rand.Source) sampler {
	variance := math.Log1p(p[1] * p[1] / (p[0] * p[0]))
	return distuv.LogNormal{Mu: math.Log(p[0]) - variance/2, Sigma: math.Sqrt(variance), Src: src}
}

type constant float64

func (c constant) Rand() float64 { return float64(c) }

func (c constant) CDF(x float64) float64 {
	if x < float64(c) {
		return 0
	}
	return 1
}

func (c constant) Mean() float64 { return float64(c) }

// DistributionByName finds a distribution.
func DistributionByName(name string) (*DistributionKind, bool) {
	for i := range Distributions {
		if Distributions[i].Name == name {
			return &Distributions[i], true
		}
	}
	return nil, false
}

// Mean returns the mean, which is infinite for a Pareto distribution of shape 1 or less.
func (d Distribution) Mean() float64 {
	if k, ok := DistributionByName(d.Kind); ok {
		return k.new(d.Params, nil).Mean()
	}
	return 0
}

// Scale returns the distribution of the values times a factor.
func (d Distribution) Scale(factor float64) Distribution {
	if k, ok := DistributionByName(d.Kind); ok {
		for i := range k.Params {
			if k.Params[i].Amount {
				d.Params[i] *= factor
			}
		}
	}
	return d
}

// check reports impossible parameters of a distribution; added: its values are added to another, and may be negative.
func (d Distribution) check(added bool) error {
	k, ok := DistributionByName(d.Kind)
	if !ok {
		return fmt.Errorf("there is no distribution %q, but %s", d.Kind, distributionNames())
	}
	p := d.Params
	for i := range k.Params {
		if math.IsNaN(p[i]) || math.IsInf(p[i], 0) {
			return fmt.Errorf("%s: the %s is no number", d.Kind, k.Params[i].Name)
		}
	}
	switch d.Kind {
	case "uniform":
		if p[0] > p[1] {
			return fmt.Errorf("uniform: the least is more than the most")
		}
	case "triangle":
		if !(p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]) {
			return fmt.Errorf("triangle: it is (least, mode, most)")
		}
	case "normal":
		if p[1] < 0 {
			return fmt.Errorf("normal: a negative deviation")
		}
	case "constant":
	default: // of positive values
		for i := range k.Params {
			if !(p[i] > 0) && !(d.Kind == "lognormal" && i == 1 && p[i] == 0) {
				return fmt.Errorf("%s: the %s must be more than 0", d.Kind, k.Params[i].Name)
			}
		}
	}
	if !added && !(1-k.new(p, nil).CDF(0) >= 1e-3) && d != (Distribution{Kind: "constant"}) {
		return fmt.Errorf("%s: hardly any value is above 0", d.Kind)
	}
	return nil
}

func distributionNames() string {
	var names []string
	for i := range Distributions {
		names = append(names, Distributions[i].Name)
	}
	return strings.Join(names, ", ")
}

// Variable is a parameter that may have a distribution: a row of Variables.
type Variable uint8

// The variables, by the names of their parameters.
const (
	VaryLatency Variable = iota
	VaryBandwidth
	VaryLocalLatency
	VaryLocalBandwidth
	VaryWANLatency
	VaryWANBandwidth
	VarySpeed
	VarySwitch
	VaryBusyWait

	numVariables
)

// Variables are the names of the parameters that may have a distribution. A latency is drawn per message and end, a
// bandwidth per message, both per stage of a collective operation; a CPU speed per computation; a context switch or
// busy wait each time it occurs.
var Variables = [numVariables]string{"latency", "bandwidth", "local-latency", "local-bandwidth", "wan-latency",
	"wan-bandwidth", "cpu-ratio",
	"context-switch", "busy-wait"}

// Variation is a parameter of a machine that has a distribution.
type Variation struct {
	Parameter string // of Variables
	Distribution
	// Added: the values are added to the parameter's own instead of replacing it (Dimemas' random files).
	Added bool
}

// Check reports impossible parameters of the distribution.
func (v Variation) Check() error { return v.check(v.Added) }

// variation returns the distribution of a parameter, or nil.
func (m *Machine) variation(parameter string) *Variation {
	for i := range m.Random {
		if m.Random[i].Parameter == parameter {
			return &m.Random[i]
		}
	}
	return nil
}

// Vary gives a parameter a distribution, in place of an earlier one.
func (m *Machine) Vary(v Variation) {
	m.Fix(v.Parameter)
	m.Random = append(m.Random, v)
}

// Fix removes the distribution of a parameter.
func (m *Machine) Fix(parameter string) {
	m.Random = slices.DeleteFunc(slices.Clone(m.Random), func(v Variation) bool { return v.Parameter == parameter })
	if len(m.Random) == 0 {
		m.Random = nil // so that equal machines compare equal
	}
}

func (m *Machine) checkRandom() error {
	for _, v := range m.Random {
		if !slices.Contains(Variables[:], v.Parameter) {
			return fmt.Errorf("%s cannot have a distribution; those that can: %s", v.Parameter,
				strings.Join(Variables[:], ", "))
		}
		if err := v.Check(); err != nil {
			return fmt.Errorf("%s: %w", v.Parameter, err)
		}
	}
	return nil
}

// Setting is the setting of a parameter: a value, or a distribution.
type Setting struct {
	Value        float64
	Distribution Distribution
}

// varies reports whether the parameter may have a distribution.
func (p *Parameter) varies() bool { return slices.Contains(Variables[:], p.Name) }

// ParseSetting reads a value as Parse does, or a distribution: "normal(25us, 2us)".
func (p *Parameter) ParseSetting(text string) (s Setting, err error) {
	name, list, ok := strings.Cut(strings.TrimSpace(text), "(")
	if !ok || !strings.HasSuffix(list, ")") {
		s.Value, err = p.Parse(text)
		return s, err
	}
	if !p.varies() {
		return s, fmt.Errorf("it cannot have a distribution; those that can: %s", strings.Join(Variables[:], ", "))
	}
	name = strings.ToLower(strings.TrimSpace(name))
	k, ok := DistributionByName(name)
	if !ok {
		return s, fmt.Errorf("there is no distribution %q, but %s", name, distributionNames())
	}
	args := strings.Split(strings.TrimSuffix(list, ")"), ",")
	if len(args) != len(k.Params) {
		return s, fmt.Errorf("it is %s", k.Usage())
	}
	s.Distribution.Kind = name
	for i, a := range args {
		unit := &ParameterKinds[KindRatio]
		if k.Params[i].Amount {
			unit = &ParameterKinds[p.Kind]
		}
		if s.Distribution.Params[i], err = unit.Parse(a, unit.Base); err != nil {
			return s, fmt.Errorf("%s of %s: %w", k.Params[i].Name, k.Usage(), err)
		}
	}
	return s, s.Distribution.check(false)
}

// Usage returns the syntax of the distribution: "normal(mean, deviation)".
func (k *DistributionKind) Usage() string {
	var names []string
	for _, p := range k.Params {
		names = append(names, p.Name)
	}
	return k.Name + "(" + strings.Join(names, ", ") + ")"
}

// Apply sets the parameter on a machine. The value of a parameter with a distribution is the mean.
func (p *Parameter) Apply(m *Machine, s Setting) {
	if s.Distribution.Kind == "" {
		p.Set(m, s.Value)
		return
	}
	if mean := s.Distribution.Mean(); number(mean) {
		p.Set(m, mean)
	}
	m.Vary(Variation{Parameter: p.Name, Distribution: s.Distribution})
}

// Setting returns the setting of the parameter on a machine, and whether it is the same everywhere on it.
func (p *Parameter) Setting(m *Machine) (s Setting, uniform bool) {
	if v := m.variation(p.Name); v != nil && !v.Added {
		return Setting{Distribution: v.Distribution}, true
	}
	s.Value, uniform = p.Get(m)
	return s, uniform
}

// FormatSetting writes a setting so that ParseSetting reads it back.
func (p *Parameter) FormatSetting(s Setting) string {
	k, ok := DistributionByName(s.Distribution.Kind)
	if !ok {
		return p.Format(s.Value)
	}
	var args []string
	for i, param := range k.Params {
		v := s.Distribution.Params[i]
		if param.Amount {
			args = append(args, p.Format(v))
		} else {
			args = append(args, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	return k.Name + "(" + strings.Join(args, ", ") + ")"
}

// rng draws the values of the parameters that have a distribution.
type rng struct{ of [numVariables]source }

type source struct {
	from  sampler // nil: the machine's own value
	added bool
}

// newRNG returns nil for a machine all of whose parameters are fixed.
func newRNG(m *Machine) *rng {
	if len(m.Random) == 0 {
		return nil
	}
	r := &rng{}
	for _, v := range m.Random {
		k, _ := DistributionByName(v.Kind)
		at := slices.Index(Variables[:], v.Parameter)
		r.of[at] = source{k.new(v.Params, rand.NewPCG(m.Seed, uint64(at))), v.Added}
	}
	return r
}

// redraws bounds the attempts to draw a value >= 0; values that are added to a small one may never reach it.
const redraws = 1000

// draw returns the value of a parameter for one use. A bandwidth of 0 (infinite) has nothing to add to, and stays.
func (r *rng) draw(v Variable, fixed float64) float64 {
	d := &r.of[v]
	if d.from == nil || d.added && fixed == 0 &&
		(v == VaryBandwidth || v == VaryLocalBandwidth || v == VaryWANBandwidth) {
		return fixed
	}
	for range redraws {
		x := d.from.Rand()
		if d.added {
			x += fixed
		}
		if x >= 0 {
			return x
		}
	}
	return 0
}

// drawn and perByteOf are a parameter, and the time of a byte, for one use.

func (e *engine) drawn(v Variable, fixed float64) float64 {
	if e.rng == nil {
		return fixed
	}
	return e.rng.draw(v, fixed)
}

func (e *engine) perByteOf(v Variable, bandwidth, fixed float64) float64 {
	if e.rng == nil || e.rng.of[v].from == nil {
		return fixed
	}
	return nsPerByte(e.rng.draw(v, bandwidth))
}
