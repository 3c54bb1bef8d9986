package tracecmd_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"pview/cli/clitest"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/record"
)

// recorded records a program with n ranks and returns its trace and its output.
func recorded(t *testing.T, library, program string, ranks int, arguments []string, flags ...string) (trace *prv.Trace,
	out, problems string, status int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.prv")
	args := slices.Concat([]string{"record", "-o", file}, flags,
		[]string{"mpirun." + library, "-np", fmt.Sprint(ranks), program}, arguments)
	out, problems, status = clitest.Run(t, args...)
	trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, problems)
	}
	return trace, out, problems, status
}

// countsOf returns the lines that a program prints if it has the calls and messages of a trace.
func countsOf(trace *prv.Trace) map[string]int {
	lines := map[string]int{}
	families := extrae.Of(trace.Labels).Family(extrae.MPI)
	for th := range trace.Threads {
		e := &trace.Threads[th].Events
		for i := range e.Time {
			if e.Value.At(i) == 0 || !slices.Contains(families, e.Type[i]) {
				continue
			}
			typ, _ := trace.Labels.Type(e.Type[i])
			name, _ := typ.ValueLabel(e.Value.At(i))
			lines[fmt.Sprintf("call %d %s", trace.ThreadTask[th], name)]++
		}
	}
	c := &trace.Comms
	for i := range c.Send {
		pair := fmt.Sprintf("%d %d", trace.ThreadTask[c.Send[i]], trace.ThreadTask[c.Recv[i]])
		lines["messages "+pair]++
		lines["bytes "+pair] += int(c.Size[i])
	}
	return lines
}

func printed(t *testing.T, out string) map[string]int {
	lines := map[string]int{}
	for _, line := range strings.Split(out, "\n") {
		var rank, to, n, bytes int
		var name string
		if _, err := fmt.Sscanf(line, "call %d %s %d", &rank, &name, &n); err == nil {
			lines[fmt.Sprintf("call %d %s", rank, name)] = n
		} else if _, err := fmt.Sscanf(line, "sent %d %d %d %d", &rank, &to, &n, &bytes); err == nil {
			lines[fmt.Sprintf("messages %d %d", rank, to)] = n
			lines[fmt.Sprintf("bytes %d %d", rank, to)] = bytes
		}
	}
	if len(lines) == 0 {
		t.Fatalf("the program printed nothing: %q", out)
	}
	return lines
}

// checkTiled checks that the states of each thread follow each other without gaps from 0 to the end.
func checkTiled(t *testing.T, trace *prv.Trace) {
	t.Helper()
	for th := range trace.Threads {
		s, at := &trace.Threads[th].States, int64(0)
		for i := range s.Begin {
			if s.Begin[i] != at || s.End[i] < s.Begin[i] {
				t.Fatalf("thread %d: state %d is from %d to %d, the one before ends at %d", th, i, s.Begin[i], s.End[i], at)
			}
			at = s.End[i]
		}
		if at != trace.Duration {
			t.Fatalf("thread %d: states end at %d, the trace at %d", th, at, trace.Duration)
		}
	}
}

// uncalled lists the wrapped functions that the programs of TestRecordCounts do not call: those for several programs,
// and those that make Open MPI's MPI-IO hang.
var uncalled = map[string]*regexp.Regexp{
	"mpich": regexp.MustCompile(`^MPI_(Abort|Comm_(accept|connect|join|spawn.*))$`),
	"openmpi": regexp.MustCompile(
		`^MPI_(Abort|Comm_(accept|connect|join|spawn.*)|File_(preallocate|set_size|.*shared|.*ordered.*))$`),
}

// L2, L3, C1, C2: a trace has the calls, messages and bytes that the program counted; every message is matched. Each
// wrapped function is called.
func TestRecordCounts(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		called, wrapped := map[string]bool{}, ""
		for _, source := range []string{"point.c", "group.c", "access.c", "rest.c", "threads.c", "four.c"} {
			t.Run(source, func(t *testing.T) {
				trace, out, problems, status := recorded(t, library, clitest.Compiled(t, library, source), 4, nil,
					"--keep")
				if status != 0 {
					t.Fatalf("status %d\n%s", status, problems)
				}
				names, _ := filepath.Glob(strings.TrimSuffix(trace.Path, ".prv") + record.Extension + "/*.calls")
				text, err := os.ReadFile(names[0])
				if err != nil {
					t.Fatal(err)
				}
				wrapped = string(text)
				got, want := countsOf(trace), printed(t, out)
				for _, key := range slices.Sorted(maps.Keys(want)) {
					if got[key] != want[key] {
						t.Errorf("%s: %d, the program says %d", key, got[key], want[key])
					}
					called[key[strings.LastIndexByte(key, ' ')+1:]] = true
					delete(got, key)
				}
				if len(got) > 0 {
					t.Errorf("beyond what the program did: %v", got)
				}
				if strings.Contains(problems, "in the records") {
					t.Error(problems)
				}
				checkTiled(t, trace)
			})
		}
		for _, line := range strings.Split(strings.TrimSpace(wrapped), "\n") {
			if _, name, _ := strings.Cut(line, " "); !called[name] && !uncalled[library].MatchString(name) {
				t.Errorf("%s is not called", name)
			}
		}
	})
}

// L1: a launcher starts two programs as one run: all ranks are recorded, with their messages.
func TestRecordPrograms(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		file := filepath.Join(t.TempDir(), "run.prv")
		_, problems, status := clitest.Run(t, "record", "-o", file, "mpirun."+library,
			"-np", "1", clitest.Compiled(t, library, "rings.c"), "0.1", ":",
			"-np", "2", clitest.Compiled(t, library, "rings.c"), "0.1")
		trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, problems)
		}
		if status != 0 || len(trace.Tasks) != 3 || len(trace.Ptasks) != 1 || trace.Comms.Len() < 3 ||
			strings.Contains(problems, "in the records") {
			t.Errorf("status %d, %d tasks, %d messages\n%s", status, len(trace.Tasks), trace.Comms.Len(), problems)
		}
	})
}

