package workload

import tea "charm.land/bubbletea/v2"

// Click chooses a line, a cluster or a component; a second click opens it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	s := p.current()
	if s == nil {
		return nil
	}
	if hit, same := p.setup.rows.Click(x, y); hit && p.setupShown() {
		same = same && p.pages.At == pageSetup
		if p.pages.At = pageSetup; same && again {
			return p.setup.edit(s)
		}
		return nil
	}
	if s.result == nil || !p.drawn.body.Has(x, y) {
		return nil
	}
	switch {
	case pages[p.pages.At].text:
		if _, same := p.doc.Click(x, y); p.pages.At == pageClusters {
			if p.follow(s); same && again {
				return p.enter("")
			}
		}
	case p.pages.At == pageScatter || p.beside() == pageScatter:
		return p.clickScatter(s, x-p.drawn.body.X, y-p.drawn.body.Y, again)
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
		return p.lanes.jump(s, at)
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
