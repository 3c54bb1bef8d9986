package sim

// Programs that do not end.

import (
	"fmt"
	"strings"
)

// Deadlock lists the threads that wait forever, and for what.
type Deadlock struct {
	At float64 // time of the last activity, ns
	// Result covers the time until then; waiting threads have no end.
	Result *Result
	Waits  []Blocked
	// Teams: threads wait for others of their OpenMP team.
	Teams bool
}

// Blocked is a waiting thread.
type Blocked struct {
	Thread string // ptask, task and thread as Paraver numbers them
	Task   int32
	Since  float64 // ns
	Record int     // from 1, within the thread
	What   string
}

// Error names the first few threads.
func (d *Deadlock) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock at %.9f s: ", d.At/1e9)
	const most = 4
	for i, w := range d.Waits {
		if i == most {
			fmt.Fprintf(&b, "; and %d more", len(d.Waits)-most)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "thread %s waits at its record %d: %s", w.Thread, w.Record, w.What)
	}
	if d.Teams {
		b.WriteString(" (as in Dimemas, all threads of a task are one team: parallel regions of fewer threads, or within " +
			"one another, cannot be simulated)")
	}
	return b.String()
}
