package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/prvtest"
)

// Every real trace opens, at common screen sizes, and can be viewed in every way without a misplaced line.
func TestRealTraces(t *testing.T) {
	dir := prvtest.Shared(t, "traces")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, path := range prvtest.Traces(dir, e.Name()) {
			if info, err := os.Stat(path); err != nil || info.Size() > 2<<20 {
				continue // the larger ones take long; the end-to-end test has them
			}
			t.Run(filepath.Base(path), func(t *testing.T) {
				d := drive(t, 80, 24, Options{Paths: []string{path}})
				d.sees("pview", strings.TrimSuffix(filepath.Base(path), ".gz")[:8])
				for _, size := range screens() {
					d.resize(size[0], size[1])
					d.press("0")
					for _, keys := range [][]string{{"+", "+"}, {"x"}, {"W"}, {"i"}, {"w", "w", "p"}, {"t"}, {"t", "t"},
						{"G"}, {"G", "c"}, {"x", "x", "x", "W", "i"}, {"T", "T", "T", "C"}} {
						d.press(keys...)
						d.checkSize(size[0], size[1], strings.Join(keys, " "))
					}
				}
			})
		}
	}
}
