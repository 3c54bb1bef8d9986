package desk

import (
	"cmp"
	"slices"

	"pview/render/raster"
	"pview/render/timeline"
)

// MeasuredView returns the view of a measured trace below which its prediction is shown: the view in focus if it shows
// that trace, else the first that does, nil for none.
func (d *Desk) MeasuredView(t *timeline.Trace) *timeline.View {
	if w := d.Focused(); w != nil && w.Trace == t {
		return w
	}
	for _, w := range d.Windows {
		if w.Trace == t {
			return w
		}
	}
	return nil
}

// addMirrored puts a view of a prediction below a view of the measured trace, which keeps the focus.
func (d *Desk) addMirrored(lead *timeline.View, t *timeline.Trace) {
	d.GiveGroup(lead)
	focus := d.Focused()
	w := d.CloneWindow(lead)
	w.Trace, w.Mirrors = t, lead.ID
	w.MirrorView = lead.Setup
	if t.Data.Unit != lead.Trace.Data.Unit {
		w.Begin, w.End, w.Cursor = lead.Trace.Convert(w.Begin, t), lead.Trace.Convert(w.End, t),
			lead.Trace.Convert(w.Cursor, t)
	}
	d.Windows = slices.Insert(d.Windows, slices.Index(d.Windows, lead)+1, w)
	d.Focus = slices.Index(d.Windows, focus)
}

// GiveGroup puts a view with its own time into a new group, which others can join.
func (d *Desk) GiveGroup(lead *timeline.View) {
	if lead.Group != 0 {
		return
	}
	for lead.Group = 1; slices.ContainsFunc(d.Windows, func(w *timeline.View) bool {
		return w != lead && w.Group == lead.Group
	}); lead.Group++ {
	}
}

// Detach renames a predicted trace and makes it independent: no other prediction replaces it.
func (d *Desk) Detach(t *timeline.Trace, name string) {
	t.PredictedFrom, t.Name = nil, name
	for _, w := range d.Windows {
		if w.Trace == t {
			w.Mirrors = 0
		}
	}
}

// Mirror makes a view of a prediction and its view of the measured trace show the same: the one that changed leads. A
// view outside the other's group is left alone.
func (d *Desk) Mirror() {
	for _, w := range d.Windows {
		if w.Mirrors == 0 {
			continue
		}
		lead := d.WindowByID(w.Mirrors)
		if lead == nil || w.Group == 0 || w.Group != lead.Group {
			continue
		}
		switch {
		case !timeline.ShowsSame(&lead.Setup, &w.MirrorView):
			w.Mirror(lead)
		case !timeline.ShowsSame(&w.Setup, &w.MirrorView):
			lead.Mirror(w)
		case lead.CursorRow != w.CursorRow && d.Focused() == w:
			lead.CursorRow = w.CursorRow
		default:
			w.CursorRow = lead.CursorRow
		}
		w.MirrorView = w.Setup
		if !timeline.ShowsSame(&lead.Setup, &w.Setup) { // one of the two cannot show it
			w.MirrorView = lead.Setup
		}
	}
}

// WithMirrored returns a view's legend with the entries of the views that it mirrors or that mirror it, the largest
// share first. A value that has another colour there gets its own entry.
func (d *Desk) WithMirrored(w *timeline.View, l *raster.Legend) *raster.Legend {
	all := raster.Legend{Look: l.Look, Entries: slices.Clone(l.Entries)}
	own := len(all.Entries)
	for _, v := range d.Windows {
		if v == w || v.Mirrors != w.ID && w.Mirrors != v.ID || v.Values.Err != nil || v.Drawing.Graph {
			continue
		}
		for _, e := range v.Paint.Legend.Entries {
			at := slices.IndexFunc(all.Entries, func(o raster.LegendEntry) bool { return o.Value == e.Value })
			if at >= 0 && all.Entries[at].Cell == e.Cell {
				continue
			}
			const predicted = " (predicted)"
			switch {
			case at < 0 || all.Entries[at].Label != e.Label:
			case v.Trace.Predicted:
				e.Label += predicted
			case w.Trace.Predicted:
				all.Entries[at].Label += predicted
			}
			all.Entries = append(all.Entries, e)
		}
	}
	if len(all.Entries) > own {
		slices.SortStableFunc(all.Entries[min(own, 1):], func(a, b raster.LegendEntry) int {
			return cmp.Compare(b.Share, a.Share)
		})
		for i := range all.Entries { // shares are of w
			if !slices.ContainsFunc(l.Entries, func(e raster.LegendEntry) bool {
				return e.Value == all.Entries[i].Value && e.Cell == all.Entries[i].Cell
			}) {
				all.Entries[i].Share = -1
			}
		}
	}
	return &all
}
