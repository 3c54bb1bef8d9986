package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/pane"
)

// The views of a prediction. A predicted trace is a trace like any other; what makes it a prediction is that the next
// run of its simulation takes its place, in all views that look at it. A view of it mirrors one of the measured trace:
// both have the same time axis, and what one shows the other shows as well.

// predict puts a predicted trace in the place of the one before, or below the measured one.
func (m *Model) predict(i pane.Predict) tea.Cmd {
	lead := m.MeasuredView(i.Measured)
	if lead == nil {
		return nil
	}
	all := lead.Begin == 0 && lead.End == m.Whole(lead)
	if at := slices.Index(m.Traces, i.Before); i.Before != nil && at >= 0 {
		m.Traces[at] = i.Trace
		for _, w := range m.Windows {
			if w.Trace == i.Before {
				m.lookAt(w, i.Trace)
			}
		}
		m.cache.Forget(i.Before.Data)
		m.event(pane.TraceClosed{Trace: i.Before})
	} else {
		m.Traces = slices.Insert(m.Traces, slices.Index(m.Traces, i.Measured)+1, i.Trace)
		m.AddMirrored(lead, i.Trace)
	}
	// A view of all goes on to show all; others stay where they are.
	if whole := m.Whole(lead); all {
		lead.Begin, lead.End = 0, whole
		m.Lead(lead, nil)
	}
	for _, w := range m.Windows {
		w.Clamp(w.Trace.Data, m.Whole(w))
	}
	return m.after(settleTime, settledMsg{i.Trace})
}

// lookAt makes a view look at another trace. Its picture stays until there is another.
func (m *Model) lookAt(w *timeline.View, t *timeline.Trace) {
	w.Values.Stop()
	w.Trace, w.Values = t, timeline.Values{}
	m.event(pane.ViewRetargeted{View: w})
	w.Paint.Version++
	w.Paint.LabelsFor = nil
}

// settleTime is how long a prediction stands before what is not needed for its picture is computed.
const settleTime = 400 * time.Millisecond

type settledMsg struct{ trace *timeline.Trace }

// settled computes the overview and the event types of a prediction that is still there.
func (m *Model) settled(msg settledMsg) tea.Cmd {
	if !slices.Contains(m.Traces, msg.trace) {
		return nil
	}
	return tea.Batch(m.countTypes(msg.trace), m.profileTrace(msg.trace))
}
