package analyzer

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/semantic/stat"
	"pview/tui/action"
)

// The order of rows and columns.

// sortRows cycles through the orders of the rows by the column at the cursor.
func (p actions) sortRows(string) tea.Cmd {
	a := p.openTable()
	if a.Sheet == nil || a.Col >= len(a.Sheet.Columns) {
		return nil
	}
	h := &a.Sheet.Columns[a.Col]
	o := rowOrder{on: true, column: h.ID}
	if before := a.Setup.rowOrder; before.on && before.column == h.ID {
		o.upwards = true
		if before.upwards {
			o = rowOrder{}
		}
	}
	p.adjust(func(s *Setup) { s.rowOrder = o })
	a.toTop = true
	switch {
	case !o.on:
		p.sc.Say("rows not sorted")
	case o.upwards:
		p.sc.Say("rows sorted by " + h.Name + ", ascending")
	default:
		p.sc.Say("rows sorted by " + h.Name + ", descending")
	}
	return nil
}

// sortColumns cycles through the totals that columns can be sorted by.
func (p actions) sortColumns(args string) tea.Cmd {
	a := p.openTable()
	names := totalNames()
	at := 0
	if a.Setup.order.On {
		at = 1
		if t, ok := stat.LookupTotal(a.Setup.order.By); ok {
			at = 1 + slices.Index(stat.Totals, t)
		}
	}
	i, err := action.Choose(names, at, 1, args)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.adjust(func(s *Setup) {
		s.order = stat.Sort{On: i > 0, Reverse: s.order.Reverse}
		if i > 0 {
			s.order.By = names[i]
		}
	})
	if i == 0 {
		p.sc.Say("columns not sorted")
	} else {
		p.sc.Say("columns sorted by " + names[i])
	}
	return nil
}

// totalNames lists what columns can be sorted by.
func totalNames() []string {
	names := []string{"off"}
	for _, t := range stat.Totals {
		names = append(names, t.String())
	}
	return names
}

func (p actions) reverseColumns(string) tea.Cmd {
	p.adjust(func(s *Setup) {
		if !s.order.On {
			s.order = stat.Sort{On: true, By: stat.Totals[0].String()}
			return
		}
		s.order.Reverse = !s.order.Reverse
	})
	if a := p.openTable(); a.Setup.order.Reverse {
		p.sc.Say("columns sorted the other way round")
	} else {
		p.sc.Say("columns sorted by " + a.Setup.order.By)
	}
	return nil
}
