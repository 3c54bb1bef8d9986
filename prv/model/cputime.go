package model

import "slices"

// CPUTimeComment is the comment line of a trace whose times are CPU times.
const CPUTimeComment = "# pview: times are CPU times, without waits"

// CPUTime reports whether times are CPU times of each thread: computation lasts as on a dedicated processor, calls take
// no time, and times of different threads cannot be compared.
func (t *Trace) CPUTime() bool { return slices.Contains(t.Comments, CPUTimeComment) }
