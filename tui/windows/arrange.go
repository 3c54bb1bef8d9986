package windows

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Arrangement arranges windows: focus, order, names, synchronised times.
type Arrangement struct {
	*desk.Desk
	sc *pane.Scene
}

// NewArrangement returns the arrangement of a desk.
func NewArrangement(d *desk.Desk, sc *pane.Scene) *Arrangement { return &Arrangement{d, sc} }

// Actions returns the actions that arrange windows.
func (a *Arrangement) Actions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		action.Action{Name: "window", Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Args: "N",
			Doc: "go to a window by its number", KeyIsArg: true, Run: a.focusNumber}.With(
			action.Action{Name: "next", Keys: []string{"tab"},
				Doc: "go to the next window, after the last to What/Where",
				Run: action.Do(func() { a.cycle(1) })},
			action.Action{Name: "previous", Keys: []string{"shift+tab"}, Doc: "go to the previous window",
				Run: action.Do(func() { a.cycle(-1) })},
			action.Action{Name: "up", Keys: []string{"ctrl+up"}, Doc: "move the window up",
				Run: action.Do(func() { a.move(-1) })},
			action.Action{Name: "down", Keys: []string{"ctrl+down"}, Doc: "move the window down",
				Run: action.Do(func() { a.move(1) })},
		),
		{Name: "clone", Keys: []string{"ctrl+t"}, Doc: "clone the window below",
			Run: action.Do(func() { a.AddWindow(a.CloneWindow(a.Focused())) })},
		{Name: "close", Keys: []string{"ctrl+w"}, Doc: "close the window, except the last one", Run: a.close},
		{Name: "rename", Keys: []string{"f2"}, Args: "NAME", Doc: "rename the window", Run: func(args string) tea.Cmd {
			a.Focused().Name = paths.Unquote(args)
			return nil
		}, Prefill: func() string { return a.Focused().Title() }},
		{Name: "maximize", Keys: []string{"F"}, Doc: "maximise the window, or restore it",
			Run: action.Do(func() { a.Maximized = !a.Maximized })},
		action.Action{Name: "sync", Keys: []string{"S"}, Args: "[GROUP or off]",
			Doc: "synchronise the window's time with others, or not", Run: a.sync}.With(
			action.Action{Name: "scale", Keys: []string{"&"},
				Doc: "show the same duration in all windows as in this one, from their own start",
				Run: a.align(func(w, v *timeline.View, s *timeline.Setup) {
					s.End = s.Begin + w.Trace.Convert(w.Duration(), v.Trace)
				})},
			action.Action{Name: "view", Keys: []string{"%"}, Doc: "show the same time in all windows as in this one",
				Run: a.align(func(w, v *timeline.View, s *timeline.Setup) {
					s.Begin, s.End = w.Trace.Convert(w.Begin, v.Trace), w.Trace.Convert(w.End, v.Trace)
				})},
		),
	})
}

// cycle moves the focus through the windows and the pane.
func (a *Arrangement) cycle(step int) {
	n := len(a.Windows)
	places := n
	if a.sc.Open != nil {
		places++
	}
	at := a.Focus
	if a.PaneFocus {
		at = n
	}
	at = (at + step + places) % places
	a.PaneFocus = at == n
	if at < n {
		a.Focus = at
	}
}

func (a *Arrangement) focusNumber(args string) tea.Cmd {
	i, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || i < 1 || i > len(a.Windows) {
		return a.sc.Refuse(fmt.Errorf("no window %s; there are %d", args, len(a.Windows)))
	}
	a.Focus, a.PaneFocus = i-1, false
	return nil
}

func (a *Arrangement) close(string) tea.Cmd {
	if len(a.Windows) == 1 {
		return a.sc.Refuse(fmt.Errorf("this is the last window: %s closes the trace, %s leaves the program",
			a.sc.KeysOf("close-trace"), a.sc.KeysOf("quit")))
	}
	a.KeepClosed(a.Focused())
	a.Close(a.Focused())
	return nil
}

// move moves the window in focus up or down.
func (a *Arrangement) move(by int) {
	to := a.Focus + by
	if to < 0 || to >= len(a.Windows) {
		return
	}
	a.Windows[a.Focus], a.Windows[to] = a.Windows[to], a.Windows[a.Focus]
	a.Focus = to
}

// sync puts the window into a group of windows with the same time, or takes it out of its group.
func (a *Arrangement) sync(args string) tea.Cmd {
	w := a.Focused()
	group := 1
	switch args = strings.TrimSpace(args); {
	case args == "" && w.Group != 0, strings.EqualFold(args, "off"):
		group = 0
	case args != "":
		n, err := strconv.Atoi(args)
		if err != nil || n < 0 || n > 99 {
			return a.sc.Refuse(fmt.Errorf("%q: group must be a number >= 1, or off", args))
		}
		group = n
	}
	w.Group = 0
	lead := a.Leader(group)
	w.Group = group
	if group == 0 {
		a.sc.Say("this window has its own time")
		return nil
	}
	if lead != nil {
		a.Change(w, "", func(s *timeline.Setup) {
			s.Begin, s.End = lead.Trace.Convert(lead.Begin, w.Trace), lead.Trace.Convert(lead.End, w.Trace)
		})
		w.Cursor = lead.Trace.Convert(lead.Cursor, w.Trace)
	}
	a.sc.Say(fmt.Sprintf("this window is synchronised with group %d", group))
	return nil
}

// align changes all windows except the one in focus, w, in one undo step.
func (a *Arrangement) align(f func(w, v *timeline.View, s *timeline.Setup)) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		w := a.Focused()
		if len(a.Windows) == 1 {
			return a.sc.Refuse(errors.New("there is only one window: " + a.sc.KeysOf("clone") + " copies it"))
		}
		for _, v := range a.Windows {
			if v != w && (v.Group == 0 || v.Group != w.Group) {
				a.Change(v, "", func(s *timeline.Setup) { f(w, v, s) })
			}
		}
		return nil
	}
}
