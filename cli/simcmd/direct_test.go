package simcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/command"
)

// TestDirectCases: the golden cases of the direct network as a user runs them: end, blocked and busy times, speedup and
// deadlock of `pview sim CASE.log --machine CASE.model --format json`.
func TestDirectCases(t *testing.T) {
	const dir = "../../testdata/puppet"
	var list []struct {
		ID            string
		Exit, Blocked []*int64
		T             *int64
		Busy          map[string]int64
		Deadlocked    []int
		Speedup       float64
	}
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil || len(list) != 89 {
		t.Fatalf("%d cases: %v", len(list), err)
	}
	for _, c := range list {
		base := filepath.Join(dir, c.ID)
		out, problems, status := runSim(t, base+".log", "--machine", base+".model", "--format", "json")
		if dead := len(c.Deadlocked) > 0; dead != (status == command.StatusFailed) ||
			dead != strings.Contains(problems, "deadlock") {
			t.Errorf("%s: status %d: %s", c.ID, status, problems)
			continue
		}
		var got struct {
			TotalNS *int64 `json:"total_ns"`
			Speedup float64
			Tasks   []struct {
				EndNS     *int64 `json:"end_ns"`
				BlockedNS int64  `json:"blocked_ns"`
			}
			Nodes []struct {
				Node   int
				BusyNS int64 `json:"busy_ns"`
			}
			Deadlock struct{ Blocked []any }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		same := func(what string, ns, us *int64) {
			if (ns == nil) != (us == nil) || ns != nil && *ns != 1000**us {
				t.Errorf("%s: %s: %v ns, not %v us", c.ID, what, ns, us)
			}
		}
		same("total", got.TotalNS, c.T)
		for i, us := range c.Exit {
			same("end", got.Tasks[i].EndNS, us)
		}
		for i, us := range c.Blocked {
			same("blocked", &got.Tasks[i].BlockedNS, us)
		}
		busy := map[int]int64{}
		for _, n := range got.Nodes {
			busy[n.Node-1] = n.BusyNS
		}
		for processor, us := range c.Busy {
			n, err := strconv.Atoi(processor)
			if err != nil {
				t.Fatal(err)
			}
			ns := busy[n]
			same("busy time of processor "+processor, &ns, &us)
		}
		if d := got.Speedup - c.Speedup; d > 1e-6 || d < -1e-6 || len(got.Deadlock.Blocked) != len(c.Deadlocked) {
			t.Errorf("%s: speedup %g, not %g; %d threads in a deadlock, not %d", c.ID, got.Speedup, c.Speedup,
				len(got.Deadlock.Blocked), len(c.Deadlocked))
		}
	}
}

// TestConvertToLog: the log of a trace predicts what the trace itself does, on direct networks and on buses.
func TestConvertToLog(t *testing.T) {
	for _, trace := range []string{"heat2d_8/heat2d_8.prv.gz", "npb_cg_S_8_burst/npb_cg_S_8_burst.prv"} {
		trace = "../../testdata/traces/" + trace
		log := filepath.Join(t.TempDir(), "run.log")
		var out, problems bytes.Buffer
		if status := cli.Run(context.Background(), []string{"convert", trace, log, "--no-index"},
			command.Streams{In: nil, Out: &out, Err: &problems}); status != command.StatusDone {
			t.Fatalf("%s: %s", trace, problems.String())
		}
		for _, machine := range [][]string{
			{"--network", "direct", "--topology", "torus", "--link-startup", "1us", "--link-bandwidth", "1GB/s"},
			{"--network", "direct-contention", "--topology", "mesh", "--link-startup", "1us", "--link-bandwidth",
				"100MB/s", "--switching", "circuit", "--algorithm", "Allreduce=ring"},
		} {
			totals := map[string]float64{}
			for _, file := range []string{trace, log} {
				out, problems, status := runSim(t,
					append([]string{file, "--no-index", "--format", "json"}, machine...)...)
				var r map[string]any
				if err := json.Unmarshal([]byte(out), &r); err != nil || status != command.StatusDone {
					t.Fatalf("%s: %v, %s", file, err, problems)
				}
				totals[file] = r["total_ns"].(float64)
			}
			if totals[trace] != totals[log] {
				t.Errorf("%s on %v: %g, its log %g", trace, machine, totals[trace], totals[log])
			}
		}
	}
	dim := filepath.Join(t.TempDir(), "run.dim")
	var out, problems bytes.Buffer
	if status := cli.Run(context.Background(), []string{"convert", "../../testdata/puppet/P8-probe.log", dim},
		command.Streams{In: nil,
			Out: &out, Err: &problems}); status != command.StatusFailed ||
		!strings.Contains(problems.String(), "no send modes") {
		t.Errorf("a log as .dim: status %d, %s", status, problems.String())
	}
}
