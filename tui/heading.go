package tui

import (
	"fmt"
	"strings"

	"pview/tui/raster"
)

// The heading of a window: its name at the left, its interval at the right, and in
// between what else must be known to read the picture. When there is no room for
// all of it, things are said in fewer words, and the least important are left out.

// note is something that a heading says, in two lengths.
type note struct{ long, short string }

// drawHead writes the heading of window i. It must come after the window's picture:
// it tells what that turned out to be.
func (m *Model) drawHead(c raster.Canvas, i int) {
	w, th := m.windows[i], m.theme
	st, dim := th.Head, th.HeadDim
	if i == m.focus {
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	if len(m.windows) > 1 {
		x = c.Text(x, 0, fmt.Sprint(i+1), dim) + 1
	}
	name, level := w.title(), th.ASCII(" · ")+w.sem.Level.String()
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
func (m *Model) fitHead(w *window, room int) (notes, interval string) {
	list := m.headNotes(w)
	intervals := m.intervalTexts(w)
	join := func(list []note, short bool) string {
		s := ""
		for _, n := range list {
			text := n.long
			if short {
				text = n.short
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
func (m *Model) headNotes(w *window) []note {
	var notes []note
	add := func(long, short string) { notes = append(notes, note{long, short}) }
	d := &w.draw
	if s := m.simulators[w.trace.predictedFrom]; s != nil && s.shown != nil {
		long, short := s.headText(m)
		add(long, short)
	}
	if d.comms != commsOff {
		notes = append(notes, commNote(w))
	}
	if d.flags {
		n := raster.FormatCount(int64(w.paint.events))
		if w.heavy(w.paint.sampleKey) {
			add("too many rows for flags", "no flags")
		} else {
			add(n+" events", n+" events")
		}
	}
	if w.objects != nil {
		n, of := raster.FormatCount(int64(len(w.objects))), raster.FormatCount(int64(w.trace.tr.Count(w.sem.Level)))
		add(n+" of "+of+" rows", n+"/"+of+" rows")
	}
	switch mode := w.colorMode(); {
	case d.graph:
		add("function line "+scaleText(w.paint.scale, d.fixed), "line "+scaleText(w.paint.scale, d.fixed))
	case mode != raster.CodeColor:
		name := strings.TrimSuffix(strings.ToLower(raster.ColorModes[mode].Name), " color")
		add(name+" "+scaleText(w.paint.scale, d.fixed), scaleText(w.paint.scale, d.fixed))
	}
	if len(m.traces) > 1 && w.trace.predictedFrom == nil {
		add(w.trace.name, w.trace.name)
	}
	if f := filterText(&w.sem.Filter); f != "" && (w.name != "" || len(listedTypes(&w.sem.Filter)) == 0) {
		add("filter "+f, "filter")
	}
	if len(m.windows) > 1 {
		if w.group == 0 {
			add("own time", "own time")
		} else if m.groups() > 1 {
			add(fmt.Sprintf("group %d", w.group), fmt.Sprintf("group %d", w.group))
		}
	}
	// How cells come by their values is always said, if there is room.
	mode := strings.ToLower(d.modes.Time.String())
	add(mode, mode)
	if l := w.paint.layout; l.Merged() {
		rows := strings.ToLower(d.modes.Rows.String())
		add(fmt.Sprintf("%s rows on %d lines, %s", raster.FormatCount(int64(l.Rows)), l.Sublines(), rows), "rows "+rows)
	}
	return notes
}

func scaleText(s raster.Scale, fixed bool) string {
	text := raster.FormatValue(s.Min, "") + ".." + raster.FormatValue(s.Max, "")
	if fixed {
		text += " fixed"
	}
	return text
}

// commNote counts the communications in view, and says when they are too many to
// be drawn.
func commNote(w *window) note {
	switch {
	case w.trace.tr.Comms.Len() == 0:
		return note{"no messages", "no msgs"}
	case w.values.comms == nil:
		return note{"messages: …", "messages: …"}
	}
	s := &w.paint.stats
	n := raster.FormatCount(int64(s.Total()))
	text := note{n + " messages", n + " msgs"}
	switch {
	case w.draw.comms == commsBoth:
		a, b := raster.FormatCount(int64(s.Logical)), raster.FormatCount(int64(s.Physical))
		text = note{a + " logical, " + b + " physical messages", a + "+" + b + " msgs"}
	case w.draw.comms == commsPhysical:
		text = note{n + " physical messages", n + " phys. msgs"}
	case s.Total() == 1:
		text = note{"1 message", "1 msg"}
	}
	if s.Total() > 0 && !s.Drawn {
		text.long += ", too dense to draw"
		text.short += ", dense"
	}
	return text
}

// intervalTexts says what part of the run a window shows, in fewer and fewer words.
func (m *Model) intervalTexts(w *window) []string {
	t := w.trace.tr
	length := raster.FormatDuration(w.duration(), t.Unit)
	if w.begin == 0 && w.end == m.whole(w) {
		return []string{"0 .. " + length + "  (all)", length + " (all)"}
	}
	percent := fmt.Sprintf("%.3g%%", 100*float64(w.duration())/float64(max(t.Duration, 1)))
	from, to := raster.FormatInterval(w.begin, w.end, t.Unit, m.columns())
	return []string{
		fmt.Sprintf("%s .. %s  (%s, %s)", from, to, length, percent),
		fmt.Sprintf("%s +%s (%s)", from, length, percent),
		fmt.Sprintf("%s (%s)", length, percent),
	}
}
