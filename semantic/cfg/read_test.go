package cfg

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kit is the folder of configurations, traces, and answers of Paraver's command-line tool: see its README. Package cli,
// which writes the answers, tests that pview gives the same.
const kit = "../../testdata/oracle/paraver"

// kitFiles returns all .cfg files of the kit.
func kitFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kit, "cfgs", "*.cfg"))
	if err != nil || len(files) != 302 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// open reads a file that must be readable.
func open(t testing.TB, path string) *File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, notes, err := Read(filepath.Base(path), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		t.Log(n)
	}
	return f
}

// TestSaveAndReopen writes every file of the kit and reads it again: nothing may
// have changed.
func TestSaveAndReopen(t *testing.T) {
	for _, path := range kitFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".cfg"), func(t *testing.T) {
			saveAndReopen(t, open(t, path))
		})
	}
}

func saveAndReopen(t testing.TB, f *File) {
	t.Helper()
	var first, second bytes.Buffer
	if err := Write(&first, f); err != nil {
		t.Fatal(err)
	}
	g, _, err := Read(f.Name, bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, first.String())
	}
	if !f.Equal(g) {
		t.Fatalf("not the same after saving:\n%s", first.String())
	}
	if err := Write(&second, g); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Fatalf("saved a second time:\n%s\nnot\n%s", second.String(), first.String())
	}
}
