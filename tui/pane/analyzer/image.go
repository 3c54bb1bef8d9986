package analyzer

import (
	"errors"
	"slices"

	"pview/render/picture"
	"pview/semantic/stat"
)

// Panels returns the shown table as panels of a picture.
func (p files) Panels(dark bool) ([]picture.Panel, error) {
	w := p.sc.View
	if w == nil {
		return nil, nil
	}
	a := p.shownOf(w)
	if a == nil || a.Err != nil || a.Sheet == nil || a.busy {
		return nil, errors.New("the table is still being computed; try again in a moment")
	}
	return []picture.Panel{a.Sheet.picture(a.title(w), dark)}, nil
}

// picture returns the sheet as a panel. A sheet never changes: the panel can be drawn later.
func (s *Sheet) picture(title string, dark bool) *picture.Table {
	t := &picture.Table{Title: title, Unit: s.unit, NoShade: s.functions, Cell: s.Cell}
	if !s.functions {
		t.Note = s.Statistic.Name
		if s.unit != "" {
			t.Note += " [" + s.unit + "]"
		}
	}
	for _, h := range s.Rows {
		t.Rows = append(t.Rows, picture.Heading{Name: h.Name, Unit: h.unit})
	}
	for _, h := range s.Columns {
		t.Columns = append(t.Columns, picture.Heading{Name: h.Name, Unit: h.unit})
	}
	t.Text = func(v float64, row, column int) string {
		if row < 0 {
			return picture.PlainNumber(v)
		}
		return decimal(v, s.head(row, column).digits)
	}
	if s.hasTotals() {
		for _, total := range stat.Totals {
			t.Totals = append(t.Totals, picture.Total{Name: total.String(), Values: slices.Clone(s.Totals[total])})
		}
	}
	t.Fit(dark)
	return t
}
