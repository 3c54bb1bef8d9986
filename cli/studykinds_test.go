package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// answer is what a command prints as JSON.
func answer(t *testing.T, args ...string) (got map[string]any) {
	t.Helper()
	out, problems, status := runCommand(t, append(args, "--format", "json")...)
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != StatusDone {
		t.Fatal(err, status, problems, out)
	}
	return got
}

// TestFitCommand: 19 us + 1 MiB/82 MB/s and 19 us + 1 KiB/82 MB/s are found again; a third time that contradicts the second is named.
func TestFitCommand(t *testing.T) {
	long, short := pingPong(t, "long.dim", "1048576"), pingPong(t, "short.dim", "1024")
	args := []string{"study", "fit", long + "=12214.12us", short + "=30.909us", "--model", "thesis", "--random", "latency=uniform(5us,40us)", "--random", "bandwidth=uniform(40,160)",
		"--runs", "1000", "--sampling", "sobol"}
	best := answer(t, args...)["best"].(map[string]any)
	p := best["parameters"].(map[string]any)
	if l, w := p["latency_ns"].(float64), p["bandwidth"].(float64); math.Abs(l-19e3) > 800 || math.Abs(w-82) > 0.8 {
		t.Errorf("latency %g, bandwidth %g", l, w)
	}
	text, problems, status := runCommand(t, append(args, short+"=70us")...)
	for _, want := range []string{"best fit: latency ", "bandwidth is fixed by " + long, long + " and " + short + " contradict each other"} {
		if status != StatusDone || !strings.Contains(text, want) {
			t.Errorf("status %d %s: no %q in\n%s", status, problems, want, text)
		}
	}
	for _, c := range []struct{ args, want string }{
		{long + "=12ms", "needs --random"}, {long + " --random latency=uniform(1us,2us)", "name its measured time"}, {long + "=x --random latency=uniform(1us,2us)", "long.dim=x"},
		{long + "=1 --random latency=1us", "needs a density with a width"}, {long + "=1 --random latency=uniform(1us,2us) --variant buses=1,2", "takes one value"},
		{long + "=1 --random latency=uniform(1us,2us) --tolerance 0", "must be > 0 and < 1"},
	} {
		if _, problems, status := runCommand(t, append([]string{"study", "fit"}, strings.Fields(c.args)...)...); status != StatusUsage || !strings.Contains(problems, c.want) {
			t.Errorf("%s: status %d %s", c.args, status, problems)
		}
	}
}

// TestImproveCommand: a run of L + 1/W s within 10025 us at the least bandwidth: with L down to 1 us, W >= 1/10.024 ms = 99.76 MB/s.
func TestImproveCommand(t *testing.T) {
	args := []string{"study", "improve", pingPong(t, "long.dim", "1048576"), "--model", "thesis", "--set", "latency=100us", "--search", "latency=+-10us,1us..200us", "--search",
		"bandwidth=20+-5,1..200", "--target", "total=10025us", "--boxes", "60"}
	got := answer(t, args...)
	if got["reached"] != true {
		t.Errorf("%v", got["why"])
	}
	text, _, _ := runCommand(t, args...)
	if !strings.Contains(text, "ended because the targets are reached") || !strings.Contains(text, "Distance") {
		t.Error(text)
	}
	for _, c := range []struct{ args, want string }{
		{"", "needs parameters and targets"}, {"--search latency=1us", "is not NAME=START+-HALF"}, {"--search latency=5us+-1us,1us..2us", "LEAST <= START <= MOST"},
		{"--search latency=5us+-1us,1us..9us --target speed=1", "neither an output nor a parameter"}, {"--search latency=5us+-1us,1us..9us --target total", "is not NAME=VALUE"},
		{"--search latency=5us+-1us,1us..9us --target total=min --shard 0/2 --store x", "cannot be split"},
	} {
		if _, problems, status := runCommand(t, append([]string{"study", "improve", args[2]}, strings.Fields(c.args)...)...); status != StatusUsage || !strings.Contains(problems, c.want) {
			t.Errorf("%s: status %d %s", c.args, status, problems)
		}
	}
}

// TestRobustCommand is P14 by the command.
func TestRobustCommand(t *testing.T) {
	args := []string{"study", "robust", pingPong(t, "long.dim", "1048576"), "--model", "thesis", "--candidate", "A: bandwidth=100+-50%", "--candidate", "B: bandwidth=95+-5%", "--runs", "500"}
	if got := answer(t, args...); got["best"] != "B" || got["best_nominal"] != "A" {
		t.Errorf("%v, %v", got["best"], got["best_nominal"])
	}
	text, _, _ := runCommand(t, args...)
	if !strings.Contains(text, "the best is B, by nominal values it would be A") {
		t.Error(text)
	}
	for _, c := range [][]string{{}, {"--candidate", "bandwidth=1"}, {"--candidate", "A: speed=1"}, {"--candidate", "A: bandwidth=1+-5%", "--candidate", "A: bandwidth=2+-5%"}, {"--runs", "0", "--candidate", "A: bandwidth=1+-5%"}} {
		if _, problems, status := runCommand(t, append(args[:3:3], c...)...); status != StatusUsage {
			t.Errorf("%v: status %d %s", c, status, problems)
		}
	}
}

