package profile

import (
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/profile"
	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
)

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return []action.Action{
		action.Action{Name: "profile", Group: Title, Keys: []string{"Q"},
			Doc: "show where the time in view goes: states, calls, functions, ranks; again: close", NeedsView: true,
			Run: p.toggle}.With(
			in("go", []string{"enter"},
				"go to the longest burst or call of the entry in view; of a rank to its longest computation", p.goToLongest),
		),
	}
}

// Moves returns the verbs of the entries, and of the columns, which wrap around.
func (p *Pane) Moves() list.Moves {
	pages := p.pages.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		return nil
	})
	moves := p.sc.ListMoves(p, &p.rows)
	for verb, move := range p.sc.ListMoves(p, &p.paths.List) {
		profile := moves[verb]
		moves[verb] = func(args string) tea.Cmd {
			if p.pages.At == pagePaths {
				return move(args)
			}
			return profile(args)
		}
	}
	maps.Copy(moves, pages)
	turn := func(by int) func(string) tea.Cmd {
		return list.Do(func() {
			if p.pages.At != pagePaths && p.shown != nil && len(p.shown.Sections) > 0 {
				n := len(p.shown.Sections)
				p.choose((p.section+by+n)%n, 0)
			}
		})
	}
	moves[list.Left], moves[list.Right] = turn(-1), turn(1)
	return moves
}

func (p *Pane) toggle(string) tea.Cmd {
	if p.sc.Open == p {
		p.sc.Hide()
		return nil
	}
	p.sc.Show(p, true)
	return nil
}

// Hints returns the keys of the status line while the pane has the focus.
func (p *Pane) Hints() []action.Hint {
	if p.pages.At == pagePaths {
		return []action.Hint{
			{"move up, move down", "choose"}, {"profile go", "longest call"}, {"narrow", "narrow"}, {"page", "pages"},
			{"leave", "back"}, {"profile", "close"},
		}
	}
	return []action.Hint{
		{"move up, move down", "choose"}, {"move left, move right", "column"}, {"profile go", "longest burst"},
		{"page", "pages"}, {"profile", "close"}, {"leave", "back"}, {"narrow", "narrow"},
	}
}

// longestMsg is the longest burst of an entry.
type longestMsg struct {
	view   *timeline.View
	window *semantic.Window // window that shows it; nil: leave the view's content
	thread int32
	begin  int64
	ok     bool
	name   string // name of the entry; for a rank, of its computation
	length int64
	part   string // part that the burst is the longest of: the run, or the view
}

// text describes the burst found: "longest computation of 1.8.1 in the run: 17.43 ms".
func (msg *longestMsg) text(tr *prv.Trace) string {
	return fmt.Sprintf("longest %s of %s in %s: %s", msg.name, tr.ShortName(prv.LevelThread, int(msg.thread)), msg.part,
		raster.FormatDuration(msg.length, tr.Unit))
}

// chosen returns the entry at the cursor; nil for none.
func (p *Pane) chosen() (*profile.Section, *profile.Entry) {
	at := p.rows.At()
	if at < 0 {
		return nil, nil
	}
	s := &p.shown.Sections[p.section]
	return s, &s.List[at]
}

func (p *Pane) goToLongest(string) tea.Cmd {
	if p.pages.At == pagePaths {
		return p.goToPath()
	}
	s, e := p.chosen()
	if e == nil {
		return nil
	}
	v, a, ctx, cache, facts := p.sc.View, p.shown, p.sc.Context, p.sc.Cache, p.shown.key.trace.Facts()
	threads, msg := a.Threads, longestMsg{view: v, window: s.Window, name: e.Name, part: a.key.part()}
	if e.Thread >= 0 {
		threads, msg.window, msg.name = []int32{e.Thread}, nil, "computation"
	}
	window, value := s.Window, e.Value
	return func() tea.Msg {
		eval, err := semantic.Compile(facts.Trace, window)
		if err != nil {
			return msg
		}
		most := int64(-1)
		for _, th := range threads {
			series, err := cache.Get(ctx, eval, window.Key(), int(th))
			if err != nil {
				return msg
			}
			for i := series.At(a.key.begin); i < series.Len(); i++ {
				begin, end, x := series.Burst(i)
				if begin >= a.key.end {
					break
				}
				if x == value && end-begin > most {
					most, msg.thread, msg.begin, msg.ok = end-begin, th, max(begin, a.key.begin), true
					msg.length = most
				}
			}
		}
		return msg
	}
}

// goTo puts the cursor on the burst found, in a view that shows it.
func (p *Pane) goTo(msg longestMsg) tea.Cmd {
	v := msg.view
	if !slices.Contains(p.sc.Views, v) {
		return nil
	}
	if !msg.ok {
		p.sc.Say("nothing of it is left in view")
		return nil
	}
	if w := msg.window; w != nil && v.Sem.Key() != w.Key() && v.Sem.Level == w.Level {
		p.sc.Do(pane.Change{View: v, Do: func(s *timeline.Setup) { s.Sem = w.Clone() }})
	}
	tr := v.Trace.Data
	object := tr.ObjectOf(v.Sem.Level, msg.thread, tr.Threads[msg.thread].CPU)
	row := v.RowOf(tr, object)
	if row < 0 {
		p.sc.Say(tr.ShortName(prv.LevelThread, int(msg.thread)) + " is not in view")
		return nil
	}
	p.sc.Do(pane.GoTo{View: v, Time: msg.begin, Row: row})
	p.sc.Say(msg.text(tr))
	return nil
}
