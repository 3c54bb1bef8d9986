package efficiency_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/kineto"
)

// Steps of 1 ms with kernels of 250 us, the last kernel long before the end of the run: each step counts with its
// whole length, also where the devices have no more work. A longer last kernel makes a difference.
func TestSteps(t *testing.T) {
	for last, want := range map[int]string{250: "3 steps, each with a parallel efficiency of 25.0 %",
		400: "3 steps: parallel efficiency is lowest in step 1, 25.0 %, and highest in step 3, 40.0 %"} {
		var events []string
		for step, length := range []int{250, 250, last} {
			at := step * 1000
			events = append(events,
				fmt.Sprintf(`{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%d,`+
					`"dur":1000}`, step+1, at),
				fmt.Sprintf(`{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,`+
					`"dur":5,"args":{"correlation":%d}}`, at, step+1),
				fmt.Sprintf(`{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%d,"dur":%d,`+
					`"args":{"device":0,"stream":7,"correlation":%d}}`, at+1, length, step+1))
		}
		path := filepath.Join(t.TempDir(), "run.json")
		text := `{"schemaVersion": 1, "traceEvents": [` + strings.Join(events, ",") + "]}"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		trace, err := kineto.OpenRun(context.Background(), []string{path}, false, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := efficiency.Measure(context.Background(), trace, efficiency.Options{})
		if err != nil || !slices.Contains(r.Notes, want) {
			t.Errorf("%v, %q, want %q", err, r.Notes, want)
		}
	}
}
