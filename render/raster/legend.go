// The legend: the values in view, and their looks.

package raster

import (
	"cmp"
	"slices"
)

// LegendEntry is a visible value with its look.
type LegendEntry struct {
	Value float64
	Label string
	Cell  Cell // as in the timeline
	// share of the picture with this value, 0..1, by time or cells (Grid.share); negative: not shown
	Share float64
}

// Legend lists the values that a grid shows. It reuses its memory.
type Legend struct {
	Look
	Entries   []LegendEntry // most frequent first, background last; at most a thousand
	More      int           // number of further values
	ShowShare bool          // write the share after each label

	above, below bool // something is out of scale
	shown        []int
}

// mostEntries bounds the entries of a legend; no screen holds more.
const mostEntries = 1000

// Collect fills Entries from a grid: every value in it, including rare and large ones, the most frequent first. Values
// that look like the background come last. label names a value; it is called once per entry.
func (l *Legend) Collect(g *Grid, p *Painter, label func(v float64) string) {
	found, total := g.seen()
	l.above, l.below = false, false
	for _, f := range found {
		at := p.Scale.At(f.value)
		l.above, l.below = l.above || at > 1, l.below || at < 0
	}
	background := func(v float64) int { // 0 is the only value that may look like the background
		if v == 0 {
			return blank(p.Cell(v))
		}
		return 0
	}
	slices.SortFunc(found, func(a, b tallied) int {
		if c := cmp.Compare(background(a.value), background(b.value)); c != 0 {
			return c
		}
		if c := cmp.Compare(g.share(b, total), g.share(a, total)); c != 0 {
			return c
		}
		return cmp.Compare(a.value, b.value)
	})
	l.Entries = l.Entries[:0]
	named := map[string]int{} // values with the same name share an entry
	listed := found[:min(len(found), mostEntries)]
	for _, f := range listed {
		e := LegendEntry{f.value, label(f.value), p.Cell(f.value), g.share(f, total)}
		if i, ok := named[e.Label]; ok {
			l.Entries[i].Share += e.Share
			continue
		}
		named[e.Label] = len(l.Entries)
		l.Entries = append(l.Entries, e)
	}
	l.More = len(found) - len(listed)
}

// blank returns 1 for a cell that looks like the background, else 0.
func blank(c Cell) int {
	if c.Rune == ' ' && !c.BG.IsSet() {
		return 1
	}
	return 0
}

// Draw writes entries into c: as many as fit, the most frequent ones, in the order of their values, so that they keep
// their positions while the view moves, followed by "+k more"; if there are enough lines, as a chart of their shares.
// It returns the number of entries.
func (l *Legend) Draw(c Canvas) int {
	if l.drawChart(c) {
		return len(l.Entries)
	}
	n := l.fitting(c.W, c.H)
	l.shown = l.shown[:0]
	for i := range n {
		l.shown = append(l.shown, i)
	}
	slices.SortFunc(l.shown, func(a, b int) int { return cmp.Compare(l.Entries[a].Value, l.Entries[b].Value) })
	x, y := 0, 0
	for _, i := range l.shown {
		e := &l.Entries[i]
		if w := l.width(e); x > 0 && x+w > c.W {
			x, y = 0, y+1
		}
		l.entry(c, x, y, e)
		x += l.width(e) + legendGap
	}
	if rest := len(l.Entries) + l.More - n; rest > 0 {
		more := moreText(rest)
		if x+len(more) > c.W && y+1 < c.H {
			x, y = 0, y+1
		}
		c.Text(x, y, more, l.style(l.Theme.Dim, 0))
	}
	return n
}

// Sizes of a chart of shares.
const (
	chartLines = 3  // minimum; with fewer lines the legend is a list
	chartBar   = 8  // minimum columns of a bar
	chartShare = 10 // columns of "< 0.01 %", with surrounding blanks
)

// drawChart writes each entry on a separate line, in as many columns of lines as necessary, the most frequent first,
// with a bar for its share. It reports whether all entries fit.
func (l *Legend) drawChart(c Canvas) bool {
	n := len(l.Entries)
	if !l.ShowShare || c.H < chartLines || n == 0 || l.More > 0 {
		return false
	}
	columns := (n + c.H - 1) / c.H
	lines := (n + columns - 1) / columns
	width, names := (c.W+legendGap)/columns-legendGap, 0
	for i := range l.Entries {
		names = max(names, TextWidth(l.Entries[i].Label))
	}
	bar := width - 3 - names - chartShare
	if bar < chartBar {
		return false
	}
	bySize := slices.Clone(l.Entries)
	slices.SortStableFunc(bySize, func(a, b LegendEntry) int { return cmp.Compare(b.Share, a.Share) })
	for i := range bySize {
		e := &bySize[i]
		x, y := i/lines*(width+legendGap), i%lines
		l.entry(c, x, y, &LegendEntry{Label: e.Label, Cell: e.Cell, Share: -1})
		if e.Share >= 0 {
			c.TextIn(x+3+names, y, chartShare-1, FormatPercent(e.Share), l.style(l.Theme.Dim, 0), true)
		}
		l.shareBar(c.Sub(x+width-bar, y, bar, 1), e)
	}
	return true
}

