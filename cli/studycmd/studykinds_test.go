package studycmd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
	"pview/sim/study/store"
)

// pingPong writes a program of one message of some bytes: it takes L + S/W in the model of the thesis.
func pingPong(t *testing.T, name, bytes string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text := "#DIMEMAS:\"p\":0:2(1,1),0\n2:0:0:1:-1:" + bytes + ":7:1:0\n3:1:0:0:-1:" + bytes + ":7:1:0\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// answer returns the output of a command as JSON.
func answer(t *testing.T, args ...string) (got map[string]any) {
	t.Helper()
	out, problems, status := clitest.Run(t, append(args, "--format", "json")...)
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != command.StatusDone {
		t.Fatal(err, status, problems, out)
	}
	return got
}

// TestFitCommand: 19 us + 1 MiB/82 MB/s and 19 us + 1 KiB/82 MB/s are recovered; a third time that contradicts the
// second is named.
func TestFitCommand(t *testing.T) {
	long, short := pingPong(t, "long.dim", "1048576"), pingPong(t, "short.dim", "1024")
	args := []string{"study", "fit", long + "=12214.12us", short + "=30.909us", "--model", "thesis", "--random",
		"latency=uniform(5us,40us)", "--random", "bandwidth=uniform(40,160)",
		"--runs", "1000", "--sampling", "sobol"}
	best := answer(t, args...)["best"].(map[string]any)
	p := best["parameters"].(map[string]any)
	if l, w := p["latency_ns"].(float64), p["bandwidth"].(float64); math.Abs(l-19e3) > 800 || math.Abs(w-82) > 0.8 {
		t.Errorf("latency %g, bandwidth %g", l, w)
	}
	text, problems, status := clitest.Run(t, append(args, short+"=70us")...)
	for _, want := range []string{"best fit: latency ", "bandwidth is narrowed most by " + long,
		long + " and " + short + " contradict each other"} {
		if status != command.StatusDone || !strings.Contains(text, want) {
			t.Errorf("status %d %s: no %q in\n%s", status, problems, want, text)
		}
	}
	for _, c := range []struct{ args, want string }{
		{long + "=12ms", "needs --random"}, {long + " --random latency=uniform(1us,2us)", "name its measured time"},
		{long + "=x --random latency=uniform(1us,2us)", "long.dim=x"},
		{long + "=1 --random latency=1us", "needs a density with a width"},
		{long + "=1 --random latency=uniform(1us,2us) --variant buses=1,2", "takes one value"},
		{long + "=1 --random latency=uniform(1us,2us) --tolerance 0", "must be > 0 and < 1"},
		{long + "=1 --random latency=uniform(1us,2us) --rounds 1000000", "runs: must be from 1 to 1048576"},
		{long + "=1 --random latency=uniform(1us,2us) --rounds -1", "-1 rounds: must be from 0"},
		{long + "=1 --random latency=uniform(1us,2us) --deadline -1s", "--deadline -1s: must be >= 0"},
	} {
		if _, problems, status := clitest.Run(t, append([]string{"study", "fit"},
			strings.Fields(c.args)...)...); status != command.StatusUsage || !strings.Contains(problems, c.want) {
			t.Errorf("%s: status %d %s", c.args, status, problems)
		}
	}
}

// TestImproveCommand: a run of L + 1/W s within 10025 us at the least bandwidth: with L down to 1 us, W >= 1/10.024 ms
// = 99.76 MB/s.
func TestImproveCommand(t *testing.T) {
	args := []string{"study", "improve", pingPong(t, "long.dim", "1048576"), "--model", "thesis", "--set",
		"latency=100us", "--search", "latency=+-10us,1us..200us", "--search",
		"bandwidth=20+-5,1..200", "--target", "total=10025us", "--boxes", "60"}
	got := answer(t, args...)
	if got["reached"] != true {
		t.Errorf("%v", got["why"])
	}
	text, _, _ := clitest.Run(t, args...)
	if !strings.Contains(text, "ended because the targets are reached") || !strings.Contains(text, "Distance") {
		t.Error(text)
	}
	for _, c := range []struct{ args, want string }{
		{"", "needs parameters and targets"}, {"--search latency=1us", "is not NAME=START+-HALF"},
		{"--search latency=5us+-1us,1us..2us", "LEAST <= START <= MOST"},
		{"--search latency=5us+-1us,1us..9us --target speed=1", "neither an output nor a parameter"},
		{"--search latency=5us+-1us,1us..9us --target total", "is not NAME=VALUE"},
		{"--search latency=5us+-1us,1us..9us --target total=min --shard 0/2 --store x", "cannot be split"},
		{"--search latency=5us+-1us,1us..9us --target total=min --boxes 4611686018427387904 --points 4",
			"points and boxes must be <= 1048576"},
	} {
		if _, problems, status := clitest.Run(t, append([]string{"study", "improve", args[2]},
			strings.Fields(c.args)...)...); status != command.StatusUsage || !strings.Contains(problems, c.want) {
			t.Errorf("%s: status %d %s", c.args, status, problems)
		}
	}
}

// TestRobustCommand is P14 on the command line.
func TestRobustCommand(t *testing.T) {
	args := []string{"study", "robust", pingPong(t, "long.dim", "1048576"), "--model", "thesis", "--candidate",
		"A: bandwidth=100+-50%", "--candidate", "B: bandwidth=95+-5%", "--runs", "500"}
	if got := answer(t, args...); got["best"] != "B" || got["best_nominal"] != "A" {
		t.Errorf("%v, %v", got["best"], got["best_nominal"])
	}
	text, _, _ := clitest.Run(t, args...)
	if !strings.Contains(text, "the best is B, by nominal values it would be A") {
		t.Error(text)
	}
	for _, c := range [][]string{{}, {"--candidate", "bandwidth=1"}, {"--candidate", "A: speed=1"},
		{"--candidate", "A: bandwidth=1+-5%", "--candidate", "A: bandwidth=2+-5%"},
		{"--runs", "0", "--candidate", "A: bandwidth=1+-5%"}} {
		if _, problems, status := clitest.Run(t, append(args[:3:3], c...)...); status != command.StatusUsage {
			t.Errorf("%v: status %d %s", c, status, problems)
		}
	}
}

// TestStabilityCommand is P21 on the command line.
func TestStabilityCommand(t *testing.T) {
	out, _, status := clitest.Run(t, "study", "stability", "10/9.0", "31/9.36")
	if status != command.StatusDone || !strings.Contains(out,
		"210 % of the elapsed times, 4.0 % of the predicted ones") {
		t.Error(status, out)
	}
	out, problems, status := clitest.Run(t, "study", "stability", clitest.Heat, clitest.Heat)
	if status != command.StatusDone || !strings.Contains(out,
		"0 % of the elapsed times, 0 % of the predicted ones") {
		t.Error(status, problems, out)
	}
	if _, _, status := clitest.Run(t, "study", "stability", "0/1"); status != command.StatusUsage {
		t.Error(status)
	}
}

// TestIndicesCommand: for 4 s + L + 3 MB/W with L uniform over 1 s and W very close to 1 MB/s only the latency matters:
// indices of 1 and 0.
func TestIndicesCommand(t *testing.T) {
	args := []string{"study", "sensitivity", studyProgram(t), "--random", "latency=uniform(0,1s)", "--random",
		"bandwidth=uniform(1,1.0001)", "--runs", "128", "--output", "total"}
	got := answer(t, args...)["indices"].(map[string]any)["total_ns"].(map[string]any)["inputs"].([]any)
	for i, want := range []float64{1, 0} {
		x := got[i].(map[string]any)
		if math.Abs(x["first"].(float64)-want) > 0.05 || math.Abs(x["total"].(float64)-want) > 0.05 {
			t.Errorf("%v", x)
		}
	}
	text, _, _ := clitest.Run(t, args...)
	if !strings.Contains(text, "512 runs, seed 1") || !strings.Contains(text, "First order") {
		t.Error(text)
	}
}

// TestSolverCommand: a command instead of the simulation: y = 2 x.
func TestSolverCommand(t *testing.T) {
	out, problems, status := clitest.Run(t, "study", "montecarlo", "--solver", "echo @x@ | awk '{print \"y = \" 2*$1}'",
		"--random", "x=1,2,3", "--extract", "y=y = ([0-9.]+)", "--runs", "10", "--format", "csv")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != command.StatusDone || len(lines) != 11 {
		t.Fatal(status, problems, out)
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, ",")
		if x, y := f[2], f[3]; map[string]string{"1": "2", "2": "4", "3": "6"}[x] != y {
			t.Error(line)
		}
	}
	if _, problems, status := clitest.Run(t, "study", "montecarlo", "--solver", "true", "--random",
		"x=1,2"); status != command.StatusUsage || !strings.Contains(problems, "outputs to extract") {
		t.Error(status, problems)
	}
}

