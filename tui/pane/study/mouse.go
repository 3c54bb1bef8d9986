package study

import (
	"math"

	tea "charm.land/bubbletea/v2"
)

// Click chooses a line, a run or a column, or sets the limit; a second click opens it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	s := p.current()
	if s == nil || s.program == nil {
		return nil
	}
	if hit, same := p.setup.Click(x, y); hit {
		same = same && p.pages.At == pageSetup
		if p.pages.At = pageSetup; same && again {
			return p.editLine(s)
		}
		return nil
	}
	if p.shown(s) == 0 || !p.drawn.body.Has(x, y) {
		return nil
	}
	if p.pages.At == pageRuns {
		return p.clickTable(s, x, y, again)
	}
	return p.clickPlot(s, x-p.drawn.body.X, y-p.drawn.body.Y, again)
}

// clickTable sorts by a column, or chooses a run.
func (p *Pane) clickTable(s *session, x, y int, again bool) tea.Cmd {
	if i := s.runsTable.Column(x, y); i >= 0 {
		s.runsTable.Col = i
		s.runsTable.SortBy(i)
	}
	was := s.at
	if hit, _ := s.runsTable.Click(x, y); hit {
		if s.fromTable(); s.at == was && again {
			return p.openRun(s)
		}
	}
	return nil
}

// clickPlot chooses the run at the pointer; in the histogram it moves the limit there.
func (p *Pane) clickPlot(s *session, x, y int, again bool) tea.Cmd {
	switch p.pages.At {
	case pageHistogram:
		if v, _, ok := p.drawn.placed.Value(x, y); ok {
			s.limit = v // Drag continues to move it
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

// Drag moves the limit of the histogram with the pointer, within the axis.
func (p *Pane) Drag(x, _ int) tea.Cmd {
	s, plot := p.current(), p.drawn.placed.Plot
	if s == nil || p.pages.At != pageHistogram || math.IsNaN(s.limit) || plot.W == 0 {
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
	if p.pages.At == pageRuns {
		sign *= 3
	}
	return p.move(s, 0, sign)
}
