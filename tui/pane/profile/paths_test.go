package profile

import (
	"slices"
	"testing"

	"pview/prv/calls"
)

// Paths have short names, but two calls from one path that differ only in their arguments have full ones.
func TestShortNames(t *testing.T) {
	got := shortNames([]calls.Path{{}, {Name: "run(int)", Depth: 1}, {Name: "sum(int)", Depth: 2},
		{Name: "sum(double)", Depth: 2}, {Name: "ns::solve<3>(double*)", Depth: 1}, {Name: "sum(int)", Depth: 2}}, 4)
	want := []string{"all 4 threads", "run", "sum(int)", "sum(double)", "ns::solve", "sum"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
