package tui

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
)

// The call stacks of a run as a window below it: rows are the levels of each thread's stack. They are a trace of their
// own (prv/calls), made in the background and kept until its last window is closed.

// stackItem is the line of the views menu.
var stackItem = dialog.Item{Text: "Call stack", Also: "flame icicle nested calls callers",
	Detail: "calls within each other, a row per level (flame view), in a window below"}

// stacksMsg are the call stacks of a trace.
type stacksMsg struct {
	of     *timeline.Trace
	stacks *calls.Stacks
	err    error
}

// hasStacks says whether something of a trace is a call.
func hasStacks(t *timeline.Trace) bool {
	types := calls.TypesOf(t.Data.Labels)
	return slices.ContainsFunc(t.Types, func(c ready.TypeCount) bool { _, is := types.Family(c.Type); return is })
}

// callStacks shows the stacks of the trace in focus.
func callStacks(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	if t.Derived {
		return m.scene.Refuse(fmt.Errorf("%s was made of a trace: choose a window of that", t.Name))
	}
	if t.Until != 0 {
		return m.scene.Refuse(fmt.Errorf("%s is still being read", t.Name))
	}
	for _, w := range m.Windows {
		if w.Trace.StacksOf == t {
			m.FocusOn(w)
			return nil
		}
	}
	m.scene.Say("reading the call stacks of " + t.Name)
	ctx, data := m.ctx, t.Data
	return func() tea.Msg {
		s, err := calls.StacksOf(ctx, data)
		return stacksMsg{t, s, err}
	}
}

// showStacks puts the stacks below the first window of their trace, with the time and the threads of that.
func (m *Model) showStacks(msg stacksMsg) tea.Cmd {
	lead := m.MeasuredView(msg.of)
	if msg.err != nil && m.ctx.Err() == nil {
		return m.scene.Refuse(msg.err)
	}
	if lead == nil || msg.err != nil {
		return nil
	}
	t := timeline.NewTrace(m.NewID(), msg.stacks.Trace)
	t.Name, t.Derived, t.StacksOf = "call stacks of "+msg.of.Name, true, msg.of
	t.Profile = msg.of.Profile // its own threads have no states
	m.Traces = append(m.Traces, t)
	m.GiveGroup(lead)
	w := m.NewWindow(t)
	timeline.LastValue(stackItem.Text, []uint32{calls.StackType})(&w.Sem)
	w.Group, w.Begin, w.End, w.Cursor = lead.Group, lead.Begin, lead.End, lead.Cursor
	w.Objects = levelsOf(msg.stacks, msg.of.Data, lead)
	m.FocusOn(lead)
	m.AddWindow(w)
	m.scene.Say(fmt.Sprintf("a row for each level of a call stack, the outermost first: %s",
		raster.CountOf(msg.stacks.Trace.NumThreads(), "row")))
	if n := msg.stacks.Cut; n > 0 {
		m.scene.Alarm(raster.CountOf(n, "call") + " deeper than 64 levels are not shown")
	}
	return m.countTypes(t)
}

// levelsOf are the levels of the threads in a view; nil for all.
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
