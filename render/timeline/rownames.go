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

// each calls f with the rows of each line, of at most a thousand lines.
func (w rowNames) each(f func(lo, hi int)) {
	step := max(w.l.Sublines()/1000, 1)
	for y := 0; y < w.l.Lines; y += step {
		switch lo, hi := w.rowsOn(y); {
		case lo >= hi:
		case w.l.HasLines():
			f(lo, lo+1)
			f(hi-1, hi)
		default:
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
func (w rowNames) short(row int) string {
	return strings.TrimPrefix(w.RowName(row), w.Paint.shared)
}

// rowsOn returns the rows lo..hi-1 on a line of the screen.
func (w rowNames) rowsOn(y int) (lo, hi int) {
	split := max(w.l.Split, 1)
	lo, hi = w.l.RowsAt(y * split)
	for s := y*split + 1; s < (y+1)*split; s++ {
		if a, b := w.l.RowsAt(s); a < b {
			hi = b
		}
	}
	return lo, min(hi, w.Rows(w.Trace.Data))
}

// ofLine names the rows on one line: "1.1.1", "1.1.1-2".
func (w rowNames) ofLine(lo, hi int) string {
	first := w.short(lo)
	if hi-lo < 2 {
		return first
	}
	last := w.short(hi - 1)
	same := 0 // length of the common prefix
	for i := 0; i < min(len(first), len(last)) && first[i] == last[i]; i++ {
		if c := first[i]; c == '.' || c == ' ' || c == '-' || c == '_' {
			same = i + 1
		}
	}
	return first + "-" + last[same:]
}
