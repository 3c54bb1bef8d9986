package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fake is a Slurm whose elements do what a script says: at every look at the queue each running element finishes one
// run, or meets its fate.
type fake struct {
	left  []int                          // runs by shard
	queue map[string]map[int]string      // states by job
	fate  func(job string, i int) string // a state to end in; "" to continue
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

// programs returns the programs called, in order.
func (f *fake) programs() string {
	var list []string
	for _, c := range f.calls {
		program, _, _ := strings.Cut(c, " ")
		list = append(list, program)
	}
	return strings.Join(list, " ")
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

// Element 1 of the first job ends in every way that loses it: it alone is submitted again, when the second query shows
// it as ended, or the sixth where it was cancelled.
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
		queries := 2
		if state == "CANCELLED" {
			queries = 6
		}
		if err := a.Run(t.Context()); err != nil || last.Resubmitted != 1 || f.count("sbatch") != 2 ||
			!strings.Contains(f.calls[1+queries], "--array=1 ") {
			t.Errorf("%s: %v, %v, %v", state, err, last, f.calls)
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
		f.programs() != "sbatch squeue squeue "+strings.Repeat("sbatch squeue squeue squeue squeue ", 2)+"scancel" {
		t.Error(err, f.calls)
	}
	if last := f.calls[len(f.calls)-1]; last != "scancel 100 101 102" {
		t.Error(last)
	}
	// One that makes a run at least every third time may be lost any number of times: here each of its four runs comes
	// after two submissions in vain, and a timeout follows.
	queries := map[string]int{}
	g := &fake{left: []int{4}, fate: func(job string, _ int) string {
		queries[job]++
		if n, _ := strconv.Atoi(job); n%3 == 0 && queries[job] == 1 { // jobs 102, 105, 108 and 111
			return ""
		}
		return "TIMEOUT"
	}}
	if err := g.array(t).Run(t.Context()); err != nil || g.count("sbatch") != 12 {
		t.Error(err, g.count("sbatch"))
	}
}

// The last line that a hopeless shard printed is its reason.
func TestLastLine(t *testing.T) {
	for printed, want := range map[string]string{"a\nb c \n\n": "b c", "a": "a", "": "it printed nothing",
		" \n": "it printed nothing"} {
		s := &session{Array: &Array{Dir: t.TempDir()}}
		if got := s.lastLine(0); got != "it printed nothing" {
			t.Errorf("without a file: %s", got)
		}
		if err := os.WriteFile(s.output(0), []byte(printed), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := s.lastLine(0); got != want {
			t.Errorf("%q: %s", printed, got)
		}
	}
}

// A run that is seen one query after its element has ended is not lost.
func TestLateStore(t *testing.T) {
	f := &fake{left: []int{1, 5}, fate: func(string, int) string { return "" }}
	a := f.array(t)
	seen := []int{1, 5}
	a.Left = func() ([]int, error) {
		list := seen
		seen = slices.Clone(f.left)
		return list, nil
	}
	if err := a.Run(t.Context()); err != nil || f.count("sbatch") != 1 {
		t.Error(err, f.calls)
	}
}

// A shard whose complete store loses runs while others compute is submitted after all.
func TestLostStore(t *testing.T) {
	f := &fake{left: []int{0, 9}, fate: func(string, int) string { return "" }}
	a := f.array(t)
	a.Progress = func(s Status) {
		if s.Left == 7 {
			f.left[0] = 2
		}
	}
	if err := a.Run(t.Context()); err != nil || f.left[0] != 0 || f.count("sbatch") != 2 {
		t.Error(err, f.calls)
	}
}

// After two queries shard 0 has ended, shard 1 still waits, and shard 2 has two of four runs left.
func TestStatus(t *testing.T) {
	f := &fake{left: []int{2, 3, 4}, fate: func(_ string, i int) string { return []string{"", "PENDING", ""}[i] }}
	a := f.array(t)
	ctx, stop := context.WithCancel(t.Context())
	var all []string
	a.Progress = func(s Status) {
		if all = append(all, s.String()); len(all) == 2 {
			stop()
		}
	}
	want := []string{"1 pending, 2 running, 0 done; 7 runs left", "1 pending, 1 running, 1 done; 5 runs left"}
	if err := a.Run(ctx); !errors.Is(err, context.Canceled) || !slices.Equal(all, want) {
		t.Errorf("%q, %v", all, err)
	}
	if got := (Status{Done: 2, Resubmitted: 1}).String(); got !=
		"0 pending, 0 running, 2 done; 0 runs left; 1 resubmitted" {
		t.Error(got)
	}
}

// An element in one of these states continues later, so it is not submitted again.
func TestWaits(t *testing.T) {
	for _, state := range []string{"PENDING", "REQUEUED", "REQUEUE_HOLD", "CONFIGURING", "STOPPED", "SUSPENDED",
		"COMPLETING"} {
		f := &fake{left: []int{12, 1}, fate: func(_ string, i int) string { return []string{"", state}[i] }}
		a := f.array(t)
		a.Progress = func(s Status) {
			if s.Left == 3 { // after ten queries
				f.queue["100"][1] = "RUNNING"
				f.fate = func(string, int) string { return "" }
			}
		}
		if err := a.Run(t.Context()); err != nil || f.count("sbatch") != 1 {
			t.Errorf("%s: %v, %v", state, err, f.calls)
		}
	}
}

// Slurm is asked every two seconds: ten runs take twenty.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{left: []int{10}, fate: func(string, int) string { return "" }}
		a := f.array(t)
		a.Every = 0
		begin := time.Now()
		if err := a.Run(t.Context()); err != nil || time.Since(begin) != 20*time.Second {
			t.Error(err, time.Since(begin))
		}
	})
}

