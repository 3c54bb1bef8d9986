package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/pane/efficiency"
	"pview/tui/windows"
)

// headline is the line below the title: how efficient the run is and where its time goes, computed in the background
// when a trace is opened; then, also in the background, the first findings of its diagnosis. Enter shows their evidence
// until the user does anything else; after that, another key does.
type headline struct {
	speaker speaker
	off     bool
	next    int  // sentence that is shown next
	touched bool // the user has pressed a key or clicked
}

// headlineActions show the evidence.
func (m *Model) headlineActions() []action.Action {
	return action.OfView(action.GroupShow, []action.Action{
		{Name: "headline", Keys: []string{"alt+h"}, Args: "[on|off]", Doc: "show the evidence of the headline: the " +
			"finding, or the thread and the factors; again: the next; headline off hides it",
			Run: func(args string) tea.Cmd {
				if args == "" {
					return m.showHeadline()
				}
				i, err := action.Choose([]string{"off", "on"}, 0, 0, args)
				if err != nil {
					return m.scene.Refuse(err)
				}
				m.headline.off = i == 0
				return nil
			}, Complete: func(string) []string { return []string{"on", "off"} }},
	})
}

// speaker is the pane that writes the headline.
type speaker interface {
	Sentences(t *timeline.Trace) []report.Line
	Settling(t *timeline.Trace) string
	ShowFinding(i int)
	ShowAccount()
}

// headlineHeight is the minimum height of the screen for a headline. It does not depend on a pane, so that nothing
// moves when one opens.
const headlineHeight = 20

// headlineLines returns the height of the headline.
func (m *screenModel) headlineLines() int {
	if m.headline.off || m.height < headlineHeight {
		return 0
	}
	return 1
}

// headlines returns the sentences about the trace in focus.
func (m *screenModel) headlines() []report.Line {
	if t := m.spokenOf(); t != nil {
		return m.headline.speaker.Sentences(t)
	}
	return nil
}

// spokenOf returns the subject of the headline: the trace in focus, or the run that its call stacks belong to.
func (m *screenModel) spokenOf() *timeline.Trace {
	w := m.Focused()
	if w == nil {
		return nil
	}
	return cmp.Or(w.Trace.StacksOf, w.Trace)
}

// offersHeadline reports whether Enter shows the evidence: the user has done nothing since the trace was opened.
func (m *screenModel) offersHeadline() bool {
	return !m.headline.touched && !m.panes.open && m.headlineLines() > 0 && len(m.headlines()) > 0
}

// showHeadline goes to the evidence of the first sentence, and of the next one each time.
func (m *Model) showHeadline() tea.Cmd {
	lines := m.screen().headlines()
	if of := m.MeasuredView(m.screen().spokenOf()); of != nil {
		m.FocusOn(of)
	}
	w := m.Focused()
	if len(lines) == 0 {
		if t := m.screen().spokenOf(); t.Summarises() || m.headline.speaker.Settling(t) != "" {
			m.scene.Say("the headline is still being computed")
		} else {
			m.scene.Say("no headline: the trace has no states")
		}
		return nil
	}
	if lines[0].Opens == report.Account { // the findings say what to do
		lines = append(lines[1:], lines[0])
	}
	line := lines[m.headline.next%len(lines)]
	m.headline.next++
	switch line.Opens {
	case report.Findings:
		m.stage()
		m.headline.speaker.ShowFinding(line.Finding)
		return m.carryOut()
	case report.Account:
		m.stage()
		m.headline.speaker.ShowAccount()
		return m.carryOut()
	}
	e := line.Evidence
	if len(e.Threads) > 0 {
		m.ShowRow(w, windows.Related(w.Trace.Data, prv.LevelThread, e.Threads[0], w.Sem.Level))
	}
	if e.Begin < e.End {
		m.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = e.Begin, e.End })
	}
	if line.Opens == report.Efficiency {
		m.panes.shown, m.panes.open, m.PaneFocus = m.panes.titled(efficiency.Title), true, false
	}
	m.scene.Say(line.Sentence)
	return nil
}

