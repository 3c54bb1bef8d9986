package simcmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/command"
)

// burstFile writes a program of one task that computes for the given seconds.
func burstFile(t *testing.T, seconds float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "burst.dim")
	text := fmt.Sprintf("#DIMEMAS:\"burst\":0:1(1),0\n1:0:0:%g\n", seconds)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSimRepeat: applications of 10 and 30 ms share a CPU. Under round robin both take twice their time. If the first
// has priority, the second never runs, but the simulation ends.
func TestSimRepeat(t *testing.T) {
	x, y := burstFile(t, 0.010), burstFile(t, 0.030)
	args := []string{"sim", x, y, "--model", "thesis", "--nodes", "1", "--cpus", "1", "--placement", "[1][1]",
		"--repeat", "20", "--quantum", "1ms", "--format", "json"}
	r := pview(t, append(args, "--policy", "RR")...)
	var answer struct {
		Closed struct {
			Applications []struct {
				Runs        int
				Time, Alone float64
				Slowdown    float64
			}
			Gain float64
			Fair bool
		} `json:"closed_workload"`
	}
	read := func() {
		t.Helper()
		// The times by their keys.
		r.out = strings.NewReplacer("run_ns", "time", "alone_ns", "alone").Replace(r.out)
		if err := json.Unmarshal([]byte(r.out), &answer); err != nil || len(answer.Closed.Applications) != 2 {
			t.Fatalf("%v\n%s%s", err, r.out, r.err)
		}
	}
	read()
	for i, alone := range []float64{10e6, 30e6} {
		a := answer.Closed.Applications[i]
		if a.Alone != alone || a.Time < 2*alone*0.97 || a.Time > 2*alone*1.03 || a.Slowdown != a.Time/alone {
			t.Errorf("application %d: %+v", i+1, a)
		}
	}
	if c := answer.Closed; c.Gain < 0.97 || c.Gain > 1.03 { // no loss, no gain: none of them waits
		t.Errorf("a gain of %g", c.Gain)
	}
	// First come, first served: they alternate, and a run of each takes 40 ms.
	r = pview(t, append(args, "--policy", "FIFO")...)
	if read(); answer.Closed.Applications[0].Runs != 20 || answer.Closed.Applications[1].Runs != 20 ||
		answer.Closed.Fair {
		t.Errorf("%s", r.out)
	}
	r = pview(t, append(args, "--policy", "FIXED_PRIORITY_RR", "--preemptive", "--priorities", "1,2")...)
	if read(); answer.Closed.Applications[0].Runs != 20000 || answer.Closed.Applications[1].Runs != 0 {
		t.Errorf("%s", r.out)
	}
	for _, c := range [][2]string{{"--repeat", "-1"}, {"--placement", "[0]"}, {"--priorities", "1,x"}} {
		if r := pview(t, "sim", x, c[0], c[1]); r.status == command.StatusDone || !strings.Contains(r.err, c[0]) {
			t.Errorf("%v: %d, %q", c, r.status, r.err)
		}
	}
}
