package style

import (
	"slices"
	"testing"

	"pview/render/raster"
)

func TestClause(t *testing.T) {
	th := &Theme{Glyphs: raster.DefaultLook.Glyphs}
	for _, test := range []struct {
		width int
		want  string
	}{
		{80, "61 % efficient: communication 63 %; I/O 20 % of the time, most in thread 1"},
		{70, "61 % efficient: communication 63 %; I/O 20 % of the time"},
		{50, "61 % efficient: communication 63 %"},
		{30, "61 % efficient: communication\u2026"}, // no part ends there
	} {
		if got := th.Clause("61 % efficient: communication 63 %; I/O 20 % of the time, most in thread 1",
			test.width); got != test.want {
			t.Errorf("%d columns: %q, want %q", test.width, got, test.want)
		}
	}
}

// A number stays with its unit, unless the line is too short for both.
func TestWrapKeepsUnits(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"it takes 138.648977 ms in all", 15, []string{"it takes", "138.648977 ms", "in all"}},
		{"it takes 138.648977 ms in all", 22, []string{"it takes 138.648977 ms", "in all"}},
		{"lost (46 %), 8 tasks", 10, []string{"lost", "(46 %), 8", "tasks"}},
		{"1,024 MB", 8, []string{"1,024 MB"}},
		{"1,024 MB", 7, []string{"1,024", "MB"}},
		{"3 processors", 9, []string{"3", "processor", "s"}},
	} {
		if got := Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
