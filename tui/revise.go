package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// A trace can be replaced by one that says more of the same run: while it is being read, the part that has been read
// so far is shown; while it is being written, it grows. What windows show of it is computed anew, row by row; until
// then the values of the trace before stay on the screen.

// revise replaces what is known of a trace by another trace of the same resources. Windows that showed its end show
// the new one.
func (m *Model) revise(t *openTrace, tr *prv.Trace) tea.Cmd {
	before := t.tr
	for _, w := range m.windows { // those with the same time axis follow
		if whole := m.whole(w); w.end >= whole {
			defer m.showEnd(w, whole)
		}
	}
	m.cache.Forget(before)
	t.tr = tr
	t.revision++
	t.palette = raster.NewPalette(tr.Labels)
	for _, w := range m.windows {
		if w.trace == t {
			w.paint.version++
			w.paint.overlays++
		}
	}
	return tea.Batch(m.countTypes(t), m.profileTrace(t))
}

// showEnd moves a window that showed the end of its time axis, which was at a time, to where the end is now. A window
// that showed all shows all.
func (m *Model) showEnd(w *window, was int64) {
	by := m.whole(w) - was
	if w.end += by; w.begin > 0 {
		w.begin += by
	}
	w.clamp(w.trace.tr, m.whole(w))
}

// shown returns the values that are on the screen: of each row the newest that are known.
func (v *values) shown() []*semantic.Series {
	for o, s := range v.before {
		if o < len(v.series) && v.series[o] == nil {
			v.series[o] = s
		}
	}
	return v.series
}
