package frameworks

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/insight/frameworks/plots"
	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/render/picture"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/paths"
)

// The pane's actions and moves.

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	set := in("set", []string{"enter"}, "type the chosen parameter: the model follows immediately", p.edit)
	set.Args = "VALUE"
	save := in("plot", []string{"E"}, "write the curves to a file", p.savePlot)
	save.Args, save.Complete = "FILE", paths.Complete(picture.Endings()...)
	return []action.Action{
		action.Action{Name: "frameworks", Group: Title, Keys: []string{"alt+a"},
			Doc: "show the parallel structure of the run (master/worker, pipeline), and how many workers or " +
				"replicas it should have", NeedsView: true, Run: p.sc.Opener(p)}.With(
			set,
			in("simulate", []string{"v"}, "simulate the recommendation: confirmed, weak, refuted", p.verify),
			in("trace", []string{"o"}, "open the simulated run as a window below the measured one", p.openTrace),
			in("range", []string{"t"},
				"analyse the selection, or the time in view, instead of the whole run; again: the whole run",
				p.flipRange),
			in("task", []string{"g"}, "go to the master or to the slowest stage in the timeline", p.goTo),
			save,
			in("again", []string{"r"}, "read all parameters from the trace again", p.again),
		),
	}
}

// Moves go through the parameters, the plots and a page of text.
func (p *Pane) Moves() list.Moves {
	moves := list.Grid(screenful, func(columns, lines int) tea.Cmd {
		if p.recognised() {
			p.inputs.By(lines)
		} else {
			p.text.By(lines)
		}
		return p.turned(p.pages.Turn(columns, ""))
	})
	maps.Copy(moves, p.pages.Moves(p.turned))
	for v, lines := range map[list.Verb]int{list.PageUp: -screenful, list.PageDown: screenful} {
		moves[v] = list.Do(func() {
			if p.page() != nil {
				p.text.By(lines)
			} else {
				p.inputs.By(lines)
			}
		})
	}
	return moves
}

func (p *Pane) turned(err error) tea.Cmd {
	if err != nil {
		return p.sc.Refuse(err)
	}
	return nil
}

// PageNames returns the names of the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// screenful is the number of lines per page.
const screenful = 8

// edit asks for the value of the chosen parameter.
func (p *Pane) edit(args string) tea.Cmd {
	r, row := p.report(), p.inputs.Row()
	if r == nil || row < 0 || r.Refusal != "" {
		return p.sc.Refuse(errors.New("there is no parameter"))
	}
	v := r.Parameters[row]
	set := func(text string) tea.Cmd {
		p.Cancel()
		p.version++
		if err := r.Set(v.Symbol, text); err != nil {
			return p.sc.Refuse(fmt.Errorf("%s: %w", v.Name, err))
		}
		return nil
	}
	switch {
	case !r.Editable(v.Symbol):
		return p.sc.Refuse(fmt.Errorf("%s follows from the trace and cannot be typed", v.Name))
	case args != "":
		return set(args)
	}
	line := &dialog.Prompt{Label: v.Name + " is ", Accept: func(text string) tea.Cmd {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return set(text)
	}}
	line.Input.Set(p.inputs.Selected().Block.(*report.Table).Rows[row][answer.ValueColumn].(string))
	line.Input.Select()
	return p.sc.Dialogs.Open(line)
}

// again forgets the typed values.
func (p *Pane) again(string) tea.Cmd {
	if s, ok := p.subject(); ok && !p.Busy() {
		delete(p.known, s)
	}
	return nil
}

// flipRange switches between analysing a part of the run and all of it.
func (p *Pane) flipRange(string) tea.Cmd {
	p.ranged = !p.ranged
	if !p.ranged {
		p.sc.Say("the whole run")
		return nil
	}
	p.from, p.to = p.sc.Stretch()
	return nil
}

