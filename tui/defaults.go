package tui

import (
	"maps"
	"slices"

	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/series"
	"pview/tui/windows"
)

// Defaults of a user, for the viewer and new windows. Windows of sessions and .cfg files do not use them.

// Auto is the default that leaves the choice to the viewer.
const Auto = "auto"

// Defaults are by name; "" and Auto leave the choice to the viewer.
type Defaults struct {
	Theme string // of ThemeNames
	View  string // a ready view; a trace that does not have it opens as usual
	Draw  string // the draw mode of values that share a cell, of DrawModeNames
}

// DrawModeNames lists the draw modes as the viewer's menu does: first the automatic one.
func DrawModeNames() []string { return windows.DrawModes("") }

// ViewNames lists the ready views.
func ViewNames() []string {
	var names []string
	for _, e := range ready.Table() {
		names = append(names, e.Name)
	}
	return names
}

// openings open windows with the defaults.
type openings struct {
	content  *windows.Content
	defaults Defaults
	// waiting holds windows that are to show the default view once it is known whether their trace has it, with the key
	// of their content when they were opened
	waiting map[*timeline.View]string
}

// window returns a window on a trace with the defaults.
func (o *openings) window(t *timeline.Trace) *timeline.View {
	w := o.content.NewWindow(t)
	o.set(w)
	return w
}

// set sets the draw mode and the unit of durations of a new window.
func (o *openings) set(w *timeline.View) {
	at := slices.IndexFunc(series.DrawModes, func(e series.DrawModeEntry) bool { return e.Name == o.defaults.Draw })
	if at >= 0 {
		w.Drawing.Modes.Time, w.Drawing.Given.Time = series.DrawModes[at].Mode, true
	}
	at = slices.IndexFunc(semantic.Units, func(e semantic.UnitEntry) bool { return e.Symbol == quantity.TimeUnit() })
	if at >= 0 { // values that are durations
		w.Sem.Unit = semantic.Units[at].Unit
	}
}

// awaitView shows the default view in a new window once the events of its trace are counted.
func (o *openings) awaitView(w *timeline.View) {
	if name := o.defaults.View; name != "" && name != Auto {
		o.waiting[w] = w.Sem.Key()
	}
}

// showViews shows the default view in the windows that wait for it, unless the user has changed them. A trace that is
// being read may still turn out to have the view. say reports a trace that does not have it.
func (o *openings) showViews(say func(text string)) {
	maps.DeleteFunc(o.waiting, func(w *timeline.View, key string) bool {
		if !slices.Contains(o.content.Windows, w) || w.Sem.Key() != key {
			return true
		}
		c := w.Trace.ReadyView(o.defaults.View)
		switch {
		case w.Trace.Types == nil, c == nil && w.Trace.Until > 0:
			return false
		case c == nil:
			say("this trace does not have the default view " + o.defaults.View)
		default:
			o.content.OpenWith(w, c)
		}
		return true
	})
}
