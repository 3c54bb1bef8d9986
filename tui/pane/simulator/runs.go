package simulator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/raster"
	"pview/render/style"
	"pview/sim/scenario"
	"pview/tui/dialog"
)

// The history of runs: the user returns to them, names, marks, compares and drops them.

var errNoRun = errors.New("no simulations yet")

func runName(r *scenario.Run) string { return fmt.Sprintf("run %d", r.Number) }

// onRun makes an action on the run at the cursor, or the shown one.
func (p actions) onRun(do func(s *Simulation, r *scenario.Run) tea.Cmd) func(string) tea.Cmd {
	return p.inPane(func(s *Simulation) tea.Cmd {
		if r := s.Run(); r != nil {
			return do(s, r)
		}
		return p.sc.Refuse(errNoRun)
	})
}

func (p actions) openRuns(s *Simulation) tea.Cmd {
	if p.sc.Open != p.pane { // run by name
		p.sc.Show(p.pane, true)
	} else if s.form.page == pageRuns && s.sweep == nil {
		s.turnTo(pageMachine)
		return nil
	}
	s.turnTo(pageRuns)
	l := s.lay(max(p.sc.Width, 1))
	s.choose(slices.Index(l.run, s.history.Shown()))
	return nil
}

func (p actions) nameRun(args string) tea.Cmd {
	s := p.ready()
	if s == nil || s.Run() == nil {
		return p.sc.Refuse(errNoRun)
	}
	if args == "" {
		return p.sc.Ask("runs name")
	}
	s.Run().Name = strings.Trim(args, `" `)
	s.form.invalidate()
	return nil
}

func (p actions) mark(s *Simulation, r *scenario.Run) tea.Cmd {
	if s.history.Mark(r) {
		p.sc.Say(fmt.Sprintf("runs are compared with %s: %s", runName(r), r.Title()))
	} else {
		p.sc.Say("comparison of runs is off")
	}
	s.form.invalidate()
	return nil
}

func (p actions) dropRun(s *Simulation) tea.Cmd {
	r := s.Run()
	if s.form.page != pageRuns || r == nil {
		return p.sc.Refuse(errors.New("runs are dropped on their page: " + p.sc.KeysOf("runs")))
	}
	if err := s.history.Drop(r); err != nil {
		return p.sc.Refuse(err)
	}
	s.form.invalidate()
	return nil
}

// keep makes the prediction independent.
func (p actions) keep(s *Simulation) tea.Cmd {
	if s.predicted == nil {
		return p.sc.Refuse(errNoRun)
	}
	p.detach(s)
	p.sc.Say("predicted trace kept; the next run gets its own window")
	return nil
}

// compare shows a run beside the marked one; without a mark, beside the measured run.
func (p actions) compare(s *Simulation, r *scenario.Run) tea.Cmd {
	c := comparison{s: s, r: r, k: s.history.Marked()}
	title := fmt.Sprintf("Run %d", r.Number)
	if c.k == r {
		c.k = nil
	} else if c.k != nil {
		title += " against " + runName(c.k)
	}
	return p.sc.Dialogs.Open(&dialog.Pager{Title: title, Layout: c.lay})
}

// comparison compares the time of a run, by use, with that of another run.
type comparison struct {
	s    *Simulation
	r, k *scenario.Run // k: the other one, or nil

	th           *style.Theme
	width, names int
	lines        []style.Line
}

// lay writes the text in a width.
func (c comparison) lay(th *style.Theme, width int) []style.Line {
	c.th, c.width = th, width
	c.names = min(max(width-45, 22), 36) // leave room for two values and their difference
	for _, r := range []*scenario.Run{c.r, c.k} {
		if r != nil {
			c.text(runName(r) + ": " + r.Title())
		}
	}
	c.heading("What differs")
	c.changes()
	c.heading("Times")
	c.times()
	return c.lines
}

func (c *comparison) text(t string) {
	for _, part := range style.Wrap(t, c.width) {
		c.lines = append(c.lines, style.Line{{Text: part, Style: c.th.Popup}})
	}
}

func (c *comparison) heading(text string) {
	c.lines = append(c.lines, nil, style.Line{{Text: text, Style: c.th.PopupTitle}})
}

