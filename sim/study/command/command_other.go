//go:build !unix

package command

import (
	"io"
	"os/exec"
	"time"
)

// Start starts a command that prints to two writers. wait returns when the command has ended. It waits up to a second
// for processes left behind.
func Start(cmd *exec.Cmd, stdout, stderr io.Writer) (wait func() error, err error) {
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdout, stderr, time.Second
	return cmd.Wait, cmd.Start()
}
