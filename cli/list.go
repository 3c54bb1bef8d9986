package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/filter"
	"pview/insight/efficiency"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/expr"
	"pview/semantic/stat"
	"pview/sim"
	"pview/tui"
	"pview/tui/action"
)

// list prints the tables from which a user chooses.
func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use:   "list [FAMILY [TEXT]]",
		Short: "List the functions, modes and actions that pview knows",
		Long: "list prints what a user can choose from: functions, filters, draw modes, keys. Without an argument it lists " +
			"the families; with one, what is in that family; with a text too, what of it contains the text. The beginning of a family's " +
			"name will do.",
		Example: "pview list\n" +
			"pview list compose-functions\n" +
			"pview list actions zoom",
		Args:              atMost("FAMILY", "TEXT"),
		ValidArgsFunction: completeFamilies,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listFamilies().write(a.Out, a.format.value)
			}
			f, err := familyOf(args[0])
			if err != nil {
				return err
			}
			t := f.list()
			if len(args) > 1 {
				if t = t.containing(args[1]); len(t.rows) == 0 {
					return fmt.Errorf("%w: none of the %s contains %q", errNothing, f.name, args[1])
				}
			}
			return t.write(a.Out, a.format.value)
		},
	}
}

// family is a set of things among which a user chooses.
type family struct {
	name string
	doc  string
	list func() *table
}

// families are all of them, in the order of the way of the data: what is read,
// what passes, what value it has, how it is drawn, what can be done with it.
var families = []family{
	{"levels", "levels of the object model, from the whole to the part", listLevels},
	{"units", "units of durations among the values of a window", listUnits},
	{"skip-reasons", "why a record of a trace is left out", listReasons},
	{"filter-functions", "how a filter compares a number with its list", listFilters},
	{"functions", "functions of all kinds", func() *table { return listFunctions(semantic.Families...) }},
	{"thread-functions", "functions from the records of a thread to its value", func() *table { return listFunctions(semantic.ThreadFunctions) }},
	{"cpu-functions", "functions from the threads on a CPU to its value", func() *table { return listFunctions(semantic.CPUFunctions) }},
	{"fold-functions", "functions from the children to the value of a task, ptask, workload, node or system", func() *table { return listFunctions(semantic.FoldFunctions) }},
	{"compose-functions", "functions from a value to another", func() *table { return listFunctions(semantic.ComposeFunctions) }},
	{"derived-operations", "operations on the values of two windows", func() *table { return listFunctions(semantic.DerivedFunctions) }},
	{"variables", "what the expressions of user functions can name", listVariables},
	{"analyzer-functions", "figures of each object over a stretch of time", listAnalyzer},
	{"record-fields", "what a figure of the user's own can ask of a record", listFields},
	{"statistics", "what the cells of a histogram show", listStatistics},
	{"machines", "machines of the simulator that have a name", listMachines},
	{"parameters", "what can be said of a machine: flags of pview sim, and the form of the viewer's simulator", listParameters},
	{"models", "whose rules the simulator goes by", listModels},
	{"rules", "where the models of the simulator differ", listRules},
	{"networks", "how the simulator lets messages wait for links and buses", listNetworks},
	{"distributions", "whose values a parameter of a machine may have, drawn anew for each use", listDistributions},
	{"scheduling-policies", "how the simulator gives CPUs to threads", listPolicies},
	{"collective-models", "how the time of a stage of a collective operation grows with the participants", listCollectiveModels},
	{"collective-sizes", "which size the messages of such a stage have", listCollectiveSizes},
	{"mappings", "how the simulator places tasks on nodes", listMappings},
	{"efficiency-factors", "figures of pview efficiency", listFactors},
	{"projection-models", "how pview efficiency --project takes factors to depend on the number of processes p", listProjectionModels},
	{"draw-modes", "how the values that share a cell of the screen become one", listDrawModes},
	{"actions", "what keys and commands of the viewer do", listActions},
}

