package tui

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// What a window shows: views, functions, filters, levels, objects.

var showActions = []deed{
	{Name: "views", Group: groupShow, Keys: []string{"v"},
		Doc: "choose a view: states, useful, MPI calls, functions of the program, any function", Hint: "views",
		needsWindow: true, run: openViews},
	{Name: "call-stack", Group: groupShow, Keys: []string{"alt+v"},
		Doc: "show the calls within each other in a window of its own: a row for each level of a thread's call stack (flame view)", needsWindow: true, run: callStacks},
	{Name: "function", Group: groupShow, Keys: []string{"V"}, Args: "NAME [PARAMETERS]|= EXPRESSION",
		Doc:         "set the thread function: function Given State 1,3; or an expression: function = state == 1 && value > 0",
		needsWindow: true, run: setFunction, complete: completeFunctions, prefill: func(m *Model) string {
			return timeline.CallText(m.Focused().Sem.Functions[prv.LevelThread])
		}, promptAs: functionPrompt},
	{Name: "fold", Group: groupShow, Keys: []string{"ctrl+f"}, Args: "NAME [PARAMETERS]|= EXPRESSION",
		Doc:         "set the function that combines the level below: fold Maximum; or an expression: fold = max(values)",
		needsWindow: true, run: setFold, complete: completeFolds,
		prefill: func(m *Model) string { w := m.Focused(); return timeline.CallText(w.Sem.Functions[w.Sem.Level]) }},
	{Name: "compose", Group: groupShow, Keys: []string{"ctrl+e"}, Args: "NAME [PARAMETERS]|= EXPRESSION",
		Doc: "set the compose function on top: compose Mod 2; compose As Is for none; or an expression: compose = value / 2", needsWindow: true, run: setCompose, complete: completeComposes, prefill: func(m *Model) string { return timeline.CallText(m.Focused().Sem.Top1) }},
	{Name: "in-state", Group: groupShow, Keys: []string{"I"}, Args: "STATES",
		Doc: "show 1 in the states, 0 elsewhere: in-state 1,3 or in-state Running", needsWindow: true, run: inState,
		complete: completeStates},
	{Name: "event", Group: groupShow, Keys: []string{"E"}, Args: "TYPES",
		Doc: "show the last value of event types: event 50000001,50000002 or event MPI", needsWindow: true,
		run: showEventCommand, complete: completeTypes},
	{Name: "filter", Group: groupShow, Keys: []string{"f"}, Args: "CRITERIA",
		Doc: "filter events and messages: filter type=40 value>0 size>1000; empty: all", Hint: "filter",
		needsWindow: true, run: setFilter, complete: completeFilter, prefill: filterNow, typed: applyFilter,
		promptAs: filterPrompt},
	{Name: "level", Group: groupShow, Keys: []string{"t"}, Args: "[LEVEL]",
		Doc: "go to the next level: thread, task, ptask, workload, cpu, node, system", Hint: "level", needsWindow: true,
		run: nextLevel(1), complete: completeLevels},
	{Name: "level-back", Group: groupShow, Keys: []string{"T"}, Doc: "go to the previous level", needsWindow: true,
		run: nextLevel(-1)},
	{Name: "objects", Group: groupShow, Keys: []string{"Y"}, Doc: "choose the objects in view from a list",
		needsWindow: true, run: openObjects},
	{Name: "rows", Group: groupShow, Keys: []string{"@"}, Args: "LIST or REGEXP",
		Doc: "show some objects: rows 1-8,12 or rows ^THREAD 1\\.[1-4]", needsWindow: true, run: selectRows},
	{Name: "rows-invert", Group: groupShow, Keys: []string{"~"},
		Doc: "invert the selection: show hidden objects, hide others", needsWindow: true, run: invertRows},
	{Name: "rows-hide", Group: groupShow, Keys: []string{"X"}, Doc: "hide the row at the cursor", needsWindow: true,
		run: hideRow},
	{Name: "rows-reset", Group: groupShow, Keys: []string{"O"}, Doc: "show all objects", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd { return setObjects(m, m.Focused(), nil) }},
	{Name: "explain", Group: groupShow, Keys: []string{"W"}, Doc: "describe the window in words", needsWindow: true,
		run: explain},
}

