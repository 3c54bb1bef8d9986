package analyzer

import (
	"context"
	"sync/atomic"

	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// Table is a table of a window: its question, the answer so far, and the user's place in it.
type Table struct {
	id    int
	Setup Setup
	past  []Setup // for undo
	next  []Setup // for redo

	asked    string // the last question
	gen      int
	cancel   context.CancelFunc
	busy     bool
	done, of atomic.Int64 // rows counted
	Err      error
	counted  *counted // answers, which other arrangements of the table reuse
	Sheet    *Sheet   // nil until there is an answer

	Row, Col int    // the cell of the cursor, in the sheet
	back     *place // where the cursor goes in the first sheet; nil: where the sheet wants it
	toTop    bool   // the cursor goes to the first row of the next sheet: the rows were sorted
	anchor   int    // id of the column where a range of columns starts; -1 for none
	Frame    Frame  // as drawn last
	hits     hits
}

// Setup is the question of a table and the look of the answer. Undo restores it. It is a plain value; its pointees are
// never changed in place.
type Setup struct {
	Name      string           // of the choice that made it
	of        *semantic.Window // what the view must show for the name to apply; nil: anything
	usual     bool             // nothing was chosen: the question follows what the window shows
	functions bool             // the functions of the analyzer; else a histogram

	Statistic   string
	Data, third Operand
	own         bool
	inclusive   bool // for functions: include the functions that they call
	Columns     stat.Scale
	bins        int // number of columns of an automatic scale; 0: as in Paraver
	planes      stat.Scale
	plane       float64 // value of the plane shown
	fullest     bool    // show the plane with the greatest total instead of that value's plane
	// codes and planeCodes say whether each value of the control window, or of the
	// third window, has a column of its own.
	codes, planeCodes codes
	cfg               *cfg.Histogram // the histogram that it was opened from; nil for none
	size, tag         stat.Limits

	span       tableSpan
	begin, end int64 // of a fixed span

	shade     shade
	showEmpty bool
	vertical  bool
	hideSums  bool
	eachRow   bool // for a picture that scrolls: rows do not share cells
	digits    int  // added to the usual number of decimals
	order     stat.Sort
	rowOrder  rowOrder
}

// nameOn returns the name of the table on a view; "" if the view now shows something else.
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
	Window int              // id of the window on the screen; 0 for none
	sem    *semantic.Window // last content of the window; nil: there is no operand
}

// codes says whether values have the colours of codes, which decides how an automatic scale divides them.
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

// tableSpan says which time a table covers.
type tableSpan uint8

const (
	spanView  tableSpan = iota // the selection, else the time in view
	spanWhole                  // the whole run
	spanFixed                  // a fixed interval
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

// Busy reports whether the table is being counted, or its bursts looked up.
func (a *Table) Busy() bool { return a.busy || a.hits.busy }

// stop cancels the work for the table. When the table is shown again, it starts again.
func (a *Table) stop() {
	if a.busy {
		a.cancel()
		a.busy, a.gen, a.asked = false, 0, "" // drop pending results
	}
	if a.hits.busy {
		a.DropHits()
	}
}

// DropHits forgets the bursts of a cell.
func (a *Table) DropHits() {
	a.hits.stop()
	a.hits = hits{}
}

// change changes the table's question or look, so that it can be undone.
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
