package analyzer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/label"
	"pview/semantic/stat"
)

// A sheet is the layout of a table: its rows and columns in order, and the format of its numbers. It is immutable.
type Sheet struct {
	functions bool
	comms     bool // columns are partners
	Vertical  bool // rows and columns are swapped relative to the count
	Statistic *stat.Statistic
	unit      string // of all cells; "" where columns have their own
	Rows      []Header
	Columns   []Header
	Totals    [][]float64  // by total and column; NaN where there is none
	skipsZero bool         // Minimum does not count cells of 0, and there are some
	scale     raster.Scale // scale of the cells
	Hidden    int          // number of empty columns that are not shown
	start     [2]int       // initial row and column of the cursor
	dropped   bool         // the window has values outside of the columns
	begin     int64
	end       int64
	Planes    []Plane // that have cells, if there are three dimensions
	Plane     int     // the one shown, among them
	groups    gathered

	// of the counts: a cell, and a total of what is a column here (nil: of the cells)
	at  func(row, column int) (float64, bool)
	sum func(total stat.Total, from int) float64
}

// Plane is a plane that has cells.
type Plane struct {
	Name  string
	index int
	value float64
}

// Header is the head of a row or a column.
type Header struct {
	ID    int // object, number of the column, or of the function
	from  int // position in the counts
	Name  string
	doc   string
	unit  string
	coded bool    // stands for the one value low
	low   float64 // limits of the values that it stands for
	high  float64
	open  bool // high is excluded
	// digits is the number of decimals of its numbers, width the number of screen columns that they and the name need.
	digits, width int
}

// kind differs between sheets whose rows or columns are different things.
func (s *Sheet) kind() [3]bool { return [3]bool{s.functions, s.comms, s.Vertical} }

// Cell returns the value at a row and column of the sheet.
func (s *Sheet) Cell(row, column int) (float64, bool) {
	r, c := s.Rows[row].from, s.Columns[column].from
	if s.Vertical {
		r, c = c, r
	}
	return s.at(r, c)
}

// head returns the header that decides the number format of a column.
func (s *Sheet) head(row, column int) *Header {
	if s.Vertical && s.functions {
		return &s.Rows[row]
	}
	return &s.Columns[column]
}

// unitAt returns the unit of a cell.
func (s *Sheet) unitAt(row, column int) string {
	if s.functions {
		return s.head(row, column).unit
	}
	return s.unit
}

// Text writes the number of a cell; "-" if none.
func (s *Sheet) Text(row, column int) string {
	v, ok := s.Cell(row, column)
	if !ok {
		return "-"
	}
	return decimal(v, s.head(row, column).digits)
}

// decimal writes a number with the given decimals and with thousands separators.
func decimal(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0) || math.Abs(v) >= 1e15 || v != 0 && math.Abs(v) < 1e-9:
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return text
	}
	grouped := raster.FormatCount(n)
	if n == 0 && whole[0] == '-' {
		grouped = whole
	}
	if rest == "" {
		return grouped
	}
	return grouped + "." + rest
}

