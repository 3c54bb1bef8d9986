package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/tui/raster"
	"pview/tui/style"
)

// How the Efficiency pane is drawn: the heading; the factors, with a column for each run and a bar for the chosen one;
// what the chosen factor means, and notes; beside it, where there is room, the useful time of each thread.

// Limits from which on a factor is good, or fair. POP takes efficiencies above 80 % for acceptable.
const (
	goodFactor = 80
	fairFactor = 60
)

// Widths of the parts.
const (
	threadsBeside = 118 // of the pane from which on the threads stand beside the factors
	leastBar      = 8
	leastName     = 32
	mostBar       = 50
)

func (m *Model) drawEfficiency(c raster.Canvas) {
	e, th := &m.efficiency, m.theme
	m.drawEfficiencyHead(c.Sub(0, 0, c.W, 1))
	e.frame = efficiencyFrame{}
	body := c.Sub(1, 1, c.W-2, c.H-1)
	if e.report == nil {
		m.drawNoRun(body)
		return
	}
	run := m.efficiencyColumn()
	switch {
	case c.W >= threadsBeside:
		left := max(c.W*3/5, threadsBeside-45)
		m.drawFactors(body.Sub(0, 0, left-2, body.H), run)
		for y := range body.H {
			body.Set(left, y, raster.Cell{Rune: th.Glyphs.Vertical, Style: raster.Style{FG: th.Border.FG}})
		}
		m.drawUseful(body.Sub(left+2, 0, body.W-left-2, body.H), e.report.Runs[run])
	case e.threads:
		m.drawUseful(body, e.report.Runs[run])
	default:
		m.drawFactors(body, run)
	}
}

// drawEfficiencyHead says what is compared, and what is going on.
func (m *Model) drawEfficiencyHead(c raster.Canvas) {
	e, th := &m.efficiency, m.theme
	x := m.drawTabs(c)
	st, dim := th.Head, th.HeadDim
	if m.paneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	end := c.W - 1
	if right := m.measuringText(); right != "" {
		right = th.Cut(right, max(end-x-2, 0))
		end -= raster.TextWidth(right)
		c.Text(end, 0, right, st)
		end -= 2
	}
	if e.report == nil {
		return
	}
	run := m.efficiencyColumn()
	text := e.report.Runs[run].Name
	if len(e.report.Runs) > 1 {
		text += fmt.Sprintf(" · %s scaling from %s", e.report.Scaling, e.labels[0])
	}
	c.Text(x, 0, th.Cut(th.ASCII("   "+text), end-x), dim)
}

// measuringText says how far the measuring is, and what failed.
func (m *Model) measuringText() string {
	e := &m.efficiency
	j := e.job
	if j == nil {
		stopped := 0
		for _, key := range e.keys {
			if e.found[key].err != nil {
				stopped++
			}
		}
		if stopped > 0 {
			return fmt.Sprintf("%s not measured, r tries again", raster.CountOf(stopped, "run"))
		}
		return ""
	}
	text := m.runName(j.key)
	if stage := j.stage.Load(); stage != nil {
		text += ": " + *stage
	}
	if total := j.total.Load(); total > 0 {
		text += fmt.Sprintf(" %d%%", 100*j.done.Load()/total)
	}
	return m.theme.ASCII(text + "…  Esc stops")
}

// drawNoRun says why there is nothing yet.
func (m *Model) drawNoRun(c raster.Canvas) {
	e, th := &m.efficiency, m.theme
	if e.job != nil {
		c.Text(1, 0, th.ASCII("measuring…"), th.Dim)
		return
	}
	y := 0
	for _, key := range e.keys {
		if t := m.traceByKey(key); t != nil && t.Until != 0 {
			c.Text(1, y, th.Cut("The trace is still being read: it is measured when all of it is there.", c.W-2), th.Dim)
			y++
		} else if err := e.found[key].err; err != nil {
			for _, line := range style.Wrap(m.runName(key)+": "+err.Error(), max(c.W-2, 10)) {
				c.Text(1, y, line, th.Warn)
				y++
			}
		}
	}
}

