package efficiency

import "testing"

// TestShortNames: the parallel efficiency and its parts, which sum up a run, and no other factor, have a short name and
// an abbreviation, each its own.
func TestShortNames(t *testing.T) {
	want := map[string]string{parallelEfficiency: "PE", loadBalance: "LB", communication: "CommE",
		serialization: "SerE", transfer: "TrfE"}
	seen := map[string]bool{}
	for i := range Factors {
		f := &Factors[i]
		if f.Abbr != want[f.Name] || (f.Short == "") != (f.Abbr == "") {
			t.Errorf("%s: %q, %q", f.Name, f.Short, f.Abbr)
		}
		if f.Short != "" && seen[f.Short] {
			t.Errorf("%s: %q is taken", f.Name, f.Short)
		}
		seen[f.Short] = true
	}
}
