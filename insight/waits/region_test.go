package waits

import (
	"context"
	"slices"
	"testing"

	"pview/prv"
)

// Call sites are a file and a line in every tracer's spelling; those that the tracer did not find have no name of their
// own.
func TestCallSite(t *testing.T) {
	for label, want := range map[string]string{
		"150 (balance.F90, epoch2d)":     "balance.F90:150",
		"imbal.c:12 [imbal.c:12, imbal]": "imbal.c:12",
		"??:0 [??:0, tea_leaf]":          "",
		"0 (Unresolved)":                 "",
		"0 (_NOT_Found)":                 "",
		"829":                            "829",
	} {
		if got := callSite(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}

// A tracer numbers one function once per address: the functions of two processes are one region by their name.
func TestRegionsByName(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(2)
	h.AddPtask()
	h.AddTask(1, 0)
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	const function = 60000019
	for thread, value := range []int64{1, 2} { // solve of 1.1.1 is 1, that of 1.2.1 is 2
		b.Event(int32(thread), 0, 10, prv.Pair{Type: function, Value: value})
		b.Event(int32(thread), 0, 50, prv.Pair{Type: function, Value: 3 - value})
		b.Event(int32(thread), 0, 90, prv.Pair{Type: function})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(function, "User function", prv.ValueLabel{Value: 1, Label: "solve [solve(int)]"},
		prv.ValueLabel{Value: 2, Label: "solve [solve(int)]"})
	r, err := Analyze(context.Background(), tr, Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for id, region := range r.Regions {
		if region.Name != "solve" {
			continue
		}
		count++
		for thread := range int32(2) {
			if sum := r.Profile(thread)[id]; sum != 80 {
				t.Errorf("thread %d is in solve for %d, want 80", thread, sum)
			}
		}
	}
	if count != 1 {
		t.Errorf("%d regions are called solve: %v", count, r.Regions)
	}
}

// The regions come from functions, clusters, lines or calls: the first that the trace has, unless the user chooses. Of
// the levels of lines the lowest of all threads counts.
func TestChooseRegions(t *testing.T) {
	tr := &prv.Trace{Labels: &prv.Labels{}}
	for _, c := range []struct {
		user  []uint32
		all   []survey
		level Level
		line  uint32
	}{
		{nil, nil, ByNothing, 0},
		{nil, []survey{{constructs: 3}}, ByNothing, 0},
		{nil, []survey{{}, {calls: 1}}, ByCall, 0},
		{nil, []survey{{calls: 1}, {line: 12}, {line: 11}, {line: 13}, {}}, ByLine, 11},
		{nil, []survey{{line: 12}, {cluster: true}}, ByCluster, 12},
		{nil, []survey{{functions: 1}, {cluster: true, line: 12}}, ByFunction, 12},
		{[]uint32{7}, []survey{{line: 12}}, ByFunction, 0},
	} {
		src := chooseRegions(tr, c.user, c.all)
		if src.level != c.level || src.line != c.line || c.user != nil && !slices.Equal(src.functions, c.user) {
			t.Errorf("%v, %+v: %+v", c.user, c.all, src)
		}
	}
	for typ, want := range map[[2]uint32]uint32{{12, 11}: 11, {11, 12}: 11, {11, 11}: 11} {
		var s survey
		s.add(typ[0], surveyLine)
		s.add(typ[1], surveyLine)
		s.add(1, surveyCall|surveyConstruct)
		s.add(1, surveyCall|surveyFunction)
		if s != (survey{line: want, calls: 2, constructs: 1, functions: 1}) {
			t.Errorf("%v: %+v", typ, s)
		}
	}
}
