package frameworks

// Recognition and verdicts on recorded runs.

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
)

// recorded are the structures of the shared traces; all others have none.
var recorded = map[string]string{
	"masterworker_8": "master 1; workers 2-8",
	"pipeline_8": "stage 1: task 1; stage 2: task 2; stage 3: task 3; stage 4: task 4; stage 5: task 5; stage " +
		"6: task 6; stage 7: task 7; stage 8: task 8",
	"twoapps_4_4": "master 1; workers 2-4",
}

func TestRecorded(t *testing.T) {
	root := prvtest.Shared(t, "traces")
	for _, path := range prvtest.Traces(root, "*") {
		name := filepath.Base(filepath.Dir(path))
		t.Run(strings.TrimPrefix(path, root), func(t *testing.T) {
			tr, err := prv.Open(context.Background(), path, prv.Options{})
			if err != nil {
				t.Skip(err)
			}
			r, err := Analyse(context.Background(), tr, Options{Free: -1})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "structure", strings.Join(r.Structure, "; "), recorded[name])
			if recorded[name] == "" && r.Refusal == "" {
				t.Error("no structure, and no reason")
			}
		})
	}
}

// The simulator's word on the recommendations. In masterworker_8 the master is held up in some sends for milliseconds:
// with their mean the replay reproduces the run, but the curve, which has a message for each worker and iteration,
// misses it, so there is none.
func TestRecordedVerdicts(t *testing.T) {
	root := prvtest.Shared(t, "traces")
	for name, want := range map[string]string{"masterworker_8": "nothing to confirm",
		"pipeline_8": "confirmed", "twoapps_4_4": "nothing to confirm"} {
		t.Run(name, func(t *testing.T) {
			list := prvtest.Traces(root, name)
			if len(list) != 1 {
				t.Skip("no trace")
			}
			tr, err := prv.Open(context.Background(), list[0], prv.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Analyse(context.Background(), tr, Options{Free: -1, Simulate: true})
			if err != nil {
				t.Fatal(err)
			}
			v := r.Verdict
			if v.Verdict != want || !v.Calibrated {
				t.Errorf("%+v", v)
			}
			if held := name != "pipeline_8"; held != (v.StartUp > 0) || v.Instead > 0 || held == r.Fit.Holds {
				t.Errorf("start-up %g, %d workers instead, %s", v.StartUp, v.Instead, r.Fit)
			}
			if name == "pipeline_8" { // stages 1 to 4 need 1.1 to 1.6 ms and send every 7.3 to 8 ms: they wait for stage 5
				for _, s := range r.Pipeline.Stages {
					if !r.Pipeline.FullBuffers || math.Abs(s.Error) > 0.08 {
						t.Errorf("stage %d: error %g, full buffers %v", s.Stage, s.Error, r.Pipeline.FullBuffers)
					}
				}
			}
			if name == "pipeline_8" && (!r.Pipeline.Stages[4].Slowest || r.Pipeline.Pattern.Replicas[4] != 5) {
				t.Errorf("%+v", r.Pipeline.Pattern)
			}
		})
	}
}
