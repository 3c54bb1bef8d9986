package document

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/style"
)

// Part is a piece of a document's text that can be selected: a passage, a row of a table, an entry, a plot.
type Part struct {
	Block   report.Block // that it belongs to; nil for headings and for blank lines between sections
	Row     int          // of a table in a viewer; -1 for its titles, and for the rows below its own
	Heading bool         // a heading, titles or a blank line: nothing to select
	Lines   []Line
	Folded  []Line // in place of Lines while it is not selected; nil: Lines
}

// Line is a line of text. Its continuation lines are indented by the width of its lead.
type Line struct {
	Lead, Text string
	Strong     bool
}

// Evidence returns the places that show a part.
func (p *Part) Evidence() []report.Evidence {
	switch b := p.Block.(type) {
	case *report.Entry:
		return b.Places()
	case *report.Table:
		if p.Row >= 0 && p.Row < len(b.Places) {
			return b.Places[p.Row]
		}
	}
	return nil
}

// Layout returns the parts of a document for a viewer of a width: the lines of Text, wrapped, and all rows of its
// tables. Entries, and rows that are too wide, are folded.
func Layout(d *report.Document, width int) []Part {
	l := layout{width: max(width, 20)}
	l.align(d)
	for i := range d.Sections {
		if on := d.Sections[i].On; on != report.PageOnly {
			l.section(&d.Sections[i])
		}
	}
	return l.parts
}

// layout lays out a document.
type layout struct {
	parts []Part
	width int // of a viewer; 0: a text
	costs map[*report.Entry]string
}

// align lays the costs of all entries out in columns.
func (l *layout) align(d *report.Document) {
	var list []*report.Entry
	for i := range d.Sections {
		for _, b := range d.Sections[i].Blocks {
			if e, ok := b.(*report.Entry); ok {
				list = append(list, e)
			}
		}
	}
	l.costs = map[*report.Entry]string{}
	for i, text := range costs(list) {
		l.costs[list[i]] = text
	}
}

// text writes the lines of the parts. heading styles headings; nil leaves them as they are.
func (l *layout) text(heading func(string) string) string {
	var b strings.Builder
	for i := range l.parts {
		for _, line := range l.parts[i].Lines {
			if line.Strong && heading != nil {
				line.Text = heading(line.Text)
			}
			b.WriteString(line.Lead + line.Text + "\n")
		}
	}
	return b.String()
}

func (l *layout) add(p Part) { l.parts = append(l.parts, p) }

// section lays out a section, below a blank line unless it is the first of all, or an entry below another one in a
// viewer. A text has no plots and pictures.
func (l *layout) section(s *report.Section) {
	blank := len(l.parts) > 0
	if blank && l.width > 0 && s.Heading == "" && len(s.Blocks) > 0 {
		_, below := l.parts[len(l.parts)-1].Block.(*report.Entry)
		_, entry := s.Blocks[0].(*report.Entry)
		blank = !below || !entry
	}
	separate := func() {
		if blank {
			l.add(Part{Row: -1, Heading: true, Lines: []Line{{}}})
			blank = false
		}
	}
	if s.Heading != "" {
		separate()
		l.add(Part{Row: -1, Heading: true, Lines: l.wrap("", prv.Clean(s.Heading), true)})
	}
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case *report.Passage:
			separate()
			l.passage(b)
		case report.Pairs:
			separate()
			l.pairs(b)
		case *report.Table:
			separate()
			l.table(b)
		case *report.Entry:
			separate()
			l.entry(b)
		case *report.Plot:
			if l.width > 0 {
				separate()
				l.add(Part{Block: b, Row: -1})
			}
		}
	}
}

// wrap breaks a text for a viewer.
func (l *layout) wrap(lead, text string, strong bool) []Line {
	if l.width == 0 || columnsOf(lead)+columnsOf(text) <= l.width {
		return []Line{{lead, text, strong}}
	}
	var lines []Line
	for _, part := range style.Wrap(text, max(l.width-columnsOf(lead), 10)) {
		lines = append(lines, Line{lead, part, strong})
		lead = strings.Repeat(" ", columnsOf(lead))
	}
	return lines
}

// cut shortens a line to the viewer's width.
func (l *layout) cut(line Line) Line {
	if l.width > 0 {
		line.Text = ansi.Truncate(line.Text, max(l.width-columnsOf(line.Lead), 1), "…")
	}
	return line
}

func (l *layout) passage(p *report.Passage) {
	text := prv.Clean(p.Text)
	if p.Wrap && l.width == 0 {
		text = strings.Join(style.WrapWords(text, HelpWidth), "\n")
	}
	l.add(Part{Block: p, Row: -1, Lines: l.wrap(strings.Repeat(" ", p.Indent), text, p.Tone == report.Strong)})
}

func (l *layout) pairs(p report.Pairs) {
	width := HelpWidth
	if l.width > 0 {
		width = min(width, l.width)
	}
	for line := range strings.Lines(Definitions(p, width)) {
		l.add(Part{Block: p, Row: -1, Lines: []Line{{Text: strings.TrimSuffix(line, "\n")}}})
	}
}

