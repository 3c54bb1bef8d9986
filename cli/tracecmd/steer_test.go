package tracecmd_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pview/cli/clitest"
	"pview/prv"
	"pview/prv/quantile"
	"pview/prv/record"
)

// T3: a variable that all ranks have registered changes in all of them in the same iteration, however fast they are,
// and each change is an event of each rank.
func TestSteerTogether(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "together.c", "-I", "../../prv/record/lib")
		file := filepath.Join(t.TempDir(), "a.prv")
		ended := make(chan string)
		go func() {
			out, problems, _ := clitest.Run(t, "record", "-o", file, "mpirun."+library, "-np", "4", program, "4")
			ended <- out + problems
		}()
		var tuning *record.Tuning
		var out string
		set := []float64{}
		for i := 0; out == ""; i++ {
			select {
			case out = <-ended:
			case <-time.After(20 * time.Millisecond):
			}
			if tuning == nil {
				tuning, _ = record.OpenTuning(strings.TrimSuffix(file, ".prv") + record.Extension)
				continue
			}
			list := tuning.Tunables()
			if len(list) < 2 || len(list[0].Ranks) < 4 || len(list[1].Ranks) < 4 || len(set) == 10 {
				continue
			}
			if list[0].Name != "width" || list[0].Low != 1 || list[0].High != 1000 || list[1].Whole {
				t.Fatalf("%+v", list)
			}
			if value := float64(100 + len(set)); tuning.Set(0, value, len(set)+1) > 0 {
				set = append(set, value)
				if len(set) == 5 {
					for tuning.Set(1, 0.25, 100) == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			}
		}
		tuning.Close()
		trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for rank := range 4 {
			if line := fmt.Sprintf("rank %d differ 0 changes 10 real 0.25\n", rank); !strings.Contains(out, line) {
				t.Errorf("no %q in\n%s", line, out)
			}
			got, want := steered(trace, rank, "width"), append([]int64{10}, whole(set)...)
			if !slices.Equal(got, want) {
				t.Errorf("rank %d has %d, want %d", rank, got, want)
			}
			if got := steered(trace, rank, "real (millionths)"); !slices.Equal(got, []int64{500000, 250000}) {
				t.Errorf("rank %d has %d", rank, got)
			}
		}
	})
}

func whole(list []float64) (values []int64) {
	for _, x := range list {
		values = append(values, int64(x))
	}
	return values
}

// steered returns the values of the events of a named type on the first thread of a rank.
func steered(trace *prv.Trace, rank int, name string) (list []int64) {
	e := &trace.Threads[trace.Tasks[rank].FirstThread].Events
	for i := range e.Time {
		if trace.Labels.TypeName(e.Type[i]) == name {
			list = append(list, e.Value.At(i))
		}
	}
	return list
}

// farm is a run of testdata/record/farm.c: the time of each iteration and the value of the variable, such as tasks per
// chunk.
type farm struct {
	times  []float64 // s
	chunks []int
	values []float64 // of the variable
}

func farmOf(t *testing.T, out string) (f farm) {
	t.Helper()
	for _, line := range strings.Split(out, "\n") {
		var i int
		var time, value float64
		if _, err := fmt.Sscanf(line, "iteration %d %g %g", &i, &time, &value); err == nil {
			f.times, f.chunks = append(f.times, time), append(f.chunks, int(value))
			f.values = append(f.values, value)
		}
	}
	if len(f.times) == 0 {
		t.Fatalf("the program printed no iteration: %q", out)
	}
	return f
}

// changes returns the number of changes of the variable in a part of the iterations.
func (f *farm) changes(from, to int) (n int) {
	for i := max(from, 1); i < to; i++ {
		if f.chunks[i] != f.chunks[i-1] {
			n++
		}
	}
	return n
}

// decision is the line of a decision about chunks of 16 tasks.
var decision = regexp.MustCompile(`iteration (\d+): (recommended: )?partition 16 -> (\d+): .*predicted \(-.*\+- `)

// withQuietMPI runs a test in which the times of real programs decide what is steered, with each MPI library. Other
// work on the machine changes these times, and so do ranks that spin while they wait: here they sleep.
func withQuietMPI(t *testing.T, test func(t *testing.T, library string)) {
	t.Helper()
	if os.Getenv("PVIEW_QUIET") == "" {
		t.Skip("PVIEW_QUIET=1 runs it, on a machine that does nothing else")
	}
	clitest.WithMPI(t, func(t *testing.T, library string) {
		t.Setenv("LD_PRELOAD", clitest.Patient(t, library))
		test(t, library)
	})
}

// missed is the deviation of a change's effect from its prediction, in percent.
var missed = regexp.MustCompile(`measured, ([-+]?[\d.]+) % from the prediction`)

