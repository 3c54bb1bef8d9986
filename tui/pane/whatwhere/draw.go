package whatwhere

import (
	"fmt"
	"strings"

	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/semantic/nearby"
)

// Draw paints the pane: a heading, the value with its neighbours, the records.
func (p *Pane) Draw(c raster.Canvas) {
	p.drawHead(c.Sub(0, 0, c.W, 1))
	w := p.sc.View
	if w == nil || p.of.trace == nil || p.of.trace != w.Trace {
		return
	}
	body := c.Sub(0, 1, c.W, c.H-1)
	if body.H > 3 {
		p.drawValue(body.Sub(1, 0, body.W-2, 1), w)
		body = body.Sub(0, 1, body.W, body.H-1)
	}
	p.drawRecords(body, w, c)
}

func (p *Pane) drawHead(c raster.Canvas) {
	x, dim := p.sc.Head(c)
	w := p.sc.View
	if w == nil || p.key.trace == nil || w.CursorRow >= w.Rows(w.Trace.Data) {
		return
	}
	note := fmt.Sprintf("  %s  %s", w.Short(w.RowName(w.CursorRow)), raster.FormatTime(w.Cursor, w.Trace.Data.Unit, 1))
	x = c.Text(x, 0, note, dim)
	right := p.modeText()
	if n := raster.TextWidth(right); x+n+2 < c.W {
		c.Text(c.W-1-n, 0, right, dim)
	}
}

// modeText says how the records are shown.
func (p *Pane) modeText() string {
	var parts []string
	switch {
	case p.raw:
		parts = append(parts, "raw")
	case p.names:
		parts = append(parts, "names")
	default:
		parts = append(parts, "numbers")
	}
	if p.hex {
		parts = append(parts, "hex")
	}
	if p.all {
		parts = append(parts, "unfiltered")
	}
	for _, k := range []struct {
		on   bool
		word string
	}{{p.states, "states"}, {p.events, "events"}, {p.comms, "messages"}} {
		if !k.on {
			parts = append(parts, "no "+k.word)
		}
	}
	return strings.Join(parts, ", ")
}

// drawValue writes the semantic value at the cursor, and those before and after.
func (p *Pane) drawValue(c raster.Canvas, w *timeline.View) {
	th, t := p.sc.Theme, w.Trace.Data
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		c.Text(0, 0, th.ASCII("computing…"), th.Dim)
		return
	}
	i := s.At(w.Cursor)
	b, e, v := s.Burst(i)
	line := style.Line{
		{Text: w.ValueText(v), Style: th.Bold},
		{Text: "  " + raster.NewTimeFormat(t.Unit, e, 1).Range(b, e), Style: th.Text},
		{Text: "  " + raster.FormatDuration(e-b, t.Unit), Style: th.Accent},
	}
	neighbour := func(word string, i int) {
		if i >= 0 && i < s.Len() {
			b, e, v := s.Burst(i)
			line = append(line, style.Span{Text: "   " + word + ": ", Style: th.Dim},
				style.Span{Text: w.ValueText(v) + " " + raster.FormatDuration(e-b, t.Unit), Style: th.Dim})
		}
	}
	neighbour("prev", i-1)
	neighbour("next", i+1)
	line.Draw(c, 0, 0)
	if raster.TextWidth(line.Plain()) > c.W {
		c.Set(c.W-1, 0, raster.Cell{Rune: th.Glyphs.Ellipsis, Style: th.Dim})
	}
}

// drawRecords lists the records around the cursor.
func (p *Pane) drawRecords(c raster.Canvas, w *timeline.View, on raster.Canvas) {
	th := p.sc.Theme
	if len(p.found) == 0 {
		c.Text(1, 0, "no records here", th.Dim)
		return
	}
	p.width = c.W - 4
	cols := p.columns(w)
	p.rows.Draw(p.sc.ListLook(on), c, func(c raster.Canvas, i int, st, _ raster.Style) {
		lines := p.recordLines(w, p.found[i], cols, p.width, i == p.rows.At())
		for y, line := range lines {
			switch {
			case i == p.rows.At():
				if y == 0 {
					c.Text(0, 0, th.ASCII("▸"), st)
				}
				c.Text(2, y, th.Cut(line.Plain(), c.W-3), st)
			case raster.TextWidth(line.Plain()) <= c.W-3:
				line.Draw(c, 2, y)
			default:
				line.Draw(c.Sub(0, 0, c.W-2, c.H), 2, y)
				c.Set(c.W-2, y, raster.Cell{Rune: th.Glyphs.Ellipsis, Style: th.Dim})
			}
		}
	})
}

// columns are the minimum widths of the columns of records: times, and objects, 0 for none.
type columns struct{ time, object int }

func (p *Pane) columns(w *timeline.View) (cols columns) {
	many := len(w.Trace.Data.ThreadsOf(w.Sem.Level, w.Object(w.CursorRow))) > 1
	for _, r := range p.found {
		cols.time = max(cols.time, raster.TextWidth(p.timeText(p.of.data, r.Time(p.of.data))))
		if many {
			cols.object = max(cols.object, raster.TextWidth(p.of.data.ShortName(prv.LevelThread, int(r.Thread))))
		}
	}
	return cols
}

// linesOf returns the height of a record: three lines for the chosen one, if it is a message wider than the pane.
func (p *Pane) linesOf(i int) int {
	w := p.sc.View
	if !p.found[i].Kind.IsMessage() || p.raw || w == nil || p.of.trace != w.Trace || i != p.rows.At() {
		return 1
	}
	return len(p.recordLines(w, p.found[i], p.columns(w), p.width, true))
}

