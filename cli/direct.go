package cli

// Tables of direct networks.

import (
	"strings"

	"pview/sim"
	"pview/sim/puppet"
	"pview/sim/topology"
)

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
