package sim

// Parameters that are not one value but many (thesis, 3.7.4): a distribution, of which a value is drawn each time that the simulator
// needs one. So load of others on a machine is modelled.
//
// Each parameter draws from a stream of its own, made from the seed and the parameter: what happens to one does not
// change the values of another, so that machines that differ in one parameter draw the same numbers in all others.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Distribution is a row of Distributions and its parameters, in the unit of what it is of. The zero value is none.
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

// DistributionParam is a parameter of a distribution: an amount in the unit of what the distribution is of, or a plain number.
type DistributionParam struct {
	Name   string
	Amount bool
}

// sampler is what the simulator needs of a distribution.
type sampler interface {
	Rand() float64
	CDF(x float64) float64
	Mean() float64
}

// Distributions are the distributions that a parameter can have.
var Distributions = []DistributionKind{
	{"constant", "always the same", []DistributionParam{{"value", true}}, func(p [3]float64, _ rand.Source) sampler { return constant(p[0]) }},
	{"uniform", "any value between two, equally often", []DistributionParam{{"least", true}, {"most", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Uniform{Min: p[0], Max: p[1], Src: src} }},
	{"normal", "the bell curve", []DistributionParam{{"mean", true}, {"deviation", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Normal{Mu: p[0], Sigma: p[1], Src: src} }},
	{"lognormal", "most values below the mean, few far above it; the logarithm is normal", []DistributionParam{{"mean", true}, {"deviation", true}}, newLogNormal},
	{"exponential", "the time between things that happen at random", []DistributionParam{{"mean", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Exponential{Rate: 1 / p[0], Src: src} }},
	{"triangle", "between two values, most often a third", []DistributionParam{{"least", true}, {"mode", true}, {"most", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.NewTriangle(p[0], p[2], p[1], src) }},
	{"gamma", "the sum of so many (the shape) exponential times", []DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) sampler {
			return distuv.Gamma{Alpha: p[0], Beta: 1 / p[1], Src: src}
		}},
	{"weibull", "as exponential with shape 1, narrower with more, heavier tails with less", []DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Weibull{K: p[0], Lambda: p[1], Src: src} }},
	{"pareto", "from a least value on, with rare very large ones: the more so the smaller the shape", []DistributionParam{{"least", true}, {"shape", false}},
		func(p [3]float64, src rand.Source) sampler { return distuv.Pareto{Xm: p[0], Alpha: p[1], Src: src} }},
}

// newLogNormal is by mean and deviation of the values, not of their logarithms.
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

// Mean returns the mean, as far as there is one: that of a Pareto distribution of shape 1 or less is infinite.
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

// check tells what is impossible about a distribution; added says that its values are added to another, and may be negative.
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

// Variables are the names of the parameters that may have a distribution. A latency is drawn for each message and end, a bandwidth for
// each message, both for each stage of a collective operation; a CPU speed for each computation; a context
// switch and a busy wait for each of them.
var Variables = [numVariables]string{"latency", "bandwidth", "local-latency", "local-bandwidth", "wan-latency", "wan-bandwidth", "cpu-ratio",
	"context-switch", "busy-wait"}

// Variation is a parameter of a machine that has a distribution.
type Variation struct {
	Parameter string // of Variables
	Distribution
	// Added: the values are added to the parameter's own (Dimemas' random files) and do not replace it.
	Added bool
}

// Check tells what is impossible about the distribution.
func (v Variation) Check() error { return v.check(v.Added) }

// variation returns what is said of a parameter, or nil.
func (m *Machine) variation(parameter string) *Variation {
	for i := range m.Random {
		if m.Random[i].Parameter == parameter {
			return &m.Random[i]
		}
	}
	return nil
}

// Vary lets a parameter have a distribution, in place of what was said of it before.
func (m *Machine) Vary(v Variation) {
	m.Fix(v.Parameter)
	m.Random = append(m.Random, v)
}

// Fix lets a parameter have no distribution.
func (m *Machine) Fix(parameter string) {
	m.Random = slices.DeleteFunc(slices.Clone(m.Random), func(v Variation) bool { return v.Parameter == parameter })
	if len(m.Random) == 0 {
		m.Random = nil // machines are compared
	}
}

func (m *Machine) checkRandom() error {
	for _, v := range m.Random {
		if !slices.Contains(Variables[:], v.Parameter) {
			return fmt.Errorf("%s cannot have a distribution; those that can: %s", v.Parameter, strings.Join(Variables[:], ", "))
		}
		if err := v.Check(); err != nil {
			return fmt.Errorf("%s: %w", v.Parameter, err)
		}
	}
	return nil
}

// Setting is what a parameter is set to: a value, or a distribution.
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

// Usage writes how the distribution is written: "normal(mean, deviation)".
func (k *DistributionKind) Usage() string {
	var names []string
	for _, p := range k.Params {
		names = append(names, p.Name)
	}
	return k.Name + "(" + strings.Join(names, ", ") + ")"
}

// Apply sets the parameter on a machine. Where it has a distribution, its value is the mean of that.
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

// Setting returns what the parameter is set to on a machine, and whether it is so on all of it.
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
	from  sampler // nil: the parameter is as the machine says
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

// redraws bounds how often a value below 0 is drawn anew; values that are added to a small one may never be above.
const redraws = 1000

// draw returns the value of a parameter for one use. A bandwidth of 0, which is none that could be added to, stays.
func (r *rng) draw(v Variable, fixed float64) float64 {
	d := &r.of[v]
	if d.from == nil || d.added && fixed == 0 && (v == VaryBandwidth || v == VaryLocalBandwidth || v == VaryWANBandwidth) {
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
