// Package listcmd has the command list, which prints the tables of choices for users.
package listcmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/cli/studycmd"
	"pview/filter"
	"pview/insight/diagnose"
	"pview/insight/efficiency"
	"pview/insight/frameworks"
	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/render/document"
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
)

// List prints the tables of choices for users.
func List(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list [FAMILY [TEXT]]",
		Short: "List the functions, modes and actions that pview knows",
		Long: "list prints the tables that users choose from: functions, filters, draw modes, keys. Without an " +
			"argument it lists " +
			"the families; with FAMILY its entries; with TEXT only the entries that contain it. A prefix of a " +
			"family's " +
			"name is enough.",
		Example: "pview list\n" +
			"pview list compose-functions\n" +
			"pview list actions zoom",
		Args:              command.AtMost("FAMILY", "TEXT"),
		ValidArgsFunction: completeFamilies,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return document.WriteTable(a.Out, listFamilies(), a.Format.Value)
			}
			f, err := familyOf(args[0])
			if err != nil {
				return err
			}
			t := f.List()
			if len(args) > 1 {
				if t = t.Containing(args[1]); len(t.Rows) == 0 {
					return fmt.Errorf("%w: none of the %s contains %q", command.ErrNothing, f.Name, args[1])
				}
			}
			return document.WriteTable(a.Out, t, a.Format.Value)
		},
	}
}

// family is a set of choices for users.
type family struct {
	Name string
	Doc  string
	List func() *report.Table
}

// Families are all families, in the order of the data flow: reading, filters, values, simulation, drawing, actions.
var Families = []family{
	{"views", "ready views: the usual questions about a run", listViews},
	{"levels", "levels of the object model, from whole to part", listLevels},
	{"units", "units of durations among the values of a window", listUnits},
	{"skip-reasons", "reasons for skipping a record of a trace", listReasons},
	{"filter-functions", "comparisons of a number with the list of a filter", listFilters},
	{"functions", "functions of all kinds", func() *report.Table { return listFunctions(semantic.Families...) }},
	{"thread-functions", "functions from the records of a thread to the value of the thread", func() *report.Table {
		return listFunctions(semantic.ThreadFunctions)
	}},
	{"cpu-functions", "functions from the threads on a CPU to the value of the CPU", func() *report.Table {
		return listFunctions(semantic.CPUFunctions)
	}},
	{"fold-functions", "functions from the values of the children to that of a task, ptask, workload, node or system",
		func() *report.Table { return listFunctions(semantic.FoldFunctions) }},
	{"compose-functions", "functions from one value to another", func() *report.Table {
		return listFunctions(semantic.ComposeFunctions)
	}},
	{"derived-operations", "operations on the values of two windows", func() *report.Table {
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
	{"efficiency-factors", "figures of pview efficiency", ListFactors},
	{"projection-models", "models of pview efficiency --project: factors as functions of the number of processes p",
		ListProjectionModels},
	{"diagnosis-rules", "rules of pview diagnose", listDiagnosisRules},
	{"repairs", "changes of a program that pview diagnose --repair simulates", listRepairs},
	{"wait-classes", "classes of waiting, as pview diagnose --waits prints them", listWaitClasses},
	{"distribution-policies", "policies that hand tasks out to workers, of pview frameworks", listFrameworkPolicies},
	{"draw-modes", "reductions of the values that share a screen cell", listDrawModes},
	{"actions", "keys and commands of the viewer", listActions},
}

// familyOf finds a family by its name or a prefix of it.
func familyOf(name string) (family, error) {
	var found []family
	var names []string
	for _, f := range Families {
		if f.Name == name {
			return f, nil
		}
		if strings.HasPrefix(f.Name, name) {
			found = append(found, f)
		}
		names = append(names, f.Name)
	}
	switch len(found) {
	case 0:
		return family{}, fmt.Errorf("%w: there is no family %q; families: %s", command.ErrNothing, name,
			strings.Join(names, ", "))
	case 1:
		return found[0], nil
	}
	return family{}, command.Usagef("%q is ambiguous: %s or %s", name, found[0].Name, found[1].Name)
}

func completeFamilies(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, f := range Families {
			names = append(names, f.Name+"\t"+f.Doc)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func listFamilies() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "family", Title: "Family"}, {Key: "entries", Title: "Entries"},
		{Key: "doc", Title: "Meaning"}}}
	for _, f := range Families {
		if len(f.List().Rows) == 0 {
			continue
		}
		t.Add(f.Name, int64(len(f.List().Rows)), f.Doc)
	}
	return t
}

