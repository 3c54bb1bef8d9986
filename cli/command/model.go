package command

import (
	"strings"

	"github.com/spf13/pflag"

	"pview/sim"
)

// ModelFlags choose the rules of a simulation.
type ModelFlags struct {
	model string
	rules []string
}

func (m *ModelFlags) Flags(f *pflag.FlagSet) {
	var names []string
	for _, model := range sim.Models {
		names = append(names, model.Name)
	}
	f.StringVar(&m.model, "model", names[0], "simulation model: "+strings.Join(names, ", "))
	f.StringArrayVar(&m.rules, "rule", nil,
		"override a rule of the model, `NAME=VALUE` (pview list rules); may be repeated")
}

// Choice returns the rules that the flags select.
func (m *ModelFlags) Choice() (sim.Rules, error) {
	rules, err := sim.ModelRules(m.model)
	if err != nil {
		return rules, Usagef("--model: %v", err)
	}
	for _, text := range m.rules {
		name, value, _ := strings.Cut(text, "=")
		if err := rules.Set(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return rules, Usagef("--rule: %v", err)
		}
	}
	return rules, nil
}
