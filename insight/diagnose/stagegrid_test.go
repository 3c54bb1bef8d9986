package diagnose_test

import (
	"context"
	"math"
	"testing"

	"pview/insight/breakdown"
	"pview/insight/diagnose"
)

// gridOf returns an attribute of a run by its key.
func gridOf(t *testing.T, r *diagnose.Result, key string, length int64) *breakdown.Grid {
	t.Helper()
	for _, a := range r.Attributes() {
		if a.Key == key {
			g, err := r.Grid(context.Background(), a, length)
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
	}
	t.Fatalf("no attribute %s", key)
	return nil
}

// F8 in stages of 50. Task 1 computes in 0-100 and 102-110, with overhead for 2 in between; task 2 computes in 0-20 and
// 107-150. The message is sent at 100 and received at 107. Units begin at 0 and 0, and at 107; they are 110, 20 and 43
// long.
func TestGridOfMessages(t *testing.T) {
	r := run(t, read(t, late(107)), diagnose.Default)
	none := math.NaN()
	for key, want := range map[string][2][3]float64{
		"busy":     {{1, 1, 0.16}, {0.4, 0, 0.86}},
		"overhead": {{0, 0, 0.04}, {0, 0, 0}},
		"idle":     {{0, 0, 0.8}, {0.6, 1, 0.14}},
		"created":  {{0, 0, 1}, {0, 0, 0}},
		"arrived":  {{0, 0, 0}, {0, 0, 1}},
		"executed": {{1, 0, 0}, {1, 0, 1}},
		"grain":    {{110, none, none}, {20, none, 43}},
		"queued":   {{0, 0, 0}, {0, 0, 0.14}},
	} {
		g := gridOf(t, r, key, 50)
		for th := range want {
			for k, w := range want[th] {
				if got := g.Of(th, th+1, k, k+1); math.Abs(got-w) > 1e-9 || math.IsNaN(got) != math.IsNaN(w) {
					t.Errorf("%s of task %d in stage %d is %v, not %v", key, th+1, k, got, w)
				}
			}
		}
	}
	// Of both tasks: shares are averaged, counts added, lengths averaged over the units: (110 + 20 + 43) / 3.
	for key, want := range map[string]float64{"busy": 171. / 300, "executed": 3, "grain": 173. / 3} {
		if got := gridOf(t, r, key, 50).Of(0, 2, 0, 3); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s of the run is %v, not %v", key, got, want)
		}
	}
	if _, err := r.Grid(context.Background(), r.Attributes()[0], 0); err == nil {
		t.Error("stages of length 0")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Grid(ended, r.Attributes()[0], 50); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// The time in all regions of code is the busy time, in every stage of every thread.
func TestGridOfClasses(t *testing.T) {
	r := diagnosed(t, "heat2d_8")
	length := r.Length / 7
	busy, idle, overhead := gridOf(t, r, "busy", length), gridOf(t, r, "idle", length), gridOf(t, r, "overhead", length)
	var classes []*breakdown.Grid
	for _, a := range r.Attributes() {
		if a.Kind == breakdown.Shares && a.Key[:4] == "time" {
			classes = append(classes, gridOf(t, r, a.Key, length))
		}
	}
	if len(classes) == 0 || len(classes) == 12 {
		t.Fatalf("%d classes", len(classes))
	}
	for th := range busy.Threads {
		for k := range busy.Stages {
			sum := 0.0
			for _, c := range classes {
				sum += c.Of(th, th+1, k, k+1)
			}
			if got := busy.Of(th, th+1, k, k+1); math.Abs(sum-got) > 1e-9 ||
				got+idle.Of(th, th+1, k, k+1)+overhead.Of(th, th+1, k, k+1) > 1+1e-9 {
				t.Errorf("thread %d is busy for %v of stage %d, %v in its regions", th, got, k, sum)
			}
		}
	}
}
