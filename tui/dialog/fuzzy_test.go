package dialog

import (
	"slices"
	"strings"
	"testing"
)

func TestRank(t *testing.T) {
	names := []string{
		"Counter: perf::CONTEXT-SWITCHES [PERF_COUNT_SW_CONTEXT_SWITCHES]", "Iteration duration by MPI_Allreduce",
		"MPI call profile",
		"User function profile", "IPC", "In a call",
	}
	for _, test := range []struct {
		typed string
		want  []string
	}{
		{"ipc", []string{"IPC"}}, // the counter's name has those letters as well, which is no match
		{"mpi", []string{"MPI call profile", "Iteration duration by MPI_Allreduce"}},
		{"mcp", []string{"MPI call profile"}},    // first letters of words
		{"mpipro", []string{"MPI call profile"}}, // beginnings of words
		{"prof user", []string{"User function profile"}},
		{"iac", []string{"In a call"}},
		{"cnt", nil},
	} {
		var got []string
		for _, i := range Rank(test.typed, len(names), func(i int) string { return names[i] }) {
			got = append(got, names[i])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q fits %q, want %q", test.typed, got, test.want)
		}
	}
}

// The search for a long word without a match ends: there are C(60, 12) ways to put 12 of its letters on 60 words.
func TestRankEnds(t *testing.T) {
	typed, text := strings.Repeat("a", 50)+"x", strings.Repeat("a ", 60)
	if got := Rank(typed, 1, func(int) string { return text }); len(got) > 0 {
		t.Errorf("%q fits %q", typed, text)
	}
}

// A word that is another name of an item counts more than a text that contains it.
func TestPickerKnowsOtherNames(t *testing.T) {
	p := Picker{Items: []Item{{Text: "Last Evt Val: OMP taskwait"},
		{Text: "OpenMP construct", Also: "parallel regions omp"}, {Text: "OMP lock"}}}
	p.in.insert("omp")
	p.narrow()
	if want := []int{2, 1, 0}; !slices.Equal(p.Shown, want) {
		t.Errorf("shown %v, want %v", p.Shown, want)
	}
}
