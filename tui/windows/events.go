package windows

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/paths"
)

// Event types and their labelled values: a list, to show one or to go to it.

// eventChoice is an event type, or one of its values.
type eventChoice struct {
	typ   uint32
	value *int64
}

// searchLabels lists the event types that occur and the labelled values.
func (n *Navigator) searchLabels(string) tea.Cmd {
	t := n.Focused().Trace
	pick := func(f func(e eventChoice) tea.Cmd) func(*dialog.Picker, *dialog.Item) tea.Cmd {
		return func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it == nil {
				return nil
			}
			e := it.Data.(eventChoice)
			n.Query = e.query(it.Text)
			return f(e)
		}
	}
	show := func(fresh bool) func(eventChoice) tea.Cmd {
		return func(e eventChoice) tea.Cmd { return n.show.showIn(fresh, e.view(n.Focused().Trace)) }
	}
	find := func(forward bool) func(eventChoice) tea.Cmd {
		return func(eventChoice) tea.Cmd { return n.find(forward) }
	}
	p := &dialog.Picker{Title: "Search events", Typing: true, Keys: []dialog.Key{
		{Press: "enter", Word: "show here", Run: pick(show(false))},
		{Press: "ctrl+o", Word: "new window", Run: pick(show(true))},
		{Press: "tab", Word: "next", Run: pick(find(true))},
		{Press: "shift+tab", Word: "previous", Run: pick(find(false))},
	}}
	p.Fill = func() []dialog.Item {
		p.Empty = "this trace has no events"
		if t.Types == nil {
			p.Empty = n.sc.Theme.ASCII("counting the events…")
		}
		return eventItems(t)
	}
	return n.sc.Dialogs.Open(p)
}

// eventItems lists the event types of a trace, and then their labelled values.
func eventItems(t *timeline.Trace) (items []dialog.Item) {
	for _, c := range t.Types {
		items = append(items, dialog.Item{
			Text:   t.TypeLabel(c.Type),
			Also:   fmt.Sprint(c.Type),
			Detail: fmt.Sprintf("%d  %s", c.Type, quantity.CountOf(c.Count, "event")),
			Data:   eventChoice{typ: c.Type},
		})
	}
	for _, c := range t.Types {
		e, ok := t.Data.Labels.Type(c.Type)
		if !ok {
			continue
		}
		for _, v := range e.Values {
			number := fmt.Sprintf("%d:%d", c.Type, v.Value)
			items = append(items, dialog.Item{Text: e.Label + ": " + v.Label, Also: number, Detail: number,
				Data: eventChoice{c.Type, &v.Value}})
		}
	}
	return items
}

// view shows the type's last value; for a value, the times at which it is the last.
func (e eventChoice) view(t *timeline.Trace) func(*semantic.Window) {
	return func(w *semantic.Window) {
		timeline.LastValue("", []uint32{e.typ})(w)
		if e.value == nil {
			return
		}
		v := float64(*e.value)
		if l, ok := t.Data.Labels.Type(e.typ); ok {
			v *= l.Factor()
		}
		name := "Given Evt Val"
		if v == 0 { // Given Evt Val is 0 elsewhere, too
			name = "In Evt Val"
		}
		w.Functions[prv.LevelThread] = semantic.Call{Name: name, Params: [][]float64{{v}}}
	}
}

// query searches the type, or the value.
func (e eventChoice) query(text string) *notation.Query {
	q := &notation.Query{Text: text, Type: notation.OnlyTypes(e.typ)}
	if e.value != nil {
		q.Pairs = map[notation.TypeValue]bool{{Type: e.typ, Value: *e.value}: true}
	}
	return q
}

// showTypes shows the last value of event types, or of some of their values.
func (c *Content) showTypes(args string) tea.Cmd {
	labels := c.Focused().Trace.Data.Labels
	if types, err := notation.TypesNamed(paths.Unquote(args), labels); err == nil {
		return c.setSemantic(c.Focused(), timeline.LastValue("", types))
	}
	pairs := notation.PairsNamed(paths.Unquote(args), labels)
	if pairs == nil {
		return c.sc.Refuse(fmt.Errorf("no event type or value %q", args))
	}
	return c.setSemantic(c.Focused(), givenValues(pairs))
}

// givenValues returns the view of some values of some types.
func givenValues(pairs map[notation.TypeValue]bool) func(*semantic.Window) {
	var types []uint32
	var values []float64
	for p := range pairs {
		types, values = append(types, p.Type), append(values, float64(p.Value))
	}
	slices.Sort(types)
	slices.Sort(values)
	types, values = slices.Compact(types), slices.Compact(values)
	return func(w *semantic.Window) {
		timeline.LastValue("", types)(w)
		w.Functions[prv.LevelThread] = semantic.Call{Name: "Given Evt Val", Params: [][]float64{values}}
	}
}

func (c *Content) completeTypes(string) (names []string) {
	if w := c.Focused(); w != nil {
		for _, t := range w.Trace.Types {
			names = append(names, w.Trace.TypeLabel(t.Type))
		}
	}
	return names
}
