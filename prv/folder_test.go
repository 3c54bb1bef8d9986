package prv_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// A folder appears whole. Drafts of killed writers are removed, and an older folder that one of them had just moved
// away is restored; drafts of living writers, of other folders and with other files stay.
func TestSaveFolder(t *testing.T) {
	dir := t.TempDir()
	owned := func(file string) bool { return strings.HasSuffix(file, ".t") }
	for _, name := range []string{".a.ABCDEFG2/x.t", ".a.ABCDEFG3.old/x.t", ".a.ABCDEFG4/mine", ".b.ABCDEFG2/x.t",
		".a.short/x.t"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	const others = ".a.ABCDEFG4 .a.short .b.ABCDEFG2"
	path := filepath.Join(dir, "a")
	save := func(text string, meanwhile func()) error {
		return prv.SaveFolder(t.Context(), path, owned, func(draft string) error {
			if _, err := os.Stat(filepath.Join(path, "x.t")); err != nil {
				t.Errorf("the folder that a killed writer moved away is not back: %v", err)
			}
			err := os.WriteFile(filepath.Join(draft, "x.t"), []byte(text), 0o666)
			meanwhile()
			return err
		})
	}
	if err := save("one", func() {
		if got := strings.Fields(namesIn(t, dir)); len(got) != 5 { // others, a, and the draft
			t.Errorf("while it is written there are %s", got)
		}
		if err := save("another", func() {}); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := prv.SaveFolder(t.Context(), path, owned, func(string) error { return full })
	if text, _ := os.ReadFile(filepath.Join(path, "x.t")); string(text) != "one" || !errors.Is(err, full) {
		t.Errorf("the folder holds %q; %v", text, err)
	}
	if got := namesIn(t, dir); got != others+" a" {
		t.Errorf("there are %s", got)
	}
	if err := os.WriteFile(filepath.Join(path, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := save("two", func() {}); err == nil || !strings.Contains(err.Error(), "holds mine") {
		t.Errorf("a folder with another file: %v", err)
	}
}

// A save that is cancelled changes nothing.
func TestSaveFolderCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	err := prv.SaveFolder(ctx, filepath.Join(dir, "a"), func(string) bool { return true }, func(string) error {
		cancel()
		return nil
	})
	if got := namesIn(t, dir); got != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("there are %q; %v", got, err)
	}
}
