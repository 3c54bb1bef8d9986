package prv_test

import (
	"os"
	"path/filepath"
	"testing"
)

// shared returns the folder of traces and reference figures that stands beside
// the repository, or skips the test where there is none. PVIEW_SHARED names
// another place.
func shared(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PVIEW_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Skip("not in the repository")
	}
	s := filepath.Join(dir, "..", "shared")
	if _, err := os.Stat(s); err != nil {
		t.Skip("no shared traces beside the repository")
	}
	return s
}
