package gpu

// Numbered checks of the specifications of readers that need the analysis of devices: 17 to 22 of kineto.md, 2, 7, 14,
// 21 and 23 of nsight.md.

import (
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes databases

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/kineto"
	"pview/prv/nsight"
	"pview/prv/prvtest"
)

// ranksOf opens the files of a run of the kit of Kineto.
func ranksOf(t *testing.T, run string) (*prv.Trace, *Analysis) {
	t.Helper()
	kit := prvtest.Shared(t, "oracle", "kineto")
	files, _ := filepath.Glob(filepath.Join(kit, run))
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	return analysed(t, trace, err)
}

// reportsOf opens exports of the kit of Nsight Systems as one run.
func reportsOf(t *testing.T, names ...string) (*prv.Trace, *Analysis) {
	t.Helper()
	kit := prvtest.Shared(t, "oracle", "nsight")
	for i, name := range names {
		names[i] = filepath.Join(kit, name+".sqlite")
	}
	trace, err := nsight.OpenRun(context.Background(), names, false, prv.Watcher{})
	return analysed(t, trace, err)
}

func analysed(t *testing.T, trace *prv.Trace, err error) (*prv.Trace, *Analysis) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyze(context.Background(), trace)
	if err != nil {
		t.Fatal(err)
	}
	return trace, a
}

// factorsAre compares factors with those of the specification, which have four digits.
func factorsAre(t *testing.T, a *Analysis, elapsed int64, want Efficiency) {
	t.Helper()
	e, ok := a.Efficiency()
	for _, pair := range [][2]float64{{e.Parallel, want.Parallel}, {e.LoadBalance, want.LoadBalance},
		{e.Communication, want.Communication}, {e.Orchestration, want.Orchestration}} {
		if !ok || math.Abs(pair[0]-pair[1]) > 0.00005 {
			t.Errorf("%.6f, want %.4f", pair[0], pair[1])
		}
	}
	if a.Elapsed != elapsed {
		t.Errorf("it takes %d, want %d", a.Elapsed, elapsed)
	}
}

// Check 2 of Kineto: 10 MB in 100 us between 4 ranks; each of 3 allreduces waits 900 us for rank 2.
func TestStraggler(t *testing.T) {
	_, a := ranksOf(t, "cases/c02-straggler/*")
	if len(a.Collectives) != 3 || len(a.Steps) != 12 {
		t.Fatalf("%d collectives, %d steps", len(a.Collectives), len(a.Steps))
	}
	for _, c := range a.Collectives {
		if rate, ok := c.busBandwidth(1); !ok || math.Abs(rate-150) > 0.001 || c.Late != 2 || c.Wait != 900_000 ||
			c.Transfer != 100_000 {
			t.Errorf("%+v at %v GB/s", c, rate)
		}
	}
	for _, s := range a.Steps {
		if s.Number < 10 || s.Number > 12 || s.End-s.Begin != 1_900_000 {
			t.Errorf("%+v", s)
		}
	}
}

// Check 10 of Kineto: groups of equal names are distinguished by their members.
func TestEqualNames(t *testing.T) {
	_, a := ranksOf(t, "cases/c10-groups/*")
	waits, groups, wait, time := map[int64]int{}, map[int64]bool{}, int64(0), int64(0)
	for _, c := range a.Collectives {
		waits[c.Wait]++
		groups[c.Group] = true
		wait, time = wait+c.Wait, time+c.Time
	}
	if len(groups) != 4 || len(waits) != 2 || waits[20_000] != 6 || waits[15_000] != 2 || wait != 150_000 ||
		time != 970_000 {
		t.Errorf("%d groups, waits %v, %d of %d", len(groups), waits, wait, time)
	}
}

