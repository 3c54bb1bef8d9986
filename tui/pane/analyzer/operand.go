package analyzer

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/dialog"
)

// The data window and the third window of a histogram, and its planes.

// openOperands lists the choices for the data window, or for the third window.
func (p actions) openOperands(third bool) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		p.openTable()
		w := p.sc.View
		list := &dialog.Picker{Title: "Data window", Keys: []dialog.Key{
			{Press: "enter", Word: "use", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
				return p.setOperand(third, it.Data.(Operand))
			}},
		}}
		none := dialog.Item{Text: "The window itself", Detail: "data is the control window itself", Data: Operand{}}
		if third {
			list.Title = "Third window"
			none = dialog.Item{Text: "None", Detail: "two dimensions", Data: Operand{}}
		}
		list.Fill = func() []dialog.Item { return append([]dialog.Item{none}, p.operandItems(w)...) }
		return p.sc.Dialogs.Open(list)
	}
}

// operandItems lists the windows on a trace, and then its views.
func (p actions) operandItems(w *timeline.View) []dialog.Item {
	var items []dialog.Item
	for i, v := range p.sc.Views {
		if v.Trace == w.Trace && v != w {
			c := v.Sem.Clone()
			if c.Name == "" {
				c.Name = v.Title()
			}
			items = append(items, dialog.Item{Text: fmt.Sprintf("Window %d: %s", i+1, v.Title()),
				Detail: v.Sem.Level.String() + "s", Data: Operand{v.ID, &c}})
		}
	}
	for _, choice := range w.Trace.AllChoices() {
		c := w.Sem.Clone()
		choice.Set(&c)
		c.Name = choice.Name
		items = append(items, dialog.Item{Text: choice.Name, Also: choice.Also, Detail: choice.Detail,
			Data: Operand{0, &c}})
	}
	return items
}

func (p actions) setOperand(third bool, o Operand) tea.Cmd {
	p.adjust(func(s *Setup) {
		s.functions = false
		if third {
			s.third, s.plane, s.fullest = o, 0, false
		} else {
			s.Data = o
			if o.sem != nil && s.Statistic == "Time" {
				s.Statistic = "Average value" // the default, time, does not use the data window
			}
		}
	})
	return nil
}

func (p actions) stepPlane(step int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		a := p.openTable()
		if a.Sheet == nil || len(a.Sheet.Planes) == 0 {
			return p.sc.Refuse(errors.New("this table has two dimensions: " + p.sc.KeysOf("operand third") +
				" chooses a third window"))
		}
		n := len(a.Sheet.Planes)
		next := a.Sheet.Planes[(a.Sheet.Plane+step+n)%n]
		a.change(func(s *Setup) { s.plane, s.fullest = next.value, false })
		return nil
	}
}
