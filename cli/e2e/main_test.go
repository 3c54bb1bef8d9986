//go:build unix

// Package e2e tests the program as it is delivered: it builds the binary, runs it
// with pipes or in a pseudo-terminal, presses keys, and reads what a user would
// see.
package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	_ "pview/cli" // so that go test does not reuse cached results of an older program
)

// pview is the path of the built program.
var pview string

func TestMain(m *testing.M) {
	if file := os.Getenv(measured); file != "" {
		os.Exit(measure(file, os.Args[1:]))
	}
	// Signals ignored here, as behind nohup or in the background of a script, are not ignored by the programs under
	// test: exec resets caught signals to their default.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTERM} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pview-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		pview = filepath.Join(dir, "pview")
		if out, err := exec.Command("go", "build", "-o", pview, "pview").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building pview: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// result is the outcome of a run of the program.
type result struct {
	stdout, stderr string
	status         int
}

// run runs the program to its end in a directory, without a terminal.
func run(t *testing.T, dir string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), pview, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// write puts a file into a directory.
func write(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}