// C1: ranks started by MPI_Comm_spawn are a separate ptask; a line counts the ends of messages between the two.
func TestRecordSpawn(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "spawn.c")
		if out, err := exec.Command("mpirun."+library, "-np", "2", program).CombinedOutput(); err != nil {
			t.Skipf("%s starts no ranks here: %v\n%s", library, err, out)
		}
		trace, _, problems, status := recorded(t, library, program, 2, nil)
		if status != 0 || len(trace.Ptasks) != 2 || len(trace.Tasks) != 4 || trace.Comms.Len() != 0 {
			t.Errorf("status %d, %d ptasks, %d tasks, %d messages", status, len(trace.Ptasks), len(trace.Tasks),
				trace.Comms.Len())
		}
		if !strings.Contains(problems, "4 ends of messages between MPI programs left out") {
			t.Error(problems)
		}
		checkTiled(t, trace)
	})
}

// The program's exit status and output are its own, and nothing but pview's lines on standard error is added.
func TestRecordStatus(t *testing.T) {
	out, problems, status := clitest.Run(t, "record", "-o", filepath.Join(t.TempDir(), "a.prv"),
		"sh", "-c", "echo hello; exit 7")
	if status != 7 || out != "hello\n" {
		t.Errorf("status %d, %q, %q", status, out, problems)
	}
	for _, args := range [][]string{{"record"}, {"record", "-o", "a.xyz", "true"}, {"record", "--limit", "x", "true"}} {
		if _, _, status := clitest.Run(t, args...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
	if _, err := os.Stat("a.pvrec"); err == nil {
		t.Error("a.pvrec was left")
	}
}

// L2: Fortran, by mpif.h, use mpi and use mpi_f08.
func TestRecordFortran(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	clitest.WithMPI(t, func(t *testing.T, library string) {
		for _, source := range []string{"fortran_mpif.f90", "fortran_use.f90", "fortran_f08.f90"} {
			t.Run(source, func(t *testing.T) {
				trace, out, problems, status := recorded(t, library, clitest.Compiled(t, library, source), 3, nil)
				if status != 0 || strings.Contains(out, "wrong") {
					t.Fatalf("status %d\n%s%s", status, out, problems)
				}
				want := map[string]int{}
				for rank := range 3 {
					for name, n := range map[string]int{"Init": 1, "Comm_rank": 1, "Comm_size": 1, "Irecv": 3, "Isend": 3,
						"Waitall": 3, "Allreduce": 1, "Finalize": 1} {
						want[fmt.Sprintf("call %d MPI_%s", rank, name)] = n
					}
					pair := fmt.Sprintf("%d %d", rank, (rank+1)%3)
					want["messages "+pair], want["bytes "+pair] = 3, 3*32
				}
				if got := countsOf(trace); !maps.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
			})
		}
	})
}

// C1: if a program is aborted, crashes, is killed or exits, its record up to then is kept, and the call in which the
// others were.
func TestRecordEnds(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "ends.c")
		for _, end := range []string{"abort", "crash", "kill", "exit"} {
			t.Run(end, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "run.prv")
				out, problems, status := clitest.Run(t, "record", "-o", file, "mpirun."+library, "-np", "3", program, end)
				if status == 0 {
					t.Errorf("status 0\n%s%s", out, problems)
				}
				if !strings.Contains(problems, "ended without MPI_Finalize") {
					t.Error(problems)
				}
				trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
				if err != nil {
					t.Fatalf("%v\n%s", err, problems)
				}
				checkTiled(t, trace)
				got := countsOf(trace)
				for rank := range 3 {
					if n := got[fmt.Sprintf("call %d MPI_Sendrecv", rank)]; n != 10 {
						t.Errorf("rank %d has %d MPI_Sendrecv", rank, n)
					}
					if n := got[fmt.Sprintf("messages %d %d", rank, (rank+1)%3)]; n != 10 {
						t.Errorf("rank %d sent %d messages", rank, n)
					}
					if n := got[fmt.Sprintf("call %d MPI_Recv", rank)]; rank == 0 && n != 1 {
						t.Errorf("rank %d has %d MPI_Recv", rank, n)
					}
				}
			})
		}
	})
}

// C3, L5: measured in pairs with the bare program, recording adds less than 150 ns to a call, with its callers and
// without, and to a step of OpenMP: 50 times as long as a bare call, which takes 3 ns. Counters are left out: reading
// them takes system calls, whose time depends on the machine.
func TestRecordOverhead(t *testing.T) {
	if os.Getenv("PVIEW_QUIET") == "" {
		t.Skip("PVIEW_QUIET=1 runs it, on a machine that does nothing else")
	}
	calls := func(trace *prv.Trace) int { return countsOf(trace)["call 0 MPI_Send"] }
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "cost.c")
		for _, flags := range [][]string{nil, {"--callers", "0"}} {
			checkOverhead(t, library, program, nil, flags, calls)
		}
		t.Run("OpenMP", func(t *testing.T) {
			program := clitest.Compiled(t, library, "cost.c", clitest.WithOMPT(t)...)
			checkOverhead(t, library, program, []string{"critical"}, nil, func(trace *prv.Trace) int {
				return int(valuesOf(&trace.Threads[0].Events, extrae.OpenMPLock, extrae.LockTaken))
			})
		})
	})
}

var nsACall = regexp.MustCompile(`([\d.]+) ns a call`)

