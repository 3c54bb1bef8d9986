package stat

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"pview/prv"
	"pview/semantic/label"
)

// Table is a histogram's answer: planes of rows of cells. It keeps the sums for every statistic of its kind, so that
// With and Sorted cost next to nothing. A Table is immutable and safe for concurrent use.
//
// Only cells into which something fell exist. The others read 0 but do not count
// in the totals.
type Table struct {
	Statistic *Statistic
	Unit      string // of the values: "us", "%", "bytes"; "" for plain numbers and values of the data window

	Level   prv.Level
	Rows    []Row
	Columns []Column // as shown: in the order of Sort, without those hidden in all planes
	Planes  []Plane  // one without a third dimension
	Third   bool     // there is a third dimension

	Vertical bool // columns are written as rows
	Plane    int  // the plane shown

	// Begin and End are the counted range, in units of the trace.
	Begin, End int64
	// Dropped says that the control window had values other than 0 outside of the
	// columns. (Paraver: "control limits not fitted".)
	Dropped bool

	all    *result
	values [][]float64 // of existing cells, by row: see rowCells
}

// Row is an object of the control window.
type Row struct {
	Object int    // 0-based
	Name   string // that of the .row, or the one that Paraver builds
}

// Column is a column, or the range of values of a plane.
type Column struct {
	Index int    // number in the scale, 0-based; the partner's in statistics of communications
	Name  string // of the value or the object; "" if the column is a range of values or a time: see Label
	Unit  string // of the column's time; "" if it is no time
	// Low and High limit the values: low <= v < high. Not set in statistics of
	// communications.
	Low, High float64
	Closed    bool // High belongs to the column
	// short marks a last column whose width, through rounding, ends before the maximum. Paraver writes it as open.
	short bool
}

// Plane is a plane of a table.
type Plane struct {
	Column
	Cells    int     // that exist
	Min, Max float64 // extremes of the existing cells; 0 if none
	// Totals are, by Total, the figures of each column shown.
	Totals [numTotals][]float64
	// RowTotals are, by Total, the figures of each row.
	RowTotals [numTotals][]float64
	// Hidden marks the shown columns that this plane hides; nil if none.
	Hidden []bool
}

// Hides reports whether the plane hides a column, by its position in Columns.
func (p *Plane) Hides(column int) bool { return p.Hidden != nil && p.Hidden[column] }

// Cell returns the value at positions in Planes, Rows and Columns; ok is false if nothing fell into the cell, which
// reads 0.
func (t *Table) Cell(plane, row, column int) (v float64, ok bool) {
	return t.at(plane, row, t.Columns[column].Index)
}

func (t *Table) at(plane, row, index int) (v float64, ok bool) {
	k, ok := slices.BinarySearch(t.all.cells(row), int32(plane*t.all.job.columns+index))
	if !ok {
		return 0, false
	}
	return t.values[row][k], true
}

// Used marks the shown columns that have a cell in a plane.
func (t *Table) Used(plane int) []bool {
	n := t.all.job.columns
	has := make([]bool, n)
	for row := range t.Rows {
		for _, c := range t.all.cells(row) {
			if int(c)/n == plane {
				has[int(c)%n] = true
			}
		}
	}
	used := make([]bool, len(t.Columns))
	for i := range used {
		used[i] = has[t.Columns[i].Index]
	}
	return used
}

// UsedRows marks the rows that have a cell in a plane and a shown column.
func (t *Table) UsedRows(plane int) []bool {
	n := t.all.job.columns
	shown := make([]bool, n)
	for i := range t.Columns {
		shown[t.Columns[i].Index] = true
	}
	used := make([]bool, len(t.Rows))
	for row := range used {
		used[row] = slices.ContainsFunc(t.all.cells(row), func(c int32) bool {
			return int(c)/n == plane && shown[int(c)%n]
		})
	}
	return used
}

// With returns the table with another statistic of the same kind: of communications, or not. The order and the choice
// of columns stay.
func (t *Table) With(statistic string) (*Table, error) {
	s, ok := Lookup(statistic)
	if !ok {
		return nil, fmt.Errorf("unknown statistic %q", statistic)
	}
	if s.Comms != t.Statistic.Comms {
		return nil, fmt.Errorf("statistic %s needs the histogram to be recomputed: it is of another kind than %s",
			s.Name, t.Statistic.Name)
	}
	return t.all.table(s, t.all.job.h.Sort), nil
}

// Sorted returns the table with its columns in another order.
func (t *Table) Sorted(s Sort) *Table { return t.all.table(t.Statistic, s) }

// Entry is a number of a table with the names of its place.
type Entry struct {
	Plane, Row, Column string
	Value              float64
}

