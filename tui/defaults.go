package tui

import (
	"slices"

	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// Defaults of a user: what the viewer and the windows on a trace begin with. Sessions and .cfg files say themselves
// what their windows show, and how.

// Auto is the default that leaves the choice to the viewer.
const Auto = "auto"

// Defaults are by name; "" and Auto leave the choice to the viewer.
type Defaults struct {
	Theme string // of ThemeNames
	View  string // a ready view; a trace that does not have it opens as usual
	Draw  string // the draw mode of values that share a cell, of DrawModeNames
}

// ThemeNames lists the themes.
func ThemeNames() []string { return themeNames(nil, "") }

// DrawModeNames lists the draw modes as the menu of the viewer has them: the first one is that which suits the values.
func DrawModeNames() []string { return completeModes(nil, "") }

// ViewNames lists the ready views.
func ViewNames() []string {
	var names []string
	for _, e := range ready.Table() {
		names = append(names, e.Name)
	}
	return names
}

// applyTheme sets the theme that the program begins with. One that says what the background is spares the terminal the
// question.
func (m *Model) applyTheme() {
	i := slices.Index(ThemeNames(), m.options.Defaults.Theme)
	if i < 0 {
		return
	}
	themes[i].set(m)
	if themes[i].background {
		dark := m.dark
		m.options.Dark = &dark
	}
}

// openWindow returns a window on a trace that begins with the defaults.
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

// opening is a window on a trace that is to show the default view as soon as it is known whether the trace has it.
type opening struct {
	window *timeline.View
	shows  string // the key of what it was opened with
}

// awaitView has the default view shown in a window once the events of its trace are counted; windows of .cfg files,
// which come in its place, show what they say.
func (m *Model) awaitView(w *timeline.View) {
	if name := m.options.Defaults.View; name != "" && name != Auto && m.options.Cfgs == nil {
		m.openings = append(m.openings, opening{w, w.Sem.Key()})
	}
}

// showDefaults shows the default view in the windows that wait for it. Of a trace that is still being read there may be
// more to come; a window that the user has made show something else is left alone.
func (m *Model) showDefaults() {
	m.openings = slices.DeleteFunc(m.openings, func(o opening) bool {
		w := o.window
		if !slices.Contains(m.Windows, w) || w.Sem.Key() != o.shows {
			return true
		}
		if w.Trace.Types == nil {
			return false
		}
		c := w.Trace.ReadyView(m.options.Defaults.View)
		switch {
		case c == nil && w.Trace.Until > 0:
			return false
		case c == nil:
			m.scene.Say("this trace does not have the default view " + m.options.Defaults.View)
		default:
			m.showFirst(w, c)
		}
		return true
	})
}

// showFirst makes a choice what a window was opened with: there is nothing to undo.
func (m *Model) showFirst(w *timeline.View, c *timeline.Choice) {
	show, err := showing(w, c.Set)
	if err != nil {
		m.scene.Refuse(err)
		return
	}
	show(&w.Setup)
	w.Drawing.Graph = c.Graph
	w.Clamp(w.Trace.Data, m.Whole(w))
	w.Paint.Version++
}
