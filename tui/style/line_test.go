package style

import (
	"testing"

	"pview/tui/raster"
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
		if got := th.Clause("61 % efficient: communication 63 %; I/O 20 % of the time, most in thread 1", test.width); got != test.want {
			t.Errorf("%d columns: %q, want %q", test.width, got, test.want)
		}
	}
}
