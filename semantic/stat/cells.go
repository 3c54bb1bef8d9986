package stat

import (
	"context"
	"fmt"
	"slices"

	"pview/prv"
)

// Interval is a piece of a row that went into a cell.
type Interval struct {
	Begin, End int64   // in units of the trace
	Control    float64 // value of the control window
	Data       float64 // value of the data window; the size in statistics of communications
}

// Bursts returns the contents of a cell of a histogram in order of time: its pieces or, for a statistic of
// communications, the times of its messages (as intervals of no length). plane and column are numbers in the scales
// (Column.Index), row is an object (Row.Object).
func Bursts(ctx context.Context, t *prv.Trace, h Histogram, plane, row, column int, opt Options) ([]Interval, error) {
	j, err := newJob(ctx, t, h, opt)
	if err != nil {
		return nil, err
	}
	return j.behind(ctx, plane, row, column)
}

func (j *job) behind(ctx context.Context, plane, row, column int) ([]Interval, error) {
	if !slices.Contains(j.rows, row) || plane < 0 || plane >= j.planes.n || column < 0 || column >= j.columns {
		return nil, fmt.Errorf("histogram %q has no cell (%d, %d, %d)", j.h.Name, plane, row, column)
	}
	j = j.again([]int{row})
	if j.statistic.Comms {
		return j.messages(ctx, plane, row, column)
	}
	w, err := j.walker(ctx, row)
	if err != nil {
		return nil, err
	}
	var list []Interval
	w.visit = func(p, c int, begin, end int64, control, data float64) {
		if p == plane && c == column {
			list = append(list, Interval{begin, end, control, data})
		}
	}
	w.walk()
	return list, nil
}

// messages returns the contents of a cell of a statistic of communications.
func (j *job) messages(ctx context.Context, plane, row, column int) ([]Interval, error) {
	if j.h.noMessages() {
		return nil, nil
	}
	var third bursts
	if j.third != nil {
		var err error
		if third, err = j.third.row(ctx, row); err != nil {
			return nil, err
		}
	}
	partner, entries, err := j.entries(ctx)
	if err != nil {
		return nil, err
	}
	var list []Interval
	for _, e := range entries[row] {
		t := j.time(e.entry)
		if int(partner(e.entry)) != column || j.third != nil && j.plane(&third, e.from) != plane {
			continue
		}
		list = append(list, Interval{Begin: t, End: t, Data: float64(j.t.Comms.Size[e.comm()])})
	}
	slices.SortStableFunc(list, func(a, b Interval) int { return int(a.Begin - b.Begin) })
	return list, nil
}
