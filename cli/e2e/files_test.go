//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An output that will be refused is refused before the work for it: the traces are not even opened, as shown by a
// missing one, which is only reported if the output is acceptable.
func TestOutputsAreRefusedFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "o.pcf", []byte("labels of a trace that is gone"))
	write(t, dir, "o.clusters_info.csv", []byte("old"))
	if err := os.Chmod(filepath.Join(dir, "o.clusters_info.csv"), 0o444); err != nil {
		t.Fatal(err)
	}
	const orphan = "pview: o.pcf: it exists without its trace"
	for _, test := range []struct{ args, want string }{
		{"sim none.prv -o o.prv", orphan},
		{"sim none.prv -o no/o.trf", "pview: no/o.trf: cannot be written: no such file or directory"},
		{"sim none.prv -o new.prv", "pview: none.prv: no such file or directory"},
		{"convert none.prv o.prv.gz", orphan},
		{"cut none.prv --from 0 --to 10 -o o.prv", orphan},
		{"critical none.prv -o o.prv", orphan},
		{"diagnose none.prv --repair x -o o.prv", orphan},
		{"diagnose none.prv --html no/o.html", "pview: no/o.html: cannot be written: no such file or directory"},
		{"compare none.prv none.prv --html no/o.html", "pview: no/o.html: cannot be written: no such file or directory"},
		{"frameworks none.prv --write-roles no/o", "pview: no/o: cannot be written: no such file or directory"},
		{"workload none.prv -o o", "pview: o.clusters_info.csv: cannot be written: is read-only"},
		{"export none.prv -o no/o.svg", "pview: no/o.svg: cannot be written: no such file or directory"},
		{"study sensitivity none.prv --html no/o.html",
			"pview: no/o.html: cannot be written: no such file or directory"},
	} {
		got := run(t, dir, strings.Fields(test.args)...)
		if got.status != 1 || !strings.HasPrefix(got.stderr, test.want) {
			t.Errorf("pview %s: %+v, want %q", test.args, got, test.want)
		}
	}
}

// The next writer of a file removes the remains of a killed one.
func TestDeadDraftsAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	write(t, dir, ".b.prv.gz.ABCDEFG2", []byte("half"))
	write(t, dir, ".b.prv.gz.mine", []byte("whole"))
	if got := run(t, dir, "convert", "--no-index", "a.prv", "b.prv.gz"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	if got := strings.Join(names(t, dir), " "); got != ".b.prv.gz.mine a.prv a.row b.prv.gz b.row" &&
		got != ".b.prv.gz.mine a.prv b.prv.gz" {
		t.Errorf("there are %s", got)
	}
}

// A viewer that ignores SIGHUP, as behind nohup, ends when its terminal is gone.
func TestViewerEndsWithItsTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	tm := start(t, 100, 30, nil, inDir(dir), func(tm *terminal) {
		env := tm.cmd.Env
		tm.cmd = exec.Command("sh", "-c", "trap '' HUP; exec "+pview+" a.prv")
		tm.cmd.Dir, tm.cmd.Env = dir, env
	})
	tm.awaitText(" 1.1.1 ")
	if err := tm.pty.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-tm.ended:
	case <-time.After(patience / 2):
		t.Error("the viewer runs on without a terminal")
	}
}