// openTrace puts the simulated run below the measured one.
func (p *Pane) openTrace(string) tea.Cmd {
	r := p.report()
	if r == nil || r.Verdict == nil || r.Verdict.Trace == nil {
		return p.sc.Refuse(fmt.Errorf("nothing is simulated yet: %s does it", p.sc.KeysOf("frameworks simulate")))
	}
	measured := p.sc.View
	t := timeline.NewTrace(p.sc.NewID(), r.Verdict.Trace)
	t.Name = "model of " + measured.Trace.Name
	if r.Farm != nil {
		t.Name = fmt.Sprintf("model with %d workers", r.Farm.Worth)
	}
	v := p.sc.NewView(t)
	p.sc.Do(pane.AddView{View: v})
	p.sc.Do(pane.OwnTime{View: v})
	end := p.sc.Whole(v)
	p.sc.Do(pane.Change{View: v, Do: func(s *timeline.Setup) { s.Begin, s.End = 0, end }})
	p.sc.Do(pane.FocusView{View: measured})
	return nil
}

// goTo puts the cursor on the master or on the slowest stage.
func (p *Pane) goTo(string) tea.Cmd {
	r, v := p.report(), p.sc.View
	if r == nil || r.Roles == nil {
		return p.sc.Refuse(errors.New("no structure was recognised"))
	}
	task := r.Roles.Master
	if r.Pipeline != nil {
		slow, _ := r.Pipeline.Model.Slowest(frameworks.Overlap)
		task = r.Roles.Stages[slow].Task
	}
	row := v.RowOfThread(v.Trace.Data.Tasks[task].FirstThread)
	if row < 0 {
		return p.sc.Refuse(fmt.Errorf("the window has no row for %s", v.Trace.Data.Name(prv.LevelTask, int(task))))
	}
	p.sc.Do(pane.GoTo{View: v, Time: v.Cursor, Row: row})
	return nil
}

// ptaskAt returns the application of a row.
func ptaskAt(v *timeline.View, row int) int {
	t := v.Trace.Data
	object := v.Object(row)
	switch v.Sem.Level {
	case prv.LevelThread:
		return int(t.Tasks[t.ThreadTask[object]].Ptask)
	case prv.LevelTask:
		return int(t.Tasks[object].Ptask)
	case prv.LevelPtask:
		return object
	}
	return 0
}

// savePlot writes the plots, one below the other.
func (p *Pane) savePlot(args string) tea.Cmd {
	r := p.report()
	var figures []*figure.Figure
	if r != nil {
		figures = plots.Figures(r)
	}
	if figures == nil {
		return p.sc.Refuse(errors.New("there are no curves to write"))
	}
	return p.sc.WriteFigures("frameworks plot", args, p.sc.View.Trace.Name, r.Kind,
		func() []*figure.Figure { return figures })
}

// Click chooses the parameter or a line of text under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if hit, same := p.inputs.Click(x, y); hit && same && again {
		return p.edit("")
	}
	p.text.Click(x, y)
	return nil
}

// Wheel goes through the text, else through the parameters.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if p.page() != nil {
		p.text.By(sign)
	} else {
		p.inputs.By(sign)
	}
	return nil
}

// Hints returns the keys of the pane.
func (p *Pane) Hints() []action.Hint {
	if !p.recognised() {
		return unrecognised
	}
	task := "go to master"
	if p.report().Pipeline != nil {
		task = "go to slowest stage"
	}
	return []action.Hint{
		{"move up, move down", "parameter"}, {"frameworks set", "set it"}, {"page", "pages"},
		{"frameworks simulate", "simulate it"}, {"frameworks trace", "open its run"},
		{"frameworks range", "selection"}, {"frameworks task", task}, {"leave", "back"},
		{"frameworks plot", "write curves"}, {"frameworks again", "read again"},
	}
}

// recognised reports whether there is a structure.
func (p *Pane) recognised() bool {
	r := p.report()
	return r != nil && r.Refusal == ""
}

// unrecognised are the actions that need no structure.
var unrecognised = []action.Hint{
	{"move up, move down", "line"}, {"frameworks range", "selection"}, {"leave", "back"},
	{"frameworks again", "read again"},
}
