package e2e

import (
	"os"
	"syscall"
	"testing"

	"pview/cli/vt"
)

// Whatever ends the viewer, the terminal is given back.
func TestTerminalIsGivenBack(t *testing.T) {
	tests := []struct {
		name string
		end  func(tm *terminal)
		by   syscall.Signal // that the process dies of; 0 for none
	}{
		{"q", func(tm *terminal) { tm.press("q") }, 0},
		{"Ctrl+C", func(tm *terminal) { tm.press(keyCtrlC) }, 0},
		{"SIGTERM", func(tm *terminal) { tm.signal(syscall.SIGTERM) }, syscall.SIGTERM},
		{"SIGINT", func(tm *terminal) { tm.signal(os.Interrupt) }, syscall.SIGINT},
		{"SIGHUP", func(tm *terminal) { tm.signal(syscall.SIGHUP) }, syscall.SIGHUP},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tm := start(t, 80, 24, nil)
			tm.await("alternate screen", func(s *vt.Screen) bool { return s.Modes[vt.ModeAltScreen] })
			tm.awaitText("pview")
			test.end(tm)
			status := tm.end()
			if test.by == 0 && (!status.Exited() || status.ExitStatus() != 0) {
				t.Errorf("it ended with %#x, want exit status 0", status)
			}
			if test.by != 0 && (!status.Signaled() || status.Signal() != test.by) {
				t.Errorf("it ended with %#x, want signal %v", status, test.by)
			}
			tm.checkGivenBack()
			tm.checkUnderstood()
		})
	}
}
