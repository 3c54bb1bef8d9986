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
	dir := sharedDir()
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared traces beside the repository")
	}
	return dir
}

// sharedDir is the folder of shared, whether it exists or not.
func sharedDir() string {
	if dir := os.Getenv("PVIEW_SHARED"); dir != "" {
		return dir
	}
	dir, _ := os.Getwd()
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, "..", "shared")
}
