package efficiency

import (
	"fmt"
	"math"

	"pview/insight/efficiency"
	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/raster"
	"pview/render/style"
)

// How the Efficiency pane is drawn: the heading; the factors, with a column for each run and a bar for the chosen one;
// an explanation of the chosen factor, and notes; beside it, if there is room, the useful time of each thread.

// Limits for good and fair factors. POP considers efficiencies above 80 % acceptable.
const (
	goodFactor = 80
	fairFactor = 60
)

// Widths of the parts.
const (
	threadsBeside = 118 // minimum width of the pane for threads beside the factors
	leastBar      = 8
	leastName     = 32
	mostBar       = 50
)

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	p.drawHead(c.Sub(0, 0, c.W, 1))
	p.frame = frame{}
	body := c.Sub(1, 1, c.W-2, c.H-1)
	if p.report == nil {
		p.drawNoRun(body)
		return
	}
	run := p.column()
	switch {
	case p.beside():
		left := max(c.W*3/5, threadsBeside-45)
		p.drawFactors(body.Sub(0, 0, left-2, body.H), run)
		for y := range body.H {
			body.Set(left, y, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
		}
		p.drawUseful(body.Sub(left+2, 0, body.W-left-2, body.H), p.report.Runs[run])
	case p.threads:
		p.drawUseful(body, p.report.Runs[run])
	default:
		p.drawFactors(body, run)
	}
}

// beside reports whether the threads are beside the factors.
func (p *Pane) beside() bool { return p.sc.Width >= threadsBeside }

// failed returns the number of runs whose measurement failed or was stopped.
func (p *Pane) failed() (n int) {
	for _, key := range p.keys {
		if p.found[key].err != nil {
			n++
		}
	}
	return n
}

// drawHead describes the compared runs, and the work in progress.
func (p *Pane) drawHead(c raster.Canvas) {
	th := p.sc.Theme
	x := p.sc.DrawTabs(c)
	st, dim := th.Head, th.HeadDim
	if p.sc.Focused {
		st, dim = th.Focus, th.FocusDim
	}
	end := c.W - 1
	if right := p.measuringText(); right != "" {
		right = th.Cut(right, max(end-x-2, 0))
		end -= raster.TextWidth(right)
		c.Text(end, 0, right, st)
		end -= 2
	}
	if p.report == nil {
		return
	}
	run := p.column()
	text := p.report.Runs[run].Name
	if len(p.report.Runs) > 1 {
		text += fmt.Sprintf(" · %s scaling from %s", p.report.Scaling, p.labels[0])
	}
	c.Text(x, 0, th.Cut(th.ASCII("   "+text), end-x), dim)
}

// measuringText reports the progress of the measurement, and failures.
func (p *Pane) measuringText() string {
	j := p.job
	if j == nil {
		if n := p.failed(); n > 0 {
			return fmt.Sprintf("%s not measured, %s retries", raster.CountOf(n, "run"),
				p.sc.KeysOf("efficiency again"))
		}
		return ""
	}
	text := p.runName(j.key)
	if stage := j.stage.Load(); stage != nil {
		text += ": " + *stage
	}
	if total := j.total.Load(); total > 0 {
		text += " " + quantity.FormatProgress(j.done.Load(), total)
	}
	return p.sc.Theme.ASCII(text + "…  Esc stops")
}

// drawNoRun explains why no run is shown yet.
func (p *Pane) drawNoRun(c raster.Canvas) {
	th := p.sc.Theme
	if p.job != nil {
		c.Text(1, 0, th.ASCII("measuring…"), th.Dim)
		return
	}
	y := 0
	for _, key := range p.keys {
		if t := p.traceByKey(key); t != nil && t.Until != 0 {
			c.Text(1, y, th.Cut("The trace is still being read and is measured once complete.", c.W-2), th.Dim)
			y++
		} else if err := p.found[key].err; err != nil {
			for _, line := range style.Wrap(p.runName(key)+": "+err.Error(), max(c.W-2, 10)) {
				c.Text(1, y, line, th.Warn)
				y++
			}
		}
	}
}