// silent returns an array of one shard of two runs whose queue fails where the query, from 1, is bad.
func silent(t *testing.T, bad func(query int) error) (*fake, *Array) {
	f := &fake{left: []int{2}, fate: func(string, int) string { return "" }}
	a := f.array(t)
	a.call = func(ctx context.Context, program string, args ...string) (string, error) {
		if program == "squeue" {
			if err := bad(f.count("squeue") + 1); err != nil {
				f.calls = append(f.calls, "squeue fails")
				return "", err
			}
		}
		return f.call(ctx, program, args...)
	}
	return f, a
}

// 29 queries in a row may fail, twice here, but not 30. Slurm forgets a job some time after its end.
func TestQueueFails(t *testing.T) {
	busy := errors.New("squeue: busy")
	f, a := silent(t, func(query int) error {
		if query%30 != 0 {
			return busy
		}
		return nil
	})
	if err := a.Run(t.Context()); err != nil || f.count("squeue") != 60 {
		t.Error(err, f.count("squeue"))
	}
	f, a = silent(t, func(int) error { return busy })
	if err := a.Run(t.Context()); !errors.Is(err, busy) || f.count("squeue") != 30 || f.count("scancel") != 1 {
		t.Error(err, f.calls)
	}
	ctx, stop := context.WithCancel(t.Context())
	f, a = silent(t, func(int) error { stop(); return busy })
	if err := a.Run(ctx); !errors.Is(err, busy) || f.count("squeue") != 1 || f.count("scancel") != 1 {
		t.Error("after an interrupt:", err, f.calls)
	}
	f, a = silent(t, func(query int) error {
		if query <= 2 {
			return errors.New("squeue: slurm_load_jobs error: Invalid job id specified")
		}
		return nil
	})
	if err := a.Run(t.Context()); err != nil || f.programs() != "sbatch squeue squeue sbatch squeue squeue" {
		t.Error("a forgotten job:", err, f.calls)
	}
}

// An array without runs left submits nothing; one that cannot be submitted, or whose stores cannot be read, ends.
func TestNoStart(t *testing.T) {
	f := &fake{left: []int{0, 0}}
	if err := f.array(t).Run(t.Context()); err != nil || len(f.calls) != 0 {
		t.Error(err, f.calls)
	}
	f = &fake{left: []int{1}}
	a := f.array(t)
	bad := errors.New("no store")
	a.Left = func() ([]int, error) { return nil, bad }
	if err := a.Run(t.Context()); !errors.Is(err, bad) || len(f.calls) != 0 {
		t.Error(err, f.calls)
	}
	for _, c := range []struct {
		printed string
		err     error
		want    string
	}{{"", bad, "no store"}, {"\n", nil, "sbatch printed no job number"}} {
		a = f.array(t)
		a.call = func(_ context.Context, program string, _ ...string) (string, error) {
			if program != "sbatch" {
				t.Errorf("%s is called", program)
			}
			return c.printed, c.err
		}
		if err := a.Run(t.Context()); err == nil || err.Error() != c.want {
			t.Error(err)
		}
	}
}

// A program of Slurm that fails returns the first line of its errors.
func TestProcess(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"squeue": "echo $1 $2; echo warning >&2",
		"sbatch": "echo 'sbatch: error: invalid partition' >&2; echo 'sbatch: error: more' >&2; exit 1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := process(t.Context(), filepath.Join(dir, "squeue"), "a", "b"); err != nil || out != "a b\n" {
		t.Errorf("%q, %v", out, err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if _, err := process(t.Context(), "sbatch"); err == nil || err.Error() != "sbatch: invalid partition" {
		t.Error(err)
	}
	if _, err := process(t.Context(), "scancel-absent"); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}

// Whoever cancels the whole array wants it to end.
func TestCancelled(t *testing.T) {
	// The second query shows it, whatever the shards that have ended did.
	f := &fake{left: []int{0, 1, 1}, fate: func(string, int) string { return "CANCELLED" }}
	if err := f.array(t).Run(t.Context()); !errors.Is(err, errCancelled) ||
		f.programs() != "sbatch squeue squeue scancel" {
		t.Error(err, f.calls)
	}
	f = &fake{left: []int{1, 5}, fate: func(_ string, i int) string { return []string{"", "CANCELLED"}[i] }}
	if err := f.array(t).Run(t.Context()); !errors.Is(err, errCancelled) {
		t.Error("after the other has ended:", err)
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
