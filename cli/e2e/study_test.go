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
			fmt.Fprintf(&b, "1:%d:0:0.001\n2:%d:0:%d:-1:1024:%d:1:0\n3:%d:0:%d:-1:1024:%d:1:0\n", task, task,
				(task+1)%tasks, i, task, (task+tasks-1)%tasks, i)
		}
	}
	write(t, dir, "ring.dim", []byte(b.String()))
}

// study is a study that runs in the background.
type study struct {
	cmd   *exec.Cmd
	runs  string // pattern of the files with its runs
	ended chan struct{}
}

func startStudy(t *testing.T, cmd *exec.Cmd, runs string) *study {
	t.Helper()
	s := &study{cmd, runs, make(chan struct{})}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-s.ended
	})
	return s
}

// kept counts the bytes of the kept runs.
func (s *study) kept() (bytes int64) {
	files, _ := filepath.Glob(s.runs)
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// await waits for n bytes of runs, or for the study's end.
func (s *study) await(bytes int64) {
	for s.kept() < bytes {
		select {
		case <-s.ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// TestStudyKilled: a study that is killed at any moment, and resumed each time, ends with the bytes of an undisturbed
// one. PVIEW_KILLS=20 kills as often.
func TestStudyKilled(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("PVIEW_KILLS"))
	if err != nil {
		kills = 3
	}
	runs := max(100*kills, 400)
	dir := t.TempDir()
	ring(t, dir, 400)
	command := func(store string) []string {
		return []string{"study", "montecarlo", "ring.dim", "--random", "latency=uniform(1us,30us)", "--random",
			"bandwidth=loguniform(1,1000)",
			"--runs", fmt.Sprint(runs), "--store", store, "--format", "tsv"}
	}
	whole := run(t, dir, command("whole")...)
	if whole.status != 0 || strings.Count(whole.stdout, "\n") != runs+1 {
		t.Fatal(whole)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	last, done := int64(0), 0
	table := filepath.Join(dir, "killed", "runs.arrow")
	for ; done < kills; done++ {
		cmd := exec.CommandContext(t.Context(), pview, append(command("killed"), "--resume")...)
		cmd.Dir = dir
		s := startStudy(t, cmd, filepath.Join(dir, "killed", "*.arrows"))
		s.await(last + rng.Int64N(800*int64(runs)/int64(kills))) // a run has about 800 bytes
		cmd.Process.Kill()
		<-s.ended
		if _, err := os.Stat(table); err == nil { // it was faster than the test
			break
		}
		if cmd.ProcessState.Exited() || s.kept() < last {
			t.Fatalf("%v; %d bytes of runs, and there were %d", cmd.ProcessState, s.kept(), last)
		}
		last = s.kept()
	}
	t.Logf("%d runs; killed %d times, %d bytes of runs", runs, done, last)
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

// TestStudyInterrupted: after Ctrl-C the runs are kept, and --resume makes the rest; without --store as well.
func TestStudyInterrupted(t *testing.T) {
	dir := t.TempDir()
	ring(t, dir, 1000)
	for _, store := range []string{"--store=s", ""} {
		// One simulation at a time: the study takes half a minute on any machine.
		args :=
			strings.Fields(
				"study montecarlo ring.dim --random latency=uniform(1us,30us) --runs 20000 --jobs 1 --format tsv " +
					store)
		cmd := exec.CommandContext(t.Context(), pview, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
		var problems bytes.Buffer
		cmd.Stderr = &problems
		runs := "s/*.arrows"
		if store == "" {
			runs = "state/pview/studies/*/*.arrows"
		}
		s := startStudy(t, cmd, filepath.Join(dir, runs))
		s.await(10_000)
		cmd.Process.Signal(os.Interrupt)
		<-s.ended
		if !strings.Contains(problems.String(), "of 20,000 kept in") ||
			!strings.Contains(problems.String(), "--resume") {
			t.Errorf("%q", problems.String())
		}
	}
}

// TestStudyMistakes: a mistake gets one line that says what is wrong, and loses no earlier runs.
func TestStudyMistakes(t *testing.T) {
	dir := t.TempDir()
	ring(t, dir, 10)
	l, w, c := "--random latency=uniform(1us,30us) ", "--random bandwidth=uniform(10,100) ",
		"--random cpu-ratio=uniform(1,2) "
	if r := run(t, dir, strings.Fields("study montecarlo ring.dim --runs 20 --store s "+l)...); r.status != 0 {
		t.Fatal(r.stderr)
	}
	store, err := os.ReadFile(filepath.Join(dir, "s", "runs.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "closed"), 0o555); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		args, want string
		status     int
	}{
		{"--random speed=uniform(1,2)", `there is no parameter "speed"`, 2},
		{"--random latency=uniform(2us,2us)", "latency: uniform(2us,2us) has no width", 2},
		{"--random latency=normal(2us,0)", "latency: normal(2us,0) has no width", 2},
		{"--random bandwidth=triangular(3,3,3)", "bandwidth: triangular(3,3,3) has no width", 2},
		{l + "--runs 0", "0 runs: must be from 1 to 1048576", 2},
		{l + "--runs 1000000000", "1000000000 runs: must be from 1 to 1048576", 2},
		{l + "--runs -1", "-1 runs: must be from 1 to 1048576", 2},
		{l + w + c +
			"--correlation latency:bandwidth=0.9 --correlation latency:cpu-ratio=0.9 --correlation " +
			"bandwidth:cpu-ratio=-0.9", "not a correlation matrix", 2},
		{l + w + "--correlation latency:bandwidth=1.5", "with a correlation > -1 and < 1", 2},
		{l + w + "--correlation latency:cpus=0.5", "must be two of the random variables", 2},
		{l + "--store s --seed 2 --runs 20", "s holds another study (montecarlo of ring.dim, seed 1)", 1},
		{l + "--store s --runs 20", "s has 20 runs of this study already: --resume keeps them", 1},
		{l + "--store s --seed 2 --runs 20 --resume", "s holds another study", 1},
		{l + "--store ring.dim/s", "the store of the study: ", 1},
		{l + "--store closed/s", "the store of the study: mkdir closed/s: permission denied", 1},
		{l + "--jobs 1000000000", "--jobs 1000000000: must be from 0 to 4096", 2},
		{l + "--jobs -1", "--jobs -1: must be from 0 to 4096", 2},
		{l + "--plot x.gif", "--plot x.gif: unknown format", 2},
		{l + "--output total --output total", "total is named twice", 2},
	} {
		if strings.Contains(x.args, "closed/") && os.Geteuid() == 0 {
			continue // may write anywhere
		}
		r := run(t, dir, append(strings.Fields("study montecarlo ring.dim"), strings.Fields(x.args)...)...)
		if r.status != x.status || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 ||
			!strings.Contains(r.stderr, x.want) {
			t.Errorf("%s: %+v", x.args, r)
		}
	}
	if now, err := os.ReadFile(filepath.Join(dir, "s", "runs.arrow")); err != nil || !bytes.Equal(now, store) {
		t.Error("the store has changed", err)
	}
}
