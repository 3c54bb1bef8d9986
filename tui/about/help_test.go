package about

import (
	"strings"
	"testing"

	"pview/render/raster"
	"pview/render/style"
)

// Keys wider than their column do not displace the texts of the help.
func TestHelpColumns(t *testing.T) {
	th := style.NewTheme(raster.TrueColor, raster.UTF8, true, raster.RGB(0, 0, 0))
	const keys = "Shift+← H Ctrl+←" // 16 cells
	for _, width := range []int{76, 110} {
		want := strings.Index(helpEntry(th, width, "x", "cells", "", "TEXT")[0].Plain(), "TEXT")
		lines := helpEntry(th, width, keys, "cells-left", "", "TEXT")
		last := []rune(lines[len(lines)-1].Plain())
		if at := strings.Index(string(last), "TEXT"); at < 0 || len([]rune(string(last)[:at])) != want {
			t.Errorf("%d columns: %q, want the text at %d", width, string(last), want)
		}
		if !strings.Contains(lines[0].Plain(), keys) {
			t.Errorf("%d columns: %q lacks the keys", width, lines[0].Plain())
		}
	}
}
