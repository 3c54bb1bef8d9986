//go:build unix

package external_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pview/sim"
	"pview/sim/study"
	"pview/sim/study/external"
)

// inputPlan returns a study of n runs with an input x from 1 to 2.
func inputPlan(t *testing.T, n int) *study.Plan {
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
	return p
}

// extracts parses outputs.
func extracts(t *testing.T, list ...string) (parsed []external.Extract) {
	t.Helper()
	for _, text := range list {
		e, err := external.ParseExtract(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, e)
	}
	return parsed
}

// commandPlan returns a study of n runs of a shell command.
func commandPlan(t *testing.T, n int, command string, outputs ...string) *study.Plan {
	t.Helper()
	s := external.Solver{Command: command, Extracts: extracts(t, outputs...),
		Templates: []external.Template{{Name: "in.txt", Text: "run @index@ x @x@\n"}}}
	p := inputPlan(t, n)
	if err := s.Use(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// solve makes run 7 of a plan, with seed 11 and x = 1.5.
func solve(ctx context.Context, p *study.Plan, hold func()) ([]float64, error) {
	return p.Solve(ctx, &study.Row{Index: 7, Seed: 11, Inputs: []float64{1.5}}, hold)
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

// TestOutputs: the last match counts, and a run without a number fails with a reason.
func TestOutputs(t *testing.T) {
	after := func(n int) string { return fmt.Sprintf("head -c %d /dev/zero; echo 42", n) }
	for _, c := range []struct{ command, output, want string }{
		{"echo t 1; echo t 2.5", "y=t (.*)", "[2.5] <nil>"},
		{"echo 3 of 4", "y=([0-9]) of ([0-9])", "[3] <nil>"},
		{"echo @index@@seed@ @x@ @y@", "y=^(711) 1.5 @y@", "[711] <nil>"},
		{"echo 5 >f; echo 6", "y=f:([0-9])", "[5] <nil>"},
		{"echo 6", "y=f:([0-9])", "[] y: the command has not written f"},
		{"echo 6", "y=a([0-9])", "[] y: nothing matches a([0-9])"},
		{"echo 6", "y=(6\n)", `[] y: "6\n" is not a number`},
		{"exit 3", "y=(.)", "[] the command failed (exit status 3)"},
		{"echo '  no licence'; echo >&2; echo '  no licence' >&2; echo bye >&2; exit 3", "y=(.)",
			"[] the command failed (exit status 3): no licence"},
		// Only the first megabyte of the output is kept: 4 and not 42.
		{after(1<<20 - 1), "y=([0-9]+)", "[4] <nil>"},
		{after(1 << 20), "y=([0-9]+)", "[] y: nothing matches ([0-9]+)"},
	} {
		got, err := solve(t.Context(), commandPlan(t, 1, c.command, c.output), func() {})
		if text := fmt.Sprint(got, err); text != c.want {
			t.Errorf("%s, %s: %s, not %s", c.command, c.output, text, c.want)
		}
	}
	_, err := solve(t.Context(), commandPlan(t, 1, "mkdir f", "y=f:(.)"), func() {})
	if err == nil || !strings.HasPrefix(err.Error(), "y: read ") {
		t.Errorf("a directory as output: %v", err)
	}
}

// TestExternalFails: a failed run is a row with its reason.
func TestExternalFails(t *testing.T) {
	p := commandPlan(t, 2, "echo no licence >&2; exit @index@", `y=([0-9]+)`)
	table, err := study.NewRunner(p, study.RunOptions{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"y: nothing matches ([0-9]+)", "the command failed (exit status 1): no licence"} {
		if r := &table.Rows[i]; r.Status != study.Failed || r.Reason != want {
			t.Errorf("%+v", r)
		}
	}
}

func TestParseExtract(t *testing.T) {
	for spec, want := range map[string]string{
		"y=([0-9]+)":       "y, file , ([0-9]+)",
		" y =t=(.*)":       "y, file , t=(.*)",
		"y=out.txt:x (.*)": "y, file out.txt, x (.*)",
		"y=f:a:(.)":        "y, file f, a:(.)",
		// What cannot be the name of a file belongs to the pattern.
		"y=out/f:(.)": "y, file , out/f:(.)",
		"y=a b:(.)":   "y, file , a b:(.)",
		"y=(?:a)(b)":  "y, file , (?:a)(b)",
		"y=[:](b)":    "y, file , [:](b)",
		`y=\d:(b)`:    `y, file , \d:(b)`,
	} {
		e, err := external.ParseExtract(spec)
		if got := fmt.Sprintf("%s, file %s, %v", e.Name, e.File, e.Pattern); err != nil || got != want {
			t.Errorf("%s: %s, not %s (%v)", spec, got, want, err)
		}
	}
	for _, bad := range []string{"y", "(y)", "=(x)", " =(x)", "y=[0-9]+", "y=(", "=("} {
		if _, err := external.ParseExtract(bad); err == nil {
			t.Errorf("%s is an output", bad)
		}
	}
}

func TestReadTemplate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "case.in")
	write(t, file, "x = @x@\n", 0o600)
	for spec, want := range map[string]string{file: "case.in", file + ":solver.in": "solver.in"} {
		if got, err := external.ReadTemplate(spec); err != nil || got != (external.Template{Name: want,
			Text: "x = @x@\n"}) {
			t.Errorf("%s: %+v, %v", spec, got, err)
		}
	}
	for _, bad := range []string{file + ":a/b", file + ":.", file + ":..", file + ":", filepath.Join(dir, "absent")} {
		if _, err := external.ReadTemplate(bad); err == nil {
			t.Errorf("%s is a template", bad)
		}
	}
}

// write writes a file.
func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(name, []byte(text), mode), os.Chmod(name, mode)); err != nil {
		t.Fatal(err)
	}
}