// TestStabilityCommand is P21 by the command.
func TestStabilityCommand(t *testing.T) {
	out, _, status := runCommand(t, "study", "stability", "10/9.0", "31/9.36")
	if status != StatusDone || !strings.Contains(out, "210.0 % of the elapsed times, 4.0 % of the predicted ones") {
		t.Error(status, out)
	}
	out, problems, status := runCommand(t, "study", "stability", heat, heat)
	if status != StatusDone || !strings.Contains(out, "0.0 % of the elapsed times, 0.0 % of the predicted ones") {
		t.Error(status, problems, out)
	}
	if _, _, status := runCommand(t, "study", "stability", "0/1"); status != StatusUsage {
		t.Error(status)
	}
}

// TestIndicesCommand: of 4 s + L + 3 MB/W with L uniform in 1 s and W near enough 1 MB/s only the latency matters: indices of 1 and 0.
func TestIndicesCommand(t *testing.T) {
	args := []string{"study", "sensitivity", studyProgram(t), "--random", "latency=uniform(0,1s)", "--random", "bandwidth=uniform(1,1.0001)", "--runs", "128", "--output", "total"}
	got := answer(t, args...)["indices"].(map[string]any)["total_ns"].(map[string]any)["inputs"].([]any)
	for i, want := range []float64{1, 0} {
		x := got[i].(map[string]any)
		if math.Abs(x["first"].(float64)-want) > 0.05 || math.Abs(x["total"].(float64)-want) > 0.05 {
			t.Errorf("%v", x)
		}
	}
	text, _, _ := runCommand(t, args...)
	if !strings.Contains(text, "512 runs, seed 1") || !strings.Contains(text, "First order") {
		t.Error(text)
	}
}

// TestSolverCommand: a command instead of the simulation: y = 2 x.
func TestSolverCommand(t *testing.T) {
	out, problems, status := runCommand(t, "study", "montecarlo", "--solver", "echo @x@ | awk '{print \"y = \" 2*$1}'", "--random", "x=1,2,3", "--extract", "y=y = ([0-9.]+)", "--runs", "10", "--format", "csv")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != StatusDone || len(lines) != 11 {
		t.Fatal(status, problems, out)
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, ",")
		if x, y := f[2], f[3]; map[string]string{"1": "2", "2": "4", "3": "6"}[x] != y {
			t.Error(line)
		}
	}
	if _, problems, status := runCommand(t, "study", "montecarlo", "--solver", "true", "--random", "x=1,2"); status != StatusUsage || !strings.Contains(problems, "outputs to extract") {
		t.Error(status, problems)
	}
}

// TestStatOutput: a cell of pview stat as an output is what pview stat prints of the trace that pview sim predicts with the same value.
func TestStatOutput(t *testing.T) {
	file, other := filepath.Join(kit, "cfgs", "histo_cpu_time.cfg"), filepath.Join(t.TempDir(), "bursts.cfg")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte(strings.Replace(string(text), "Statistic: Time", "Statistic: # Bursts", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	got := answer(t, "study", "montecarlo", heat, "--random", "latency=1us,2ms", "--runs", "6", "--output", "waits="+file+";CPU 1.1;Waiting a message",
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
		if _, problems, status := runCommand(t, "sim", heat, "--latency", fmt.Sprintf("%gns", latency), "-o", predicted); status != StatusDone {
			t.Fatal(problems)
		}
		for name, cfg := range map[string]string{"waits": file, "bursts": other} {
			column := map[string]string{"waits": "Waiting a message", "bursts": "Running"}[name]
			out, problems, status := runCommand(t, "stat", predicted, cfg, "--format", "tsv")
			if want := fmt.Sprintf("CPU 1.1\t%s\t%.10f\n", column, run["outputs"].(map[string]any)[name]); status != StatusDone || !strings.Contains(out, want) {
				t.Errorf("latency %v, %s: no %q in\n%s%s", latency, name, want, out, problems)
			}
		}
	}
	if len(seen) != 2 {
		t.Error("one latency in 6 runs")
	}
	for _, c := range [][2]string{{"x=" + file + ";CPU 1.1", "must be NAME=CFG;ROW;COLUMN"}, {"x=none.cfg;CPU 1.1;Running", "none.cfg: no such file"},
		{"x=" + file + ";CPU 1.1;Running;Size", `no statistic "Size"`}, {"x=" + file + ";CPU 9.9;Running", `has no row "CPU 9.9"`}} {
		if _, problems, status := runCommand(t, "study", "montecarlo", heat, "--random", "latency=1us", "--runs", "1", "--output", c[0]); status == StatusDone || !strings.Contains(problems, c[1]) {
			t.Errorf("%s: status %d %s", c[0], status, problems)
		}
	}
}
