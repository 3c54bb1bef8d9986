package simcmd_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// answered holds the output of a command and its exit status.
type answered struct {
	out, err string
	status   int
}

func pview(t *testing.T, args ...string) answered {
	t.Helper()
	out, problems, status := clitest.Run(t, args...)
	return answered{out, problems, status}
}

// TestRing: under PP_1 the first ring turns in 8 * 4200 us, as if alone, and the second, of 100%, gets the remaining
// 40% of its CPUs, so it takes 33600 / 0.4 us; a policy that prefers the second makes the first wait forever.
func TestRing(t *testing.T) {
	var rows []struct {
		Policy         string
		TurnsPerSecond float64  `json:"turns_per_s"`
		First          *float64 `json:"turn_1_ns"`
		Second         *float64 `json:"turn_2_ns"`
	}
	r := pview(t, "ring", "(4200us,60%)[1..8]", "(4.2ms,100%)[1..8]", "--policy", "PP_1,pp_2", "--turns", "60",
		"--format", "json")
	if err := json.Unmarshal([]byte(r.out), &rows); r.status != command.StatusDone || err != nil || len(rows) != 2 {
		t.Fatalf("%d %v\n%s%s", r.status, err, r.out, r.err)
	}
	if p := rows[0]; p.First == nil || *p.First != 33600e3 || *p.Second < 83e6 || *p.Second > 85e6 {
		t.Errorf("PP_1: %s", r.out)
	}
	if p := rows[1]; p.First != nil || *p.Second != 33600e3 {
		t.Errorf("PP_2: %s", r.out)
	}

	r = pview(t, "ring", "--experiment", "f1", "--policy", "FCFS,PP_1", "--format", "tsv")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) != 7 || lines[1] != "F1\t20%\tFCFS\t22.893772893772894\t1\t4.368e+07\t1.3" {
		t.Errorf("%s%s", r.out, r.err)
	}

	out := filepath.Join(t.TempDir(), "ring.prv")
	if r = pview(t, "ring", "(200us,60%)[1,1,2,2]", "--policy", "CP_RR", "--turns", "9", "-o",
		out); r.status != command.StatusDone {
		t.Fatalf("%d %s", r.status, r.err)
	}
	if r = pview(t, "info", out); !strings.Contains(r.out, "The token is back       9       1") {
		t.Errorf("%s%s", r.out, r.err)
	}

	for _, c := range []struct {
		args   []string
		err    string
		status int
	}{
		{[]string{"(4200us,60%)[1..8"}, "a ring is written", command.StatusUsage},
		{[]string{"--experiment", "G1"}, `there is no experiment "G1"`, command.StatusUsage},
		{[]string{"--policy", "LOTTERY"}, `there is no policy "LOTTERY"`, command.StatusUsage},
		{[]string{"--experiment", "E1", "(4200us,60%)[1..8]"}, "are mutually exclusive", command.StatusUsage},
		{[]string{"(4200us,60%)[1..8]", "--policy", "PP_1"}, "none of these policies applies to this number of rings",
			command.StatusNothing},
		{[]string{"-o", "x.prv"}, "--output needs RING", command.StatusUsage},
		{[]string{"--turns", "1"}, "--turns", command.StatusUsage},
		{[]string{"--quantum", "0"}, "--quantum", command.StatusUsage},
	} {
		if r := pview(t, append([]string{"ring"}, c.args...)...); r.status != c.status ||
			!strings.Contains(r.err, c.err) {
			t.Errorf("%v: %d, %q", c.args, r.status, r.err)
		}
	}
}