// Entries goes through the table as Paraver's command-line tool writes it: planes with cells (named "-" if there is
// only one in the scale, or no third dimension), rows, then the totals, without the columns that the plane hides. In a
// vertical table rows and columns are swapped. Limits of columns are written with the given number of decimals.
func (t *Table) Entries(precision int) iter.Seq[Entry] {
	rows, columns := make([]string, len(t.Rows)), make([]string, len(t.Columns))
	for i := range rows {
		rows[i] = t.Rows[i].Name
	}
	for i := range columns {
		columns[i] = t.Columns[i].Label(precision)
		if t.all.job.h.ShortNames {
			columns[i] = short(columns[i])
		}
	}
	return func(yield func(Entry) bool) {
		for p := range t.Planes {
			plane := &t.Planes[p]
			if t.Third && plane.Cells == 0 {
				continue
			}
			name := "-"
			if len(t.Planes) > 1 {
				name = plane.Label(precision)
			}
			if !t.entries(p, name, rows, columns, yield) {
				return
			}
		}
	}
}

// short returns a name without the place in the source, which follows in brackets.
func short(name string) string {
	if i := strings.IndexByte(name, '['); i > 0 {
		return name[:i]
	}
	return name
}

// entries yields the entries of a plane.
func (t *Table) entries(p int, plane string, rows, columns []string, yield func(Entry) bool) bool {
	totals := &t.Planes[p].Totals
	if t.Vertical {
		rows, columns = columns, rows
		totals = &t.Planes[p].RowTotals
	}
	for r := range rows {
		for c := range columns {
			row, column := r, c
			if t.Vertical {
				row, column = c, r
			}
			if t.Planes[p].Hides(column) {
				continue
			}
			v, _ := t.Cell(p, row, column)
			if !yield(Entry{plane, rows[r], columns[c], v}) {
				return false
			}
		}
	}
	for _, total := range Totals {
		for c := range columns {
			if !t.Vertical && t.Planes[p].Hides(c) {
				continue
			}
			if !yield(Entry{plane, total.String(), columns[c], totals[total][c]}) {
				return false
			}
		}
	}
	return true
}

// result holds the sums of a histogram, from which its tables are built.
type result struct {
	job     *job
	columns []Column // of the whole scale
	sem     []rowCells[sums]
	comm    []rowCells[commSums]
	totals  []whole // by row and plane
}

// cells returns the numbers of a row's existing cells.
func (r *result) cells(row int) []int32 {
	if r.comm != nil {
		return r.comm[row].cell
	}
	return r.sem[row].cell
}

// table makes the table of a statistic.
func (r *result) table(s *Statistic, order Sort) *Table {
	j := r.job
	t := &Table{Statistic: s, Unit: r.unit(s), Level: j.h.Control.Level, Third: j.third != nil, Vertical: j.h.Vertical,
		Begin: j.begin, End: j.end, Dropped: j.dropped.Load(), all: r}
	for _, o := range j.rows {
		t.Rows = append(t.Rows, Row{o, j.t.Name(t.Level, o)})
	}
	t.values = make([][]float64, len(j.rows))
	for i := range t.values {
		t.values[i] = r.evaluate(s, i)
	}
	t.Planes = make([]Plane, j.planes.n)
	if t.Third {
		t.Plane = max(0, j.planes.column(j.h.Plane))
		for p, c := range j.planes.list(label.Of(j.h.Third, j.t)) {
			t.Planes[p].Column = c
		}
	}
	byColumn := t.total()
	t.arrange(order, byColumn)
	return t
}

func (r *result) unit(s *Statistic) string {
	switch s.kind {
	case percent:
		return "%"
	case controlTime:
		return r.job.h.Control.Unit.String()
	case bytesKind:
		return "bytes"
	}
	return ""
}

// evaluate computes the values of the cells of a row.
func (r *result) evaluate(s *Statistic, row int) []float64 {
	if s.Comms {
		list := r.comm[row].list
		v := make([]float64, len(list))
		for k := range list {
			x := frame{control: r.job.controlTime}
			v[k] = s.comm(&list[k], &x)
		}
		return v
	}
	cells := &r.sem[row]
	v := make([]float64, len(cells.list))
	for k := range cells.list {
		x := r.frame(row, int(cells.cell[k])/r.job.columns)
		v[k] = s.value(&cells.list[k], &x)
	}
	return v
}

// frame returns the context for the statistics of a row's cells in a plane.
func (r *result) frame(row, plane int) frame {
	j := r.job
	return frame{
		whole:   r.totals[row*j.planes.n+plane],
		length:  float64(j.end-j.begin) - j.late - j.early,
		control: j.controlTime,
		data:    j.dataTime,
	}
}

// undefined reports whether the k-th cell of a row, in a plane, reads 0 because the statistic
// does not exist there.
func (r *result) undefined(s *Statistic, row, plane, k int) bool {
	if s.undefined == nil {
		return false
	}
	x := r.frame(row, plane)
	return s.undefined(&r.sem[row].list[k], &x)
}

// tally gathers the totals of a column, or of a row.
type tally struct {
	n                     int
	sum, square, max, min float64
	undefined             bool // a value does not exist and reads 0
}

func (y *tally) add(v float64) {
	if y.n == 0 || v > y.max {
		y.max = v
	}
	if v != 0 && (y.min == 0 || v < y.min) {
		y.min = v
	}
	y.n++
	y.sum += v
	y.square += v * v
}

