//go:build unix

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// folder makes a folder with a file of the user's.
func folder(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, filepath.Join(name, "notes.txt"), []byte("mine"))
}

func wantMine(t *testing.T, dir, name string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(dir, name, "notes.txt")); err != nil || string(got) != "mine" {
		t.Errorf("%s: %q %v", name, got, err)
	}
}

// Folders of the user's that are named like indexes, or like the remains of a killed writer, are untouched; the index
// goes elsewhere, and pview says so.
func TestForeignIndexFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	write(t, dir, "a.prv", []byte(good))
	const index, backup, draft, gone = "a.prv.pvidx", ".a.prv.pvidx.backup", ".a.prv.pvidx.ABCDEFGH", "b.pvidx"
	all := []string{index, backup, draft, gone}
	for _, name := range all {
		folder(t, dir, name)
	}
	write(t, dir, filepath.Join(draft, "lock"), nil)
	old := filepath.Join(dir, draft)
	if err := os.Chtimes(old, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		args   string
		status int
		stderr string
	}{
		{"info a.prv", 0, ""},
		{"index a.prv", 0, "a.prv.pvidx is not an index of pview, and is left alone; its index is "},
		{"info a.prv", 0, ""},
		{"index a.prv", 0, ""},
		{"index --clear b", 1, "b.pvidx is not an index of pview, and is left alone"},
		{"index --clear a.prv", 1, "a.prv.pvidx is not an index of pview, and is left alone"},
		{"index --clear all", 3, "no index to remove"}, // the step before removed that in the cache
	}
	for _, s := range steps {
		r := run(t, dir, strings.Fields(s.args)...)
		if r.status != s.status || !strings.Contains(r.stderr, s.stderr) || s.stderr == "" && r.stderr != "" {
			t.Errorf("%s: status %d, want %d; it said %q, want %q", s.args, r.status, s.status, r.stderr, s.stderr)
		}
		for _, name := range all {
			wantMine(t, dir, name)
		}
	}
}

// An index into which the user put a file is not removed, with or without the file.
func TestForeignFileInIndex(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	write(t, dir, "a.prv", []byte(good))
	if r := run(t, dir, "index", "a.prv"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	write(t, dir, "a.prv.pvidx/notes.txt", []byte("mine"))
	r := run(t, dir, "index", "--clear", "a.prv")
	if r.status != 1 || !strings.Contains(r.stderr, "holds a file that is not pview's (notes.txt), and is left alone") {
		t.Errorf("%+v", r)
	}
	wantMine(t, dir, "a.prv.pvidx")
	if err := os.Remove(filepath.Join(dir, "a.prv.pvidx/notes.txt")); err != nil {
		t.Fatal(err)
	}
	if r := run(t, dir, "index", "--clear", "a.prv"); r.status != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.prv.pvidx")); err == nil {
		t.Error("the index is still there")
	}
}

// --clear all removes the indexes that pview made, wherever they are, and ignores foreign paths in the cache.
func TestClearAllObeysNoPlace(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	write(t, dir, "a.prv", []byte(good))
	if r := run(t, dir, "index", "a.prv"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	folder(t, dir, "mine.pvidx")
	mine := filepath.Join(dir, "mine.pvidx")
	sum := sha256.Sum256([]byte(mine))
	// the second as pview names it
	for _, name := range []string{"0123.place", hex.EncodeToString(sum[:])[:32] + ".place"} {
		write(t, cache, "pview/index/"+name, []byte(mine))
	}
	folder(t, cache, "pview/index/other.pvidx")
	if r := run(t, dir, "index", "--clear", "all"); r.status != 0 {
		t.Errorf("%+v", r)
	}
	wantMine(t, dir, "mine.pvidx")
	wantMine(t, cache, "pview/index/other.pvidx")
	if _, err := os.Stat(filepath.Join(dir, "a.prv.pvidx")); err == nil {
		t.Error("the index is still there")
	}
}
