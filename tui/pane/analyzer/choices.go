package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"pview/tui/pane"

	tea "charm.land/bubbletea/v2"

	"pview/insight/waits"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/dialog"
)

// The questions of a table: the usual ones by name, and the parts of a histogram one by one.

// question is a usual question.
type question struct {
	name, detail string
	also         string // synonyms, for the search
	// view is the window that it needs; nil: any window.
	view  func(*semantic.Window)
	third func(*semantic.Window) // divides the table into planes; nil for none
	set   func(*Setup)
}

// usual is an entry of the table of usual questions.
type usual struct {
	name, detail, also string
	view               string // its ready view; "" for whatever the window shows
	third              string // the ready view that divides the table into planes; "" for none
	messages           bool   // only if there are messages
	set                func(*Setup)
}

// usuals are the questions for every run.
var usuals = []usual{
	{name: "Time per value", detail: "duration of each value, per row", set: ask("Time")},
	{name: "% of time per value", detail: "share of time of each value", set: ask("% Time")},
	{name: "Bursts per value", detail: "number of bursts of each value", set: ask("# Bursts")},
	{name: "Average burst per value", detail: "mean duration of each value", set: ask("Average Burst Time")},
	{name: "Time per state", detail: "duration of each state, per thread", view: "State As Is", set: ask("Time")},
	{name: "MPI call profile", detail: "share of the time in each MPI call, the most expensive first", view: "MPI call",
		set: profile("% Window Time", false)},
	{name: "Number of MPI calls", detail: "number of calls of each kind", view: "MPI call", set: ask("# Bursts")},
	{name: "MPI time by caller", detail: "share of the time in MPI by the function that calls", view: "MPI caller",
		set: profile("% Window Time", false)},
	{name: "Callers of an MPI call", detail: "the same for the call at the cursor, or for each call in turn ({ })",
		view: "MPI caller", third: "MPI call", set: profile("% Window Time", false)},
	{name: "User function profile", detail: "share of the time in each function without those that it calls",
		also: "exclusive routines", view: "User function", set: profile("% Window Time", false)},
	{name: "User function profile, inclusive", detail: "share of the time in each function with those that it calls",
		also: "routines", view: "User function", set: func(s *Setup) {
			profile("% Window Time", false)(s)
			s.inclusive = true
		}},
	{name: "OpenMP profile", detail: "share of the time in each construct", view: "OpenMP construct",
		set: profile("% Window Time", false)},
	{name: "Analyzer functions", detail: "statistics per row: means, bursts, messages, events",
		set: func(s *Setup) { s.functions = true }},
	{name: "Useful durations", detail: "durations of computation bursts: time by duration", view: "Useful duration",
		set: spread("Time", 100)},
	{name: "IPC", detail: "computation by its instructions per cycle: time by IPC", view: "IPC",
		set: spread("Time", 50)},
	{name: "Iteration durations", detail: "number of iterations by duration", also: "step loop",
		view: "Iteration duration", set: spread("# Bursts", 50)},
	{name: "Message sizes", detail: "number of messages sent by size", view: messageSizes, messages: true,
		set: spread("# Bursts", 50)},
	{name: "Messages between partners", detail: "communication matrix: number of messages", messages: true,
		set: matrix("#Sends")},
	{name: "Bytes between partners", detail: "communication matrix: bytes", messages: true, set: matrix("Bytes sent")},
	{name: "Average message between partners", detail: "communication matrix: bytes per message", messages: true,
		set: matrix("Average bytes sent")},
	{name: "Wait states", detail: "share of the time in each class of wait, per thread", also: "scalasca why",
		view: waits.StateFunction, set: profile("% Window Time", false)},
	{name: "Who waits for whom", detail: "time that each thread waits for each other", also: "blame",
		view: waits.CauseFunction, set: matrix("Time")},
	{name: "Late senders", detail: "communication matrix: wait that each row causes by sending late", also: "wait",
		messages: true, set: matrix("Late sends")},
	{name: "Late receivers", detail: "communication matrix: wait that each row causes by receiving late", also: "wait",
		messages: true, set: matrix("Late receives")},
}

// messageSizes names the view of the sizes of messages, which is a thread function.
const messageSizes = "Size of messages sent"

// ask returns the question for a statistic of each value.
func ask(statistic string) func(*Setup) { return func(s *Setup) { s.Statistic = statistic } }

// profile returns a heat map of shares of time, the greatest column first; zeros: the value 0 has a column.
func profile(statistic string, zeros bool) func(*Setup) {
	return func(s *Setup) {
		s.Statistic, s.Columns = statistic, stat.Scale{Auto: true, Zero: zeros}
		s.order, s.shade = stat.Sort{On: true, By: stat.Sum.String()}, shadeColored
	}
}

// spread returns a picture of the spread of values over a number of columns.
func spread(statistic string, bins int) func(*Setup) {
	return func(s *Setup) {
		s.Statistic, s.bins, s.Columns = statistic, bins, stat.Scale{Auto: true}
		s.shade, s.showEmpty = shadePicture, true
	}
}

