package study

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv/quantity"
	"pview/render/picture"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/paths"
)

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	with := func(a action.Action, args string, complete func(string) []string) action.Action {
		a.Args, a.Complete = args, complete
		return a
	}
	open := in("study", []string{"alt+m"}, "random parameters: simulate many runs, see how the result scatters",
		p.sc.Opener(p))
	open.InPane = false
	return []action.Action{open.With(
		with(in("variable", []string{"+"},
			"make a parameter random: study variable latency=uniform(1us,30us)", p.variable), "NAME=DENSITY",
			completeVariables),
		in("edit", []string{"enter"},
			"setup: change the line; else simulate the chosen run again and open it under the measured one", p.enter),
		in("remove", []string{"delete", "backspace", "d"}, "remove the variable at the cursor",
			p.onStudy(p.remove)),
		in("run", []string{"r"}, "start or resume the study", p.onStudy(p.start)),
		in("pause", []string{"space"}, "pause the study; again: resume it", p.onStudy(p.pause)),
		in("kill", []string{"c"}, "kill the chosen run, if it is running", p.onLive(p.kill)),
		in("hold", []string{"z"}, "suspend the chosen run, if it is running; again: resume it", p.onLive(p.hold)),
		in("restart", []string{"R"}, "repeat the chosen run, if it failed or was killed", p.onTable(p.restart)),
		in("map", []string{"M"},
			"rank mappings of tasks to nodes, found by rule and by simulated annealing",
			p.onStudy(p.mapTasks)),
		in("machine", []string{"m"}, "study the Simulator's current machine", p.onStudy(p.takeMachine)),
		with(in("y", []string{"v"}, "show the next column on the y axis", p.column(func(s *session) *int {
			return &s.y
		}, 1)), "[COLUMN]", p.columnNames),
		in("y-back", []string{"V"}, "show the previous column on the y axis", p.column(func(s *session) *int {
			return &s.y
		}, -1)),
		with(in("x", []string{"x"}, "scatter: show the next column on the x axis",
			p.column(func(s *session) *int { return &s.x }, 1)), "[COLUMN]", p.columnNames),
		in("x-back", []string{"X"}, "scatter: show the previous column on the x axis",
			p.column(func(s *session) *int { return &s.x }, -1)),
		in("sort", []string{"o"},
			"sort the runs by the column at the cursor, or by y; again: descending, by number", p.onTable(p.sortRuns)),
		in("best", []string{"<"}, "choose the run with the least y", p.onTable(p.extreme(false))),
		in("worst", []string{">"}, "choose the run with the greatest y", p.onTable(p.extreme(true))),
		with(in("limit", []string{"t"}, "set a limit of y, and show the probability of exceeding it; no: none",
			p.setLimit), "VALUE", nil),
		with(in("save", []string{"w"}, "write the table of the runs (.csv, .tsv)", p.save), "FILE",
			paths.Complete(".csv", ".tsv")),
		with(in("plot", []string{"E"}, "write the plots as a picture (.svg, .png, .pdf, .html)", p.savePlot),
			"FILE", paths.Complete(picture.Endings()...)),
	)}
}

// PageNames returns the names of the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// Moves go through the pages, and through their contents.
func (p *Pane) Moves() list.Moves {
	moves := p.pages.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		p.opened = false
		return nil
	})
	maps.Copy(moves, list.Grid(10, func(columns, lines int) tea.Cmd {
		return p.onStudy(func(s *session) tea.Cmd { return p.move(s, columns, lines) })("")
	}))
	return moves
}

// Hints returns the keys of the page, then those for all pages.
func (p *Pane) Hints() []action.Hint {
	choose := action.Hint{"move left, move right, move up, move down", "choose"}
	bests := action.Hint{"study best, study worst", "best, worst"}
	if s := p.current(); s != nil && s.asked && s.program == nil {
		if _, _, err := p.sc.Simulation(s.measured); err != nil {
			return []action.Hint{{"page", "pages"}, {"leave", "back"}}
		}
	}
	var own []action.Hint
	switch p.pages.At {
	case pageSetup:
		own = []action.Hint{
			{"study variable", "variable"}, {"study run", "run"}, {"page", "pages"}, {"study edit", "change"},
			{"study remove", "remove"}, {"study pause", "pause"}, {"study machine", "this machine"},
			{"study map", "mappings"}, {"leave", "back"},
		}
	case pageRuns:
		own = []action.Hint{
			{"study edit", "open the run"}, {"page", "pages"}, {"study sort", "sort"}, bests, {"study y", "y axis"},
			{"study save", "write table"}, {"study kill", "kill"}, {"study hold", "suspend"},
			{"study restart", "run again"}, {"leave", "back"},
		}
	case pageHistogram:
		own = []action.Hint{
			{"move left, move right", "limit"}, {"page", "pages"}, {"study limit", "type the limit"},
			{"study y", "y axis"}, {"study plot", "write plots"}, {"leave", "back"},
		}
	case pageTornado:
		own = []action.Hint{{"study y", "y axis"}, {"page", "pages"}, {"study plot", "write plots"}, {"leave", "back"}}
	case pageScatter:
		own = []action.Hint{
			{"study edit", "open the run"}, {"page", "pages"}, {"study x, study y", "axes"}, choose, bests,
			{"study plot", "write plots"}, {"leave", "back"},
		}
	default:
		own = []action.Hint{
			{"study edit", "open the run"}, {"page", "pages"}, {"study y", "y axis"}, choose, bests,
			{"study limit", "limit of y"}, {"study plot", "write plots"}, {"leave", "back"},
		}
	}
	return action.Hints(own, hints)
}

