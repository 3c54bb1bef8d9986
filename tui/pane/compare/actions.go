package compare

import (
	"errors"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/compare"
	"pview/prv/extrae/device"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
)

// The pane's actions and moves.

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return []action.Action{
		action.Action{Name: "compare", Group: Title,
			Doc: "compare two open traces: where the second differs from the first", NeedsView: true, Run: p.open}.With(
			in("go", []string{"enter"}, "show where the part is largest, in the windows of both traces", p.goThere),
			in("align", []string{"o"},
				"show B below A on A's time, each phase stretched to its partner, and the differences between them; "+
					"again: close them", p.align),
			in("swap", []string{"x"}, "swap A and B", p.swap),
			in("next", []string{"b"}, "compare A with the next open trace", p.nextRun),
			in("again", []string{"r"}, "repeat a stopped comparison", p.again),
		),
	}
}

// Moves go through the parts, and their kinds.
func (p *Pane) Moves() list.Moves {
	moves := p.sc.ListMoves(p, &p.doc.List)
	turned := p.kinds.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		p.show(false)
		return nil
	})
	maps.Copy(moves, turned)
	moves[list.Left] = func(string) tea.Cmd { return turned[list.PreviousPage]("") }
	moves[list.Right] = func(string) tea.Cmd { return turned[list.NextPage]("") }
	return moves
}

// PageNames returns the kinds of parts.
func (p *Pane) PageNames() []string { return p.kinds.Names }

// Page returns the position of the shown kind.
func (p *Pane) Page() int { return p.kinds.At }

// open opens the pane and goes into it.
func (p *Pane) open(string) tea.Cmd {
	p.sc.Show(p, true)
	if len(p.sc.Traces) < 2 {
		say := "one trace is open: " + p.sc.KeysOf("open") + " opens another"
		if !slices.ContainsFunc(p.sc.Traces, hasDevices) {
			say += ", " + p.sc.KeysOf("workspace what-if") + " predicts one"
		}
		p.sc.Say(say)
	}
	return nil
}

// hasDevices reports whether a trace has streams of devices, which are not simulated.
func hasDevices(t *timeline.Trace) bool { return device.Streams(t.Data) > 0 }

func (p *Pane) swap(string) tea.Cmd {
	a, b := p.pair()
	if b == nil {
		return p.sc.Refuse(errors.New("one trace is open: there is nothing to swap"))
	}
	p.a, p.b = b, a
	return nil
}

// nextRun takes the open trace after B that is not A.
func (p *Pane) nextRun(string) tea.Cmd {
	a, b := p.pair()
	if len(p.sc.Traces) < 3 {
		return p.sc.Refuse(errors.New("no third trace is open"))
	}
	i := slices.Index(p.sc.Traces, b)
	for {
		if i = (i + 1) % len(p.sc.Traces); p.sc.Traces[i] != a {
			break
		}
	}
	p.a, p.b = a, p.sc.Traces[i]
	return nil
}

func (p *Pane) again(string) tea.Cmd {
	if p.err == nil {
		return p.sc.Refuse(errors.New("no comparison was stopped"))
	}
	clear(p.runs)
	p.of = [2]version{}
	return nil
}

// goThere shows the time of the chosen part in a window of each trace.
func (p *Pane) goThere(string) tea.Cmd {
	at := p.doc.Row()
	if p.result == nil || at < 0 {
		return nil
	}
	part := &p.result.Of(p.kind())[at]
	where, ok := p.result.Where(part)
	if !ok {
		return p.sc.Refuse(errors.New("only phases, categories and threads have a place in the timelines"))
	}
	a, b := p.pair()
	va, vb := p.sc.ViewOf(a), p.sc.ViewOf(b)
	if va != nil && vb != nil && va.Group != 0 && va.Group == vb.Group {
		p.sc.Do(pane.OwnTime{View: vb}) // a phase has another place in each run
		p.sc.Say("the windows no longer share their time; " + p.sc.KeysOf("sync") + " joins them again")
	}
	p.showIn(va, p.result.A, where.A, part.Threads)
	p.showIn(vb, p.result.B, where.B, part.Threads)
	return nil
}

// showIn shows a phase of a run, and the first of some threads.
func (p *Pane) showIn(v *timeline.View, r *compare.Run, phase int, threads []int) {
	if v == nil || phase < 0 {
		return
	}
	t := v.Trace
	from, to, _ := r.Phase(phase)
	begin, end := t.FromNS(from), t.FromNS(to)
	p.sc.Do(pane.Change{View: v, Do: func(s *timeline.Setup) { s.Begin, s.End = begin, max(end, begin+1) }})
	if len(threads) > 0 && v.Rows(t.Data) > threads[0] {
		p.sc.Do(pane.ShowRow{View: v, Row: threads[0]})
	}
}

// Click chooses the part under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, _ bool) tea.Cmd {
	p.doc.Click(x, y)
	return nil
}

// Wheel goes through the parts.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.doc.By(sign)
	return nil
}

// Hints returns the keys that work now, the most used first.
func (p *Pane) Hints() []action.Hint {
	if len(p.sc.Traces) < 2 {
		return []action.Hint{{"open", "open a trace"}, {"page", "pages"}, {"leave", "back"}}
	}
	hints := []action.Hint{
		{"move up, move down", "part"}, {"page", "pages"}, {"compare go", "show it"},
		{"compare align", "align the runs"}, {"compare swap", "swap A and B"},
	}
	if len(p.sc.Traces) > 2 {
		hints = append(hints, action.Hint{"compare next", "another run"})
	}
	hints = append(hints, action.Hint{"leave", "back"})
	if p.err != nil {
		hints = append(hints, action.Hint{"compare again", "repeat"})
	}
	return hints
}
