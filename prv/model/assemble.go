package model

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"pview/prv/parallel"
)

// Assemble makes a trace from existing columns: states and events of each thread, and communications in file order. It
// is for programs that know the lengths beforehand; a Builder takes records one by one. Like a Builder, it sorts
// records that are not in time order. From then on the columns belong to the trace; those of events may be shared with
// other traces if they are in time order. The error is a mistake of the caller, or ctx.Err().
func Assemble(ctx context.Context, h Header, threads []Thread, comms Comms) (*Trace, error) {
	if len(threads) != h.NumThreads() {
		return nil, fmt.Errorf("assembling a trace: columns of %d threads, not %d", len(threads), h.NumThreads())
	}
	t := &Trace{Date: h.Date, Unit: h.Unit, HeaderEnd: h.End, Duration: h.End, Resources: h.Resources,
		Communicators: h.Communicators,
		Threads:       threads, Comms: comms, Labels: &Labels{}, Names: &Names{}}
	t.Counts = &Counted{Of: t}
	workers := runtime.GOMAXPROCS(0)
	last := make([]int64, len(threads))
	if err := parallel.Each(ctx, len(threads), workers, func(_, i int) (err error) {
		last[i], err = threads[i].complete()
		return err
	}); err != nil {
		return nil, err
	}
	for _, at := range last {
		t.Duration = max(t.Duration, at)
	}
	t.DropConstantCPUs()
	return t, t.OrderComms(ctx, &[4][]int32{}, workers)
}

// complete sorts the records, drops CPU columns that repeat th.CPU, and returns the last time.
func (th *Thread) complete() (last int64, err error) {
	s, e := &th.States, &th.Events
	if n, m := len(s.Begin), len(e.Time); len(s.End) != n || len(s.Value) != n || len(e.Type) != m ||
		e.Value.Len() != m || len(e.Lines) < (m+63)/64 {
		return 0, fmt.Errorf("assembling a trace: columns of a thread of unequal lengths")
	}
	if s.CPU = droppedIf(s.CPU, th.CPU); !slices.IsSorted(s.Begin) {
		s.FileOrder = make([]int32, len(s.Begin))
		s.Sort()
	}
	if e.CPU = droppedIf(e.CPU, th.CPU); !slices.IsSorted(e.Time) {
		e.Type, e.Value.Small = slices.Clone(e.Type), slices.Clone(e.Value.Small)
		e.Sort()
	}
	for _, end := range s.End {
		last = max(last, end)
	}
	if n := len(s.Begin); n > 0 {
		last = max(last, s.Begin[n-1])
	}
	if n := len(e.Time); n > 0 {
		last = max(last, e.Time[n-1])
	}
	return last, nil
}

// droppedIf returns nil if all rows are on the given CPU.
func droppedIf(rows []int32, cpu int32) []int32 {
	if slices.ContainsFunc(rows, func(c int32) bool { return c != cpu }) {
		return rows
	}
	return nil
}
