// Package document is the component of panes that shows a document of insight/report, and goes to its evidence in the
// timeline. The lines are those that commands print (render/document.Layout), wrapped to the width of the pane; a pane
// derives nothing.
//
//	p.doc = document.New(sc)                     // once
//	p.doc.Show(d)                                // whenever there is another document; the same part stays selected
//	p.doc.Draw(c, sub)                           // c: the pane, sub: the place of the document in it
//	p.doc.Click(x, y); p.doc.Wheel(sign)         // as of list.List, which a View is
//	sc.ListMoves(p, &p.doc.List)                 // its moves; with Narrow and Esc
//	p.doc.Evidence()                             // places of the selected part
//	p.tour.Next(1, p.doc.Evidence())             // Enter: the next place in the timeline; Tour also goes back
//
// The selected part is unfolded: the details of an entry, the columns of a row that do not fit. A *report.Plot is drawn
// as a figure. Sections that are for pages only are left out; what is for a viewer only has On: ViewerOnly. A pane that
// shows sections one at a time makes each a separate document.
package document

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/raster"
	"pview/tui/list"
	"pview/tui/pane"
)

// View shows a document.
type View struct {
	list.List
	// Provisional draws costs dim: they may change.
	Provisional bool
	// Swatch returns a sample of colour to stand before a part; zero for none. nil: no part has a sample.
	Swatch func(p *document.Part) raster.Cell

	sc    *pane.Scene
	doc   *report.Document
	parts []document.Part
	width int    // the parts are laid out for it
	units string // of amounts, for the same layout
	room  int    // lines, as drawn last
	open  int    // the part that is unfolded, as drawn last
	above int    // lines of that part between its first one and those in view
}

// before is the number of lines shown above an entry that was selected by number.
const before = 2

// usualPlot is the usual height of a plot.
const usualPlot = 14

// New returns a view without a document.
func New(sc *pane.Scene) *View {
	v := &View{sc: sc, width: 100}
	v.List = list.List{Len: func() int { return len(v.parts) }, Lines: v.lines, Text: v.text,
		Heading: func(i int) bool { return v.parts[i].Heading }, Turn: v.turn}
	return v
}

// Show shows a document, with the same part selected; nil: none.
func (v *View) Show(d *report.Document) {
	v.doc = d
	v.layout()
	v.By(0)
}

// Document returns the document that is shown; nil for none.
func (v *View) Document() *report.Document { return v.doc }

func (v *View) layout() {
	v.parts, v.above = nil, 0
	if v.units = quantity.Units(); v.doc != nil {
		v.parts = document.Layout(v.doc, v.width)
	}
}

// lines returns the height of a part.
func (v *View) lines(i int) int {
	if _, ok := v.parts[i].Block.(*report.Plot); ok {
		return max(min(usualPlot, v.room), 1)
	}
	return len(v.drawn(i))
}

// leastList is the height of a list up to which the selected part leaves two lines to the others.
const leastList = 9

// most returns the maximum number of lines of the selected part: in a low pane it leaves some to others.
func (v *View) most() int {
	if v.room <= leastList {
		return max(v.room-2, 2)
	}
	return v.room
}

// turn scrolls the lines of the selected part, if they do not all fit, by a page; it reports whether there are more.
func (v *View) turn(direction int) bool {
	if v.open != v.At() || v.open < 0 || v.parts[v.open].Folded == nil {
		return false
	}
	hidden := max(len(v.parts[v.open].Lines)-v.most(), 0)
	to := max(0, min(v.above+direction*max(v.most()-2, 1), hidden))
	turned := to != v.above
	v.above = to
	return turned
}

// drawn returns the lines of a part to draw: all of the selected one, or in a low pane, as many from the scroll
// position as leave some to others.
func (v *View) drawn(i int) []document.Line {
	p := &v.parts[i]
	if p.Folded != nil && i != v.open {
		return p.Folded
	}
	lines := p.Lines
	if i == v.open && v.above > 0 {
		lines = slices.Concat(lines[:1], lines[1+v.above:])
	}
	n := v.most()
	if p.Folded == nil || v.room > leastList || len(lines) <= n {
		return lines
	}
	lines = slices.Clone(lines[:n])
	more := " …"
	if i == v.open {
		more += " " + v.sc.KeysOf("move page-down")
	}
	last := &lines[n-1]
	last.Text = ansi.Truncate(last.Text, v.width-raster.TextWidth(last.Lead+more), "") + more
	return lines
}

func (v *View) text(i int) (text string) {
	for _, line := range v.parts[i].Lines {
		text += line.Text + " "
	}
	return text
}

// Selected returns the selected part; nil for none.
func (v *View) Selected() *document.Part {
	if i := v.At(); i >= 0 {
		return &v.parts[i]
	}
	return nil
}

// Entry returns the selected entry; nil for none.
func (v *View) Entry() *report.Entry {
	if p := v.Selected(); p != nil {
		e, _ := p.Block.(*report.Entry)
		return e
	}
	return nil
}

// Evidence returns the places that support the selected part.
func (v *View) Evidence() []report.Evidence {
	if p := v.Selected(); p != nil {
		return p.Evidence()
	}
	return nil
}

// Select selects the first part that is wanted, wherever it is on the screen; it reports whether one exists.
func (v *View) Select(wanted func(p *document.Part) bool) bool {
	for i := range v.parts {
		if wanted(&v.parts[i]) {
			v.Choose(i)
			return true
		}
	}
	return false
}