// matrix returns a picture of who sends to whom: all partners have a column.
func matrix(statistic string) func(*Setup) {
	return func(s *Setup) { s.Statistic, s.shade, s.showEmpty = statistic, shadePicture, true }
}

// usualSetup returns the question of a table without a choice: shares of time if values are codes, statistics if they
// are amounts. A mean of codes is meaningless.
func usualSetup(w *timeline.View) Setup {
	s := newTableSetup()
	switch m := w.Trace.Meaning(&w.Sem); {
	case timeline.IsSwitch(&w.Sem), m == semantic.StateCodes:
		s.functions = false
		profile("% Time", true)(&s)
	case !m.IsAmount():
		s.functions = false
		profile("% Window Time", false)(&s)
	}
	if !s.functions {
		s.Name = s.Statistic
	}
	s.usual = true
	return s
}

// questions lists the questions that make sense on a trace.
func questions(t *timeline.Trace) []question {
	var list []question
	for i := range usuals {
		u := &usuals[i]
		q := question{name: u.name, detail: u.detail, also: u.also, set: u.set}
		switch {
		case u.messages && t.Data.Comms.Len() == 0:
			continue
		case u.view == messageSizes:
			q.view = sizesSent
		case u.view != "":
			if q.view = viewNamed(t, u.view); q.view == nil {
				continue
			}
		}
		if u.third != "" {
			if q.third = viewNamed(t, u.third); q.third == nil {
				continue
			}
		}
		list = append(list, q)
	}
	return list
}

// viewNamed returns a view of the views menu; nil if the trace does not have it.
func viewNamed(t *timeline.Trace, name string) func(*semantic.Window) {
	if c := t.ReadyView(name); c != nil {
		return c.Set
	}
	return nil
}

func sizesSent(w *semantic.Window) {
	level, unit := w.Level, w.Unit
	*w = semantic.ThreadWindow("Last Send Size")
	w.Level, w.Unit, w.Name = level, unit, messageSizes
}

func (p actions) openTables(string) tea.Cmd {
	p.openTable()
	t := p.sc.View.Trace
	list := &dialog.Picker{Title: "Tables", Keys: []dialog.Key{
		{Press: "enter", Word: "show", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return p.showTable(it, false)
		}},
		{Press: "ctrl+o", Word: "further table", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return p.showTable(it, true)
		}},
	}}
	list.Fill, list.Missing = func() []dialog.Item { return tableItems(t) }, t.MissingView
	return p.sc.Dialogs.Open(list)
}

// tableItems lists the usual questions, and then all statistics.
func tableItems(t *timeline.Trace) []dialog.Item {
	var items []dialog.Item
	for _, c := range questions(t) {
		items = append(items, dialog.Item{Text: c.name, Also: c.also, Detail: c.detail, Data: c})
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
func (p actions) tableNames() []string {
	var names []string
	if w := p.sc.View; w != nil {
		for _, it := range tableItems(w.Trace) {
			names = append(names, strings.TrimPrefix(it.Text, "Histogram: "))
		}
	}
	return names
}

// chooseTable shows the table of a name.
func (p actions) chooseTable(name string) tea.Cmd {
	names := p.tableNames()
	i, err := action.Choose(names, 0, 0, name)
	if err != nil {
		return p.sc.Refuse(fmt.Errorf("unknown table %q: %s lists them", strings.Trim(strings.TrimSpace(name), `"`),
			p.sc.KeysOf("tables")))
	}
	return p.showTable(&tableItems(p.sc.View.Trace)[i], false)
}

// showTable asks the question of an item: in the view in focus if that shows its subject, else in a view that does.
func (p actions) showTable(it *dialog.Item, further bool) tea.Cmd {
	c := it.Data.(question)
	plane := p.planeAtCursor(c.third)
	w, err := p.viewFor(c.view)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.sc.Show(p.pane, true)
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
		if c.third != nil {
			third := w.Sem.Clone()
			c.third(&third)
			s.third, s.plane, s.fullest = Operand{sem: &third}, plane, plane == 0
		}
	})
	if further {
		a.past = nil
	}
	return nil
}

// planeAtCursor returns the value of the plane to show if a window divides the table: that of the column at the cursor,
// if its view shows that window; 0 for none.
func (p actions) planeAtCursor(third func(*semantic.Window)) float64 {
	if third == nil {
		return 0
	}
	w := p.sc.View.Sem.Clone()
	if third(&w); w.Key() != p.sc.View.Sem.Key() {
		return 0
	}
	return p.codeAtCursor()
}

// codeAtCursor returns the code of the column at the cursor of the table shown; 0 if the column has none.
func (p actions) codeAtCursor() float64 {
	a := p.shownOf(p.sc.View)
	if a == nil || a.Sheet == nil {
		return 0
	}
	if list, at := a.Sheet.values(), a.valueAt(); at < len(list) && list[at].coded {
		return list[at].low
	}
	return 0
}

// valueAt returns the position of the cursor among the columns of values.
func (a *Table) valueAt() int {
	if a.Sheet.Vertical {
		return a.Row
	}
	return a.Col
}

// viewFor focuses a view that shows something, and returns it: the one in focus, another, or a new one.
func (p actions) viewFor(what func(*semantic.Window)) (*timeline.View, error) {
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