func listViews() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "View"},
		{Key: "aliases", Title: "Also found as"},
		{Key: "offered", Title: "Offered for"}, {Key: "doc", Title: "Value"}}}
	for _, e := range ready.Table() {
		t.Add(e.Name, strings.Join(e.Aliases, ", "), e.When, e.Doc)
	}
	return t
}

func listLevels() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Level"}, {Key: "side", Title: "Side"}}}
	for _, l := range prv.Levels {
		side := "processes"
		if l.IsResource() {
			side = "resources"
		}
		t.Add(l.String(), side)
	}
	return t
}

func listUnits() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Unit"},
		{Key: "nanoseconds", Title: "Nanoseconds"}}}
	for _, u := range semantic.Units {
		t.Add(u.Name, u.Nanoseconds)
	}
	return t
}

func listReasons() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "key", Title: "Key"}, {Key: "doc", Title: "Reason"}}}
	for _, r := range prv.Reasons {
		t.Add(r.Key(), r.String())
	}
	return t
}

func listFilters() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "values", Title: "Values"},
		{Key: "doc", Title: "Passes"}}}
	for _, f := range filter.Functions {
		values := "any number"
		if f.Arity >= 0 {
			values = strconv.Itoa(f.Arity)
		}
		t.Add(f.Name, values, f.Doc)
	}
	return t
}

func listFunctions(of ...semantic.Family) *report.Table {
	t := &report.Table{Columns: []report.Column{
		{Key: "name", Title: "Name"},
		{Key: "family", Title: "Family", Known: true},
		{Key: "group", Title: "Group"},
		{Key: "parameters", Title: "Parameters"},
		{Key: "doc", Title: "Value"},
	}}
	for _, f := range of {
		for _, e := range semantic.Functions(f) {
			params := parameters(e.Params)
			if e.Expression != "" {
				params = "= " + e.Expression
			}
			t.Add(e.Name, f.String(), e.Group, params, e.Doc)
		}
	}
	return t
}

// listVariables lists the variables of user functions by place of use, and the functions that expressions may call.
func listVariables() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "of", Title: "In"},
		{Key: "doc", Title: "Meaning"}}}
	for _, f := range semantic.Families {
		if e, ok := semantic.Lookup(f, semantic.UserFunction); ok {
			for _, v := range e.Variables {
				t.Add(v.Name, f.String(), v.Doc)
			}
		}
	}
	for _, v := range expr.Functions {
		t.Add(v.Name+"(x)", "all", v.Doc)
	}
	return t
}

// parameters writes a function's parameters with their defaults: "list...=1, factor=1".
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

func listAnalyzer() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "limits", Title: "Limits"},
		{Key: "doc", Title: "Meaning"}}}
	for _, f := range stat.Functions() {
		var limits []string
		if f.Duration {
			limits = append(limits, "duration of bursts")
		}
		if f.Value {
			limits = append(limits, "value")
		}
		t.Add(f.Name, strings.Join(limits, ", "), f.Doc)
	}
	return t
}

func listFields() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "doc", Title: "Meaning"}}}
	for _, v := range expr.Variables(stat.Record{}) {
		t.Add(v.Name, v.Doc)
	}
	return t
}

func listStatistics() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "of", Title: "Of"},
		{Key: "doc", Title: "Value of a cell"}}}
	for _, s := range stat.Statistics() {
		of := "values"
		if s.Comms {
			of = "communications"
		}
		t.Add(s.Name, of, s.Doc)
	}
	return t
}

func listMachines() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Machine"},
		{Key: "values", Title: "Differs from ideal"},
		{Key: "doc", Title: "Meaning"}, {Key: "source", Title: "Figures"}}}
	for _, p := range parameter.Presets() {
		var values []string
		for _, v := range p.Values {
			values = append(values, v[0]+" "+v[1])
		}
		t.Add(p.Name, strings.Join(values, ", "), p.Doc, p.Source)
	}
	return t
}

func listParameters() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Parameter"}, {Key: "group", Title: "Group"},
		{Key: "unit", Title: "Unit"}, {Key: "default", Title: "Ideal"}, {Key: "doc", Title: "Meaning"}}}
	for i := range parameter.All {
		p := &parameter.All[i]
		t.Add(p.Name, p.Group, parameter.Kinds[p.Kind].Unit, p.Format(p.Default), command.ParameterDoc(p))
	}
	return t
}

