package prv

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/prv/store"
)

// With next to no memory the records go through temporary files, which are all removed, and the trace is the same.
func TestLittleMemory(t *testing.T) {
	prvtest.Cache(t)
	if err := os.MkdirAll(os.Getenv("XDG_CACHE_HOME"), 0o700); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../testdata/traces/*/*.prv*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no traces", err)
	}
	for name, text := range prvtest.AwkwardTraces {
		path := filepath.Join(t.TempDir(), strings.ReplaceAll(name, " ", "_")+".prv")
		prvtest.Write(t, path, text)
		paths = append(paths, path)
	}
	for _, path := range paths {
		parsed, err := Open(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &store.Storage{Memory: 1}
		little, err := open(context.Background(), path, store.Options{Storage: s, Chunk: 1000})
		if err != nil {
			t.Fatal(err)
		}
		openCompanions(little)
		if s.Spill == nil || s.Draft == nil {
			t.Errorf("%s was kept in memory", path)
		}
		if err := prvtest.Same(parsed, little); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	wantNothing(t, os.Getenv("XDG_CACHE_HOME"))
}

func wantNothing(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