// checkOverhead measures what recording adds to a call, with a program that makes 200,000 calls and prints the time of
// one.
func checkOverhead(t *testing.T, library, program string, arguments, flags []string, calls func(*prv.Trace) int) {
	t.Helper()
	var took, added, times []float64 // ns, ns, bare calls
	for range 7 {
		bare, err := exec.Command("mpirun."+library, append([]string{"-np", "1", program}, arguments...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		trace, out, problems, status := recorded(t, library, program, 1, arguments, flags...)
		if n := calls(trace); n != 200_000 || status != 0 {
			t.Fatalf("%v: %d of 200000 calls are recorded, status %d\n%s", flags, n, status, problems)
		}
		var pair [2]float64
		for i, text := range []string{string(bare), out} {
			m := nsACall.FindStringSubmatch(text)
			if m == nil {
				t.Fatalf("%q\n%s", text, problems)
			}
			pair[i], _ = strconv.ParseFloat(m[1], 64)
		}
		took, added = append(took, pair[0]), append(added, pair[1]-pair[0])
		times = append(times, pair[1]/pair[0]-1)
	}
	t.Logf("%v %v: a call takes %g ns, recording adds %.0f ns", arguments, flags, took, added)
	// Other work, even of other virtual machines, can only add time; a slower clock makes both runs of a pair longer.
	if least := slices.Min(added); least >= 150 && slices.Min(times) >= 50 {
		t.Errorf("%v %v: recording adds %.0f ns to a call", arguments, flags, least)
	}
}

// L1: an MPI library's text of its version may be longer than the part that is kept.
func TestRecordVersion(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		t.Setenv("LD_PRELOAD", clitest.Compiled(t, library, "version.c", "-shared", "-fPIC"))
		trace, _, problems, status := recorded(t, library, clitest.Compiled(t, library, "point.c"), 2, nil)
		if n := countsOf(trace)["call 1 MPI_Finalize"]; status != 0 || n != 1 {
			t.Errorf("status %d, %d MPI_Finalize\n%s", status, n, problems)
		}
	})
}

// C4: without a compiler, or with another MPI library's, a line says so and the program runs all the same.
func TestRecordWithout(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "point.c")
		for _, compiler := range append([]string{"no-such-mpicc"}, clitest.MPILibraries...) {
			if compiler == library {
				continue
			}
			if compiler != "no-such-mpicc" {
				compiler = "mpicc." + compiler
				if _, err := exec.LookPath(compiler); err != nil {
					continue
				}
			}
			out, problems, status := clitest.Run(t, "record", "-o", filepath.Join(t.TempDir(), "run.prv"), "--mpicc", compiler,
				"mpirun."+library, "-np", "2", program)
			if status != 0 || strings.Count(problems, "not recorded") != 1 || strings.Count(problems, "\n") != 1 {
				t.Errorf("%s: status %d\n%s", compiler, status, problems)
			}
			if want := printed(t, out); want["call 1 MPI_Finalize"] != 1 {
				t.Errorf("%s: %q", compiler, out)
			}
		}
	})
}

// C4: the launcher of another MPI library starts ranks that do not find each other: a line says so.
func TestRecordLauncher(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program, other := clitest.Compiled(t, library, "ends.c"), map[string]string{"openmpi": "mpich",
			"mpich": "openmpi"}[library]
		for _, l := range []string{library, other} {
			if _, err := exec.LookPath("mpirun." + l); err != nil {
				t.Skip(err)
			}
			file := filepath.Join(t.TempDir(), "a.log")
			_, problems, _ := clitest.Run(t, "record", "-o", file, "mpirun."+l, "-np", "1", program, "exit")
			if strings.Contains(problems, "mpirun."+l+" is a launcher of ") != (l == other) ||
				!strings.Contains(problems, "B; simulate it with: pview sim ") {
				t.Errorf("mpirun.%s:\n%s", l, problems)
			}
		}
	})
}

// W1: each reading of a running program adds records to the trace and removes none. The last reading equals the trace
// that the folder gives afterwards.
func TestRecordFollowed(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program, file := clitest.Compiled(t, library, "rings.c"), filepath.Join(t.TempDir(), "run.prv")
		folder := strings.TrimSuffix(file, ".prv") + record.Extension
		ended := make(chan string)
		go func() {
			out, problems, status := clitest.Run(t, "record", "--keep", "-o", file, "mpirun."+library, "-np", "4", program,
				"3", "1000")
			ended <- fmt.Sprint(status, out, problems)
		}()
		f := record.Follow(folder)
		defer f.Close()
		running, grown, duration := true, 0, int64(0)
		var said string
		var last *prv.Trace
		for complete := false; !complete; {
			select {
			case said = <-ended:
				running = false
			case <-time.After(100 * time.Millisecond):
			}
			g, err := f.Read(context.Background(), nil)
			if err != nil && !errors.Is(err, prv.ErrWaiting) || err != nil && !running {
				t.Fatalf("%v\n%s", err, said)
			}
			if complete = g.Complete; g.Trace == nil {
				continue
			}
			if running && g.Trace.Comms.Len() > 0 {
				grown++
			}
			if g.Trace.Duration < duration {
				t.Errorf("%d long, %d before", g.Trace.Duration, duration)
			}
			last, duration = g.Trace, g.Trace.Duration
		}
		if running {
			said = <-ended
		}
		if grown < 5 {
			t.Errorf("it grew %d times while the program ran\n%s", grown, said)
		}
		whole, err := record.Open(context.Background(), folder, true, 0, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		if err := prv.Equal(last, whole); err != nil {
			t.Error(err)
		}
		if len(whole.Notes) > 0 {
			t.Error(whole.Notes)
		}
	})
}

