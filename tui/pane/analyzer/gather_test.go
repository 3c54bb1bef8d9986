package analyzer

import (
	"testing"

	"pview/render/raster"
)

// Each of 5000 rows has its number modulo 1000 as value, but row 3333 has 7777; the second column is empty. 512 groups
// have 10 rows each (5000 / 512 = 9.8). Rows 40 to 49 share the greatest value 49; any number of groups, with further
// rows, gives the same as looking at all rows.
func TestGather(t *testing.T) {
	s := &Sheet{Rows: make([]Header, 5000), Columns: make([]Header, 2)}
	s.at = func(row, column int) (float64, bool) {
		if row == 3333 {
			return 7777, column == 0
		}
		return float64(row % 1000), column == 0
	}
	for i := range s.Rows {
		s.Rows[i].from = i
	}
	s.Columns[1].from = 1
	plain := *s
	s.gather()
	if s.groups.size != 10 {
		t.Fatalf("groups of %d rows", s.groups.size)
	}
	if v := s.most(40, 10, 0); v != 49 {
		t.Errorf("rows 40 to 49: %v", v)
	}
	for _, r := range [][2]int{{0, 5000}, {3, 19}, {3330, 10}, {3331, 2}, {4990, 100}, {4995, 5}, {990, 20}, {0, 1}} {
		if got, want := s.most(r[0], r[1], 0), plain.most(r[0], r[1], 0); got != want {
			t.Errorf("%d rows from %d: %v, want %v", r[1], r[0], got, want)
		}
		if v := s.most(r[0], r[1], 1); !raster.IsAbsent(v) {
			t.Errorf("%d rows from %d of an empty column: %v", r[1], r[0], v)
		}
	}
	if row := s.standsOut(3300, 100, 0); row != 3333 {
		t.Errorf("row %d stands out", row)
	}
	// 20 lines of two halves: 5000 / 40 = 125 rows each, in whole groups 130; 13 lines of one: 385, 390.
	if a, b := s.perHalf(20, 2), s.perHalf(13, 1); a != 130 || b != 390 {
		t.Errorf("%d and %d rows", a, b)
	}
	plain.Rows = plain.Rows[:30]
	if n := plain.perHalf(20, 2); n != 1 {
		t.Errorf("%d of 30 rows in each of 40 halves", n)
	}
}