// shareBar draws a share of the width of c, in halves of a column if the terminal can show them.
func (l *Legend) shareBar(c Canvas, e *LegendEntry) {
	cell := l.swatch(e)
	halves := int(max(e.Share, 0)*float64(2*c.W) + 0.5)
	for x := range halves / 2 {
		c.Set(x, 0, cell)
	}
	if halves%2 == 1 && l.CanSplit() && cell.Rune == ' ' && cell.BG.IsSet() {
		c.Set(halves/2, 0, Cell{l.Glyphs.HalfLeft, Style{FG: cell.BG}})
	}
}

const (
	legendGap   = 2             // columns between entries
	legendShare = len("99.9 %") // columns of a share, so that entries keep their positions as the view moves
)

func moreText(k int) string { return "+" + FormatCount(int64(k)) + " more" }

// width returns the columns of an entry: swatch, blank, label, share.
func (l *Legend) width(e *LegendEntry) int {
	w := 3 + TextWidth(e.Label)
	if l.ShowShare && e.Share >= 0 {
		w += 1 + max(legendShare, len(FormatPercent(e.Share)))
	}
	return w
}

// fitting returns how many entries fit into w by h, with "+k more". Draw changes their order, so fitting goes through
// the same steps as Draw.
func (l *Legend) fitting(w, h int) int {
	n := 0
	for n < len(l.Entries) && l.fits(n+1, w, h) {
		n++
	}
	return n
}

func (l *Legend) fits(n, w, h int) bool {
	l.shown = l.shown[:0]
	for i := range n {
		l.shown = append(l.shown, i)
	}
	slices.SortFunc(l.shown, func(a, b int) int { return cmp.Compare(l.Entries[a].Value, l.Entries[b].Value) })
	x, y := 0, 0
	place := func(width int) bool {
		if x > 0 && x+width > w {
			x, y = 0, y+1
		}
		x += width + legendGap
		return y < h && x-legendGap <= w
	}
	for _, i := range l.shown {
		if !place(l.width(&l.Entries[i])) {
			return false
		}
	}
	rest := len(l.Entries) + l.More - n
	return rest == 0 || place(len(moreText(rest)))
}

func (l *Legend) entry(c Canvas, x, y int, e *LegendEntry) {
	swatch := l.swatch(e)
	c.Set(x, y, swatch)
	c.Set(x+1, y, swatch)
	x = c.Text(x+3, y, e.Label, l.style(l.Theme.Text, 0))
	if l.ShowShare && e.Share >= 0 {
		c.Text(x+1, y, FormatPercent(e.Share), l.style(l.Theme.Dim, 0))
	}
}

// swatch returns the look of an entry.
func (l *Legend) swatch(e *LegendEntry) Cell {
	if blank(e.Cell) == 1 {
		return Cell{l.Glyphs.Empty, l.style(l.Theme.Dim, 0)}
	}
	return e.Cell
}

// DrawGradient draws the semantic scale of a gradient into line 0 of c: the minimum, the colours in between, the
// maximum, and the looks of values out of scale, if Collect found any.
func (l *Legend) DrawGradient(c Canvas, p *Painter, unit string) {
	st := l.style(l.Theme.Text, 0)
	x := c.Text(0, 0, FormatValue(p.Scale.Min, unit), st) + 1
	high := FormatValue(p.Scale.Max, unit)
	w := min(24, c.W-x-1-TextWidth(high))
	for i := range max(w, 0) {
		at := 0.5
		if w > 1 {
			at = float64(i) / float64(w-1)
		}
		c.Set(x+i, 0, p.gradientAt(at))
	}
	x = c.Text(x+max(w, 0)+1, 0, high, st)
	for _, out := range [...]struct {
		found bool
		cell  Cell
		text  string
	}{{l.above, p.mark('^', p.Theme.Above), "above"}, {l.below, p.mark('_', p.Theme.Below), "below"}} {
		if !out.found || x+4+len(out.text) > c.W {
			continue
		}
		c.Set(x+2, 0, out.cell)
		x = c.Text(x+4, 0, out.text, l.style(l.Theme.Dim, 0))
	}
}
