//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// All that a command has printed is there when it has ended.
func TestAllIsThere(t *testing.T) {
	for range 20 {
		var out, problems bytes.Buffer
		wait, err := Start(exec.Command("/bin/sh", "-c",
			"head -c 200000 /dev/zero; echo end; echo no licence >&2; exit 3"), &out, &problems)
		if err != nil {
			t.Fatal(err)
		}
		var failed *exec.ExitError
		if err = wait(); !errors.As(err, &failed) || failed.ExitCode() != 3 || out.Len() != 200_004 ||
			!strings.HasSuffix(out.String(), "end\n") || problems.String() != "no licence\n" {
			t.Fatalf("%d bytes, %q, %v", out.Len(), problems.String(), err)
		}
	}
}

// late is a writer that goes on when the command has ended.
type late struct {
	bytes.Buffer
	ended chan struct{}
}

func (l *late) Write(b []byte) (int, error) {
	<-l.ended
	return l.Buffer.Write(b)
}

// What is read late is not lost, and processes that a command leaves behind are not waited for.
func TestLate(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "echo first; sleep 3600 & echo $!")
	out := &late{ended: make(chan struct{})}
	wait, err := Start(cmd, out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Process.Wait(); err != nil {
		t.Fatal(err)
	}
	close(out.ended)
	wait() // an error: the process was waited for
	first, pid, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	left, err := strconv.Atoi(pid)
	if err != nil || first != "first" {
		t.Fatalf("%q", out.String())
	}
	if err := syscall.Kill(left, syscall.SIGKILL); err != nil {
		t.Errorf("what it has left behind: %v", err)
	}
}

// A command that cannot be started, and one that is ended.
func TestFails(t *testing.T) {
	if _, err := Start(exec.Command("/nowhere/program"), io.Discard, io.Discard); err == nil {
		t.Error("a program that is not there is started")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", "echo ready; exec sleep 3600")
	wait, err := Start(cmd, endAt{cancel}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := wait(); err == nil || ctx.Err() == nil {
		t.Errorf("it ends with %v", err)
	}
}

// endAt ends a command that prints.
type endAt struct{ end func() }

func (e endAt) Write(b []byte) (int, error) {
	e.end()
	return len(b), nil
}
