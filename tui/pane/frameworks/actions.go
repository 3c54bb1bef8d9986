package frameworks

import (
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/frameworks"
	"pview/insight/frameworks/plots"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/render/picture"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/paths"
)

// What can be done with the pane.

// Actions are what can be done with the pane.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	set := in("framework-set", []string{"enter", "e"}, "type the chosen parameter: the model follows at once", p.edit)
	set.Args = "VALUE"
	save := in("framework-plot", []string{"w"}, "write the curves to a file", p.savePlot)
	save.Args, save.Complete = "FILE", paths.Complete(picture.Endings()...)
	return []action.Action{
		{Name: "frameworks", Group: Title, Keys: []string{"alt+a"},
			Doc: "show the parallel structure of the run (master/worker, pipeline), and how many workers or replicas it should have", NeedsView: true, Run: p.open},
		set,
		in("framework-simulate", []string{"s"}, "simulate the recommendation: confirmed, weak, refuted", p.verify),
		in("framework-trace", []string{"o"}, "open the simulated run as a window below the measured one", p.openTrace),
		in("framework-range", []string{"t"},
			"analyse the selection, or what the window shows, instead of the whole run; again: the whole run",
			p.flipRange),
		in("framework-task", []string{"g"}, "go to the master or to the bottleneck in the timeline", p.goTo),
		save,
		in("framework-again", []string{"r"}, "read all parameters from the trace again", p.again),
	}
}

// Moves go through the parameters, and the plots.
func (p *Pane) Moves() list.Moves {
	return list.Grid(8, func(columns, lines int) tea.Cmd {
		p.move(lines)
		p.page = (p.page + columns + len(pages)) % len(pages)
		return nil
	})
}

func (p *Pane) open(string) tea.Cmd {
	p.sc.Show(p, true)
	return nil
}

func (p *Pane) move(by int) {
	if r := p.report(); r != nil {
		p.row = max(0, min(p.row+by, len(r.Parameters)-1))
	}
}

// edit asks for the value of the chosen parameter.
func (p *Pane) edit(args string) tea.Cmd {
	r := p.report()
	if r == nil || p.row >= len(r.Parameters) {
		return p.sc.Refuse(errors.New("there is no parameter"))
	}
	v := r.Parameters[p.row]
	set := func(text string) tea.Cmd {
		if p.job != nil {
			p.Cancel()
		}
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
	line.Input.Set(valueText(&v))
	line.Input.Select()
	return p.sc.Dialogs.Open(line)
}

// again forgets what was typed.
func (p *Pane) again(string) tea.Cmd {
	if s, ok := p.subject(); ok && p.job == nil {
		delete(p.known, s)
	}
	return nil
}

// flipRange analyses a stretch of the run, or all of it.
func (p *Pane) flipRange(string) tea.Cmd {
	p.ranged = !p.ranged
	if !p.ranged {
		p.sc.Say("the whole run")
		return nil
	}
	p.from, p.to = p.sc.View.Begin, p.sc.View.End
	what := "what the window shows"
	if p.sc.Selected {
		p.from, p.to, what = p.sc.SelBegin, p.sc.SelEnd, "the selection"
	}
	p.sc.Say(what)
	return nil
}

// openTrace puts the simulated run below the measured one.
func (p *Pane) openTrace(string) tea.Cmd {
	r := p.report()
	if r == nil || r.Verdict == nil || r.Verdict.Trace == nil {
		return p.sc.Refuse(fmt.Errorf("nothing is simulated yet: %s does it", p.sc.KeysOf("framework-simulate")))
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

// ptaskAt is the application of a row.
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

// savedMsg is the end of writing a picture.
type savedMsg struct {
	path string
	err  error
}

// savePlot writes the plots, one below the other.
func (p *Pane) savePlot(args string) tea.Cmd {
	r := p.report()
	var figures []*figure.Figure
	if r != nil {
		figures = plots.Figures(r)
	}
	switch {
	case figures == nil:
		return p.sc.Refuse(errors.New("there are no curves to write"))
	case args == "":
		return p.sc.Ask("framework-plot")
	}
	path := paths.Typed(args)
	format, err := picture.FormatNamed(path)
	if err != nil {
		return p.sc.Refuse(err)
	}
	fig := &picture.Figure{Title: p.sc.View.Trace.Name, Subtitle: r.Kind, Dark: p.sc.Dark}
	for _, f := range figures {
		fig.Panels = append(fig.Panels, &picture.Chart{Figure: f})
	}
	return p.sc.Overwrite(func() tea.Cmd {
		return func() tea.Msg {
			return savedMsg{path, paths.Replace(path, func(w io.Writer) error { return fig.Write(w, format) })}
		}
	}, path)
}

// Click chooses the parameter, or the page, under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	d := &p.drawn
	if y == d.pagesAt {
		if i := style.TabAt(d.pages, x-d.left); i >= 0 {
			p.page = i
		}
		return nil
	}
	if l := d.list; x >= l.X && x < l.X+l.W && y >= l.Y && y < l.Y+l.H {
		row := p.top + y - l.Y
		if row == p.row && again {
			return p.edit("")
		}
		p.row = row
		p.move(0)
	}
	return nil
}

// Wheel goes through the parameters.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.move(sign)
	return nil
}

// Hints are the keys of the pane.
func (p *Pane) Hints() [][2]string {
	return [][2]string{{"↑↓", "parameter"}, {"Enter", "type it"}, {"←→", "plot"}, {"s", "simulate"},
		{"o", "open the simulated run"}, {"t", "range"}, {"g", "go there"}, {"Esc", "back"}}
}
