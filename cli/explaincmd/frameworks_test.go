package explaincmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

const twoApps = "../../testdata/traces/twoapps_4_4/twoapps_4_4.prv"

// In a recorded run of a master with three workers most sends take 16 us and some take milliseconds: the curve misses
// the measured point, and nothing is recommended.
func TestFrameworksOff(t *testing.T) {
	out, problems, status := clitest.Run(t, "frameworks", twoApps, "--simulate", "--simulated",
		filepath.Join(t.TempDir(), "then.prv"))
	if status != command.StatusFailed ||
		!strings.Contains(problems, "no recommended run to write: the model does not hold") ||
		!strings.Contains(out, "now: measured 76.8 ms (curve -56.3 %)") || strings.Contains(out, "recommended") ||
		!strings.Contains(out, "by the model, which does not hold, the master can feed ") ||
		strings.Contains(out, "feeds them") || strings.Contains(out, "fastest") ||
		strings.Contains(out, "add workers") {
		t.Errorf("status %d: %s%s", status, problems, out)
	}
}

// A run of two applications: one is a master with workers, the other has no messages. Both answers count
// two; the one without a structure names the other.
func TestFrameworksApplications(t *testing.T) {
	for ptask, want := range map[string][]string{
		"1": {"master-worker (recognised, ptask 1 of 2; --ptask N for another)\n"},
		"2": {"unknown (no structure, ptask 2 of 2; --ptask N for another)\n",
			"ptask 1 is recognised: master-worker\n"},
	} {
		out, _, _ := clitest.Run(t, "frameworks", twoApps, "--ptask", ptask)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("--ptask %s: no %q in\n%s", ptask, w, out)
			}
		}
	}
}

// With a start-up that yields the measured 76.8 ms, (76.8 - 33.5)/4, the tasks, the curve and the verdict of the
// simulator agree in all formats.
func TestFrameworksMasterWorker(t *testing.T) {
	dir := t.TempDir()
	roles, picture, trace := filepath.Join(dir, "roles.txt"), filepath.Join(dir, "curves.svg"),
		filepath.Join(dir, "then.prv")
	out, problems, status := clitest.Run(t, "frameworks", twoApps, "--simulate", "--format", "json", "--write-roles",
		roles, "--plot", picture, "--simulated", trace, "--m0", "10.8")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	type answer struct {
		Kind      string
		Structure []string
		Farm      struct {
			Workers, Iterations, Chunks, Worth, Unanswered int
			Measured                                       float64 `json:"measured_ns"`
		} `json:"master_worker"`
		Verification struct{ Verdict string }
	}
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	if a.Kind != "master-worker" || strings.Join(a.Structure, " ") != "master 1 workers 2-4" || a.Farm.Workers != 3 ||
		a.Farm.Chunks != 60 || a.Farm.Unanswered != 3 || a.Verification.Verdict == "" {
		t.Errorf("%+v", a)
	}
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "recommended") {
		t.Errorf("%v: no curve with a mark", err)
	}
	then, err := prv.Open(context.Background(), trace, prv.Options{})
	if err != nil || len(then.Tasks) != a.Farm.Worth+1 {
		t.Errorf("%v: the simulated trace has not the %d recommended workers", err, a.Farm.Worth)
	}
	// The written roles give the same numbers.
	told, problems, _ := clitest.Run(t, "frameworks", twoApps, "--roles", roles, "--format", "json", "--m0", "10.8")
	var b answer
	if err := json.Unmarshal([]byte(told), &b); err != nil || a.Farm != b.Farm {
		t.Errorf("%v %s: told %+v, recognised %+v", err, problems, b.Farm, a.Farm)
	}
	rows, _, _ := clitest.Run(t, "frameworks", twoApps, "--format", "tsv")
	if head, _, _ := strings.Cut(rows,
		"\n"); head != "workers\ttime_ns\tspeedup\tefficiency\tindex_ns\tfed\thard_to_balance\tmark" {
		t.Errorf("columns: %s", head)
	}
}

