package timeline

import (
	"strings"

	"pview/render/raster"
)

// rowNames writes the names of the rows of a view beside the lines of a layout.
type rowNames struct {
	*View
	l raster.Layout
}

// each calls f with the rows of each line, for at most a thousand lines.
func (w rowNames) each(f func(lo, hi int)) {
	step := max(w.l.Sublines()/1000, 1)
	for y := 0; y < w.l.Lines; y += step {
		if lo, hi := w.rowsOn(y); lo < hi {
			f(lo, hi)
		}
	}
}

// common returns the common prefix of the names in view, up to its last blank: "THREAD " of "THREAD 1.1.1" and "THREAD
// 1.2.1". The heading shows the level.
func (w rowNames) common() string {
	shared, rows := "", 0
	w.each(func(lo, hi int) {
		for _, row := range [...]int{lo, hi - 1} {
			name := w.RowName(row)
			if rows++; rows == 1 {
				shared = name
			}
			n := 0
			for n < min(len(shared), len(name)) && shared[n] == name[n] {
				n++
			}
			shared = shared[:n]
		}
	})
	return shared[:strings.LastIndexByte(shared, ' ')+1]
}

// short returns the name of a row without the common prefix.
func (w rowNames) short(row int) string { return w.Short(w.RowName(row)) }

// Short returns the name of a row, or of an object of its level, as shown beside the rows.
func (w *View) Short(name string) string { return strings.TrimPrefix(name, w.Paint.shared) }

// rowsOn returns the rows lo..hi-1 on a line of the screen.
func (w rowNames) rowsOn(y int) (lo, hi int) {
	lo, hi = w.l.RowsAt(y * max(w.l.Split, 1))
	return lo, min(hi, w.Rows(w.Trace.Data))
}

// ofLine names the rows on one line: "1.1.1", "1.1.1-1.1.2".
func (w rowNames) ofLine(lo, hi int) string {
	if hi-lo < 2 {
		return w.short(lo)
	}
	return w.short(lo) + "-" + w.short(hi-1)
}
