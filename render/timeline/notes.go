package timeline

import (
	"fmt"
	"strings"

	"pview/render/raster"
)

// Notes that explain a view's picture.

// Note is a note in a heading, in two lengths.
type Note struct{ Long, Short string }

func scaleText(s raster.Scale, fixed bool) string {
	text := raster.FormatValue(s.Min, "") + ".." + raster.FormatValue(s.Max, "")
	if fixed {
		text += " fixed"
	}
	return text
}

// commNote counts the communications in view, and tells if they are too many to be drawn.
func commNote(w *View) Note {
	switch {
	case w.Trace.Data.Comms.Len() == 0:
		return Note{"no messages", "no msgs"}
	case w.Values.comms == nil:
		return Note{"messages: …", "messages: …"}
	}
	s := &w.Paint.stats
	n := s.Total()
	text := Note{raster.CountOf(n, "message"), raster.CountOf(n, "msg")}
	switch {
	case w.Drawing.Comms == commsBoth:
		a, b := raster.FormatCount(int64(s.Logical)), raster.FormatCount(int64(s.Physical))
		text = Note{a + " logical, " + b + " physical messages", a + "+" + b + " msgs"}
	case w.Drawing.Comms == CommsPhysical:
		text = Note{raster.CountOf(n, "physical message"), raster.CountOf(n, "phys. msg")}
	}
	if n > 0 && !s.Drawn {
		text.Long += ", drawn as density"
		text.Short += ", density"
	}
	if pair := w.Drawing.Between; pair != (Pair{}) {
		name := func(o int32) string { return w.Trace.Data.Name(w.Sem.Level, int(o)-1) }
		text.Long = "messages from " + name(pair.From) + " to " + name(pair.To)
		text.Short = fmt.Sprintf("msgs %d to %d", pair.From, pair.To)
	}
	return text
}

// Notes describes what a view draws besides its rows, and its scale, the most important first.
func (w *View) Notes() []Note {
	var notes []Note
	add := func(long, short string) { notes = append(notes, Note{long, short}) }
	d := &w.Drawing
	if d.Comms != CommsOff {
		notes = append(notes, commNote(w))
	}
	if d.Flags {
		if w.heavy(w.Paint.SampleKey) {
			add("too many rows for flags", "no flags")
		} else {
			n := raster.CountOf(w.Paint.events, "event")
			add(n, n)
		}
	}
	switch {
	case w.Objects == nil:
	case len(w.Objects) == w.Trace.Data.Count(w.Sem.Level):
		add("rows reordered", "reordered")
	default:
		n, of := raster.FormatCount(int64(len(w.Objects))), raster.FormatCount(int64(w.Trace.Data.Count(w.Sem.Level)))
		add(n+" of "+of+" rows", n+"/"+of+" rows")
	}
	switch mode := w.ColorMode(); {
	case d.Graph:
		add("function line "+scaleText(w.Paint.Scale, d.Fixed), "line "+scaleText(w.Paint.Scale, d.Fixed))
	case mode != raster.CodeColor:
		name := strings.TrimSuffix(strings.ToLower(raster.ColorModes[mode].Name), " color")
		add(name+" "+scaleText(w.Paint.Scale, d.Fixed), scaleText(w.Paint.Scale, d.Fixed))
	}
	return notes
}

// ModeNotes explains how cells get their values, if the user chose a mode or rows share lines, and names the row that
// stands out among rows that share lines.
func (w *View) ModeNotes() []Note {
	modes := w.Modes()
	var notes []Note
	if note, ok := w.standoutNote(); ok {
		notes = append(notes, note)
	}
	if w.Drawing.Given.Time {
		mode := strings.ToLower(modes.Time.String())
		notes = append(notes, Note{mode, mode})
	}
	if l := w.Paint.Layout; l.Merged() {
		rows := strings.ToLower(modes.Rows.String())
		notes = append(notes, Note{fmt.Sprintf("%s rows on %d lines, %s", raster.FormatCount(int64(l.Rows)),
			l.Sublines(), rows), "rows " + rows})
	}
	return notes
}
