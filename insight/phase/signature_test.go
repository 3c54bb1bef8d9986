package phase

import "testing"

// The phase with MPI_Init says so, whatever else is in it; the others name what they do most often.
func TestName(t *testing.T) {
	for want, s := range map[string]*Signature{
		"MPI_Init, 2 MPI_Send, MPI_Bcast ...": {Counts: []Count{{"MPI_Bcast", 1}, {"MPI_Comm_rank", 1}, {"MPI_Init", 1},
			{"MPI_Send", 2}}},
		"2 MPI_Send, MPI_Bcast": {Counts: []Count{{"MPI_Bcast", 1}, {"MPI_Send", 2}}},
		"a, b, c":               {Counts: []Count{{"a", 1}, {"b", 1}, {"c", 1}}},
		"a, b, c ...":           {Counts: []Count{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}},
		"2 f, g":                {Counts: []Count{{"f [f(int)]", 2}, {"g", 1}}},
		"3 solve, init":         {Counts: []Count{{"MPI_Init", 1}, {"init", 1}, {"solve", 3}}},
	} {
		if got := s.Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
