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

// openWindow returns a window on a trace with the defaults.
func (m *Model) openWindow(t *timeline.Trace) *timeline.View {
	w := m.NewWindow(t)
	m.beginWithDefaults(w)
	return w
}

// beginWithDefaults sets the draw mode and the unit of durations of a new window.
func (m *Model) beginWithDefaults(w *timeline.View) {
	at := slices.IndexFunc(series.DrawModes, func(e series.DrawModeEntry) bool {
		return e.Name == m.options.Defaults.Draw
	})
	if at >= 0 {
		w.Drawing.Modes.Time, w.Drawing.Given.Time = series.DrawModes[at].Mode, true
	}
	at = slices.IndexFunc(semantic.Units, func(e semantic.UnitEntry) bool { return e.Symbol == quantity.TimeUnit() })
	if at >= 0 { // values that are durations
		w.Sem.Unit = semantic.Units[at].Unit
	}
}

// openings are windows that are to show the default view once it is known whether their trace has it, with the keys of
// what they were opened with.
type openings map[*timeline.View]string

// awaitView shows the default view in a new window once the events of its trace are counted. Windows of .cfg files
// replace it and show their own.
func (m *Model) awaitView(w *timeline.View) {
	if name := m.options.Defaults.View; name != "" && name != Auto && m.options.Cfgs == nil {
		if m.openings == nil {
			m.openings = openings{}
		}
		m.openings[w] = w.Sem.Key()
	}
}

// showDefaults shows the default view in the windows that wait for it, unless the user made them show something else. A
// trace that is being read may still turn out to have the view.
func (m *Model) showDefaults() {
	maps.DeleteFunc(m.openings, func(w *timeline.View, key string) bool {
		if !slices.Contains(m.Windows, w) || w.Sem.Key() != key {
			return true
		}
		c := w.Trace.ReadyView(m.options.Defaults.View)
		switch {
		case w.Trace.Types == nil, c == nil && w.Trace.Until > 0:
			return false
		case c == nil:
			m.scene.Say("this trace does not have the default view " + m.options.Defaults.View)
		default:
			m.content.OpenWith(w, c)
		}
		return true
	})
}