// SelectEntry selects the i-th entry, and shows some lines above it; it reports whether there is one.
func (v *View) SelectEntry(i int) bool {
	for k := range v.parts {
		if _, ok := v.parts[k].Block.(*report.Entry); ok {
			if i--; i < 0 {
				v.List.Show(k, before)
				return true
			}
		}
	}
	return false
}

// SelectRow selects a row of the first table.
func (v *View) SelectRow(row int) {
	for k := range v.parts {
		if _, ok := v.parts[k].Block.(*report.Table); ok && v.parts[k].Row == row {
			v.Choose(k)
			return
		}
	}
}

// Row returns the selected row of a table; -1 for none.
func (v *View) Row() int {
	if p := v.Selected(); p != nil {
		if _, ok := p.Block.(*report.Table); ok {
			return p.Row
		}
	}
	return -1
}

// Height returns the number of lines of the document in a width, with the selected part unfolded.
func (v *View) Height(width int) (n int) {
	v.fit(width)
	for i := range v.parts {
		n += v.lines(i)
	}
	return n
}

// fit lays the document out for a width, with a column for the scrollbar, and unfolds the selected part.
func (v *View) fit(width int) {
	if width -= 1 + v.margin(); width != v.width || v.units != quantity.Units() {
		v.width = width
		v.layout()
	}
	if at := v.At(); at != v.open {
		v.open, v.above = at, 0
	}
}

// margin returns the column in which text begins.
func (v *View) margin() int {
	if v.Swatch != nil {
		return 2
	}
	return 1
}

// Draw draws the document into a part of the pane.
func (v *View) Draw(pane, c raster.Canvas) {
	v.fit(c.W)
	v.room = c.H
	v.List.Draw(v.sc.ListLook(pane), c, v.drawPart)
}

// drawPart draws a part. In an unfolded part only the title is a bar, and only the first line is strong.
func (v *View) drawPart(c raster.Canvas, i int, chosen, _ raster.Style) {
	th, p := v.sc.Theme, &v.parts[i]
	if plot, ok := p.Block.(*report.Plot); ok {
		v.sc.DrawFigure(plot.Figure, c.Sub(0, 0, c.W-1, c.H))
		return
	}
	own, dim := v.style(p), th.Dim
	bar := i == v.open
	for y, line := range v.drawn(i) {
		st, lead := own, dim
		if line.Strong {
			st = th.Bold
			if _, ok := p.Block.(*report.Entry); ok {
				st = own
			}
		}
		row := c.Sub(0, y, c.W, 1)
		switch {
		case bar && (y == 0 || line.Strong):
			if st, lead = chosen, chosen; y > 0 {
				st.Attr &^= raster.Bold
			}
		case bar:
			row.Fill(raster.Cell{Rune: ' ', Style: th.Text})
		}
		x := row.Text(v.margin(), 0, th.ASCII(line.Lead), lead)
		row.Text(x, 0, th.ASCII(line.Text), st)
		if y == 0 && v.Swatch != nil {
			if cell := v.Swatch(p); cell.Rune != 0 {
				cell.BG = st.BG
				row.Set(0, 0, cell)
			}
		}
	}
	v.drawBar(c, p, own)
}

// Colours of bars to the right and to the left, which colour-blind eyes tell apart.
var (
	more = raster.RGB(221, 132, 82)
	less = raster.RGB(76, 134, 199)
)

// leastBar is the minimum number of columns for bars.
const leastBar = 21

// drawBar draws the share of a row, from -1 to 1, in the columns that its table leaves at the right.
func (v *View) drawBar(c raster.Canvas, p *document.Part, st raster.Style) {
	t, ok := p.Block.(*report.Table)
	if !ok || p.Row < 0 {
		return
	}
	at := slices.IndexFunc(t.Columns, func(c report.Column) bool { return c.Bar })
	if at < 0 {
		return
	}
	share, ok := t.Rows[p.Row][at].(float64)
	left := 0
	for i := range v.parts {
		if v.parts[i].Block == report.Block(t) {
			left = max(left, v.margin()+2+raster.TextWidth(v.parts[i].Lines[0].Lead+v.parts[i].Lines[0].Text))
		}
	}
	if !ok || c.W-1-left < leastBar {
		return
	}
	half := (c.W - 2 - left) / 2
	n := int(math.Round(math.Abs(share) * float64(half)))
	colour, from := more, half+1
	if share < 0 {
		colour, from = less, half-n
	}
	glyphs := v.sc.Theme.Glyphs
	st.BG = c.At(left, 0).BG
	c.Text(left+half, 0, string(glyphs.Vertical), st)
	c.Text(left+from, 0, strings.Repeat(string(glyphs.Full), n), raster.Style{FG: colour, BG: st.BG})
}

// style returns the style of a part that is not selected.
func (v *View) style(p *document.Part) raster.Style {
	th := v.sc.Theme
	switch b := p.Block.(type) {
	case *report.Entry:
		switch {
		case b.Warning:
			return th.Warn
		case b.Minor || v.Provisional:
			return th.Dim
		}
	case *report.Passage:
		switch b.Tone {
		case report.Warning:
			return th.Warn
		case report.Note, report.About:
			return th.Dim
		}
	case *report.Table:
		if p.Heading {
			return th.Dim
		}
	}
	return th.Text
}
