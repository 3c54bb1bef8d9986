package tui

import (
	"fmt"
	"strings"

	"pview/filter"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/notation"
	"pview/tui/pane"
)

// The heading of a window: its name at the left, its interval at the right, and in
// between what else must be known to read the picture. When there is no room for
// all of it, things are said in fewer words, and the least important are left out.

// drawHead writes the heading of window i. It must come after the window's picture:
// it tells what that turned out to be.
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

// fitHead chooses the words for the notes and the interval that fit into so many
// columns together.
func (m *screenModel) fitHead(w *timeline.View, room int) (notes, interval string) {
	list := m.headNotes(w)
	intervals := m.intervalTexts(w)
	join := func(list []timeline.Note, short bool) string {
		s := ""
		for _, n := range list {
			text := n.Long
			if short {
				text = n.Short
			}
			s += m.theme.ASCII(" · " + text)
		}
		return s
	}
	fits := func() bool { return raster.TextWidth(notes+interval) <= room }
	for _, short := range []bool{false, true} {
		for _, interval = range intervals {
			if notes = join(list, short); fits() {
				return notes, interval
			}
		}
	}
	for n := len(list) - 1; n > 0; n-- {
		for _, interval = range intervals {
			if notes = join(list[:n], true); fits() {
				return notes, interval
			}
		}
	}
	return notes, interval
}

// headNotes says what must be known to read a window's picture, the most important
// first.
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
	if f := notation.FilterText(beyondView(w)); f != "" {
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

// beyondView is what a window's filter asks for besides the event types that make its view what it is.
func beyondView(w *timeline.View) *filter.Filter {
	f := w.Sem.Filter.Clone()
	if showsTypes(w) {
		f.Events.Type = filter.Criterion{}
	}
	return &f
}

// showsTypes reports whether a window shows the values of certain event types: without these it would be another view.
func showsTypes(w *timeline.View) bool {
	return len(timeline.ListedTypes(&w.Sem.Filter)) > 0 && w.Trace.Meaning(&w.Sem) == semantic.EventValues
}

// intervalTexts says what part of the run a window shows, in fewer and fewer words.
func (m *screenModel) intervalTexts(w *timeline.View) []string {
	t := w.Trace.Data
	length := raster.FormatDuration(w.Duration(), t.Unit)
	if w.Begin == 0 && w.End == m.Whole(w) {
		return []string{"0 .. " + length + "  (all)", length + " (all)"}
	}
	percent := fmt.Sprintf("%.3g %%", 100*float64(w.Duration())/float64(max(t.Duration, 1)))
	from, to := raster.FormatInterval(w.Begin, w.End, t.Unit, m.columns())
	return []string{
		fmt.Sprintf("%s .. %s  (%s, %s)", from, to, length, percent),
		fmt.Sprintf("%s +%s (%s)", from, length, percent),
		fmt.Sprintf("%s (%s)", length, percent),
	}
}
