package picture

import (
	"math"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/semantic/stat"
)

// mostMessages is the limit for lines of messages; more cannot be told apart.
const mostMessages = 20_000

// OfView returns the panel of a complete view (timeline.View.Complete). It shares the values, which never
// change, and nothing else: it can be written while the view changes.
func OfView(view *timeline.View, dark bool) *Timeline {
	w := *view
	trace := *w.Trace
	w.Trace, w.Palette = &trace, w.Colors().Clone()
	t := &Timeline{
		Title: w.Title(), Begin: w.Begin, End: w.End, Duration: w.Trace.Data.Duration, Unit: w.Trace.Data.Unit,
		Modes: modesOf(&w), Curves: w.Drawing.Graph, Label: w.LegendText, ValueUnit: w.ValueUnit(),
	}
	t.Painter, t.Fixed = w.PainterFor(look(dark))
	for row := w.Top; row < min(w.Top+w.RowsInView(w.Trace.Data), w.Rows(w.Trace.Data)); row++ {
		t.Rows = append(t.Rows, Row{w.RowName(row), w.SeriesOf(row)})
	}
	lines, n := w.Messages(mostMessages)
	for _, m := range lines {
		t.Messages = append(t.Messages, Message{m.From, m.To, m.Sent, m.Received, m.Physical})
	}
	if len(lines) == 0 {
		t.Crowded = n
	}
	return t
}

// modesOf returns the view's draw modes. A point of a picture is too small to be shared out among values.
func modesOf(w *timeline.View) raster.Modes {
	m := w.Modes()
	if m.Time == series.Proportional {
		m.Time = series.MostTime
	}
	return m
}

// OfTable returns the panel of a plane of a histogram.
func OfTable(h *stat.Table, plane int, dark bool) *Table {
	p := &h.Planes[plane]
	t := &Table{Title: h.Statistic.Name, Unit: h.Unit, Text: func(v float64, _, _ int) string { return PlainNumber(v) }}
	rows, columns := []Heading{}, []Heading{}
	for i := range h.Rows {
		rows = append(rows, Heading{Name: h.Rows[i].Name})
	}
	used := h.Used(plane)
	var shown []int // positions of the columns that have cells and that the plane does not hide
	for i := range h.Columns {
		if !p.Hides(i) && used[i] {
			shown = append(shown, i)
			columns = append(columns, Heading{Name: h.Columns[i].Label(-1)})
		}
	}
	totals := &p.Totals
	t.Cell = func(r, c int) (float64, bool) { return h.Cell(plane, r, shown[c]) }
	if h.Vertical {
		rows, columns, totals = columns, rows, &p.RowTotals
		t.Cell = func(r, c int) (float64, bool) { return h.Cell(plane, c, shown[r]) }
	}
	t.Rows, t.Columns = rows, columns
	for _, total := range stat.Totals {
		line := Total{Name: total.String()}
		for c := range columns {
			from := c
			if !h.Vertical {
				from = shown[c]
			}
			line.Values = append(line.Values, totals[total][from])
		}
		t.Totals = append(t.Totals, line)
	}
	t.Fit(dark)
	return t
}

// Fit gives the cells colours on the scale that they span.
func (t *Table) Fit(dark bool) {
	s := raster.Scale{Min: math.Inf(1), Max: math.Inf(-1)}
	for r := range t.Rows {
		for c := range t.Columns {
			if v, ok := t.Cell(r, c); ok && v-v == 0 {
				s.Min, s.Max = min(s.Min, v), max(s.Max, v)
			}
		}
	}
	if s.Min > s.Max {
		s = raster.Scale{Min: 0, Max: 1}
	}
	t.Shade = Shade{Scale: s, Dark: dark}
}