// drawFactors draws the factors and, below them, what the chosen one means.
func (m *Model) drawFactors(c raster.Canvas, run int) {
	e, th := &m.efficiency, m.theme
	lines := e.lines(th)
	e.at = max(0, min(e.at, len(lines)-1))
	about := m.aboutFactor(lines[e.at].factor, run, c.W-1)
	several := len(e.report.Runs) > 1 || e.projection != nil
	head := 0
	if several {
		head = 1
	}
	below := min(len(about), 2)
	switch {
	case c.H < 6:
		below = 0
	case c.H >= 18:
		below = min(len(about)+1, c.H/3)
	}
	room := max(c.H-head-below, 1)
	shown := min(room, len(lines))
	e.top = max(0, min(e.top, len(lines)-shown))
	if e.at < e.top {
		e.top = e.at
	} else if e.at >= e.top+shown {
		e.top = e.at - shown + 1
	}
	cols := m.factorColumns(lines, c.W, run)
	if several {
		m.drawRunNames(c, cols, run)
	}
	e.frame = efficiencyFrame{y: 1 + head, lines: shown, from: 1 + cols.name}
	for i := range e.report.Runs {
		e.frame.x = append(e.frame.x, 1+cols.name+(i+1)*cols.width)
	}
	for i := range shown {
		m.drawFactor(c.Sub(0, head+i, c.W, 1), lines[e.top+i], e.top+i == e.at, cols, run)
	}
	style.DrawScrollbar(c.Sub(0, head, c.W, shown), e.top, shown, len(lines), th)
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

// factorColumns says where the parts of a line stand.
type factorColumns struct {
	name  int // width of the names
	width int // of a run's column
	first int // the first run that is shown
	runs  int // how many are
	sizes int // projected ones that are shown
	bar   int // width of the bar; 0: none
}

func (m *Model) factorColumns(lines []efficiencyLine, width, run int) (cols factorColumns) {
	e := &m.efficiency
	for _, l := range lines {
		cols.name = max(cols.name, raster.TextWidth(l.lead+l.factor.Title)+1)
		for i := range e.report.Runs {
			cols.width = max(cols.width, raster.TextWidth(m.figure(l.factor, e.report.Value(l.factor, i)))+2)
		}
	}
	for _, label := range e.labels {
		cols.width = max(cols.width, min(raster.TextWidth(label), 14)+2)
	}
	cols.name = min(cols.name, max(width-1-len(e.report.Runs)*cols.width, leastName))
	left := width - cols.name - 1
	cols.runs = max(min(len(e.report.Runs), left/cols.width), 1)
	cols.first = max(0, min(run-cols.runs/2, len(e.report.Runs)-cols.runs))
	left -= cols.runs * cols.width
	if e.projection != nil {
		cols.sizes = max(min(len(e.projection.Processors), left/cols.width), 0)
		left -= cols.sizes * cols.width
	}
	if left >= leastBar+2 {
		cols.bar = min(left-2, mostBar)
	}
	return cols
}

// drawRunNames writes the heads of the columns.
func (m *Model) drawRunNames(c raster.Canvas, cols factorColumns, run int) {
	e, th := &m.efficiency, m.theme
	x := cols.name
	for i := range cols.runs {
		st := th.Dim
		if cols.first+i == run {
			st = th.Accent
		}
		c.TextIn(x+1, 0, cols.width-1, th.Cut(e.labels[cols.first+i], cols.width-1), st, true)
		x += cols.width
	}
	for i := range cols.sizes {
		c.TextIn(x, 0, cols.width, th.ASCII(fmt.Sprintf("→ %d", e.projection.Processors[i])), th.Dim, true)
		x += cols.width
	}
	if hidden := len(e.report.Runs) - cols.runs; hidden > 0 {
		c.Text(0, 0, th.Cut(fmt.Sprintf("runs %d to %d of %d", cols.first+1, cols.first+cols.runs, len(e.report.Runs)), cols.name-1), th.Dim)
	} else if cols.bar >= 20 {
		c.Text(x+2, 0, th.Cut(e.labels[run], cols.bar), th.Accent)
	}
}

// drawFactor draws one line: name, values, bar.
func (m *Model) drawFactor(c raster.Canvas, l efficiencyLine, chosen bool, cols factorColumns, run int) {
	e, th := &m.efficiency, m.theme
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
	put := func(v float64, faint bool) {
		st := m.grade(l.factor, v)
		if faint {
			st.Attr |= raster.Faint
		}
		if chosen && !faint {
			st.BG, st.Attr = name.BG, st.Attr|name.Attr
		}
		c.TextIn(x, 0, cols.width, m.figure(l.factor, v), st, true)
		x += cols.width
	}
	for i := range cols.runs {
		put(e.report.Value(l.factor, cols.first+i), false)
	}
	for i := range cols.sizes {
		put(e.projection.Value(l.factor, i), true)
	}
	if v := e.report.Value(l.factor, run); l.factor.Unit == "%" && v == v && cols.bar > 0 {
		m.drawShare(c.Sub(x+2, 0, cols.bar, 1), v/100, goodFactor/100., m.grade(l.factor, v))
	}
}

// grade is the style of a factor's value: good, fair or poor.
func (m *Model) grade(f *efficiency.Factor, v float64) raster.Style {
	th := m.theme
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

// figure writes a value; without colour it bears a mark where it is fair (!) or poor (!!).
func (m *Model) figure(f *efficiency.Factor, v float64) string {
	switch {
	case v != v:
		return "-"
	case f.Unit == "us":
		return raster.FormatDuration(int64(math.Round(v*1000)), prv.Nanoseconds)
	case f.Decimals == 0:
		return raster.FormatShort(v)
	case f.Unit != "%":
		return strings.TrimSpace(fmt.Sprintf("%.3f %s", v, f.Unit))
	}
	text := fmt.Sprintf("%.2f %%", v)
	if m.profile == raster.Mono && v < goodFactor {
		mark := "! "
		if v < fairFactor {
			mark = "!! "
		}
		text = mark + text
	}
	return text
}

// drawShare draws a bar of a share of the whole width, over a line that has a tick.
func (m *Model) drawShare(c raster.Canvas, share, tick float64, st raster.Style) {
	full, half, track, mark := '━', '╸', '─', '┼'
	if m.ascii {
		full, half, track, mark = '=', '=', '.', '|'
	}
	halves := int(math.Round(min(max(share, 0), 1) * float64(2*c.W)))
	at := min(int(tick*float64(c.W)), c.W-1)
	line := raster.Style{FG: m.theme.Border.FG, Attr: m.theme.Border.Attr}
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

// aboutFactor says what a factor means, and notes on the run, in lines. Of a factor without a value it says first why.
func (m *Model) aboutFactor(f *efficiency.Factor, at, width int) (lines []style.Line) {
	e, th := &m.efficiency, m.theme
	run := e.report.Runs[at]
	add := func(text string, st raster.Style) {
		for _, line := range style.Wrap(th.ASCII(text), max(width, 10)) {
			lines = append(lines, style.Line{{Text: line, Style: st}})
		}
	}
	notes := func() {
		for _, note := range slices.Concat(run.Notes, e.report.Notes) {
			add("▸ "+note, th.Warn)
		}
	}
	v := e.report.Value(f, at)
	switch {
	case v != v && f.Simulated && run.NotSimulated != "":
		add("▸ not simulated: "+run.NotSimulated, th.Warn)
	case v != v:
		notes()
	}
	add(f.Title+" = "+f.FormulaOf(run.Hybrid), th.Accent)
	if e.projection != nil {
		for i := range e.projection.Fits {
			if fit := &e.projection.Fits[i]; fit.Factor == f {
				add(fmt.Sprintf("projected by %s: %s at p processes, x0 = %.2f %%, f = %.4f; residual %.2f points over %s", fit.Model.Name, fit.Model.Formula,
					fit.X0, fit.F, fit.Residual, raster.CountOf(fit.Points, "run")), th.Text)
			}
		}
	}
	add(f.Doc, th.Text)
	lines = append(lines, nil)
	if v == v || f.Simulated {
		notes()
	}
	return lines
}

// drawUseful draws the useful time of each thread, as shares of the run; where there are more threads than lines, the
// mean of several.
func (m *Model) drawUseful(c raster.Canvas, run *efficiency.Run) {
	th := m.theme
	what := "process"
	if run.Threads > run.Processes && run.Threads <= c.H-2 {
		what = "thread"
	}
	runtime := float64(run.Runtime)
	if c.H < 3 || runtime == 0 || len(run.Useful) == 0 {
		return
	}
	title := style.Line{{Text: "Useful time per " + what, Style: th.Bold}, {Text: th.ASCII("  " + run.Name + " · of " + raster.FormatDuration(run.Runtime, prv.Nanoseconds)), Style: th.Dim}}
	title.Draw(c, 0, 0)
	sum := fmt.Sprintf("mean %s, most %s", raster.FormatPercent(run.UsefulAverage()/runtime), raster.FormatPercent(run.UsefulMax()/runtime))
	c.Text(0, 1, th.ASCII(th.Cut(sum+"; the tick is the mean", c.W)), th.Dim)
	body := c.Sub(0, 2, c.W, c.H-2)
	groups := usefulGroups(run, body.H)
	names := 0
	for _, g := range groups {
		names = max(names, raster.TextWidth(g.name))
	}
	const value = 8
	for y, g := range groups {
		mean := 0.0
		for _, ns := range run.Useful[g.from:g.to] {
			mean += float64(ns) / float64(g.to-g.from)
		}
		share := mean / runtime
		body.TextIn(0, y, names, g.name, th.Dim, true)
		body.TextIn(names, y, value, raster.FormatPercent(share), th.Text, true)
		if bar := body.W - names - value - 2; bar >= leastBar {
			m.drawShare(body.Sub(names+value+1, y, bar, 1), share, run.UsefulAverage()/runtime, th.Accent)
		}
	}
}

// usefulGroup is threads that share a line.
type usefulGroup struct {
	from, to int // in Run.Useful
	name     string
}

// usefulGroups parts the threads of a run into at most so many lines: one for each thread where there is room, else
// for each process, else for several of them.
func usefulGroups(run *efficiency.Run, lines int) (groups []usefulGroup) {
	for p, from := range run.First {
		to := run.Threads
		if p+1 < len(run.First) {
			to = run.First[p+1]
		}
		if run.Threads > lines || run.Threads == run.Processes {
			groups = append(groups, usefulGroup{from, to, fmt.Sprint(p + 1)})
			continue
		}
		for i := from; i < to; i++ {
			groups = append(groups, usefulGroup{i, i + 1, fmt.Sprintf("%d.%d", p+1, i-from+1)})
		}
	}
	if len(groups) <= lines {
		return groups
	}
	var merged []usefulGroup
	for step, i := (len(groups)+lines-1)/lines, 0; i < len(groups); i += step {
		last := groups[min(i+step, len(groups))-1]
		g := usefulGroup{groups[i].from, last.to, groups[i].name}
		if last.name != g.name {
			g.name += ".." + last.name
		}
		merged = append(merged, g)
	}
	return merged
}
