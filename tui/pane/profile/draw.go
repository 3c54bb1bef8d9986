package profile

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/insight/profile"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/style"
)

// How the profile is drawn: sections side by side, each with a line per entry and a bar as long as its share.

// leastWidth is the minimum width for which a section is worth showing.
const leastWidth = 26

// Draw paints the profile.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	p.sc.Head(c.Sub(0, 0, c.W, 1))
	if p.sc.View == nil {
		return
	}
	if p.pages.At == pagePaths {
		switch body := c.Sub(0, 1, c.W, c.H-1); {
		case p.paths.err != nil:
			p.sc.DrawText(body.Sub(2, 0, body.W-4, body.H), p.paths.err.Error(), th.Warn)
		case p.paths.shown == nil:
			body.Text(2, 0, th.ASCII("reading call paths…"), th.Dim)
		default:
			p.drawPaths(body, c)
		}
		return
	}
	if p.shown != nil {
		c.Text(1, 1, th.Cut(th.ASCII(p.facts()), c.W-2), th.Text)
	}
	body := c.Sub(0, 2, c.W, c.H-2)
	switch {
	case p.err != nil:
		p.sc.DrawText(body.Sub(2, 0, body.W-4, body.H), p.err.Error(), th.Warn)
	case p.shown == nil:
		body.Text(2, 0, th.ASCII("computing…"), th.Dim)
	default:
		p.drawSections(body, c)
	}
}

// facts describes the subject of the profile, and the totals over all threads.
func (p *Pane) facts() string {
	a := p.shown
	tr := a.key.trace.Data
	text := raster.FormatDuration(a.End-a.Begin, tr.Unit) + fmt.Sprintf(" of %s · %s useful",
		raster.CountOf(len(a.Threads), "thread"), quantity.FormatPercent(a.Useful))
	if a.IPC > 0 {
		text += fmt.Sprintf(" · IPC %.3f", a.IPC)
	}
	if a.Rate > 0 {
		text += fmt.Sprintf(" · %.0f MIPS", a.Rate)
	}
	if _, e := p.chosen(); e != nil && e.Executions > 0 {
		text += " · " + e.Name + ": " + p.executions(e)
	}
	if p.Busy() {
		text += " · computing…"
	}
	return text
}

// executions reports how often an entry method was executed, how long it took each time, and what it sent.
func (p *Pane) executions(e *profile.Entry) string {
	text := raster.CountOf(int(e.Executions), "execution") + " of " +
		quantity.FormatSpan(e.Time.Float()/float64(e.Executions), p.shown.key.trace.Data.Unit)
	if e.Messages >= 0 {
		text += ", " + raster.CountOf(int(e.Messages), "message") + " sent"
	}
	return text
}

// shownSections returns the first section that is drawn, and their number: those around the chosen one if not all fit.
func (p *Pane) shownSections(width int) (first, n int) {
	all := len(p.shown.Sections)
	n = min(max(width/leastWidth, 1), all)
	return min(max(p.section-n+1, 0), all-n), n
}

func (p *Pane) drawSections(c, on raster.Canvas) {
	first, n := p.shownSections(c.W)
	if n == 0 {
		return
	}
	width := c.W / n
	p.lines = max(c.H-1, 1)
	for i := range n {
		p.drawSection(c.Sub(i*width, 0, width, c.H), first+i, on)
	}
}

func (p *Pane) drawSection(c raster.Canvas, i int, on raster.Canvas) {
	th, s := p.sc.Theme, &p.shown.Sections[i]
	st := th.Dim
	if i == p.section {
		if st = th.Bold; p.sc.Focused {
			st = th.Accent
		}
	}
	title := s.Title
	if n := len(s.List); n > p.lines {
		title += fmt.Sprintf(" (%d)", n)
	}
	c.Text(1, 0, th.Cut(title, c.W-2), st)
	body := c.Sub(1, 1, c.W-2, p.lines)
	if i == p.section {
		p.rows.Draw(p.sc.ListLook(on), body, func(c raster.Canvas, at int, st, _ raster.Style) {
			p.drawEntry(c, &s.List[at], st)
		})
		return
	}
	for y, at := range p.visible(i) {
		p.drawEntry(body.Sub(0, y, body.W, 1), &s.List[at], th.Text)
	}
}

func (p *Pane) drawEntry(line raster.Canvas, e *profile.Entry, st raster.Style) {
	th := p.sc.Theme
	paint := raster.Painter{Look: p.sc.Look, Palette: p.sc.View.Colors()}
	bar := raster.Style{FG: th.Accent.FG}
	if cell := paint.Cell(e.Value); e.Thread < 0 && cell.BG.IsSet() {
		bar.FG = cell.BG
	}
	x := drawBar(line.Sub(0, 0, barWidth(line.W), 1), e.Share, bar, th)
	x = line.Text(x+1, 0, fmt.Sprintf("%8s ", quantity.FormatPercent(e.Share)), st)
	name := cmp.Or(e.Short, e.Name)
	if e.Executions > 0 {
		if more := "  " + p.executions(e); raster.TextWidth(name+more) <= line.W-x {
			name += more
		}
	}
	name = th.Cut(name, line.W-x)
	if e.Thread >= 0 { // ranks differ at the end of their names
		name = style.Shorten(p.sc.View.Short(e.Name), line.W-x, th)
	}
	line.Text(x, 0, name, st)
}

// barWidth returns the width of the bars in a section: the columns that its numbers and a name of 20 columns leave.
func barWidth(width int) int { return min(max(width-30, 2), 16) }

// drawBar draws a share of a full bar, which fills c, and returns the column after it.
func drawBar(c raster.Canvas, share float64, st raster.Style, th *style.Theme) int {
	levels := th.Glyphs.Levels
	full := min(max(share, 0), 1) * float64(c.W)
	for x := range c.W {
		glyph := levels[len(levels)-1]
		if float64(x) >= full {
			break
		}
		if part := full - float64(x); part < 0.5 && th.Glyphs.HalfLeft != 0 {
			glyph = th.Glyphs.HalfLeft
		}
		c.Set(x, 0, raster.Cell{Rune: glyph, Style: raster.Style{FG: st.FG}})
	}
	return c.W
}

// visible lists the entries that fit of a section that is not chosen: the first ones, and for ranks the last ones too,
// which are as interesting.
func (p *Pane) visible(section int) []int {
	s := &p.shown.Sections[section]
	n, list := len(s.List), []int(nil)
	for at := range min(n, p.lines) {
		if n > p.lines && s.Title == profile.Ranks && at >= p.lines/2 {
			at += n - p.lines
		}
		list = append(list, at)
	}
	return list
}

// Click chooses an entry; a second click goes to its longest burst.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if p.pages.At == pagePaths {
		if _, same := p.paths.Click(x, y); same && again {
			return p.goToPath()
		}
		return nil
	}
	if p.shown == nil || y < 3 {
		return nil
	}
	first, n := p.shownSections(p.sc.Region.W)
	if n == 0 {
		return nil
	}
	i := min(first+x/max(p.sc.Region.W/n, 1), len(p.shown.Sections)-1)
	if i == p.section {
		if _, same := p.rows.Click(x, y); same && again {
			return p.goToLongest("")
		}
	} else if list := p.visible(i); y-3 < len(list) {
		p.choose(i, list[y-3])
	}
	return nil
}

// Wheel goes through the entries.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if p.pages.At == pagePaths {
		p.paths.Wheel(sign)
	} else {
		p.rows.By(sign)
	}
	return nil
}
