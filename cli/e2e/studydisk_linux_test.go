package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// disk mounts a file system of some kB; a test that may not do that is skipped.
func disk(t *testing.T, kB int) (dir string, remount func(flags uintptr, kB int)) {
	t.Helper()
	dir = t.TempDir()
	size := func(kB int) string { return fmt.Sprintf("size=%dk", kB) }
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, size(kB)); err != nil {
		t.Skip("mount: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir, func(flags uintptr, kB int) {
		t.Helper()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", flags|syscall.MS_REMOUNT, size(kB)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStudyOnFullDisk: the runs that fit are kept, even if the finished table no longer fits; with more room --resume
// ends with the bytes of an undisturbed study. A store that cannot be written is reported before the first run.
func TestStudyOnFullDisk(t *testing.T) {
	work := t.TempDir()
	ring(t, work, 10)
	study := func(store string, more ...string) []string {
		return append(
			strings.Fields(
				"study montecarlo ring.dim --random latency=uniform(1us,30us) --runs 1500 --format tsv --store "+store),
			more...)
	}
	whole := run(t, work, study("whole")...)
	if whole.status != 0 {
		t.Fatal(whole.stderr)
	}
	table, err := os.ReadFile(filepath.Join(work, "whole", "runs.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	dir, remount := disk(t, 200)
	r := run(t, work, study(filepath.Join(dir, "s"))...)
	if r.status != 1 || r.stdout != "" ||
		!strings.Contains(r.stderr, "no space left on device; the runs before are kept\n") ||
		!strings.Contains(r.stderr, "runs of 1,500 kept in ") {
		t.Fatalf("%+v", r)
	}
	// Room for all runs, about 800 bytes each, but not for the table of 100 bytes a run as well.
	remount(0, 1320)
	r = run(t, work, study(filepath.Join(dir, "s"), "--resume")...)
	if r.status != 1 || r.stdout != "" || !strings.Contains(r.stderr, "no space left on device; the runs are kept\n") {
		t.Fatalf("%+v", r)
	}
	remount(0, 8000)
	r = run(t, work, study(filepath.Join(dir, "s"), "--resume")...)
	got, err := os.ReadFile(filepath.Join(dir, "s", "runs.arrow"))
	if r.status != 0 || r.stdout != whole.stdout || err != nil || string(got) != string(table) {
		t.Errorf("status %d %s, %v", r.status, r.stderr, err)
	}
	remount(syscall.MS_RDONLY, 8000)
	r = run(t, work, study(filepath.Join(dir, "other"))...)
	if r.status != 1 || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr,
		"the store of the study: ") || !strings.Contains(r.stderr, "read-only file system") {
		t.Errorf("%+v", r)
	}
}

// TestStudyWithoutRoom: a study without --store completes even if its runs cannot be kept for a resumption.
func TestStudyWithoutRoom(t *testing.T) {
	work := t.TempDir()
	ring(t, work, 10)
	state, _ := disk(t, 100)
	t.Setenv("XDG_STATE_HOME", state)
	r := run(t, work,
		strings.Fields("study montecarlo ring.dim --random latency=uniform(1us,30us) --runs 500 --format tsv")...)
	if r.status != 0 || strings.Count(r.stdout, "\n") != 501 || strings.Count(r.stderr, "\n") != 1 ||
		!strings.Contains(r.stderr, "pview: an interruption would lose runs: ") {
		t.Errorf("%+v", r)
	}
	if left, err := filepath.Glob(filepath.Join(state, "pview", "studies", "*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
