package cli

// The model of a simulation, by flags: a model, and overrides of single rules.

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

func listModels() *table {
	t := &table{columns: []column{{key: "name", title: "Model"}, {key: "doc", title: "Meaning"}}}
	for _, m := range sim.Models {
		t.add(m.Name, m.Doc)
	}
	return t
}

// listRules has a line for each choice of each rule.
func listRules() *table {
	t := &table{columns: []column{
		{key: "rule", title: "Rule"}, {key: "value", title: "Value"}, {key: "models", title: "Models"},
		{key: "doc", title: "Meaning"}, {key: "source", title: "Source"}}}
	for i := range sim.RuleTable {
		r := &sim.RuleTable[i]
		t.add(r.Name, "", "", upperFirst(r.Doc), r.Source)
		for v, choice := range r.Values {
			var models []string
			for _, m := range sim.Models {
				if int(m.Rules[i]) == v {
					models = append(models, m.Name)
				}
			}
			t.add(r.Name, choice.Name, strings.Join(models, ", "), choice.Doc, "")
		}
	}
	return t
}

func listNetworks() *table {
	t := &table{columns: []column{{key: "name", title: "Network"}, {key: "parameters", title: "Parameters"},
		{key: "doc", title: "Contention"}}}
	for i := range sim.Networks() {
		n := &sim.Networks()[i]
		t.add(n.Name, strings.Join(n.Params, ", "), n.Doc)
	}
	return t
}

func listDistributions() *table {
	t := &table{columns: []column{{key: "name", title: "Distribution"}, {key: "doc", title: "Values"}}}
	for i := range sim.Distributions {
		t.add(sim.Distributions[i].Usage(), sim.Distributions[i].Doc)
	}
	return t
}
