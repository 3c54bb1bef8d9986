package style

import (
	"slices"
	"strings"
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
	// A part of 3 columns is half of 6, but not of 7.
	for width, want := range map[int]string{10: "abc, defgh", 7: "abc, d\u2026", 6: "abc"} {
		if got := th.Clause("abc, defgh", width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

// A word that is longer than a line is broken, or has a line of its own; one of a megabyte takes no time for each line.
func TestWrapLongWords(t *testing.T) {
	path := "/a/" + strings.Repeat("d", 1<<20)
	if got := Wrap("in "+path, 80); len(got) != 2+len(path)/80 || got[1] != path[:80] ||
		strings.Join(got[1:], "") != path {
		t.Errorf("%d lines, the second is %.100q", len(got), got[1])
	}
	if got := WrapWords("see "+path+" for 46 % more", 20); !slices.Equal(got, []string{"see", path, "for 46 % more"}) {
		t.Errorf("%d lines", len(got))
	}
	combined := strings.Repeat("e\u0301", 100) // two runes a column
	if got := Wrap(combined, 30); len(got) != 4 || strings.Join(got, "") != combined {
		t.Errorf("%q", got)
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
		{"takes 10 ms", 8, []string{"takes", "10 ms"}},
		{"of 1,024 MB", 8, []string{"of", "1,024 MB"}},
		{"takes 3 runs", 7, []string{"takes", "3 runs"}}, // a unit has at most 4 letters
		{"takes 3 units", 7, []string{"takes 3", "units"}},
		{"takes +3.5 ms", 10, []string{"takes", "+3.5 ms"}},
		{"takes 3. ms", 8, []string{"takes 3.", "ms"}}, // the end of a sentence
		{"takes + ms", 7, []string{"takes +", "ms"}},
		{"takes 9x ms", 8, []string{"takes 9x", "ms"}},
		{"takes 1-9 ms", 9, []string{"takes 1-9", "ms"}},
		{"a b\n\nc", 3, []string{"a b", "", "c"}},
		{"ab", 0, []string{"a", "b"}},
	} {
		if got := Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
