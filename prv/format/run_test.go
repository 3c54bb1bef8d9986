package format

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pview/prv"
)

// rankFile returns a file of PyTorch's profiler: a kernel of a rank of two.
func rankFile(t *testing.T, dir string, rank int) string {
	t.Helper()
	n := strconv.Itoa(rank)
	path := filepath.Join(dir, "rank-"+n+".json")
	text := `{"schemaVersion": 1, "distributedInfo": {"rank": ` + n + `, "world_size": 2}, "traceEvents": [` +
		`{"ph":"X","cat":"kernel","name":"k","pid":` + n + `,"tid":7,"ts":1` + n + `,"dur":5}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Files of ranks that are next to each other are a run, and so is their folder; other files are not.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	a, b := rankFile(t, dir, 0), rankFile(t, dir, 1)
	other := filepath.Join(dir, "other.json")
	if err := os.WriteFile(other, []byte(`[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	runs := Join([]string{other, a, b, "missing.json", other, a})
	if len(runs) != 5 || len(runs[1]) != 2 || runs[1][1] != b {
		t.Errorf("runs %v", runs)
	}
	for path, want := range map[string]int{a: 1, dir: 2} {
		tr, err := Open(context.Background(), &prv.Opener{}, path, prv.Watcher{})
		if err != nil || len(tr.Tasks) != want || tr.Path != path {
			t.Errorf("%s: %v, %v", path, tr, err)
		}
	}
	tr, err := Open(context.Background(), &prv.Opener{Runs: map[string][]string{a: {a, b}}}, a, prv.Watcher{})
	if err != nil || len(tr.Tasks) != 2 || tr.Duration != 6000 {
		t.Errorf("%v, %v", tr, err)
	}
}
