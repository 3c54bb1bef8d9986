package store

import (
	"context"
	"os"
	"path/filepath"
	"pview/prv/index"
	"pview/prv/model"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// Without a place for temporary files, a trace that needs them is rejected with the reason.
func TestNoTemporaryFile(t *testing.T) {
	const text = "#Paraver (a):10:0:1:1(1:1)\n1:0:1:1:1:0:10:1\n"
	folders := scratchFolders
	scratchFolders = func() []string { return []string{filepath.Join(t.TempDir(), "none")} }
	defer func() { scratchFolders = folders }()
	_, err := hooks.read(context.Background(), strings.NewReader(text), Options{Memory: 1, Name: "run.prv"})
	if err == nil || !strings.HasPrefix(err.Error(), "run.prv: ") ||
		!strings.Contains(err.Error(), "memory that pview may use") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("it says: %v", err)
	}
}

// The cache folder is created for an index; a missing folder beside a trace is not.
func TestFoldersOfIndexes(t *testing.T) {
	if !index.Supported {
		t.Skip("no indexes on this system")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	folder := filepath.Join(t.TempDir(), "none")
	s := &Storage{Places: index.PlacesOf(filepath.Join(folder, "run.prv")), Limit: 1 << 20, Mode: 0o600}
	s.MakeDraft(&index.Sizes{})
	if s.Draft == nil {
		t.Fatal(s.NoIndex)
	}
	defer s.Draft.Discard()
	if s.Draft.Final != s.Places[1] {
		t.Errorf("the index is made in %s", s.Draft.Final)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the trace's folder was made: %v", err)
	}
}

// A Builder with next to no memory makes the same trace through temporary files, which are all removed.
func TestBuilderWithLittleMemory(t *testing.T) {
	dir := t.TempDir()
	folders := scratchFolders
	scratchFolders = func() []string { return []string{dir} }
	defer func() { scratchFolders = folders }()
	var h model.Header
	h.AddPtask()
	h.AddTask(2, -1)
	build := func(memory int64) *model.Trace {
		b := NewBuilder(h)
		b.Limit(memory)
		for i := range int64(1000) {
			b.State(int32(i%2), 0, 10*i, 10*i+5, uint32(i%7))
			b.Event(int32(i%3/2), 0, 10*i, model.Pair{Type: uint32(i), Value: i << i % 40},
				model.Pair{Type: 7, Value: -i})
			b.Comm(model.Comm{Send: 0, Recv: 1, Times: [4]int64{i, i + 1, i + 2, i + 3}, Size: i, Tag: i % 5})
		}
		tr, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if files := b.storage.Spill != nil && b.storage.Draft != nil; files != (memory == 1) {
			t.Errorf("with memory %d, temporary files are used: %v", memory, files)
		}
		return tr
	}
	if err := model.Equal(build(0), build(1)); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