// hints are the actions of all pages, the most used first.
var hints = []action.Hint{
	{"study variable", "variable"}, {"study run", "run"}, {"study pause", "pause"}, {"study map", "mappings"},
	{"study machine", "this machine"}, {"study save", "write table"}, {"study plot", "write plots"},
}

// onStudy makes an action that needs a program.
func (p *Pane) onStudy(f func(s *session) tea.Cmd) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		s := p.current()
		if s != nil && s.adopt(p.sc) {
			return f(s)
		}
		if s != nil && s.asked {
			if _, _, err := p.sc.Simulation(s.measured); err != nil {
				return p.sc.Refuse(err)
			}
		}
		return p.sc.Refuse(errors.New("no program to simulate yet: " + p.sc.KeysOf("study") + " makes it"))
	}
}

// onTable makes an action that needs runs.
func (p *Pane) onTable(f func(s *session) tea.Cmd) func(string) tea.Cmd {
	return p.onStudy(func(s *session) tea.Cmd {
		if s.runs() == 0 {
			return p.sc.Refuse(errNoRuns)
		}
		return f(s)
	})
}

// variable adds a variable, or replaces one.
func (p *Pane) variable(args string) tea.Cmd {
	return p.onStudy(func(s *session) tea.Cmd {
		switch {
		case args == "":
			return p.sc.Ask("study variable")
		case s.cancel != nil:
			return p.sc.Refuse(errRunning)
		}
		if err := s.setVariable(args); err != nil {
			return p.sc.Refuse(err)
		}
		text := "the study varies " + strings.Join(s.def.Variables, ", ")
		if p.sc.Open != p {
			text += "; " + p.sc.KeysOf("study") + " shows it"
		}
		p.sc.Say(text)
		return nil
	})("")
}

var errRunning = errors.New("the study is running: it can be changed when it has ended")

func (p *Pane) remove(s *session) tea.Cmd {
	switch {
	case s.cancel != nil:
		return p.sc.Refuse(errRunning)
	case p.pages.At != pageSetup:
		return p.sc.Refuse(errors.New("variables are removed on the page Setup"))
	case p.setup.At() >= len(s.def.Variables):
		return p.sc.Refuse(errors.New("no variable is chosen"))
	}
	s.def.Variables = slices.Delete(s.def.Variables, p.setup.At(), p.setup.At()+1)
	return nil
}

func (p *Pane) takeMachine(s *session) tea.Cmd {
	if s.cancel != nil {
		return p.sc.Refuse(errRunning)
	}
	if _, setup, err := p.sc.Simulation(s.measured); err == nil {
		s.base = setup
		p.sc.Say("the study varies the Simulator's current machine")
	}
	return nil
}

// enter changes the line of the definition, or opens the chosen run.
func (p *Pane) enter(string) tea.Cmd {
	return p.onStudy(func(s *session) tea.Cmd {
		if p.pages.At != pageSetup {
			return p.openRun(s)
		}
		return p.editLine(s)
	})("")
}

// editLine asks for the line of the definition at the cursor.
func (p *Pane) editLine(s *session) tea.Cmd {
	n := len(s.def.Variables)
	at := p.setup.At() - n - 1 // of a setting
	switch {
	case s.cancel != nil && (at < 0 || settings[at].name != workersSetting):
		return p.sc.Refuse(errRunning)
	case at == -1:
		return p.sc.Ask("study variable")
	}
	key, value := s.line(p.setup.At())
	line := &dialog.Prompt{Label: key + " ",
		Hint: "a density: uniform(1us,30us), normal(mean,deviation), +-10%, one of 1,2,4"}
	line.Accept = func(text string) tea.Cmd {
		if err := s.setVariable(key + "=" + text); err != nil {
			return p.sc.Refuse(err)
		}
		return nil
	}
	if at >= 0 {
		st := &settings[at]
		value, line.Hint = st.get(&s.def), st.hint
		line.Accept = func(text string) tea.Cmd {
			if err := st.set(&s.def, strings.TrimSpace(text)); err != nil {
				return p.sc.Refuse(fmt.Errorf("%s: %w", st.name, err))
			}
			if s.cancel != nil && s.began {
				s.runner.SetWorkers(s.def.Workers)
			}
			return nil
		}
		if st.values != nil {
			line.Suggest = func(text string) (list []dialog.Completion) {
				before, last := "", text
				if at := strings.LastIndex(text, ","); at >= 0 {
					before, last = text[:at+1]+" ", strings.TrimSpace(text[at+1:])
				}
				for _, v := range st.values() {
					if strings.HasPrefix(v, last) {
						list = append(list, dialog.Completion{Text: before + v})
					}
				}
				return list
			}
		}
	}
	line.Input.Set(value)
	line.Input.Select()
	return p.sc.Dialogs.Open(line)
}

