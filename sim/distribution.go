package sim

// Parameters with a distribution instead of a single value (thesis, 3.7.4): a value is drawn for each use. This models
// the load that others put on a machine.
//
// Each parameter draws from its own stream, derived from the seed and the parameter, so that a change to one does not
// alter the values of another: machines that differ in one parameter draw the same numbers for all others.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

	new func(p [3]float64, src rand.Source) Sampler
}

// DistributionParam is a parameter of a distribution: an amount in the unit of the machine parameter, or a plain
// number.
type DistributionParam struct {
	Name   string
	Amount bool
}

// Sampler draws values of a distribution.
type Sampler interface {
	Rand() float64
	CDF(x float64) float64
	Mean() float64
}

// Distributions are the distributions available for parameters.
var Distributions = []DistributionKind{
	{"constant", "always the same", []DistributionParam{{"value", true}}, func(p [3]float64, _ rand.Source) Sampler {
		return constant(p[0])
	}},
	{"uniform", "any value between two, equally often", []DistributionParam{{"least", true}, {"most", true}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.Uniform{Min: p[0], Max: p[1], Src: src} }},
	{"normal", "the bell curve", []DistributionParam{{"mean", true}, {"deviation", true}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.Normal{Mu: p[0], Sigma: p[1], Src: src} }},
	{"lognormal", "most values below the mean, few far above it; the logarithm is normal",
		[]DistributionParam{{"mean", true}, {"deviation", true}}, newLogNormal},
	{"exponential", "the time between things that happen at random", []DistributionParam{{"mean", true}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.Exponential{Rate: 1 / p[0], Src: src} }},
	{"triangle", "between two values, most often a third",
		[]DistributionParam{{"least", true}, {"mode", true}, {"most", true}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.NewTriangle(p[0], p[2], p[1], src) }},
	{"gamma", "the sum of exponential times, as many as the shape",
		[]DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) Sampler {
			return distuv.Gamma{Alpha: p[0], Beta: 1 / p[1], Src: src}
		}},
	{"weibull", "as exponential with shape 1, narrower with more, heavier tails with less",
		[]DistributionParam{{"shape", false}, {"scale", true}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.Weibull{K: p[0], Lambda: p[1], Src: src} }},
	{"pareto", "from a least value on, with rare very large ones: the more so the smaller the shape",
		[]DistributionParam{{"least", true}, {"shape", false}},
		func(p [3]float64, src rand.Source) Sampler { return distuv.Pareto{Xm: p[0], Alpha: p[1], Src: src} }},
}

// newLogNormal takes mean and deviation of the values, not of their logarithms.
func newLogNormal(p [3]float64, src rand.Source) Sampler {
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

// sampler returns a source of values of the distribution; nil if there is none.
func (d Distribution) sampler(src rand.Source) Sampler {
	if k, ok := DistributionByName(d.Kind); ok {
		return k.new(d.Params, src)
	}
	return nil
}

// Scale returns the distribution of the values multiplied by a factor.
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
		return fmt.Errorf("there is no distribution %q, but %s", d.Kind, DistributionNames())
	}
	p := d.Params
	for i := range k.Params {
		if math.IsNaN(p[i]) || math.IsInf(p[i], 0) {
			return fmt.Errorf("%s: the %s is no number", d.Kind, k.Params[i].Name)
		}
	}
	if err := k.checkParams(p); err != nil {
		return err
	}
	if !added && !(1-k.new(p, nil).CDF(0) >= 1e-3) && d != (Distribution{Kind: "constant"}) {
		return fmt.Errorf("%s: hardly any value is above 0", d.Kind)
	}
	return nil
}

// checkParams reports inconsistent parameters.
func (k *DistributionKind) checkParams(p [3]float64) error {
	switch k.Name {
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
			if !(p[i] > 0) && !(k.Name == "lognormal" && i == 1 && p[i] == 0) {
				return fmt.Errorf("%s: the %s must be more than 0", k.Name, k.Params[i].Name)
			}
		}
	}
	return nil
}

// DistributionNames returns the names, separated by commas.
func DistributionNames() string {
	var names []string
	for i := range Distributions {
		names = append(names, Distributions[i].Name)
	}
	return strings.Join(names, ", ")
}

// Variable is a parameter that may have a distribution: an index of Variables.
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

// VariationOf returns the distribution of a parameter, or nil.
func (m *Machine) VariationOf(parameter string) *Variation {
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

// Usage returns the syntax of the distribution: "normal(mean, deviation)".
func (k *DistributionKind) Usage() string {
	var names []string
	for _, p := range k.Params {
		names = append(names, p.Name)
	}
	return k.Name + "(" + strings.Join(names, ", ") + ")"
}
