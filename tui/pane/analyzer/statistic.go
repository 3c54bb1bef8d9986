package analyzer

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/dialog"
)

// The statistic of a histogram.

func (p actions) setStatistic(step int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		a := p.openTable()
		names := p.statisticNames()
		i, err := action.Choose(names, max(slices.Index(names, a.Setup.Statistic), 0), step, args)
		if err != nil {
			return p.sc.Refuse(err)
		}
		if a.Setup.functions && args == "" { // first show the histogram unchanged
			i = max(slices.Index(names, a.Setup.Statistic), 0)
		}
		return p.showStatistic(names[i])
	}
}

func (p actions) showStatistic(name string) tea.Cmd {
	s, ok := stat.Lookup(name)
	if !ok {
		return p.sc.Refuse(fmt.Errorf("unknown statistic %q", name))
	}
	p.adjust(func(t *Setup) { t.Statistic, t.functions, t.Name, t.of = s.Name, false, s.Name, nil })
	p.sc.Say(s.Name + ": " + s.Doc)
	return nil
}

// statisticNames lists the statistics that a trace supports.
func (p actions) statisticNames() []string {
	var names []string
	w := p.sc.View
	for _, s := range stat.Statistics() {
		if !s.Comms || w != nil && w.Trace.Data.Comms.Len() > 0 {
			names = append(names, s.Name)
		}
	}
	return names
}

func (p actions) openStatistics(string) tea.Cmd {
	a := p.openTable()
	list := &dialog.Picker{Title: "Statistics", Keys: []dialog.Key{
		{Press: "enter", Word: "show", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return p.showStatistic(it.Text)
		}},
	}}
	for _, name := range p.statisticNames() {
		s, _ := stat.Lookup(name)
		list.Items = append(list.Items, dialog.Item{Text: s.Name, Detail: s.Doc})
	}
	cmd := p.sc.Dialogs.Open(list)
	for i := range list.Items {
		if list.Items[i].Text == a.Setup.Statistic {
			list.Choose(i)
		}
	}
	return cmd
}
