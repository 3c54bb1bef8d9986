package parameter

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
)

// Setting is the setting of a parameter: a value, or a distribution.
type Setting struct {
	Value        float64
	Distribution sim.Distribution
}

// varies reports whether the parameter may have a distribution.
func (p *Parameter) varies() bool { return slices.Contains(sim.Variables[:], p.Name) }

// ParseSetting reads a value as Parse does, or a distribution: "normal(25us, 2us)".
func (p *Parameter) ParseSetting(text string) (s Setting, err error) {
	name, list, ok := strings.Cut(strings.TrimSpace(text), "(")
	if !ok || !strings.HasSuffix(list, ")") {
		s.Value, err = p.Parse(text)
		return s, err
	}
	if !p.varies() {
		return s, fmt.Errorf("it cannot have a distribution; those that can: %s", strings.Join(sim.Variables[:], ", "))
	}
	name = strings.ToLower(strings.TrimSpace(name))
	k, ok := sim.DistributionByName(name)
	if !ok {
		return s, fmt.Errorf("there is no distribution %q, but %s", name, sim.DistributionNames())
	}
	args := strings.Split(strings.TrimSuffix(list, ")"), ",")
	if len(args) != len(k.Params) {
		return s, fmt.Errorf("it is %s", k.Usage())
	}
	s.Distribution.Kind = name
	for i, a := range args {
		unit := &Kinds[KindRatio]
		if k.Params[i].Amount {
			unit = &Kinds[p.Kind]
		}
		if s.Distribution.Params[i], err = unit.Parse(a, unit.Base); err != nil {
			return s, fmt.Errorf("%s of %s: %w", k.Params[i].Name, k.Usage(), err)
		}
	}
	return s, sim.Variation{Distribution: s.Distribution}.Check()
}

// Apply sets the parameter on a machine. The value of a parameter with a distribution is the mean.
func (p *Parameter) Apply(m *sim.Machine, s Setting) {
	if s.Distribution.Kind == "" {
		p.Set(m, s.Value)
		return
	}
	if mean := s.Distribution.Mean(); mean >= 0 && !math.IsInf(mean, 0) {
		p.Set(m, mean)
	}
	m.Vary(sim.Variation{Parameter: p.Name, Distribution: s.Distribution})
}

// Setting returns the setting of the parameter on a machine, and whether it is the same everywhere on it.
func (p *Parameter) Setting(m *sim.Machine) (s Setting, uniform bool) {
	if v := m.VariationOf(p.Name); v != nil && !v.Added {
		return Setting{Distribution: v.Distribution}, true
	}
	s.Value, uniform = p.Get(m)
	return s, uniform
}

// FormatSetting writes a setting so that ParseSetting reads it back.
func (p *Parameter) FormatSetting(s Setting) string {
	k, ok := sim.DistributionByName(s.Distribution.Kind)
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
