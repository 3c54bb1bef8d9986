package prv

import (
	"os"
	"sync"
)

// Files are written under temporary names. A process that is killed while it writes has no time to end the writing, but
// enough to remove what is there of it.

var unfinished struct {
	sync.Mutex
	temps map[string]bool
}

// Unfinished notes the temporary name of a file that is being written, until finished is called.
func Unfinished(temp string) (finished func()) {
	unfinished.Lock()
	defer unfinished.Unlock()
	if unfinished.temps == nil {
		unfinished.temps = map[string]bool{}
	}
	unfinished.temps[temp] = true
	return func() {
		unfinished.Lock()
		defer unfinished.Unlock()
		delete(unfinished.temps, temp)
	}
}

// RemoveUnfinished removes files that are still being written: for the end of the process.
func RemoveUnfinished() {
	unfinished.Lock()
	defer unfinished.Unlock()
	for temp := range unfinished.temps {
		os.Remove(temp)
	}
}
