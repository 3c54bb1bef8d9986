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

// A study of a command makes each run in a temporary folder. A folder left by a SIGKILL stays while its command still
// runs, and the next study after that removes it; other programs' folders stay.
func TestRunFolderOfKilledStudy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	temp := filepath.Join(dir, "temp")
	foreign := filepath.Join(temp, "pview-run-mine")
	if err := os.MkdirAll(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	study := func(command string) *exec.Cmd {
		cmd := exec.Command(pview, "study", "montecarlo", "--solver", command, "--random", "x=uniform(1,2)",
			"--extract", "y=y ([0-9]+)", "--runs", "1")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+temp)
		return cmd
	}
	folders := func() string { return strings.Join(names(t, temp), " ") }
	waitFor := func(what string, is func() bool) {
		for end := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: there are %s", what, folders())
			}
		}
	}
	end := filepath.Join(dir, "end")
	killed := study("touch begun; until test -e " + end + "; do sleep 0.01; done")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	begun := func() bool {
		list, _ := filepath.Glob(filepath.Join(temp, "pview-run-*", "begun"))
		return len(list) == 1
	}
	waitFor("the command does not begin", begun)
	killed.Process.Kill()
	killed.Wait()
	next := func() {
		if out, err := study("echo y 7").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if next(); !begun() {
		t.Fatalf("the folder of a command that runs is gone: %s", folders())
	}
	if err := os.WriteFile(end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor("the folder stays", func() bool { next(); return folders() == filepath.Base(foreign) })
}
