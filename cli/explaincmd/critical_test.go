package explaincmd_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
	"pview/prv"
)

// TestCritical: for a measured trace the parts of each kind sum to the duration, in all formats.
func TestCritical(t *testing.T) {
	out, problems, status := clitest.Run(t, "critical", clitest.Heat, "--format", "tsv")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	sums := map[string]int64{}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		ns, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sums[f[0]] += ns
	}
	const duration = 157_717_028 // the header's
	for _, part := range []string{"kind", "thread", "block"} {
		if sums[part] != duration {
			t.Errorf("%s: %d ns, not %d", part, sums[part], duration)
		}
	}
	out, _, _ = clitest.Run(t, "critical", clitest.Heat, "--format", "json")
	var answer struct {
		Total     int64 `json:"total_ns"`
		Simulated bool
		Blocks    []struct {
			Name  string
			Time  int64 `json:"time_ns"`
			Kinds map[string]int64
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Total != duration || answer.Simulated ||
		len(answer.Blocks) == 0 {
		t.Fatalf("%v in %.300s", err, out)
	}
	out, _, _ = clitest.Run(t, "critical", clitest.Heat)
	for _, want := range []string{"Critical path of 157.7 ms, measured", "Block of the program", "Computation",
		"THREAD 1.1.1", "Network"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, line := range strings.Split(out, "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if out, _, _ = clitest.Run(t, "critical", clitest.Heat, "--top", "2"); !strings.Contains(out,
		"more (--top 0 shows all)") {
		t.Errorf("--top 2:\n%s", out)
	}
	if _, _, status = clitest.Run(t, "critical", clitest.Heat, "-o", clitest.Heat); status != command.StatusUsage {
		t.Error("TRACE is overwritten")
	}
}

// TestCriticalMarks: the written trace has the path as events, and still the same path.
func TestCriticalMarks(t *testing.T) {
	marked := filepath.Join(t.TempDir(), "marked.prv")
	before, problems, status := clitest.Run(t, "critical", clitest.Heat, "-o", marked, "--segments", "--format", "tsv")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	tr, err := prv.Open(context.Background(), marked, prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	balance, marks := int64(0), 0
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			if typ == 90 {
				marks++
				balance += 2*e.Value.At(k) - 1
			}
		}
	}
	if marks == 0 || balance != 0 {
		t.Errorf("%d marks, %d more come than go", marks, balance)
	}
	if name := tr.Labels.TypeName(90); name != "Critical path" {
		t.Errorf("type 90 is called %q", name)
	}
	if after, _, _ := clitest.Run(t, "critical", marked, "--segments", "--format", "tsv"); after != before {
		t.Error("the path of the marked trace is another")
	}
}

// TestSimCriticalPath is check D39 by the command: 100 us computing, 25 us latency, 10000 us on the way, 300 us
// computing.
func TestSimCriticalPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "d1.dim")
	text := `#DIMEMAS:"D1":0:2(1,1),0
1:0:0:0.0001
2:0:0:1:-1:1048576:7:1:0
1:0:0:0.0002
1:1:0:0.00005
3:1:0:0:-1:1048576:7:1:0
1:1:0:0.0003
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, problems, status := clitest.Run(t, "sim", program, "--latency", "25us", "--bandwidth", "100", "--input-links",
		"1", "--output-links", "1",
		"--critical-path", "-o", filepath.Join(dir, "out.prv"), "--format", "json")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	var answer struct {
		Path struct {
			Total int64            `json:"total_ns"`
			Kinds map[string]int64 `json:"kinds"`
		} `json:"critical_path"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	k := answer.Path.Kinds
	if answer.Path.Total != 10_425_000 || k["computation"] != 400_000 || k["latency"] != 25_000 ||
		k["transfer"] != 10_000_000 || len(k) != 3 {
		t.Errorf("total %d, kinds %v", answer.Path.Total, k)
	}
	tr, err := prv.Open(context.Background(), filepath.Join(dir, "out.prv"), prv.Options{Strict: true})
	if err != nil || tr.Labels.TypeName(90) != "Critical path" {
		t.Errorf("%v", err)
	}
}

// A run that takes no time has no critical path: a line says so, without empty tables.
func TestCriticalOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nothing.prv")
	if err := os.WriteFile(path, []byte("#Paraver (22/11/2026 at 10:00):0_ns:1(2):1:2(1:1,1:1)\n"+
		"1:1:1:1:1:0:0:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, status := clitest.Run(t, "critical", path)
	if status != command.StatusDone || !strings.HasSuffix(out, "\nNo critical path: the run takes no time\n") {
		t.Errorf("status %d: %s", status, out)
	}
}
