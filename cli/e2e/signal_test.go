//go:build unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal that is ignored when the program starts, as nohup and background jobs have it, stays ignored: the work goes
// on to its end.
func TestIgnoredSignals(t *testing.T) {
	for name, s := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a.prv", []byte(header+strings.Repeat(strings.TrimPrefix(manyEvents(), header), 20)))
			cmd := exec.Command("sh", "-c", "trap '' "+name+"; exec "+pview+" convert a.prv b.prv.gz")
			stderr := untilItWrites(t, dir, cmd)
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v: %s", err, stderr.String())
			}
			if got := names(t, dir); len(got) != 2 {
				t.Errorf("there are %v", got)
			}
		})
	}
}

// A program that is blocked in the system, opening a FIFO that nobody writes, still ends of a signal.
func TestSignalWhileBlocked(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := syscall.Mkfifo(filepath.Join(dir, "a.prv"), 0o600); err != nil {
				t.Skip(err)
			}
			cmd := exec.Command(pview, "info", "a.prv")
			cmd.Dir = dir
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			time.Sleep(300 * time.Millisecond) // it opens the FIFO; if it has not yet, the signal ends it as well
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				cmd.Wait()
				close(ended)
			}()
			select {
			case <-ended:
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != s {
				t.Errorf("it ended with %#x, want %v", status, s)
			}
		})
	}
}
