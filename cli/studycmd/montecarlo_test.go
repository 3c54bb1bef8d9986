package studycmd_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestMonteCarlo: the time is 4 s + L + 3 MB/W; with L from 0 to 2 s and W = 1 MB/s it is from 7 to 9 s, and exceeds 8
// s in half of the runs.
func TestMonteCarlo(t *testing.T) {
	path := studyProgram(t)
	args := []string{"study", "montecarlo", path, "--set", "bandwidth=1MB/s", "--random", "latency=uniform(0,2s)",
		"--runs", "64", "--sampling", "sobol", "--limit", "total=8s",
		"--output", "total", "--output", "speedup", "--output", "pop:load-balance"}
	out, problems, status := clitest.Run(t, append(args, "--format", "json")...)
	var got struct {
		Runs []struct {
			Index           int
			Inputs, Outputs map[string]float64
			Status          string
		}
		Summary map[string]struct {
			N         int
			Mean, Max float64
			Worst     int
		}
		Limits []struct{ Probability float64 }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != command.StatusDone || problems != "" ||
		len(got.Runs) != 64 {
		t.Fatal(err, status, problems, out)
	}
	for _, r := range got.Runs {
		if want := 7e9 + r.Inputs["latency_ns"]; math.Abs(r.Outputs["total_ns"]-want) > 1 {
			t.Errorf("run %d: %v, not %.0f", r.Index, r.Outputs, want)
		}
		// On the unchanged machine, with no latency: 7 s. The first computes 4 s, the second 1 s: 62.5 %.
		if want := 7e9 / r.Outputs["total_ns"]; math.Abs(r.Outputs["speedup"]-want) > 1e-9 ||
			r.Outputs["pop:load-balance"] != 62.5 {
			t.Errorf("run %d: %v, not a speedup of %g", r.Index, r.Outputs, want)
		}
	}
	total := got.Summary["total_ns"]
	if total.N != 64 || math.Abs(total.Mean-8e9) > 2e7 || got.Runs[total.Worst].Outputs["total_ns"] != total.Max ||
		got.Limits[0].Probability != 0.5 {
		t.Errorf("%+v, %+v", total, got.Limits)
	}
	// P20: the worst run, simulated again, takes the time in the table.
	text, _, _ := clitest.Run(t, args...)
	for _, want := range []string{"64 runs of 64, seed 1", "Influence on total", "total > 8 s: probability 0.5000",
		"pop:load-balance"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestStudyMistakes: each mistake gets a line that says what is wrong.
func TestStudyMistakes(t *testing.T) {
	path := studyProgram(t)
	l := "latency=uniform(1us,2us)"
	readOnly := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(readOnly, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		want   string
		status int
	}{
		{"", "needs --random NAME=DENSITY", command.StatusUsage},
		{"--random speed=uniform(1,2)", `there is no parameter "speed"`, command.StatusUsage},
		{"--random latency=uniform(2us,2us)", "has no width", command.StatusUsage},
		{"--random " + l + " --runs 0", "0 runs: must be from 1 to 1048576", command.StatusUsage},
		{"--random " + l + " --runs 1000000000", "1000000000 runs: must be from 1", command.StatusUsage},
		{"--random " + l + " --random bandwidth=uniform(1,2) --correlation latency:bandwidth=2",
			"with a correlation > -1 and < 1", command.StatusUsage},
		{"--random " + l +
			" --random bandwidth=uniform(1,2) --random cpu-ratio=uniform(1,2) --correlation latency:bandwidth=0.9 " +
			"--correlation latency:cpu-ratio=0.9 --correlation bandwidth:cpu-ratio=-0.9", "not a correlation matrix",
			command.StatusUsage},
		{"--random " + l + " --random " + l, "latency is named twice", command.StatusUsage},
		{"--random " + l + " --output speed", `there is no output "speed"`, command.StatusUsage},
		{"--random " + l + " --limit total=x", "--limit total", command.StatusUsage},
		{"--random " + l + " --until 200", "must be > 0 and < 1", command.StatusUsage},
		{"--random " + l + " --sampling grid", `there is no sampling "grid"`, command.StatusUsage},
		{"--random " + l + " --resume --seed 99", "no interrupted study of this definition", command.StatusFailed},
		{"--random " + l + " --store " + readOnly + "/s", "the store of the study", command.StatusFailed},
		{"--random " + l + " --shard 1/2", "needs --store", command.StatusUsage},
		{"--random cpus=0", "none of the 100 runs succeeded", command.StatusFailed},
	} {
		out, problems, status := clitest.Run(t,
			append([]string{"study", "montecarlo", path}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(problems, c.want) || out != "" {
			t.Errorf("%s: status %d\n%s%s", c.args, status, problems, out)
		}
	}
}

// TestStudyStore: a store belongs to one study; shards make parts of it, and together give the same result as one
// process.
func TestStudyStore(t *testing.T) {
	path, dir := studyProgram(t), filepath.Join(t.TempDir(), "s")
	args := func(more ...string) []string {
		return append([]string{"study", "montecarlo", path, "--random", "latency=uniform(1us,2s)", "--runs", "20",
			"--format", "tsv"}, more...)
	}
	whole, problems, status := clitest.Run(t, args()...)
	if status != command.StatusDone {
		t.Fatal(problems)
	}
	for _, shard := range []string{"0/3", "1/3", "2/3"} {
		if out, problems, status := clitest.Run(t, args("--store", dir, "--shard",
			shard)...); status != command.StatusDone ||
			out != "" {
			t.Fatal(problems, out)
		}
	}
	out, problems, status := clitest.Run(t, args("--store", dir, "--resume")...)
	if status != command.StatusDone || out != whole {
		t.Error(status, problems, out)
	}
	if _, problems, status = clitest.Run(t, args("--store", dir)...); status != command.StatusFailed ||
		!strings.Contains(problems, "20 runs of this study already: --resume") {
		t.Error(status, problems)
	}
	if _, problems, status = clitest.Run(t, args("--store", dir, "--resume", "--seed",
		"2")...); status != command.StatusFailed || !strings.Contains(problems, "holds another study (montecarlo of ") {
		t.Error(status, problems)
	}
}

// TestStudyShow: the runs of a study in progress, here one of two shards.
func TestStudyShow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if _, problems, status := clitest.Run(t, "study", "montecarlo", studyProgram(t), "--random", "latency=0,1s",
		"--runs", "20", "--store", dir, "--shard", "1/2"); status != command.StatusDone {
		t.Fatal(problems)
	}
	text, problems, status := clitest.Run(t, "study", "show", dir, "--limit", "total=4.5s", "--plot",
		filepath.Join(t.TempDir(), "a.svg"))
	for _, want := range []string{"montecarlo of ", ": 10 runs, seed 1", "Influence on total",
		"total > 4.5 s: probability 0.", "utilisation"} {
		if status != command.StatusDone || problems != "" || !strings.Contains(text, want) {
			t.Errorf("status %d %s: no %q in\n%s", status, problems, want, text)
		}
	}
	out, _, _ := clitest.Run(t, "study", "show", dir, "--format", "tsv")
	if strings.Count(out, "\n") != 11 || !strings.Contains(out, "\n19\t") || strings.Contains(out, "\n18\t") {
		t.Error(out)
	}
	if _, problems, status := clitest.Run(t, "study", "show", t.TempDir()); status != command.StatusFailed ||
		!strings.Contains(problems, "there is no study") {
		t.Error(status, problems)
	}
	if _, _, status := clitest.Run(t, "study", "show", dir, "--limit", "size=1"); status != command.StatusUsage {
		t.Error(status)
	}
}

// TestSaveRun is P20 on the command line: the trace of the run with the largest total is as long as the table says, and
// has the names of the measured one.
func TestSaveRun(t *testing.T) {
	dir := t.TempDir()
	worst, third := filepath.Join(dir, "worst.prv"), filepath.Join(dir, "third.prv.gz")
	args := []string{"study", "montecarlo", clitest.Heat, "--random", "latency=uniform(1us,1ms)", "--random",
		"bandwidth=loguniform(10,1000)", "--runs", "10", "--save-run", "worst=" + worst, "--save-run", "3=" + third}
	got := answer(t, args...)
	total := got["summary"].(map[string]any)["total_ns"].(map[string]any)
	for file, want := range map[string]any{worst: total["max"],
		third: got["runs"].([]any)[3].(map[string]any)["outputs"].(map[string]any)["total_ns"]} {
		if info := answer(t, "info", file); info["duration"] != want || info["unit"] != "ns" {
			t.Errorf("%s: %v %v, not %v", file, info["duration"], info["unit"], want)
		}
	}
	for wrong, want := range map[string]string{"worst": "must be RUN=FILE", "-1=" + worst: "must be RUN=FILE",
		"3=x.dim": "must be RUN=FILE", "10=" + worst: "no such run", "best=" + clitest.Heat: "never overwritten"} {
		if _, problems, status := clitest.Run(t, append(args[:len(args)-4:len(args)-4], "--save-run",
			wrong)...); status == command.StatusDone || !strings.Contains(problems, want) {
			t.Errorf("%s: status %d %s", wrong, status, problems)
		}
	}
	if _, problems, status := clitest.Run(t, "study", "montecarlo", "--solver", "echo y 1", "--random", "x=1",
		"--extract", "y=y ([0-9])", "--runs", "2", "--save-run", "0="+worst); status != command.StatusUsage ||
		!strings.Contains(problems, "only simulations") {
		t.Error(status, problems)
	}
}
