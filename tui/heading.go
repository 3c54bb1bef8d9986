package tui

import (
	"fmt"
	"strings"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
	"pview/tui/windows"
)

// drawHead writes the heading of window i: its name at the left, its interval at the right, and between them the notes
// needed to read the picture. On a narrow screen it uses fewer words and leaves out the least important. Draw the
// picture first: the heading describes the result.
func (m *screenModel) drawHead(c raster.Canvas, i int) {
	w, th := m.Windows[i], m.theme
	st, dim := th.Head, th.HeadDim
	switch {
	case i == m.Focus && m.panes.open && m.PaneFocus: // the pane's heading is the bright one
		st.Attr |= raster.Bold
	case i == m.Focus:
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	if len(m.Windows) > 1 {
		x = c.Text(x, 0, fmt.Sprint(i+1), dim) + 1
	}
	name, level := w.Title(), th.ASCII(" · ")+w.Sem.Level.String()
	notes, interval := m.fitHead(w, c.W-1-x-raster.TextWidth(name+level)-2)
	end := c.W - 1 - raster.TextWidth(interval)
	c.Text(end, 0, interval, st)
	room := end - 2 - x - raster.TextWidth(level+notes)
	x = c.Text(x, 0, th.Cut(name, max(room, 8)), st)
	x = c.Text(x, 0, th.Cut(level, end-1-x), dim)
	c.Text(x, 0, th.Cut(notes, end-1-x), dim)
}

// fitHead chooses words for the notes and the interval that fit into a number of columns together.
func (m *screenModel) fitHead(w *timeline.View, room int) (notes, interval string) {
	list := m.headNotes(w)
	intervals := windows.Intervals(w, m.Whole(w), m.columns())
	join := func(list []timeline.Note, long int) string {
		s := ""
		for i, n := range list {
			text := n.Long
			if i >= long {
				text = n.Short
			}
			s += m.theme.ASCII(" · " + text)
		}
		return s
	}
	fits := func() bool { return raster.TextWidth(notes+interval) <= room }
	for _, long := range []int{len(list), 1, 0} { // notes in the longer words
		for _, interval = range intervals {
			if notes = join(list, long); fits() {
				return notes, interval
			}
		}
	}
	for n := len(list) - 1; n > 0; n-- {
		for _, interval = range intervals {
			if notes = join(list[:n], 0); fits() {
				return notes, interval
			}
		}
	}
	return notes, interval
}

// headNotes lists the notes needed to read a window's picture, the most important first.
func (m *screenModel) headNotes(w *timeline.View) []timeline.Note {
	var notes []timeline.Note
	add := func(long, short string) { notes = append(notes, timeline.Note{Long: long, Short: short}) }
	for _, p := range m.panes.list {
		if n, ok := p.(pane.Noter); ok {
			if note, ok := n.Note(w); ok {
				notes = append(notes, note)
			}
		}
	}
	notes = append(notes, w.Notes()...)
	if len(m.Traces) > 1 && w.Trace.PredictedFrom == nil {
		add(w.Trace.Name, w.Trace.Name)
	}
	if f := windows.FilterText(w); f != "" {
		add("filter "+f, "filter")
	}
	if from := m.Parents(w); len(from) > 0 {
		text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(from)), " and "), "[]")
		add("follows "+text, "follows "+text)
	}
	if len(m.Windows) > 1 {
		if w.Group == 0 {
			add("own time", "own time")
		} else if m.Groups() > 1 {
			add(fmt.Sprintf("group %d", w.Group), fmt.Sprintf("group %d", w.Group))
		}
	}
	return append(notes, w.ModeNotes()...)
}