// setSemantic changes what a window shows. What cannot be evaluated on the trace is
// refused, and the window stays as it is. A window of another level shows all its
// objects.
func setSemantic(m *Model, w *timeline.View, f func(*semantic.Window)) tea.Cmd {
	return setView(m, w, f, func(*timeline.Drawing) {})
}

// setView is setSemantic, and changes how the window is drawn in the same step.
func setView(m *Model, w *timeline.View, f func(*semantic.Window), draw func(*timeline.Drawing)) tea.Cmd {
	show, err := showing(w, f)
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.Change(w, "", func(s *timeline.Setup) {
		show(s)
		draw(&s.Drawing)
	})
	return nil
}

// showing returns the step that makes a window show what f changes, or why it cannot be evaluated on the trace.
func showing(w *timeline.View, f func(*semantic.Window)) (func(s *timeline.Setup), error) {
	next := w.Sem.Clone()
	f(&next)
	if _, err := semantic.Compile(w.Trace.Data, &next); err != nil {
		return nil, err
	}
	return func(s *timeline.Setup) {
		if next.Level != s.Sem.Level {
			s.Objects, s.Top, s.Span = nil, 0, 0
		}
		s.Sem = next
	}, nil
}

func openViews(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	p := &dialog.Picker{Title: "Views", Keys: []dialog.Key{
		{Press: "enter", Word: "show here", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return showView(m, it, false)
		}},
		{Press: "ctrl+o", Word: "new window", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return showView(m, it, true)
		}},
	}}
	t := cmp.Or(w.Trace.StacksOf, w.Trace) // a window of call stacks has one view; others are of the run
	p.Fill, p.Missing = func() []dialog.Item { return viewItems(t) }, t.MissingView
	return m.dialogs.Open(p)
}

func viewItems(t *timeline.Trace) []dialog.Item {
	var items []dialog.Item
	for _, v := range t.AllChoices() {
		if v.Name == "Useful duration" && hasStacks(t) { // after the calls and functions
			items = append(items, stackItem)
		}
		items = append(items, dialog.Item{Text: v.Name, Also: v.Also, Detail: v.Detail, Data: v})
	}
	return items
}

// showView sets the view of an item in the window in focus, or in a new one below.
func showView(m *Model, it *dialog.Item, fresh bool) tea.Cmd {
	if it == nil {
		return nil
	}
	if lead := m.MeasuredView(m.Focused().Trace.StacksOf); lead != nil {
		m.FocusOn(lead)
	}
	if it.Data == nil {
		return callStacks(m, "")
	}
	return showChoice(m, it.Data.(timeline.Choice), fresh)
}

// showChoice shows a choice of the views menu, drawn as it reads best.
func showChoice(m *Model, c timeline.Choice, fresh bool) tea.Cmd {
	draw := func(d *timeline.Drawing) {
		d.Graph, d.Fixed, d.Color, d.Codes = c.Graph, false, raster.CodeColor, false
	}
	if !fresh {
		return setView(m, m.Focused(), c.Set, draw)
	}
	n := len(m.Windows)
	cmd := showIn(m, fresh, c.Set)
	if len(m.Windows) > n {
		draw(&m.Focused().Drawing)
	}
	return cmd
}

func showIn(m *Model, fresh bool, set func(*semantic.Window)) tea.Cmd {
	if !fresh {
		return setSemantic(m, m.Focused(), set)
	}
	w := m.CloneWindow(m.Focused())
	w.Name = ""
	w.Sem = w.Sem.Clone()
	set(&w.Sem)
	if _, err := semantic.Compile(w.Trace.Data, &w.Sem); err != nil {
		return m.scene.Refuse(err)
	}
	m.AddWindow(w)
	return nil
}

// searchLabels lists the event types that occur, and the values that have labels.
func searchLabels(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	p := &dialog.Picker{Title: "Search events", Keys: []dialog.Key{
		{Press: "enter", Word: "show here", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return showEvent(m, it, false)
		}},
		{Press: "ctrl+o", Word: "new window", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return showEvent(m, it, true)
		}},
		{Press: "tab", Word: "next", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return goToEvent(m, it, true)
		}},
		{Press: "shift+tab", Word: "previous", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return goToEvent(m, it, false)
		}},
	}}
	p.Fill = func() []dialog.Item {
		p.Empty = "this trace has no events"
		if t.Types == nil {
			p.Empty = m.theme.ASCII("counting the events…")
		}
		return eventItems(t)
	}
	return m.dialogs.Open(p)
}

