package prv

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With next to no memory the records go through temporary files, and the trace is the
// same; nothing is left of the files.
func TestLittleMemory(t *testing.T) {
	cacheHere(t)
	if err := os.MkdirAll(os.Getenv("XDG_CACHE_HOME"), 0o700); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../testdata/traces/*/*.prv*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no traces", err)
	}
	for name, text := range awkwardTraces {
		path := filepath.Join(t.TempDir(), strings.ReplaceAll(name, " ", "_")+".prv")
		write(t, path, text)
		paths = append(paths, path)
	}
	for _, path := range paths {
		parsed, err := Open(context.Background(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &storage{memory: 1}
		little, err := open(context.Background(), path, Options{storage: s, chunk: 1000})
		if err != nil {
			t.Fatal(err)
		}
		openCompanions(little)
		if s.spill == nil || s.draft == nil {
			t.Errorf("%s was kept in memory", path)
		}
		if err := same(parsed, little); err != nil {
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

// Without a place for temporary files a trace that needs them is refused, in words
// that say why.
func TestNoTemporaryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	write(t, path, awkwardTraces["messages"])
	folders := scratchFolders
	scratchFolders = func() []string { return []string{filepath.Join(t.TempDir(), "none")} }
	defer func() { scratchFolders = folders }()
	_, err := Open(context.Background(), path, Options{Memory: 1})
	if err == nil || !strings.HasPrefix(err.Error(), path+": ") ||
		!strings.Contains(err.Error(), "memory that pview may use") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("it says: %v", err)
	}
}

// A Builder with next to no memory makes the same trace, by way of temporary files of which nothing is left.
func TestBuilderWithLittleMemory(t *testing.T) {
	cacheHere(t)
	if err := os.MkdirAll(os.Getenv("XDG_CACHE_HOME"), 0o700); err != nil {
		t.Fatal(err)
	}
	var h Header
	h.AddPtask()
	h.AddTask(2, -1)
	build := func(memory int64) *Trace {
		b := NewBuilder(h)
		b.Limit(memory)
		for i := range int64(1000) {
			b.State(int32(i%2), 0, 10*i, 10*i+5, uint32(i%7))
			b.Event(int32(i%3/2), 0, 10*i, Pair{Type: uint32(i), Value: i << i % 40}, Pair{Type: 7, Value: -i})
			b.Comm(Comm{Send: 0, Recv: 1, Times: [4]int64{i, i + 1, i + 2, i + 3}, Size: i, Tag: i % 5})
		}
		tr, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if files := b.storage.spill != nil && b.storage.draft != nil; files != (memory == 1) {
			t.Errorf("with memory %d, temporary files are used: %v", memory, files)
		}
		return tr
	}
	if err := same(build(0), build(1)); err != nil {
		t.Error(err)
	}
	wantNothing(t, os.Getenv("XDG_CACHE_HOME"))
}
