package workload

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/style"
)

// Click goes to a page, or chooses a line, a cluster or a component; a second click on what is chosen opens it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	s := p.current()
	if s == nil {
		return nil
	}
	if y == 1 {
		if i := style.TabAt(p.drawn.pages, x); i >= 0 && x < p.drawn.pages[i]+len(pages[i].name) {
			p.page = i
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
	if s.result == nil || !p.drawn.body.Has(x, y) {
		return nil
	}
	x, y = x-p.drawn.body.X, y-p.drawn.body.Y
	switch {
	case p.drawn.table.Has(x, y):
		if row := s.top + y - p.drawn.table.Y; row < len(s.classes()) {
			same := row == s.row
			if s.row = row; same && again {
				return p.enter("")
			}
		}
	case p.page == pageScatter || p.beside() == pageScatter:
		return p.clickScatter(s, x, y, again)
	}
	return nil
}

// clickScatter chooses the component at the pointer.
func (p *Pane) clickScatter(s *session, x, y int, again bool) tea.Cmd {
	v := s.shown[pageScatter]
	if v == nil || v.figure == nil || v.key != pages[pageScatter].key(s) {
		return nil
	}
	layer, i, ok := p.drawn.placed.Hit(x, y)
	if !ok {
		return nil
	}
	at := v.figure.Layers[layer].Ref(i)
	if at == s.at && again {
		return p.jump(s, at)
	}
	s.choose(at)
	return nil
}

// Wheel goes through the lines, the clusters or the components.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if s := p.current(); s != nil && s.result != nil {
		return p.move(s, 0, sign)
	}
	return nil
}
