//go:build unix

package e2e

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pview/cli/clitest"
)

// slurmStudy returns the arguments of a study of 400 runs.
func slurmStudy(more ...string) []string {
	return append([]string{"study", "montecarlo", "ring.dim", "--random", "latency=uniform(1us,30us)", "--random",
		"bandwidth=loguniform(1,1000)", "--runs", "400", "--format", "tsv"}, more...)
}

// arrayJob is a study that runs as a job array in the background.
type arrayJob struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
}

func startArray(t *testing.T, dir, store string) *arrayJob {
	t.Helper()
	j := &arrayJob{cmd: exec.CommandContext(t.Context(), pview,
		slurmStudy("--on", "slurm", "--elements", "4", "--store", store, "--sbatch", "--job-name="+store)...)}
	j.cmd.Dir, j.cmd.Stdout, j.cmd.Stderr = dir, &j.stdout, &j.stderr
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return j
}

// running returns an element of the array that is running and has completed some runs, such as 12_3, and its job, 12.
func (j *arrayJob) running(t *testing.T, dir, store string) (element, job string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for ctx.Err() == nil {
		out, err := exec.CommandContext(ctx, "squeue", "-h", "-r", "-t", "running", "-n", store, "-o",
			"%F_%K %F").Output()
		segments, _ := filepath.Glob(filepath.Join(dir, store, "runs-*.arrows"))
		if fields := strings.Fields(string(out)); err == nil && len(fields) >= 2 && len(segments) > 0 {
			return fields[0], fields[1]
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no element runs: %s", j.stderr.String())
	return "", ""
}

// TestSlurm: a study as a job array has the table of a local one, byte for byte; also when an element is killed, and
// when the array is cancelled midway and resumed.
func TestSlurm(t *testing.T) {
	clitest.OnSlurm(t)
	dir := t.TempDir()
	ring(t, dir, 15_000) // an element computes for some seconds: it still does once the test has seen it
	local := run(t, dir, slurmStudy()...)
	if local.status != 0 || strings.Count(local.stdout, "\n") != 401 {
		t.Fatal(local)
	}

	killed := startArray(t, dir, "killed")
	element, _ := killed.running(t, dir, "killed")
	if out, err := exec.CommandContext(t.Context(), "scancel", "--batch", "--signal=KILL",
		element).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := killed.cmd.Wait(); err != nil || killed.stdout.String() != local.stdout {
		t.Errorf("%v, %d bytes of %d: %s", err, killed.stdout.Len(), len(local.stdout), killed.stderr.String())
	}
	if !strings.Contains(killed.stderr.String(), "1 element of the job array lost, and submitted again") {
		t.Error(killed.stderr.String())
	}

	cancelled := startArray(t, dir, "cancelled")
	_, job := cancelled.running(t, dir, "cancelled")
	if out, err := exec.CommandContext(t.Context(), "scancel", job).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := cancelled.cmd.Wait(); err == nil || cancelled.stdout.Len() > 0 {
		t.Error("a cancelled array is a finished study")
	}
	for _, want := range []string{"the job array was cancelled", "kept in", "--resume makes the rest"} {
		if !strings.Contains(cancelled.stderr.String(), want) {
			t.Errorf("no %q in %s", want, cancelled.stderr.String())
		}
	}
	whole := run(t, dir, slurmStudy("--on", "slurm", "--store", "cancelled", "--resume")...)
	if whole.status != 0 || whole.stdout != local.stdout {
		t.Error(whole.status, whole.stderr)
	}
}

// TestNoSlurm: one line reports what is missing.
func TestNoSlurm(t *testing.T) {
	dir := t.TempDir()
	ring(t, dir, 1)
	t.Setenv("PATH", dir)
	got := run(t, dir, slurmStudy("--on", "slurm")...)
	if got.status != 1 || strings.Count(got.stderr, "\n") != 1 ||
		!strings.Contains(got.stderr, "no Slurm on this host: sbatch is not in PATH") {
		t.Error(got)
	}
}
