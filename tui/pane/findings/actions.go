package findings

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/tui/action"
	"pview/tui/list"
)

// The pane's actions and moves.

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return append([]action.Action{
		action.Action{Name: "findings", Group: Title,
			Doc: "show where the time of the run went, and what is wrong with it, ranked by the time that it " +
				"costs",
			NeedsView: true, Run: p.sc.Opener(p)}.With(
			in("dismiss", []string{"d", "delete"},
				"dismiss the finding: it is no longer listed, here and on the first screen", p.dismiss),
			in("all", []string{"D"}, "list the dismissed findings again", p.recall),
			in("again", []string{"r"}, "repeat a stopped diagnosis, or search for the critical path", func(string) tea.Cmd {
				t := p.sc.View.Trace
				if diagnosis, path := p.diagnoses.again(t), p.path.again(t); !diagnosis && !path {
					return p.sc.Refuse(errors.New("no diagnosis was stopped"))
				}
				return nil
			}),
		),
		in("evidence", []string{"enter", "n"}, "show the evidence in the timeline; again: the next", p.next(1)).With(
			in("previous", []string{"p"}, "show the previous evidence", p.next(-1)),
			in("back", []string{"backspace"}, "restore the window's previous view", p.back),
		),
		in("explain-wait", []string{"e"}, "explain the gap at the cursor: who caused it, by what, and its parts",
			p.explain),
		in("account", []string{"w"}, "show the account of the run as a waterfall; again: the findings",
			p.toggle(pageAccount)),
		in("classes", []string{"c"},
			"show the class table: the contribution of each region of code; again: the findings",
			p.toggle(pageClasses)).With(
			in("sort", []string{"x"}, "sort the class table by the next column", p.sortClasses(1)),
			in("sort-back", []string{"X"}, "sort the class table by the previous column", p.sortClasses(-1)),
		),
		{Name: "critical-path", Group: Title, Keys: []string{"alt+k"}, Args: "[TYPES]",
			Doc: "show where the time of the critical path goes, and the path in a separate window; event types name " +
				"blocks other than user functions", NeedsView: true, Run: p.openPath},
	}, p.stages.actions(in, p.toggle(pageTime))...)
}

// Moves go through the lines of a page, or the threads and stages, and from page to page.
func (p *Pane) Moves() list.Moves {
	moves := list.Moves{list.Leave: p.leave, list.Left: p.stages.in("pan left", p.stages.moveStage(-1)),
		list.Right: p.stages.in("pan right", p.stages.moveStage(1))}
	for verb, move := range list.Steps(10, p.stages.moveThread) {
		moves[verb] = func(args string) tea.Cmd {
			p.tour.Stop()
			if v := p.view(); v != nil {
				return v.Moves()[verb](args)
			}
			return move(args)
		}
	}
	for _, verb := range []list.Verb{list.Narrow, list.Copy} {
		moves[verb] = func(text string) tea.Cmd {
			v := p.view()
			if v == nil {
				return p.sc.Refuse(errors.New("the stages are not a list"))
			}
			return p.sc.ListMoves(p, &v.List)[verb](text)
		}
	}
	maps.Copy(moves, p.pages.Moves(p.turned))
	return moves
}

// turned follows a turn to another page.
func (p *Pane) turned(err error) tea.Cmd {
	if err == nil && p.pages.At != pageFindings && p.pages.At != pagePath && p.result() == nil {
		p.pages.At, err = pageFindings, errNoDiagnosis
	}
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.gap.Show(nil)
	p.tour.Stop()
	return nil
}

// openPath shows the critical path in the pane, and in a window.
func (p *Pane) openPath(args string) tea.Cmd {
	cmd := p.path.open(args)
	p.pages.At = pagePath
	p.turned(nil)
	p.sc.Show(p, true)
	return cmd
}

var errNoDiagnosis = errors.New("the run is not diagnosed yet")

// toggle shows a page, or the findings again. For the stages it shows their last page.
func (p *Pane) toggle(page int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		at, stages := p.pages.At, page == pageTime
		if p.sc.Open != p { // run by name
			at = pageFindings
			p.sc.Show(p, true)
		}
		switch {
		case stages && at >= pageTime:
			p.stages.last, p.stages.playing, p.pages.At = at, 0, pageFindings
		case at == page:
			p.pages.At = pageFindings
		case stages:
			p.pages.At = max(p.stages.last, pageTime)
		default:
			p.pages.At = page
		}
		p.classes.stop()
		p.stages.job.Stop()
		return p.turned(nil)
	}
}

// next shows another piece of evidence for the selection.
func (p *Pane) next(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if err := p.tour.Next(by, p.evidence()); err != nil {
			return p.sc.Refuse(err)
		}
		return nil
	}
}

// back restores the previous content of the window.
func (p *Pane) back(string) tea.Cmd {
	p.gap.Show(nil)
	if err := p.tour.Back(); err != nil {
		return p.sc.Refuse(err)
	}
	return nil
}

func (p *Pane) leave(string) tea.Cmd {
	v := p.view()
	switch {
	case v != nil && v.Needle() != "":
		v.Narrow("")
	case p.gap.Document() != nil:
		p.gap.Show(nil)
		p.tour.Stop()
	case p.path.stop():
	case p.stages.playing != 0:
		p.stages.playing = 0
	case p.pages.At >= pageTime:
		return p.toggle(pageTime)("")
	case p.pages.At != pageFindings && p.pages.At != pagePath:
		return p.toggle(p.pages.At)("")
	default:
		p.sc.StopOrLeave(p)
	}
	return nil
}

