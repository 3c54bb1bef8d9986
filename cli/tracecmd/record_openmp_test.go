package tracecmd_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/prv"
	"pview/prv/extrae"
)

// said returns the numbers in the lines that a program prints, by the lines' first words.
func said(out, first string, words int) map[string]int64 {
	lines := map[string]int64{}
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Fields(line)
		if len(fields) <= words || fields[0] != first {
			continue
		}
		for i, field := range fields[words:] {
			n, _ := strconv.ParseInt(field, 10, 64)
			lines[fmt.Sprint(strings.Join(fields[1:words], " "), " ", i)] = n
		}
	}
	return lines
}

// valuesOf returns the number of events of a thread with a type and value.
func valuesOf(e *prv.Events, typ uint32, value int64) (n int64) {
	for i := range e.Time {
		if e.Type[i] == typ && e.Value.At(i) == value {
			n++
		}
	}
	return n
}

// stretches returns when a thread is in constructs of a type, which are not nested.
func stretches(e *prv.Events, typ uint32) (list [][2]int64) {
	for i := range e.Time {
		switch n := len(list); {
		case e.Type[i] != typ:
		case e.Value.At(i) != 0:
			list = append(list, [2]int64{e.Time[i], -1})
		case n > 0:
			list[n-1][1] = e.Time[i]
		}
	}
	return list
}

// L4: OpenMP by OMPT. Threads, regions, barriers, critical sections, locks, tasks and the time in barriers are those
// that the program prints.
func TestRecordOpenMP(t *testing.T) {
	flags := clitest.WithOMPT(t)
	t.Setenv("OMP_NUM_THREADS", "4")
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "hybrid.c", flags...)
		trace, out, problems, status := recorded(t, library, program, 2, nil)
		if status != 0 || !strings.Contains(problems, "OpenMP: 120 parallel regions, 8 threads") {
			t.Fatalf("status %d\n%s%s", status, out, problems)
		}
		checkTiled(t, trace)
		team, each, tasks := said(out, "openmp", 2), said(out, "each", 2), said(out, "tasks", 2)
		for rank, task := range trace.Tasks {
			of := func(i int) string { return fmt.Sprint(rank, " ", i) }
			if int64(task.Threads) != team[of(0)] || task.Threads != 4 {
				t.Fatalf("rank %d has %d threads, the program says %d", rank, task.Threads, team[of(0)])
			}
			threads := trace.Threads[task.FirstThread : task.FirstThread+task.Threads]
			created, executed := int64(0), int64(0)
			for th := range threads {
				e := &threads[th].Events
				for _, c := range []struct {
					what       string
					got, wants int64
				}{
					{"barriers", valuesOf(e, extrae.OpenMPBarrier, 1), each[of(0)]},
					{"barriers that end", valuesOf(e, extrae.OpenMPBarrier, 0), each[of(0)]},
					{"critical sections", valuesOf(e, extrae.OpenMPLock, extrae.LockTaken), each[of(1)]},
					{"locks", valuesOf(e, extrae.OpenMPNamedLock, extrae.LockTaken), each[of(2)]},
					{"parts of regions", int64(len(stretches(e, extrae.OpenMPOutlined))), team[of(1)]},
				} {
					if c.got != c.wants {
						t.Errorf("rank %d, thread %d: %d %s, the program says %d", rank, th, c.got, c.what, c.wants)
					}
				}
				created += int64(len(stretches(e, extrae.OpenMPCreate)))
				executed += int64(len(stretches(e, extrae.OpenMPExecute)))
			}
			if opened := valuesOf(&threads[0].Events, extrae.OpenMPParallel, 3); opened != team[of(1)] {
				t.Errorf("rank %d: %d regions, the program says %d", rank, opened, team[of(1)])
			}
			if n := tasks[of(0)]; created != n || executed != n {
				t.Errorf("rank %d: %d tasks are created and %d executed, the program says %d", rank, created, executed,
					n)
			}
			checkBarriers(t, rank, threads, said(out, "thread", 3))
			checkTeam(t, threads)
		}
	})
}

// checkBarriers compares the time in the explicit barriers, the second of each region, with the time that the program
// measures around them.
func checkBarriers(t *testing.T, rank int, threads []prv.Thread, measured map[string]int64) {
	t.Helper()
	sum, all := int64(0), int64(0)
	for th := range threads {
		within, around := int64(0), measured[fmt.Sprint(rank, " ", th, " ", 0)]
		for i, b := range stretches(&threads[th].Events, extrae.OpenMPBarrier) {
			if i%2 == 1 {
				within += b[1] - b[0]
			}
		}
		if within <= 0 || within > around+around/100 { // clocks agree to some 5 ppm
			t.Errorf("rank %d, thread %d is %d ns in barriers, the program measured %d around them", rank, th, within,
				around)
		}
		sum, all = sum+within, all+around
	}
	if 2*sum < all {
		t.Errorf("rank %d: %d ns in barriers, the program measured %d around them", rank, sum, all)
	}
}