// TestStatOutput: a cell of pview stat as an output equals what pview stat prints of the trace that pview sim predicts
// with the same value.
func TestStatOutput(t *testing.T) {
	file, other := filepath.Join(clitest.Kit, "cfgs", "histo_cpu_time.cfg"), filepath.Join(t.TempDir(), "bursts.cfg")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(strings.Replace(string(text), "Statistic: Time", "Statistic: # Bursts", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	got := answer(t, "study", "montecarlo", clitest.Heat, "--random", "latency=1us,2ms", "--runs", "6", "--output",
		"waits="+file+";CPU 1.1;Waiting a message",
		"--output", "bursts="+file+";CPU 1.1;Running;# Bursts", "--output", "total")
	seen := map[any]bool{}
	for _, r := range got["runs"].([]any) {
		run := r.(map[string]any)
		latency := run["inputs"].(map[string]any)["latency_ns"]
		if seen[latency] {
			continue
		}
		seen[latency] = true
		predicted := filepath.Join(t.TempDir(), "predicted.prv")
		if _, problems, status := clitest.Run(t, "sim", clitest.Heat, "--latency", fmt.Sprintf("%gns", latency), "-o",
			predicted); status != command.StatusDone {
			t.Fatal(problems)
		}
		for name, cfg := range map[string]string{"waits": file, "bursts": other} {
			column := map[string]string{"waits": "Waiting a message", "bursts": "Running"}[name]
			out, problems, status := clitest.Run(t, "stat", predicted, cfg, "--format", "tsv")
			if want := fmt.Sprintf("CPU 1.1\t%s\t%.10f\n", column,
				run["outputs"].(map[string]any)[name]); status != command.StatusDone || !strings.Contains(out, want) {
				t.Errorf("latency %v, %s: no %q in\n%s%s", latency, name, want, out, problems)
			}
		}
	}
	if len(seen) != 2 {
		t.Error("one latency in 6 runs")
	}
	for _, c := range [][2]string{{"x=" + file + ";CPU 1.1", "must be NAME=CFG;ROW;COLUMN"},
		{"x=none.cfg;CPU 1.1;Running", "none.cfg: no such file"},
		{"x=" + file + ";CPU 1.1;Running;Size", `no statistic "Size"`},
		{"x=" + file + ";CPU 9.9;Running", `has no row "CPU 9.9"`}} {
		if _, problems, status := clitest.Run(t, "study", "montecarlo", clitest.Heat, "--random", "latency=1us",
			"--runs", "1",
			"--output", c[0]); status == command.StatusDone || !strings.Contains(problems, c[1]) {
			t.Errorf("%s: status %d %s", c[0], status, problems)
		}
	}
}

// TestSettings: --set of a study has the effect of the flag of the same name of pview sim.
func TestSettings(t *testing.T) {
	machine := []string{"--machine", "hpc"}
	seen := map[string]string{}
	for _, set := range []string{"latency=5ms", "latency=normal(1ms, 100us)", "node=1-2:latency=3ms", "1-2:latency=3ms",
		"collective=Allreduce=LOG:MAX,LIN:MAX", "Allreduce=LOG:MAX+LIN:MAX", "bandwidth=10MB/s",
		"mapping=INTERLEAVED", "placement=[1,1,2,2,3,3,4,4]", "topology=ring 8", "eager-limit=16", "cpu-ratio=2"} {
		name, value, _ := strings.Cut(set, "=")
		flag := []string{"--" + name, value}
		switch {
		case strings.Contains(name, ":"):
			flag = []string{"--node", set}
		case name == "Allreduce":
			flag = []string{"--collective", strings.ReplaceAll(set, "+", ",")}
		}
		out, problems, status := clitest.Run(t, append(append([]string{"sim", clitest.Heat, "--format", "json"},
			machine...),
			flag...)...)
		var want struct {
			Total json.Number `json:"total_ns"`
		}
		if err := json.Unmarshal([]byte(out), &want); err != nil || status != command.StatusDone {
			t.Fatal(set, err, problems)
		}
		out, problems, status = clitest.Run(t, append([]string{"study", "sweep", clitest.Heat, "--vary", "buses=0",
			"--set", set,
			"--format", "tsv"}, machine...)...)
		if status != command.StatusDone || !strings.Contains(out, "\t"+want.Total.String()+"\t") {
			t.Errorf("%s: status %d, no %s in\n%s%s", set, status, want.Total, out, problems)
		}
		seen[want.Total.String()] = set
	}
	if len(seen) < 8 { // two are spelled twice; placements and topologies may be the current ones
		t.Errorf("the settings make no difference: %v", seen)
	}
	for set, want := range map[string]string{"node=99:latency=1us": "nodes must be from 1 to",
		"latency=1,2": "takes one value", "speed=1": "there is no parameter", "latency": "is not NAME=VALUE",
		"comms=nofile": "nofile: no such file", "topology=ball 3": "ball",
		"disable-openmp=perhaps": "must be yes or no", "module=1": "must be TYPE:VALUE=RATIO"} {
		if _, problems, status := clitest.Run(t, "study", "sweep", clitest.Heat, "--vary", "latency=0", "--set",
			set); status != command.StatusUsage || !strings.Contains(problems, want) {
			t.Errorf("%s: status %d %s", set, status, problems)
		}
	}
}

// TestMeasuredStudies: a store keeps each measurement once, as a run.
func TestMeasuredStudies(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	args := []string{"study", "share", "a=10/20", "b=20/50", "c=30/60", "--store", dir, "--plot",
		filepath.Join(t.TempDir(), "share.svg")}
	if _, problems, status := clitest.Run(t, args...); status != command.StatusDone {
		t.Fatal(problems)
	}
	info, table, err := store.Read(dir)
	if err != nil || info.Kind != "share" || len(table.Rows) != 3 || table.Rows[1].Outputs[0] != 2.5 ||
		table.Rows[1].Inputs[1] != 20e9 {
		t.Errorf("%+v, %+v, %v", info, table, err)
	}
	if _, problems, status := clitest.Run(t, args...); status != command.StatusFailed ||
		!strings.Contains(problems, "has 3 runs of this study already") {
		t.Error(status, problems)
	}
	if _, problems, status := clitest.Run(t, append(args, "--resume")...); status != command.StatusDone {
		t.Error(status, problems)
	}
	file := filepath.Join(t.TempDir(), "pingpong.txt")
	if err := os.WriteFile(file, []byte("0 20us\n1M 20.02ms\n2M 40.02ms\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problems, status := clitest.Run(t, "study", "fit-network", file, "--store", dir,
		"--resume"); status != command.StatusFailed || !strings.Contains(problems,
		"holds another study (share of a, b, c") {
		t.Error(status, problems)
	}
	got := answer(t, "study", "fit-network", file, "--store", dir+"2")
	if runs := got["runs"].([]any); got["kind"] != "fit-network" || len(runs) != 3 ||
		runs[2].(map[string]any)["inputs"].(map[string]any)["measured_ns"] != 40.02e6 {
		t.Errorf("%v", got)
	}
}

// TestStudyAnswers: for programs, every kind that simulates prints its runs, a summary and its conclusions; tsv and csv
// have a line for each run.
func TestStudyAnswers(t *testing.T) {
	path := studyProgram(t)
	for conclusion, args := range map[string][]string{
		"points":  {"sweep", path, "--vary", "latency=0,1s"},
		"effects": {"sensitivity", path, "--set", "bandwidth=1MB/s", "--vary", "bandwidth", "--vary", "latency=0,1s"},
		"blocks":  {"modules", path},
		"ranking": {"montecarlo", path, "--random", "latency=uniform(0,1s)", "--runs", "3"},
	} {
		args = append([]string{"study"}, args...)
		got := answer(t, args...)
		runs, _ := got["runs"].([]any)
		if got["kind"] != args[1] || len(runs) < 2 || got["summary"] == nil || got[conclusion] == nil {
			t.Errorf("%s: %v", args[1], got)
		}
		out, _, _ := clitest.Run(t, append(args, "--format", "tsv")...)
		// the unchanged program is a run as well
		if lines := strings.Count(out, "\n") - 1; lines != len(runs) && args[1] != "modules" {
			t.Errorf("%s: %d lines for %d runs\n%s", args[1], lines, len(runs), out)
		}
	}
}

// TestSolverInputs: a program that counts its starts in a file beside it: each run has copies of both, so the count is
// 1 in all.
func TestSolverInputs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"model": "#!/bin/sh\nread n <count.txt\necho $((n + 1)) " +
		">count.txt\necho starts $(cat count.txt) y $(cat x.txt)\n", "count.txt": "0\n", "x.txt": "@x@\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"study", "montecarlo", "--solver", "./model", "--input", filepath.Join(dir, "model"), "--input",
		filepath.Join(dir, "count.txt"), "--template", filepath.Join(dir, "x.txt"),
		"--random", "x=4,5", "--runs", "20", "--extract", "starts=starts ([0-9]+)", "--extract", "y=y ([0-9]+)"}
	for _, r := range answer(t, args...)["runs"].([]any) {
		run := r.(map[string]any)
		if out := run["outputs"].(map[string]any); out["starts"] != 1.0 ||
			out["y"] != run["inputs"].(map[string]any)["x"] {
			t.Errorf("%v", run)
		}
	}
	if count, err := os.ReadFile(filepath.Join(dir, "count.txt")); err != nil || string(count) != "0\n" {
		t.Errorf("count.txt is %q, %v", count, err)
	}
	for _, wrong := range []string{"none", dir} {
		if _, problems, status := clitest.Run(t, append(args, "--input", wrong)...); status != command.StatusUsage ||
			!strings.Contains(problems, "--solver: ") {
			t.Errorf("%s: status %d %s", wrong, status, problems)
		}
	}
}