// TestInputs: a command runs among its own copies of the input files, keeps their permissions and may change them.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	program, data := filepath.Join(dir, "program"), filepath.Join(dir, "data")
	write(t, program, "#!/bin/sh\necho $1 $(cat data)\n", 0o500)
	write(t, data, "2\n", 0o400)
	s := external.Solver{Command: "find data -perm 600; echo 1 >>data; ./program $GREETING",
		Inputs: []string{program, data}, Env: []string{"GREETING=hello"},
		Extracts: extracts(t, "y=^data\nhello 2 ([0-9])\n$")}
	p := inputPlan(t, 1)
	if err := s.Use(p); err != nil {
		t.Fatal(err)
	}
	if got, err := solve(t.Context(), p, func() {}); err != nil || !slices.Equal(got, []float64{1}) {
		t.Error(got, err)
	}
	if text, err := os.ReadFile(data); err != nil || string(text) != "2\n" {
		t.Errorf("the input is now %q (%v)", text, err)
	}
	if err := os.Remove(data); err != nil {
		t.Fatal(err)
	}
	if _, err := solve(t.Context(), p, func() {}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a run without its input: %v", err)
	}
	if err := s.Use(inputPlan(t, 1)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a study without its input: %v", err)
	}
}

// TestUse: a solver needs a command and outputs. Studies with the same key share their runs, so every part of the
// solver is in it, and of the input files their contents.
func TestUse(t *testing.T) {
	dir := t.TempDir()
	same, other := filepath.Join(dir, "same"), filepath.Join(dir, "other")
	for _, d := range []string{same, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "data"), "1", 0o600)
	write(t, filepath.Join(same, "data"), "1", 0o600)
	write(t, filepath.Join(other, "data"), "2", 0o600)
	solver := func() *external.Solver {
		return &external.Solver{Command: "run", Inputs: []string{filepath.Join(dir, "data")},
			Templates: []external.Template{{Name: "in", Text: "@x@"}}, Env: []string{"A=1"},
			Extracts: extracts(t, "y=(.)", "z=(.)")}
	}
	key := func(s *external.Solver) string {
		p := inputPlan(t, 1)
		if err := s.Use(p); err != nil {
			t.Fatal(err)
		}
		if len(p.Outputs) != 2 || p.Outputs[0].Name != "y" || p.Outputs[1].Name != "z" || p.Case != nil {
			t.Errorf("%+v", p)
		}
		return p.Key
	}
	first := key(solver())
	for name, c := range map[string]struct {
		change func(s *external.Solver)
		same   bool
	}{
		"nothing":              {func(*external.Solver) {}, true},
		"the folder of a file": {func(s *external.Solver) { s.Inputs[0] = filepath.Join(same, "data") }, true},
		"a file's contents":    {func(s *external.Solver) { s.Inputs[0] = filepath.Join(other, "data") }, false},
		"the command":          {func(s *external.Solver) { s.Command = "walk" }, false},
		"a template":           {func(s *external.Solver) { s.Templates[0].Text = "x=@x@" }, false},
		"the environment":      {func(s *external.Solver) { s.Env[0] = "A=2" }, false},
		"an output's pattern":  {func(s *external.Solver) { s.Extracts[1] = extracts(t, "z=(..)")[0] }, false},
	} {
		s := solver()
		c.change(s)
		if got := key(s); (got == first) != c.same {
			t.Errorf("with %s changed: the same key is %v", name, got == first)
		}
	}
	for name, s := range map[string]*external.Solver{
		"no command": {Command: " ", Extracts: extracts(t, "y=(.)")}, "no outputs": {Command: "true"},
	} {
		if err := s.Use(inputPlan(t, 1)); err == nil {
			t.Errorf("a solver with %s", name)
		}
	}
}

// steps returns a command whose background process makes a step in a file, until the file stop appears, and a function
// that returns the number of steps.
func steps(t *testing.T) (command string, count func() int64) {
	file := filepath.Join(t.TempDir(), "steps")
	t.Cleanup(func() { write(t, file+".stop", "", 0o600) })
	count = func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	const loop = "(while ! test -e %[1]s.stop; do printf x >>%[1]s; sleep 0.002; done) & wait"
	return fmt.Sprintf(loop, file), count
}

// waitUntil waits for a condition for up to ten seconds.
func waitUntil(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// stands reports whether a count does not grow for a while.
func stands(count func() int64) bool {
	before := count()
	time.Sleep(60 * time.Millisecond)
	return before > 0 && count() == before
}

// TestSuspends: a command stops, with its children, while its run is suspended.
func TestSuspends(t *testing.T) {
	line, count := steps(t)
	p := commandPlan(t, 1, line, "y=(.)")
	resume, ended := make(chan struct{}), make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_, err := solve(ctx, p, func() { <-resume })
		ended <- err
	}()
	waitUntil(t, "the command does not stop", func() bool { return stands(count) })
	before := count()
	close(resume)
	waitUntil(t, "the command does not continue", func() bool { return count() > before })
	cancel()
	if err := <-ended; err == nil || !strings.HasPrefix(err.Error(), "the command failed (signal: killed)") {
		t.Error(err)
	}
	waitUntil(t, "the command's child is left", func() bool { return stands(count) })
}