// textOf returns a record as one text.
func (p *Pane) textOf(i int) string {
	if w := p.sc.View; w != nil && p.of.trace == w.Trace {
		return p.recordLines(w, p.found[i], columns{object: 1}, 1<<20, false)[0].Plain()
	}
	return ""
}

func (p *Pane) timeText(tr *prv.Trace, time int64) string {
	if p.raw || !p.names {
		return raster.FormatExact(time, tr.Unit)
	}
	return raster.FormatTime(time, tr.Unit, 1)
}

var kindWords = [...]string{"state", "event", "send", "recv"}

func word(r nearby.Record) string { return kindWords[r.Kind] }

// recordLines lays out one record: in one line if it fits.
func (p *Pane) recordLines(w *timeline.View, r nearby.Record, cols columns, width int, chosen bool) []style.Line {
	th, tr := p.sc.Theme, p.of.data
	if p.raw {
		return []style.Line{{{Text: r.Raw(tr, p.hex), Style: th.Text}}}
	}
	st := th.Text
	if r.Time(tr) > w.Cursor {
		st = th.Dim
	}
	time := p.timeText(tr, r.Time(tr))
	pad := max(cols.time-raster.TextWidth(time), 0)
	head := style.Line{{Text: strings.Repeat(" ", pad) + time + "  ", Style: th.Dim}}
	if cols.object > 0 {
		head = append(
			head,
			style.Span{Text: fmt.Sprintf("%-*s  ", cols.object, tr.ShortName(prv.LevelThread, int(r.Thread))),
				Style: th.Dim},
		)
	}
	head = append(head, style.Span{Text: fmt.Sprintf("%-5s  ", word(r)), Style: th.Dim})
	text := p.text(tr, r)
	if !r.Kind.IsMessage() {
		return []style.Line{append(head, style.Span{Text: text, Style: st})}
	}
	logical, physical := p.commTimes(tr, r)
	indent := cols.time + 2 + 7
	if cols.object > 0 {
		indent += cols.object + 2
	}
	if indent+raster.TextWidth(text)+raster.TextWidth(logical)+raster.TextWidth(physical)+6 <= width {
		return []style.Line{append(head, style.Span{Text: text, Style: st},
			style.Span{Text: "   " + logical + "   " + physical, Style: th.Dim})}
	}
	lines := []style.Line{append(head, style.Span{Text: text, Style: st})}
	if chosen {
		lead := strings.Repeat(" ", indent)
		lines = append(lines, style.Line{{Text: lead + logical, Style: st}},
			style.Line{{Text: lead + physical, Style: st}})
	}
	return lines
}

// commTimes says when a message was sent and received.
func (p *Pane) commTimes(tr *prv.Trace, r nearby.Record) (logical, physical string) {
	at := func(role prv.Role) string { return p.timeText(tr, tr.Comms.Times[role][r.Index]) }
	arrow := p.sc.Theme.ASCII(" → ")
	if p.sc.ASCII {
		arrow = " -> "
	}
	return "logical " + at(prv.LogicalSend) + arrow + at(prv.LogicalRecv),
		"physical " + at(prv.PhysicalSend) + arrow + at(prv.PhysicalRecv)
}

// text returns a record in words, without its time.
func (p *Pane) text(tr *prv.Trace, r nearby.Record) string {
	switch r.Kind {
	case nearby.State:
		s := &tr.Threads[r.Thread].States
		text := p.number(int64(s.Value[r.Index]))
		if p.names {
			text = tr.Labels.StateName(int64(s.Value[r.Index]))
		}
		if end := s.End[r.Index]; end != prv.NoEnd {
			return fmt.Sprintf("%s  until %s  %s", text, p.timeText(tr, end),
				raster.FormatDuration(end-s.Begin[r.Index], tr.Unit))
		}
		return text
	case nearby.Event:
		e := &tr.Threads[r.Thread].Events
		return p.eventText(tr, e.Type[r.Index], e.Value.At(int(r.Index)))
	}
	c, i := &tr.Comms, int(r.Index)
	word := "to "
	if r.Kind == nearby.Receive {
		word = "from "
	}
	other := r.Partner(tr)
	name := tr.ShortName(prv.LevelThread, int(other.Thread))
	if !p.names {
		pt, ta, th := tr.ThreadID(other.Thread)
		name = fmt.Sprintf("%d.%d.%d", pt, ta, th)
	}
	size := raster.FormatCount(c.Size[i])
	if p.hex {
		size = p.number(c.Size[i])
	}
	return fmt.Sprintf("%s%s  %s bytes  tag %s", word, name, size, p.number(c.Tag[i]))
}

func (p *Pane) eventText(tr *prv.Trace, typ uint32, value int64) string {
	if !p.names || p.hex {
		return p.number(int64(typ)) + ":" + p.number(value)
	}
	text := tr.Labels.TypeName(typ) + ": "
	if e, ok := tr.Labels.Type(typ); ok {
		if s, ok := e.ValueLabel(value); ok {
			return text + s
		}
		return text + e.Format(value)
	}
	return text + p.number(value)
}

func (p *Pane) number(v int64) string {
	if p.hex {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprint(v)
}

// Summary returns a record in a few words, for messages.
func (p *Pane) Summary(tr *prv.Trace, r nearby.Record) string {
	return word(r) + " " + p.text(tr, r)
}
