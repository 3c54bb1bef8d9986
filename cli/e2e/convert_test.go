//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pview/prv/prvtest"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A trace survives the way from .prv to .prv.gz and back: the same records, the
// same .pcf and .row.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv",
		[]byte(header+
			"# made by hand\n1:1:1:1:1:0:10:1\n2:2:1:2:1:7:60000001:5:60000002:-6\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n"+
			"1:2:1:2:1:0:10:1\n"))
	write(t, dir, "a.pcf", []byte("# my labels\nSTATES\n1    Running\n"))
	write(t, dir, "a.row", []byte("LEVEL THREAD SIZE 2\nfirst\nsecond\n"))
	for _, args := range [][]string{{"a.prv", "b.prv.gz"}, {"b.prv.gz", "c.prv"}, {"c.prv", "d.prv"}} {
		if got, want := run(t, dir, append([]string{"convert"}, args...)...), (result{}); got != want {
			t.Fatalf("convert %v: %+v", args, got)
		}
	}
	if got, want := strings.Join(names(t, dir), " "),
		"a.pcf a.prv a.row b.pcf b.prv.gz b.row c.pcf c.prv c.row d.pcf d.prv d.row"; got != want {
		t.Errorf("there are %s, want %s", got, want)
	}
	for _, pair := range [][2]string{{"a.pcf", "c.pcf"}, {"a.row", "c.row"}, {"c.prv", "d.prv"}} {
		x, _ := os.ReadFile(filepath.Join(dir, pair[0]))
		y, _ := os.ReadFile(filepath.Join(dir, pair[1]))
		if !bytes.Equal(x, y) {
			t.Errorf("%s is %q, %s is %q", pair[0], x, pair[1], y)
		}
	}
	describe := func(name string) string {
		r := run(t, dir, "info", "--format", "csv", name)
		return strings.ReplaceAll(r.stdout, name, "NAME")
	}
	for _, name := range []string{"b.prv.gz", "c.prv"} {
		if got, want := describe(name), describe("a.prv"); got != want {
			t.Errorf("%s: info tells\n%s\nof a.prv\n%s", name, got, want)
		}
	}
}

// Outputs that cannot be written are reported before anything is written, and no files remain.
func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	write(t, dir, "bad.prv", []byte(good+"7:1\n"))
	if err := os.Symlink("a.prv", filepath.Join(dir, "link.prv")); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	tests := []struct {
		args   string
		want   string
		status int
	}{
		{"a.prv a.prv", "a.prv: same file as IN, which is never overwritten", 2},
		{"a.prv link.prv", "link.prv: same file as IN, which is never overwritten", 2},
		{"a.prv a.csv",
			"a.csv: unknown format; the name of OUT must end in one of .prv, .prv.gz, .dim, .log, .json, .json.gz, " +
				".trf, .trf.gz, .parquet, .arrow", 2},
		{"a.prv", "convert needs OUT (see pview convert --help)", 2},
		{"none.prv b.prv", "none.prv: no such file or directory", 1},
		{"a.prv nodir/b.prv", "nodir/b.prv: cannot be written: no such file or directory", 1},
		{"--strict bad.prv b.prv", "bad.prv:4: unknown kind of record: 7:1", 1},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			got := run(t, dir, append([]string{"convert"}, strings.Fields(test.args)...)...)
			if want := (result{"", "pview: " + test.want + "\n", test.status}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if after := names(t, dir); !slices.Equal(after, before) {
				t.Errorf("there are now %v", after)
			}
		})
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "a.prv")); string(content) != good {
		t.Errorf("a.prv has become %q", content)
	}
}

// aPipe makes a pipe with a name.
func aPipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
}

// whenRead waits until a program opens a pipe to read it, and returns the other end.
func whenRead(t *testing.T, path string) *os.File {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			return f
		}
		if !errors.Is(err, syscall.ENXIO) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// withoutEnd writes to a pipe as long as it has a reader.
