package analyzer

import (
	"math"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/stat"
)

// Frame holds the places of a table's parts. A drawing lays it out, and it stays for everything that depends on the
// last drawing: the mouse, moving by screens, and the scroll position.
type Frame struct {
	top, left int // the first row and column
	lead      int // lines of the pane above the sheet: its heading, and the facts about the count
	labels    int // width of the names of the rows
	head      int // lines of the names of the columns
	Body      raster.Rect
	split     int   // rows per line
	half      int   // rows per cell of a picture: those of a line, or half of them
	merge     int   // columns per cell of a picture
	CellWidth int   // of a picture; 0 for numbers
	cells     int   // of a picture, in a line
	lines     int   // that fit, for rows
	legend    bool  // of a picture
	columns   []int // positions of the columns of numbers
	X         []int // where they begin
	totals    []stat.Total
}

// Minimum heights of the pane, below its heading, for more than the cells.
const (
	roomForFacts  = 5
	roomForText   = 4 // below the facts: the cell of the cursor in full
	roomForHeads  = 7 // below that: names of columns in two lines
	roomForLegend = 6
)

// layOut finds where the parts of the table stand in a pane of a size, the heading included. It keeps the cell of the
// cursor in view, and otherwise the scroll position. splits: a line can show two rows of colours.
func (a *Table) layOut(w *timeline.View, width, height int, splits bool) Frame {
	f := Frame{top: a.Frame.top, left: a.Frame.left, lead: 1}
	s, h := a.Sheet, height-1
	if s == nil || a.Err != nil {
		return f
	}
	if h >= roomForFacts {
		f.lead++
		h--
	}
	if len(s.Rows) == 0 || len(s.Columns) == 0 {
		return f
	}
	if h >= roomForText {
		h--
	}
	f.labels = a.labelWidth(w, width)
	if a.drawsPicture() {
		a.layOutPicture(&f, width, h, splits)
	} else {
		a.layOutNumbers(w, &f, width, h)
	}
	return f
}

// besidesPicture is the number of lines of a table as colours other than its rows: the heading, the facts about the
// count, the names, the legend, the cell in full.
const besidesPicture = 5

// Most returns the number of lines of the whole table: for numbers the heading, the facts about the count, two lines of
// names, the rows, the totals below a rule, the cell in full.
func (p *tables) Most() int {
	w := p.sc.View
	if w == nil {
		return math.MaxInt32
	}
	a := p.shownOf(w)
	if a == nil || a.Sheet == nil {
		return math.MaxInt32
	}
	if a.drawsPicture() {
		return len(a.Sheet.Rows) + besidesPicture
	}
	lines := 1 + 1 + 2 + len(a.Sheet.Rows) + 1
	if !a.hidesTotals() {
		lines += 1 + len(stat.Totals)
	}
	return lines
}

// labelWidth returns the width of the names of the rows.
func (a *Table) labelWidth(v *timeline.View, width int) int {
	s, w := a.Sheet, 6
	step := max(len(s.Rows)/1000, 1)
	for i := 0; i < len(s.Rows); i += step {
		w = max(w, raster.TextWidth(v.Short(s.Rows[i].Name)))
	}
	if !a.hidesTotals() {
		w = max(w, len("Average"))
	}
	return min(w, max(width/4, 14))
}

func (a *Table) hidesTotals() bool { return a.Setup.hideSums || !a.Sheet.hasTotals() }

// totalsIn chooses the totals that fit into a number of lines, below a rule: rows get half of the lines if they need
// them.
func (a *Table) totalsIn(lines int) []stat.Total {
	room := lines - min(len(a.Sheet.Rows), max(lines/2, 4))
	if a.hidesTotals() || room < 3 {
		return nil
	}
	return stat.Totals[:min(room-1, len(stat.Totals))]
}

// layOutNumbers places the table as numbers.
func (a *Table) layOutNumbers(v *timeline.View, f *Frame, width, height int) {
	s := a.Sheet
	room := width - f.labels - 4
	a.scrollColumns(f, room)
	x := 0
	for i := f.left; i < len(s.Columns) && x+s.Columns[i].width+2 <= room; i++ {
		f.columns, f.X = append(f.columns, i), append(f.X, f.labels+2+x)
		x += s.Columns[i].width + 2
	}
	if len(f.columns) == 0 { // wider than the screen
		f.columns, f.X = []int{f.left}, []int{f.labels + 2}
	}
	f.head = 1
	for _, i := range f.columns {
		if first, _ := nameLines(v.Short(s.Columns[i].Name), s.Columns[i].width); (first != "" || s.Columns[i].unit != "") &&
			height >= roomForHeads {
			f.head = 2
		}
	}
	f.totals = a.totalsIn(height - f.head)
	f.lines = max(height-f.head-len(f.totals), 1)
	if len(f.totals) > 0 {
		f.lines--
	}
	a.scrollRows(f, f.lines)
	f.split, f.half = 1, 1
	f.Body = raster.Rect{X: f.labels + 2, Y: f.head, W: width - f.labels - 3, H: min(len(s.Rows)-f.top, f.lines)}
}

// layOutPicture places the table as colours. A column has a wide cell if there is room; otherwise several columns share
// one. If there are many rows, each line shows two, or more in each half if that is needed to show all.
func (a *Table) layOutPicture(f *Frame, width, height int, splits bool) {
	s := a.Sheet
	room := max(width-f.labels-4, 1)
	f.head, f.left = 1, 0
	f.merge = (len(s.Columns) + room - 1) / room
	f.cells = (len(s.Columns) + f.merge - 1) / f.merge
	f.CellWidth = min(max(room/f.cells, 1), 8)
	f.lines = max(height-1, 1)
	if f.legend = height >= roomForLegend; f.legend {
		f.lines--
	}
	halves := 1
	if len(s.Rows) > f.lines && splits {
		halves = 2
	}
	f.half = 1
	if !a.Setup.eachRow {
		f.half = s.perHalf(f.lines, halves)
	}
	f.split = f.half * halves
	a.scrollRows(f, f.lines*f.split)
	f.top -= f.top % f.split
	f.Body = raster.Rect{X: f.labels + 2, Y: 1, W: f.cells * f.CellWidth,
		H: min((len(s.Rows)-f.top+f.split-1)/f.split, f.lines)}
}

// scrollColumns keeps the column of the cursor in view, and uses the room at the right.
func (a *Table) scrollColumns(f *Frame, room int) {
	widths := func(from, to int) int { // of columns, until they need more than the room
		w := 0
		for i := from; i < to && w <= room; i++ {
			w += a.Sheet.Columns[i].width + 2
		}
		return w
	}
	f.left = min(max(f.left, 0), a.Col)
	for f.left < a.Col && widths(f.left, a.Col+1) > room {
		f.left++
	}
	for f.left > 0 && widths(f.left-1, len(a.Sheet.Columns)) <= room {
		f.left--
	}
}

func (a *Table) scrollRows(f *Frame, lines int) {
	f.top = min(max(f.top, a.Row-lines+1), a.Row)
	f.top = max(min(f.top, len(a.Sheet.Rows)-lines), 0)
}
