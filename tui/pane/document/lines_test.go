package document

import (
	"testing"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
)

// A document is laid out for any width, however narrow the terminal.
func TestLinesAtAnyWidth(t *testing.T) {
	th := style.NewTheme(raster.TrueColor, raster.UTF8, true, raster.NoColor)
	s := &criticalpath.Summary{Total: 10, Threads: []criticalpath.Share{{Name: "THREAD 1.1.1", Time: 10}}}
	for width := range 60 {
		if lines := Lines(s.Document(prv.Nanoseconds, 0), th, width); len(lines) == 0 {
			t.Errorf("no lines at width %d", width)
		}
	}
}
