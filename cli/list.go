package cli

import (
	"fmt"
	"pview/filter"
	"pview/insight/diagnose"
	"pview/insight/efficiency"
	"pview/insight/frameworks"
	"pview/insight/waits"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/expr"
	"pview/semantic/ready"
	"pview/semantic/series"
	"pview/semantic/stat"
	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/puppet"
	"pview/sim/study"
	"pview/sim/topology"
	"pview/tui"
	"pview/tui/action"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// list prints the tables from which a user chooses.
func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use:   "list [FAMILY [TEXT]]",
		Short: "List the functions, modes and actions that pview knows",
		Long: "list prints the tables that users choose from: functions, filters, draw modes, keys. Without an argument it lists " +
			"the families; with FAMILY its entries; with TEXT only the entries that contain it. A prefix of a family's " +
			"name is enough.",
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

// families are all of them, in the order of the data flow: reading, filters,
// values, simulation, drawing, actions.
var families = []family{
	{"views", "ready views: the questions that are asked of every run", listViews},
	{"levels", "levels of the object model, from whole to part", listLevels},
	{"units", "units of durations among the values of a window", listUnits},
	{"skip-reasons", "reasons for skipping a record of a trace", listReasons},
	{"filter-functions", "comparisons of a number with the list of a filter", listFilters},
	{"functions", "functions of all kinds", func() *table { return listFunctions(semantic.Families...) }},
	{"thread-functions", "functions from the records of a thread to the value of the thread", func() *table {
		return listFunctions(semantic.ThreadFunctions)
	}},
	{"cpu-functions", "functions from the threads on a CPU to the value of the CPU", func() *table {
		return listFunctions(semantic.CPUFunctions)
	}},
	{"fold-functions", "functions from the values of the children to that of a task, ptask, workload, node or system",
		func() *table { return listFunctions(semantic.FoldFunctions) }},
	{"compose-functions", "functions from one value to another", func() *table {
		return listFunctions(semantic.ComposeFunctions)
	}},
	{"derived-operations", "operations on the values of two windows", func() *table {
		return listFunctions(semantic.DerivedFunctions)
	}},
	{"variables", "names in the expressions of user functions", listVariables},
	{"analyzer-functions", "figures of each object over a stretch of time", listAnalyzer},
	{"record-fields", "fields of a record in the expressions of pview stat --sum", listFields},
	{"statistics", "statistics in the cells of a histogram", listStatistics},
	{"machines", "predefined machines of the simulator", listMachines},
	{"parameters", "parameters of a machine: flags of pview sim, and the form of the viewer's simulator",
		listParameters},
	{"models", "models of the simulator, each a set of rules", listModels},
	{"rules", "rules in which the models of the simulator differ", listRules},
	{"networks", "contention of messages for links and buses", listNetworks},
	{"topologies", "shapes of direct networks", listTopologies},
	{"switching", "techniques of direct networks, and the time of a message of s bytes over d links", listSwitchings},
	{"algorithms", "algorithms by which collective operations become messages", listAlgorithms},
	{"log-routines", "MPI routines of a log, and their arguments", listRoutines},
	{"model-options", "options of a model file", listOptions},
	{"distributions", "random distributions for parameters of a machine, sampled at each use", listDistributions},
	{"studies", "kinds of studies: pview study KIND", listStudies},
	{"quantities", "what a study can vary", listQuantities},
	{"densities", "densities of the random inputs of a study, drawn once per run", listDensities},
	{"samplings", "ways to spread the runs of a study over its random inputs", listSamplings},
	{"outputs", "outputs of the runs of a study", listOutputs},
	{"scheduling-policies", "policies that give CPUs to threads", listPolicies},
	{"collective-models", "cost of a stage of a collective operation, by number of participants", listCollectiveModels},
	{"collective-sizes", "message sizes of such a stage", listCollectiveSizes},
	{"mappings", "placements of tasks on nodes", listMappings},
	{"efficiency-factors", "figures of pview efficiency", listFactors},
	{"projection-models", "models of pview efficiency --project: factors as functions of the number of processes p",
		listProjectionModels},
	{"diagnosis-rules", "rules of pview diagnose", listDiagnosisRules},
	{"wait-classes", "classes of waiting, as pview diagnose --waits tells them", listWaitClasses},
	{"distribution-policies", "policies that hand tasks out to workers, of pview frameworks", listFrameworkPolicies},
	{"draw-modes", "reductions of the values that share a screen cell", listDrawModes},
	{"actions", "keys and commands of the viewer", listActions},
}

// familyOf finds a family by its name or a prefix of it.
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
		return family{}, fmt.Errorf("%w: there is no family %q; families: %s", errNothing, name,
			strings.Join(names, ", "))
	case 1:
		return found[0], nil
	}
	return family{}, usagef("%q is ambiguous: %s or %s", name, found[0].name, found[1].name)
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
	t := &table{columns: []column{{key: "family", title: "Family"}, {key: "entries", title: "Entries"},
		{key: "doc", title: "Meaning"}}}
	for _, f := range families {
		if len(f.list().rows) == 0 {
			continue
		}
		t.add(f.name, int64(len(f.list().rows)), f.doc)
	}
	return t
}

