package tui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// tableChoice is a usual question.
type tableChoice struct {
	name, detail string
	// view is what the window must show for it; nil: whatever it shows.
	view func(*semantic.Window)
	set  func(*tableSetup)
}

// tableChoices lists the questions that make sense on a trace.
func tableChoices(t *timeline.Trace) []tableChoice {
	histogram := func(statistic string) func(*tableSetup) {
		return func(s *tableSetup) { s.statistic = statistic }
	}
	spread := func(statistic string, bins int) func(*tableSetup) {
		return func(s *tableSetup) {
			s.statistic, s.bins, s.columns = statistic, bins, stat.Scale{Auto: true}
			s.shade, s.showEmpty = shadePicture, true
		}
	}
	list := []tableChoice{
		{"Analyzer functions", "the thesis' figures of each row: means, bursts, messages, events", nil, func(s *tableSetup) { s.functions = true }},
		{"Time per value", "how long each value lasts, per row", nil, histogram("Time")},
		{"% of time per value", "the share of time of each value", nil, histogram("% Time")},
		{"Bursts per value", "how often each value comes", nil, histogram("# Bursts")},
		{"Average burst per value", "how long each value lasts at a time", nil, histogram("Average Burst Time")},
		{"Time per state", "how long each thread is in each state", viewNamed(t, "State As Is"), histogram("Time")},
	}
	if mpi := viewNamed(t, "MPI call"); mpi != nil {
		list = append(list,
			tableChoice{"MPI call profile", "share of the time in each MPI call", mpi, histogram("% Time")},
			tableChoice{"MPI calls", "how many calls of each kind", mpi, histogram("# Bursts")})
	}
	if functions := viewNamed(t, "User function"); functions != nil {
		list = append(list, tableChoice{"User function profile", "share of the time in each function", functions, histogram("% Time")})
	}
	list = append(list, tableChoice{"Useful durations", "how long the stretches of computation are: time by duration", usefulDurations, spread("Time", 100)})
	if t.Data.Comms.Len() > 0 {
		list = append(list,
			tableChoice{"Message sizes", "how many messages of each size are sent", messageSizes, spread("# Bursts", 50)},
			tableChoice{"Messages between partners", "the matrix of communication: how many", nil, histogram("#Sends")},
			tableChoice{"Bytes between partners", "the matrix of communication: how much", nil, histogram("Bytes sent")},
			tableChoice{"Average message between partners", "the matrix of communication: bytes per message", nil, histogram("Average bytes sent")})
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

func openTables(m *Model, _ string) tea.Cmd {
	m.openTable()
	t := m.window().Trace
	p := &dialog.Picker{Title: "Tables", Keys: []dialog.Key{
		{Press: "enter", Word: "show", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.showTable(it, false) }},
		{Press: "ctrl+o", Word: "further table", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.showTable(it, true) }},
	}}
	p.Fill = func() []dialog.Item { return tableItems(t) }
	return m.dialogs.Open(p)
}

// tableItems lists the usual questions, and then all statistics.
func tableItems(t *timeline.Trace) []dialog.Item {
	var items []dialog.Item
	for _, c := range tableChoices(t) {
		items = append(items, dialog.Item{Text: c.name, Detail: c.detail, Data: c})
	}
	for i := range stat.Statistics {
		s := &stat.Statistics[i]
		if s.Comms && t.Data.Comms.Len() == 0 {
			continue
		}
		items = append(items, dialog.Item{Text: "Histogram: " + s.Name, Detail: s.Doc, Data: tableChoice{
			name: s.Name, set: func(setup *tableSetup) { setup.statistic = s.Name },
		}})
	}
	return items
}

func completeTables(m *Model, _ string) []string {
	var names []string
	if w := m.window(); w != nil {
		for _, it := range tableItems(w.Trace) {
			names = append(names, strings.TrimPrefix(it.Text, "Histogram: "))
		}
	}
	return names
}

// chooseTable shows the table of a name.
func (m *Model) chooseTable(name string) tea.Cmd {
	names := completeTables(m, "")
	i, err := action.Choose(names, 0, 0, name)
	if err != nil {
		return m.refuse(fmt.Errorf("there is no table %q: %s lists them", unquote(name), keysOf("tables")))
	}
	return m.showTable(&tableItems(m.window().Trace)[i], false)
}

