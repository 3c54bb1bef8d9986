package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// burstFile writes a program of one task that computes for so many seconds.
func burstFile(t *testing.T, seconds float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "burst.dim")
	text := fmt.Sprintf("#DIMEMAS:\"burst\":0:1(1),0\n1:0:0:%g\n", seconds)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSimRepeat: applications of 10 and 30 ms share a CPU. By round robin both take twice their time. When the first has priority, the
// second never runs, and the simulation ends all the same.
func TestSimRepeat(t *testing.T) {
	x, y := burstFile(t, 0.010), burstFile(t, 0.030)
	args := []string{"sim", x, y, "--model", "thesis", "--nodes", "1", "--cpus", "1", "--placement", "[1][1]", "--repeat", "20", "--quantum", "1ms", "--format", "json"}
	r := pview(t, append(args, "--policy", "RR")...)
	var answer struct {
		Runs []struct {
			Ptask, Runs int
			Time        float64 `json:"run_ns"`
		}
	}
	if err := json.Unmarshal([]byte(r.out), &answer); err != nil || len(answer.Runs) != 2 {
		t.Fatalf("%v\n%s%s", err, r.out, r.err)
	}
	for i, want := range []float64{20e6, 60e6} {
		if got := answer.Runs[i].Time; got < want*0.97 || got > want*1.03 {
			t.Errorf("a run of application %d takes %g ns, not %g", i+1, got, want)
		}
	}
	// First come, first served: in turn, a run of each in 40 ms.
	r = pview(t, append(args, "--policy", "FIFO")...)
	if err := json.Unmarshal([]byte(r.out), &answer); err != nil || answer.Runs[0].Runs != 20 || answer.Runs[1].Runs != 20 {
		t.Errorf("%v\n%s%s", err, r.out, r.err)
	}
	r = pview(t, append(args, "--policy", "FIXED_PRIORITY_RR", "--preemptive", "--priorities", "1,2")...)
	if err := json.Unmarshal([]byte(r.out), &answer); err != nil || answer.Runs[0].Runs != 20000 || answer.Runs[1].Runs != 0 {
		t.Errorf("%v\n%s%s", err, r.out, r.err)
	}
	for _, c := range [][2]string{{"--repeat", "-1"}, {"--placement", "[0]"}, {"--priorities", "1,x"}} {
		if r := pview(t, "sim", x, c[0], c[1]); r.status == StatusDone || !strings.Contains(r.err, c[0]) {
			t.Errorf("%v: %d, %q", c, r.status, r.err)
		}
	}
}
