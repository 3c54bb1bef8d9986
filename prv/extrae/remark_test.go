package extrae_test

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
)

// A trace whose states have no names, or another tool's, gets a remark; one of Extrae and one without states do not.
// A number that Extrae does not use (99) decides nothing.
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
