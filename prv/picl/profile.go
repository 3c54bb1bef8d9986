package picl

// Statistics: the tracer's sums per processor, in files without events.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"pview/prv"
	"pview/prv/extrae/system"
)

// measure is the subject of a record of statistics.
type measure struct {
	who
	record, event int32
}

// measured is a sum with its time: the latest one counts.
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

// sums returns the statistics ordered by processor, process, event and kind.
func (r *reader) sums() (list []system.Sum) {
	for m, v := range r.measured {
		list = append(list, system.Sum{Processor: m.processor, Process: m.process, Record: m.record,
			Event: m.event, Value: v.value})
	}
	slices.SortFunc(list, func(a, b system.Sum) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Process, b.Process),
			cmp.Compare(b.Event, a.Event), cmp.Compare(b.Record, a.Record))
	})
	return list
}

// Open reads a trace. Damaged lines are left out and counted in the notes of the trace; with strict the first is an
// error. For a file of statistics the error is a *system.StatisticsError that holds them.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	r := newReader(path, strict)
	if err := r.open(ctx, w.Progress); err != nil {
		return nil, err
	}
	if len(r.lanes) == 0 {
		return nil, &system.StatisticsError{File: path, Sums: r.sums(), Notes: r.notes()}
	}
	return build(ctx, r)
}
