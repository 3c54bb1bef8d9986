package tui

import (
	"testing"

	"pview/insight/report"
)

// The first sentence is shown in the longest form that leaves room for the second, else the longest that fits, else the
// shortest.
func TestWording(t *testing.T) {
	lines := []report.Line{{Sentence: "ten letters", Shorter: []string{"eight let", "six le"}}, {Sentence: "four"}}
	for width, want := range map[int]string{18: "ten letters", 17: "eight let", 13: "six le", 12: "ten letters",
		10: "eight let", 3: "six le"} {
		if got := wording(lines, width, 3); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}
