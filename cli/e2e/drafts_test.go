//go:build unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A folder of tables is written as a draft. Other writers leave it alone while its own lives, stopped even, and remove
// it once that was killed.
func TestDraftOfFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if r := run(t, dir, "synth", "--tasks", "16", "--size", "20M", "run.prv"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	drafts := func() int {
		list, err := filepath.Glob(filepath.Join(dir, ".out.parquet.*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	convert := []string{"convert", "--no-index", "run.prv", "out.parquet"}
	cmd := exec.Command(pview, convert...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	for began := time.Now(); drafts() == 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("there is no draft")
		}
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{1, 0} {
		if left == 0 {
			cmd.Process.Kill()
			cmd.Wait()
		}
		r := run(t, dir, convert...)
		if got := drafts(); r.status != 0 || got != left {
			t.Errorf("status %d, %d drafts are left, want %d: %s", r.status, got, left, r.stderr)
		}
		if got := strings.Join(names(t, filepath.Join(dir, "out.parquet")), " "); got !=
			"calls.parquet events.parquet messages.parquet states.parquet threads.parquet" {
			t.Errorf("out.parquet holds %s", got)
		}
	}
}
