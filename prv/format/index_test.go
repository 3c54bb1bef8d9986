package format

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pview/prv"
	"pview/prv/index"
	"pview/prv/otf2/otf2test"
	"pview/prv/prvtest"
)

// opener returns an opener that makes an index of every trace; any message from it fails the test.
func opener(t *testing.T) *prv.Opener {
	prvtest.Cache(t)
	return &prv.Opener{Least: 1, Tell: func(line string) { t.Error(line) }}
}

// open opens a trace, waits for its index, and reports whether it came from an index.
func open(t *testing.T, o *prv.Opener, path string) (tr *prv.Trace, indexed bool) {
	t.Helper()
	tr, err := Open(context.Background(), o, path, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	o.Wait(context.Background())
	return tr, tr.Maps != nil
}

// checkIndex opens a trace from its files and from its index.
func checkIndex(t *testing.T, o *prv.Opener, path string) {
	t.Helper()
	read, indexed := open(t, o, path)
	if indexed {
		t.Fatalf("%s has an index before it was read", path)
	}
	mapped, indexed := open(t, o, path)
	if !indexed {
		t.Fatalf("%s is not opened from its index", path)
	}
	if err := prv.Equal(read, mapped); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	for _, c := range []struct {
		what string
		a, b any
	}{
		{"path", read.Path, mapped.Path}, {"notes", read.Notes, mapped.Notes}, {"cut", read.Cut, mapped.Cut},
		{"doubts", read.Doubts, mapped.Doubts}, {"comments", read.Comments, mapped.Comments},
	} {
		if !reflect.DeepEqual(c.a, c.b) {
			t.Errorf("%s: %s are %v and, from the index, %v", path, c.what, c.a, c.b)
		}
	}
	name, ok := IndexName(o, path)
	if info, err := index.Of(name); !ok || err != nil || info == nil || info.Why != "" {
		t.Errorf("%s: the index is said to be %+v, %v", path, info, err)
	}
}

// copyTo copies a file or a folder into a folder, and returns its path there.
func copyTo(t *testing.T, dir, path string) string {
	t.Helper()
	to := filepath.Join(dir, filepath.Base(path))
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = os.CopyFS(to, os.DirFS(path))
	} else if err == nil {
		var text []byte
		if text, err = os.ReadFile(path); err == nil {
			err = os.WriteFile(to, text, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// A trace of another format reads the same from its index: a file, a folder of ranks, a report.
func TestImportedIndex(t *testing.T) {
	o, dir := opener(t), t.TempDir()
	for _, path := range []string{
		"../../testdata/traces/ranks_2", "../../testdata/traces/ranks_2/rank-0.json.gz",
		"../nsight/testdata/n02-old.sqlite", "../nsight/testdata/n05-nvtx.sqlite",
	} {
		checkIndex(t, o, copyTo(t, dir, path))
	}
	archive := otf2test.New(false)
	names := archive.MPI(2, 1, 1_000_000_000, "main")
	archive.Region(0, names["main"], 1, 2)
	for rank := range uint64(2) {
		archive.At(rank).Bare(10+rank, 12, 0) // enter
		archive.At(rank).Bare(20, 13, 99)     // leave of a region that was not entered: a note
	}
	checkIndex(t, o, archive.Write(t, dir))
}

// The same holds for the kits' traces.
func TestImportedIndexOfKits(t *testing.T) {
	prvtest.Long(t)
	kits := prvtest.Shared(t, "oracle")
	o, n := opener(t), 0
	packed, err := filepath.Glob(filepath.Join(kits, "otf2", "archives", "*", "*.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range packed {
		checkIndex(t, o, otf2test.Unpack(t, path))
		n++
	}
	for _, pattern := range []string{"kineto/cases/*", "kineto/data/*", "nsight/cases/*.sqlite",
		"nsight/data/*.sqlite"} {
		paths, err := filepath.Glob(filepath.Join(kits, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if _, err := Open(context.Background(), &prv.Opener{NoIndex: true}, path, prv.Watcher{}); err != nil {
				continue // it is rejected with the reason
			}
			checkIndex(t, o, copyTo(t, t.TempDir(), path))
			n++
		}
	}
	if n < 50 {
		t.Errorf("%d traces of the kits", n)
	}
}

// An index is valid for one state of all files of a run, and for the way they were read.
func TestImportedIndexIsStale(t *testing.T) {
	o, dir := opener(t), t.TempDir()
	a, b := rankFile(t, dir, 0), rankFile(t, dir, 1)
	expect := func(what, path string, want bool, tasks int) {
		t.Helper()
		tr, indexed := open(t, o, path)
		if indexed != want || len(tr.Tasks) != tasks {
			t.Errorf("%s: %d tasks, from the index: %v", what, len(tr.Tasks), indexed)
		}
	}
	expect("a folder", dir, false, 2)
	expect("a file of the folder", a, false, 1)
	expect("the folder, with an index between its files", dir, true, 2)
	expect("the file", a, true, 1)
	o.Runs = map[string][]string{a: {a, b}}
	expect("two files", a, false, 2)
	expect("two files again", a, true, 2)
	o.Runs = nil
	expect("the file has kept its own", a, true, 1)

	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(b, later, later); err != nil {
		t.Fatal(err)
	}
	expect("another time of the second file", dir, false, 2)
	expect("its new index", dir, true, 2)
	rankFile(t, dir, 2)
	expect("another file in the folder", dir, false, 3)

	o = &prv.Opener{Least: 1, Strict: true, Tell: o.Tell}
	expect("read without --strict", dir, false, 3)
	expect("read with --strict", dir, true, 3)
	o = &prv.Opener{Least: 1, Tell: o.Tell}
	expect("without --strict again", dir, true, 3)
	o = &prv.Opener{NoIndex: true}
	expect("without index", dir, false, 3)
}

// A trace with faults is an error with --strict, whether it has an index or not.
func TestImportedIndexIsStrict(t *testing.T) {
	o := opener(t)
	path := filepath.Join(t.TempDir(), "run.json")
	text := `{"schemaVersion": 1, "traceEvents": [` +
		`{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5},` +
		`{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":"soon","dur":5}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	checkIndex(t, o, path)
	strict := &prv.Opener{Least: 1, Strict: true}
	if _, err := Open(context.Background(), strict, path, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "left out") {
		t.Errorf("with --strict: %v", err)
	}
}

// An index gets the permissions of the run's most restricted file.
func TestImportedIndexIsPrivate(t *testing.T) {
	o, dir := opener(t), t.TempDir()
	a, b := rankFile(t, dir, 0), rankFile(t, dir, 1)
	if err := os.Chmod(a, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(b, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, o, dir)
	info, err := os.Stat(dir + ".pvidx")
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
