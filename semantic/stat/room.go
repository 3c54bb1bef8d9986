package stat

import (
	"fmt"
	"unsafe"
)

// The memory of a histogram and its limit. Columns, rows and planes are claims of a file, whatever falls into them;
// existing cells are counted as they are found.

// mostFrame bounds the bytes of columns, rows and planes, however much memory there is: beyond it, a table is too large
// to read.
const mostFrame = 1 << 30

// Bytes that a plane takes (the slices of its totals are allocated one by one), a column, once and in each plane; a row
// in each plane, and an existing cell.
const (
	planeBytes       = int64(unsafe.Sizeof(Plane{})) + 2*int64(unsafe.Sizeof(Column{})) + 2*int64(numTotals)*16 + 16
	columnBytes      = 2*int64(unsafe.Sizeof(Column{})) + 4*8
	planeColumnBytes = int64(unsafe.Sizeof(tally{})) + int64(numTotals)*8 + 2
	planeRowBytes    = int64(unsafe.Sizeof(whole{})) + int64(numTotals)*8
	cellBytes        = int64(unsafe.Sizeof(sums{})) + 3*4 + 8
)

// frameBytes returns how many bytes the table takes without its cells.
func (j *job) frameBytes() int64 {
	columns, planes, rows := int64(j.columns), int64(j.planes.n), int64(len(j.rows))
	return planes*planeBytes + columns*columnBytes + columns*planes*(planeColumnBytes+4*int64(j.opt.Workers)) +
		rows*planes*planeRowBytes
}

// fits rejects a table that is too large, before allocating any of it.
func (j *job) fits() error {
	limit, why := int64(mostFrame), "a histogram can have"
	if m := j.opt.Memory; m > 0 && m < limit {
		limit, why = m, "--memory allows"
	}
	if need := j.frameBytes(); need > limit {
		return fmt.Errorf(
			"%d columns, %d planes and %d rows take %d MB, more than the %d MB that %s: choose fewer columns",
			j.columns, j.planes.n, len(j.rows), need>>20, limit>>20, why)
	}
	return nil
}

// found counts a row's existing cells, and fails if there are too many.
func (j *job) found(n int) error {
	cells := j.cells.Add(int64(n))
	if m := j.opt.Memory; m > 0 && cells*cellBytes > m {
		return fmt.Errorf(
			"histogram %q: more than %d cells with values take more than the %d MB that --memory allows: choose "+
				"fewer columns or rows", j.h.Name, m/cellBytes, m>>20)
	}
	return nil
}
