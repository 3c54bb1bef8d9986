package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"pview/tui/pane"

	tea "charm.land/bubbletea/v2"

	"pview/semantic"
	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// What a table can ask for: the usual questions by name, and the parts of a
// histogram one by one.

// question is a usual question.
type question struct {
	name, detail string
	// view is what the window must show for it; nil: whatever it shows.
	view func(*semantic.Window)
	set  func(*Setup)
}

// questions lists the questions that make sense on a trace.
func questions(t *timeline.Trace) []question {
	histogram := func(statistic string) func(*Setup) {
		return func(s *Setup) { s.Statistic = statistic }
	}
	spread := func(statistic string, bins int) func(*Setup) {
		return func(s *Setup) {
			s.Statistic, s.bins, s.Columns = statistic, bins, stat.Scale{Auto: true}
			s.shade, s.showEmpty = shadePicture, true
		}
	}
	list := []question{
		{"Analyzer functions", "statistics per row: means, bursts, messages, events", nil, func(s *Setup) { s.functions = true }},
		{"Time per value", "duration of each value, per row", nil, histogram("Time")},
		{"% of time per value", "share of time of each value", nil, histogram("% Time")},
		{"Bursts per value", "number of bursts of each value", nil, histogram("# Bursts")},
		{"Average burst per value", "mean duration of each value", nil, histogram("Average Burst Time")},
		{"Time per state", "duration of each state, per thread", viewNamed(t, "State As Is"), histogram("Time")},
	}
	if mpi := viewNamed(t, "MPI call"); mpi != nil {
		list = append(list,
			question{"MPI call profile", "share of the time in each MPI call", mpi, histogram("% Time")},
			question{"MPI calls", "number of calls of each kind", mpi, histogram("# Bursts")})
	}
	if functions := viewNamed(t, "User function"); functions != nil {
		list = append(list, question{"User function profile", "share of the time in each function", functions, histogram("% Time")})
	}
	list = append(list, question{"Useful durations", "durations of computation bursts: time by duration", usefulDurations, spread("Time", 100)})
	if t.Data.Comms.Len() > 0 {
		list = append(list,
			question{"Message sizes", "number of messages sent by size", messageSizes, spread("# Bursts", 50)},
			question{"Messages between partners", "communication matrix: number of messages", nil, histogram("#Sends")},
			question{"Bytes between partners", "communication matrix: bytes", nil, histogram("Bytes sent")},
			question{"Average message between partners", "communication matrix: bytes per message", nil, histogram("Average bytes sent")})
	}
	return list
}

// viewNamed returns a view of the views menu; nil when the trace does not have it.
func viewNamed(t *timeline.Trace, name string) func(*semantic.Window) {
	for _, v := range t.Choices() {
		if v.Name == name {
			return v.Set
		}
	}
	return nil
}

func usefulDurations(w *semantic.Window) {
	level, unit := w.Level, w.Unit
	*w = semantic.ThreadWindow("State Record Dur.", []float64{1})
	w.Level, w.Unit, w.Name = level, unit, "Useful duration"
}

func messageSizes(w *semantic.Window) {
	level, unit := w.Level, w.Unit
	*w = semantic.ThreadWindow("Last Send Size")
	w.Level, w.Unit, w.Name = level, unit, "Size of messages sent"
}

func (p *Pane) openTables(string) tea.Cmd {
	p.openTable()
	t := p.sc.View.Trace
	list := &dialog.Picker{Title: "Tables", Keys: []dialog.Key{
		{Press: "enter", Word: "show", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return p.showTable(it, false) }},
		{Press: "ctrl+o", Word: "further table", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return p.showTable(it, true) }},
	}}
	list.Fill = func() []dialog.Item { return tableItems(t) }
	return p.sc.Dialogs.Open(list)
}

// tableItems lists the usual questions, and then all statistics.
func tableItems(t *timeline.Trace) []dialog.Item {
	var items []dialog.Item
	for _, c := range questions(t) {
		items = append(items, dialog.Item{Text: c.name, Detail: c.detail, Data: c})
	}
	for _, s := range stat.Statistics() {
		if s.Comms && t.Data.Comms.Len() == 0 {
			continue
		}
		items = append(items, dialog.Item{Text: "Histogram: " + s.Name, Detail: s.Doc, Data: question{
			name: s.Name, set: func(setup *Setup) { setup.Statistic = s.Name },
		}})
	}
	return items
}

// tableNames lists the names that a table can be chosen by.
func (p *Pane) tableNames() []string {
	var names []string
	if w := p.sc.View; w != nil {
		for _, it := range tableItems(w.Trace) {
			names = append(names, strings.TrimPrefix(it.Text, "Histogram: "))
		}
	}
	return names
}

// chooseTable shows the table of a name.
func (p *Pane) chooseTable(name string) tea.Cmd {
	names := p.tableNames()
	i, err := action.Choose(names, 0, 0, name)
	if err != nil {
		return p.sc.Refuse(fmt.Errorf("unknown table %q: %s lists them", strings.Trim(strings.TrimSpace(name), `"`), p.sc.KeysOf("tables")))
	}
	return p.showTable(&tableItems(p.sc.View.Trace)[i], false)
}

// showTable asks the question of an item: in the view in focus where that shows
// what it is about, else in one that does.
func (p *Pane) showTable(it *dialog.Item, further bool) tea.Cmd {
	c := it.Data.(question)
	w, err := p.viewFor(c.view)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.sc.Show(p, true)
	a := p.table(w)
	if further {
		a = p.addTable(w, a.Setup)
	}
	a.change(func(s *Setup) {
		span, begin, end, own := s.span, s.begin, s.end, s.own
		look, digits := s.shade, s.digits
		*s = newTableSetup()
		s.functions = false
		s.span, s.begin, s.end, s.own, s.shade, s.digits = span, begin, end, own, min(look, shadeColored), digits
		s.Name = c.name
		if c.view != nil {
			of := w.Sem.Clone()
			s.of = &of
		}
		c.set(s)
	})
	if further {
		a.past = nil
	}
	return nil
}

// viewFor gives the focus to a view that shows something, and returns it: the one in focus, another, or a new one.
func (p *Pane) viewFor(what func(*semantic.Window)) (*timeline.View, error) {
	w := p.sc.View
	if what == nil {
		return w, nil
	}
	want := w.Sem.Clone()
	what(&want)
	same := func(v *timeline.View) bool { return v.Trace == w.Trace && v.Sem.Key() == want.Key() }
	if same(w) {
		return w, nil
	}
	if i := slices.IndexFunc(p.sc.Views, same); i >= 0 {
		p.sc.Do(pane.FocusView{View: p.sc.Views[i]})
		return p.sc.Views[i], nil
	}
	if _, err := semantic.Compile(w.Trace.Data, &want); err != nil {
		return nil, err
	}
	v := p.sc.CloneView(w)
	v.Name, v.Sem = "", want
	if !hasCodes(v.Sem.Meaning()) && !timeline.IsSwitch(&v.Sem) {
		v.Drawing.Color = raster.NotNullGradient
	}
	p.sc.Do(pane.AddView{View: v})
	return v, nil
}
