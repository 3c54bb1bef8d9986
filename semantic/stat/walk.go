package stat

import (
	"context"
	"math"
	"slices"
)

// Finding the pieces of a histogram.
//
// The rows of the control, the third and the data window are walked together, once, each from burst to burst:
//
//	control  |----------------|---------|--------------------|
//	third    |-----------------------|-----------------------|
//	data     |-------|-----------|--------|----------|-------|
//	pieces   |-------|--------|--|---|----|----------|-------|
//
// A piece is as long as none of the three changes, and goes into one cell. In Paraver's order of counting, bursts of
// the control or data window without length do not count. Rows are independent, and one worker does a whole row, so
// sums are added in the same order whatever the number of workers.

// pieces computes the cells of all rows, and the sums of whole rows by plane.
func (j *job) pieces(ctx context.Context, totals []whole) ([]rowCells[sums], error) {
	rows := make([]rowCells[sums], len(j.rows))
	stores := make([]store[sums], j.opt.Workers)
	err := j.each(ctx, len(j.rows), func(worker, i int) error {
		w, err := j.walker(ctx, j.rows[i])
		if err != nil {
			return err
		}
		w.store = &stores[worker]
		w.totals = totals[i*j.planes.n : (i+1)*j.planes.n]
		w.walk()
		if w.dropped {
			j.dropped.Store(true)
		}
		rows[i] = w.store.take()
		return j.found(len(rows[i].cell))
	})
	return rows, err
}

// walker walks the bursts of one row.
type walker struct {
	*job
	control, data, third bursts
	same                 bool // control and data are one window
	store                *store[sums]
	totals               []whole // by plane
	dropped              bool
	again                bool // the whole row already counts the piece
	// visit, when not nil, is called for each piece instead of counting it.
	visit func(plane, column int, begin, end int64, control, data float64)
}

func (j *job) walker(ctx context.Context, row int) (w *walker, err error) {
	w = &walker{job: j, same: j.data == j.control}
	if w.control, err = j.control.row(ctx, row); err != nil {
		return nil, err
	}
	w.data = w.control
	if !w.same {
		if w.data, err = j.data.row(ctx, row); err != nil {
			return nil, err
		}
	}
	if j.third != nil {
		w.third, err = j.third.row(ctx, row)
	}
	return w, err
}

// walk goes through the bursts of the control window that lie in the range.
func (w *walker) walk() {
	if w.store != nil {
		w.store.reset(w.columns * w.planes.n)
	}
	if w.h.Inclusive {
		w.walkInclusive()
		return
	}
	d, k := w.data.seek(w.begin), 0
	if w.job.third != nil {
		k = w.third.seek(w.begin)
	}
	for i := w.control.seek(w.begin); i < len(w.control.begin); i++ {
		begin, end := max(w.control.begin[i], w.begin), min(w.control.until(i), w.end)
		if begin >= w.end {
			break
		}
		if begin >= end {
			continue
		}
		v := w.control.value[i]
		column := w.scale.column(v)
		if column < 0 {
			w.dropped = w.dropped || v != 0
			continue
		}
		switch {
		case w.job.third != nil:
			d, k = w.inPlanes(column, v, begin, end, d, k)
		case w.same:
			w.piece(0, column, begin, end, v, v)
		default:
			d = w.inData(0, column, v, begin, end, d)
		}
	}
}

// inPlanes divides [begin,end), where the control window is v, at the third window's bursts. d and k are bursts of the
// data and the third window that begin no later than begin.
func (w *walker) inPlanes(column int, v float64, begin, end int64, d, k int) (int, int) {
	for begin < end {
		for k+1 < len(w.third.begin) && w.third.begin[k+1] <= begin {
			k++
		}
		until := end
		if k+1 < len(w.third.begin) {
			until = min(end, w.third.begin[k+1])
		}
		if plane := w.planes.column(w.third.value[k]); plane >= 0 {
			d = w.inData(plane, column, v, begin, until, d)
		}
		begin = until
	}
	return d, k
}

// inData divides [begin,end) at the data window's bursts.
func (w *walker) inData(plane, column int, v float64, begin, end int64, d int) int {
	for begin < end {
		for d+1 < len(w.data.begin) && w.data.begin[d+1] <= begin {
			d++
		}
		until := end
		if d+1 < len(w.data.begin) {
			until = min(end, w.data.begin[d+1])
		}
		w.piece(plane, column, begin, until, v, w.data.value[d])
		begin = until
	}
	return d
}

// piece counts a piece.
func (w *walker) piece(plane, column int, begin, end int64, control, data float64) {
	if w.visit != nil {
		w.visit(plane, column, begin, end, control, data)
		return
	}
	d := float64(end - begin)
	if begin == w.begin {
		d -= w.late
	}
	if end == w.end {
		d -= w.early
	}
	w.store.at(plane*w.columns+column).add(d, w.controlTime.of(d), w.dataTime.of(d), control, data)
	if w.again {
		return
	}
	t := &w.totals[plane]
	t.n++
	t.time += d
	if control != 0 {
		t.timeNot0 += d
	}
}

// reset prepares for a row of n cells.
func (s *store[S]) reset(n int) {
	if len(s.place) < n {
		s.place = make([]int32, n)
	}
	s.cell, s.list = s.cell[:0], s.list[:0]
}

// take returns the cells gathered, in order, and empties the store.
func (s *store[S]) take() rowCells[S] {
	slices.Sort(s.cell)
	r := rowCells[S]{cell: slices.Clone(s.cell), list: make([]S, len(s.list))}
	for k, c := range s.cell {
		r.list[k] = s.list[s.place[c]-1]
		s.place[c] = 0
	}
	return r
}

// extremes returns the least and the greatest value of a window in the range, over all rows, for an automatic scale.
// Zeros do not count for the least value unless Scale.Zero is set.
func (j *job) extremes(ctx context.Context, src *source, s Scale) (lo, hi float64, err error) {
	los, his := make([]float64, len(j.rows)), make([]float64, len(j.rows))
	err = j.each(ctx, len(j.rows), func(_, i int) error {
		b, err := src.row(ctx, j.rows[i])
		los[i], his[i] = b.extremes(j.begin, j.end, s)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	src.expect(j.rows)
	if lo, hi = slices.Min(los), slices.Max(his); lo > hi {
		return 0, 0, nil // nothing but zeros
	}
	return lo, hi, nil
}

// extremes returns those of a row. Paraver's maximum starts from 0, and its walk counts the burst at which it stops,
// the first that begins at the range's end or later. A scale with Bins, which is pview's own, does neither.
func (b *bursts) extremes(begin, end int64, s Scale) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if s.Bins == 0 {
		hi = 0
	}
	for i, past := b.seek(begin), false; i < len(b.begin) && !past; i++ {
		if past = b.begin[i] >= end; past && s.Bins > 0 {
			break
		}
		v := b.value[i]
		hi = max(hi, v)
		if v != 0 || s.Zero {
			lo = min(lo, v)
		}
	}
	return lo, hi
}
