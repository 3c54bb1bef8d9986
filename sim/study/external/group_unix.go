//go:build unix

package external

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// grouped puts a command into its own process group, which is killed as a whole. All its processes hold the lock.
func grouped(cmd *exec.Cmd, lock *os.File) {
	cmd.ExtraFiles = []*os.File{lock}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// suspended stops the group while hold blocks.
func suspended(cmd *exec.Cmd, hold func()) {
	free := make(chan struct{})
	go func() {
		hold()
		close(free)
	}()
	select {
	case <-free:
		return
	case <-time.After(lookEvery): // hold returns immediately unless the run is suspended
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGSTOP)
	<-free
	syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT)
}
