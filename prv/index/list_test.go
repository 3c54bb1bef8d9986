package index

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"pview/prv/model"
)

// A note counts if it is a small file named by the digest of its text.
func TestNotes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := os.MkdirAll(CacheFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, dir string
		make      func(path, dir string) error
		want      bool
	}{
		{"a note", "/a" + suffix, writeText, true},
		{"of 64 KiB", "/" + strings.Repeat("b", 64<<10-1-len(suffix)) + suffix, writeText, true},
		{"larger", "/" + strings.Repeat("c", 64<<10-len(suffix)) + suffix, writeText, false},
		{"a link to one", "/d" + suffix, func(path, dir string) error {
			return errors.Join(writeText(path+".text", dir), os.Symlink(path+".text", path))
		}, false},
		{"of another index", "/e" + suffix, func(path, dir string) error {
			return writeText(path, "/f"+suffix)
		}, false},
		{"of a relative path", "g" + suffix, writeText, false},
		{"of no index", "/h", writeText, false},
		{"none", "/i" + suffix, func(path, dir string) error { return nil }, false},
	} {
		path := noteOf(c.dir)
		if err := c.make(path, c.dir); err != nil {
			t.Fatal(err)
		}
		if dir, ok := readNote(path); ok != c.want || ok && dir != c.dir {
			t.Errorf("%s: %.100q, %v", c.what, dir, ok)
		}
	}
}

func writeText(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

// An index without metadata is listed with the reason why it cannot be used.
func TestIndexWithoutDescription(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	dir := path + suffix
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{path: "#Paraver (a):10:0:1:1(1:1)\n", filepath.Join(dir,
		markFile): markText} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	info, err := Of(path)
	if err != nil || info == nil || info.Dir != dir || info.Bytes != int64(len(markText)) ||
		!strings.Contains(info.Why, metaFile) {
		t.Errorf("%+v, %v", info, err)
	}
}

// A trace from its index still has the counts of skipped records, and the first one.
func TestSkippedRecordsAreKept(t *testing.T) {
	var was, is, none model.Skipped
	was.Count[model.NegativeTime], was.Count[model.UnknownObject] = 2, 1
	was.First.Reason, was.First.Line, was.First.Text = model.UnknownObject, 12, "1:9:9"
	skippedOf(&was).restore(&is)
	if !reflect.DeepEqual(is, was) {
		t.Errorf("%+v, want %+v", is, was)
	}
	skippedOf(&none).restore(&none)
	if none.Total() != 0 {
		t.Errorf("%+v", none)
	}
}
