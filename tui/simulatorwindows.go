package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/raster"
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
	all := lead.begin == 0 && lead.end == m.whole(lead)
	m.ids++
	t := newOpenTrace(m.ids, r.trace)
	t.name, t.predictedFrom, t.predicted = "predicted", s.measured, true
	old := s.predicted
	s.predicted = t
	if old == nil {
		m.traces = slices.Insert(m.traces, slices.Index(m.traces, s.measured)+1, t)
		m.addTwin(lead, t)
	} else {
		m.traces[slices.Index(m.traces, old)] = t
		for _, w := range m.windows {
			if w.trace == old {
				m.lookAt(w, t)
			}
		}
		m.cache.Forget(old.tr)
	}
	// A view of all goes on to show all; others stay where they are.
	if whole := m.whole(lead); all {
		lead.begin, lead.end = 0, whole
		m.lead(lead, nil)
	}
	for _, w := range m.windows {
		w.clamp(w.trace.tr, m.whole(w))
	}
	return m.after(settleTime, settledMsg{s.id, t.id})
}

// measuredWindow is the window of the measured trace that a prediction is shown below: the one in focus if it is one.
func (m *Model) measuredWindow(s *simulator) *window {
	if w := m.window(); w != nil && w.trace == s.measured {
		return w
	}
	for _, w := range m.windows {
		if w.trace == s.measured {
			return w
		}
	}
	return nil
}

// addTwin puts a window on the prediction below one of the measured trace, without taking the focus.
func (m *Model) addTwin(lead *window, t *openTrace) {
	if lead.group == 0 {
		for lead.group = 1; slices.ContainsFunc(m.windows, func(w *window) bool { return w != lead && w.group == lead.group }); lead.group++ {
		}
	}
	focus := m.window()
	w := m.cloneWindow(lead)
	w.trace, w.twin = t, lead.id
	w.twinView = lead.setup
	if t.tr.Unit != lead.trace.tr.Unit {
		w.begin, w.end, w.at = lead.trace.convert(w.begin, t), lead.trace.convert(w.end, t), lead.trace.convert(w.at, t)
	}
	m.windows = slices.Insert(m.windows, slices.Index(m.windows, lead)+1, w)
	m.focus = slices.Index(m.windows, focus)
}

// lookAt makes a window look at another trace. Its picture stays until there is another.
func (m *Model) lookAt(w *window, t *openTrace) {
	w.values.stop()
	w.trace, w.values = t, values{}
	for _, a := range m.tablesOf(w).list {
		a.stop()
	}
	w.paint.version++
	w.paint.labelsFor = nil
}

// mirrorTwins makes windows of a prediction and of the measured trace show the same: whichever of both has changed leads. A window that
// was given a time of its own is left alone.
func (m *Model) mirrorTwins() {
	for _, w := range m.windows {
		if w.twin == 0 {
			continue
		}
		lead := m.windowByID(w.twin)
		if lead == nil || w.group == 0 || w.group != lead.group {
			continue
		}
		switch {
		case !showsSame(&lead.setup, &w.twinView):
			w.mirror(lead)
		case !showsSame(&w.setup, &w.twinView):
			lead.mirror(w)
		case lead.row != w.row && m.window() == w:
			lead.row = w.row
		default:
			w.row = lead.row
		}
		w.twinView = w.setup
		if !showsSame(&lead.setup, &w.setup) { // what one of the two cannot show
			w.twinView = lead.setup
		}
	}
}

// showsSame reports whether two windows show the same in the same way, at whatever time.
func showsSame(a, b *setup) bool {
	return a.top == b.top && a.span == b.span && a.draw == b.draw && slices.Equal(a.objects, b.objects) && a.sem.Equal(&b.sem)
}

// mirror shows what another window shows. Objects are taken over where there are as many of them.
func (w *window) mirror(from *window) {
	level := from.sem.Level
	if w.trace.tr.Count(level) == 0 {
		return
	}
	begin, end := w.begin, w.end
	same := w.trace.tr.Count(level) == from.trace.tr.Count(level)
	w.setup = from.setup
	w.begin, w.end = begin, end
	if !same {
		w.objects, w.top, w.span = nil, 0, 0
	}
	w.row = from.row
	w.paint.version++
}

// withTwins adds to the legend of a window what only its twins show.
func (m *Model) withTwins(w *window, l *raster.Legend) *raster.Legend {
	all := raster.Legend{Look: l.Look, Entries: slices.Clone(l.Entries)}
	for _, v := range m.windows {
		if v == w || v.twin != w.id && w.twin != v.id || v.values.err != nil || v.draw.graph {
			continue
		}
		for _, e := range v.paint.legend.Entries {
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
	if s == nil || s.predicted == nil || s.predicted.id != msg.trace {
		return nil
	}
	return tea.Batch(m.countTypes(s.predicted), m.profileTrace(s.predicted))
}

// dropSimulator forgets what a trace that is closed has to do with simulators.
func (m *Model) dropSimulator(t *openTrace) {
	if s := m.simulators[t.predictedFrom]; s != nil && s.predicted == t {
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
	t.predictedFrom, s.predicted = nil, nil
	if s.shown != nil {
		t.name = fmt.Sprintf("run %d: %s", s.shown.number, s.shown.title())
	}
	for _, w := range m.windows {
		if w.trace == t {
			w.twin = 0
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
