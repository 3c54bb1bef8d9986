package windows

import (
	"cmp"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Content sets the content of windows: views, functions, filters, levels, objects.
type Content struct {
	tried *trial // nil for none
	*desk.Desk
	sc *pane.Scene
	// CountTypes counts the event types of a new trace
	CountTypes func(t *timeline.Trace) tea.Cmd
}

// NewContent returns the content of a desk's windows.
func NewContent(d *desk.Desk, sc *pane.Scene) *Content { return &Content{Desk: d, sc: sc} }

// Actions returns the actions that change a window's content.
func (c *Content) Actions() []action.Action {
	const call = "NAME [PARAMETERS]|= EXPRESSION"
	return action.OfView(action.GroupShow, []action.Action{
		{Name: "views", Keys: []string{"v"},
			Doc: "choose a view: states, useful, MPI calls, functions of the program, any function",
			Run: c.openViews},
		{Name: "call-stack", Keys: []string{"alt+v"}, Doc: "show nested calls in a separate window: " +
			"a row for each level of a thread's call stack (flame view)", Run: c.callStacks},
		{Name: "function", Keys: []string{"V"}, Args: call, Doc: "set the thread function: function Given State 1,3; " +
			"or an expression: function = state == 1 && value > 0", Run: c.setFunction,
			Complete: func(args string) []string { return notation.CompleteCall(semantic.ThreadFunctions, args) },
			Prefill:  func() string { return timeline.CallText(c.Focused().Sem.Functions[prv.LevelThread]) },
			PromptAs: c.functionPrompt},
		{Name: "fold", Keys: []string{"ctrl+f"}, Args: call, Doc: "set the function that combines the level below: " +
			"fold Maximum; or an expression: fold = max(values)", Allowed: c.canFold, Run: c.setFold,
			Complete: c.completeFolds,
			Prefill:  func() string { w := c.Focused(); return timeline.CallText(w.Sem.Functions[w.Sem.Level]) }},
		{
			Name: "compose",
			Keys: []string{"ctrl+e"},
			Args: call,
			Doc: "set the compose function on top: compose Mod 2; " +
				"compose As Is for none; or an expression: compose = value / 2",
			Run:      c.setCompose,
			Complete: func(args string) []string { return notation.CompleteCall(semantic.ComposeFunctions, args) },
			Prefill:  func() string { return timeline.CallText(c.Focused().Sem.Top1) },
		},
		{Name: "in-state", Keys: []string{"I"}, Args: "STATES",
			Doc: "show 1 in the states, 0 elsewhere: in-state 1,3 or in-state Running", Run: c.inState,
			Complete: c.completeStates},
		{Name: "event", Keys: []string{"alt+e"}, Args: "TYPES",
			Doc: "show the last value of event types: event 50000001,50000002 or event MPI", Run: c.showTypes,
			Complete: c.completeTypes},
		{Name: "filter", Keys: []string{"f"}, Args: "CRITERIA",
			Doc: "filter events, messages and bursts: filter type=40 size>1000 duration>1ms, or a minimum duration, " +
				"filter 1ms; empty: all",
			Run: c.setFilter, Complete: c.completeFilter, Typed: c.setFilter, PromptAs: c.filterPrompt,
			Try: c.tryFilter, Drop: c.dropTried, Prefill: func() string { return FilterText(c.Focused()) }},
		action.Action{Name: "level", Keys: []string{"t"}, Args: "[LEVEL]",
			Doc: "go to the next level: thread, task, ptask, workload, cpu, node, system",
			Run: c.nextLevel(1), Complete: c.completeLevels}.With(
			action.Action{Name: "back", Keys: []string{"T"}, Doc: "go to the previous level", Run: c.nextLevel(-1)},
		),
		action.Action{Name: "rows", Keys: []string{"@"}, Args: "LIST or REGEXP",
			Doc: "show some objects: rows 1-8,12 or rows ^THREAD 1\\.[1-4]", Run: c.selectRows}.With(
			action.Action{Name: "choose", Keys: []string{"Y"},
				Doc: "choose the objects in view from a list", Run: c.openObjects},
			action.Action{Name: "invert", Keys: []string{"~"},
				Doc: "invert the selection: show hidden objects, hide others",
				Run: c.invertRows},
			action.Action{Name: "hide", Keys: []string{"X"}, Doc: "hide the row at the cursor", Run: c.hideRow},
			action.Action{Name: "all", Keys: []string{"O"}, Doc: "show all objects",
				Run: action.Do(func() { c.setObjects(c.Focused(), nil) })},
		),
		{Name: "explain", Keys: []string{"e"}, Doc: "describe the window in words", Run: c.explain},
	})
}

// setSemantic changes a window's content. It refuses content that cannot be evaluated on the trace. If the level
// changes, the window shows all objects.
func (c *Content) setSemantic(w *timeline.View, f func(*semantic.Window)) tea.Cmd {
	return c.setView(w, f, func(*timeline.Drawing) {})
}

// setView is setSemantic, and also changes how the window is drawn, in the same step.
func (c *Content) setView(w *timeline.View, f func(*semantic.Window), draw func(*timeline.Drawing)) tea.Cmd {
	show, err := showing(w, f)
	if err != nil {
		return c.sc.Refuse(err)
	}
	c.Change(w, "", func(s *timeline.Setup) {
		show(s)
		draw(&s.Drawing)
	})
	return nil
}

// showing returns the step that applies f's changes to a window, or why they cannot be evaluated on the trace.
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

// OpenWith makes a new window show a view. It adds no undo step.
func (c *Content) OpenWith(w *timeline.View, view *timeline.Choice) {
	show, err := showing(w, view.Set)
	if err != nil {
		c.sc.Refuse(err)
		return
	}
	show(&w.Setup)
	w.Drawing.Graph = view.Graph
	w.Clamp(w.Trace.Data, c.Whole(w))
	w.Paint.Version++
}

func (c *Content) openViews(string) tea.Cmd {
	w := c.Focused()
	pick := func(fresh bool) func(*dialog.Picker, *dialog.Item) tea.Cmd {
		return func(_ *dialog.Picker, it *dialog.Item) tea.Cmd { return c.showView(it, fresh) }
	}
	t := cmp.Or(w.Trace.StacksOf, w.Trace) // a window of call stacks has one view; the others belong to the run
	return c.sc.Dialogs.Open(&dialog.Picker{Title: "Views", Keys: []dialog.Key{
		{Press: "enter", Word: "show here", Run: pick(false)},
		{Press: "ctrl+o", Word: "new window", Run: pick(true)},
	}, Fill: func() []dialog.Item { return viewItems(t) }, Missing: t.MissingView})
}

func viewItems(t *timeline.Trace) (items []dialog.Item) {
	for _, v := range t.AllChoices() {
		if v.Name == "Useful duration" && hasStacks(t) { // after the calls and functions
			items = append(items, stackItem)
		}
		items = append(items, dialog.Item{Text: v.Name, Also: v.Also, Detail: v.Detail, Data: v})
	}
	return items
}

// showView shows the view of an item in the window in focus, or in a new one below, drawn in its most readable form.
func (c *Content) showView(it *dialog.Item, fresh bool) tea.Cmd {
	if it == nil {
		return nil
	}
	if lead := c.MeasuredView(c.Focused().Trace.StacksOf); lead != nil {
		c.FocusOn(lead)
	}
	v, ok := it.Data.(timeline.Choice)
	if !ok {
		return c.callStacks("")
	}
	draw := func(d *timeline.Drawing) {
		d.Graph, d.Fixed, d.Color, d.Codes = v.Graph, false, raster.CodeColor, false
	}
	if !fresh {
		return c.setView(c.Focused(), v.Set, draw)
	}
	n := len(c.Windows)
	cmd := c.showIn(true, v.Set)
	if len(c.Windows) > n {
		draw(&c.Focused().Drawing)
	}
	return cmd
}

// showIn changes the content of the window in focus, or of a new copy.
func (c *Content) showIn(fresh bool, set func(*semantic.Window)) tea.Cmd {
	if !fresh {
		return c.setSemantic(c.Focused(), set)
	}
	w := c.CloneWindow(c.Focused())
	w.Name = ""
	w.Sem = w.Sem.Clone()
	set(&w.Sem)
	if _, err := semantic.Compile(w.Trace.Data, &w.Sem); err != nil {
		return c.sc.Refuse(err)
	}
	c.AddWindow(w)
	return nil
}

// Functions.

func (c *Content) setFunction(args string) tea.Cmd {
	return c.setCall(semantic.ThreadFunctions, args, func(w *semantic.Window, call semantic.Call) {
		w.Functions[prv.LevelThread], w.Name = call, ""
	})
}

// canFold refuses to combine threads, which have no level below.
func (c *Content) canFold() error {
	if c.Focused().Sem.Level == prv.LevelThread {
		return errors.New("there is no level below threads: " + c.sc.KeysOf("level") + " changes the level")
	}
	return nil
}

func (c *Content) setFold(args string) tea.Cmd {
	l := c.Focused().Sem.Level
	return c.setCall(semantic.FamilyOf(l), args, func(w *semantic.Window, call semantic.Call) {
		w.Functions[l] = call
	})
}

func (c *Content) setCompose(args string) tea.Cmd {
	return c.setCall(semantic.ComposeFunctions, args, func(w *semantic.Window, call semantic.Call) { w.Top1 = call })
}

func (c *Content) setCall(f semantic.Family, args string, set func(*semantic.Window, semantic.Call)) tea.Cmd {
	w := c.Focused()
	call, err := notation.ParseCall(f, paths.Unquote(args), w.Trace.Data.Labels, w.Sem.Unit)
	if err != nil {
		return c.sc.Refuse(err)
	}
	return c.setSemantic(w, func(s *semantic.Window) { set(s, call) })
}

func (c *Content) completeFolds(args string) []string {
	if w := c.Focused(); w != nil && w.Sem.Level != prv.LevelThread {
		return notation.CompleteCall(semantic.FamilyOf(w.Sem.Level), args)
	}
	return nil
}

func (c *Content) functionPrompt() (label, hint string) {
	return "", "NAME [PARAMETERS] or = EXPRESSION  now " +
		timeline.CallName(c.Focused().Sem.Functions[prv.LevelThread])
}

func (c *Content) inState(args string) tea.Cmd {
	states, err := notation.StatesNamed(paths.Unquote(args), c.Focused().Trace.Data.Labels)
	if err != nil {
		return c.sc.Refuse(err)
	}
	return c.setSemantic(c.Focused(), func(w *semantic.Window) {
		w.Functions[prv.LevelThread], w.Name = semantic.Call{Name: "In State",
			Params: [][]float64{notation.StateList(states)}}, ""
	})
}

func (c *Content) completeStates(string) (names []string) {
	if w := c.Focused(); w != nil {
		for _, s := range notation.KnownStates(w.Trace.Data.Labels) {
			names = append(names, s.Label)
		}
	}
	return names
}

func (c *Content) explain(string) tea.Cmd {
	w := c.Focused()
	return c.sc.Dialogs.Open(&dialog.Pager{Title: w.Title(), Layout: func(th *style.Theme, width int) []style.Line {
		var lines []style.Line
		for _, line := range style.Wrap(w.Sem.DescribeWith(w.Trace.Data.Labels), width) {
			lines = append(lines, style.Line{{Text: line, Style: th.Popup}})
		}
		return lines
	}})
}