// eventItems lists the event types of a trace, and then their labelled values.
func eventItems(t *timeline.Trace) []dialog.Item {
	var items []dialog.Item
	for _, c := range t.Types {
		items = append(items, dialog.Item{
			Text:   t.TypeLabel(c.Type),
			Also:   fmt.Sprint(c.Type),
			Detail: fmt.Sprintf("%d  %s events", c.Type, raster.FormatCount(c.Count)),
			Data:   eventChoice{typ: c.Type},
		})
	}
	for _, c := range t.Types {
		e, ok := t.Data.Labels.Type(c.Type)
		if !ok {
			continue
		}
		for _, v := range e.Values {
			value, number := v.Value, fmt.Sprintf("%d:%d", c.Type, v.Value)
			items = append(items, dialog.Item{Text: e.Label + ": " + v.Label, Also: number, Detail: number,
				Data: eventChoice{c.Type, &value}})
		}
	}
	return items
}

// eventChoice is an event type, or one of its values.
type eventChoice struct {
	typ   uint32
	value *int64
}

// showEvent shows the last value of a type; of one value, where it holds.
func showEvent(m *Model, it *dialog.Item, fresh bool) tea.Cmd {
	if it == nil {
		return nil
	}
	c := it.Data.(eventChoice)
	setQuery(m, it)
	return showIn(m, fresh, c.view(m.Focused().Trace))
}

// view shows the last value of the type, or one value as long as it is the last.
func (c eventChoice) view(t *timeline.Trace) func(*semantic.Window) {
	return func(w *semantic.Window) {
		timeline.LastValue("", []uint32{c.typ})(w)
		if c.value == nil {
			return
		}
		v := float64(*c.value)
		if e, ok := t.Data.Labels.Type(c.typ); ok {
			v *= e.Factor()
		}
		if v == 0 { // where it is the last value, a given 0 could not be told from the rest
			w.Functions[prv.LevelThread] = semantic.Call{Name: "In Evt Val", Params: [][]float64{{0}}}
			return
		}
		w.Functions[prv.LevelThread] = semantic.Call{Name: "Given Evt Val", Params: [][]float64{{v}}}
	}
}

func goToEvent(m *Model, it *dialog.Item, forward bool) tea.Cmd {
	if it == nil {
		return nil
	}
	setQuery(m, it)
	return m.find(forward)
}

func setQuery(m *Model, it *dialog.Item) {
	c := it.Data.(eventChoice)
	m.query = &notation.Query{Text: it.Text, Type: notation.OnlyTypes(c.typ)}
	if c.value != nil {
		m.query.Pairs = map[notation.TypeValue]bool{{Type: c.typ, Value: *c.value}: true}
	}
}

func showEventCommand(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("event")
	}
	labels := m.Focused().Trace.Data.Labels
	types, err := notation.TypesNamed(unquote(args), labels)
	if err == nil {
		return setSemantic(m, m.Focused(), timeline.LastValue("", types))
	}
	pairs := notation.PairsNamed(unquote(args), labels)
	if pairs == nil {
		return m.scene.Refuse(fmt.Errorf("no event type or value %q", args))
	}
	return setSemantic(m, m.Focused(), givenValues(pairs))
}

// givenValues is the view of some values of some types.
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

// Functions.

func setFunction(m *Model, args string) tea.Cmd {
	return setCall(m, "function", semantic.ThreadFunctions, args, func(w *semantic.Window, c semantic.Call) {
		w.Functions[prv.LevelThread], w.Name = c, ""
	})
}

func setFold(m *Model, args string) tea.Cmd {
	l := m.Focused().Sem.Level
	if l == prv.LevelThread {
		return m.scene.Refuse(errors.New("there is no level below threads: " + keysOf("level") + " changes the level"))
	}
	return setCall(m, "fold", semantic.FamilyOf(l), args,
		func(w *semantic.Window, c semantic.Call) { w.Functions[l] = c })
}

