package prv_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// At every moment of SaveFile, the old or the new file exists: the old one stays until the new one takes its name, even
// if that fails. A folder cannot replace a file, nor a file a folder.
func TestSaveFileKeepsTheOldFile(t *testing.T) {
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
	if err := prv.SaveFile(path, say("first", nil)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	if err := prv.SaveFile(path, say("half of", full)); !errors.Is(err, full) {
		t.Errorf("a failure is reported as %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "first" {
		t.Errorf("after a failure the file holds %q", text)
	}
	if err := prv.SaveFile(path, say("second", nil)); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "second" {
		t.Errorf("the file holds %q", text)
	}
	// An empty folder could be removed before the rename, but must not be.
	dir := filepath.Join(filepath.Dir(path), "folder")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := prv.SaveFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a file replaces a folder")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("the folder is gone: %v", err)
	}
	if left := namesIn(t, filepath.Dir(path)); left != "folder out.txt" {
		t.Errorf("the folder holds %s", left)
	}
}

// A read-only file stays unchanged.
func TestSaveFileReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(path, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := prv.SaveFile(path, func(io.Writer) error { return nil }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("replacing it: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("it holds %q", text)
	}
}

// A writer removes drafts of the same file whose writers were killed, but not one that is being written, nor other
// files.
func TestSaveFileRemovesDeadDrafts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".a.svg.ABCDEFG2", ".a.svg.ABCDEFG1", ".a.svg.short", ".b.svg.ABCDEFG2"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "a.svg")
	write := func(w io.Writer) error { return nil }
	err := prv.SaveFile(path, func(io.Writer) error {
		if got := namesIn(t, dir); strings.Contains(got, "ABCDEFG2 .a.svg") || len(strings.Fields(got)) != 4 {
			t.Errorf("while it is written there are %s", got)
		}
		return prv.SaveFile(path, write) // another writer at the same time
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := namesIn(t, dir); got != ".a.svg.ABCDEFG1 .a.svg.short .b.svg.ABCDEFG2 a.svg" {
		t.Errorf("there are %s", got)
	}
}

// The longest names that file systems allow, 255 bytes, leave room for the names of drafts.
func TestSaveFileLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 251)+".svg")
	if err := prv.SaveFile(path, func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
}

// Files appear together or not at all.
func TestFilesAppearTogether(t *testing.T) {
	dir := t.TempDir()
	full := errors.New("the disk is full")
	for _, test := range []struct {
		second error
		want   string
	}{{full, ""}, {nil, "a.csv b.csv"}} {
		func() {
			var files prv.Files
			defer files.Discard()
			err := files.Add(filepath.Join(dir, "a.csv"), func(io.Writer) error { return nil })
			if err == nil {
				err = files.Add(filepath.Join(dir, "b.csv"), func(io.Writer) error { return test.second })
			}
			if err == nil {
				err = files.Commit()
			}
			if !errors.Is(err, test.second) {
				t.Errorf("%v, want %v", err, test.second)
			}
		}()
		if got := namesIn(t, dir); got != test.want {
			t.Errorf("there are %q, want %q", got, test.want)
		}
	}
}

// New files have the permissions that the umask leaves.
func TestSaveFileObeysUmask(t *testing.T) {
	if dir := os.Getenv("PVIEW_UMASK_TEST"); dir != "" {
		if err := prv.SaveFile(filepath.Join(dir, "a"), func(io.Writer) error { return nil }); err != nil {
			t.Error(err)
		}
		return
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", `umask 027; exec "$0" -test.run=TestSaveFileObeysUmask`, os.Args[0])
	cmd.Env = append(os.Environ(), "PVIEW_UMASK_TEST="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("no shell: %v: %s", err, out)
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