// isZero reports whether the total of a column is 0: HideEmpty then hides it, even if values merely cancel.
func (y *tally) isZero() bool { return y.sum == 0 && !y.undefined }

// figures returns the totals, by Total.
func (y *tally) figures() (f [numTotals]float64) {
	f[Sum], f[Maximum], f[Minimum] = y.sum, y.max, y.min
	if y.n > 0 {
		f[Average] = y.sum / float64(y.n)
		f[StDev] = deviation(float64(y.n), y.sum, y.square)
	}
	f[AvgMax] = f[Average] / f[Maximum]
	return f
}

// total fills in the totals of the planes and of their rows, and returns the totals of all columns, by plane.
func (t *Table) total() [][]tally {
	columns := t.all.job.columns
	byColumn := make([][]tally, len(t.Planes))
	for p := range byColumn {
		for k := range t.Planes[p].RowTotals {
			t.Planes[p].RowTotals[k] = make([]float64, 0, len(t.values))
		}
		byColumn[p] = make([]tally, columns)
	}
	byRow := make([]tally, len(t.Planes))
	for i, values := range t.values {
		clear(byRow)
		for k, c := range t.all.cells(i) {
			p, v := int(c)/columns, values[k]
			column := &byColumn[p][int(c)%columns]
			column.add(v)
			column.undefined = column.undefined || t.all.undefined(t.Statistic, i, p, k)
			byRow[p].add(v)
			t.Planes[p].see(v)
		}
		for p := range t.Planes {
			t.Planes[p].RowTotals = appendFigures(t.Planes[p].RowTotals, &byRow[p])
		}
	}
	return byColumn
}

func appendFigures(to [numTotals][]float64, y *tally) [numTotals][]float64 {
	for total, v := range y.figures() {
		to[total] = append(to[total], v)
	}
	return to
}

func (p *Plane) see(v float64) {
	if p.Cells++; p.Cells == 1 {
		p.Min, p.Max = v, v
	}
	p.Min, p.Max = min(p.Min, v), max(p.Max, v)
}

// arrange chooses and orders the columns shown, and fills in their totals.
func (t *Table) arrange(order Sort, byColumn [][]tally) {
	if t.Third && t.Planes[t.Plane].Cells == 0 {
		order.On = false // nothing to sort by
	}
	columns := order.columns(len(t.all.columns), byColumn[t.Plane])
	hidden := make([][]bool, len(t.Planes)) // by plane and position in columns
	for p := range hidden {
		hidden[p] = t.hidden(columns, byColumn[p])
	}
	for p := range t.Planes {
		totals := &t.Planes[p].Totals
		for k := range totals {
			totals[k] = make([]float64, 0, len(columns))
		}
	}
	for i, c := range columns {
		if !slices.ContainsFunc(hidden, func(list []bool) bool { return !list[i] }) {
			continue
		}
		t.Columns = append(t.Columns, t.all.columns[c])
		for p := range t.Planes {
			plane := &t.Planes[p]
			plane.Totals = appendFigures(plane.Totals, &byColumn[p][c])
			if t.all.job.h.HideEmpty {
				plane.Hidden = append(plane.Hidden, hidden[p][i])
			}
		}
	}
}

// hidden marks the columns that a plane hides: those whose total is 0. If columns are sorted in three dimensions,
// Paraver shows the same number of columns, but takes the first ones in the order of the selected plane.
func (t *Table) hidden(columns []int, totals []tally) []bool {
	list := make([]bool, len(columns))
	if !t.all.job.h.HideEmpty {
		return list
	}
	shown := 0
	for i, c := range columns {
		if list[i] = totals[c].isZero(); !list[i] {
			shown++
		}
	}
	if t.Third && t.all.job.h.Sort.On {
		for i := range list {
			list[i] = i >= shown
		}
	}
	return list
}

// columns returns the order of n columns. Paraver sorts from the greatest to the least, with the later of equal ones
// first; in reverse, from the least to the greatest, with the earlier first. Without a sort, Reverse reverses the
// columns as they are.
func (s *Sort) columns(n int, totals []tally) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	switch {
	case !s.On:
		if s.Reverse {
			slices.Reverse(list)
		}
		return list
	case strings.EqualFold(s.By, customOrder):
		return s.custom(n)
	}
	by, _ := LookupTotal(s.By)
	key := make([]float64, n)
	for i := range key {
		if key[i] = totals[i].figures()[by]; math.IsNaN(key[i]) {
			key[i] = 0
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case key[a] < key[b]:
			return -1
		case key[a] > key[b]:
			return 1
		}
		return 0
	})
	if !s.Reverse {
		slices.Reverse(list)
	}
	return list
}

// customOrder is the name, among the totals, of the user's own order.
const customOrder = "Custom"

// custom returns the columns that the user named, followed by the others.
func (s *Sort) custom(n int) []int {
	var list []int
	seen := make([]bool, n)
	for _, c := range s.Custom {
		if c >= 0 && c < n && !seen[c] {
			list, seen[c] = append(list, c), true
		}
	}
	for c := range seen {
		if !seen[c] {
			list = append(list, c)
		}
	}
	return list
}