// S1 to S3: 16 ranks on this machine's processors, recorded in CPU times. The predicted time with a processor for each
// rank, without a network, is the program's own sum of computations, within 3 % on an idle machine: CPU time stolen by
// others only adds, so the closest run counts; with PVIEW_QUIET=1 each of five does. The trace says that its times are
// CPU times; a PUPPET log predicts the same to the nanosecond.
func TestRecordCPUTime(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "work.c")
		runs := 3 // 6 with both libraries
		quiet := os.Getenv("PVIEW_QUIET") != ""
		switch {
		case testing.Short():
			runs = 1
		case quiet:
			runs = 5
		}
		closest := math.Inf(1)
		for run := 0; run < runs || closest > 0.03 && run < 6; run++ {
			trace, out, problems, _ := recorded(t, library, program, 16, []string{"20", "5"}, "--cpu-time", "--keep")
			var analytic, wall float64
			if _, err := fmt.Sscanf(out, "analytic %g wall %g", &analytic, &wall); err != nil {
				t.Fatalf("%v: %q\n%s", err, out, problems)
			}
			if !trace.CPUTime() || !strings.Contains(problems, "times are CPU times") {
				t.Errorf("the trace does not say that its times are CPU times: %q", problems)
			}
			predicted := predictedTime(t, trace.Path)
			t.Logf("predicted %.6f s, analytic %.6f s, wall %.6f s", predicted, analytic, wall)
			off := predicted/analytic - 1
			if quiet && off > 0.03 {
				t.Errorf("run %d is %.1f %% off", run+1, 100*off)
			}
			if least := 16 * 20 * 0.005 / float64(runtime.NumCPU()); wall < least {
				t.Errorf("it ran for %.6f s, and computes for %.6f s on these processors", wall, least)
			}
			if off < -0.01 {
				t.Errorf("predicted %.6f s, less than the computations of %.6f s", predicted, analytic)
			}
			closest = min(closest, off)
			log := filepath.Join(t.TempDir(), "run.log")
			folder := strings.TrimSuffix(trace.Path, ".prv") + record.Extension
			if _, problems, status := clitest.Run(t, "convert", folder, log); status != 0 {
				t.Fatal(problems)
			}
			if got := predictedTime(t, log); got != predicted {
				t.Errorf("the log predicts %.9f s, the trace %.9f s", got, predicted)
			}
		}
		if closest > 0.03 {
			t.Errorf("the closest run is %.1f %% off", 100*closest)
		}
	})
}

// predictedTime returns what pview sim predicts for a file, in seconds.
func predictedTime(t *testing.T, file string) float64 {
	t.Helper()
	out, problems, _ := clitest.Run(t, "sim", file)
	m := regexp.MustCompile(`Predicted .*\(([\d,]+) ns\)`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("%s\n%s", out, problems)
	}
	ns, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	return ns / 1e9
}

// C4: if the cache folder is not writable, the library is compiled into a temporary folder, which is then removed; two
// concurrent runs have separate folders and traces.
func TestRecordReadOnlyHome(t *testing.T) {
	clitest.WithOneMPI(t, func(t *testing.T, library string) {
		program, temporary := clitest.Compiled(t, library, "ends.c"), t.TempDir()
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", temporary)
		cache := xdg.CacheHome
		xdg.CacheHome = filepath.Join(file, "cache") // no folder can be made in a file, even by root
		defer func() { xdg.CacheHome = cache }()
		t.Chdir(t.TempDir())
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() { clitest.Run(t, "record", "mpirun."+library, "-np", "2", program, "exit") })
		}
		group.Wait()
		for _, name := range []string{"ends.prv", "ends-2.prv"} {
			trace, err := prv.Open(context.Background(), name, prv.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			if n := countsOf(trace)["call 1 MPI_Sendrecv"]; n != 10 {
				t.Errorf("%s has %d MPI_Sendrecv", name, n)
			}
		}
		left, err := filepath.Glob(filepath.Join(temporary, "pview-record*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if folders, _ := filepath.Glob("*.pvrec"); len(folders) > 0 {
			t.Errorf("left behind: %v", folders)
		}
	})
}

// C4: spaces and colons in the names of the folders of the cache, the program and the trace: in LD_PRELOAD they
// separate libraries.
func TestRecordSpaces(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		dir := filepath.Join(t.TempDir(), "my programs: old, new")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(dir, "ends")
		if err := os.Rename(clitest.Compiled(t, library, "ends.c"), program); err != nil {
			t.Fatal(err)
		}
		cache := xdg.CacheHome
		xdg.CacheHome = filepath.Join(dir, "cache")
		defer func() { xdg.CacheHome = cache }()
		t.Chdir(dir)
		for range 2 { // the library is compiled, and there
			_, problems, _ := clitest.Run(t, "record", "-o", "a trace.prv", "mpirun."+library, "-np", "2", program,
				"exit")
			trace, err := prv.Open(context.Background(), "a trace.prv", prv.Options{Strict: true})
			if err != nil {
				t.Fatalf("%v\n%s", err, problems)
			}
			if n := countsOf(trace)["call 1 MPI_Sendrecv"]; n != 10 || strings.Contains(problems, "ERROR") {
				t.Errorf("%d MPI_Sendrecv\n%s", n, problems)
			}
		}
		if cached, _ := filepath.Glob(filepath.Join(dir, "cache/pview/record/*.so")); len(cached) != 1 {
			t.Errorf("cached: %v", cached)
		}
		t.Setenv("TMPDIR", dir)
		_, problems, _ := clitest.Run(t, "record", "mpirun."+library, "-np", "2", program, "exit")
		if !strings.Contains(problems, "not recorded: LD_PRELOAD cannot hold ") {
			t.Error(problems)
		}
	})
}

// L1: nodes need not see the cache folder, which is gone when this launcher begins.
func TestRecordWithoutCache(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		dir := t.TempDir()
		cache := xdg.CacheHome
		xdg.CacheHome = filepath.Join(dir, "cache")
		defer func() { xdg.CacheHome = cache }()
		launcher := filepath.Join(dir, "mpirun")
		script := "#!/bin/sh\nrm -rf " + xdg.CacheHome + "\nexec mpirun." + library + " \"$@\"\n"
		if err := os.WriteFile(launcher, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		program := clitest.Compiled(t, library, "ends.c")
		t.Chdir(dir)
		_, problems, _ := clitest.Run(t, "record", "-o", "a.prv", launcher, "-np", "2", program, "exit")
		trace, err := prv.Open(context.Background(), "a.prv", prv.Options{Strict: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, problems)
		}
		if n := countsOf(trace)["call 1 MPI_Sendrecv"]; n != 10 {
			t.Errorf("%d MPI_Sendrecv\n%s", n, problems)
		}
		if left, _ := filepath.Glob("*.pvrec"); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	})
}

