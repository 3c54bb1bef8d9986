package analyzer

import "pview/render/raster"

// Rows that share a cell of a picture: if there are more rows than halves of lines in the picture, each half shows the
// greatest value of several rows, as a cell does of several columns, so that outliers among thousands are visible
// without scrolling.

// gathered has the greatest values of groups of rows, computed with the sheet in the background, so that a drawing
// looks at few rows.
type gathered struct {
	size   int       // rows of a group; 0: the sheet has so few rows that drawings look at them themselves
	values []float64 // by group and column; raster.Absent where no row has a value
}

const mostGroups = 512

// gather computes the greatest value of each group.
func (s *Sheet) gather() {
	if len(s.Rows) <= 2*mostGroups {
		return
	}
	size := (len(s.Rows) + mostGroups - 1) / mostGroups
	g := gathered{size: size}
	for row := 0; row < len(s.Rows); row += size {
		for column := range s.Columns {
			g.values = append(g.values, s.most(row, size, column))
		}
	}
	s.groups = g
}

// most returns the greatest value of n rows in a column; raster.Absent for none.
func (s *Sheet) most(row, n, column int) float64 {
	v, end := raster.Absent, min(row+n, len(s.Rows))
	see := func(x float64) {
		if raster.IsAbsent(v) || x > v {
			v = x
		}
	}
	for row < end {
		if g := &s.groups; g.size > 0 && row%g.size == 0 && (row+g.size <= end || end == len(s.Rows)) {
			if x := g.values[row/g.size*len(s.Columns)+column]; !raster.IsAbsent(x) {
				see(x)
			}
			row += g.size
			continue
		}
		if x, ok := s.Cell(row, column); ok {
			see(x)
		}
		row++
	}
	return v
}

// standsOut returns the first of n rows with the greatest value in a column: the row that a cell of several rows shows.
func (s *Sheet) standsOut(row, n, column int) int {
	most := s.most(row, n, column)
	for i := row; i < min(row+n, len(s.Rows)); i++ {
		if x, ok := s.Cell(i, column); ok && x == most {
			return i
		}
	}
	return row
}

// perHalf returns the number of rows that share a cell of a picture, so that all fit on the given lines of one or two
// cells.
func (s *Sheet) perHalf(lines, halves int) int {
	n := (len(s.Rows) + lines*halves - 1) / (lines * halves)
	if size := s.groups.size; size > 0 && n > 1 {
		n = (n + size - 1) / size * size
	}
	return max(n, 1)
}
