package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/pane"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// The windows of a prediction. A predicted trace is a trace like any other; what makes it a prediction is that the next run of its
// simulator takes its place, in all windows that look at it. A window of it is the twin of one of the measured trace:
// both have the same time axis, and what one shows the other shows as well.

// showPrediction puts the predicted trace of a run in place of the one before, or below the measured one.
func (m *Model) showPrediction(s *simulator, r *simRun) tea.Cmd {
	lead := m.measuredWindow(s)
	if s.closed || lead == nil {
		return nil
	}
	all := lead.Begin == 0 && lead.End == m.whole(lead)
	m.ids++
	t := timeline.NewTrace(m.ids, r.trace)
	t.Name, t.PredictedFrom, t.Predicted = "predicted", s.measured, true
	old := s.predicted
	s.predicted = t
	if old == nil {
		m.traces = slices.Insert(m.traces, slices.Index(m.traces, s.measured)+1, t)
		m.addTwin(lead, t)
	} else {
		m.traces[slices.Index(m.traces, old)] = t
		for _, w := range m.windows {
			if w.Trace == old {
				m.lookAt(w, t)
			}
		}
		m.cache.Forget(old.Data)
	}
	// A view of all goes on to show all; others stay where they are.
	if whole := m.whole(lead); all {
		lead.Begin, lead.End = 0, whole
		m.lead(lead, nil)
	}
	for _, w := range m.windows {
		w.Clamp(w.Trace.Data, m.whole(w))
	}
	return m.after(settleTime, settledMsg{s.id, t.ID})
}

// measuredWindow is the window of the measured trace that a prediction is shown below: the one in focus if it is one.
func (m *Model) measuredWindow(s *simulator) *timeline.View {
	if w := m.window(); w != nil && w.Trace == s.measured {
		return w
	}
	for _, w := range m.windows {
		if w.Trace == s.measured {
			return w
		}
	}
	return nil
}

// addTwin puts a window on the prediction below one of the measured trace, without taking the focus.
func (m *Model) addTwin(lead *timeline.View, t *timeline.Trace) {
	if lead.Group == 0 {
		for lead.Group = 1; slices.ContainsFunc(m.windows, func(w *timeline.View) bool { return w != lead && w.Group == lead.Group }); lead.Group++ {
		}
	}
	focus := m.window()
	w := m.cloneWindow(lead)
	w.Trace, w.Mirrors = t, lead.ID
	w.MirrorView = lead.Setup
	if t.Data.Unit != lead.Trace.Data.Unit {
		w.Begin, w.End, w.Cursor = lead.Trace.Convert(w.Begin, t), lead.Trace.Convert(w.End, t), lead.Trace.Convert(w.Cursor, t)
	}
	m.windows = slices.Insert(m.windows, slices.Index(m.windows, lead)+1, w)
	m.focus = slices.Index(m.windows, focus)
}

// lookAt makes a window look at another trace. Its picture stays until there is another.
func (m *Model) lookAt(w *timeline.View, t *timeline.Trace) {
	w.Values.Stop()
	w.Trace, w.Values = t, timeline.Values{}
	m.event(pane.ViewRetargeted{View: w})
	w.Paint.Version++
	w.Paint.LabelsFor = nil
}

// mirrorTwins makes windows of a prediction and of the measured trace show the same: whichever of both has changed leads. A window that
// was given a time of its own is left alone.
func (m *Model) mirrorTwins() {
	for _, w := range m.windows {
		if w.Mirrors == 0 {
			continue
		}
		lead := m.windowByID(w.Mirrors)
		if lead == nil || w.Group == 0 || w.Group != lead.Group {
			continue
		}
		switch {
		case !timeline.ShowsSame(&lead.Setup, &w.MirrorView):
			w.Mirror(lead)
		case !timeline.ShowsSame(&w.Setup, &w.MirrorView):
			lead.Mirror(w)
		case lead.CursorRow != w.CursorRow && m.window() == w:
			lead.CursorRow = w.CursorRow
		default:
			w.CursorRow = lead.CursorRow
		}
		w.MirrorView = w.Setup
		if !timeline.ShowsSame(&lead.Setup, &w.Setup) { // what one of the two cannot show
			w.MirrorView = lead.Setup
		}
	}
}

// withTwins adds to the legend of a window what only its twins show.
func (m *Model) withTwins(w *timeline.View, l *raster.Legend) *raster.Legend {
	all := raster.Legend{Look: l.Look, Entries: slices.Clone(l.Entries)}
	for _, v := range m.windows {
		if v == w || v.Mirrors != w.ID && w.Mirrors != v.ID || v.Values.Err != nil || v.Drawing.Graph {
			continue
		}
		for _, e := range v.Paint.Legend.Entries {
			if !slices.ContainsFunc(all.Entries, func(o raster.LegendEntry) bool { return o.Value == e.Value }) {
				all.Entries = append(all.Entries, e)
			}
		}
	}
	return &all
}

// settleTime is how long a prediction stands before what is not needed for its picture is computed.
const settleTime = 400 * time.Millisecond

type settledMsg struct{ sim, trace int }

// settled computes the overview and the event types of a prediction that is still there.
func (m *Model) settled(msg settledMsg) tea.Cmd {
	s := m.simulatorByID(msg.sim)
	if s == nil || s.predicted == nil || s.predicted.ID != msg.trace {
		return nil
	}
	return tea.Batch(m.countTypes(s.predicted), m.profileTrace(s.predicted))
}

// dropSimulator forgets what a trace that is closed has to do with simulators.
func (m *Model) dropSimulator(t *timeline.Trace) {
	if s := m.simulators[t.PredictedFrom]; s != nil && s.predicted == t {
		s.predicted, s.closed = nil, true
	}
	if s := m.simulators[t]; s != nil {
		s.close()
		if s.predicted != nil { // it goes on as a trace of its own
			m.detach(s)
		}
		delete(m.simulators, t)
	}
}

// detach lets the prediction stand for itself: the next run has windows of its own.
func (m *Model) detach(s *simulator) {
	t := s.predicted
	t.PredictedFrom, s.predicted = nil, nil
	if s.shown != nil {
		t.Name = fmt.Sprintf("run %d: %s", s.shown.number, s.shown.title())
	}
	for _, w := range m.windows {
		if w.Trace == t {
			w.Mirrors = 0
		}
	}
}

// headText says in the heading of a window which run it shows.
func (s *simulator) headText(m *Model) (long, short string) {
	r := s.shown
	short = fmt.Sprintf("predicted %s", raster.FormatDuration(r.result.Total, prv.Nanoseconds))
	long = short + ", " + r.title()
	if !r.scenario.equal(s.now) {
		long, short = "before the change: "+long, "old: "+short
	}
	return long, short
}
