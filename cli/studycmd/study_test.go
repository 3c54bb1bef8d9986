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

// studyProgram writes a program of two tasks: the first computes 4 s, 3 of them in block 1 of type 40, and sends 3 MB;
// the second computes 1 s and receives.
func studyProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.dim")
	text := `#DIMEMAS:"p":0:2(1,1),0
1:0:0:1
20:0:0:40:1
1:0:0:3
20:0:0:40:0
2:0:0:1:-1:3145728:7:1:0
1:1:0:1
3:1:0:0:-1:3145728:7:1:0
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSweep: 4 s, then the latency, then 3 MB at 1 MB/s: 3 s. Slowdown against the ideal 4 s; 5 of 2 x 7 s are
// computing.
func TestSweep(t *testing.T) {
	out, problems, status := clitest.Run(t, "study", "sweep", studyProgram(t), "--set", "bandwidth=1MB/s", "--vary",
		"latency=0,1", "--format", "tsv")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0],
		"trace\ttasks\tlatency_ns\ttime_ns\tcomputing\toccupied\tslowdown\tspeedup\t") {
		t.Fatal(out)
	}
	for i, want := range [][2]string{{"0", "7000000000"}, {"1000000000", "8000000000"}} {
		f := strings.Split(lines[i+1], "\t")
		if f[2] != want[0] || f[3] != want[1] || f[6] != []string{"0.5714285714285714", "0.5"}[i] {
			t.Errorf("%q", f)
		}
	}
	out, _, _ = clitest.Run(t, "study", "sweep", studyProgram(t), "--vary", "machine=ideal,now")
	for _, want := range []string{"ideal", "now", "Speed", "###", "1.000"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, bad := range [][]string{{}, {"--vary", "speed=1"}, {"--vary", "latency=1..2"},
		{"--vary", "latency=1", "--set", "latency=1,2"}, {"--vary", "machine=none"}} {
		if _, problems, status := clitest.Run(t,
			append([]string{"study", "sweep", studyProgram(t)}, bad...)...); status != command.StatusUsage ||
			problems == "" {
			t.Errorf("%v: status %d, %s", bad, status, problems)
		}
	}
}

// TestSensitivity: the time is 4 s + L + 3 MB/W with L = 0.9, 1.1 s, W = 0.9, 1.1 MB/s: D40 in units of 10 ms. The
// effects: 100 ms and 303.03 ms, 9.82 and 90.18 %.
func TestSensitivity(t *testing.T) {
	out, problems, status := clitest.Run(t, "study", "sensitivity", studyProgram(t), "--set", "latency=1", "--set",
		"bandwidth=1MB/s", "--vary", "latency", "--vary", "bandwidth", "--format", "json")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	var got struct {
		Kind string
		Runs []struct {
			Inputs, Outputs map[string]any
		}
		Effects []struct {
			Effect string
			NS     float64 `json:"coefficient_ns"`
			Share  float64
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Effects) != 4 || len(got.Runs) != 4 ||
		got.Kind != "sensitivity" {
		t.Fatal(err, out)
	}
	effects := got.Effects
	for i, want := range []struct {
		name      string
		ns, share float64
	}{{"mean", 8.0303e9, 0}, {"bandwidth", -3.0303e8, .9018}, {"latency", 1e8, .0982}} {
		if e := effects[i]; e.Effect != want.name || math.Abs(e.NS-want.ns) > 1e5 ||
			math.Abs(e.Share-want.share) > 1e-4 {
			t.Errorf("%+v, not %+v", e, want)
		}
	}
	// The mean is in the sentence, and is not an effect with a sign.
	text, _, _ := clitest.Run(t, "study", "sensitivity", studyProgram(t), "--set", "latency=1", "--set",
		"bandwidth=1MB/s", "--vary", "latency", "--vary", "bandwidth")
	if !strings.Contains(text, ", mean 8.03 s, in 4 simulations") || strings.Contains(text, "+8.03") {
		t.Error(text)
	}
	if _, problems, status := clitest.Run(t, "study", "sensitivity", studyProgram(t), "--vary",
		"latency"); status != command.StatusUsage || !strings.Contains(problems, "cannot be varied") {
		t.Errorf("an ideal latency: status %d, %s", status, problems)
	}
}

// TestModules: 3 s in block 1 twice as fast leave 2.5 of 4 s: 37.5 % saved.
func TestModules(t *testing.T) {
	out, problems, status := clitest.Run(t, "study", "modules", studyProgram(t), "--format", "tsv")
	want := "block\ttype\tvalue\tcomputation\ttime_ns\tsaved\tyield\n" +
		"value 1\t40\t1\t0.6\t2500000000\t0.375\t2\n"
	if status != command.StatusDone || out != want {
		t.Errorf("status %d %s\n%s", status, problems, out)
	}
	_, problems, status = clitest.Run(t, "study", "modules", studyProgram(t), "--blocks", "7,8")
	want = "no computation within blocks of event types 7, 8; --blocks names others"
	if status != command.StatusNothing || !strings.Contains(problems, want) {
		t.Errorf("status %d, %q, want %q", status, problems, want)
	}
}

// TestSplits: the block of 3 of 4 s on 1, 2 and 4 threads, with a fork of 0.1 s and a join of 0.2 s: 4, 1 + 0.3 + 3/2
// and 1 + 0.3 + 3/4 s. With one CPU per node the time does not shrink, and a remark says so.
func TestSplits(t *testing.T) {
	path := studyProgram(t)
	out, problems, status := clitest.Run(t, "study", "sweep", path, "--set", "cpus=4", "--set",
		"split=40:1=2,0.1s,0.2s",
		"--vary", "split:40:1=1,2,4", "--format", "tsv")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")[1:]
	for i, want := range []string{"4000000000", "2800000000", "2050000000"} {
		if f := strings.Split(lines[i], "\t"); f[3] != want {
			t.Errorf("%q, not %s", f, want)
		}
	}
	for _, c := range []struct{ cpus, total, says string }{{"4", "2050000000", ""},
		{"1", "4300000000", "split over 4 threads, but node 1 has 1 CPUs"}} {
		out, problems, status := clitest.Run(t, "sim", path, "--cpus", c.cpus, "--split", "40:1=4,0.1s,0.2s",
			"--format",
			"json")
		if status != command.StatusDone || !strings.Contains(out, "\"total_ns\": "+c.total+",") ||
			!strings.Contains(problems, c.says) || strings.Contains(out, "remarks") != (c.says != "") {
			t.Errorf("%s CPUs: %d, %s%s", c.cpus, status, problems, out)
		}
	}
	if _, problems, status := clitest.Run(t, "sim", path, "--split", "40:1=none"); status == command.StatusDone ||
		!strings.Contains(problems, "--split: must be TYPE:VALUE=THREADS,FORK,JOIN") {
		t.Errorf("%d, %s", status, problems)
	}
	if _, problems, status := clitest.Run(t, "study", "sweep", path, "--vary",
		"split:40:1=0,1"); status != command.StatusUsage || !strings.Contains(problems, "whole number from 1") {
		t.Errorf("%d, %s", status, problems)
	}
}

// TestFitNetwork: 10 us and 1 MB in 10 ms; D20 is checked in package study.
func TestFitNetwork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pingpong.txt")
	if err := os.WriteFile(path, []byte("bytes time\n0 20us\n1M 20.02ms\n# end\n2M,40.02ms\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, problems, status := clitest.Run(t, "study", "fit-network", path, "--divide", "2", "--format", "json")
	var l struct {
		Latency   float64 `json:"latency_ns"`
		Bandwidth float64 `json:"bandwidth_mb_s"`
	}
	if err := json.Unmarshal([]byte(out), &l); err != nil || status != command.StatusDone ||
		math.Abs(l.Latency-10_000) > 1e-3 || math.Abs(l.Bandwidth-100) > 1e-6 {
		t.Errorf("status %d %s: %+v", status, problems, l)
	}
	if _, problems, status := clitest.Run(t, "study", "fit-network", path, "--to",
		"1"); status != command.StatusFailed ||
		!strings.Contains(problems, "two different sizes") {
		t.Errorf("status %d %s", status, problems)
	}
}

// TestShare is check D24 on the command line.
func TestShare(t *testing.T) {
	out, _, status := clitest.Run(t, "study", "share", "a=10/20", "b=20/50", "c=30/60")
	for _, want := range []string{"1.4000", "0.057735", "84.0000 s", "1.2500"} {
		if status != command.StatusDone || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if _, _, status := clitest.Run(t, "study", "share", "a=10"); status != command.StatusUsage {
		t.Errorf("status %d", status)
	}
}