// checkTeam checks that workers are in Synchronization from the end of their part of a region to the region's end,
// unless they execute tasks, and idle then, and that the first thread opens and closes all regions.
func checkTeam(t *testing.T, threads []prv.Thread) {
	t.Helper()
	regions := stretches(&threads[0].Events, extrae.OpenMPParallel)
	for th := range threads {
		parts, s := stretches(&threads[th].Events, extrae.OpenMPOutlined), &threads[th].States
		tasks := stretches(&threads[th].Events, extrae.OpenMPExecute)
		for k, part := range parts {
			if part[0] < regions[k][0] || part[1] > regions[k][1] {
				t.Fatalf("thread %d: part %d is %v, the region %v", th, k, part, regions[k])
			}
			if th == 0 {
				continue
			}
			i, at := sort.Search(len(s.Begin), func(i int) bool { return s.Begin[i] >= part[1] }), part[1]
			for ; i < len(s.Begin) && s.Begin[i] < regions[k][1]; i++ {
				_, executes := slices.BinarySearchFunc(tasks, s.Begin[i], func(task [2]int64, at int64) int {
					return cmp.Compare(task[0], at)
				})
				if s.Begin[i] != at || s.Value[i] != 5 && !(executes && s.Value[i] == 1) {
					t.Fatalf("thread %d: state %d at %d, after part %d, which ends at %d, is not Synchronization", th,
						s.Value[i], s.Begin[i], k, part[1])
				}
				at = s.End[i]
			}
			if at != regions[k][1] || k+1 < len(parts) && (s.Value[i] != 0 || s.End[i] != parts[k+1][0]) {
				t.Fatalf("thread %d: state after region %d is not Idle until %d", th, k, parts[k+1][0])
			}
		}
	}
}

// L4: a recorded hybrid program has POP's factors of OpenMP, and is simulated.
func TestRecordOpenMPIsRead(t *testing.T) {
	flags := clitest.WithOMPT(t)
	t.Setenv("OMP_NUM_THREADS", "3")
	clitest.WithOneMPI(t, func(t *testing.T, library string) {
		file := filepath.Join(t.TempDir(), "run.prv")
		program := clitest.Compiled(t, library, "hybrid.c", flags...)
		_, problems, status := clitest.Run(t, "record", "-o", file, "mpirun."+library, "-np", "2", program)
		if status != 0 {
			t.Fatal(problems)
		}
		for _, c := range []struct {
			want string
			args []string
		}{
			{"OpenMP parallel efficiency", []string{"efficiency"}}, {"Predicted", []string{"sim"}},
			// The text has only the largest parts, which differ on a busy machine.
			{"Wait at explicit barrier", []string{"diagnose", "--format", "json"}},
		} {
			out, problems, status := clitest.Run(t, append(c.args, file)...)
			if !strings.Contains(out, c.want) {
				t.Errorf("%s: status %d, no %q\n%s%s", c.args, status, c.want, out, problems)
			}
		}
	})
}

// L4: for a runtime without OMPT, and for one whose tools are disabled, a line says that OpenMP is not recorded. A
// program without threads, or without OpenMP, gets no line.
func TestRecordWithoutOMPT(t *testing.T) {
	clitest.WithMPI(t, func(t *testing.T, library string) {
		program := clitest.Compiled(t, library, "hybrid.c", "-fopenmp")
		for threads, want := range map[string]int{"4": 1, "1": 0} {
			t.Setenv("OMP_NUM_THREADS", threads)
			trace, _, problems, status := recorded(t, library, program, 2, nil)
			if n := strings.Count(problems, "OpenMP"); n != want || status != 0 || len(trace.Threads) != 2 {
				t.Errorf("%s threads: OpenMP is named %d times, %d threads are recorded\n%s", threads, n,
					len(trace.Threads), problems)
			}
			if want > 0 && !strings.Contains(problems, "libgomp, which has no OMPT (6 threads)") {
				t.Error(problems)
			}
		}
	})
}

// L4: with any teams, and wherever recording stops, everything that begins on a thread ends there, and states cover its
// time without gaps.
func TestRecordOpenMPNested(t *testing.T) {
	flags := clitest.WithOMPT(t)
	t.Setenv("OMP_NUM_THREADS", "3")
	t.Setenv("OMP_MAX_ACTIVE_LEVELS", "2")
	clitest.WithMPI(t, func(t *testing.T, library string) {
		trace, out, problems, status := recorded(t, library, clitest.Compiled(t, library, "nested.c", flags...), 2, nil)
		if status != 0 || len(trace.Threads) < 8 {
			t.Fatalf("status %d, %d threads\n%s%s", status, len(trace.Threads), out, problems)
		}
		checkTiled(t, trace)
		for th := range trace.Threads {
			e, open := &trace.Threads[th].Events, map[uint32]int{}
			for i, typ := range e.Type {
				if typ < extrae.OpenMPParallel || typ > extrae.OpenMPExecute {
					continue
				}
				open[typ]++
				if e.Value.At(i) == 0 {
					open[typ] -= 2
				}
				if open[typ] < 0 {
					t.Errorf("thread %d: type %d ends at %d and has not begun", th, typ, e.Time[i])
				}
			}
			for typ, n := range open {
				if n != 0 {
					t.Errorf("thread %d: %d of type %d do not end", th, n, typ)
				}
			}
		}
	})
}