func listViews() *table {
	t := &table{columns: []column{{key: "name", title: "View"}, {key: "aliases", title: "Also found as"},
		{key: "offered", title: "Offered for"}, {key: "doc", title: "Value"}}}
	for _, e := range ready.Table() {
		t.add(e.Name, strings.Join(e.Aliases, ", "), e.When, e.Doc)
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
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "values", title: "Values"},
		{key: "doc", title: "Passes"}}}
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
		{key: "doc", title: "Value"},
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
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "of", title: "In"},
		{key: "doc", title: "Meaning"}}}
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
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "limits", title: "Limits"},
		{key: "doc", title: "Meaning"}}}
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
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "doc", title: "Meaning"}}}
	for _, v := range expr.Variables(stat.Record{}) {
		t.add(v.Name, v.Doc)
	}
	return t
}

func listStatistics() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "of", title: "Of"},
		{key: "doc", title: "Value of a cell"}}}
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
	t := &table{columns: []column{{key: "name", title: "Machine"}, {key: "values", title: "Differs from ideal"},
		{key: "doc", title: "Meaning"}, {key: "source", title: "Figures"}}}
	for _, p := range parameter.Presets() {
		var values []string
		for _, v := range p.Values {
			values = append(values, v[0]+" "+v[1])
		}
		t.add(p.Name, strings.Join(values, ", "), p.Doc, p.Source)
	}
	return t
}

func listParameters() *table {
	t := &table{columns: []column{{key: "name", title: "Parameter"}, {key: "group", title: "Group"},
		{key: "unit", title: "Unit"}, {key: "default", title: "Ideal"}, {key: "doc", title: "Meaning"}}}
	for i := range parameter.All {
		p := &parameter.All[i]
		t.add(p.Name, p.Group, parameter.Kinds[p.Kind].Unit, p.Format(p.Default), parameterDoc(p))
	}
	return t
}

func listPolicies() *table {
	t := &table{columns: []column{{key: "name", title: "Policy"}, {key: "parameters", title: "Parameters"},
		{key: "doc", title: "Who gets a CPU"}}}
	for _, p := range sim.Policies() {
		t.add(p.Name, strings.Join(p.Params, ", "), p.Doc)
	}
	return t
}

func listCollectiveModels() *table {
	t := &table{columns: []column{{key: "name", title: "Model"}, {key: "doc", title: "Cost of a stage"}}}
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
	t := &table{columns: []column{{key: "name", title: "Mapping"}, {key: "doc", title: "Placement"}}}
	for _, m := range sim.Mappings {
		t.add(m.Name, m.Doc)
	}
	return t
}

func listFactors() *table {
	t := &table{columns: []column{{key: "name", title: "Figure"}, {key: "doc", title: "Meaning"},
		{key: "formula", title: "Formula"}}}
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
	t := &table{columns: []column{{key: "name", title: "Model"}, {key: "formula", title: "Factor"},
		{key: "doc", title: "When"}}}
	for _, m := range efficiency.Models {
		t.add(m.Name, m.Formula, m.Doc)
	}
	return t
}

