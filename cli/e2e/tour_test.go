//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"pview/docs/tour"
)

// The tour of docs/tour.md, key by key: every stop shows what it says, and the picture at the end is there.
func TestTour(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := open(t, tour.Columns, tour.Rows, nil, inDir(dir))
	for _, step := range tour.Steps {
		for _, key := range step.Keys {
			tm.press(tour.Bytes(key))
			tm.settle()
		}
		for _, text := range step.Sees {
			tm.awaitText(text)
		}
		if step.Picture != "" {
			if _, err := os.Stat(filepath.Join("../../docs", step.Picture)); err != nil {
				t.Errorf("%s: its picture is missing: %v", step.Title, err)
			}
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "tour.png")); err != nil || len(data) < 8 ||
		string(data[1:4]) != "PNG" {
		t.Errorf("the exported picture: %d bytes, %v", len(data), err)
	}
	tm.leave()
}