func withoutEnd(f *os.File) {
	for err := error(nil); err == nil; time.Sleep(time.Millisecond) {
		_, err = f.WriteString("x")
	}
	f.Close()
}

const someNames = "LEVEL THREAD SIZE 2\nfirst\nsecond\n"

// untilItWrites starts a conversion of the a.prv in a directory, and waits until it has written the trace and reads the
// .row, which is a pipe. The conversion is killed with the test.
func untilItWrites(t *testing.T, dir string, cmd *exec.Cmd) (stderr *bytes.Buffer, row *os.File) {
	t.Helper()
	stderr = &bytes.Buffer{}
	cmd.Dir, cmd.Stderr = dir, stderr
	path, next := filepath.Join(dir, "a.row"), filepath.Join(dir, "next.row")
	aPipe(t, path)
	aPipe(t, next)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	names := whenRead(t, path) // with the trace
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	if _, err := names.WriteString(someNames); err != nil {
		t.Fatal(err)
	}
	names.Close()
	return stderr, whenRead(t, path)
}

// Ctrl-C in the middle of writing leaves no file, whole or in part, and an older
// OUT as it was.
func TestConvertInterrupted(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good+"2:1:1:1:1:5000:1:1\n")) // after the end, which is reported as well
	write(t, dir, "b.prv.gz", []byte("older"))
	cmd := exec.Command(pview, "convert", "--no-index", "a.prv", "b.prv.gz")
	stderr, row := untilItWrites(t, dir, cmd)
	if left := len(names(t, dir)); left < 4 {
		t.Errorf("there are %d files, none of them begun", left)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	withoutEnd(row)
	cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %#x, want SIGINT", status)
	}
	if got, want := stderr.String(), prvtest.Doubts(t, filepath.Join(dir, "a.prv"),
		"a.prv")+"pview: interrupted\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if after := strings.Join(names(t, dir), " "); after != "a.prv a.row b.prv.gz" {
		t.Errorf("there are %s", after)
	}
	if older, _ := os.ReadFile(filepath.Join(dir, "b.prv.gz")); string(older) != "older" {
		t.Error("OUT is not the older file any more")
	}
}

// Outputs never replace files that pview did not write: no .pcf or .row of another trace, no read-only file.
func TestOutputSparesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	write(t, dir, "labelled.prv", []byte(good))
	write(t, dir, "labelled.pcf", []byte("STATES\n1    Running\n"))
	files := map[string]string{"z.pcf": "STATES\n1    Mine\n", "y.row": "LEVEL THREAD SIZE 1\nmine\n", "old.prv": good,
		"old.pcf": "STATES\n1    Old\n", "fixed.prv": "mine"}
	for name, text := range files {
		write(t, dir, name, []byte(text))
	}
	if err := os.Chmod(filepath.Join(dir, "fixed.prv"), 0o444); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	for args, want := range map[string]string{
		"convert a.prv z.prv":               "z.pcf: it exists without its trace and is not overwritten",
		"convert labelled.prv z.prv":        "z.pcf: it exists without its trace and is not overwritten",
		"cut a.prv --from 1ns -o z.prv":     "z.pcf: it exists without its trace and is not overwritten",
		"sim a.prv -o y.prv":                "y.row: ",
		"convert a.prv fixed.prv":           "fixed.prv: cannot be written: is read-only",
		"cut a.prv --from 1ns -o fixed.prv": "fixed.prv: cannot be written: is read-only",
	} {
		if r := run(t, dir, strings.Fields(args)...); r.status != 1 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %+v, want %q", args, r, want)
		}
	}
	if after := names(t, dir); !slices.Equal(after, before) {
		t.Errorf("there are %q, not %q", after, before)
	}
	for name, want := range files {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s says %q, not %q", name, got, want)
		}
	}
	// An older version of the same trace is replaced, labels and all.
	if r := run(t, dir, "convert", "labelled.prv", "old.prv"); r != (result{}) {
		t.Errorf("%+v", r)
	}
}
