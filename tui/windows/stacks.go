package windows

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/calls"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/ready"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// The call stacks of a run, in a window below it: rows are the levels of each thread's stack. They form a trace
// (package calls), which is made in the background and kept until its last window is closed.

// stackItem is the line of the views menu.
var stackItem = dialog.Item{Text: "Call stack", Also: "flame icicle nested calls callers",
	Detail: "nested calls, a row per level (flames), window below"}

// hasStacks reports whether a trace has calls.
func hasStacks(t *timeline.Trace) bool {
	types := calls.TypesOf(t.Data.Labels)
	return slices.ContainsFunc(t.Types, func(c ready.TypeCount) bool { _, is := types.Family(c.Type); return is })
}

// callStacks shows the stacks of the trace in focus.
func (c *Content) callStacks(string) tea.Cmd {
	t := c.Focused().Trace
	if t.Derived {
		return c.sc.Refuse(fmt.Errorf("%s is derived from a trace: choose a window of that", t.Name))
	}
	if t.Until != 0 {
		return c.sc.Refuse(fmt.Errorf("%s is still being read", t.Name))
	}
	for _, w := range c.Windows {
		if w.Trace.StacksOf == t {
			c.FocusOn(w)
			return nil
		}
	}
	c.sc.Say("reading the call stacks of " + t.Name)
	ctx, data := c.sc.Context, t.Data
	return func() tea.Msg {
		s, err := calls.StacksOf(ctx, data)
		return pane.Result(func() tea.Cmd { return c.showStacks(t, s, err) })
	}
}

// showStacks shows stacks below the first window of their trace, with its time and threads.
func (c *Content) showStacks(of *timeline.Trace, s *calls.Stacks, err error) tea.Cmd {
	lead := c.MeasuredView(of)
	if err != nil && c.sc.Context.Err() == nil {
		return c.sc.Refuse(err)
	}
	if lead == nil || err != nil {
		return nil
	}
	t := timeline.NewTrace(c.NewID(), s.Trace)
	t.Name, t.Derived, t.StacksOf = "call stacks of "+of.Name, true, of
	t.Profile = of.Profile // its own threads have no states
	c.Traces = append(c.Traces, t)
	c.GiveGroup(lead)
	w := c.NewWindow(t)
	timeline.LastValue(stackItem.Text, []uint32{calls.StackType})(&w.Sem)
	w.Group, w.Begin, w.End, w.Cursor = lead.Group, lead.Begin, lead.End, lead.Cursor
	w.Objects = levelsOf(s, of.Data, lead)
	c.FocusOn(lead)
	c.AddWindow(w)
	c.sc.Say(fmt.Sprintf("a row for each level of a call stack, the outermost first: %s",
		raster.CountOf(s.Trace.NumThreads(), "row")))
	if n := s.Cut; n > 0 {
		c.sc.Alarm(raster.CountOf(n, "call") + " deeper than 64 levels are not shown")
	}
	return c.CountTypes(t)
}

// levelsOf returns the levels of the threads in a view; nil for all.
func levelsOf(s *calls.Stacks, of *prv.Trace, v *timeline.View) (list []int32) {
	if v.Objects == nil || v.Sem.Level != prv.LevelThread {
		return nil
	}
	for _, thread := range v.Objects {
		for i := s.First[thread]; i < s.First[thread+1]; i++ {
			list = append(list, i)
		}
	}
	return list
}