// Checks 17, 18, 19 and 20 of Kineto: eight ranks of a real run.
func TestEightRanks(t *testing.T) {
	trace, a := ranksOf(t, "data/dlrm-8/*")
	for _, n := range trace.Notes {
		if strings.Contains(n.Text, "clock") {
			t.Errorf("%s", n.Text)
		}
	}
	most := slices.MaxFunc(a.Collectives, func(x, y Collective) int { return int(x.Transfer - y.Transfer) })
	if rate, ok := most.busBandwidth(1); !ok || most.Transfer != 87_000 || most.Operation != device.AllReduce ||
		most.Bytes != 1_576_964 || math.Abs(rate-31.7) > 0.05 {
		t.Errorf("largest transfer %+v at %v GB/s", most, rate)
	}
	alone, numbers := map[int32]int64{}, map[int32][]int64{}
	for i := range a.Streams {
		s := &a.Streams[i]
		alone[s.Task] += s.Operations - s.Launched
		numbers[s.Task] = append(numbers[s.Task], s.Number)
		if s.Task == 0 && s.Number == 7 && s.LongestQueue != 25 {
			t.Errorf("a queue of %d", s.LongestQueue)
		}
	}
	for task := range int32(8) {
		if want := map[int32]int64{1: 64, 3: 64}[task]; alone[task] != want {
			t.Errorf("rank %d: %d operations without a call, want %d", task, alone[task], want)
		}
		if !slices.Equal(numbers[task], []int64{7, 22, 24, 84}) {
			t.Errorf("rank %d has streams %v", task, numbers[task])
		}
	}
	if len(trace.Tasks) != 8 || len(a.Devices) != 8 {
		t.Errorf("%d tasks, %d devices", len(trace.Tasks), len(a.Devices))
	}
	factorsAre(t, a, 19_685_000, Efficiency{0.0563, 0.8893, 0.1011, 0.6259})
}

// Checks 21 and 22 of Kineto: one rank of two; of 6,637,568 floats is the first allreduce in the file.
func TestOneOfTwo(t *testing.T) {
	trace, a := ranksOf(t, "data/nccl-args.json.gz")
	if len(a.Collectives) != 0 || a.Alone != 21 {
		t.Errorf("%d collectives are matched, %d are alone", len(a.Collectives), a.Alone)
	}
	var sizes []int64
	for i := range trace.Threads {
		e := &trace.Threads[i].Events
		for k, typ := range e.Type {
			if typ == device.BytesIn {
				sizes = append(sizes, e.Value.At(k))
			}
		}
	}
	if len(sizes) != 21 || !slices.Contains(sizes, 4*6_637_568) {
		t.Errorf("sizes %v", sizes)
	}
	said := 0
	for _, n := range trace.Notes {
		if strings.Contains(n.Text, "1 of 2 members recorded") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("said %d times: %v", said, trace.Notes)
	}
}

// Check 26 of Kineto: a run without devices.
func TestHostOnly(t *testing.T) {
	path := prvtest.Shared(t, "oracle", "kineto", "data", "gloo-cpu.json.gz")
	trace, err := kineto.Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Analyze(context.Background(), trace); err != ErrNoDevice {
		t.Error(err)
	}
}

// Check 2 of Nsight.
func TestTwoReports(t *testing.T) {
	_, a := reportsOf(t, "cases/n01-host0", "cases/n01-host1")
	if len(a.Devices) != 2 || a.Devices[0].Compute != 11_600_000 || a.Devices[1].Compute != 15_600_000 {
		t.Errorf("devices %+v", a.Devices)
	}
	factorsAre(t, a, 34_900_000, Efficiency{0.3897, 0.8718, 0.7959, 0.5616})
}

// Check 7 of Nsight: a graph is one bar, and its contents are unknown.
func TestGraphs(t *testing.T) {
	_, a := reportsOf(t, "cases/n04-graphs")
	if len(a.Devices) != 1 || a.Devices[0].Busy != 6_700 || a.Streams[0].Operations != 4 || a.Streams[0].Launched != 4 {
		t.Errorf("%+v, %+v", a.Devices, a.Streams)
	}
}

// Checks 11, 13 and 14 of Nsight: two processes of a real run.
func TestTwoProcesses(t *testing.T) {
	_, a := reportsOf(t, "data/mfu_2gpu_before")
	if len(a.Devices) != 2 {
		t.Fatalf("%d devices", len(a.Devices))
	}
	for i, want := range [][6]int64{{299_848_812, 253_690_832, 17_172_652, 2_954_303, 26_031_025, 2_477_480},
		{298_661_551, 256_095_624, 8_229_100, 2_951_192, 31_385_635, 10_898_336}} {
		d := &a.Devices[i]
		got := [6]int64{d.Span(), d.Compute, d.ExposedComm, d.ExposedMemory, d.Idle(), a.Charged[d.Task]}
		if got != want {
			t.Errorf("device %d: %v, want %v", i, got, want)
		}
	}
	time, wait := int64(0), int64(0)
	for _, c := range a.Collectives {
		time, wait = time+c.Time, wait+c.Wait
	}
	if len(a.Collectives) != 33 || time != 25_401_752 || wait != 13_375_816 {
		t.Errorf("%d collectives, %d of %d", len(a.Collectives), wait, time)
	}
	factorsAre(t, a, 299_877_006, Efficiency{0.8500, 0.9953, 0.9353, 0.9131})
}

