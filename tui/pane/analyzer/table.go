package analyzer

import (
	"context"
	"sync/atomic"

	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// Table is a table of a window: what it asks for, what is known of the answer,
// and where the user is in it.
type Table struct {
	id    int
	Setup Setup
	past  []Setup // for undo
	next  []Setup // for redo

	asked    string // the question that was put last
	gen      int
	cancel   context.CancelFunc
	busy     bool
	done, of atomic.Int64 // rows counted
	Err      error
	counted  *counted // answers that other arrangements of the table are made from
	Sheet    *Sheet   // nil until there is an answer

	Row, Col int    // the cell of the cursor, in the sheet
	back     *place // where the cursor goes in the first sheet; nil: where that wants it
	toTop    bool   // the cursor goes to the first row of the next sheet: the rows were sorted
	anchor   int    // id of the column that a range of columns begins at; -1 for none
	Frame    Frame  // as it was drawn last
	hits     hits
}

// Setup is the question of a table and the look of the answer: undo
// brings it back. It is a plain value; what it points to is never changed in place.
type Setup struct {
	Name      string           // of the choice that it comes from
	of        *semantic.Window // what the view must show for that name to be true; nil: whatever it shows
	usual     bool             // nothing was chosen: the question follows what the window shows
	functions bool             // the functions of the analyzer; else a histogram

	Statistic   string
	Data, third Operand
	own         bool
	inclusive   bool // of functions: with those that they call
	Columns     stat.Scale
	bins        int // columns that an automatic scale is divided into; 0: as Paraver does
	planes      stat.Scale
	plane       float64 // value whose plane is shown
	fullest     bool    // the plane with the greatest total is shown, not that of the value
	// codes and planeCodes say whether each value of the control window, or of the
	// third window, has a column of its own.
	codes, planeCodes codes
	cfg               *cfg.Histogram // that it was opened from; nil for none
	size, tag         stat.Limits

	span       tableSpan
	begin, end int64 // of a fixed span

	shade     shade
	showEmpty bool
	vertical  bool
	hideSums  bool
	eachRow   bool // of a picture, scrolled: rows do not share cells
	digits    int  // more or fewer decimals than usual
	order     stat.Sort
	rowOrder  rowOrder
}

// nameOn returns the name of the table on a view; "" when the view shows something else by now.
func (s *Setup) nameOn(w *timeline.View) string {
	if s.of == nil {
		return s.Name
	}
	named := s.of.Clone()
	named.Level, named.Unit = w.Sem.Level, w.Sem.Unit
	if named.Key() != w.Sem.Key() {
		return ""
	}
	return s.Name
}

// Operand is a data window or a third window.
type Operand struct {
	Window int              // id of the window on the screen that it is; 0 for none
	sem    *semantic.Window // what that showed last; nil: there is no operand
}

// codes says whether values are drawn in colours of codes, which decides what an
// automatic scale makes of them.
type codes uint8

const (
	codesByMeaning codes = iota
	codesOn
	codesOff
)

// of answers for a window.
func (c codes) of(w *semantic.Window) bool {
	if c == codesByMeaning {
		return hasCodes(w.Meaning())
	}
	return c == codesOn
}

// tableSpan says which time a table is about.
type tableSpan uint8

const (
	spanView  tableSpan = iota // the selection; without one what is in view
	spanWhole                  // the whole run
	spanFixed                  // an interval of its own
)

// shade colours the cells of a table.
type shade uint8

const (
	shadeNumbers shade = iota
	shadeColored       // numbers on colours
	shadePicture       // colours only
)

var shadeNames = [...]string{"numbers", "numbers on colours", "picture"}

// rowOrder sorts the rows of a table by one of its columns.
type rowOrder struct {
	on      bool
	column  int // id of the header
	upwards bool
}

func newTableSetup() Setup {
	return Setup{
		Name: "Analyzer functions", functions: true, Statistic: "Time",
		Columns: stat.Scale{Auto: true, Zero: true}, planes: stat.Scale{Auto: true, Zero: true},
	}
}

// Busy reports whether the table is being counted, or bursts of it are looked up.
func (a *Table) Busy() bool { return a.busy || a.hits.busy }

// stop cancels what is being computed for the table. When it is shown again it is asked for anew.
func (a *Table) stop() {
	if a.busy {
		a.cancel()
		a.busy, a.gen, a.asked = false, 0, "" // what is still on its way is dropped
	}
	if a.hits.busy {
		a.DropHits()
	}
}

// DropHits forgets the bursts behind a cell.
func (a *Table) DropHits() {
	a.hits.stop()
	a.hits = hits{}
}

// change changes what the table asks for or how it looks, so that it can be undone.
func (a *Table) change(f func(s *Setup)) {
	before := a.Setup
	f(&a.Setup)
	a.Setup.usual = false
	a.past, a.next = append(a.past, before), nil
}

func (a *Table) travel(from, to *[]Setup) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, a.Setup)
	a.Setup, *from = (*from)[n-1], (*from)[:n-1]
	return true
}