// L1: the library is compiled once for each version of an MPI library, even if its functions are the same.
func TestRecordVersions(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		dir := t.TempDir()
		cache := xdg.CacheHome
		xdg.CacheHome = filepath.Join(dir, "cache")
		defer func() { xdg.CacheHome = cache }()
		version, compiler := filepath.Join(dir, "version.h"), filepath.Join(dir, "mpicc")
		script := "#!/bin/sh\ncase $1 in -E) exec mpicc." + library + " -include " + version + " \"$@\";; esac\n" +
			"echo compiled >>" + dir + "/log\nwhile [ \"$1\" != -o ]; do shift; done\n: >\"$2\"\n"
		if err := os.WriteFile(compiler, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{"1", "1", "2", "2", "1"} {
			if err := os.WriteFile(version, []byte("#define I_MPI_NUMVERSION "+text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := record.NewCompiler(context.Background(), compiler)
			if err == nil {
				_, _, err = c.Library(context.Background(), dir)
			}
			if err != nil {
				t.Fatal(err)
			}
			log, err := os.ReadFile(filepath.Join(dir, "log"))
			if n := strings.Count(string(log), "compiled"); err != nil || n != []int{1, 1, 2, 2, 2}[i] {
				t.Errorf("version %s, at %d: compiled %d times, %v", text, i, n, err)
			}
		}
	})
}

// C4, L5: a limit ends recording with a line, and the program continues. The rest of the trace is "tracing disabled".
func TestRecordLimit(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "cost.c")
		trace, out, problems, status := recorded(t, library, program, 2, nil, "--limit", "1M",
			"--buffer", "64k")
		if status != 0 || !strings.Contains(out, "ns a call") {
			t.Errorf("status %d, %q", status, out)
		}
		if !strings.Contains(problems, "the limit of its size is reached") ||
			!strings.Contains(problems, "2 threads stopped at the size limit") {
			t.Error(problems)
		}
		first := &trace.Threads[0].States
		if second := &trace.Threads[1].States; second.Begin[len(second.Begin)-1] < first.Begin[len(first.Begin)-1] {
			first = second
		}
		if last := first.Value[len(first.Value)-1]; last != 14 {
			t.Errorf("the rank that has reached the limit first ends in state %d", last)
		}
		// 1 MB of records of 64 bytes: less than a window of them is missing.
		if n := countsOf(trace)["call 0 MPI_Send"]; n < (1_000_000-2*65536)/64 || n > 1_000_000/64 {
			t.Errorf("%d calls in 1 MB", n)
		}
		checkTiled(t, trace)
	})
}

// L4: functions of -finstrument-functions with their names and lines, even in a program that is not relocated, and
// regions and events of pview.h; the program also runs without the recorder.
func TestRecordFunctions(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		for _, flags := range [][]string{{"-finstrument-functions"}, {"-finstrument-functions", "-no-pie", "-fPIC"}, {"-s"}} {
			program := clitest.Compiled(t, library, "functions.c",
				slices.Concat(flags, []string{"-I", "../../prv/record/lib"})...)
			bare, err := exec.Command("mpirun."+library, "-np", "1", program).Output()
			if err != nil || string(bare) != "3\n" {
				t.Fatalf("%v: without the recorder: %q, %v", flags, bare, err)
			}
			trace, out, problems, status := recorded(t, library, program, 2, nil)
			if status != 0 || out != "3\n3\n" {
				t.Errorf("%v: status %d, %q\n%s", flags, status, out, problems)
			}
			long := "a region with a name of more than fifty-six characters, to the end"
			var want []string
			for i, region := range []string{long, "odd", long} {
				value := []string{"1000000000000", "1000000000001", "-7"}[i]
				want = append(want, region, value)
				if flags[0] != "-s" {
					want = append(want, "outer 8 (functions.c, outer)", "inner 6 (functions.c, inner)", "End", "End")
				}
				want = append(want, "End")
			}
			for th := range trace.Threads {
				if got := functionsOf(trace, th); !slices.Equal(got, want) {
					t.Errorf("%v: thread %d:\n%q, want\n%q\n%s", flags, th, got, want, problems)
				}
			}
			checkTiled(t, trace)
		}
	})
}

// functionsOf returns the functions, regions and events of a thread in their order: functions with their lines.
func functionsOf(trace *prv.Trace, th int) (list []string) {
	e := &trace.Threads[th].Events
	for i := range e.Time {
		typ, _ := trace.Labels.Type(e.Type[i])
		name, _ := typ.ValueLabel(e.Value.At(i))
		switch e.Type[i] {
		case extrae.UserFunction:
			list = append(list, name)
		case 60000119:
			if last := len(list) - 1; name != "End" && !strings.HasPrefix(name, "unknown") {
				list[last] += " " + name
			}
		case 123456:
			list = append(list, fmt.Sprint(e.Value.At(i)))
		}
	}
	return list
}

// callersOf returns the calls of a thread with their callers: "MPI_Barrier inner@a.c:15 main@a.c:53".
func callersOf(trace *prv.Trace, th int) (list []string) {
	label := func(typ uint32, value int64) string {
		t, _ := trace.Labels.Type(typ)
		text, _ := t.ValueLabel(value)
		return text
	}
	e := &trace.Threads[th].Events
	families := extrae.Of(trace.Labels).Family(extrae.MPI)
	for i := range e.Time {
		switch typ, value := e.Type[i], e.Value.At(i); {
		case slices.Contains(families, typ) && value != 0:
			list = append(list, label(typ, value))
		case typ > extrae.FirstCaller && typ <= extrae.LastCaller:
			list[len(list)-1] += " " + label(typ, value)
		case typ > extrae.FirstCallerLine && typ <= extrae.LastCallerLine:
			place, _, _ := strings.Cut(label(typ, value), " [")
			list[len(list)-1] += "@" + place
		}
	}
	return list
}

// linesOf returns the lines of a program of testdata/record that "// line: NAME" names.
func linesOf(t *testing.T, source string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(clitest.Programs, source))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		if _, name, ok := strings.Cut(line, "// line: "); ok {
			lines[name] = i + 1
		}
	}
	return lines
}