func listPolicies() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Policy"},
		{Key: "parameters", Title: "Parameters"},
		{Key: "doc", Title: "Who gets a CPU"}}}
	for _, p := range sim.Policies() {
		t.Add(p.Name, strings.Join(p.Params, ", "), p.Doc)
	}
	return t
}

func listCollectiveModels() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Model"},
		{Key: "doc", Title: "Cost of a stage"}}}
	for _, m := range sim.CollectiveModels {
		t.Add(m.Name, m.Doc)
	}
	return t
}

func listCollectiveSizes() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Size"},
		{Key: "doc", Title: "Bytes of a message"}}}
	for _, m := range sim.CollectiveSizes {
		t.Add(m.Name, m.Doc)
	}
	return t
}

func listMappings() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Mapping"}, {Key: "doc", Title: "Placement"}}}
	for _, m := range sim.Mappings {
		t.Add(m.Name, m.Doc)
	}
	return t
}

func ListFactors() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Figure"}, {Key: "doc", Title: "Meaning"},
		{Key: "formula", Title: "Formula"}}}
	for _, f := range efficiency.Factors {
		formula := f.Formula
		if f.HybridFormula != "" {
			formula += "; hybrid: " + f.HybridFormula
		}
		t.Add(f.Name, f.Doc, formula)
	}
	return t
}

func ListProjectionModels() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Model"}, {Key: "formula", Title: "Factor"},
		{Key: "doc", Title: "When"}}}
	for _, m := range efficiency.Models {
		t.Add(m.Name, m.Formula, m.Doc)
	}
	return t
}

func listDrawModes() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}, {Key: "cfg", Title: "In .cfg files"},
		{Key: "doc", Title: "Value drawn"}}}
	for _, m := range series.DrawModes {
		t.Add(m.Name, m.Cfg, m.Doc)
	}
	return t
}

func listActions() *report.Table {
	t := &report.Table{Columns: []report.Column{
		{Key: "name", Title: "Name"},
		{Key: "arguments", Title: "Arguments"},
		{Key: "keys", Title: "Keys"},
		{Key: "group", Title: "Group"},
		{Key: "doc", Title: "Effect"},
	}}
	for _, group := range tui.Groups() {
		for _, action := range tui.Actions() {
			if action.Group == group {
				t.Add(action.Name, action.Args, keyLabels(&action), action.Group, action.Doc)
			}
		}
	}
	return t
}

// keyLabels writes the keys of an action for people: "← h".
func keyLabels(a *action.Action) string {
	var labels []string
	for _, k := range a.AllKeys() {
		labels = append(labels, action.KeyLabel(k))
	}
	return strings.Join(labels, " ")
}

// listDiagnosisRules lists the rules.
func listDiagnosisRules() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "id", Title: "Rule"}, {Key: "name", Title: "Name"},
		{Key: "doc", Title: "Question"}, {Key: "formula", Title: "Cost"}, {Key: "threshold", Title: "From"},
		{Key: "needs", Title: "Needs"}}}
	for _, r := range diagnose.Rules {
		t.Add(string(r.ID), r.Name, r.Doc, r.Formula, r.Threshold, r.Needs.String())
	}
	return t
}

// listRepairs lists the actions of pview diagnose --repair.
func listRepairs() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "action", Title: "Action"}, {Key: "targets", Title: "Targets"},
		{Key: "parameter", Title: "Parameter"}, {Key: "doc", Title: "Change"}}}
	for i := range remedy.Actions {
		a := &remedy.Actions[i]
		t.Add(a.Name, a.Targets, a.Parameter, a.Doc)
	}
	return t
}

// listWaitClasses lists the classes of waits.
func listWaitClasses() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "class", Title: "Class"}, {Key: "key", Title: "Key"},
		{Key: "name", Title: "Name"}, {Key: "group", Title: "Group"}, {Key: "doc", Title: "Meaning"}}}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		t.Add(int64(c.Class), c.Key, c.Name, c.Group, c.Doc)
	}
	return t
}

func listTopologies() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Topology"}, {Key: "numbers", Title: "Numbers"},
		{Key: "distance", Title: "Distance"}, {Key: "doc", Title: "Meaning"}}}
	for _, s := range topology.Shapes() {
		t.Add(s.Name, strings.Join(s.Args, " "), s.Distance, s.Doc)
	}
	return t
}

