package tracecmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/insight/account"
	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/wide"
)

// kernel is a kernel of testdata/record/kernels.c.
type kernel struct {
	name string
	// structure returns the line in which pview frameworks names the structure; nil if it finds none.
	structure func(ranks int) string
	// least returns the minimum time of n iterations on any machine, in units of the computation.
	least func(n, ranks float64) float64
}

var kernels = []kernel{
	{"stencil", nil, func(n, _ float64) float64 { return 1.5 * n }}, // of the last rank, for which a sum waits
	{"cg", nil, func(n, ranks float64) float64 { return (1 + 0.2 + 0.3*(ranks-1)/ranks) * n }},
	// The first item takes 2 in one stage and 1 in each of the others; each further one leaves the slow stage 2 later.
	{"pipeline", func(ranks int) string { return fmt.Sprintf("stage %d: task %d", ranks, ranks) },
		func(n, ranks float64) float64 { return ranks + 1 + 2*(n-1) }},
	// Two tasks for each worker, of 0.5 to 1.5 - 1/tasks: 1 - 1/(2*tasks) in the mean.
	{"farm", func(ranks int) string { return fmt.Sprintf("master 1\n  workers 2-%d", ranks) },
		func(n, ranks float64) float64 { return 2 * (1 - 0.25/(ranks-1)) * n }},
	{"transpose", nil, func(n, _ float64) float64 { return 1.6 * n }},
}

const (
	kernelIterations = 10
	kernelUnit       = 5000 // us
)

// rankCounts returns the numbers of ranks for the kernels. Starting ranks takes most of the time of these tests, and 8
// ranks show the same with both libraries.
func rankCounts(library string) []int {
	switch {
	case testing.Short():
		return []int{4}
	case library == clitest.MPILibraries[0]:
		return []int{4, 8, 16}
	}
	return []int{4, 16}
}

// eachKernel runs a test with each kernel and MPI library.
func eachKernel(t *testing.T, test func(t *testing.T, k kernel, ranks int, record func() string)) {
	t.Helper()
	clitest.WithMPI(t, func(t *testing.T, library string) {
		t.Setenv("LD_PRELOAD", clitest.Patient(t, library))
		program := clitest.Compiled(t, library, "kernels.c")
		for _, k := range kernels {
			for _, ranks := range rankCounts(library) {
				t.Run(fmt.Sprintf("%s/%d", k.name, ranks), func(t *testing.T) {
					test(t, k, ranks, func() string {
						trace, out, problems, status := recorded(t, library, program, ranks,
							[]string{k.name, fmt.Sprint(kernelIterations), fmt.Sprint(kernelUnit)})
						var messages, bytes int64
						_, err := fmt.Sscanf(out, "messages %d bytes %d", &messages, &bytes)
						if err != nil || status != 0 || strings.Contains(problems, "in the records") {
							t.Fatalf("status %d, %v, %q\n%s", status, err, out, problems)
						}
						for i := range trace.Comms.Len() {
							bytes -= trace.Comms.Size[i]
						}
						if int64(trace.Comms.Len()) != messages || bytes != 0 {
							t.Errorf("%d messages, the program says %d; %d bytes are missing", trace.Comms.Len(),
								messages, bytes)
						}
						checkTiled(t, trace)
						return trace.Path
					})
				})
			}
		}
	})
}

// Kernels of parallel programs are recorded with all their messages. The account of each sums exactly, the diagnosis
// and the simulation work, its structure is recognised, and a second recording of few ranks has the same phases.
func TestRecordKernels(t *testing.T) {
	eachKernel(t, func(t *testing.T, k kernel, ranks int, record func() string) {
		file := record()
		checkAccount(t, file)
		const nothing = 3 // the status if no rule has a finding: MPI_Init takes most of these runs
		if out, problems, status := clitest.Run(t, "diagnose", "--no-index", file); status != 0 && status != nothing ||
			!strings.Contains(out, fmt.Sprintf("%d threads x ", ranks)) {
			t.Errorf("diagnose: status %d\n%s%s", status, out, problems)
		}
		least := k.least(kernelIterations, float64(ranks)) * kernelUnit * 1e-6
		if got := predictedTime(t, file); got < least {
			t.Errorf("predicted %.6f s on the ideal machine, the computations take %.6f s", got, least)
		}
		// If a rank starts late or stalls, the final collective operation hides the structure: record again.
		for attempt := 1; ; attempt++ {
			out, problems, status := clitest.Run(t, "frameworks", "--no-index", file)
			if k.structure == nil && status == nothing ||
				k.structure != nil && status == 0 && strings.Contains(out, k.structure(ranks)+"\n") {
				break
			}
			if attempt == 3 {
				t.Errorf("frameworks: status %d\n%s%s", status, out, problems)
				break
			}
			file = record()
		}
		if ranks < 16 {
			checkSamePhases(t, file, record())
		}
	})
}

// checkAccount checks that the time of each thread is accounted for, to the nanosecond.
func checkAccount(t *testing.T, file string) {
	t.Helper()
	ctx := context.Background()
	trace, err := prv.Open(ctx, file, prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	g, err := eventgraph.NewGraph(ctx, trace, waits.Options{}, eventgraph.Given{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := account.New(ctx, g, account.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := wide.Int{}
	for _, e := range a.Entries {
		sum = sum.Plus(e.NS)
	}
	if whole := wide.Product(trace.Duration, int64(trace.NumThreads())); sum != whole {
		t.Errorf("the entries of the account sum to %s ns, the run is %s", sum, whole)
	}
	for i, sums := range a.ByThread {
		own := int64(0)
		for _, ns := range sums {
			own += ns
		}
		if own != trace.Duration {
			t.Errorf("thread %d: %d ns of %d", i, own, trace.Duration)
		}
	}
}

// checkSamePhases checks that compare finds each phase of a recording in another one of the same program.
func checkSamePhases(t *testing.T, a, b string) {
	t.Helper()
	out, problems, status := clitest.Run(t, "compare", "--no-index", a, b, "--format", "json")
	var result struct {
		Phases []struct {
			A, B *struct{} // nil: only in the other run
		}
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil || status != 0 || len(result.Phases) == 0 {
		t.Fatalf("compare: status %d, %v\n%s%s", status, err, out, problems)
	}
	for i, p := range result.Phases {
		if p.A == nil || p.B == nil {
			t.Errorf("phase %d is only in one of two recordings of the same program", i)
		}
	}
}

// Two sets of three recordings of a kernel differ only by noise. By chance about one of 15 comparisons says otherwise,
// but not three in a row.
func TestRecordNoise(t *testing.T) {
	if os.Getenv("PVIEW_QUIET") == "" {
		t.Skip("PVIEW_QUIET=1 runs it, on a machine that does nothing else")
	}
	eachKernel(t, func(t *testing.T, _ kernel, _ int, record func() string) {
		for try := 1; ; try++ {
			var a, b []string
			for range 3 {
				a, b = append(a, record()), append(b, record())
			}
			out, problems, status := clitest.Run(t, "compare", "--no-index", a[0], b[0], "--base",
				strings.Join(a[1:], ","), "--repeats", strings.Join(b[1:], ","))
			if status != 0 {
				t.Fatalf("status %d\n%s", status, problems)
			}
			if strings.Contains(out, "within twice the spread") {
				return
			}
			if try == 3 {
				t.Fatalf("two recordings of %s differ\n%s", filepath.Base(a[0]), out)
			}
		}
	})
}