// L4: each call has its callers, with functions, files and lines, up to main or the requested number: with and without
// frame pointers, at fixed addresses, through frames of variable size and aligned ones; a stripped program has
// addresses for the same number of levels, and one without unwind tables has the first level.
func TestRecordCallers(t *testing.T) {
	lines := linesOf(t, "callers.c")
	at := func(function string) string {
		in := map[string]string{"barrier": "inner", "inner": "dynamic", "dynamic": "aligned",
			"allreduce": "step"}[function]
		if in == "" {
			in = "main"
		}
		return fmt.Sprintf(" %s@callers.c:%d", in, lines[function])
	}
	want := []string{"MPI_Init" + at("init")}
	for range 3 {
		want = append(want, "MPI_Allreduce"+at("allreduce")+at("step"),
			"MPI_Barrier"+at("barrier")+at("inner")+at("dynamic")+at("aligned"))
	}
	want = append(want, fmt.Sprintf("MPI_Iprobe by_number@callers.c:%d", lines["iprobe"]),
		"MPI_Finalize"+at("finalize"))
	clitest.WithMPI(t, func(t *testing.T, library string) {
		for _, c := range []struct {
			compiler, callers string
			levels            int // at most
			named             bool
		}{{"-O1", "5", 5, true}, {"-O2 -fomit-frame-pointer", "30", 30, true}, {"-O2 -no-pie -fno-pie", "2", 2, true},
			{"-O0", "0", 0, true}, {"-O2 -s", "5", 5, false}, {"-O2 -fno-asynchronous-unwind-tables", "5", 1, true}} {
			program := clitest.Compiled(t, library, "callers.c", strings.Fields(c.compiler)...)
			trace, out, problems, status := recorded(t, library, program, 2, []string{"4"}, "--callers", c.callers)
			if status != 0 || out != "12\n12\n" {
				t.Fatalf("%s: status %d, %q\n%s", c.compiler, status, out, problems)
			}
			for th := range trace.Threads {
				got := callersOf(trace, th)
				if len(got) != len(want) {
					t.Fatalf("%s: %q, want %q", c.compiler, got, want)
				}
				for i := range want {
					expected := strings.Fields(want[i])
					expected = expected[:min(len(expected), 1+c.levels)]
					have := strings.Fields(got[i])
					if strings.HasPrefix(want[i], "MPI_Iprobe") { // the second caller is of libc, which sorts
						have = have[:min(len(have), len(expected))]
					}
					if c.named && !slices.Equal(have, expected) || len(have) != len(expected) {
						t.Errorf("%s: %q, want %q", c.compiler, got[i], expected)
					}
					if !c.named && !strings.HasPrefix(have[1], "callers+0x") {
						t.Errorf("%s: %q", c.compiler, got[i])
					}
				}
			}
			checkTiled(t, trace)
		}
	})
}

// L6, L7: a ring over two nodes, one with a clock that is 7 s ahead, and in a second run 0.3 % fast, too: 1.5 ms in the
// 0.5 s of the program, which the line between the comparisons at its start and end takes out. pview says within which
// time the clocks agree: half of the round trip that compared them. A message may arrive before it was sent, but by no
// more than that time.
func TestRecordTwoNodes(t *testing.T) {
	drift := filepath.Join(clitest.Programs, "drift.c")
	clitest.WithMPI(t, func(t *testing.T, library string) {
		launcher := clitest.TwoNodes(t, library)
		for _, flags := range [][]string{nil, {drift, "-rdynamic"}} {
			onTwoNodes(t, launcher, clitest.Compiled(t, library, "rings.c", flags...))
		}
	})
}