// add adds a line: a name, and values at its right.
func (c *comparison) add(name string, values ...style.Span) {
	line := style.Line{{Text: fmt.Sprintf("%-*s", c.names, c.th.Cut(name, c.names)), Style: c.th.PopupDim}}
	c.lines = append(c.lines, append(line, values...))
}

func right(text string, width int, st raster.Style) style.Span {
	return style.Span{Text: fmt.Sprintf("%*s", width, text), Style: st}
}

// changes lists the differences to the other run, or to the loaded machine.
func (c *comparison) changes() {
	from, name := c.r.Base, c.r.BaseName
	if c.k != nil {
		from, name = c.k.Scenario, runName(c.k)
	}
	list := scenario.Compare(from, c.r.Scenario, c.s.blockName())
	if list == nil {
		c.text("no differences to " + name)
		return
	}
	c.add("", right(runName(c.r), 16, c.th.PopupDim), right(c.th.Cut(name, 15), 16, c.th.PopupDim))
	for _, d := range list {
		c.add(d.What, right(d.After, 16, c.th.Popup), right(d.Before, 16, c.th.PopupDim))
	}
}

// row adds a line of figures: of the run, of the other one, and their difference.
func (c *comparison) row(name, a, b, by string) {
	values := []style.Span{right(a, 16, c.th.Popup)}
	if c.k != nil {
		values = append(values, right(b, 16, c.th.Popup), right(by, 12, c.th.PopupDim))
	}
	c.add(name, values...)
}

// figure adds a line with a figure of both runs.
func (c *comparison) figure(name string, of func(*scenario.Run) string) {
	b := ""
	if c.k != nil {
		b = of(c.k)
	}
	c.row(name, of(c.r), b, "")
}

func (c *comparison) times() {
	if c.k != nil {
		c.row("", runName(c.r), runName(c.k), "")
	}
	for i, t := range scenario.Times() {
		a, b := t.Of(c.r.Result), 0.0
		if c.k != nil {
			b = t.Of(c.k.Result)
		}
		by := ""
		if b > 0 {
			by = quantity.FormatChange(a/b - 1)
		}
		if a > 0 || b > 0 {
			c.row(t.Name, duration(int64(a)), duration(int64(b)), by)
		}
		if i > 0 {
			continue
		}
		c.figure("of measured", func(r *scenario.Run) string {
			return fmt.Sprintf("%.4f", float64(r.Result.Total)/max(c.s.baseline(), 1))
		})
		c.figure("computing", func(r *scenario.Run) string { return quantity.FormatPercent(r.Utilisation) })
	}
	c.figure("messages", func(r *scenario.Run) string { return raster.FormatCount(r.Result.Messages) })
}

// readProblem shows the whole problem, which the pane cuts to a few lines.
func (p actions) readProblem(string) tea.Cmd {
	s := p.current()
	if s == nil || s.err == nil && len(s.remarks()) == 0 {
		p.sc.Say("no problems with the simulation")
		return nil
	}
	return p.sc.Dialogs.Open(&dialog.Pager{Title: "About the simulation",
		Layout: func(th *style.Theme, width int) (lines []style.Line) {
			var texts []string
			if s.err != nil { // a deadlock has a part for each thread that waits
				texts = strings.Split(s.err.Error(), "; ")
			}
			for _, t := range append(texts, s.remarks()...) {
				for _, part := range style.Wrap(t, width) {
					lines = append(lines, style.Line{{Text: part, Style: th.Popup}})
				}
			}
			if s.replay != nil {
				table := document.TableText(s.replay.Table(), "", nil)
				for _, text := range append([]string{""}, strings.Split(strings.TrimRight(table, "\n"), "\n")...) {
					lines = append(lines, style.Line{{Text: th.ASCII(text), Style: th.Popup}})
				}
			}
			return lines
		}})
}

// remarks are doubts about the prediction, and parts of the trace that the program lacks.
func (s *Simulation) remarks() (list []string) {
	if why := s.doubt(); why != "" {
		list = append(list, why)
	}
	if s.program != nil {
		list = append(list, s.program.Remarks...)
	}
	if s.replay != nil {
		list = append(list, report.UpperFirst(s.replay.String()))
	}
	return list
}