// With a limit below the workers of the run the advice costs time, and both numbers are simulated. A default is not
// called typed.
func TestFrameworksFewer(t *testing.T) {
	out, problems, status := clitest.Run(t, "frameworks", twoApps, "--simulate", "--m0", "10.8", "--max-workers", "2")
	for _, want := range []string{"2                    typed", "give workers up: 3 -> 2", "loss ",
		", -1 processor; safe", "an iteration of 2 workers takes ", "\n        3   76.73 ms",
		"the run's own 60 chunks, dispatched by the model: "} {
		if !strings.Contains(out, want) {
			t.Errorf("status %d: no %q: %s%s", status, want, problems, out)
		}
	}
	if strings.Contains(out, "gain -") || strings.Contains(out, "not simulated") {
		t.Error(out)
	}
	out, _, _ = clitest.Run(t, "frameworks", twoApps, "--m0", "10.8")
	if !strings.Contains(out, "0                    assumed") {
		t.Error(out)
	}
}

// A generated pipeline whose stage 3 is slower.
func TestFrameworksPipeline(t *testing.T) {
	g, err := synth.New(synth.Options{Pattern: "pipeline", Tasks: 6, Iterations: 60})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pipe.prv")
	if err := prv.Save(context.Background(), path, tr); err != nil {
		t.Fatal(err)
	}
	out, problems, status := clitest.Run(t, "frameworks", path, "--simulate", "--lambda", "1e-6")
	if status != command.StatusDone || !strings.Contains(out, "stage 6: task 6") ||
		!strings.Contains(out, "Staircase") ||
		!strings.Contains(out, "Simulation\n") {
		t.Errorf("status %d: %s%s", status, problems, out)
	}
	if !strings.Contains(out, "1 ns/byte") {
		t.Error("1e-6 ms per byte is 1 ns per byte")
	}
	out, _, _ = clitest.Run(t, "frameworks", path, "--free", "0")
	if _, advice, _ := strings.Cut(out, "no replication pays: "); !strings.HasPrefix(advice,
		"stage 3 sets the pace\n      rests on: ") {
		t.Errorf("no change has no gain: %s", out)
	}
}

// Each rule changes the chunks of a policy.
func TestFrameworksRules(t *testing.T) {
	chunks := func(args ...string) map[string]string {
		out, problems, status := clitest.Run(t, append([]string{"frameworks", twoApps, "--tasks", "125", "--format",
			"json"}, args...)...)
		var r struct {
			Farm struct {
				Policies []struct {
					Policy string
					Chunks []int
				}
			} `json:"master_worker"`
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != command.StatusDone {
			t.Fatalf("status %d, %v: %s", status, err, problems)
		}
		lists := map[string]string{}
		for _, p := range r.Farm.Policies {
			lists[p.Policy] = fmt.Sprint(p.Chunks)
		}
		return lists
	}
	usual := chunks()
	for _, c := range []struct{ flag, value, policy string }{{"--tail", "lastN", "DAF"}, {"--variance", "iid", "DAF"},
		{"--leftover", "single", "DPF"}} {
		if got := chunks(c.flag, c.value)[c.policy]; got == usual[c.policy] || got == "" {
			t.Errorf("%s %s: chunks %s of %s, as without", c.flag, c.value, got, c.policy)
		}
	}
}

func TestFrameworksRefusals(t *testing.T) {
	out, problems, status := clitest.Run(t, "frameworks", clitest.Heat)
	if status != command.StatusNothing || !strings.Contains(out, "95 % are needed") ||
		strings.Contains(out, "Parameters") ||
		!strings.Contains(problems, "no structure was recognised") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	for _, args := range [][]string{{"--volume", "more"}, {"--m0", "-1"}, {"--lambda", "x"}, {"--ptask", "0"},
		{"--plot", "x.bmp"}, {"--simulated", "x.prv"}, {"--kind", "farm"}, {"--tail", "last"}} {
		if _, _, status := clitest.Run(t, append([]string{"frameworks", clitest.Heat},
			args...)...); status != command.StatusUsage {
			t.Errorf("%v: status %d", args, status)
		}
	}
	out, problems, status = clitest.Run(t, "frameworks", prvtest.Stairs(t, t.TempDir(), 1))
	if status != command.StatusNothing || !strings.Contains(problems, "ptask 1 has 1 task; a master") ||
		strings.Contains(out, "Score") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	if _, problems, status := clitest.Run(t, "frameworks", clitest.Heat, "--ptask",
		"2"); status == command.StatusDone ||
		!strings.Contains(problems, "there is no ptask 2") {
		t.Errorf("status %d: %s", status, problems)
	}
}