// entry lays out a conclusion: number, cost and title, its details, and a line for each conclusion that it covers.
func (l *layout) entry(e *report.Entry) {
	lead, cost, title := e.Lead(), l.costs[e], prv.Clean(e.Title)
	lines := l.titled(lead, cost, title)
	for _, d := range e.Details {
		lines = append(lines, l.wrap("     ", d.Key+": "+prv.Clean(d.Text), false)...)
	}
	children := make([]*report.Entry, len(e.Children))
	for i := range e.Children {
		children[i] = &e.Children[i]
	}
	for i, cost := range costs(children) {
		c := children[i]
		lines = append(lines, l.wrap("     - ", string(c.Rule)+" "+cost+prv.Clean(c.Title), false)...)
	}
	l.add(Part{Block: e, Row: -1, Lines: lines, Folded: []Line{l.cut(Line{lead, cost + title, true})}})
}

// titled wraps a title after its cost. Continuation lines start below the title, or below the cost if that takes much
// of the line.
func (l *layout) titled(lead, cost, title string) []Line {
	const least = 10 // columns of the title beside its cost
	n, room := columnsOf(cost), l.width-columnsOf(lead)
	if 4*n < room || n+least > room {
		lines := l.wrap(lead+cost, title, true)
		lines[0].Lead, lines[0].Text = lead, cost+lines[0].Text
		return lines
	}
	lines := l.wrap(lead, strings.Repeat("x", n-1)+" "+title, true)
	_, first, _ := strings.Cut(lines[0].Text, " ") // empty if the first word does not fit beside the cost
	lines[0].Text = strings.TrimRight(cost+first, " ")
	return lines
}

// table lays out a table. A viewer has all of its rows.
func (l *layout) table(t *report.Table) {
	indent, n := strings.Repeat(" ", t.Indent), hidden(t)
	if l.width > 0 && n > 0 {
		all := *t
		all.Top, t = 0, &all
	}
	l.rows(t, indent)
	if l.width == 0 && n > 0 && t.Rest == nil {
		l.add(Part{Block: t, Row: -1, Lines: []Line{{indent, "and " + quantity.FormatCount(int64(n)) +
			" more (--top 0 shows all)", false}}})
	}
}

// rows lays out the titles and the rows of a table.
func (l *layout) rows(t *report.Table, indent string) {
	cells, widths := Cells(t)
	right := make([]bool, len(widths))
	column := make([]string, len(cells)-1)
	for i := range right {
		if right[i] = t.RightAligned(i); !right[i] || widths[i] == 0 {
			continue
		}
		for r := range column {
			column[r] = cells[r+1][i]
		}
		widths[i] = max(widths[i], Align(column))
		for r := range column {
			cells[r+1][i] = column[r]
		}
	}
	fits := l.columns(t, widths, right, len(indent))
	var line []byte
	for r, row := range cells {
		line = line[:0]
		for i, cell := range row {
			if fits[i] > 0 {
				switch {
				case fits[i] == widths[i]:
				case t.Columns[i].Drawn:
					cell = shrunk(cell, widths[i], fits[i])
				default:
					cell = ansi.Truncate(cell, fits[i], "…")
				}
				line = appendCell(line, cell, fits[i]-columnsOf(cell), right[i])
			}
		}
		p := Part{Block: t, Row: r - 1, Heading: r == 0,
			Lines: []Line{{indent, strings.TrimRight(string(line), " "), r == 0}}}
		if r > len(t.Rows) {
			p.Row = -1
		}
		if more := left(t, cells, r, widths, fits); more != "" {
			p.Folded = p.Lines
			p.Lines = append(p.Lines[:1:1], l.wrap(indent+"     ", more, false)...)
		}
		l.add(p)
	}
}

// Widths to which columns of text are cut, and bars shrink, so that others fit.
const (
	leastText = 24
	leastBars = 10
)

// shrunk scales a bar, made for a column of the given width, down to room.
func shrunk(bar string, width, room int) string {
	glyphs := []rune(strings.TrimRight(bar, " "))
	if len(glyphs) == 0 {
		return ""
	}
	list := make([]rune, max(1, (len(glyphs)*room+width/2)/width))
	for i := range list {
		list[i] = glyphs[i*len(glyphs)/len(list)]
	}
	list[len(list)-1] = glyphs[len(glyphs)-1]
	return string(list)
}

// columns returns the widths that a viewer has room for: bars shrink, columns of text are cut, then the last ones are
// left out.
func (l *layout) columns(t *report.Table, widths []int, right []bool, indent int) []int {
	if l.width == 0 {
		return widths
	}
	fits := append([]int(nil), widths...)
	over := indent - 2 - l.width
	for _, w := range widths {
		if w > 0 {
			over += w + 2
		}
	}
	shrink := func(i, least int) {
		by := max(min(over, fits[i]-least), 0)
		fits[i], over = fits[i]-by, over-by
	}
	for i := range fits {
		if t.Columns[i].Drawn {
			shrink(i, leastBars)
		}
	}
	for i := range slices.Backward(fits) {
		if !right[i] {
			shrink(i, leastText)
		}
	}
	for i, w := range slices.Backward(fits) {
		if i > 0 && w > 0 && over > 0 {
			over, fits[i] = over-w-2, 0
		}
	}
	return fits
}

// left returns the cells of a row that are cut or left out, with their titles, but no bars.
func left(t *report.Table, cells [][]string, r int, widths, fits []int) string {
	var list []string
	if r == 0 {
		return ""
	}
	for i, cell := range cells[r] {
		if fits[i] < widths[i] && columnsOf(cell) > fits[i] && !t.Columns[i].Drawn {
			list = append(list, strings.TrimSpace(cells[0][i]+" "+strings.TrimSpace(cell)))
		}
	}
	return strings.Join(list, ", ")
}
