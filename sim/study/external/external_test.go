//go:build unix

package external_test

import (
	"context"
	"os"
	"testing"

	"pview/sim"
	"pview/sim/study"
	"pview/sim/study/external"
)

// commandPlan returns a study of n runs of a shell command with an input x from 1 to 2.
func commandPlan(t *testing.T, n int, command string, extracts ...string) *study.Plan {
	t.Helper()
	v, err := study.ParseFreeVariable("x=uniform(1,2)")
	if err != nil {
		t.Fatal(err)
	}
	m := &study.MonteCarlo{Base: study.Case{Program: &sim.Program{}, Machine: &sim.Machine{}},
		Variables: []study.Variable{v}, Runs: n, Seed: 1}
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	s := external.Solver{Command: command,
		Templates: []external.Template{{Name: "in.txt", Text: "run @index@ x @x@\n"}}}
	for _, text := range extracts {
		e, err := external.ParseExtract(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Extracts = append(s.Extracts, e)
	}
	if err := s.Use(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestP18: 100 runs, two at a time, of a command that reads and writes files of fixed names: 100 different, correct
// outputs.
func TestP18(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := commandPlan(t, 100, "test ! -e out.txt && cat in.txt >out.txt && sleep 0.002 && echo index $(cat out.txt)",
		`y=out.txt:x ([0-9.]+)`, `i=index run ([0-9]+)`)
	table, err := study.NewRunner(p, study.RunOptions{Workers: 2}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float64]bool{}
	for i := range table.Rows {
		r := &table.Rows[i]
		if r.Status != study.Done || r.Outputs[0] != r.Inputs[0] || int(r.Outputs[1]) != r.Index {
			t.Fatalf("%+v", r)
		}
		seen[r.Outputs[0]] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d different outputs", len(seen))
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// TestExternalFails: the command tells the reason.
func TestExternalFails(t *testing.T) {
	p := commandPlan(t, 4, "echo no licence >&2; exit @index@", `y=([0-9]+)`)
	table, err := study.NewRunner(p, study.RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"y: nothing matches ([0-9]+)", "the command failed (exit status 1): no licence"} {
		if r := &table.Rows[i]; r.Status != study.Failed || r.Reason != want {
			t.Errorf("%+v", r)
		}
	}
	for _, bad := range []string{"y", "=x", "y=[0-9]+", "y=(", "=("} {
		if _, err := external.ParseExtract(bad); err == nil {
			t.Errorf("%s is an output", bad)
		}
	}
}
