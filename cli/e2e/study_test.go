//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ring writes a program of four tasks that pass messages on, n times.
func ring(t *testing.T, dir string, n int) {
	t.Helper()
	const tasks = 4
	var b strings.Builder
	fmt.Fprintf(&b, "#DIMEMAS:\"ring\":0:%d(1,1,1,1),0\n", tasks)
	for task := range tasks {
		for i := range n {
			fmt.Fprintf(&b, "1:%d:0:0.001\n2:%d:0:%d:-1:1024:%d:1:0\n3:%d:0:%d:-1:1024:%d:1:0\n", task, task, (task+1)%tasks, i, task, (task+tasks-1)%tasks, i)
		}
	}
	write(t, dir, "ring.dim", []byte(b.String()))
}

// TestStudyKilled: a study that is killed at any moment, and resumed each time, ends with the bytes of an undisturbed one. PVIEW_KILLS=20
// kills as often.
func TestStudyKilled(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("PVIEW_KILLS"))
	if err != nil {
		kills = 3
	}
	runs := max(100*kills, 400)
	dir := t.TempDir()
	ring(t, dir, 400)
	command := func(store string) []string {
		return []string{"study", "montecarlo", "ring.dim", "--random", "latency=uniform(1us,30us)", "--random", "bandwidth=loguniform(1,1000)",
			"--runs", fmt.Sprint(runs), "--store", store, "--format", "tsv"}
	}
	begin := time.Now()
	whole := run(t, dir, command("whole")...)
	took := time.Since(begin)
	if whole.status != 0 || strings.Count(whole.stdout, "\n") != runs+1 {
		t.Fatal(whole)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	last := 0
	for range kills {
		cmd := exec.CommandContext(t.Context(), pview, append(command("killed"), "--resume")...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(took) / int64(kills))))
		cmd.Process.Kill()
		cmd.Wait()
		segments, err := filepath.Glob(filepath.Join(dir, "killed", "*.arrows"))
		if err != nil || len(segments) < last {
			t.Fatal(segments, err)
		}
		last = len(segments)
	}
	t.Logf("%d runs in %v; killed %d times, %d files", runs, took, kills, last)
	end := run(t, dir, append(command("killed"), "--resume")...)
	if end.status != 0 || end.stdout != whole.stdout {
		t.Errorf("status %d %s", end.status, end.stderr)
	}
	var tables [2][]byte
	for i, store := range []string{"whole", "killed"} {
		if tables[i], err = os.ReadFile(filepath.Join(dir, store, "runs.arrow")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(tables[0], tables[1]) {
		t.Error("the tables differ")
	}
}

// TestStudyInterrupted: after Ctrl-C the runs are kept, and the rest is made by --resume; without --store as well.
func TestStudyInterrupted(t *testing.T) {
	dir := t.TempDir()
	ring(t, dir, 1000)
	for _, store := range []string{"--store=s", ""} {
		args := strings.Fields("study montecarlo ring.dim --random latency=uniform(1us,30us) --runs 20000 --format tsv " + store)
		cmd := exec.CommandContext(t.Context(), pview, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
		var problems bytes.Buffer
		cmd.Stderr = &problems
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for kept := 0; kept == 0; time.Sleep(10 * time.Millisecond) {
			for _, glob := range []string{"s/*.arrows", "state/pview/studies/*/*.arrows"} {
				names, _ := filepath.Glob(filepath.Join(dir, glob))
				for _, name := range names {
					if info, err := os.Stat(name); err == nil && info.Size() > 10_000 {
						kept++
					}
				}
			}
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if !strings.Contains(problems.String(), "of 20,000 kept in") || !strings.Contains(problems.String(), "--resume") {
			t.Errorf("%q", problems.String())
		}
		os.RemoveAll(filepath.Join(dir, "s"))
	}
}
