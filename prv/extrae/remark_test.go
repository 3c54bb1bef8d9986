package extrae_test

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
)

// A trace whose states have no names, or another tool's, gets a remark; a trace of Extrae's and one without states do
// not. A number that Extrae does not use (99) decides nothing.
func TestRemark(t *testing.T) {
	const head = "#Paraver (01/01/25 at 10:00):100_ns:1(1):1:1(1:1)\n"
	for _, test := range []struct {
		records string
		labels  map[int64]string
		want    string
	}{
		{"1:1:1:1:1:0:100:1\n", nil, "no .pcf names the states: they have Extrae's names"},
		{"1:1:1:1:1:0:100:1\n", map[int64]string{1: "Running", 3: " waiting a Message", 99: "Sleeping"}, ""},
		{"1:1:1:1:1:0:100:1\n", map[int64]string{1: "Running", 3: "GPU kernel"},
			`the .pcf names state 3 "GPU kernel", which Extrae does not: it counts as waiting, as Extrae's 3`},
		{"2:1:1:1:1:5:60000001:1\n", nil, ""},
	} {
		tr, err := prv.Read(context.Background(), strings.NewReader(head+test.records), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for v, name := range test.labels {
			tr.Labels.AddState(v, name)
		}
		if got := extrae.Remark(tr); got != test.want {
			t.Errorf("%s %v: got %q, want %q", test.records, test.labels, got, test.want)
		}
	}
}

// Without names, MPI calls get Extrae's; a .pcf that names any call has its own numbers, and a type with another
// meaning keeps its bare values.
func TestNameCalls(t *testing.T) {
	const head = "#Paraver (01/01/25 at 10:00):100_ns:1(1):1:1(1:1)\n"
	open := func(records string, label func(*prv.Labels)) *prv.Trace {
		tr, err := prv.Read(context.Background(), strings.NewReader(head+records), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		label(tr.Labels)
		return tr
	}
	none := func(*prv.Labels) {}
	const calls = "2:1:1:1:1:5:50000001:6\n2:1:1:1:1:9:50000001:0\n"
	for _, test := range []struct {
		name, records string
		label         func(*prv.Labels)
		want, remark  string // of value 6
	}{
		{"no .pcf", calls, none, "MPI_Waitall", "no .pcf names the MPI calls: they have Extrae's names"},
		{"a type without values", calls, func(l *prv.Labels) { l.AddType(50000001, "MPI Point to Point") },
			"MPI_Waitall", "no .pcf names the MPI calls: they have Extrae's names"},
		{"other numbers", calls, func(l *prv.Labels) {
			l.AddType(50000001, "MPI Point-to-point", prv.ValueLabel{Value: 1, Label: "MPI_Waitall"})
		}, "value 6", ""},
		{"another meaning", calls, func(l *prv.Labels) { l.AddType(50000001, "User function") }, "value 6", ""},
		{"no calls", "2:1:1:1:1:5:60000001:6\n", none, "value 6", ""},
	} {
		whole := open(test.records, test.label)
		named := extrae.NameCalls(whole)
		if got := named.Labels.ValueName(50000001, 6); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got := whole.Labels.ValueName(50000001, 6); got != "value 6" {
			t.Errorf("%s: the labels of the file are changed: %q", test.name, got)
		}
		if got := extrae.Remark(named); got != test.remark {
			t.Errorf("%s: %q, want %q", test.name, got, test.remark)
		}
	}
	// The types of old tools keep their names beside those of the calls.
	named := extrae.NameCalls(open(calls, none))
	if got := named.Labels.TypeName(40); got != "Block" {
		t.Errorf("type 40 is %q", got)
	}
	if got := named.Labels.TypeName(50000001); got != "MPI Point-to-point" {
		t.Errorf("the type of calls is %q", got)
	}
	sum, err := prv.Summarize(context.Background(), named)
	if err != nil || sum.EventPairs != 2 {
		t.Errorf("%d events (%v), want 2", sum.EventPairs, err)
	}
}