// explain describes the wait at the cursor and its cause.
func (p *Pane) explain(string) tea.Cmd {
	r, v := p.result(), p.sc.View
	if r == nil {
		return p.sc.Refuse(errNoDiagnosis)
	}
	t := v.Trace.Data
	if v.Sem.Level != prv.LevelThread || v.Rows(t) == 0 {
		return p.sc.Refuse(errors.New("waits are explained in windows of threads"))
	}
	ctx, thread, at := p.sc.Context, int32(v.Object(v.CursorRow)), v.Cursor
	return func() tea.Msg {
		d, err := answer.Explain(ctx, r, t, thread, at)
		if d == nil && err == nil {
			err = fmt.Errorf("%s does not wait at the cursor", t.ShortName(prv.LevelThread, int(thread)))
		}
		return gapMsg{r, d, err}
	}
}

// gapMsg explains a gap of a diagnosed run.
type gapMsg struct {
	of  *diagnose.Result
	doc *report.Document
	err error
}

// takeGap shows an explanation, unless another run has the focus, or this one was diagnosed again meanwhile.
func (p *Pane) takeGap(msg gapMsg) tea.Cmd {
	switch {
	case msg.of != p.result():
	case msg.err != nil:
		return p.sc.Refuse(msg.err)
	default:
		p.tour.Stop()
		p.gap.Show(msg.doc)
		p.sc.Show(p, p.sc.Focused)
	}
	return nil
}

func (p *Pane) dismiss(string) tea.Cmd {
	v, t := p.view(), p.sc.View.Trace
	if v == nil || v.Entry() == nil || v.Entry().Finding == nil {
		return p.sc.Refuse(errors.New("no finding is selected"))
	}
	f := v.Entry().Finding
	p.dismissed.set(t, append(slices.Clip(p.dismissed.by[t]), subjectOf(f)))
	p.tour.Stop()
	p.sc.Say(string(f.Rule) + " dismissed; " + p.sc.KeysOf("findings all") + " lists it again")
	return nil
}

func (p *Pane) recall(string) tea.Cmd {
	t := p.sc.View.Trace
	n := len(p.dismissed.by[t])
	if n == 0 {
		return p.sc.Refuse(errors.New("no finding is dismissed"))
	}
	p.dismissed.set(t, nil)
	p.sc.Say(quantity.CountOf(int64(n), "finding") + " listed again")
	return nil
}

// sortClasses sorts by the next or previous column.
func (p *Pane) sortClasses(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if p.pages.At != pageClasses || p.classes.job.What() != "" {
			return p.sc.Refuse(errors.New("findings are ranked by what they cost; " + p.sc.KeysOf("classes") +
				" shows the class table, which can be sorted"))
		}
		p.classes.sortBy(by)
		p.tour.Stop()
		return nil
	}
}

// Click selects the line or the stage under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, _ bool) tea.Cmd {
	v := p.view()
	if p.result() == nil && v != p.path.View {
		return nil
	}
	if v == nil {
		p.stages.click(x, y)
	} else if hit, same := v.Click(x, y); hit && !same {
		p.tour.Stop()
	}
	return nil
}

// Wheel goes through the lines.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if v := p.view(); v != nil {
		p.tour.Stop()
		v.Wheel(sign)
		return nil
	}
	return p.stages.moveThread(sign)
}

// Hints returns the keys of the page.
func (p *Pane) Hints() []action.Hint {
	switch at := p.pages.At; {
	case at >= pageTime && p.stages.grid == nil:
		return action.Hints([]action.Hint{{"page", "pages"}, {"leave", "findings"}},
			action.Without(otherHints, []action.Hint{{"narrow"}, {"stages"}}))
	case at >= pageTime:
		return action.Hints([]action.Hint{
			{"page", "pages"}, {"stages attribute", "attribute"}, {"move left, move right", "stage"},
			{"move up, move down", "thread"}, {"stages shorter, stages longer", "length"}, {"stages play", "play"},
			{"stages arrange", "arrangement"}, {"evidence", "show it"}, {"leave", "findings"},
		}, action.Without(otherHints, []action.Hint{{"narrow"}, {"stages"}}))
	case at == pageAccount:
		hints := []action.Hint{{"page", "pages"}, {"leave", "findings"}}
		if !p.waterfall {
			hints = slices.Insert(hints, 0, action.Hint{"move up, move down", "line"})
		}
		return action.Hints(hints, action.Without(otherHints, []action.Hint{{"account"}}))
	case at == pageClasses:
		return action.Hints([]action.Hint{
			{"move up, move down", "region"}, {"evidence", "show longest"}, {"evidence previous", "previous"},
			{"evidence back", "go back"}, {"classes sort", "sort"}, {"page", "pages"}, {"leave", "findings"},
		}, action.Without(otherHints, []action.Hint{{"classes"}}))
	case at == pagePath:
		return action.Hints([]action.Hint{
			{"move up, move down", "part"}, {"evidence", "show longest"}, {"evidence previous", "previous"},
			{"evidence back", "go back"}, {"critical-path", "window of it"}, {"page", "pages"}, {"leave", "back"},
		}, otherHints)
	}
	return action.Hints([]action.Hint{
		{"move up, move down", "finding"}, {"evidence", "show evidence"}, {"page", "pages"},
		{"explain-wait", "explain a wait"}, {"evidence previous", "previous"}, {"evidence back", "go back"},
		{"findings dismiss", "dismiss"}, {"narrow", "narrow"}, {"leave", "back"}, {"findings all", "list dismissed"},
	}, otherHints)
}

// otherHints are the actions of all pages, and those that lead to other pages.
var otherHints = []action.Hint{
	{"explain-wait", "explain a wait"}, {"narrow", "narrow"}, {"account", "account"}, {"classes", "class table"},
	{"critical-path", "critical path"}, {"stages", "stages"},
}
