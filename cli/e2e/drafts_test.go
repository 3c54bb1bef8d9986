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

// A folder of tables is written as a draft. Other writers leave it alone while its writer lives, even if stopped, and
// remove it once that was killed.
func TestDraftOfFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if r := run(t, dir, "synth", "--tasks", "16", "--size", "20M", "run.prv"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	drafts := func() int { // those with their first table, which are locked
		list, err := filepath.Glob(filepath.Join(dir, ".out.parquet.*", "threads.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	convert := []string{"convert", "--no-index", "run.prv", "out.parquet"}
	cmd := stoppedWriter(t, dir, convert, drafts)
	defer cmd.Process.Kill()
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

// stoppedWriter starts pview and stops it while it writes a draft, and repeats that if pview was done first.
func stoppedWriter(t *testing.T, dir string, arguments []string, drafts func() int) *exec.Cmd {
	t.Helper()
	for range 20 {
		cmd := exec.Command(pview, arguments...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); drafts() == 0 && time.Since(began) < patience; {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // until it has stopped
		if drafts() == 1 {
			return cmd
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	t.Fatal("it was always done before it was stopped")
	return nil
}
