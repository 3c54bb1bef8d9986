package analyzer

import (
	"fmt"
	"math"
	"strings"

	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/semantic/stat"
	"pview/tui/action"
)

// How the analyzer is drawn. From the top: the heading with its tabs, the facts about the count, the names of the
// columns, the rows, the totals, the cell at the cursor.

// Draw paints the shown table.
func (p view) Draw(c raster.Canvas) {
	w, th := p.sc.View, p.sc.Theme
	head := c.Sub(0, 0, c.W, 1)
	x, dim := p.sc.Head(head)
	if w == nil {
		return
	}
	a := p.shownOf(w)
	if a == nil {
		return
	}
	a.Frame = a.layOut(w, c.W, c.H, p.sc.Look.CanSplit())
	st := th.Head
	if p.sc.Focused {
		st = th.Focus
	}
	right := p.tableState(w, a)
	end := c.W - 1
	if n := raster.TextWidth(right); n > 0 && x+n+2 < c.W {
		head.Text(c.W-1-n, 0, right, st)
		end = c.W - 3 - n
	}
	head.Text(x, 0, th.Cut("   "+a.title(w), end-x), dim)
	body := c.Sub(0, 1, c.W, c.H-1)
	switch {
	case a.Err != nil:
		p.sc.DrawText(body.Sub(2, 0, body.W-4, body.H), a.Err.Error(), th.Warn)
	case a.Sheet == nil:
		body.Text(2, 0, th.ASCII("computing…"), th.Dim)
	default:
		p.drawSheet(body, w, a)
	}
}

// title returns the name of a table: its question.
func (a *Table) title(w *timeline.View) string {
	s := &a.Setup
	if s.functions {
		return "Analyzer functions"
	}
	text := s.Statistic
	if s.Data.sem != nil {
		text += " of " + s.Data.sem.Name
	}
	if s.third.sem != nil {
		text += " by " + s.third.sem.Name
	}
	if name := s.nameOn(w); name != "" && name != s.Statistic {
		text = name + ": " + text
	}
	return text
}

// tableState says whether the numbers are final, and which table is shown.
func (p view) tableState(w *timeline.View, a *Table) string {
	text := ""
	if a.busy {
		text = p.sc.Theme.ASCII("computing…")
		if of := a.of.Load(); of > 1 {
			text += fmt.Sprintf(" %d/%d rows", min(a.done.Load(), of), of)
		}
	} else if a.hits.busy {
		text = p.sc.Theme.ASCII("looking for the bursts…")
	}
	if t := p.sets[w.ID]; len(t.list) > 1 {
		if text != "" {
			text += "  "
		}
		text += fmt.Sprintf("table %d of %d", t.at+1, len(t.list))
	}
	return text
}

// drawSheet draws everything below the heading.
func (p view) drawSheet(c raster.Canvas, w *timeline.View, a *Table) {
	s, th := a.Sheet, p.sc.Theme
	if c.H >= roomForFacts {
		c.Text(1, 0, th.Clause(th.ASCII(p.tableFacts(w, a)), c.W-2), th.Dim)
		c = c.Sub(0, 1, c.W, c.H-1)
	}
	if len(s.Rows) == 0 || len(s.Columns) == 0 {
		text := "all columns are empty"
		if s.Hidden > 0 && s.dropped {
			text = "all columns are empty, but there are values outside them"
		}
		c.Text(2, 0, text, th.Warn)
		return
	}
	if c.H >= roomForText {
		p.drawCellText(c.Sub(0, c.H-1, c.W, 1), a)
		c = c.Sub(0, 0, c.W, c.H-1)
	}
	if a.drawsPicture() {
		p.drawPicture(c, a)
	} else {
		p.drawNumbers(c, a)
	}
}

// drawsPicture reports whether cells show only colours.
func (a *Table) drawsPicture() bool { return a.Setup.shade == shadePicture && !a.Sheet.functions }

// tableFacts describes the count, and what the table hides.
func (p view) tableFacts(w *timeline.View, a *Table) string {
	s, tr := a.Sheet, w.Trace.Data
	parts := []string{raster.FormatRange(s.begin, s.end, tr.Unit)}
	switch {
	case a.Setup.span == spanFixed:
		parts[0] += " (fixed)"
	case s.begin == 0 && s.end == tr.Duration:
		parts[0] = "the whole run"
	case a.Setup.span == spanView:
		if p.selects() {
			parts[0] += " (selection)"
		}
	}
	if !s.functions {
		unit := s.Statistic.Name
		if s.unit != "" {
			unit += " [" + s.unit + "]"
		}
		parts = append([]string{unit}, parts...)
	}
	if len(s.Planes) > 0 {
		parts = append(parts, fmt.Sprintf("plane %d of %d: %s", s.Plane+1, len(s.Planes), s.Planes[s.Plane].Name))
	}
	rows, columns := raster.CountOf(len(s.Rows), "row"), raster.CountOf(len(s.Columns), "column")
	if s.Hidden > 0 {
		of := &columns
		if a.Setup.vertical {
			of = &rows
		}
		*of += fmt.Sprintf(" (+%s empty)", raster.FormatCount(int64(s.Hidden)))
	}
	count := rows + ", " + columns
	if a.gathers() && a.drawsPicture() {
		count += fmt.Sprintf(", each cell the greatest of %d", a.Frame.half)
	}
	parts = append(parts, count)
	if s.dropped && !s.functions && !s.comms {
		parts = append(parts, "⚠ values outside the columns")
	}
	if o := a.Setup.order; o.On && !s.functions {
		by := o.By
		if by == "" {
			by = stat.Totals[0].String()
		}
		parts = append(parts, "sorted by "+by)
	}
	return strings.Join(parts, " · ")
}

