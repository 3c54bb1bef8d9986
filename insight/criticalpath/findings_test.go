package criticalpath

import (
	"testing"
)

// Of a path of 100, 55 are computation in solve, 30 collective operations, 15 transfer; with solve twice as fast 27.5
// are saved.
func TestFindings(t *testing.T) {
	s := &Summary{Total: 100, Blocks: []Share{{Name: "solve", Time: 55}, {Name: "MPI_Allreduce", Time: 30}}}
	s.Kinds[Computation], s.Kinds[Collective], s.Kinds[Transfer] = 55, 30, 15
	s.Blocks[0].Kinds[Computation], s.Blocks[1].Kinds[Collective] = 55, 30
	want := []struct {
		name     string
		severity float64
	}{{"collective", 30}, {"block", 27.5}, {"transfer", 15}}
	list := s.findings()
	if len(list) != len(want) {
		t.Fatalf("%+v", list)
	}
	for i, w := range want {
		if list[i].Name != w.name || list[i].Severity != w.severity {
			t.Errorf("%+v, want %v", list[i], w)
		}
	}
	for name, place := range map[string]string{"solve": "in solve", OutsideName: "outside of all blocks"} {
		title := "55.0 % of the critical path is computation " + place + ": twice as fast, it saves half"
		s.Blocks[0].Name = name
		if got := s.findings()[1].Title; got != title {
			t.Errorf("%q, want %q", got, title)
		}
	}
}
