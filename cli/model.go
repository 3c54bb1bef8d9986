package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"pview/sim"
)

// modelFlags choose the rules of a simulation.
type modelFlags struct {
	model string
	rules []string
}

func (m *modelFlags) flags(f *pflag.FlagSet) {
	var names []string
	for _, model := range sim.Models {
		names = append(names, model.Name)
	}
	f.StringVar(&m.model, "model", names[0], "simulation model: "+strings.Join(names, ", "))
	f.StringArrayVar(&m.rules, "rule", nil,
		"override a rule of the model, `NAME=VALUE` (pview list rules); may be repeated")
}

// choice returns the rules that the flags select.
func (m *modelFlags) choice() (sim.Rules, error) {
	rules, err := sim.ModelRules(m.model)
	if err != nil {
		return rules, usagef("--model: %v", err)
	}
	for _, text := range m.rules {
		name, value, _ := strings.Cut(text, "=")
		if err := rules.Set(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return rules, usagef("--rule: %v", err)
		}
	}
	return rules, nil
}
