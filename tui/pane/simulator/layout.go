package simulator

// The positions of the fields of a page. It is computed from the page and the width alone, so that drawing, keys and
// mouse agree.

import (
	"slices"

	"pview/render/raster"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// layout holds the places of a page.
type layout struct {
	cells  []cell
	texts  []label
	head   []label // above the rest; it does not scroll
	frozen int     // columns at the left that do not scroll sideways
	width  int
	height int
	run    []*scenario.Run // on the page of runs, one per cell

	picture  func(p view, c raster.Canvas) // beside the fields; nil for none
	pictureX int
}

// cell is a field, or a run, and its position.
type cell struct {
	field   *field
	label   string
	x, y, w int
	labelW  int
	col     int
}

// label is a text beside fields.
type label struct {
	text    string
	x, y, w int
	right   bool
	strong  bool
	fixed   bool // it is in the frozen columns
}

// form holds the user's position in the form.
type form struct {
	page page
	at   [numPages]int // position in the cells
	top  [numPages]int
	left [numPages]int

	layout   *layout
	laidPage page
	laidFor  int         // width
	body     raster.Rect // of the fields in the pane, as drawn last

	tall    int // number of lines of the page of the machine; 0 if unknown
	tallFor int // width
}

// invalidate makes the pages be laid out again: the machine, or the history, has changed.
func (f *form) invalidate() { f.layout, f.tall = nil, 0 }

// lay returns the layout of the page that is shown.
func (s *Simulation) lay(width int) *layout {
	f := &s.form
	if f.layout == nil || f.laidPage != f.page || f.laidFor != width {
		f.layout, f.laidPage, f.laidFor = pages[f.page].lay(s, width), f.page, width
	}
	f.at[f.page] = max(min(f.at[f.page], len(f.layout.cells)-1), 0)
	return f.layout
}

// machineHeight returns the height of the page of the machine.
func (s *Simulation) machineHeight(width int) int {
	f := &s.form
	if f.tall == 0 || f.tallFor != width {
		f.tall, f.tallFor = layMachine(s, width).height, width
	}
	return f.tall
}

// cell returns the cell at the cursor; nil if none.
func (s *Simulation) cell() *cell {
	l := s.form.layout
	if l == nil || len(l.cells) == 0 {
		return nil
	}
	return &l.cells[min(s.form.at[s.form.page], len(l.cells)-1)]
}

// grid lays out a table of fields: rows with a name and notes, columns with a title.
type grid struct {
	l       *layout
	nameW   int
	columns []int // widths
	x       []int
}

func newGrid(nameTitle string, nameW int, titles ...string) *grid {
	g := &grid{l: &layout{}, nameW: nameW}
	g.l.frozen = nameW + 2
	g.l.head = append(g.l.head, label{text: nameTitle, x: 1, w: nameW, fixed: true})
	x := nameW + 2
	for _, t := range titles {
		w := max(raster.TextWidth(t), 10)
		g.columns, g.x = append(g.columns, w), append(g.x, x)
		g.l.head = append(g.l.head, label{text: t, x: x, w: w, right: true})
		x += w + 2
	}
	g.l.width = x
	return g
}

// row adds a row; a nil field leaves its cell to a note.
func (g *grid) row(name string, fields []*field, notes []string) {
	y := g.l.height
	g.l.texts = append(g.l.texts, label{text: name, x: 1, y: y, w: g.nameW, fixed: true})
	for i, f := range fields {
		if f != nil {
			g.l.cells = append(g.l.cells, cell{field: f, label: name, x: g.x[i], y: y, w: g.columns[i], col: i})
		} else if notes[i] != "" {
			g.l.texts = append(g.l.texts, label{text: notes[i], x: g.x[i], y: y, w: g.columns[i], right: true})
		}
	}
	g.l.height++
}

// Page returns the name of the page that is shown.
func (s *Simulation) Page() string { return pages[s.form.page].name }

// Parameter returns the value of the field at the cursor; nil on a run.
func (s *Simulation) Parameter() *parameter.Parameter {
	if f := s.field(); f != nil {
		return f.p
	}
	return nil
}

// field returns the field at the cursor; nil on a run.
func (s *Simulation) field() *field {
	if c := s.cell(); c != nil {
		return c.field
	}
	return nil
}

// Run returns the run at the cursor on the page of runs; on others the shown one. It is nil before the first run.
func (s *Simulation) Run() *scenario.Run {
	if l := s.form.layout; s.form.page == pageRuns && l != nil && len(l.run) > 0 {
		return l.run[s.form.at[pageRuns]]
	}
	return s.history.Shown()
}

// move goes to a field in a direction: up and down within a column, sideways to the next column, at the same height if
// possible.
func (s *Simulation) move(dx, dy int) {
	l := s.form.layout
	c := s.cell()
	if c == nil {
		return
	}
	best := nearest(l.cells, c, dx, dy)
	if best < 0 && dy != 0 { // past the end of a column to the next
		best = s.form.at[s.form.page] + dy
		if best < 0 || best >= len(l.cells) || l.cells[best].col == c.col {
			return
		}
	}
	if best >= 0 {
		s.form.at[s.form.page] = best
	}
}

// moveScreen goes up or down by a screen of fields.
func (s *Simulation) moveScreen(dy int) {
	for range max(s.form.body.H-1, 1) {
		s.move(0, dy)
	}
}

// choose goes to a cell by its position.
func (s *Simulation) choose(i int) { s.form.at[s.form.page] = max(i, 0) }

// nearest returns the position of the cell nearest to another in a direction; -1 for none.
func nearest(cells []cell, c *cell, dx, dy int) int {
	best, bestCost := -1, 0
	for i := range cells {
		o := &cells[i]
		cost := (o.y - c.y) * dy
		if dx != 0 {
			if cost = (o.col - c.col) * dx * 10000; cost > 0 {
				cost += max(o.y-c.y, c.y-o.y)
			}
		} else if o.col != c.col {
			continue
		}
		if cost > 0 && (best < 0 || cost < bestCost) {
			best, bestCost = i, cost
		}
	}
	return best
}

// cellAt returns the position of the cell at a place of the body.
func (s *Simulation) cellAt(x, y int) int {
	l, f := s.form.layout, &s.form
	if l == nil {
		return -1
	}
	y += f.top[f.page]
	if x >= l.frozen {
		x += f.left[f.page]
	}
	return slices.IndexFunc(l.cells, func(c cell) bool { return c.y == y && x >= c.x && x < c.x+c.w })
}