// showTable asks the question of an item: in the window in focus where that shows
// what it is about, else in one that does.
func (m *Model) showTable(it *dialog.Item, further bool) tea.Cmd {
	c := it.Data.(tableChoice)
	m.windowFor(c.view)
	a := m.openTable()
	m.paneFocus = true
	if further {
		a = m.addTable(m.window(), a.setup)
	}
	m.adjust(func(s *tableSetup) {
		span, begin, end, own := s.span, s.begin, s.end, s.own
		look, digits := s.shade, s.digits
		*s = newTableSetup()
		s.functions = false
		s.span, s.begin, s.end, s.own, s.shade, s.digits = span, begin, end, own, min(look, shadeColored), digits
		s.name = c.name
		c.set(s)
	})
	if further {
		a.past = nil
	}
	return nil
}

// windowFor puts the focus on a window that shows a view: the one in focus,
// another, or a new one.
func (m *Model) windowFor(view func(*semantic.Window)) {
	if view == nil {
		return
	}
	w := m.window()
	want := w.Sem.Clone()
	view(&want)
	same := func(v *timeline.View) bool { return v.Trace == w.Trace && v.Sem.Key() == want.Key() }
	if same(w) {
		return
	}
	if i := slices.IndexFunc(m.windows, same); i >= 0 {
		m.focus = i
		return
	}
	m.showIn(true, view)
	if v := m.window(); !hasCodes(v.Sem.Meaning()) && !timeline.IsSwitch(&v.Sem) {
		v.Drawing.Color = raster.NotNullGradient
	}
}

// Statistics.

func setStatistic(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		a := m.openTable()
		names := completeStatistics(m, "")
		i, err := action.Choose(names, max(slices.Index(names, a.setup.statistic), 0), step, args)
		if err != nil {
			return m.refuse(err)
		}
		if a.setup.functions && args == "" { // the histogram comes first as it is
			i = max(slices.Index(names, a.setup.statistic), 0)
		}
		return m.showStatistic(names[i])
	}
}

func (m *Model) showStatistic(name string) tea.Cmd {
	s, ok := stat.Lookup(name)
	if !ok {
		return m.refuse(fmt.Errorf("there is no statistic %q", name))
	}
	m.adjust(func(t *tableSetup) { t.statistic, t.functions, t.name = s.Name, false, s.Name })
	m.say(s.Name + ": " + s.Doc)
	return nil
}

// completeStatistics lists the statistics that a trace can be asked for.
func completeStatistics(m *Model, _ string) []string {
	var names []string
	w := m.window()
	for i := range stat.Statistics {
		if s := &stat.Statistics[i]; !s.Comms || w != nil && w.Trace.Data.Comms.Len() > 0 {
			names = append(names, s.Name)
		}
	}
	return names
}

func openStatistics(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	p := &dialog.Picker{Title: "Statistics", Keys: []dialog.Key{
		{Press: "enter", Word: "show", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.showStatistic(it.Text) }},
	}}
	for _, name := range completeStatistics(m, "") {
		s, _ := stat.Lookup(name)
		p.Items = append(p.Items, dialog.Item{Text: s.Name, Detail: s.Doc})
	}
	cmd := m.dialogs.Open(p)
	for i := range p.Items {
		if p.Items[i].Text == a.setup.statistic {
			p.At = i
		}
	}
	return cmd
}

// Windows of a histogram.

// openOperands lists what the data window, or the third window, can be.
func openOperands(third bool) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.openTable()
		w := m.window()
		p := &dialog.Picker{Title: "Data window", Keys: []dialog.Key{
			{Press: "enter", Word: "use", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return m.setOperand(third, it.Data.(operand)) }},
		}}
		none := dialog.Item{Text: "The window itself", Detail: "the values that choose the columns are counted in them, too", Data: operand{}}
		if third {
			p.Title = "Third window"
			none = dialog.Item{Text: "None", Detail: "two dimensions", Data: operand{}}
		}
		p.Fill = func() []dialog.Item { return append([]dialog.Item{none}, m.operandItems(w)...) }
		return m.dialogs.Open(p)
	}
}