func setCompose(m *Model, args string) tea.Cmd {
	return setCall(m, "compose", semantic.ComposeFunctions, args,
		func(w *semantic.Window, c semantic.Call) { w.Top1 = c })
}

func setCall(m *Model, action string, f semantic.Family, args string,
	set func(*semantic.Window, semantic.Call)) tea.Cmd {
	if args == "" {
		return m.promptFor(action)
	}
	call, err := notation.ParseCall(f, unquote(args), m.Focused().Trace.Data.Labels)
	if err != nil {
		return m.scene.Refuse(err)
	}
	return setSemantic(m, m.Focused(), func(w *semantic.Window) { set(w, call) })
}

func completeFunctions(m *Model, args string) []string {
	return notation.CompleteCall(semantic.ThreadFunctions, args)
}
func completeComposes(m *Model, args string) []string {
	return notation.CompleteCall(semantic.ComposeFunctions, args)
}
func completeFolds(m *Model, args string) []string {
	if w := m.Focused(); w != nil && w.Sem.Level != prv.LevelThread {
		return notation.CompleteCall(semantic.FamilyOf(w.Sem.Level), args)
	}
	return nil
}

func inState(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("in-state")
	}
	states, err := notation.StatesNamed(unquote(args), m.Focused().Trace.Data.Labels)
	if err != nil {
		return m.scene.Refuse(err)
	}
	return setSemantic(m, m.Focused(), func(w *semantic.Window) {
		w.Functions[prv.LevelThread], w.Name = semantic.Call{Name: "In State",
			Params: [][]float64{notation.StateList(states)}}, ""
	})
}

func completeStates(m *Model, _ string) []string {
	var names []string
	if w := m.Focused(); w != nil {
		for _, s := range notation.KnownStates(w.Trace.Data.Labels) {
			names = append(names, s.Label)
		}
	}
	return names
}

func completeTypes(m *Model, _ string) []string {
	var names []string
	if w := m.Focused(); w != nil {
		for _, c := range w.Trace.Types {
			names = append(names, w.Trace.TypeLabel(c.Type))
		}
	}
	return names
}

// Filter.

func setFilter(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("filter")
	}
	return applyFilter(m, args)
}

// filterNow is the filter of the window, to be edited.
func filterNow(m *Model) string { return notation.FilterText(beyondView(m.Focused())) }

// filterPrompt says which event types stay.
func filterPrompt(m *Model) (label, hint string) {
	if w := m.Focused(); showsTypes(w) {
		return "", "CRITERIA, such as value>0 size>1000, on top of the event types of " + w.Title()
	}
	return "", ""
}

func functionPrompt(m *Model) (label, hint string) {
	return "", "NAME [PARAMETERS] or = EXPRESSION  now " + timeline.CallName(m.Focused().Sem.Functions[prv.LevelThread])
}

func applyFilter(m *Model, text string) tea.Cmd {
	w := m.Focused()
	f, err := notation.ParseFilter(text, w.Trace.Data.Labels)
	if err != nil {
		return m.scene.Refuse(err)
	}
	if showsTypes(w) { // they are what the window shows: a filter leaves some of them, E and v show others
		if f.Events.Type, err = narrowed(w, &f); err != nil {
			return m.scene.Refuse(err)
		}
	}
	return setSemantic(m, w, func(s *semantic.Window) {
		if w.Trace.Meaning(s) == semantic.EventValues && !f.Events.Equal(&s.Filter.Events) {
			s.Name = "" // a preset's name would not be true any more
		}
		s.Filter = f
	})
}

// narrowed is the event types of a window that a filter leaves.
func narrowed(w *timeline.View, f *filter.Filter) (filter.Criterion, error) {
	own := w.Sem.Filter.Events.Type
	if f.Events.Type.Func == filter.All {
		return own, nil
	}
	types := filter.Filter{Events: filter.EventFilter{Type: f.Events.Type}}
	pass := types.Compile(w.Trace.Data, prv.LevelThread, 1)
	left := slices.DeleteFunc(timeline.ListedTypes(&w.Sem.Filter), func(t uint32) bool {
		return !pass.Events.Has(t, 0)
	})
	if len(left) == 0 {
		return own, fmt.Errorf("%s has none of these event types: %s shows others", w.Title(), keysOf("event"))
	}
	return filter.Only(left...).Events.Type, nil
}

