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

// A signal that is ignored when the program starts, as by nohup and in background jobs, stays ignored: the work
// continues to its end.
func TestIgnoredSignals(t *testing.T) {
	for name, s := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a.prv", []byte(good))
			cmd := exec.Command("sh", "-c", "trap '' "+name+"; exec "+pview+" convert --no-index a.prv b.prv.gz")
			stderr, row := untilItWrites(t, dir, cmd)
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			for range 200 { // it continues to read
				if _, err := row.WriteString("x"); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
			row.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v: %s", err, stderr.String())
			}
			if got := strings.Join(names(t, dir), " "); got != "a.prv a.row b.prv.gz b.row" {
				t.Errorf("there are %s", got)
			}
		})
	}
}

// A program that is blocked in the system, opening a FIFO that nobody writes, still ends on a signal.
func TestSignalWhileBlocked(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			aPipe(t, filepath.Join(dir, "a.prv"))
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
