package semantic

import (
	"slices"

	"pview/filter"
	"pview/prv"
)

// threadTable lists the thread functions by group.
var threadTable = slices.Concat(stateFunctions, eventFunctions)

// threadFunc computes the row of one thread.
type threadFunc func(x *threadRow, p params) bursts

// threadRow is what a thread function works on.
type threadRow struct {
	trace    *prv.Trace
	thread   int32
	pass     *filter.Pass
	clock    clock // trace times -> window's unit
	end      int64 // of the row
	fillGaps bool  // a state's end is a change to state 0
}

func (x *threadRow) records() *prv.Thread { return &x.trace.Threads[x.thread] }