func listSwitchings() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Switching"}, {Key: "time", Title: "Time"},
		{Key: "doc", Title: "Meaning"}}}
	for _, s := range sim.Switchings {
		t.Add(s.Name, s.Formula, s.Doc)
	}
	return t
}

func listAlgorithms() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Algorithm"},
		{Key: "operations", Title: "Operations"},
		{Key: "doc", Title: "Messages"}}}
	for _, a := range sim.Algorithms {
		ops := "all"
		if a.Ops != nil {
			var names []string
			for _, op := range a.Ops {
				names = append(names, sim.Collectives[op])
			}
			ops = strings.Join(names, ", ")
		}
		t.Add(a.Name, ops, a.Doc)
	}
	return t
}

func listRoutines() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Routine"},
		{Key: "arguments", Title: "Arguments"},
		{Key: "doc", Title: "Meaning"}}}
	for _, r := range puppet.Routines() {
		t.Add("MPI_"+r.Name, r.Args, r.Doc)
	}
	return t
}

func listOptions() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Option"}, {Key: "value", Title: "Value"},
		{Key: "doc", Title: "Meaning"}}}
	for _, o := range puppet.Options() {
		t.Add(o.Name, o.Args, o.Doc)
	}
	return t
}

// listFrameworkPolicies lists the policies of distribution.
func listFrameworkPolicies() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Policy"}, {Key: "doc", Title: "Meaning"},
		{Key: "source", Title: "Source"}}}
	for _, p := range frameworks.Policies() {
		t.Add(p.Name, p.Doc, p.Source)
	}
	return t
}

func listModels() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Model"}, {Key: "doc", Title: "Meaning"}}}
	for _, m := range sim.Models {
		t.Add(m.Name, m.Doc)
	}
	return t
}

// listRules has a line for each choice of each rule.
func listRules() *report.Table {
	t := &report.Table{Columns: []report.Column{
		{Key: "rule", Title: "Rule"}, {Key: "value", Title: "Value"}, {Key: "models", Title: "Models"},
		{Key: "doc", Title: "Meaning"}, {Key: "source", Title: "Source"}}}
	for i := range sim.RuleTable {
		r := &sim.RuleTable[i]
		t.Add(r.Name, "", "", report.UpperFirst(r.Doc), r.Source)
		for v, choice := range r.Values {
			var models []string
			for _, m := range sim.Models {
				if int(m.Rules[i]) == v {
					models = append(models, m.Name)
				}
			}
			t.Add(r.Name, choice.Name, strings.Join(models, ", "), choice.Doc, "")
		}
	}
	return t
}

func listNetworks() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Network"},
		{Key: "parameters", Title: "Parameters"},
		{Key: "doc", Title: "Contention"}}}
	for i := range sim.Networks() {
		n := &sim.Networks()[i]
		t.Add(n.Name, strings.Join(n.Params, ", "), n.Doc)
	}
	return t
}

func listDistributions() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Distribution"}, {Key: "doc", Title: "Values"}}}
	for i := range sim.Distributions {
		t.Add(sim.Distributions[i].Usage(), sim.Distributions[i].Doc)
	}
	return t
}

func listOutputs() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Output"}, {Key: "unit", Title: "Unit"},
		{Key: "doc", Title: "Meaning"}}}
	for _, o := range efficiency.StudyOutputs() {
		t.Add(o.Name, o.Unit, o.Doc)
	}
	return t
}

func listPairs(key, title string, rows [][2]string) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: key, Title: title}, {Key: "doc", Title: "Meaning"}}}
	for _, r := range rows {
		t.Add(r[0], r[1])
	}
	return t
}

// listStudies has a line for each command below study.
func listStudies() *report.Table {
	a := command.NewApp(command.Streams{})
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Study"}, {Key: "doc", Title: "Answer"}}}
	for _, row := range command.CommandRows(studycmd.Study(a)) {
		t.Add(row[0], row[1])
	}
	return t
}

func listSamplings() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "name", Title: "Sampling"}, {Key: "doc", Title: "Runs"}}}
	for _, s := range study.Samplings {
		t.Add(s.Name, s.Doc)
	}
	return t
}

func listQuantities() *report.Table { return listPairs("name", "Quantity", study.QuantityKinds()) }

func listDensities() *report.Table { return listPairs("usage", "Density", study.DensityUsages()) }
