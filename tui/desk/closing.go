package desk

import (
	"slices"

	"pview/render/timeline"
)

// Closing views and traces. A closed view can be reopened; its trace stays in memory until then.

// Events of the desk, for parts that keep data of a view or trace. Each is passed to Desk.Tell.
type (
	// ViewClosed comes when a view has left the screen. Undo may reopen it.
	ViewClosed struct{ View *timeline.View }
	// ViewForgotten comes when a closed view can no longer be reopened.
	ViewForgotten struct{ View *timeline.View }
	// ViewRetargeted comes when a view shows another trace.
	ViewRetargeted struct{ View *timeline.View }
	// TraceClosed comes when the last view of a trace was closed.
	TraceClosed struct{ Trace *timeline.Trace }
	// TraceReset comes when a trace gets other objects: a followed one was rewritten from scratch, or more ranks of one
	// are read.
	TraceReset struct{ Trace *timeline.Trace }
)

// Limits of what can be reopened: closed traces keep their records in memory.
const (
	MaxClosedTraces = 3
	MaxClosedViews  = 100
)

// Closed is a view that can be reopened.
type Closed struct {
	View  *timeline.View
	index int // in Desk.Windows
	step  int // of the histories; the same for views that were closed together
}

// tell reports an event.
func (d *Desk) tell(event any) {
	if d.Tell != nil {
		d.Tell(event)
	}
}

// KeepClosed remembers views that are about to be closed, for Reopen. Views of a prediction are not kept: the Simulator
// recreates them.
func (d *Desk) KeepClosed(list ...*timeline.View) {
	step := d.nextStep()
	for _, w := range list {
		if w.Trace.PredictedFrom == nil {
			d.Closed = append(d.Closed, Closed{w, slices.Index(d.Windows, w), step})
		}
	}
	d.forget(max(len(d.Closed)-MaxClosedViews, 0))
}

// forget drops the n views that were closed first.
func (d *Desk) forget(n int) {
	for _, c := range d.Closed[:n] {
		d.tell(ViewForgotten{c.View})
	}
	d.Closed = slices.Delete(d.Closed, 0, n)
}

// forgetTraces drops the oldest closed views when they keep more than MaxClosedTraces closed traces.
func (d *Desk) forgetTraces() {
	var gone []*timeline.Trace
	for i := len(d.Closed) - 1; i >= 0; i-- {
		t := d.Closed[i].View.Trace
		if slices.Contains(d.Traces, t) || slices.Contains(gone, t) {
			continue
		}
		if gone = append(gone, t); len(gone) > MaxClosedTraces {
			d.forget(i + 1)
			return
		}
	}
}

// Reopen restores the views that were closed last, if that was after a step of the histories. It returns their number.
func (d *Desk) Reopen(after int) int {
	n := len(d.Closed)
	if n == 0 || d.Closed[n-1].step <= after {
		return 0
	}
	step := d.Closed[n-1].step
	first := slices.IndexFunc(d.Closed, func(c Closed) bool { return c.step == step })
	back := slices.Clone(d.Closed[first:])
	d.Closed = slices.Delete(d.Closed, first, n)
	for _, c := range back {
		w := c.View
		if !slices.Contains(d.Traces, w.Trace) {
			d.Traces = append(d.Traces, w.Trace)
		}
		d.Windows = slices.Insert(d.Windows, min(c.index, len(d.Windows)), w)
	}
	d.FocusOn(back[0].View)
	for _, c := range back {
		c.View.Clamp(c.View.Trace.Data, d.Whole(c.View))
	}
	return len(back)
}

// Close removes a view from the screen, and its trace with its last view.
func (d *Desk) Close(w *timeline.View) {
	w.Clear()
	d.tell(ViewClosed{w})
	showedAll := slices.DeleteFunc(slices.Clone(d.Windows), func(v *timeline.View) bool {
		return v == w || v.Begin != 0 || v.End != d.Whole(v)
	})
	i := slices.Index(d.Windows, w)
	d.Windows = slices.Delete(d.Windows, i, i+1)
	for _, v := range showedAll { // the axis may be shorter without w
		if end := d.Whole(v); end < v.End {
			v.End = end
			v.Paint.Version++
		}
	}
	if d.Focus >= i && d.Focus > 0 {
		d.Focus--
	}
	d.PaneFocus = d.PaneFocus && len(d.Windows) > 0
	d.Maximized = d.Maximized && len(d.Windows) > 1
	if !slices.ContainsFunc(d.Windows, func(v *timeline.View) bool { return v.Trace == w.Trace }) {
		d.Traces = slices.DeleteFunc(d.Traces, func(t *timeline.Trace) bool { return t == w.Trace })
		d.tell(TraceClosed{w.Trace})
		d.forgetTraces()
	}
	if !slices.ContainsFunc(d.Closed, func(c Closed) bool { return c.View == w }) {
		d.tell(ViewForgotten{w})
	}
}

// CloseAll closes all views; none of them can be reopened.
func (d *Desk) CloseAll() {
	for _, w := range slices.Clone(d.Windows) {
		d.Close(w)
	}
	d.forget(len(d.Closed))
}

// CloseTrace closes the views of a trace. They can be reopened.
func (d *Desk) CloseTrace(t *timeline.Trace) {
	list := slices.DeleteFunc(slices.Clone(d.Windows), func(w *timeline.View) bool { return w.Trace != t })
	d.KeepClosed(list...)
	for _, w := range list {
		d.Close(w)
	}
	d.PaneFocus = false
}

// FocusOn gives a view the focus.
func (d *Desk) FocusOn(w *timeline.View) {
	if i := slices.Index(d.Windows, w); i >= 0 {
		d.Focus, d.PaneFocus = i, false
	}
}

// retarget shows another trace in a view. The view's picture stays until there is a new one.
func (d *Desk) retarget(w *timeline.View, t *timeline.Trace) {
	w.Values.Stop()
	w.Trace, w.Values = t, timeline.Values{}
	d.tell(ViewRetargeted{w})
	w.Paint.Version++
	w.Paint.LabelsFor = nil
}

// Predict shows a predicted trace in place of the previous prediction, or below the view of the measured trace. It
// reports whether the measured trace has a view.
func (d *Desk) Predict(measured, before, predicted *timeline.Trace) bool {
	lead := d.MeasuredView(measured)
	if lead == nil {
		return false
	}
	all := lead.Begin == 0 && lead.End == d.Whole(lead)
	if at := slices.Index(d.Traces, before); before != nil && at >= 0 {
		d.Traces[at] = predicted
		for _, w := range d.Windows {
			if w.Trace == before {
				d.retarget(w, predicted)
			}
		}
		d.tell(TraceClosed{before})
	} else {
		d.Traces = slices.Insert(d.Traces, slices.Index(d.Traces, measured)+1, predicted)
		d.addMirrored(lead, predicted)
	}
	if all { // the time axis may have another length
		lead.Begin, lead.End = 0, d.Whole(lead)
		d.Lead(lead, nil)
	}
	d.Clamp()
	return true
}

// Clamp keeps the views within their time axes.
func (d *Desk) Clamp() {
	for _, w := range d.Windows {
		w.Clamp(w.Trace.Data, d.Whole(w))
	}
}