func listDrawModes() *table {
	t := &table{columns: []column{{key: "name", title: "Name"}, {key: "cfg", title: "In .cfg files"},
		{key: "doc", title: "Value drawn"}}}
	for _, m := range series.DrawModes {
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
		{key: "doc", title: "Effect"},
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

// listDiagnosisRules lists the rules.
func listDiagnosisRules() *table {
	t := &table{columns: []column{{key: "id", title: "Rule"}, {key: "name", title: "Name"},
		{key: "doc", title: "Question"}, {key: "formula", title: "Cost"}, {key: "threshold", title: "From"},
		{key: "needs", title: "Needs"}}}
	for _, r := range diagnose.Rules {
		t.add(string(r.ID), r.Name, r.Doc, r.Formula, r.Threshold, r.Needs.String())
	}
	return t
}

// listWaitClasses lists the classes of waits.
func listWaitClasses() *table {
	t := &table{columns: []column{{key: "class", title: "Class"}, {key: "key", title: "Key"},
		{key: "name", title: "Name"}, {key: "group", title: "Group"}, {key: "doc", title: "Meaning"}}}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		t.add(int64(c.Class), c.Key, c.Name, c.Group, c.Doc)
	}
	return t
}

func listTopologies() *table {
	t := &table{columns: []column{{key: "name", title: "Topology"}, {key: "numbers", title: "Numbers"},
		{key: "distance", title: "Distance"}, {key: "doc", title: "Meaning"}}}
	for _, s := range topology.Shapes() {
		t.add(s.Name, strings.Join(s.Args, " "), s.Distance, s.Doc)
	}
	return t
}

func listSwitchings() *table {
	t := &table{columns: []column{{key: "name", title: "Switching"}, {key: "time", title: "Time"},
		{key: "doc", title: "Meaning"}}}
	for _, s := range sim.Switchings {
		t.add(s.Name, s.Formula, s.Doc)
	}
	return t
}

func listAlgorithms() *table {
	t := &table{columns: []column{{key: "name", title: "Algorithm"}, {key: "operations", title: "Operations"},
		{key: "doc", title: "Messages"}}}
	for _, a := range sim.Algorithms {
		ops := "all"
		if a.Ops != nil {
			var names []string
			for _, op := range a.Ops {
				names = append(names, sim.Collectives[op])
			}
			ops = strings.Join(names, ", ")
		}
		t.add(a.Name, ops, a.Doc)
	}
	return t
}

func listRoutines() *table {
	t := &table{columns: []column{{key: "name", title: "Routine"}, {key: "arguments", title: "Arguments"},
		{key: "doc", title: "Meaning"}}}
	for _, r := range puppet.Routines() {
		t.add("MPI_"+r.Name, r.Args, r.Doc)
	}
	return t
}

func listOptions() *table {
	t := &table{columns: []column{{key: "name", title: "Option"}, {key: "value", title: "Value"},
		{key: "doc", title: "Meaning"}}}
	for _, o := range puppet.Options() {
		t.add(o.Name, o.Args, o.Doc)
	}
	return t
}

// listFrameworkPolicies lists the policies of distribution.
func listFrameworkPolicies() *table {
	t := &table{columns: []column{{key: "name", title: "Policy"}, {key: "doc", title: "Meaning"},
		{key: "source", title: "Source"}}}
	for _, p := range frameworks.Policies() {
		t.add(p.Name, p.Doc, p.Source)
	}
	return t
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

func listOutputs() *table {
	t := &table{columns: []column{{key: "name", title: "Output"}, {key: "unit", title: "Unit"},
		{key: "doc", title: "Meaning"}}}
	for _, o := range efficiency.StudyOutputs() {
		t.add(o.Name, o.Unit, o.Doc)
	}
	return t
}

func listPairs(key, title string, rows [][2]string) *table {
	t := &table{columns: []column{{key: key, title: title}, {key: "doc", title: "Meaning"}}}
	for _, r := range rows {
		t.add(r[0], r[1])
	}
	return t
}

// listStudies has a line for each command below study.
func listStudies() *table {
	a := newApp(Streams{})
	t := &table{columns: []column{{key: "name", title: "Study"}, {key: "doc", title: "Answer"}}}
	for _, row := range commandRows(a.study()) {
		t.add(row[0], row[1])
	}
	return t
}

func listSamplings() *table {
	t := &table{columns: []column{{key: "name", title: "Sampling"}, {key: "doc", title: "Runs"}}}
	for _, s := range study.Samplings {
		t.add(s.Name, s.Doc)
	}
	return t
}

func listQuantities() *table { return listPairs("name", "Quantity", study.QuantityKinds()) }

func listDensities() *table { return listPairs("usage", "Density", study.DensityUsages()) }