// onTwoNodes records a ring program and checks that no message arrives earlier than the note on clocks allows.
func onTwoNodes(t *testing.T, launcher []string, program string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.prv")
	_, problems, status := clitest.Run(t, slices.Concat([]string{"record", "-o", file}, launcher,
		[]string{program, "0.5"})...)
	within := regexp.MustCompile(`the clocks of the nodes agree within ([0-9.]+ [mun]?s) where`)
	said := within.FindStringSubmatch(problems)
	if status != 0 || said == nil {
		t.Fatalf("status %d\n%s", status, problems)
	}
	bound, err := time.ParseDuration(strings.Replace(said[1], " ", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := prv.Open(context.Background(), file, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := trace.Names.Lookup(prv.LevelNode, 1); len(trace.Nodes) != 2 || name != "node2" {
		t.Errorf("%d nodes, the second is %q", len(trace.Nodes), name)
	}
	c, crossed := &trace.Comms, map[int32]int{}
	for i := range c.Send {
		from, took := trace.ThreadNode(c.Send[i]), c.Times[prv.PhysicalRecv][i]-c.Times[prv.LogicalSend][i]
		if from == trace.ThreadNode(c.Recv[i]) {
			continue
		}
		if crossed[from]++; took < -bound.Nanoseconds() {
			t.Errorf("a message from node %d took %d ns, the clocks agree within %s", from+1, took, bound)
		}
	}
	if crossed[0] == 0 || crossed[0] != crossed[1] {
		t.Errorf("messages between nodes: %d and %d", crossed[0], crossed[1])
	}
}

// W2: ranks that Slurm starts on two nodes are one run, with all their messages: one for each rank in each iteration;
// even with srun --export.
func TestRecordSlurm(t *testing.T) {
	clitest.OnSlurm(t)
	// The nodes are one machine: ranks of both would take each other's shared memory for their own.
	t.Setenv("OMPI_MCA_btl", "self,tcp")
	t.Setenv("OMPI_MCA_btl_tcp_if_include", "lo")
	clitest.WithMPI(t, func(t *testing.T, library string) {
		mpi := map[string]string{"openmpi": "pmix", "mpich": "pmi2"}[library]
		srun := []string{"srun", "--mpi=" + mpi, "-N", "2", "-n", "4", clitest.Compiled(t, library, "rings.c"), "0.3"}
		if out, err := exec.Command(srun[0], srun[1:]...).CombinedOutput(); err != nil {
			t.Skipf("this Slurm does not start programs of %s: %v\n%s", library, err, out)
		}
		srun = slices.Insert(srun, 1, "--export=PATH,OMPI_MCA_btl,OMPI_MCA_btl_tcp_if_include")
		file := filepath.Join(t.TempDir(), "run.prv")
		out, problems, status := clitest.Run(t, append([]string{"record", "-o", file}, srun...)...)
		var iterations int
		if _, err := fmt.Sscanf(out, "%d iterations", &iterations); err != nil || status != 0 {
			t.Fatalf("%v, status %d\n%s\n%s", err, status, out, problems)
		}
		trace, err := prv.Open(context.Background(), file, prv.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(trace.Tasks) != 4 || trace.Comms.Len() != 4*iterations {
			t.Errorf("%d tasks, %d messages in %d iterations", len(trace.Tasks), trace.Comms.Len(), iterations)
		}
		if !strings.Contains(problems, "the clocks of the nodes agree within ") {
			t.Error(problems)
		}
	})
}

// L4: the callers of C++ programs have their names in the source: with namespaces, templates, operators and lambdas.
func TestRecordCallersCPP(t *testing.T) {
	lines := linesOf(t, "callers.cc")
	at := func(function, line string) string { return fmt.Sprintf(" %s@callers.cc:%d", function, lines[line]) }
	field := "solver::Field<double, 1>::"
	want := []string{"MPI_Init" + at("main", "init"),
		"MPI_Barrier" + at("main::{lambda(int)#1}::operator()", "barrier") + at("main", "meet"),
		"MPI_Allreduce" + at(field+"sum", "allreduce") + at(field+"operator()", "sum") + at("main", "field"),
		"MPI_Finalize" + at("main", "finalize")}
	clitest.WithMPI(t, func(t *testing.T, library string) {
		if _, err := exec.LookPath("mpicxx." + library); err != nil {
			t.Skip(err)
		}
		trace, _, problems, status := recorded(t, library, clitest.Compiled(t, library, "callers.cc"), 2, nil)
		if status != 0 {
			t.Errorf("status %d\n%s", status, problems)
		}
		for th := range trace.Threads {
			if got := callersOf(trace, th); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

// L4: the callers of Fortran programs are their own, not the MPI library's Fortran layer.
func TestRecordCallersFortran(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	clitest.WithMPI(t, func(t *testing.T, library string) {
		for _, source := range []string{"fortran_mpif.f90", "fortran_use.f90", "fortran_f08.f90"} {
			trace, _, problems, _ := recorded(t, library, clitest.Compiled(t, library, source), 2, nil)
			for _, call := range callersOf(trace, 1) {
				_, own, _ := strings.Cut(call, " ")
				if !strings.HasPrefix(own, "MAIN__@"+source) || !strings.Contains(own, " main@"+source) {
					t.Errorf("%s: %q\n%s", source, call, problems)
				}
			}
		}
	})
}

// L4: counters count what happens between readings: 500 pages first touched before each MPI_Allreduce. A line names the
// counters that the machine lacks. A followed trace has callers and counters, too.
func TestRecordCounters(t *testing.T) {
	const pages, pageFaults = 500, 44731460
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "callers.c")
		trace, out, problems, status := recorded(t, library, program, 2, []string{fmt.Sprint(pages)}, "--keep",
			"--counters", "instructions,page-faults,context-switches")
		if status != 0 || out != "12\n12\n" {
			t.Fatalf("status %d, %q\n%s", status, out, problems)
		}
		if strings.Contains(problems, "not counted: instructions, page-faults") {
			t.Skip(problems)
		}
		if n := strings.Count(problems, "instructions"); n > 1 {
			t.Errorf("said %d times: %s", n, problems)
		}
		_, counted := trace.Labels.Type(extrae.Instructions)
		if counted == strings.Contains(problems, "not counted: ins") {
			t.Errorf("instructions are labelled: %v\n%s", counted, problems)
		}
		for th := range trace.Threads {
			e, before := &trace.Threads[th].Events, 0
			for i := range e.Time {
				if e.Type[i] != extrae.MPICollective || e.Value.At(i) != 10 {
					continue
				}
				before++
				k := i + 1
				for e.Type[k] != pageFaults {
					k++
				}
				if n := e.Value.At(k); e.Time[k] != e.Time[i] || n < pages || n > pages+50 {
					t.Errorf("thread %d: %d page faults at %d, want %d at %d", th, n, e.Time[k], pages, e.Time[i])
				}
			}
			if before != 3 {
				t.Errorf("thread %d: %d MPI_Allreduce", th, before)
			}
		}
		checkTiled(t, trace)
		folder := strings.TrimSuffix(trace.Path, ".prv") + record.Extension
		f := record.Follow(folder)
		defer f.Close()
		g, err := f.Read(context.Background(), nil)
		if err != nil || g.Trace == nil || !slices.Equal(callersOf(g.Trace, 1), callersOf(trace, 1)) {
			t.Errorf("%v: followed: %v", err, g)
		}
	})
}

// L5: before recording starts, the trace is "tracing disabled". Messages sent before the start and received after it
// keep their sizes: they are not mistaken for later ones.
func TestRecordLater(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "later.c", "-I", "../../prv/record/lib")
		for _, flags := range [][]string{{"--from-iteration", "4"}, {"--only-after", "100ms"}} {
			trace, _, problems, status := recorded(t, library, program, 3, []string{"30"}, flags...)
			if status != 0 || strings.Contains(problems, "in the records") {
				t.Errorf("%v: status %d\n%s", flags, status, problems)
			}
			checkTiled(t, trace)
			got := countsOf(trace)
			for rank := range 3 {
				if flags[0] == "--only-after" {
					if n := got[fmt.Sprintf("call %d MPI_Comm_rank", rank)]; n != 0 { // it follows MPI_Init
						t.Errorf("%v: rank %d has %d MPI_Comm_rank", flags, rank, n)
					}
				} else {
					// Of n iterations, n+1 receives: the first is of the iteration before; 4*(3+4+...+10) = 208 bytes.
					pair := fmt.Sprintf("%d %d", rank, (rank+1)%3)
					for key, n := range map[string]int{"call %d MPI_Isend": 7, "call %d MPI_Recv": 8,
						"call %d MPI_Comm_split": 7, "call %d MPI_Init": 1, "call %d MPI_Finalize": 1} {
						if key = fmt.Sprintf(key, rank); got[key] != n {
							t.Errorf("%v: %s: %d, want %d", flags, key, got[key], n)
						}
					}
					if got["messages "+pair] != 8 || got["bytes "+pair] != 208 {
						t.Errorf("%v: %s: %d messages, %d bytes", flags, pair, got["messages "+pair], got["bytes "+pair])
					}
				}
				disabled, s := int64(0), &trace.Threads[rank].States
				for i := range s.Begin {
					if s.Value[i] == 14 {
						disabled += s.End[i] - s.Begin[i]
					}
				}
				// Three iterations of 30 ms, or 100 ms.
				if disabled < 90e6 || disabled >= trace.Duration {
					t.Errorf("%v: rank %d is disabled for %d ns of %d", flags, rank, disabled, trace.Duration)
				}
			}
			if strings.Contains(problems, "nothing is recorded") {
				t.Errorf("%v: %s", flags, problems)
			}
		}
		_, _, problems, _ := recorded(t, library, program, 3, []string{"1"}, "--from-iteration", "400", "--only-after",
			"2s")
		if !strings.Contains(problems, "the program did not come to --only-after 2s and --from-iteration 400\n") ||
			strings.Contains(problems, "no user functions") {
			t.Error(problems)
		}
	})
}

// L1: a program that is linked with libpview.a is recorded without pview record, and once with it.
func TestRecordLibrary(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		dir := filepath.Join(t.TempDir(), "lib")
		if _, problems, status := clitest.Run(t, "record", "--mpicc", "mpicc."+library, "--library", dir); status != 0 {
			t.Fatal(problems)
		}
		program := clitest.Compiled(t, library, "functions.c", "-I"+dir, "-L"+dir, "-lpview")
		trace, _, problems, status := recorded(t, library, program, 2, nil)
		if n := countsOf(trace)["call 1 MPI_Barrier"]; status != 0 || n != 3 || len(functionsOf(trace, 1)) != 9 {
			t.Errorf("status %d, %d barriers, %q\n%s", status, n, functionsOf(trace, 1), problems)
		}
		t.Chdir(t.TempDir())
		if out, err := exec.Command("mpirun."+library, "-np", "2", program).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		folders, _ := filepath.Glob("functions-*.pvrec")
		if len(folders) != 1 {
			t.Fatalf("folders: %v", folders)
		}
		trace, err := record.Open(context.Background(), folders[0], true, 0, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		if n := countsOf(trace)["call 1 MPI_Barrier"]; n != 3 || len(functionsOf(trace, 1)) != 9 {
			t.Errorf("%d barriers, %q", n, functionsOf(trace, 1))
		}
	})
}

// L1: a statically linked program runs unrecorded, and a line says why and what to do; so does one that contains its
// MPI library. One that does not call MPI_Init gets another line.
func TestRecordStatic(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		source := filepath.Join(t.TempDir(), "hello.c")
		text := "int puts(const char *);\n#ifdef OWN\nint MPI_Init() { return 0; }\n#endif\n" +
			"int main() { puts(\"hello\"); }\n"
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for flag, want := range map[string]string{"-O1": "no rank called MPI_Init",
			"-DOWN":   "hello is linked with a static MPI library, whose calls the recorder does not see; link it with",
			"-static": "hello is statically linked, and loads no recorder; link it with libpview.a"} {
			program := filepath.Join(t.TempDir(), "hello")
			if out, err := exec.Command("cc", flag, "-o", program, source).CombinedOutput(); err != nil {
				t.Skipf("no static programs: %v\n%s", err, out)
			}
			file := filepath.Join(t.TempDir(), "a.prv")
			out, problems, status := clitest.Run(t, "record", "-o", file, "mpirun."+library, "-np", "2", program)
			if status != 0 || out != "hello\nhello\n" || !strings.Contains(problems, want) {
				t.Errorf("%s: status %d, %q\n%s", flag, status, out, problems)
			}
		}
	})
}