// checkPredictions checks that a run has changes whose outcome is known, each within 10 % of its prediction.
func checkPredictions(t *testing.T, problems string) {
	t.Helper()
	list := missed.FindAllStringSubmatch(problems, -1)
	if len(list) == 0 {
		t.Errorf("no outcome of a change\n%s", problems)
	}
	for _, m := range list {
		if off, err := strconv.ParseFloat(m[1], 64); err != nil || math.Abs(off) > 10 {
			t.Errorf("%s %% from the prediction\n%s", m[1], problems)
		}
	}
}

// T1, T2, T4: a master whose chunks are too large is recommended smaller ones, with reason, prediction and error;
// without --apply nothing changes. With it, the change is an event, whose label has the effect.
func TestSteerFarm(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		for _, flags := range [][]string{nil, {"--apply"}} {
			file := filepath.Join(t.TempDir(), "farm.prv")
			args := slices.Concat([]string{"steer", "-o", file}, flags, []string{"mpirun." + library, "-np", "13",
				program, "30", "96", "20000", "0", "0", "2000", "16", "16"})
			out, problems, status := clitest.Run(t, args...)
			if status != 0 {
				t.Fatalf("status %d\n%s", status, problems)
			}
			f := farmOf(t, out)
			decided := decision.FindStringSubmatch(problems)
			if decided == nil {
				t.Fatalf("no decision\n%s", problems)
			}
			if flags == nil {
				if decided[2] == "" || f.changes(0, len(f.chunks)) > 0 {
					t.Errorf("%d changes without --apply\n%s", f.changes(0, len(f.chunks)), problems)
				}
				continue
			}
			value, _ := strconv.Atoi(decided[3])
			if k := slices.Index(f.chunks, value); k < 0 || f.changes(0, k+1) != 1 {
				t.Errorf("chunks of %v tasks\n%s", f.chunks, problems)
			}
			trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := steered(trace, 0, "partition"); len(got) < 2 || got[0] != 16 || got[1] != int64(value) {
				t.Errorf("events of %d", got)
			}
			if n := len(steered(trace, 0, "Iteration (pview_sync)")); n != 30 {
				t.Errorf("%d iterations", n)
			}
			label := trace.Labels.ValueName(record.TypeDecision, 1)
			if !strings.Contains(label, "partition 16 -> "+decided[3]) || !strings.HasSuffix(label, ": kept") {
				t.Errorf("decision 1 is %q", label)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.pvrec")); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		}
	})
}

// T2, T3: each variable of a badly tuned master is improved. The trace has the values that the program prints. --every
// and --max-change are obeyed.
func TestSteerVariables(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		for _, c := range []struct {
			name, typ string // of the variable, and of its events
			begin     string // its value
			most      string
			unit      float64 // of the events
			better    func(x float64) bool
			flags     []string
		}{
			{"policy", "policy", "0", "2", 1, func(x float64) bool { return x == 1 || x == 2 }, nil},
			{"part", "partition (millionths)", "1", "1", 1e6, func(x float64) bool { return x < 1 }, nil},
			{"workers", "workers", "2", "4", 1, func(x float64) bool { return x > 2 }, nil},
			{"partition", "partition", "12", "12", 1, func(x float64) bool { return x == 6 },
				[]string{"--every", "8", "--max-change", "2"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "farm.prv")
				out, problems, status := clitest.Run(t, slices.Concat([]string{"steer", "--apply", "-o", file}, c.flags,
					[]string{"mpirun." + library, "-np", "5", program, "20", "24", "20000", "0", "0", "1000", c.begin,
						c.most, c.name})...)
				if status != 0 {
					t.Fatalf("status %d\n%s", status, problems)
				}
				f := farmOf(t, out)
				values, apart := f.steps()
				if len(values) < 2 || !c.better(values[1]) {
					t.Fatalf("values %g\n%s", values, problems)
				}
				trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
				if err != nil {
					t.Fatal(err)
				}
				if got := steered(trace, 0, c.typ); !slices.EqualFunc(got, values, func(event int64, x float64) bool {
					return math.Abs(float64(event)/c.unit-x) <= 1.1e-6 // both have six digits
				}) {
					t.Errorf("events of %d, and the program has %g", got, values)
				}
				for i := range apart {
					if c.flags != nil && (apart[i] < 8 || values[i+1] < values[i]/2 || values[i+1] > values[i]*2) {
						t.Errorf("values %g, %d iterations apart\n%s", values, apart, problems)
					}
				}
			})
		}
	})
}

// steps returns the values of the variable one after the other, and the iterations from each to the next.
func (f *farm) steps() (values []float64, apart []int) {
	last := 0
	for i, x := range f.values {
		if i == 0 {
			values = append(values, x)
		} else if x != f.values[i-1] {
			values, apart = append(values, x), append(apart, i-last)
			last = i
		}
	}
	return values, apart
}

