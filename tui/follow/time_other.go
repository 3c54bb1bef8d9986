//go:build !unix

package follow

import "time"

var start = time.Now()

// processorTime returns the time since the program began, which is at least the processor time of one core.
func processorTime() time.Duration { return time.Since(start) }