// drawFactors draws the factors and, below them, an explanation of the chosen one.
func (p *Pane) drawFactors(c raster.Canvas, run int) {
	th := p.sc.Theme
	lines := p.lines(th)
	p.at = max(0, min(p.at, len(lines)-1))
	about, notes := p.aboutFactor(lines[p.at].factor, run, c.W-1)
	several := len(p.report.Runs) > 1 || p.projection != nil
	head := 0
	if several {
		head = 1
	}
	below := min(len(about), 2)
	switch {
	case c.H < 6:
		below = 0
	case c.H >= 18:
		below = min(len(about)+1, max(c.H/3, c.H-head-len(lines)))
	}
	if below > 0 && below < len(about) && notes > 0 {
		if c.H >= 9 {
			below = max(below, 3)
		}
		text := raster.CountOf(notes, "note") + " on the run: a taller terminal or pview efficiency shows all"
		about = append(about[:below-1], style.Line{{Text: th.Cut(th.ASCII("▸ "+text), c.W-1), Style: th.Warn}})
	}
	room := max(c.H-head-below, 1)
	shown := min(room, len(lines))
	p.top = max(0, min(p.top, len(lines)-shown))
	if p.at < p.top {
		p.top = p.at
	} else if p.at >= p.top+shown {
		p.top = p.at - shown + 1
	}
	cols := p.factorColumns(lines, c.W, run)
	if several {
		p.drawRunNames(c, cols, run)
	}
	p.frame = frame{y: 1 + head, lines: shown, from: 1 + cols.name}
	for i := range p.report.Runs {
		p.frame.x = append(p.frame.x, 1+cols.name+(i+1)*cols.width)
	}
	for i := range shown {
		p.drawFactor(c.Sub(0, head+i, c.W, 1), lines[p.top+i], p.top+i, cols, run)
	}
	style.DrawScrollbar(c.Sub(0, head, c.W, shown), p.top, shown, len(lines), th)
	y := head + shown
	if y+len(about) < c.H {
		y++ // there is room for a blank line
	}
	for _, line := range about {
		if y < c.H {
			line.Draw(c, 0, y)
		}
		y++
	}
}

// factorColumns has the positions of the parts of a line.
type factorColumns struct {
	name  int // width of the names
	width int // of a run's column
	first int // the first run that is shown
	runs  int // number of runs shown
	sizes int // number of projected sizes shown
	bar   int // width of the bar; 0: none
	// texts are the cells of all runs, then of the projected sizes, by line; in each column the decimal points line up.
	texts [][]string
}

func (p *Pane) factorColumns(lines []factorLine, width, run int) (cols factorColumns) {
	column := func(value func(f *efficiency.Factor) float64) int {
		cells := make([]string, len(lines))
		for i, l := range lines {
			cells[i] = p.figure(l.factor, value(l.factor))
		}
		width := document.Align(cells) + 2
		cols.texts = append(cols.texts, cells)
		return width
	}
	for _, l := range lines {
		cols.name = max(cols.name, raster.TextWidth(l.lead+l.factor.Title)+1)
	}
	for i := range p.report.Runs {
		cols.width = max(cols.width, column(func(f *efficiency.Factor) float64 { return p.report.Value(f, i) }))
	}
	if p.projection != nil {
		for i := range p.projection.Processors {
			column(func(f *efficiency.Factor) float64 { return p.projection.Value(f, i) })
		}
	}
	for _, label := range p.labels {
		cols.width = max(cols.width, min(raster.TextWidth(label), 14)+2)
	}
	cols.name = min(cols.name, max(width-1-len(p.report.Runs)*cols.width, leastName))
	left := width - cols.name - 1
	cols.runs = max(min(len(p.report.Runs), left/cols.width), 1)
	cols.first = max(0, min(run-cols.runs/2, len(p.report.Runs)-cols.runs))
	left -= cols.runs * cols.width
	if p.projection != nil {
		cols.sizes = max(min(len(p.projection.Processors), left/cols.width), 0)
		left -= cols.sizes * cols.width
	}
	if left >= leastBar+2 {
		cols.bar = min(left-2, mostBar)
	}
	return cols
}

// drawRunNames writes the heads of the columns.
func (p *Pane) drawRunNames(c raster.Canvas, cols factorColumns, run int) {
	th := p.sc.Theme
	x := cols.name
	for i := range cols.runs {
		st := th.Dim
		if cols.first+i == run {
			st = th.Accent
		}
		c.TextIn(x+1, 0, cols.width-1, th.Cut(p.labels[cols.first+i], cols.width-1), st, true)
		x += cols.width
	}
	for i := range cols.sizes {
		c.TextIn(x, 0, cols.width, th.ASCII(fmt.Sprintf("→ %d", p.projection.Processors[i])), th.Dim, true)
		x += cols.width
	}
	if hidden := len(p.report.Runs) - cols.runs; hidden > 0 {
		c.Text(0, 0, th.Cut(fmt.Sprintf("runs %d to %d of %d", cols.first+1, cols.first+cols.runs, len(p.report.Runs)),
			cols.name-1), th.Dim)
	} else if cols.bar >= 20 {
		c.Text(x+2, 0, th.Cut(p.labels[run], cols.bar), th.Accent)
	}
}