// move goes through the contents of the page.
func (p *Pane) move(s *session, dx, dy int) tea.Cmd {
	if p.pages.At == pageSetup {
		p.setup.By(dy)
		return nil
	}
	if p.shown(s) == 0 {
		return nil
	}
	switch {
	case p.pages.At == pageRuns:
		s.moveInTable(dx, dy)
	case p.pages.At == pageHistogram && dx != 0:
		p.moveLimit(s, dx)
	case p.pages.At == pageScatter && dx != 0:
		s.stepAlong(s.x, dx)
	case p.pages.At == pageMean:
		s.step(dx + dy)
	case dx != 0:
		s.stepAlong(s.y, dx)
	default:
		s.stepAlong(s.y, -dy)
	}
	return nil
}

// moveInTable chooses a row in the order of the table, or a column.
func (s *session) moveInTable(dx, dy int) {
	s.runsTable.Side(dx)
	if dy == 0 {
		return
	}
	if !s.inTable() {
		s.runsTable.Choose(0)
		dy = max(dy-1, 0)
	}
	s.runsTable.By(dy)
	s.fromTable()
}

// step chooses the next run by number.
func (s *session) step(by int) {
	k := s.position()
	if k < 0 {
		k, by = 0, 0
	}
	s.at = s.table.Rows[min(max(k+by, 0), len(s.table.Rows)-1)].Index
}

// moveLimit moves the limit of the histogram by a column of the screen; initially it is the mean.
func (p *Pane) moveLimit(s *session, by int) {
	if math.IsNaN(s.limit) {
		p.startLimit(s)
		return
	}
	x := p.drawn.placed.X
	if w := p.drawn.placed.Plot.W; w > 0 {
		s.limit += (x.Max - x.Min) / float64(w) * float64(by)
		s.limit = min(max(s.limit, x.Min), x.Max)
	}
}

func (p *Pane) startLimit(s *session) {
	sum, n := 0.0, 0.0
	for _, v := range s.values(s.y).Values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	s.limit = sum / n
}

// setLimit sets a typed limit.
func (p *Pane) setLimit(args string) tea.Cmd {
	return p.onTable(func(s *session) tea.Cmd {
		text := strings.TrimSpace(args)
		switch text {
		case "":
			return p.sc.Ask("study limit")
		case "no", "none":
			s.limit = nan
			return nil
		}
		kind := s.info(s.y).Notation()
		if kind == nil {
			kind = quantity.Number
		}
		v, err := kind.Parse(text, 1)
		if err != nil {
			return p.sc.Refuse(fmt.Errorf("%s: %w", s.info(s.y).Name, err))
		}
		s.limit = v
		return nil
	})("")
}

// column switches an axis to another column.
func (p *Pane) column(axis func(s *session) *int, by int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		return p.onTable(func(s *session) tea.Cmd {
			at := axis(s)
			next, err := action.Choose(s.names(), *at, by, args)
			if err != nil {
				return p.sc.Refuse(err)
			}
			if at == &s.y && next != *at {
				s.limit = nan
			}
			*at = next
			return nil
		})("")
	}
}

// names returns the names of all columns.
func (s *session) names() (list []string) {
	for i := range s.count() {
		list = append(list, s.info(i).Name)
	}
	return list
}

func (p *Pane) columnNames(string) []string {
	if s := p.current(); s != nil {
		return s.names()
	}
	return nil
}

// sortRuns sorts by the column at the cursor of the table; on other pages by y.
func (p *Pane) sortRuns(s *session) tea.Cmd {
	key := s.runsTable.Col
	if p.pages.At != pageRuns {
		key = s.y + 1
	}
	s.runsTable.SortBy(key)
	return nil
}

// extreme chooses the worst or the best run.
func (p *Pane) extreme(worst bool) func(s *session) tea.Cmd {
	return func(s *session) tea.Cmd {
		k, greatest := s.extremes()
		if worst {
			k = greatest
		}
		if k < 0 {
			return p.sc.Refuse(errors.New("no run has a value"))
		}
		s.at = s.table.Rows[k].Index
		return nil
	}
}
