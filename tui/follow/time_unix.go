//go:build unix

package follow

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that the program has used; 0 if the system does not report it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