// Check 21 of Nsight: a run as JSON and as SQLite.
func TestSameRun(t *testing.T) {
	_, want := ranksOf(t, "cases/c02-straggler/*.json*")
	trace, err := nsight.Open(context.Background(), asExport(t), false, prv.Watcher{})
	_, got := analysed(t, trace, err)
	if len(got.Devices) != len(want.Devices) || len(got.Collectives) != len(want.Collectives) {
		t.Fatalf("%d devices, %d collectives", len(got.Devices), len(got.Collectives))
	}
	for i := range want.Devices {
		x, y := &got.Devices[i], &want.Devices[i]
		if x.Span() != y.Span() || x.Busy != y.Busy || x.Compute != y.Compute || x.Comm != y.Comm ||
			x.Memory != y.Memory || x.ExposedComm != y.ExposedComm || x.ExposedMemory != y.ExposedMemory ||
			x.Uses != y.Uses {
			t.Errorf("device %d: %+v, want %+v", i, x.Uses, y.Uses)
		}
	}
	if !slices.Equal(got.Charged, want.Charged) {
		t.Errorf("waits %v, want %v", got.Charged, want.Charged)
	}
}

// asExport writes the straggler's run as an export of Nsight Systems: 4 processes of one host.
func asExport(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(format string, args ...any) {
		if _, err := db.Exec(fmt.Sprintf(format, args...)); err != nil {
			t.Fatal(err)
		}
	}
	run("create table MPI_RANKS (globalTid, rank)")
	run("create table CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId)")
	run("create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, shortName)")
	for rank := range 4 {
		pid := int64(100+rank) << 24
		run("insert into MPI_RANKS values (%d, %d)", pid+1, rank)
		for _, e := range eventsOf(t, rank) {
			begin := int64(math.Round(e.Ts * 1000))
			end := begin + int64(math.Round(e.Dur*1000))
			switch e.Cat {
			case "cuda_runtime":
				run("insert into CUPTI_ACTIVITY_KIND_RUNTIME values (%d, %d, %d, %d, '%s')", begin, end, pid+1,
					e.Args.Correlation, e.Name)
			case "kernel":
				run("insert into CUPTI_ACTIVITY_KIND_KERNEL values (%d, %d, %d, %d, %d, %d, '%s')", begin, end,
					e.Args.Device, e.Args.Stream, e.Args.Correlation, pid, e.Name)
			}
		}
	}
	return path
}

type jsonEvent struct {
	Ph, Cat, Name string
	Ts, Dur       float64
	Args          struct{ Correlation, Device, Stream int64 }
}

// eventsOf returns the spans of a rank of the straggler's run.
func eventsOf(t *testing.T, rank int) []jsonEvent {
	t.Helper()
	dir := prvtest.Shared(t, "oracle", "kineto", "cases", "c02-straggler")
	files, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("rank-%d.json*", rank)))
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(files[0], ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var file struct{ TraceEvents []jsonEvent }
	if err := json.NewDecoder(in).Decode(&file); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(file.TraceEvents, func(e jsonEvent) bool { return e.Ph != "X" })
}

// Check 23 of Nsight: each export written as a .prv and read back.
func TestExportsAgain(t *testing.T) {
	for _, names := range [][]string{{"cases/n01-host0", "cases/n01-host1"}, {"cases/n02-old"},
		{"cases/n03-correlations"}, {"cases/n04-graphs"}, {"cases/n05-nvtx"}, {"data/mfu_2gpu_before"},
		{"data/nsight-2025.5.2"}, {"data/healthy_1pct"}} {
		first, want := reportsOf(t, names...)
		out := filepath.Join(t.TempDir(), "run.prv")
		if err := prv.Save(context.Background(), out, first); err != nil {
			t.Fatal(err)
		}
		again, err := prv.Open(context.Background(), out, prv.Options{})
		_, got := analysed(t, again, err)
		for _, a := range []*Analysis{got, want} {
			a.lastOf = nil
			for i := range a.Devices {
				for k := range a.Devices[i].work {
					a.Devices[i].work[k].launch = min(a.Devices[i].work[k].launch, 0) // rows may be in another order
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the analysis is %+v, want %+v", names, got, want)
		}
		pcf, err := os.ReadFile(strings.TrimSuffix(out, ".prv") + ".pcf")
		if err != nil || !strings.Contains(string(pcf), "63000006    CUDA kernel") &&
			!strings.Contains(string(pcf), "63000007") {
			t.Errorf("%s: the .pcf has no kernels: %v", names, err)
		}
	}
}
