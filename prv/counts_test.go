package prv

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pview/prv/prvtest"
	"pview/prv/store"
)

// The counts in the index are those of the records, and a modified file is not trusted.
func TestCountsInIndex(t *testing.T) {
	prvtest.Cache(t)
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, awkward)
	o := &Opener{Least: 1}
	text := func() string {
		t.Helper()
		tr, err := o.Open(ctx, path, store.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Summarize(ctx, tr)
		if err != nil {
			t.Fatal(err)
		}
		o.Wait(ctx)
		return fmt.Sprintf("%+v", *s)
	}
	want := text()
	file := filepath.Join(path+".pvidx", "counts.json")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := text(); got != want {
		t.Errorf("from the index %s, not %s", got, want)
	}
	bad := bytes.Replace(good, []byte(`"event_lines":`), []byte(`"event_lines":7`), 1)
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := text(); got != want {
		t.Errorf("from a changed file %s, not %s", got, want)
	}
}

// A trace that replaces another has its own counts.
func TestCountsOfCopy(t *testing.T) {
	tr := readText(t, awkward, store.Options{})
	whole, err := Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	other := *tr
	other.Threads = other.Threads[:1]
	part, err := Summarize(context.Background(), &other)
	if err != nil || part.StateRecords >= whole.StateRecords {
		t.Errorf("%d states of %d in a part: %v", part.StateRecords, whole.StateRecords, err)
	}
}