// familyOf finds a family by its name or the beginning of it.
func familyOf(name string) (family, error) {
	var found []family
	var names []string
	for _, f := range families {
		if f.name == name {
			return f, nil
		}
		if strings.HasPrefix(f.name, name) {
			found = append(found, f)
		}
		names = append(names, f.name)
	}
	switch len(found) {
	case 0:
		return family{}, fmt.Errorf("%w: there is no family %q, but %s", errNothing, name, strings.Join(names, ", "))
	case 1:
		return found[0], nil
	}
	return family{}, usagef("%q may be %s or %s", name, found[0].name, found[1].name)
}

func completeFamilies(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, f := range families {
			names = append(names, f.name+"\t"+f.doc)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func listFamilies() *table {
	t := &table{columns: []column{{key: "family", title: "Family"}, {key: "entries", title: "Entries"}, {key: "doc", title: "What it is"}}}
	for _, f := range families {
		if len(f.list().rows) == 0 {
			continue
		}
		t.add(f.name, int64(len(f.list().rows)), f.doc)
	}
	return t
}

func listLevels() *table {
	t := &table{columns: []column{{key: "name", title: "Level"}, {key: "side", title: "Side"}}}
	for _, l := range prv.Levels {
		side := "processes"
		if l.IsResource() {
			side = "resources"
		}
		t.add(l.String(), side)
	}
	return t
}

func listUnits() *table {
	t := &table{columns: []column{{key: "name", title: "Unit"}, {key: "nanoseconds", title: "Nanoseconds"}}}
	for _, u := range semantic.Units {
		t.add(u.Name, u.Nanoseconds)
	}
	return t
}

func listReasons() *table {
	t := &table{columns: []column{{key: "key", title: "Key"}, {key: "doc", title: "Reason"}}}
	for _, r := range prv.Reasons {
		t.add(r.Key(), r.String())
	}
	return t
}

func listFilters() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "values", title: "Values"}, {key: "doc", title: "What passes"}}}
	for _, f := range filter.Functions {
		values := "any number"
		if f.Arity >= 0 {
			values = strconv.Itoa(f.Arity)
		}
		t.add(f.Name, values, f.Doc)
	}
	return t
}

func listFunctions(of ...semantic.Family) *table {
	t := &table{columns: []column{
		{key: "name", title: "Name"},
		{key: "family", title: "Family", known: true},
		{key: "group", title: "Group"},
		{key: "parameters", title: "Parameters"},
		{key: "doc", title: "What the value is"},
	}}
	for _, f := range of {
		for _, e := range semantic.Functions(f) {
			params := parameters(e.Params)
			if e.Expression != "" {
				params = "= " + e.Expression
			}
			t.add(e.Name, f.String(), e.Group, params, e.Doc)
		}
	}
	return t
}

// listVariables lists the variables of user functions by where these stand, and the
// functions that expressions may call.
func listVariables() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "of", title: "In"}, {key: "doc", title: "What it is"}}}
	for _, f := range semantic.Families {
		if e, ok := semantic.Lookup(f, semantic.UserFunction); ok {
			for _, v := range e.Variables {
				t.add(v.Name, f.String(), v.Doc)
			}
		}
	}
	for _, v := range expr.Functions {
		t.add(v.Name+"(x)", "all", v.Doc)
	}
	return t
}

// parameters writes what a function takes, with the defaults: "list...=1, factor=1".
func parameters(params []semantic.Param) string {
	var list []string
	for _, p := range params {
		s := p.Name
		if p.List {
			s += "..."
		}
		var values []string
		for _, v := range p.Default {
			values = append(values, strconv.FormatFloat(v, 'g', -1, 64))
		}
		list = append(list, s+"="+strings.Join(values, ";"))
	}
	return strings.Join(list, ", ")
}

func listAnalyzer() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "limits", title: "Limits"}, {key: "doc", title: "What it is"}}}
	for _, f := range stat.Functions() {
		var limits []string
		if f.Duration {
			limits = append(limits, "duration of bursts")
		}
		if f.Value {
			limits = append(limits, "value")
		}
		t.add(f.Name, strings.Join(limits, ", "), f.Doc)
	}
	return t
}

func listFields() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "doc", title: "What it is"}}}
	for _, v := range expr.Variables(stat.Record{}) {
		t.add(v.Name, v.Doc)
	}
	return t
}