// C4: a full disk ends recording with a line that gives the reason, and the program continues.
func TestRecordFullDisk(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "cost.c")
		full := clitest.Compiled(t, library, "full.c", "-shared", "-fPIC")
		t.Setenv("LD_PRELOAD", full)
		trace, out, problems, status := recorded(t, library, program, 1, nil, "--buffer", "64k")
		if status != 0 || !strings.Contains(out, "ns a call") {
			t.Errorf("status %d, %q", status, out)
		}
		if !strings.Contains(problems, "no user functions: ") || !strings.Contains(problems, "no counters: ") {
			t.Errorf("what was not measured is not said:\n%s", problems)
		}
		if !strings.Contains(problems, "recording stops: No space left on device") ||
			!strings.Contains(problems, "1 thread stopped: the disk was full") {
			t.Error(problems)
		}
		if n := countsOf(trace)["call 0 MPI_Send"]; n < 1_000_000/64-100 || n > (1_000_000+2*65536)/64 {
			t.Errorf("%d calls in 1 MB", n)
		}
		checkTiled(t, trace)
	})
}

// S1: commands that print times say if these are CPU times, and that waits are left out.
func TestCPUTimesSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpu.prv")
	text := "#Paraver (01/01/2024 at 10:00):1000_ns:1(1):1:1(1:1)\n" + prv.CPUTimeComment + "\n1:1:1:1:1:0:1000:1\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"diagnose", file}, {"efficiency", file}, {"compare", file, file}} {
		_, problems, _ := clitest.Run(t, args...)
		if !strings.Contains(problems, "times are CPU times, without waits") {
			t.Errorf("%s: %q", args[0], problems)
		}
	}
}
