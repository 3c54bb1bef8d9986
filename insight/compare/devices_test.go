package compare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

// runOfFiles returns the run of a Kineto file for each rank.
func runOfFiles(t *testing.T, files []string) *compare.Run {
	t.Helper()
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := compare.Analyse(context.Background(), trace, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The devices of two runs of the kit: 4 of 4.9 ms, 2 of 75 us. All parts of a kind sum to the difference of 19.45 ms;
// kernels of 6.9 ms and waits of 2.7 ms in collectives are the first run's.
func TestDevices(t *testing.T) {
	var runs []*compare.Run
	for _, name := range []string{"c02-straggler", "c11-base"} {
		files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), name, "*.json*"))
		runs = append(runs, runOfFiles(t, files))
	}
	c, err := compare.Compare(context.Background(), runs[0], runs[1], compare.Matching{})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Difference().Int64(); got != -19_450_000 || !strings.Contains(c.Durations(), "on 4 devices") {
		t.Errorf("%d: %s", got, c.Durations())
	}
	for k := range compare.NumKinds {
		sum, parts := int64(0), c.Of(k)
		for i := range parts {
			sum += parts[i].Difference().Int64()
			if name := parts[i].Name; name == "gemm" && parts[i].A.Int64() != 6_900_000 ||
				name == "waiting" && parts[i].A.Int64() != 2_700_000 {
				t.Errorf("%s: %d ns", name, parts[i].A.Int64())
			}
		}
		if len(parts) > 0 && sum != -19_450_000 {
			t.Errorf("%s: sum %d", k, sum)
		}
	}
}

// Three steps of two ranks, us: 0 to 1000, 1000 to 2000, 2000 to 3000. Rank 1's kernel of step 7 takes 100 longer in B,
// so that all that follows is 100 later. Devices begin 50 behind the host: the phases are those of the devices.
func TestSteps(t *testing.T) {
	var runs []*compare.Run
	for _, more := range []int{0, 100} {
		var files []string
		for rank := range 2 {
			files = append(files, writeSteps(t, rank, more))
		}
		runs = append(runs, runOfFiles(t, files))
	}
	var got []string
	for i := range runs[1].Phases() {
		from, to, name := runs[1].Phase(i)
		got = append(got, fmt.Sprint(from/1000, "-", to/1000, " ", name))
	}
	if want := []string{"50-1050 step 6", "1050-2150 step 7", "2150-2950 step 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	c, err := compare.Compare(context.Background(), runs[0], runs[1], compare.Matching{})
	if err != nil {
		t.Fatal(err)
	}
	parts := c.Of(compare.ByPhase)
	if parts[0].Name != "step 7" || parts[0].Difference().Int64() != 100_000 || len(parts) != 3 {
		t.Errorf("%+v", parts)
	}
	if h := c.Headline(); !strings.Contains(h, "in step 7") {
		t.Errorf("%s", h)
	}
}

// writeSteps writes a rank whose steps 6 to 8 launch a kernel of 700 us 10 us after their begin and an all-reduce; on
// rank 1 the kernel of step 7 takes longer.
func writeSteps(t *testing.T, rank, more int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":%d,"world_size":2},
"traceEvents":[`, rank)
	at := 0
	for k := range 3 {
		length, kernel := 1000, 700
		if k == 1 {
			if length += more; rank == 1 {
				kernel += more
			}
		}
		end := at + 800
		if k == 1 {
			end += more
		}
		fmt.Fprintf(&b, `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%d,"dur":%d},
`, 6+k, at, length)
		for i, op := range []struct {
			name       string
			begin, end int
		}{{"gemm", at + 50, at + 50 + kernel}, {"ncclDevKernel_AllReduce_Sum", at + 50 + kernel, end + 50}} {
			id := 100*k + i + 1
			fmt.Fprintf(&b, `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,
"args":{"correlation":%d}},{"ph":"X","cat":"kernel","name":"%s","pid":%d,"tid":7,"ts":%d,"dur":%d,
"args":{"device":%d,"stream":7,"correlation":%d}},
`, at+10+10*i, id, op.name, rank, op.begin, op.end-op.begin, rank, id)
		}
		at += length
	}
	b.WriteString("{}]}")
	path := filepath.Join(t.TempDir(), fmt.Sprintf("rank-%d.json", rank))
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
