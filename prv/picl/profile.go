package picl

// Statistics: what a tracer summed per processor, in files without events.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"pview/prv"
)

// Types of statistics.
const (
	TimeIn        = -101 // seconds
	CountOf       = -102
	BytesSent     = -103
	BytesReceived = -104
	BytesOf       = -105 // volume in either direction
)

// measure is what a record of statistics is about.
type measure struct {
	who
	record, event int32
}

// measured is a sum and when it was taken: the last one counts.
type measured struct {
	time  int64
	value float64
}

// takeMeasure keeps a record of statistics.
func (r *reader) takeMeasure(f *frame) error {
	if len(f.data) == 0 {
		return errShort
	}
	v, err := strconv.ParseFloat(f.data[0], 64)
	if err != nil || !(v >= 0 && v < 1e18) {
		return fmt.Errorf("%q: must be a number >= 0", f.data[0])
	}
	m := measure{f.who, f.record, f.event}
	if old, ok := r.measured[m]; !ok || f.time >= old.time {
		r.measured[m] = measured{f.time, v}
	}
	return nil
}

// Sum is a statistic of a process: of a system event, of a user event (Event >= 0), or of one of the sets of them below
// -1000.
type Sum struct {
	Processor, Process int32
	Record             int32 // TimeIn ... BytesOf
	Event              int32
	Value              float64
}

// Aliases are the sets of events that statistics can be about, with their classes.
var Aliases = map[int32]Class{-1011: Collective, -1012: Transmit, -1013: Receive, -1201: InputOutput,
	-1401: Synchronise, -1501: Allocate, -1601: Generic, -1901: TracingClass}

// AllEvents is the set of all system events.
const AllEvents = -1002

// StatisticsError says that a file has sums, and no events: it can be characterised, but there is no timeline.
type StatisticsError struct {
	File string
	Sums []Sum
	// Notes are remarks on the file.
	Notes []prv.Note
}

func (e *StatisticsError) Error() string {
	return e.File +
		": has statistics only, which have no times: there is no timeline; pview workload characterises them"
}

// sums are the statistics in order of processor, process, event and kind.
func (r *reader) sums() (list []Sum) {
	for m, v := range r.measured {
		list = append(list, Sum{m.processor, m.process, m.record, m.event, v.value})
	}
	slices.SortFunc(list, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Process, b.Process),
			cmp.Compare(b.Event, a.Event), cmp.Compare(b.Record, a.Record))
	})
	return list
}

// Open reads a trace. Damaged lines are left out and counted in the notes of the trace; with strict the first is an
// error. A file of statistics is a *StatisticsError, which has them.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	r := newReader(path, strict)
	if err := r.open(ctx, w.Progress); err != nil {
		return nil, err
	}
	if len(r.lanes) == 0 {
		return nil, &StatisticsError{File: path, Sums: r.sums(), Notes: r.notes()}
	}
	return build(ctx, r)
}