func completeFilter(m *Model, args string) []string {
	w := m.Focused()
	if w == nil {
		return nil
	}
	cut := strings.LastIndexByte(args, ' ') + 1
	head, word := args[:cut], args[cut:]
	for _, c := range notation.FilterWords {
		if strings.HasPrefix(word, c.Word+"=") && (c.Word == "type" || c.Word == "value") {
			return completeQuery(m, args)
		}
	}
	var names []string
	for _, c := range notation.FilterWords {
		if strings.HasPrefix(c.Word, word) {
			names = append(names, head+c.Word+"=")
		}
	}
	for _, f := range notation.FilterFlags {
		if strings.HasPrefix(f.Word, word) {
			names = append(names, head+f.Word)
		}
	}
	return names
}

// Levels.

func nextLevel(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		w := m.Focused()
		if args != "" {
			names := make([]string, len(timeline.LevelOrder))
			for i, l := range timeline.LevelOrder {
				names[i] = l.String()
			}
			if strings.HasPrefix("application", strings.ToLower(args)) { // as .cfg files call the ptask
				args = prv.LevelPtask.String()
			}
			i, err := action.Choose(names, 0, 0, args)
			if err != nil {
				return m.scene.Refuse(err)
			}
			return setLevel(m, w, timeline.LevelOrder[i])
		}
		at := slices.Index(timeline.LevelOrder, w.Sem.Level)
		for {
			at = (at + step + len(timeline.LevelOrder)) % len(timeline.LevelOrder)
			if l := timeline.LevelOrder[at]; w.Trace.Data.Count(l) > 0 {
				return setLevel(m, w, l)
			}
		}
	}
}

func setLevel(m *Model, w *timeline.View, l prv.Level) tea.Cmd {
	if w.Trace.Data.Count(l) == 0 {
		return m.scene.Refuse(fmt.Errorf("there is no level %s: %w", l, semantic.ErrNoResources))
	}
	before := w.Sem.Level
	object := -1
	if w.Rows(w.Trace.Data) > 0 {
		object = w.Object(w.CursorRow)
	}
	setSemantic(m, w, func(s *semantic.Window) { s.Level = l })
	if before != l && object >= 0 {
		m.ShowRow(w, related(w.Trace.Data, before, object, l))
	}
	return nil
}

// related returns the object of a level that an object of another level is part
// of, or that is its first part.
func related(t *prv.Trace, from prv.Level, object int, to prv.Level) int {
	threads := timeline.ThreadsOf(t, from, object)
	if len(threads) == 0 {
		return 0
	}
	return max(timeline.ObjectOf(t, to, threads[0], t.Threads[threads[0]].CPU), 0)
}

func completeLevels(m *Model, _ string) []string {
	var names []string
	if w := m.Focused(); w != nil {
		for _, l := range timeline.LevelOrder {
			if w.Trace.Data.Count(l) > 0 {
				names = append(names, l.String())
			}
		}
	}
	return names
}

// Objects.

func setObjects(m *Model, w *timeline.View, objects []int32) tea.Cmd {
	object := -1
	if n := w.Rows(w.Trace.Data); n > 0 && w.CursorRow < n {
		object = w.Object(w.CursorRow)
	}
	if len(objects) == w.Trace.Data.Count(w.Sem.Level) && slices.IsSorted(objects) {
		objects = nil
	}
	m.Change(w, "", func(s *timeline.Setup) { s.Objects, s.Top, s.Span = objects, 0, 0 })
	if row := w.RowOf(w.Trace.Data, object); row >= 0 {
		w.CursorRow = row
	}
	return nil
}