// T4: a program that registers nothing gets the models' advice, each piece once: 24 tasks take 171 ms in chunks of 6
// for 4 workers, and 127 ms in chunks of one task.
func TestSteerAdvice(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		_, problems, status := clitest.Run(t, "steer", "-o", filepath.Join(t.TempDir(), "farm.prv"),
			"mpirun."+library, "-np", "5", program, "40", "24", "20000", "0", "0", "1000", "6", "0")
		var advice []string
		for _, line := range strings.Split(problems, "\n") {
			if _, text, ok := strings.Cut(line, "recommended: "); ok {
				what, _, _ := strings.Cut(text, ": ")
				if slices.Contains(advice, what) {
					t.Errorf("twice: %s", what)
				}
				advice = append(advice, what)
			}
		}
		if status != 0 || len(advice) == 0 || strings.Contains(problems, "nothing to steer") {
			t.Errorf("status %d, %d pieces of advice\n%s", status, len(advice), problems)
		}
	})
}

// A program without variables runs and is recorded, and a line says that it has nothing to steer.
func TestSteerNothing(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		file := filepath.Join(t.TempDir(), "a.prv")
		_, problems, status := clitest.Run(t, "steer", "-o", file, "mpirun."+library, "-np", "2",
			clitest.Compiled(t, library, "point.c"))
		if _, err := os.Stat(file); err != nil || status != 0 || !strings.Contains(problems, "nothing to steer") {
			t.Errorf("status %d, %v\n%s", status, err, problems)
		}
	})
	for _, args := range [][]string{nil, {"--every", "0", "true"}, {"--max-change", "1", "true"}} {
		if _, _, status := clitest.Run(t, append([]string{"steer"}, args...)...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
}

// last is the number of compared iterations at the end of a run.
const last = 8

// steerFarm runs farm.c with 13 ranks under pview steer --apply, or only its last iterations, bare, where chunks must
// not change.
func steerFarm(t *testing.T, library, program string, iterations int, drift, noise string, chunk, most int) (farm,
	string) {
	t.Helper()
	arguments := []string{"mpirun." + library, "-np", "13", program, fmt.Sprint(iterations), "96", "20000", drift,
		noise, "2000", fmt.Sprint(chunk), fmt.Sprint(most)}
	if most == 0 {
		arguments = append(arguments, "partition", fmt.Sprint(iterations-last))
		out, err := exec.Command(arguments[0], arguments[1:]...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return farmOf(t, string(out)), ""
	}
	out, problems, status := clitest.Run(t, append([]string{"steer", "--apply", "-o",
		filepath.Join(t.TempDir(), "farm.prv")}, arguments...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s", status, problems)
	}
	return farmOf(t, out), problems
}

// T5: if tasks become longer, iterations with steered chunks take at most 10 % more than with the best constant ones,
// at the end of the run.
func TestSteerDrift(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		const iterations = 40
		best, at := math.Inf(1), 0
		for _, chunk := range []int{1, 2, 3, 4, 5, 6} {
			f, _ := steerFarm(t, library, program, iterations, "0.02", "0", chunk, 0)
			if time := quantile.Median(f.times); time < best {
				best, at = time, chunk
			}
		}
		f, problems := steerFarm(t, library, program, iterations, "0.02", "0", 6, 6)
		got := quantile.Median(f.times[iterations-last:])
		t.Logf("%.3f s, with %d tasks in each chunk %.3f s\n%s", got, at, best, problems)
		checkPredictions(t, problems)
		if got > 1.1*best {
			t.Errorf("iterations take %.3f s, with %d tasks in each chunk %.3f s\n%s", got, at, best, problems)
		}
	})
}

// T5: a program without a problem is left alone; noise does not make it oscillate.
func TestSteerLeftAlone(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		f, problems := steerFarm(t, library, program, 30, "0", "0", 2, 16)
		if n := f.changes(0, len(f.chunks)); n > 0 {
			t.Errorf("%d changes: chunks of %d\n%s", n, f.chunks, problems)
		}
		f, problems = steerFarm(t, library, program, 40, "0", "0.5", 8, 16)
		for i := 10; i+5 <= len(f.chunks); i++ {
			if n := f.changes(i, i+5); n > 1 {
				t.Errorf("%d changes in iterations %d to %d: chunks of %d\n%s", n, i+1, i+5, f.chunks, problems)
			}
		}
	})
}

// T5: the replicas of a pipeline stage follow when its items become three times as long: iterations of 20 items of 10
// ms in the other stages take less than half the time that they took with the previous replicas.
func TestSteerPipeline(t *testing.T) {
	withQuietMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "chain.c", "-I", "../../prv/record/lib")
		out, problems, status := clitest.Run(t, "steer", "--apply", "-o", filepath.Join(t.TempDir(), "chain.prv"),
			"mpirun."+library, "-np", "9", program, "60", "10000", "25", "3", "1")
		if status != 0 {
			t.Fatalf("status %d\n%s", status, problems)
		}
		checkPredictions(t, problems)
		f := farmOf(t, out)
		slow, end := f.times[26], quantile.Median(f.times[len(f.times)-5:])
		if before, after := f.chunks[24], f.chunks[len(f.chunks)-1]; after < max(4, before+1) || end > 0.7*slow {
			t.Errorf("%d replicas, then %d; iterations of %.3f s, then %.3f s: %d\n%s", before, after, slow, end,
				f.chunks, problems)
		}
	})
}