// operandItems lists the windows on a trace, and then its views.
func (m *Model) operandItems(w *timeline.View) []dialog.Item {
	var items []dialog.Item
	for i, v := range m.windows {
		if v.Trace == w.Trace && v != w {
			c := v.Sem.Clone()
			if c.Name == "" {
				c.Name = v.Title()
			}
			items = append(items, dialog.Item{Text: fmt.Sprintf("Window %d: %s", i+1, v.Title()), Detail: v.Sem.Level.String() + "s", Data: operand{v.ID, &c}})
		}
	}
	for _, it := range viewItems(w.Trace) {
		c := w.Sem.Clone()
		it.Data.(func(*semantic.Window))(&c)
		c.Name = it.Text
		it.Data = operand{0, &c}
		items = append(items, it)
	}
	return items
}

func (m *Model) setOperand(third bool, o operand) tea.Cmd {
	m.adjust(func(s *tableSetup) {
		s.functions = false
		if third {
			s.third, s.plane = o, 0
		} else {
			s.data = o
			if o.sem != nil && s.statistic == "Time" {
				s.statistic = "Average value" // time says nothing of the data
			}
		}
	})
	return nil
}

func stepPlane(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		a := m.openTable()
		if a.sheet == nil || len(a.sheet.planes) == 0 {
			return m.refuse(errors.New("this table has two dimensions: " + keysOf("third-window") + " chooses a third window"))
		}
		n := len(a.sheet.planes)
		p := a.sheet.planes[(a.sheet.plane+step+n)%n]
		m.adjust(func(s *tableSetup) { s.plane = p.value })
		return nil
	}
}

// Columns.

func completeColumns(*Model, string) []string { return []string{"auto", "auto 20", "auto 100"} }

func setColumns(m *Model, args string) tea.Cmd {
	if args == "" {
		m.openTable()
		return m.promptFor("columns")
	}
	scale, bins, err := parseScale(args)
	if err != nil {
		return m.refuse(err)
	}
	m.adjust(func(s *tableSetup) { s.functions, s.columns, s.bins = false, scale, bins })
	return nil
}

func setPlanes(m *Model, args string) tea.Cmd {
	if args == "" {
		m.openTable()
		return m.promptFor("planes")
	}
	scale, _, err := parseScale(args)
	if err != nil {
		return m.refuse(err)
	}
	m.adjust(func(s *tableSetup) { s.planes = scale })
	return nil
}

// mostColumns is how many columns a person may ask for: more than anyone can look
// at, fewer than fill the memory.
const mostColumns = 100_000

// parseScale reads "auto", "auto 20", "0 100 10", "0 100 x20".
func parseScale(text string) (s stat.Scale, bins int, err error) {
	wrong := fmt.Errorf("%q is no division: auto, auto 20, 0 100 10 (in steps of 10) or 0 100 x20 (in 20 columns)", text)
	words := strings.Fields(strings.ReplaceAll(text, "..", " "))
	number := func(i int) (float64, bool) {
		v, err := strconv.ParseFloat(words[i], 64)
		return v, err == nil && v-v == 0
	}
	if len(words) > 0 && strings.EqualFold(words[0], "auto") {
		s = stat.Scale{Auto: true, Zero: true}
		if len(words) == 1 {
			return s, 0, nil
		}
		bins, err = strconv.Atoi(strings.TrimPrefix(words[1], "x"))
		if err != nil || len(words) > 2 || bins < 1 || bins > mostColumns {
			return s, 0, wrong
		}
		return s, bins, nil
	}
	if len(words) < 2 || len(words) > 3 {
		return s, 0, wrong
	}
	lo, ok1 := number(0)
	hi, ok2 := number(1)
	s = stat.Scale{Min: lo, Max: hi, Delta: 1}
	if !ok1 || !ok2 || hi < lo {
		return s, 0, wrong
	}
	if len(words) == 3 {
		if n, ok := strings.CutPrefix(words[2], "x"); ok {
			if s.Count, err = strconv.Atoi(n); err != nil || s.Count < 1 {
				return s, 0, wrong
			}
		} else if v, ok := number(2); ok && v > 0 {
			s.Delta = v
		} else {
			return s, 0, wrong
		}
	}
	if n := max(float64(s.Count), (hi-lo)/s.Delta); s.Count == 0 && n > mostColumns || s.Count > mostColumns {
		return s, 0, fmt.Errorf("%s has more than %s columns", text, raster.FormatCount(mostColumns))
	}
	return s, 0, nil
}

