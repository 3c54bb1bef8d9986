package prv_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
)

// A process that ends while a file is being written leaves nothing beside it, and the file unchanged.
func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	if err := prv.SaveFile(path, func(w io.Writer) error {
		_,
			err := io.WriteString(w, "old")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	err := prv.SaveFile(path, func(w io.Writer) error {
		if files, _ := os.ReadDir(dir); len(files) != 2 {
			t.Errorf("%d files while one is written", len(files))
		}
		prv.RemoveUnfinished()
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%d files are left", len(files))
		}
		return nil
	})
	if err == nil {
		t.Error("a file that was removed is in its place")
	}
	prv.RemoveUnfinished() // the file in its place is not unfinished
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("the file is %q", text)
	}
}
