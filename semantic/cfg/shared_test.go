package cfg

import (
	"os"
	"path/filepath"
	"testing"
)

// shared returns the folder of traces and configurations that stands beside the
// repository, or skips the test where there is none. PVIEW_SHARED names another
// place.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PVIEW_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "cfgs")); err != nil {
		t.Skip("no shared configurations beside the repository")
	}
	return dir
}

// sharedFiles are the configurations of several projects.
func sharedFiles(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(shared(t), "cfgs", "*", "*.cfg"))
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	var files []string
	for _, path := range all {
		if filepath.Base(path) != "dimemas_ideal.cfg" {
			files = append(files, path)
		}
	}
	return files
}

// TestRealFiles opens, saves and reopens configurations that people use.
func TestRealFiles(t *testing.T) {
	for _, path := range sharedFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { saveAndReopen(t, open(t, path)) })
	}
}
