package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/tui/pane"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// The views of a prediction. A predicted trace is a trace like any other; what makes it a prediction is that the next run of
// its simulation takes its place, in all views that look at it. A view of it mirrors one of the measured trace: both have the
// same time axis, and what one shows the other shows as well.

// predict puts a predicted trace in the place of the one before, or below the measured one.
func (m *Model) predict(i pane.Predict) tea.Cmd {
	lead := m.measuredView(i.Measured)
	if lead == nil {
		return nil
	}
	all := lead.Begin == 0 && lead.End == m.whole(lead)
	if at := slices.Index(m.traces, i.Before); i.Before != nil && at >= 0 {
		m.traces[at] = i.Trace
		for _, w := range m.windows {
			if w.Trace == i.Before {
				m.lookAt(w, i.Trace)
			}
		}
		m.cache.Forget(i.Before.Data)
		m.event(pane.TraceClosed{Trace: i.Before})
	} else {
		m.traces = slices.Insert(m.traces, slices.Index(m.traces, i.Measured)+1, i.Trace)
		m.addMirrored(lead, i.Trace)
	}
	// A view of all goes on to show all; others stay where they are.
	if whole := m.whole(lead); all {
		lead.Begin, lead.End = 0, whole
		m.lead(lead, nil)
	}
	for _, w := range m.windows {
		w.Clamp(w.Trace.Data, m.whole(w))
	}
	return m.after(settleTime, settledMsg{i.Trace})
}

// measuredView is the view of a measured trace that a prediction is shown below: the one in focus if it is one.
func (d *desk) measuredView(t *timeline.Trace) *timeline.View {
	if w := d.window(); w != nil && w.Trace == t {
		return w
	}
	for _, w := range d.windows {
		if w.Trace == t {
			return w
		}
	}
	return nil
}

// addMirrored puts a view of the prediction below one of the measured trace, without taking the focus.
func (d *desk) addMirrored(lead *timeline.View, t *timeline.Trace) {
	if lead.Group == 0 {
		for lead.Group = 1; slices.ContainsFunc(d.windows, func(w *timeline.View) bool { return w != lead && w.Group == lead.Group }); lead.Group++ {
		}
	}
	focus := d.window()
	w := d.cloneWindow(lead)
	w.Trace, w.Mirrors = t, lead.ID
	w.MirrorView = lead.Setup
	if t.Data.Unit != lead.Trace.Data.Unit {
		w.Begin, w.End, w.Cursor = lead.Trace.Convert(w.Begin, t), lead.Trace.Convert(w.End, t), lead.Trace.Convert(w.Cursor, t)
	}
	d.windows = slices.Insert(d.windows, slices.Index(d.windows, lead)+1, w)
	d.focus = slices.Index(d.windows, focus)
}

// lookAt makes a view look at another trace. Its picture stays until there is another.
func (m *Model) lookAt(w *timeline.View, t *timeline.Trace) {
	w.Values.Stop()
	w.Trace, w.Values = t, timeline.Values{}
	m.event(pane.ViewRetargeted{View: w})
	w.Paint.Version++
	w.Paint.LabelsFor = nil
}

// detach lets a predicted trace stand for itself.
func (d *desk) detach(i pane.Detach) {
	i.Trace.PredictedFrom, i.Trace.Name = nil, i.Name
	for _, w := range d.windows {
		if w.Trace == i.Trace {
			w.Mirrors = 0
		}
	}
}

// mirror makes views of a prediction and of the measured trace show the same: whichever of both has changed leads. A view that
// was given a time of its own is left alone.
func (d *desk) mirror() {
	for _, w := range d.windows {
		if w.Mirrors == 0 {
			continue
		}
		lead := d.windowByID(w.Mirrors)
		if lead == nil || w.Group == 0 || w.Group != lead.Group {
			continue
		}
		switch {
		case !timeline.ShowsSame(&lead.Setup, &w.MirrorView):
			w.Mirror(lead)
		case !timeline.ShowsSame(&w.Setup, &w.MirrorView):
			lead.Mirror(w)
		case lead.CursorRow != w.CursorRow && d.window() == w:
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

// withMirrored adds to the legend of a view what only the views show that it mirrors, or that mirror it.
func (d *desk) withMirrored(w *timeline.View, l *raster.Legend) *raster.Legend {
	all := raster.Legend{Look: l.Look, Entries: slices.Clone(l.Entries)}
	for _, v := range d.windows {
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

type settledMsg struct{ trace *timeline.Trace }

// settled computes the overview and the event types of a prediction that is still there.
func (m *Model) settled(msg settledMsg) tea.Cmd {
	if !slices.Contains(m.traces, msg.trace) {
		return nil
	}
	return tea.Batch(m.countTypes(msg.trace), m.profileTrace(msg.trace))
}