func openObjects(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	tr := w.Trace.Data
	p := &dialog.Picker{Title: "Objects of level " + w.Sem.Level.String(), Multi: true}
	for o := range tr.Count(w.Sem.Level) {
		p.Items = append(p.Items, dialog.Item{Text: tr.Name(w.Sem.Level, o), On: w.RowOf(tr, o) >= 0, Data: o})
	}
	every := func(f func(on bool) bool) func(*dialog.Picker, *dialog.Item) tea.Cmd {
		return func(p *dialog.Picker, _ *dialog.Item) tea.Cmd {
			for _, i := range p.Shown {
				p.Items[i].On = f(p.Items[i].On)
			}
			return nil
		}
	}
	p.Keys = []dialog.Key{
		{Press: "enter", Word: "show", Run: func(p *dialog.Picker, _ *dialog.Item) tea.Cmd {
			return showChecked(m, w, p)
		}},
		{Press: "tab", Word: "check", Keep: true, Run: func(p *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it != nil {
				it.On = !it.On
				p.Move(1)
			}
			return nil
		}},
		{Press: "ctrl+a", Word: "all", Keep: true, Run: every(func(bool) bool { return true })},
		{Press: "ctrl+x", Word: "none", Keep: true, Run: every(func(bool) bool { return false })},
		{Press: "ctrl+t", Word: "invert", Keep: true, Run: every(func(on bool) bool { return !on })},
	}
	return m.dialogs.Open(p)
}

func showChecked(m *Model, w *timeline.View, p *dialog.Picker) tea.Cmd {
	var objects []int32
	for _, it := range p.Items {
		if it.On {
			objects = append(objects, int32(it.Data.(int)))
		}
	}
	if len(objects) == 0 {
		return m.scene.Refuse(errors.New("nothing checked: a window needs at least one object"))
	}
	return setObjects(m, w, objects)
}

// selectRows shows the objects of a list of numbers, or those whose names fit a
// regular expression.
func selectRows(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("rows")
	}
	w := m.Focused()
	tr := w.Trace.Data
	n := tr.Count(w.Sem.Level)
	objects, err := parseRanges(args, n)
	if err != nil {
		re, rerr := regexp.Compile("(?i)" + unquote(args))
		if rerr != nil {
			return m.scene.Refuse(fmt.Errorf("%q is neither a list such as 1-8,12 nor a regular expression", args))
		}
		for o := range n {
			if re.MatchString(tr.Name(w.Sem.Level, o)) {
				objects = append(objects, int32(o))
			}
		}
	}
	if len(objects) == 0 {
		return m.scene.Refuse(fmt.Errorf("no %s matches %q", w.Sem.Level, args))
	}
	return setObjects(m, w, objects)
}

// parseRanges reads "1-8,12" as objects (0-based) of 1..n, in the order given.
func parseRanges(text string, n int) ([]int32, error) {
	var list []int32
	seen := make([]bool, n+1)
	for _, part := range strings.Split(strings.ReplaceAll(text, " ", ""), ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(lo)
		b := a
		if isRange && err == nil {
			b, err = strconv.Atoi(hi)
		}
		if err != nil {
			return nil, err
		}
		for i := max(a, 1); i <= min(b, n); i++ {
			if !seen[i] {
				seen[i] = true
				list = append(list, int32(i-1))
			}
		}
	}
	return list, nil
}

func invertRows(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	if w.Objects == nil {
		return m.scene.Refuse(errors.New("all objects are shown: nothing to invert"))
	}
	shown := w.RowsByObject()
	var hidden []int32
	for o, row := range shown {
		if row < 0 {
			hidden = append(hidden, int32(o))
		}
	}
	if len(hidden) == 0 {
		return m.scene.Refuse(errors.New("all objects are shown: nothing to invert"))
	}
	return setObjects(m, w, hidden)
}

func hideRow(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	n := w.Rows(w.Trace.Data)
	if n <= 1 {
		return m.scene.Refuse(errors.New("the last row cannot be hidden"))
	}
	var rest []int32
	for row := range n {
		if row != w.CursorRow {
			rest = append(rest, int32(w.Object(row)))
		}
	}
	top, span, row := w.Top, w.Span, w.CursorRow
	m.Change(w, "", func(s *timeline.Setup) { s.Objects, s.Top, s.Span = rest, top, span })
	m.ShowRow(w, min(row, n-2))
	return nil
}

func explain(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	return m.dialogs.Open(&dialog.Pager{Title: w.Title(), Layout: func(th *style.Theme, width int) []style.Line {
		var lines []style.Line
		for _, line := range style.Wrap(w.Sem.DescribeWith(w.Trace.Data.Labels), width) {
			lines = append(lines, style.Line{{Text: line, Style: th.Popup}})
		}
		return lines
	}})
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) }
