package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// While another process replaces or removes a folder, an inspection takes it neither for a foreign folder nor for a
// broken index.
func TestReplacedIndex(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run"+suffix)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, markFile), []byte(markText), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if !isAt(root, dir) {
		t.Error("the index is not where it is")
	}
	var g sync.WaitGroup
	g.Go(func() {
		for range 2000 {
			if err := errors.Join(os.Rename(dir, dir+".old"), os.Rename(dir+".old", dir)); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2000 {
		if err := Owned(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("while it comes and goes: %v", err)
			break
		}
	}
	g.Wait()
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if isAt(root, dir) {
		t.Error("it is there, although it has another name")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if isAt(root, dir) {
		t.Error("another folder is taken for it")
	}
	if err := os.RemoveAll(dir + ".old"); err != nil {
		t.Fatal(err)
	}
	if isAt(root, dir) {
		t.Error("it is there, although it was removed")
	}
	if err := Owned(dir); !errors.As(err, new(*ForeignError)) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := Open(t.Context(), dir, TraceState{}); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("what is no index: %v", err)
	}
}

// Foreign files survive the removal of an index, and so does its folder, with the mark.
func TestRemoveKeepsOthers(t *testing.T) {
	for _, other := range []string{"", "mine.txt"} {
		dir := filepath.Join(t.TempDir(), "run"+suffix)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		files := []string{markFile}
		for name := range ownFiles {
			files = append(files, name)
		}
		if other != "" {
			files = append(files, other)
		}
		for _, name := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(markText), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := emptyOut(dir); err != nil {
			t.Errorf("with %q: %v", other, err)
		}
		left, err := os.ReadDir(dir)
		switch {
		case other == "" && !errors.Is(err, fs.ErrNotExist):
			t.Errorf("%v and %v are left", left, err)
		case other != "" && (len(left) != 2 || err != nil):
			t.Errorf("with %q: %v and %v are left", other, left, err)
		}
	}
}

// A draft that a killed process left with only the mark is removed, whatever its times. One without a mark is not
// pview's.
func TestSweepsWhateverTheClock(t *testing.T) {
	parent := t.TempDir()
	for _, age := range []time.Duration{0, time.Hour, -time.Hour, -1000 * time.Hour} {
		ours, other := filepath.Join(parent, draftName("run")), filepath.Join(parent, draftName("run"))
		for _, dir := range []string{ours, other} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(ours, markFile), []byte(markText), 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(ours, when, when); err != nil {
			t.Fatal(err)
		}
		if SweepDrafts(parent, "run") {
			t.Error("a draft without a writer is busy")
		}
		if _, err := os.Stat(ours); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a draft of %s ago is there: %v", age, err)
		}
		if _, err := os.Stat(other); err != nil {
			t.Error(err)
		}
	}
}
