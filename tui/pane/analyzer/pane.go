// Package analyzer is the pane that puts numbers on a view. A view has tables; each asks either for the functions of
// the thesis' analyzer, or for a histogram whose control window is the window of the view. A table follows its view:
// its window, rows, and the time selected or in view.
package analyzer

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Analyzer"

// Pane is the analyzer: its tables, and the parts that count, draw, save and change them.
type Pane struct {
	*tables
	counter
	view
	files
	actions
}

// tables are the tables of all views, and which of them is shown.
type tables struct {
	sc   *pane.Scene
	pane pane.Pane
	sets map[int]*tableSet // by id of the view
}

// A counter counts tables and looks up the bursts behind cells, in the background.
type counter struct{ *tables }

// A view draws a table.
type view struct{ *tables }

// files converts tables: to text, .cfg, session, picture.
type files struct{ *tables }

// actions are the actions on tables.
type actions struct{ counter }

// tableSet is the tables of a view.
type tableSet struct {
	list []*Table
	at   int // the one shown
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	t := &tables{sc: sc, sets: map[int]*tableSet{}}
	p := &Pane{tables: t, counter: counter{t}, view: view{t}, files: files{t}, actions: actions{counter{t}}}
	t.pane = p
	return p
}

func (p *Pane) Title() string { return Title }

// Height returns the height of the table: its rows, their heading and the totals.
func (p *tables) Height(room int) int {
	h := pane.Tall(room)
	if w := p.sc.View; w != nil {
		if a := p.shownOf(w); a != nil && a.Sheet != nil {
			// heading, facts, names of the columns, totals and the line above them, the legend, the cell in words
			around := 14
			if a.drawsPicture() {
				around = besidesPicture
			}
			h = min(h, max(len(a.Sheet.Rows)+around, pane.Third(room)))
		}
	}
	return h
}

// Update handles the results of counts and searches.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case analyzedMsg:
		p.analyzed(msg)
	case burstsMsg:
		p.foundBursts(msg)
	case savedMsg:
		p.saved(msg)
	case pane.ViewClosed:
		p.stop(msg.View)
		for _, a := range p.Tables(msg.View) { // the view may come back with its tables
			a.back = a.place()
			a.asked, a.counted, a.Sheet = "", nil, nil
		}
	case pane.ViewForgotten:
		delete(p.sets, msg.View.ID)
	case pane.ViewRetargeted:
		p.stop(msg.View)
	}
	return nil
}

// stop stops the work for the tables of a view.
func (p *tables) stop(w *timeline.View) {
	for _, a := range p.Tables(w) {
		a.stop()
	}
}

// Busy reports whether a table is being counted, or bursts are looked up.
func (p counter) Busy() bool {
	for _, t := range p.sets {
		for _, a := range t.list {
			if a.Busy() {
				return true
			}
		}
	}
	return false
}

// Progress shows nothing in the title: the pane's heading shows it.
func (p counter) Progress() string { return "" }

// Cancel stops counting. A table stays stopped until it, or its view, changes.
func (p counter) Cancel() bool {
	any := false
	for _, t := range p.sets {
		for _, a := range t.list {
			if !a.Busy() {
				continue
			}
			any = true
			counting, asked := a.busy, a.asked
			a.stop()
			if counting {
				a.asked, a.Err = asked, errors.New("counting stopped; any change of the table or the view restarts it")
			}
		}
	}
	return any
}

// table returns the shown table of a view; there always is one.
func (p *tables) table(w *timeline.View) *Table {
	if a := p.shownOf(w); a != nil {
		return a
	}
	return p.addTable(w, usualSetup(w))
}

// shownOf returns the shown table of a view; nil while it has none.
func (p *tables) shownOf(w *timeline.View) *Table {
	t := p.sets[w.ID]
	if t == nil || len(t.list) == 0 {
		return nil
	}
	return t.list[min(max(t.at, 0), len(t.list)-1)]
}

// addTable gives a view a further table and shows it.
func (p *tables) addTable(w *timeline.View, s Setup) *Table {
	t := p.sets[w.ID]
	if t == nil {
		t = &tableSet{}
		p.sets[w.ID] = t
	}
	a := &Table{id: p.sc.NewID(), Setup: s, anchor: -1}
	t.list = append(t.list, a)
	t.at = len(t.list) - 1
	return a
}

// Tables lists the tables of a view.
func (p *tables) Tables(w *timeline.View) []*Table {
	if t := p.sets[w.ID]; t != nil {
		return t.list
	}
	return nil
}

// Choose shows a table of a view by its position.
func (p *tables) Choose(w *timeline.View, i int) {
	if t := p.sets[w.ID]; t != nil {
		t.at = i
	}
}

// tableByID returns a table of a view; nil for none.
func (p *tables) tableByID(view, id int) *Table {
	if t := p.sets[view]; t != nil {
		for _, a := range t.list {
			if a.id == id {
				return a
			}
		}
	}
	return nil
}

// Shown returns the table that the pane shows; nil when it is not open.
func (p *tables) Shown() *Table {
	if w := p.sc.View; w != nil && p.sc.Open == p.pane {
		return p.table(w)
	}
	return nil
}

// adjust changes a table's question or look, so that it can be undone.
func (p *tables) adjust(f func(s *Setup)) { p.openTable().change(f) }

// openTable shows the pane and returns its table.
func (p *tables) openTable() *Table {
	p.sc.Show(p.pane, p.sc.Focused)
	return p.table(p.sc.View)
}
