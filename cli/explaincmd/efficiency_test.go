package explaincmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
	"pview/prv/prvtest"
)

func runEfficiency(t *testing.T, args ...string) (out, problems string, status int) {
	t.Helper()
	return clitest.Run(t, append([]string{"efficiency"}, args...)...)
}

// TestEfficiencyForms: two processes are useful for 1000 and 900 us of 1000, which is 95 % of their time; a third adds
// 800: 2700 of 3000 us are 90 %. Against the run of two, 1900 us of computation became 2700: 70.37 %.
func TestEfficiencyForms(t *testing.T) {
	dir := t.TempDir()
	two, three := prvtest.Stairs(t, dir, 2), prvtest.Stairs(t, dir, 3)
	out, problems, status := runEfficiency(t, three, two, "--format", "tsv", "--scaling", "strong")
	if status != command.StatusDone || !strings.HasPrefix(out,
		"figure\t2\t3\nParallel efficiency %\t95.000000\t90.000000\nLoad balance %\t95.000000\t90.000000\n") {
		t.Errorf("status %d, %s", status, out)
	}
	for _, line := range []string{"Computation scalability %\t100.000000\t70.370370", "Serialization efficiency %\t\t",
		"Runtime (us)\t1000.00\t1000.00", "Useful cycles, total\t\t"} {
		if !strings.Contains(out, "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
	if strings.Contains(out, "OpenMP") ||
		!strings.Contains(problems, two+": the trace has no counter of instructions") {
		t.Errorf("%s%s", out, problems)
	}

	out, problems, status = runEfficiency(t, two, three, "--format", "json", "--scaling", "weak")
	var runs []map[string]any
	if err := json.Unmarshal([]byte(out), &runs); err != nil || status != command.StatusDone || problems != "" {
		t.Fatal(err, status, problems)
	}
	// Three processes do half as much again as two: 1900 x 3/2 of 2700 us.
	if got := runs[1]["Computation scalability %"].(float64); fmt.Sprintf("%.6f", got) != "105.555556" {
		t.Errorf("%v", got)
	}
	if v, ok := runs[0]["Transfer efficiency %"]; !ok || v != nil {
		t.Errorf("a factor without value is %v (%v)", v, ok)
	}
	if runs[1]["processes"] != 3.0 || len(runs[1]["notes"].([]any)) == 0 {
		t.Errorf("%v", runs[1])
	}

	out, _, _ = runEfficiency(t, two, three)
	for _, text := range []string{"\n  Parallel efficiency          95.0 %    90.0 %\n",
		"\nUseful duration, total          1.9 ms    2.7 ms\n", "2, 3: the trace has no counter"} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	if strings.Contains(out, "IPC scalability  ") {
		t.Errorf("a line without any value in\n%s", out)
	}
}

// TestEfficiencyProjection: fits and the projected figures are beside the runs.
func TestEfficiencyProjection(t *testing.T) {
	dir := t.TempDir()
	args := []string{prvtest.Stairs(t, dir, 1), prvtest.Stairs(t, dir, 2), prvtest.Stairs(t, dir, 4), "--project",
		"8,16"}
	out, problems, status := runEfficiency(t, append(args, "--format", "json")...)
	var answer struct {
		Runs []map[string]any
		Fits []struct {
			Figure, Model string
			X0, F         float64
			Points        int
		}
		Projected []map[string]float64
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != command.StatusDone {
		t.Fatal(err, status, problems)
	}
	if len(answer.Runs) != 3 || len(answer.Projected) != 2 || len(answer.Fits) != 3 {
		t.Fatalf("%d runs, %d fits, %d sizes", len(answer.Runs), len(answer.Fits), len(answer.Projected))
	}
	load := answer.Fits[0]
	want := load.X0 / (load.F + (1-load.F)*16) // amdahl
	if got := answer.Projected[1]["Load balance %"]; load.Figure != "Load balance %" ||
		fmt.Sprintf("%.9f", got) != fmt.Sprintf("%.9f", want) {
		t.Errorf("%s at 16 is %v, not %v", load.Figure, got, want)
	}
	out, _, _ = runEfficiency(t, append(args, "--format", "tsv", "--model", "pipeline")...)
	if !strings.HasPrefix(out, "figure\t1\t2\t4\t8 (projected)\t16 (projected)\n") {
		t.Error(out)
	}
	if out, _, _ = runEfficiency(t, args...); !strings.Contains(out, "-> 16") ||
		!strings.Contains(out, "amdahl: x0 / (f + (1-f) p)") {
		t.Error(out)
	}
}

// TestEfficiencyPublished: the table of the EPOCH runs has the layout of the published one; package efficiency compares
// the figures.
func TestEfficiencyPublished(t *testing.T) {
	dir := prvtest.Shared(t, "traces", "epoch")
	traces, _ := filepath.Glob(filepath.Join(dir, "*.prv.gz"))
	out, problems, status := runEfficiency(t, append(traces, "--format", "tsv")...)
	if status != command.StatusDone || problems != "" {
		t.Fatal(status, problems)
	}
	published, err := os.ReadFile(filepath.Join(dir, "modelfactors.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	want, simulated := strings.Split(string(published), "\n"), []string{"Serialization", "Transfer", "Runtime (ideal"}
	for i, line := range strings.Split(out, "\n") {
		name, _, _ := strings.Cut(want[i], "\t")
		if strings.HasPrefix(name, simulated[0]) || strings.HasPrefix(name, simulated[1]) ||
			strings.HasPrefix(name, simulated[2]) {
			line, _, _ = strings.Cut(line, "\t")
			want[i] = name
		}
		if line != want[i] {
			t.Errorf("%q, published was %q", line, want[i])
		}
	}
}

// TestEfficiencyMachine: on the machine of a file, or a named one, the run takes longer than on an ideal one.
func TestEfficiencyMachine(t *testing.T) {
	trace := filepath.Join(clitest.SimKit, "translations", "x01-point-to-point", "in.prv")
	ideal := func(args ...string) (us float64) {
		t.Helper()
		out, problems, status := runEfficiency(t, append([]string{trace, "--format", "json"}, args...)...)
		var runs []map[string]any
		if err := json.Unmarshal([]byte(out), &runs); err != nil || status != command.StatusDone {
			t.Fatal(err, status, problems)
		}
		us, _ = runs[0]["Runtime (ideal, us)"].(float64)
		return us
	}
	free, named, file := ideal(), ideal("--machine", "ethernet-1g"),
		ideal("--machine", filepath.Join(clitest.SimKit, "p04b-no-option", "sim.cfg"))
	if !(free > 0 && named > free && file > free) {
		t.Errorf("ideal %v us, ethernet-1g %v us, sim.cfg %v us", free, named, file)
	}
}

func TestEfficiencyErrors(t *testing.T) {
	dir := t.TempDir()
	one, two := prvtest.Stairs(t, dir, 1), prvtest.Stairs(t, dir, 2)
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, command.StatusUsage, "efficiency needs TRACE"},
		{[]string{one, two, "--project", "8"}, command.StatusUsage, "at least 3 different sizes"},
		{[]string{one, two, two, "--project", "8"}, command.StatusFailed, "at least 3 different sizes; only 2 given"},
		{[]string{one, "--project", "0"}, command.StatusUsage, "--project 0"},
		{[]string{one, "--scaling", "some"}, command.StatusUsage, "must be one of auto, strong, weak"},
		{[]string{one, "--ptask", "2"}, command.StatusFailed, "no application 2"},
		{[]string{one, "--machine", filepath.Join(dir, "none.cfg")}, command.StatusFailed, "none.cfg"},
		{[]string{one, "--machine", "cray"}, command.StatusUsage, `there is no machine "cray"`},
		{[]string{one, filepath.Join(dir, "none.prv")}, command.StatusFailed, "none.prv"},
	} {
		out, problems, status := runEfficiency(t, c.args...)
		if out != "" || status != c.status || !strings.Contains(problems, c.says) ||
			strings.Count(problems, "\n") != 1 {
			t.Errorf("%v: status %d, %q %q", c.args, status, out, problems)
		}
	}
}
