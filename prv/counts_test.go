package prv

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The counts that the index has are those of the records, and a file that was changed is not believed.
func TestCountsInIndex(t *testing.T) {
	cacheHere(t)
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "run.prv")
	write(t, path, awkward)
	o := &Opener{Least: 1}
	text := func() string {
		t.Helper()
		tr, err := o.Open(ctx, path, Watcher{})
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
	file := filepath.Join(path+indexSuffix, countsFile)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := text(); got != want {
		t.Errorf("from the index %s, not %s", got, want)
	}
	// That the file was read at all: with a digest to match it, it is believed.
	bad := bytes.Replace(good, []byte(`"event_lines":`), []byte(`"event_lines":7`), 1)
	if s := readCounts(writeAll(t, bad), digest(bad)); s == nil || s.EventLines < 70 {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := text(); got != want {
		t.Errorf("from a changed file %s, not %s", got, want)
	}
	for _, broken := range []string{"", "{", `{"states":[1]}`, `{"types":[1],"type_counts":[1]}`} {
		if s := readCounts(writeAll(t, []byte(broken)), digest([]byte(broken))); s != nil {
			t.Errorf("%q is read as %+v", broken, s)
		}
	}
}

func writeAll(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), countsFile)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A trace that takes another's place has counts of its own.
func TestCountsOfCopy(t *testing.T) {
	tr := readText(t, awkward, Options{})
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
