//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pview/internal/vt"
)

// backwards is a thread whose states are in the file backwards: 40, 30 and 30 ns of three states. A message is received
// at 5, before it is sent at 8, and an event is later than the header's end of 100.
const backwards = "#Paraver (01/01/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1)\n" +
	"1:1:1:1:1:70:100:3\n" +
	"1:1:1:1:1:40:70:2\n" + // line 3
	"1:1:1:1:1:0:40:1\n" +
	"1:2:1:2:1:0:60:1\n" +
	"1:2:1:2:1:50:100:2\n" + // line 6: overlaps the one before
	"3:1:1:1:1:8:9:2:1:2:1:2:5:64:1\n" + // line 7
	"2:1:1:1:1:120:7:1\n" // line 8

// times returns, by state, the time of thread 1.1.1 in the bursts that stat prints.
func times(t *testing.T, dir string, args ...string) string {
	t.Helper()
	r := run(t, dir, append([]string{"stat", "--format", "tsv", "--precision", "0", "--unit", "ns", "--to", "100"},
		args...)...)
	var out []string
	for _, line := range strings.Split(r.stdout, "\n") {
		if f := strings.Split(line, "\t"); len(f) == 4 && f[0] == "1.1.1" {
			out = append(out, f[3]+":"+f[2])
		}
	}
	return strings.Join(out, " ")
}

func TestDoubtfulRecordsAreTold(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(backwards))
	r := run(t, dir, "info", "a.prv")
	for _, want := range []string{
		"a.prv:3: state begins before the one that its thread has before it in the file (2 in all)",
		"a.prv:6: state begins before an earlier one of its thread has ended (1 in all)",
		"a.prv:7: message is received before it is sent (1 in all)",
		"a.prv:8: record is later than the end in the header (1 in all)",
	} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("stderr has no %q:\n%s", want, r.stderr)
		}
	}
	if !strings.Contains(r.stdout, "first in line 6") {
		t.Errorf("info says\n%s", r.stdout)
	}
	// With the index the result is the same.
	if r := run(t, dir, "index", "a.prv"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	if again := run(t, dir, "info", "a.prv"); again != r {
		t.Errorf("with an index info says\n%+v\nwithout\n%+v", again, r)
	}
	tm := open(t, 120, 40, []string{filepath.Join(dir, "a.prv")})
	tm.awaitText("2 states out of order")
	tm.press("!")
	tm.await("the list of problems", func(s *vt.Screen) bool { return strings.Contains(looks(s), "Doubtful records") })
	tm.leave()
}

// In file order, the end of a state on a later line overrides the state that begins at that time; --sort-states and
// convert fix that.
func TestSortStates(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(backwards))
	const sorted = "1:40 2:30 3:30"
	if got := times(t, dir, "a.prv"); got == sorted {
		t.Errorf("as Paraver reads it: %s", got)
	}
	if got := times(t, dir, "a.prv", "--sort-states"); got != sorted {
		t.Errorf("sorted: %s", got)
	}
	if r := run(t, dir, "convert", "a.prv", "b.prv"); r.status != 0 ||
		!strings.Contains(r.stderr, "they are read in the order of time") {
		t.Fatalf("%+v", r)
	}
	if got := times(t, dir, "b.prv"); got != sorted {
		t.Errorf("converted: %s", got)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "b.prv"))
	if a, b := strings.Index(string(text), ":0:40:1"), strings.Index(string(text), ":40:70:2"); a < 0 || b < a {
		t.Errorf("b.prv is not sorted:\n%s", text)
	}
}

// A failed write to standard output is an error of every command that prints.
func TestOutputToFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	const trace = "../../testdata/traces/twoapps_4_4/twoapps_4_4.prv"
	for _, args := range []string{"--help", "help info", "--version", "list machines", "man", "completion zsh",
		"config", "ring", "info TRACE", "info --format json TRACE", "stat TRACE", "stat --stat Time TRACE",
		"what --at 50% TRACE",
		"efficiency TRACE", "diagnose TRACE", "diagnose --waits TRACE", "compare TRACE TRACE", "critical TRACE",
		"frameworks TRACE", "workload TRACE", "sim TRACE", "study sweep --vary latency=1us,2us TRACE"} {
		if strings.HasSuffix(args, "TRACE") {
			args += " --no-index"
		}
		args = strings.ReplaceAll(args, "TRACE", trace)
		cmd := exec.CommandContext(t.Context(), pview, strings.Fields(args)...)
		var problems strings.Builder
		cmd.Stdout, cmd.Stderr = full, &problems
		cmd.Run()
		if !strings.HasSuffix(problems.String(), "pview: write /dev/stdout: no space left on device\n") ||
			cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("pview %s: status %d: %s", args, cmd.ProcessState.ExitCode(), &problems)
		}
	}
}

// A sweep in which no run succeeds fails, and says why.
func TestSweepWithoutAnyRun(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(backwards))
	r := run(t, dir, "study", "sweep", "a.prv", "--vary", "process-per-node=0")
	if r.status != 1 || !strings.Contains(r.stderr,
		"a.prv: 0 tasks per node\npview: none of the simulations succeeded\n") {
		t.Errorf("%+v", r)
	}
}

// So do the other studies of simulations: the first reason is the error.
func TestStudiesWithoutAnyRun(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(strings.ReplaceAll(good, "1:1:1:1:1:0:10:1",
		"1:1:1:1:1:0:10:1\n2:1:1:1:1:0:60000019:1:50000001:0\n2:1:1:1:1:10:60000019:0")))
	for args, want := range map[string]string{
		"study sensitivity a.prv --vary latency=1us,2us --set process-per-node=0": "0 tasks per node\n",
		"study modules a.prv --set process-per-node=0":                            "0 tasks per node\n",
	} {
		if r := run(t, dir, strings.Fields(args)...); r.status != 1 || r.stdout != "" ||
			!strings.HasSuffix(r.stderr, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
