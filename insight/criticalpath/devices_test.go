package criticalpath_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/nsight"
	"pview/prv/prvtest"
	"pview/render/document"
)

func pathOf(t *testing.T, name string) *criticalpath.Summary {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), name, "*.json*"))
	return summaryOf(t, files...)
}

func summaryOf(t *testing.T, files ...string) *criticalpath.Summary {
	t.Helper()
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := criticalpath.Find(context.Background(), trace, criticalpath.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Summary(nil)
}

// A host launches A and C, C waits for A on another stream, and the host for C (us): host 10 and 5 of the launch of A,
// launch delay 5, A 200, gap 2, C 100, host 3 until its synchronisation returns, post 75: 400. The wait of the host is
// not on the path.
func TestDevicePath(t *testing.T) {
	s := pathOf(t, "c16-path")
	for kind, want := range map[criticalpath.Kind]int64{criticalpath.Computation: 375, criticalpath.Launch: 5,
		criticalpath.Gap: 2, criticalpath.Driver: 8, criticalpath.Other: 10} {
		if s.Kinds[kind] != want*1000 {
			t.Errorf("%s: %d ns, want %d us", kind, s.Kinds[kind], want)
		}
	}
	if s.Total != 400_000 || s.Jumps != 3 || s.Guessed != 0 {
		t.Errorf("%d ns, %d jumps, %d guesses", s.Total, s.Jumps, s.Guessed)
	}
}

// A (stream 7) runs from 20 to 220 us, X (stream 9) from 25 to 221.5, C (stream 8) from 222 to 322: C waits for an
// event behind A. The path goes from C to A; without the record of the wait to X, which ended last, and says so.
func TestEventPath(t *testing.T) {
	const call = `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,` +
		`"args":{"correlation":%d}},`
	const kernel = `{"ph":"X","cat":"kernel","name":"%s","pid":0,"tid":%d,"ts":%s,"dur":%s,` +
		`"args":{"device":0,"stream":%d,"correlation":%d}}`
	const wait = `{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":8,"ts":31,"dur":0,"args":` +
		`{"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":102,"stream":8,"correlation":104,"device":0}},`
	text := fmt.Sprintf(call, 10, 101) + fmt.Sprintf(kernel, "A", 7, "20", "200", 7, 101) + "," +
		fmt.Sprintf(call, 20, 103) + fmt.Sprintf(kernel, "X", 9, "25", "196.5", 9, 103) + "," +
		fmt.Sprintf(call, 35, 105) + fmt.Sprintf(kernel, "C", 8, "222", "100", 8, 105)
	for _, c := range []struct {
		recorded string
		guessed  int
		a, x     int64 // time of A and X on the path
	}{{wait, 0, 200_000, 0}, {"", 1, 0, 196_500}} {
		path := filepath.Join(t.TempDir(), "run.json")
		whole := `{"schemaVersion": 1, "traceEvents": [` + c.recorded + text + "]}"
		if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
			t.Fatal(err)
		}
		s := summaryOf(t, path)
		times := map[string]int64{}
		for i := range s.Blocks {
			times[s.Blocks[i].Name] = s.Blocks[i].Time
		}
		if s.Guessed != c.guessed || times["A"] != c.a || times["X"] != c.x || times["C"] != 100_000 {
			t.Errorf("%d guesses, %v", s.Guessed, times)
		}
		said := document.Text(s.Document(prv.Nanoseconds, 0), strings.Clone)
		if strings.Contains(said, "What 1 stream operation waited for is not recorded") != (c.guessed == 1) {
			t.Errorf("the document says\n%s", said)
		}
	}
}

// A host computes 20 us, the profiler of PyTorch takes 100, it computes 30 and launches a kernel for 10: the profiler's
// work is no call of the device.
func TestKinetoProfilerPath(t *testing.T) {
	const text = `{"schemaVersion": 1, "traceEvents": [` +
		`{"ph":"X","cat":"cpu_op","name":"mm","pid":1,"tid":1,"ts":0,"dur":160},` +
		`{"ph":"X","cat":"overhead","name":"Activity Buffer Request","pid":1,"tid":1,"ts":20,"dur":100},` +
		`{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":150,"dur":10,` +
		`"args":{"correlation":5}},` +
		`{"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":165,"dur":40,` +
		`"args":{"device":0,"stream":7,"correlation":5}}]}`
	path := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := summaryOf(t, path)
	for kind, want := range map[criticalpath.Kind]int64{criticalpath.IO: 100, criticalpath.Driver: 10,
		criticalpath.Launch: 5, criticalpath.Computation: 90} {
		if s.Kinds[kind] != want*1000 {
			t.Errorf("%s: %d ns, want %d us", kind, s.Kinds[kind], want)
		}
	}
}

// In the last collective all wait for rank 2: its transfer of 100 us is on the path, and the gemm of 800 us of rank 2
// before it; the waits of the others are not.
func TestStragglerPath(t *testing.T) {
	s := pathOf(t, "c02-straggler")
	if s.Kinds[criticalpath.Collective] != 100_000 || s.Kinds[criticalpath.Computation] != 800_000 ||
		s.Kinds[criticalpath.Waiting] != 0 || s.Total != 5_900_000 {
		t.Errorf("%v of %d", s.Kinds, s.Total)
	}
}

// MPI_Init, 10 ms, is an operation of all tasks, as MPI_Allreduce of 2 ms, and no call of the devices' library, whose 8
// launches take 10 us each.
func TestMPIBesideDevices(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "nsight", "cases")
	trace, err := nsight.OpenRun(context.Background(), []string{filepath.Join(kit, "n01-host0.sqlite"),
		filepath.Join(kit, "n01-host1.sqlite")}, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := criticalpath.Find(context.Background(), trace, criticalpath.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Summary(nil); s.Kinds[criticalpath.Driver] != 80_000 || s.Kinds[criticalpath.Collective] != 12_000_000 {
		t.Errorf("%d ns in calls of devices, %d in collective operations", s.Kinds[criticalpath.Driver],
			s.Kinds[criticalpath.Collective])
	}
}

// A published run: the profiler initialises for 172.9 of 324.7 ms. Its 33 calls of CUDA take 360.073 us in the export,
// in sum, its 35 records of overhead 185.289960 ms.
func TestProfilerPath(t *testing.T) {
	trace, err := nsight.OpenRun(context.Background(), []string{prvtest.Shared(t, "oracle", "nsight", "data",
		"nsight-2025.5.2.sqlite")}, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := criticalpath.Find(context.Background(), trace, criticalpath.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := p.Summary(nil)
	if called := s.Kinds[criticalpath.Driver]; called < 300_000 || called > 360_073 {
		t.Errorf("%d ns in calls of devices", called)
	}
	if own := s.Kinds[criticalpath.IO]; own < 172_900_000 || own > 185_289_960 {
		t.Errorf("%d ns in the profiler", own)
	}
}
