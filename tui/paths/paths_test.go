package paths

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Replace never leaves a moment without a file: the old one stays until the new one takes its name, also where that
// fails. A folder cannot take the place of a file, nor a file that of a folder.
func TestReplaceKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	say := func(text string, end error) func(io.Writer) error {
		return func(w io.Writer) error {
			if old, err := os.ReadFile(path); text != "first" && (err != nil || string(old) != "first") {
				t.Errorf("while %q is written, the file holds %q, %v", text, old, err)
			}
			_, err := io.WriteString(w, text)
			return errors.Join(err, end)
		}
	}
	if err := Replace(path, say("first", nil)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	if err := Replace(path, say("half of", full)); !errors.Is(err, full) {
		t.Errorf("a failure is reported as %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "first" {
		t.Errorf("after a failure the file holds %q", text)
	}
	if err := Replace(path, say("second", nil)); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "second" {
		t.Errorf("the file holds %q", text)
	}
	// An empty folder could be removed before the rename; it must not be.
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a file replaces a folder")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("the folder is gone: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".pview-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
}

// A read-only file stays as it is.
func TestReplaceReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(path, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, func(io.Writer) error { return nil }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("replacing it: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("it holds %q", text)
	}
}