// drawFactor draws line at: name, values, bar.
func (p *Pane) drawFactor(c raster.Canvas, l factorLine, at int, cols factorColumns, run int) {
	th, chosen := p.sc.Theme, at == p.at
	name := th.Text
	if l.lead == "" && l.factor.Unit == "%" {
		name = th.Bold
	}
	if chosen {
		name = th.PopupSel
		c.Sub(0, 0, cols.name+cols.runs*cols.width, 1).Fill(raster.Cell{Rune: ' ', Style: name})
	}
	lead := th.Dim
	lead.BG, lead.Attr = name.BG, lead.Attr|name.Attr&raster.Reverse
	x := c.Text(0, 0, l.lead, lead)
	c.Text(x, 0, th.Cut(l.factor.Title, cols.name-1-x), name)
	x = cols.name
	put := func(v float64, column int, faint bool) {
		st := p.grade(l.factor, v)
		if faint {
			st.Attr |= raster.Faint
		}
		if chosen && !faint {
			st.BG, st.Attr = name.BG, st.Attr|name.Attr
		}
		c.TextIn(x, 0, cols.width, cols.texts[column][at], st, true)
		x += cols.width
	}
	for i := range cols.runs {
		put(p.report.Value(l.factor, cols.first+i), cols.first+i, false)
	}
	for i := range cols.sizes {
		put(p.projection.Value(l.factor, i), len(p.report.Runs)+i, true)
	}
	if v := p.report.Value(l.factor, run); l.factor.Unit == "%" && v == v && cols.bar > 0 {
		p.drawShare(c.Sub(x+2, 0, cols.bar, 1), v/100, goodFactor/100., p.grade(l.factor, v))
	}
}

// grade returns the style of a factor's value: good, fair or poor.
func (p *Pane) grade(f *efficiency.Factor, v float64) raster.Style {
	th := p.sc.Theme
	switch {
	case v != v:
		return th.Dim
	case f.Unit != "%":
		return th.Text
	case v >= goodFactor:
		return th.Good
	case v >= fairFactor:
		return th.Warn
	}
	return th.Alarm
}

// figure writes a value; without colour it has a mark if it is fair (!) or poor (!!).
func (p *Pane) figure(f *efficiency.Factor, v float64) string {
	text := f.FormatShort(v)
	if p.sc.Look.Profile == raster.Mono && f.Unit == "%" && v < goodFactor {
		mark := "! "
		if v < fairFactor {
			mark = "!! "
		}
		text = mark + text
	}
	return text
}

// drawShare draws a bar of a share of the full width, over a line that has a tick.
func (p *Pane) drawShare(c raster.Canvas, share, tick float64, st raster.Style) {
	full, half, track, mark := '━', '╸', '─', '┼'
	if p.sc.ASCII {
		full, half, track, mark = '=', '=', '.', '|'
	}
	halves := int(math.Round(min(max(share, 0), 1) * float64(2*c.W)))
	at := min(int(tick*float64(c.W)), c.W-1)
	line := raster.Style{FG: p.sc.Theme.Border.FG, Attr: p.sc.Theme.Border.Attr}
	bar := raster.Style{FG: st.FG, Attr: st.Attr &^ raster.Bold}
	for x := range c.W {
		cell := raster.Cell{Rune: track, Style: line}
		switch {
		case 2*x+1 < halves:
			cell = raster.Cell{Rune: full, Style: bar}
		case 2*x < halves:
			cell = raster.Cell{Rune: half, Style: bar}
		case x == at:
			cell.Rune = mark
		}
		c.Set(x, 0, cell)
	}
}

// aboutFactor explains a factor in lines of a width, with notes on the run, and returns their number too.
func (p *Pane) aboutFactor(f *efficiency.Factor, at, width int) (lines []style.Line, notes int) {
	th := p.sc.Theme
	about := p.report.About(f, at, p.projection)
	for i, passage := range about {
		text, st := passage.Text, th.Text
		switch passage.Tone {
		case report.Warning:
			text, st = "▸ "+text, th.Warn
			notes++
		case report.Strong:
			st = th.Accent
		}
		for _, line := range style.Wrap(th.ASCII(text), max(width, 10)) {
			lines = append(lines, style.Line{{Text: line, Style: st}})
		}
		if passage.Tone == report.Plain && (i+1 == len(about) || about[i+1].Tone == report.Warning) {
			lines = append(lines, nil) // the explanation, then the notes
		}
	}
	return lines, notes
}