// drawCellText describes the cell at the cursor in full.
func (p view) drawCellText(c raster.Canvas, a *Table) {
	s, th := a.Sheet, p.sc.Theme
	row, col := &s.Rows[a.Row], &s.Columns[a.Col]
	line := style.Line{{Text: p.sc.View.Short(row.Name), Style: th.Accent},
		{Text: "  " + p.sc.View.Short(col.Name), Style: th.Text}}
	v, ok := s.Cell(a.Row, a.Col)
	if !ok {
		line = append(line, style.Span{Text: "  nothing here", Style: th.Dim})
	} else {
		text := "  " + exactText(v)
		if u := s.unitAt(a.Row, a.Col); u != "" {
			text += " " + u
		}
		line = append(line, style.Span{Text: text, Style: th.Bold})
	}
	if lo, hi, ok := a.columnRange(); ok && a.anchor >= 0 {
		text := "  column " + s.values()[lo].Name
		if lo < hi {
			text = "  columns " + s.values()[lo].Name + " to " + s.values()[hi].Name
		}
		line = append(line, style.Span{Text: text + " selected", Style: th.Warn})
	}
	if a.hits.key != "" && a.hits.key == a.cellKey() && !a.hits.busy {
		line = append(line, style.Span{Text: fmt.Sprintf("  burst %s of %s", raster.FormatCount(int64(a.hits.at+1)),
			raster.FormatCount(int64(len(a.hits.list)))), Style: th.Good})
	}
	if doc := s.docAt(a.Row, a.Col); doc != "" && raster.TextWidth(line.Plain()+doc)+4 <= c.W {
		line = append(line, style.Span{Text: "  " + doc, Style: th.Dim})
	}
	x := 1
	for _, part := range line {
		if x >= c.W-2 {
			return
		}
		x = c.Text(x, 0, th.Cut(part.Text, c.W-1-x), part.Style)
	}
}

// docAt explains the number of a cell.
func (s *Sheet) docAt(row, column int) string {
	if s.functions {
		return s.functionHead(row, column).doc
	}
	return s.Statistic.Doc
}

func (s *Sheet) functionHead(row, column int) *Header {
	if s.Vertical {
		return &s.Rows[row]
	}
	return &s.Columns[column]
}

// exactText writes a number in full precision.
func exactText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return raster.FormatCount(int64(v))
	}
	return trimZeros(decimal(v, 9))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") || strings.Contains(s, "e") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Hints returns the keys of the status line while the pane has the focus.
func (p actions) Hints() []action.Hint {
	switch a := p.shownOf(p.sc.View); {
	case a == nil:
	case a.anchor >= 0:
		to := "move left, move right"
		if a.Sheet != nil && a.Sheet.Vertical {
			to = "move up, move down"
		}
		return action.Hints([]action.Hint{
			{to, "to"}, {"columns zoom", "subdivide"}, {"cell window", "window of it"},
			{"leave", "drop"},
		}, action.Without(hints, []action.Hint{{"columns select"}}))
	case a.Setup.functions:
		return action.Hints([]action.Hint{
			{"tables", "choose table"}, {"statistic, statistic choose", "statistic"}, {"cell-look", "colours"},
			{"sort rows", "sort"}, {"transpose", "transpose"}, {"table-time", "time range"}, {"copy", "copy"},
			{"save-table", "save"}, {"leave", "back"},
		}, hints)
	case a.Sheet != nil && len(a.Sheet.Planes) > 1:
		planes := action.Hint{"planes previous, planes next", "planes"}
		return action.Hints([]action.Hint{{"tables", "choose table"}, planes}, hints)
	}
	return hints
}

// hints are the actions of the page, the most used first.
var hints = []action.Hint{
	{"tables", "choose table"}, {"statistic, statistic choose", "statistic"}, {"cell-look", "colours"},
	{"cell next", "show bursts"}, {"cell window", "window of it"}, {"operand data", "data window"},
	{"columns", "columns"}, {"sort rows, sort columns", "sort"}, {"columns select, columns zoom", "subdivide"},
	{"tables undo", "undo"}, {"save-table", "save"}, {"leave", "back"}, {"cell previous", "burst before"},
	{"transpose", "transpose"}, {"operand third", "3D window"}, {"table-time", "time range"}, {"totals", "totals"},
}