// drawHeadline writes the sentences.
func (m *screenModel) drawHeadline(c raster.Canvas) {
	t, th := m.spokenOf(), m.theme
	if c.H == 0 || t == nil {
		return
	}
	lines := slices.Clone(m.headlines())
	if len(lines) == 0 {
		m.drawUnsettled(c, t)
		return
	}
	hint := style.Line{{Text: m.scene.KeysOf("headline"), Style: th.Key}, {Text: " shows it", Style: th.Dim}}
	if m.offersHeadline() {
		hint[0].Text = "Enter"
	}
	width := 0
	for _, l := range lines {
		width += raster.TextWidth(th.ASCII(" · ") + l.Sentence)
	}
	if width > c.W-4-raster.TextWidth(hint.Plain()) { // the key alone
		hint = hint[:1]
	}
	end, x := c.W-1-raster.TextWidth(hint.Plain()), 1
	if t.Summarised != t.Revision { // the trace has grown since
		x = c.Text(x, 0, "first "+raster.FormatDuration(t.SummarisedTo, t.Data.Unit)+": ", th.Dim)
	}
	lines[0].Sentence = wording(lines, end-2-x, raster.TextWidth(th.ASCII(" · ")))
	for i, l := range lines {
		st, text := th.Text, l.Sentence
		if i > 0 {
			st, text = th.Dim, th.ASCII(" · ")+l.Sentence
			if x+raster.TextWidth(text) > end-2 {
				break
			}
		}
		x = c.Text(x, 0, th.Clause(text, end-2-x), st)
	}
	hint.Draw(c, end, 0)
}

// drawUnsettled draws the headline before there are sentences: what it waits for, and what is settled already.
func (m *screenModel) drawUnsettled(c raster.Canvas, t *timeline.Trace) {
	text, settling := "", m.headline.speaker.Settling(t)
	switch {
	case t.Until > 0 && m.loader.current != nil && m.loader.current.shown == t:
		text = "efficiency: when all is read"
		if may := t.Provisional(); may != "" {
			text += "; " + may
		}
	case t.Summarises():
		text = m.spin.View() + " efficiency: computing…"
	case settling != "":
		text = m.spin.View() + " " + settling
	}
	x, s := 1, t.Summary
	if settling != "" && s != nil && len(s.Factors) > 0 {
		x = c.Text(x, 0, quantity.FormatPercent(s.Factors[0].Value/100)+" efficient", m.theme.Text) + 2
	}
	c.Text(x, 0, m.theme.ASCII(text), m.theme.Dim)
}

// wording returns the first sentence: its longest form that leaves room for the second, else the longest that fits.
func wording(lines []report.Line, width, between int) string {
	forms := append([]string{lines[0].Sentence}, lines[0].Shorter...)
	second := 0
	if len(lines) > 1 {
		second = between + raster.TextWidth(lines[1].Sentence)
	}
	for _, more := range []int{second, 0} {
		for _, form := range forms {
			if raster.TextWidth(form)+more <= width {
				return form
			}
		}
	}
	return forms[len(forms)-1]
}

// Least factors, in percent, that are considered good and fair, as in the Efficiency pane.
const (
	goodFactor = 80
	fairFactor = 60
)

func factorStyle(th *style.Theme, value float64) raster.Style {
	switch {
	case value >= goodFactor:
		return th.Good
	case value >= fairFactor:
		return th.Warn
	}
	return th.Alarm
}

// drawTitleFactors writes the factors of the parallel efficiency into columns x to end of the title: all of them, or
// the first two, by name or abbreviated. It reports whether they fit. It omits those of a growing trace, which would be
// stale.
func (m *screenModel) drawTitleFactors(c raster.Canvas, x, end int) bool {
	t := m.spokenOf()
	if t == nil || t.Summary == nil || len(t.Summary.Factors) < 3 || m.follow.On(t) {
		return false
	}
	parts := t.Summary.Factors[1:]
	for _, try := range [...]struct {
		n     int
		short bool
	}{{len(parts), false}, {2, false}, {len(parts), true}, {2, true}} {
		var line style.Line
		width := 0
		for _, f := range parts[:try.n] {
			name := style.Span{Text: f.Short + " ", Style: m.theme.TitleDim}
			if try.short {
				name.Text = f.Abbr + " "
			}
			value := style.Span{Text: quantity.FormatPercent(f.Value / 100), Style: factorStyle(m.theme, f.Value)}
			if title := m.theme.Title; title.Attr&raster.Reverse != 0 { // where the colour would equal the background
				value.Style = raster.Style{Attr: title.Attr | raster.Bold}
			} else {
				value.Style.BG, value.Style.Attr = title.BG, value.Style.Attr|title.Attr
			}
			line = append(line, name, value, style.Span{Text: "  ", Style: m.theme.TitleDim})
			width += raster.TextWidth(name.Text+value.Text) + 2
		}
		if x+width-2 <= end {
			line[:len(line)-1].Draw(c, x, 0)
			return true
		}
	}
	return false
}
