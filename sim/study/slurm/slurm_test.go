package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fake is a Slurm whose elements do what a script says: at every look at the queue each running element finishes one
// run, or meets its fate.
type fake struct {
	left  []int                          // runs by shard
	queue map[string]map[int]string      // states by job
	fate  func(job string, i int) string // a state to end in; "" to go on
	calls []string
}

func (f *fake) call(_ context.Context, program string, args ...string) (string, error) {
	f.calls = append(f.calls, program+" "+strings.Join(args, " "))
	switch program {
	case "sbatch":
		job := strconv.Itoa(100 + len(f.queue))
		f.queue[job] = map[int]string{}
		for _, part := range strings.Split(strings.TrimPrefix(args[len(args)-2], "--array="), ",") {
			first, last, isRange := strings.Cut(part, "-")
			a, _ := strconv.Atoi(first)
			b, _ := strconv.Atoi(last)
			if !isRange {
				b = a
			}
			for i := a; i <= b; i++ {
				f.queue[job][i] = "RUNNING"
			}
		}
		return job + ";cluster\n", nil
	case "squeue":
		var job string
		for _, a := range args {
			if rest, ok := strings.CutPrefix(a, "--jobs="); ok {
				job = rest
			}
		}
		out := ""
		for i, state := range f.queue[job] {
			if state == "RUNNING" {
				if end := f.fate(job, i); end != "" {
					state = end
				} else if f.left[i]--; f.left[i] == 0 {
					state = "COMPLETED"
				}
				f.queue[job][i] = state
			}
			out += fmt.Sprintf("%d|%s\n", i, state)
		}
		return out, nil
	}
	return "", nil
}

func (f *fake) array(t *testing.T) *Array {
	f.queue = map[string]map[int]string{}
	return &Array{Name: "study", Command: []string{"pview", "study", "a b"}, Shards: len(f.left), Dir: t.TempDir(),
		Every: time.Microsecond,
		Left:  func() ([]int, error) { return append([]int(nil), f.left...), nil }, call: f.call}
}

func (f *fake) count(program string) (n int) {
	for _, c := range f.calls {
		if strings.HasPrefix(c, program+" ") {
			n++
		}
	}
	return n
}

// Three shards of 3, 0 and 2 runs are submitted as elements 0 and 2; the one that has nothing to do is not.
func TestRun(t *testing.T) {
	f := &fake{left: []int{3, 0, 2}, fate: func(string, int) string { return "" }}
	a := f.array(t)
	a.Options = []string{"-p", "short"}
	var last Status
	a.Progress = func(s Status) { last = s }
	if err := a.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := (Status{Done: 3}); last != want {
		t.Errorf("%+v", last)
	}
	if c := f.calls[0]; !strings.Contains(c, "-p short --array=0,2 ") {
		t.Error(c)
	}
	if f.count("scancel") != 0 {
		t.Error("a finished array was cancelled")
	}
	script, err := os.ReadFile(filepath.Join(a.Dir, "array.sh"))
	if want := "#!/bin/sh\nexec pview study 'a b' --shard=\"$SLURM_ARRAY_TASK_ID/3\"\n"; err != nil ||
		string(script) != want {
		t.Errorf("%s %v", script, err)
	}
}

// Element 1 of the first job ends in every way that loses it: it alone is submitted again.
func TestLost(t *testing.T) {
	for _, state := range []string{"NODE_FAIL", "TIMEOUT", "FAILED", "OUT_OF_MEMORY", "PREEMPTED", "COMPLETED",
		"CANCELLED"} {
		f := &fake{left: []int{19, 3}, fate: func(job string, i int) string {
			if job == "100" && i == 1 {
				return state
			}
			return ""
		}}
		a := f.array(t)
		var last Status
		a.Progress = func(s Status) { last = s }
		if err := a.Run(t.Context()); err != nil || last.Resubmitted != 1 || f.count("sbatch") != 2 ||
			!strings.Contains(strings.Join(f.calls, "\n"), "--array=1 ") {
			t.Errorf("%s: %v, %v", state, err, last)
		}
	}
}

