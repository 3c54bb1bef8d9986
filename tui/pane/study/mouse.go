package study

import (
	"math"
	"pview/render/style"

	tea "charm.land/bubbletea/v2"
)

// Click goes to a page, chooses a line, a run or a column, or sets the limit; a second click on what is chosen opens
// it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	s := p.current()
	if s == nil || s.program == nil {
		return nil
	}
	if y == 1 {
		if i := style.TabAt(p.drawn.pages, x); i >= 0 && x < p.drawn.pages[i]+len(pages[i].name) {
			p.show(i)
		}
		return nil
	}
	if p.drawn.lines.Has(x, y) {
		same := p.page == pageSetup && p.row == y-p.drawn.lines.Y
		p.page, p.row = pageSetup, y-p.drawn.lines.Y
		if same && again {
			return p.editLine(s)
		}
		return nil
	}
	if s.runs() == 0 || !p.drawn.body.Has(x, y) {
		return nil
	}
	x, y = x-p.drawn.body.X, y-p.drawn.body.Y
	if p.page == pageRuns {
		return p.clickTable(s, x, y, again)
	}
	return p.clickPlot(s, x, y, again)
}

// clickTable sorts by a column, or chooses a run.
func (p *Pane) clickTable(s *session, x, y int, again bool) tea.Cmd {
	if y == 0 {
		for k, first := range p.drawn.starts {
			if i := p.drawn.first + k; x >= first && x < first+s.width(i) {
				s.column = i
				return p.sortRuns(s)
			}
		}
		return nil
	}
	if order, k := s.ordered(), s.top+y-1; k < len(order) {
		return p.choose(s, s.table.Rows[order[k]].Index, again)
	}
	return nil
}

// clickPlot chooses the run at the pointer; in the histogram it moves the limit there.
func (p *Pane) clickPlot(s *session, x, y int, again bool) tea.Cmd {
	switch p.page {
	case pageHistogram:
		if v, _, ok := p.drawn.placed.Value(x, y); ok {
			s.limit = v // and on, by Drag
		}
		return nil
	case pageTornado:
		return nil
	}
	layer, i, ok := p.drawn.placed.Hit(x, y)
	if !ok || p.figure == nil {
		return nil
	}
	if k := p.figure.Layers[layer].Ref(i); k < len(s.table.Rows) {
		return p.choose(s, s.table.Rows[k].Index, again)
	}
	return nil
}

// Drag moves the limit of the histogram with the pointer, as far as the axis goes.
func (p *Pane) Drag(x, _ int) tea.Cmd {
	s, plot := p.current(), p.drawn.placed.Plot
	if s == nil || p.page != pageHistogram || math.IsNaN(s.limit) || plot.W == 0 {
		return nil
	}
	x = min(max(x-p.drawn.body.X, plot.X), plot.X+plot.W-1)
	s.limit, _, _ = p.drawn.placed.Value(x, plot.Y)
	return nil
}

// choose chooses a run; a second click opens it.
func (p *Pane) choose(s *session, index int, again bool) tea.Cmd {
	if again && s.at == index {
		return p.openRun(s)
	}
	s.at = index
	return nil
}

// Wheel goes through the lines or the runs.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	s := p.current()
	if s == nil || s.program == nil {
		return nil
	}
	if p.page == pageRuns && s.runs() > 0 {
		return p.move(s, 0, 3*sign)
	}
	return p.move(s, 0, sign)
}
