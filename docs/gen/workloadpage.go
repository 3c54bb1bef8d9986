package main

// The page of docs/ on workloads: text with tables from the program.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/tui"
	"pview/tui/action"
	panel "pview/tui/pane/workload"
)

//go:embed workload.md
var workloadText string

func workloadPage() string {
	kinds := [][]string{}
	for _, k := range workload.Kinds {
		def := strings.Join(k.Default, ", ")
		if def == "" {
			def = "log:PAPI_TOT_INS, PAPI_TOT_INS/PAPI_TOT_CYC; without these counters log:duration"
		}
		kinds = append(kinds, []string{"`" + k.Name + "`", k.Doc, k.Time, k.Method, def})
	}
	tasks, events, scalings, rules, views, families, classes := [][]string{}, [][]string{}, [][]string{}, [][]string{},
		[][]string{}, [][]string{}, [][]string{}
	for _, p := range workload.TaskParameters {
		tasks = append(tasks, []string{"`" + p.Name + "`", p.Unit, p.Doc})
	}
	for _, p := range workload.EventParameters {
		events = append(events, []string{"`" + p.Name + "`", p.Unit, p.Doc})
	}
	for _, s := range workload.Scalings {
		scalings = append(scalings, []string{"`" + s.Name + "`", s.Doc})
	}
	for _, r := range cluster.Rules {
		rules = append(rules, []string{"`" + r.Name + "`", r.Doc})
	}
	for _, v := range workload.Views {
		views = append(views, []string{"`" + v.Name + "`", v.Doc})
	}
	for _, f := range fit.Families {
		families = append(families, []string{f.Name, f.Doc})
	}
	for c := range workload.FirstCluster {
		classes = append(classes, []string{fmt.Sprint(c), workload.ClassNames[c]})
	}
	classes = append(classes, []string{"5 + c", "Cluster c"})
	rooms := [][]string{}
	for _, one := range panel.Pages() {
		rooms = append(rooms, []string{one[0], one[1]})
	}
	return generated + strings.NewReplacer(append(workloadKeys(),
		"{pages}", markdown([]string{"page", "shows"}, rooms),
		"{kinds}", markdown([]string{"component", "is", "time", "method", "clustered on"}, kinds), "{tasks}",
		markdown([]string{"parameter", "unit", "is"}, tasks),
		"{events}", markdown([]string{"parameter", "unit", "is"}, events), "{scalings}",
		markdown([]string{"scaling", "is"}, scalings), "{rules}", markdown([]string{"rule", "recommends"}, rules),
		"{views}", markdown([]string{"view", "has"}, views), "{families}",
		markdown([]string{"distribution", "parameters"}, families), "{classes}",
		markdown([]string{"value", "class"}, classes),
	)...).Replace(workloadText)
}

// workloadKeys returns the keys of the pane named in the text, by the last word of their actions.
func workloadKeys() (list []string) {
	for a := range action.Each(tui.Actions()) {
		if word, ok := strings.CutPrefix(a.Name, "workload "); ok && a.Group == panel.Title && len(a.Keys) > 0 {
			list = append(list, "{"+word+"}", action.JoinKeys(a.Keys[:1]))
		} else if a.Name == "workload" {
			list = append(list, "{open}", action.JoinKeys(a.Keys[:1]))
		}
	}
	return list
}
