package filter

import "pview/prv"

// Pass is a Filter compiled for a trace: see EventPass and CommPass.
type Pass struct {
	Events EventPass
	Comms  CommPass
}

// Compile prepares f for the records of t. The numbers in From and To are objects of level; unit is the window's unit
// of time in units of the trace (1000 for microseconds on a trace in nanoseconds).
func (f *Filter) Compile(t *prv.Trace, level prv.Level, unit float64) *Pass {
	return &Pass{compileEvents(&f.Events, t.Labels), compileComms(&f.Comms, t, level, unit)}
}
