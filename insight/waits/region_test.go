package waits

import (
	"context"
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
