package simulator

import tea "charm.land/bubbletea/v2"

// Click goes to a field or a run; a second click on a field changes it.
func (p actions) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if _, d := p.ofDevices(); d != nil {
		d.doc.Click(x, y)
		return nil
	}
	s := p.ready()
	if s == nil {
		return nil
	}
	y-- // the heading
	f := &s.form
	at := -1
	if f.body.Has(x, y) {
		at = s.cellAt(x-f.body.X, y-f.body.Y)
	}
	if at < 0 {
		return nil
	}
	same := f.at[f.page] == at
	f.at[f.page] = at
	if f.page == pageRuns || again && same {
		return p.editCell(s)
	}
	return nil
}

// Wheel goes through the fields.
func (p actions) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if _, d := p.ofDevices(); d != nil {
		d.doc.Wheel(sign)
		return nil
	}
	if s := p.ready(); s != nil {
		for range 3 {
			s.move(0, sign)
		}
	}
	return nil
}
