package tui

import (
	"testing"

	"pview/render/raster"
	"pview/semantic/ready"
)

// The menu of views shows a name and its explanation in a line of 80 columns: 12 are frame, margins and scroll bar.
func TestViewsFitTheirMenu(t *testing.T) {
	for _, e := range ready.Table() {
		if n := raster.TextWidth(e.Name + e.Doc); n > 68 {
			t.Errorf("%s: %q: %d columns", e.Name, e.Doc, n)
		}
	}
}