// arrange builds the sheet of an answer.
func (q *inquiry) arrange(ctx context.Context, c *counted) (*Sheet, error) {
	var s *Sheet
	if q.functions {
		s = q.functionSheet(c.rows)
	} else {
		var err error
		if s, err = q.histogramSheet(c.table); err != nil {
			return nil, err
		}
	}
	if q.setup.vertical {
		s.Vertical = true
		s.Rows, s.Columns = s.Columns, s.Rows
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.total()
	s.sortRows(q.setup.rowOrder)
	s.gather()
	s.measure(q.setup.hideSums)
	if st := s.Statistic; st != nil && st.Comms && st.Own { // the question is who is late
		s.start[0], s.start[1] = s.greatest()
	}
	return s, ctx.Err()
}

// objectHeaders lists the rows of an answer.
func objectHeaders(rows []stat.Row) []Header {
	list := make([]Header, len(rows))
	for i, r := range rows {
		list[i] = Header{ID: r.Object, from: i, Name: r.Name}
	}
	return list
}

// functionSheet has a column for each function of the analyzer.
func (q *inquiry) functionSheet(a *stat.Analysis) *Sheet {
	s := &Sheet{functions: true, begin: a.Begin, end: a.End, Rows: objectHeaders(a.Rows)}
	functions := stat.Functions()
	s.at = func(row, column int) (float64, bool) { return a.Value(row, &functions[column]) }
	for i := range functions {
		f := &functions[i]
		h := Header{ID: i, from: i, Name: f.Name, doc: f.Doc, unit: a.UnitOf(f)}
		var n numbersSeen
		for row := range a.Rows {
			if v, ok := a.Value(row, f); ok {
				n.see(v)
			}
		}
		if n.count == 0 && !q.setup.showEmpty {
			s.Hidden++
			continue
		}
		h.digits = n.digits(h.unit, q.setup.digits)
		s.Columns = append(s.Columns, h)
	}
	return s
}

// histogramSheet has a column for each that the histogram shows.
func (q *inquiry) histogramSheet(t *stat.Table) (*Sheet, error) {
	var err error
	if t.Statistic.Name != q.hist.Statistic {
		if t, err = t.With(q.hist.Statistic); err != nil {
			return nil, err
		}
	}
	at, planes := q.planesOf(t)
	if q.setup.order.On {
		t = t.Sorted(q.setup.order)
	}
	p := &t.Planes[at]
	s := &Sheet{
		Statistic: t.Statistic, comms: t.Statistic.Comms, unit: t.Unit, begin: t.Begin, end: t.End, dropped: t.Dropped,
		Rows: objectHeaders(t.Rows), scale: raster.Scale{Min: min(p.Min, 0), Max: p.Max},
		Planes: planes, at: func(row, column int) (float64, bool) { return t.Cell(at, row, column) },
	}
	if p.Min > 0 {
		s.scale.Min = p.Min
	}
	for i := range planes {
		if planes[i].index == at {
			s.Plane = i
		}
	}
	if s.unit == "" {
		s.unit = q.dataUnit(t)
	}
	s.sum = func(total stat.Total, from int) float64 {
		if q.setup.vertical {
			return p.RowTotals[total][from]
		}
		return p.Totals[total][from]
	}
	q.addColumns(s, t, p)
	if o := q.setup.order; t.Third && o.On && q.setup.fullest { // the order above belongs to another plane
		slices.SortStableFunc(s.Columns, func(a, b Header) int {
			return cmp.Compare(p.Totals[stat.Sum][b.from], p.Totals[stat.Sum][a.from])
		})
	}
	return s, nil
}

// addColumns adds the columns of a plane of a histogram, the empty ones if the setup asks for them.
func (q *inquiry) addColumns(s *Sheet, t *stat.Table, p *stat.Plane) {
	var n numbersSeen
	for c := range t.Columns { // sums of integers are integers
		n.fraction = n.fraction || p.Totals[stat.Sum][c] != math.Trunc(p.Totals[stat.Sum][c])
		n.see(p.Totals[stat.Maximum][c])
		n.see(p.Totals[stat.Minimum][c])
	}
	digits := n.digits(s.unit, q.setup.digits)
	for i, c := range t.Columns {
		if !q.setup.showEmpty && emptyColumn(t, i) {
			s.Hidden++
			continue
		}
		h := Header{ID: c.Index, from: i, Name: c.Label(limitDigits(&c)), low: c.Low, high: c.High, open: !c.Closed,
			digits: digits}
		h.coded = q.coded && !s.comms && c.Name != ""
		if h.coded {
			h.Name = q.valueName(q.hist.Control, &c, h.Name)
		}
		s.Columns = append(s.Columns, h)
	}
	for i := range s.Rows {
		s.Rows[i].digits = digits
	}
}

// valueName returns the name of a column or plane of one value: for yes or no as in the legend, since Paraver's names
// are those of states 0 and 1; kernels have short names.
func (q *inquiry) valueName(of *semantic.Window, c *stat.Column, name string) string {
	switch {
	case c.Name == "":
		return name
	case !timeline.IsSwitch(of):
		return label.Of(of, q.data).Shorten(name)
	}
	return cmp.Or(timeline.SwitchName(q.data.Labels, of, c.Low), name)
}

// limitDigits returns the decimals of a column's limits: enough to distinguish it from the next.
func limitDigits(c *stat.Column) int {
	width := c.High - c.Low
	if c.Low == math.Trunc(c.Low) && c.High == math.Trunc(c.High) || !(width > 0) {
		return -1
	}
	return min(max(1-int(math.Floor(math.Log10(width))), 0), 12)
}

// emptyColumn reports whether a column has no cell in any plane.
func emptyColumn(t *stat.Table, column int) bool {
	for p := range t.Planes {
		totals := &t.Planes[p].Totals
		if totals[stat.Sum][column] != 0 || totals[stat.Maximum][column] != 0 || totals[stat.Minimum][column] != 0 {
			return false
		}
		if !math.IsNaN(totals[stat.AvgMax][column]) {
			return false
		}
	}
	for p := range t.Planes {
		for row := range t.Rows {
			if _, ok := t.Cell(p, row, column); ok {
				return false
			}
		}
	}
	return true
}

// total returns the sum of the cells of a plane.
func total(p *stat.Plane) (sum float64) {
	for _, v := range p.Totals[stat.Sum] {
		sum += v
	}
	return sum
}

// planesOf lists the planes that have cells, and returns the one to show: that of the requested value, or the nearest
// that has cells.
func (q *inquiry) planesOf(t *stat.Table) (at int, list []Plane) {
	if !t.Third {
		return 0, nil
	}
	best := math.Inf(1)
	for i := range t.Planes {
		p := &t.Planes[i]
		if p.Cells == 0 {
			continue
		}
		list = append(list, Plane{q.valueName(q.hist.Third, &p.Column, p.Label(limitDigits(&p.Column))), i, p.Low})
		distance := 0.0
		switch v := q.setup.plane; {
		case v < p.Low:
			distance = p.Low - v
		case v >= p.High && !(p.Closed && v == p.High):
			distance = v - p.High + 1e-9
		}
		if q.setup.fullest {
			distance = -total(p)
		}
		if distance < best {
			at, best = i, distance
		}
	}
	return at, list
}

// dataUnit returns the unit of values of the data window.
func (q *inquiry) dataUnit(t *stat.Table) string {
	data := q.hist.Data
	if data == nil {
		data = q.hist.Control
	}
	switch t.Statistic.Name {
	case "Average value", "Maximum", "Minimum", "Average per Burst", "Average value != 0", "Average per Burst != 0",
		"Sum bursts":
		switch data.Meaning() {
		case semantic.Times:
			return data.Unit.String()
		case semantic.Bytes:
			return "bytes"
		}
	}
	return ""
}

// numbersSeen determines the number format.
type numbersSeen struct {
	count    int
	fraction bool
	most     float64
}

func (n *numbersSeen) see(v float64) {
	n.count++
	if v-v != 0 {
		return
	}
	n.fraction = n.fraction || v != math.Trunc(v)
	n.most = max(n.most, math.Abs(v))
}

// digits returns the decimals that numbers need: none for integers, two for percentages, else enough to show five
// digits of the greatest.
func (n *numbersSeen) digits(unit string, more int) int {
	d := 0
	switch {
	case !n.fraction:
	case unit == "%":
		d = 2
	case n.most > 0:
		d = min(max(4-int(math.Floor(math.Log10(n.most))), 1), 6)
	}
	return min(max(d+more, 0), 15)
}

// sortRows puts the rows in the requested order; rows without a value come last.
func (s *Sheet) sortRows(o rowOrder) {
	at := slices.IndexFunc(s.Columns, func(h Header) bool { return h.ID == o.column })
	if !o.on || at < 0 {
		return
	}
	type keyed struct {
		Header
		v  float64
		ok bool
	}
	list := make([]keyed, len(s.Rows))
	for r := range s.Rows {
		v, ok := s.Cell(r, at)
		list[r] = keyed{s.Rows[r], v, ok && v == v}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		switch {
		case a.ok != b.ok && a.ok, a.ok && b.ok && (a.v > b.v) != o.upwards && a.v != b.v:
			return -1
		case a.ok != b.ok, a.ok && a.v != b.v:
			return 1
		}
		return 0
	})
	for i := range list {
		s.Rows[i] = list[i].Header
	}
}