func listStatistics() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "of", title: "Of"}, {key: "doc", title: "What a cell shows"}}}
	for _, s := range stat.Statistics() {
		of := "values"
		if s.Comms {
			of = "communications"
		}
		t.add(s.Name, of, s.Doc)
	}
	return t
}

func listMachines() *table {
	t := &table{columns: []column{{key: "name", title: "Machine"}, {key: "values", title: "Differs from ideal"}, {key: "doc", title: "What it is"}, {key: "source", title: "Figures"}}}
	for _, p := range sim.Presets() {
		var values []string
		for _, v := range p.Values {
			values = append(values, v[0]+" "+v[1])
		}
		t.add(p.Name, strings.Join(values, ", "), p.Doc, p.Source)
	}
	return t
}

func listParameters() *table {
	t := &table{columns: []column{{key: "name", title: "Parameter"}, {key: "group", title: "Group"}, {key: "unit", title: "Unit"}, {key: "default", title: "Ideal"}, {key: "doc", title: "What it is"}}}
	for i := range sim.Parameters {
		p := &sim.Parameters[i]
		t.add(p.Name, p.Group, sim.ParameterKinds[p.Kind].Unit, p.Format(p.Default), parameterDoc(p))
	}
	return t
}

func listPolicies() *table {
	t := &table{columns: []column{{key: "name", title: "Policy"}, {key: "parameters", title: "Parameters"}, {key: "doc", title: "Who gets a CPU"}}}
	for _, p := range sim.Policies() {
		t.add(p.Name, strings.Join(p.Params, ", "), p.Doc)
	}
	return t
}

func listCollectiveModels() *table {
	t := &table{columns: []column{{key: "name", title: "Model"}, {key: "doc", title: "What a stage costs"}}}
	for _, m := range sim.CollectiveModels {
		t.add(m.Name, m.Doc)
	}
	return t
}

func listCollectiveSizes() *table {
	t := &table{columns: []column{{key: "name", title: "Size"}, {key: "doc", title: "Bytes of a message"}}}
	for _, m := range sim.CollectiveSizes {
		t.add(m.Name, m.Doc)
	}
	return t
}

func listMappings() *table {
	t := &table{columns: []column{{key: "name", title: "Mapping"}, {key: "doc", title: "Where tasks go"}}}
	for _, m := range sim.Mappings {
		t.add(m.Name, m.Doc)
	}
	return t
}

func listFactors() *table {
	t := &table{columns: []column{{key: "name", title: "Figure"}, {key: "doc", title: "What it tells"}, {key: "formula", title: "Formula"}}}
	for _, f := range efficiency.Factors {
		formula := f.Formula
		if f.HybridFormula != "" {
			formula += "; hybrid: " + f.HybridFormula
		}
		t.add(f.Name, f.Doc, formula)
	}
	return t
}

func listProjectionModels() *table {
	t := &table{columns: []column{{key: "name", title: "Model"}, {key: "formula", title: "Factor"}, {key: "doc", title: "When"}}}
	for _, m := range efficiency.Models {
		t.add(m.Name, m.Formula, m.Doc)
	}
	return t
}

func listDrawModes() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "cfg", title: "In .cfg files"}, {key: "doc", title: "What is drawn"}}}
	for _, m := range semantic.DrawModes {
		t.add(m.Name, m.Cfg, m.Doc)
	}
	return t
}

func listActions() *table {
	t := &table{columns: []column{
		{key: "name", title: "Name"},
		{key: "arguments", title: "Arguments"},
		{key: "keys", title: "Keys"},
		{key: "group", title: "Group"},
		{key: "doc", title: "What it does"},
	}}
	for _, group := range tui.Groups() {
		for _, action := range tui.Actions() {
			if action.Group == group {
				t.add(action.Name, action.Args, keyLabels(action), action.Group, action.Doc)
			}
		}
	}
	return t
}

// keyLabels writes the keys of an action as people do: "← h".
func keyLabels(a action.Action) string {
	var labels []string
	for _, k := range a.Keys {
		labels = append(labels, action.KeyLabel(k))
	}
	return strings.Join(labels, " ")
}