// zoomColumns divides the values of the columns selected anew.
func zoomColumns(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	lo, hi, ok := a.columnRange()
	if !ok {
		return nil
	}
	s := a.sheet
	if s.functions || s.comms {
		return m.refuse(errors.New("the columns of this table are no ranges of values"))
	}
	list := s.values()
	scale := stat.Scale{Min: list[lo].low, Max: list[lo].high, Count: 20}
	for _, h := range list[lo : hi+1] {
		scale.Min, scale.Max = min(scale.Min, h.low), max(scale.Max, h.high)
	}
	if n := len(list) + s.hidden; n > 1 {
		scale.Count = min(n, mostColumns)
	}
	if list[lo].coded {
		scale.Max, scale.Delta, scale.Count = scale.Max-1, 1, 0 // one column for each code
	}
	if !(scale.Max >= scale.Min) {
		return nil
	}
	a.anchor = -1
	m.adjust(func(s *tableSetup) { s.columns, s.bins = scale, 0 })
	m.say(fmt.Sprintf("columns from %s to %s; %s takes it back", raster.FormatValue(scale.Min, ""), raster.FormatValue(scale.Max, ""), keysOf("undo-table")))
	return nil
}

// columnLimits returns the intervals of values that columns stand for, those that
// touch joined; what is not open at its upper end is closed just above it.
func columnLimits(list []header) (lows, highs []float64) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b header) int {
		switch {
		case a.low < b.low:
			return -1
		case a.low > b.low:
			return 1
		}
		return 0
	})
	for _, h := range list {
		high := h.high
		if !h.open {
			high = nextAfter(high)
		}
		if n := len(highs); n > 0 && highs[n-1] >= h.low {
			highs[n-1] = max(highs[n-1], high)
			continue
		}
		lows, highs = append(lows, h.low), append(highs, high)
	}
	return lows, highs
}

// cellWindow shows in a timeline only the values of the columns selected.
func cellWindow(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	lo, hi, ok := a.columnRange()
	if !ok {
		return nil
	}
	s, w := a.sheet, m.window()
	if s.functions {
		return m.refuse(errors.New("the functions of the analyzer are about all values: " + keysOf("tables") + " chooses a histogram"))
	}
	v := m.cloneWindow(w)
	v.Sem = w.Sem.Clone()
	name := s.values()[lo].name
	if hi > lo {
		name += " .. " + s.values()[hi].name
	}
	v.Name = w.Title() + ": " + name
	if s.comms {
		m.onlyMessages(v, a, lo, hi)
	} else {
		lows, highs := columnLimits(s.values()[lo : hi+1])
		v.Sem.Extra = append(slices.Clone(v.Sem.Extra), semantic.Call{Name: "Select Range [)", Params: [][]float64{highs, lows}})
	}
	v.Drawing.Fixed, v.Drawing.Scale = false, raster.Scale{}
	m.addWindow(v)
	m.focus = slices.Index(m.windows, w)
	m.say(fmt.Sprintf("window %d shows only %s", m.focus+2, name))
	return nil
}

// onlyMessages lets only the messages of the cells selected pass, and draws them.
func (m *Model) onlyMessages(v *timeline.View, a *analysis, lo, hi int) {
	s := a.sheet
	row := a.row
	objects := s.rows
	if s.vertical {
		row, objects = a.col, s.columns
	}
	from := []float64{float64(objects[row].id + 1)}
	var to []float64
	for _, h := range s.values()[lo : hi+1] {
		to = append(to, float64(h.id+1))
	}
	send := !strings.Contains(strings.ToLower(s.statistic.Name), "recei")
	if !send {
		from, to = to, from
	}
	c := &v.Sem.Filter.Comms
	c.From, c.To = equalTo(from), equalTo(to)
	c.FromToOr = false
	if v.Drawing.Comms == timeline.CommsOff {
		v.Drawing.Comms = timeline.CommsLogical
	}
	v.Objects, v.Top, v.Span = nil, 0, 0
}