// A shard that never gets anywhere ends the study with what it printed, and the others are cancelled.
func TestHopeless(t *testing.T) {
	f := &fake{left: []int{1000, 3}, fate: func(_ string, i int) string { return []string{"", "FAILED"}[i] }}
	a := f.array(t)
	if err := os.WriteFile(a.output(1), []byte("starting\npview: no such file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := a.Run(t.Context())
	if err == nil || err.Error() != "shard 1 of 2 ended 3 times without a run: pview: no such file" ||
		f.count("scancel") != 1 {
		t.Error(err, f.calls)
	}
	// One that gets on by a run each time may be lost as often as it likes: here before each of its nine runs.
	n := 0
	g := &fake{left: []int{9}, fate: func(string, int) string { n++; return []string{"", "TIMEOUT"}[n%2] }}
	if err := g.array(t).Run(t.Context()); err != nil || g.count("sbatch") != 10 {
		t.Error(err, g.count("sbatch"))
	}
}

// Whoever cancels the whole array wants it to end.
func TestCancelled(t *testing.T) {
	f := &fake{left: []int{3, 3}, fate: func(string, int) string { return "CANCELLED" }}
	if err := f.array(t).Run(t.Context()); !errors.Is(err, errCancelled) || f.count("sbatch") != 1 {
		t.Error(err)
	}
	// Element 1 takes three looks longer to end.
	looks := 0
	f = &fake{left: []int{30, 30}, fate: func(_ string, i int) string {
		if looks += i; i == 0 || looks > 3 {
			return "CANCELLED"
		}
		return ""
	}}
	if err := f.array(t).Run(t.Context()); !errors.Is(err, errCancelled) || f.count("sbatch") != 1 {
		t.Error("one after the other:", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	g := &fake{left: []int{1000}, fate: func(string, int) string { return "" }}
	a := g.array(t)
	a.Progress = func(Status) { stop() }
	if err := a.Run(ctx); !errors.Is(err, context.Canceled) || g.count("scancel") != 1 {
		t.Error(err, g.calls)
	}
}

func TestParseOptions(t *testing.T) {
	if got, err := ParseOptions(`-p short -t 10 --comment "a study"`); err != nil ||
		!reflect.DeepEqual(got, []string{"-p", "short", "-t", "10", "--comment", "a study"}) {
		t.Error(got, err)
	}
	for _, bad := range []string{"--array=1-3", "-p 'x", "--wait"} {
		if _, err := ParseOptions(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if got := ranges([]int{0, 1, 2, 5, 7, 8}); got != "0-2,5,7-8" {
		t.Error(got)
	}
}

// Without the programs of Slurm one line says which is missing.
func TestUnavailable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := Available(); err == nil || !strings.Contains(err.Error(), "sbatch is not in PATH") ||
		strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// On a real Slurm, four shards of five runs each append a line per run to a file; one element is killed by its first
// run.
func TestRealSlurm(t *testing.T) {
	os.Getenv("SLURM_CONF") // asked for, so that go test keeps no result of another Slurm, or of none
	if Available() != nil || exec.CommandContext(t.Context(), "sinfo", "-h").Run() != nil {
		t.Skip("there is no Slurm here")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "shard.sh")
	text := `#!/bin/sh
k=${1#--shard=}; k=${k%/*}
n=$(cat runs.$k 2>/dev/null | wc -l)
while [ $n -lt 5 ]; do
	n=$((n+1)); echo run >>runs.$k
	[ $k = 2 ] && [ $n = 1 ] && kill -9 $$
done
`
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	var last Status
	a := &Array{Name: "test", Command: []string{program}, Shards: 4, Options: []string{"-D", dir}, Dir: dir,
		Every: 200 * time.Millisecond, Progress: func(s Status) { last = s },
		Left: func() ([]int, error) {
			left := make([]int, 4)
			for i := range left {
				lines, _ := os.ReadFile(filepath.Join(dir, fmt.Sprintf("runs.%d", i)))
				left[i] = 5 - strings.Count(string(lines), "\n")
			}
			return left, nil
		}}
	if err := a.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := (Status{Done: 4, Resubmitted: 1}); last != want {
		t.Errorf("%+v, want %+v", last, want)
	}
}
