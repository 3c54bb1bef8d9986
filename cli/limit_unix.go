//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit keeps the system from ending the process when a file reaches the
// size that ulimit -f allows.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
