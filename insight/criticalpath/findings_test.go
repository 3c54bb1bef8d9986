package criticalpath

import (
	"testing"
)

// Of a path of 200, 110 are computation in solve, 40 collective operations, 20 transfer; with solve twice as fast 55
// are saved. In 30 its thread did not exist yet: 15 % of the path, which nothing can save.
func TestFindings(t *testing.T) {
	s := &Summary{Total: 200, Blocks: []Share{{Name: "solve", Time: 110}, {Name: "MPI_Allreduce", Time: 40}}}
	s.Kinds[Computation], s.Kinds[Collective], s.Kinds[Transfer], s.Kinds[Other] = 110, 40, 20, 30
	s.Blocks[0].Kinds[Computation], s.Blocks[1].Kinds[Collective] = 110, 40
	want := []struct {
		name     string
		severity float64
	}{{"block", 55}, {"collective", 40}, {"transfer", 20}}
	list := s.findings()
	if len(list) != len(want) {
		t.Fatalf("%+v", list)
	}
	for i, w := range want {
		if list[i].Name != w.name || list[i].Severity != w.severity {
			t.Errorf("%+v, want %v", list[i], w)
		}
	}
	for name, place := range map[string]string{"solve": " in solve", OutsideName: " outside of all blocks",
		"computation": "", "a to b": " from a to b", "copy to host": " in copy to host"} { // a function
		s.between = name == "a to b"
		title := "55.0 % of the critical path is computation" + place + ": twice as fast, it saves half"
		s.Blocks[0].Name = name
		if got := s.findings()[0].Title; got != title {
			t.Errorf("%q, want %q", got, title)
		}
	}
}

// Rows are in ns: of a path of 200 us, 110 are computation in solve.
func TestRows(t *testing.T) {
	s := &Summary{Total: 200, Blocks: []Share{{Name: "solve", Time: 110}}}
	s.Kinds[Computation], s.Blocks[0].Kinds[Computation] = 110, 110
	table := s.rows(1000)
	row := table.Rows[len(table.Rows)-1]
	if row[0] != "block" || row[1] != "solve" || row[2] != int64(110_000) ||
		row[4+int(Computation)] != int64(110_000) || row[4+int(Waiting)] != int64(0) {
		t.Errorf("%v", row)
	}
	if row = table.Rows[0]; row[0] != "kind" || row[2] != int64(110_000) || row[4] != nil {
		t.Errorf("%v", row)
	}
}
