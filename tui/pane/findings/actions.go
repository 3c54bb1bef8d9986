package findings

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
)

// What can be done with the pane.

// Actions are what can be done with the pane.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return []action.Action{
		{Name: "findings", Group: Title, Keys: []string{"B"},
			Doc: "show what is wrong with the run, ranked by the time that it costs", NeedsView: true, Run: p.open},
		in("evidence", []string{"enter", "n"}, "show the evidence in the timeline; again: the next", p.next(1)),
		in("previous-evidence", []string{"p", "N"}, "show the evidence before", p.next(-1)),
		in("evidence-back", []string{"backspace"}, "go back to what the window showed before", p.back),
		in("explain-wait", []string{"e"}, "explain the gap at the cursor: who caused it, by what, and its parts",
			p.explain),
		in("dismiss-finding", []string{"d", "delete"},
			"dismiss the finding: it is no longer listed, here and on the first screen", p.dismiss),
		in("all-findings", []string{"D"}, "list the dismissed findings again", p.recall),
		{Name: "filter-findings", Group: Title, Keys: []string{"f"}, Args: "TEXT",
			Doc: "list the findings with a text in them, or of a rule; nothing lists all", InPane: true,
			NeedsView: true,
			Prefill:   func() string { return p.filter }, Typed: p.filterBy, Run: p.askFilter},
		in("classes", []string{"c"}, "show the class table: what each region of code contributes; again: the findings",
			p.toggleClasses),
		in("sort-classes", []string{"s"}, "sort the class table by the next column", p.sortClasses(1)),
		in("sort-classes-back", []string{"S"}, "sort the class table by the column before", p.sortClasses(-1)),
		in("stages", []string{"t"},
			"show the run in stages: busy time, messages, executions over time, by thread, as a heat map or animated; again: the findings", p.toggleStages),
		in("stages-attribute", []string{"a"},
			"stages: show the next attribute: busy, overhead, idle, messages, executions, regions of code",
			p.inStages("analyze", func(s *stages) tea.Cmd { return s.nextAttribute(1) })),
		in("stages-attribute-back", []string{"A"}, "stages: show the attribute before",
			p.inStages("play-all", func(s *stages) tea.Cmd { return s.nextAttribute(-1) })),
		in("stages-shorter", []string{"+", "="}, "stages: make them half as long",
			p.inStages("zoom-in", func(s *stages) tea.Cmd { return p.scaleStages(s, 0.5) })),
		in("stages-longer", []string{"-", "_"}, "stages: make them twice as long",
			p.inStages("zoom-out", func(s *stages) tea.Cmd { return p.scaleStages(s, 2) })),
		{Name: "stage-length", Group: Title, Keys: []string{"T"}, Args: "TIME", Doc: "stages: set their length",
			InPane: true, NeedsView: true, Run: p.typeLength},
		in("stages-play", []string{"space"}, "stages: play the animation; again: stop", p.inStages("select", p.play)),
		in("stages-faster", []string{">"}, "stages: play twice as fast", p.inStages("play", func(s *stages) tea.Cmd {
			return s.faster(2)
		})),
		in("stages-slower", []string{"<"}, "stages: play half as fast",
			p.inStages("play-back", func(s *stages) tea.Cmd { return s.faster(0.5) })),
		in("stages-arrange", []string{"o"},
			"stages: arrange the threads of the animation as a ring, spanning tree, mesh or 3-D mesh",
			p.inStages("outlier", func(s *stages) tea.Cmd {
				s.shape, s.page = (s.shape+1)%len(arrangements), pageAnimation
				return nil
			})),
		{Name: "stages-mesh", Group: Title, Keys: []string{"O"}, Args: "AxBxC",
			Doc: "stages: set the lengths of the 3-D mesh", InPane: true, NeedsView: true, Run: p.typeMesh},
		in("diagnose-again", []string{"r"}, "repeat a stopped diagnosis", p.again),
	}
}

// Moves go through the findings, or the classes, or the stages.
func (p *Pane) Moves() list.Moves {
	moves := list.Steps(10, func(lines int) tea.Cmd { p.move(lines); return nil })
	moves[list.Left] = p.inStages("pan-left", func(s *stages) tea.Cmd { return s.moveStage(-1) })
	moves[list.Right] = p.inStages("pan-right", func(s *stages) tea.Cmd { return s.moveStage(1) })
	moves[list.NextPage] = p.inStages("rows-fewer", func(s *stages) tea.Cmd { return s.turn(1) })
	moves[list.PreviousPage] = p.inStages("rows-more", func(s *stages) tea.Cmd { return s.turn(-1) })
	moves[list.Leave] = p.leave
	return moves
}

func (p *Pane) open(string) tea.Cmd {
	p.sc.Show(p, true)
	return nil
}

// move chooses another finding or class.
func (p *Pane) move(by int) {
	switch {
	case p.stages.shown:
		p.stages.moveThread(by)
	case p.classes.shown:
		p.choose(p.classes.at + by)
	default:
		p.choose(p.at + by)
	}
}

func (p *Pane) choose(i int) {
	if k := &p.classes; k.shown {
		k.at, k.detail, p.gap = max(0, min(i, len(k.list)-1)), -1, nil
		return
	}
	p.at = max(0, min(i, len(p.findings())-1))
	p.evidence, p.gap = -1, nil
}

// next shows another piece of evidence of the chosen finding, or another execution of the chosen class.
func (p *Pane) next(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		list, shown := p.places()
		switch {
		case len(list) == 0 && p.classes.shown:
			return p.sc.Refuse(errors.New("no region of code"))
		case len(list) == 0 && p.chosen() == nil:
			return p.sc.Refuse(errors.New("no finding"))
		case len(list) == 0:
			return p.sc.Refuse(errors.New("the finding is about the whole run: it has no place of its own"))
		}
		p.remember()
		p.gap = nil
		if *shown < 0 && by < 0 {
			*shown = 0 // the last is before the first
		}
		*shown = (*shown + by + len(list)) % len(list)
		p.show(&list[*shown])
		return nil
	}
}

// mostPlaces bounds the places to go back to.
const mostPlaces = 100

// remember keeps what the window shows.
func (p *Pane) remember() {
	v := p.sc.View
	p.before = append(p.before, place{v, v.Begin, v.End, v.Cursor, v.CursorRow, p.at, p.evidence, p.classes.shown,
		p.stages.shown, p.classes.at, p.classes.detail})
	if len(p.before) > mostPlaces {
		p.before = p.before[1:]
	}
}

// show shows a piece of evidence with a tenth of its length on each side, and its first thread.
func (p *Pane) show(e *report.Evidence) {
	v := p.sc.View
	wide := max((e.To-e.From)/10, 1)
	begin, end := max(0, e.From-wide), min(e.To+wide, p.sc.Whole(v))
	p.sc.Do(pane.Change{View: v, Kind: "evidence",
		Do: func(s *timeline.Setup) { s.Begin, s.End = begin, max(end, begin+1) }})
	row := v.CursorRow
	if len(e.Threads) > 0 {
		if r := v.RowOfThread(e.Threads[0]); r >= 0 {
			row = r
		}
	}
	p.sc.Do(pane.GoTo{View: v, Time: e.From, Row: row})
}

// back shows what the window showed before.
func (p *Pane) back(string) tea.Cmd {
	n := len(p.before)
	if n == 0 {
		return p.sc.Refuse(errors.New("no evidence was shown before"))
	}
	was := p.before[n-1]
	p.before = p.before[:n-1]
	p.at, p.evidence, p.gap = was.finding, was.detail, nil
	p.classes.shown, p.classes.at, p.classes.detail, p.stages.shown = was.classes, was.class, was.execution, was.stages
	p.sc.Do(pane.Change{View: was.view, Kind: "evidence",
		Do: func(s *timeline.Setup) { s.Begin, s.End = was.begin, was.end }})
	p.sc.Do(pane.GoTo{View: was.view, Time: was.cursor, Row: was.row})
	return nil
}

func (p *Pane) again(string) tea.Cmd {
	if p.sc.View != nil && p.known[p.sc.View.Trace].err != nil {
		delete(p.known, p.sc.View.Trace)
	}
	return nil
}

func (p *Pane) leave(string) tea.Cmd {
	if p.gap != nil {
		p.gap = nil
		return nil
	}
	if p.classes.shown {
		return p.toggleClasses("")
	}
	if s := &p.stages; s.shown {
		if s.playing != 0 {
			s.playing = 0
			return nil
		}
		return p.toggleStages("")
	}
	if !p.Cancel() {
		p.sc.Leave()
	}
	return nil
}

// explain says what the wait at the cursor is, and what caused it.
func (p *Pane) explain(string) tea.Cmd {
	r, v := p.result(), p.sc.View
	if r == nil {
		return p.sc.Refuse(errors.New("the run is not diagnosed yet"))
	}
	if v.Sem.Level != prv.LevelThread || v.Rows(v.Trace.Data) == 0 {
		return p.sc.Refuse(errors.New("waits are explained in windows of threads"))
	}
	thread := int32(v.Object(v.CursorRow))
	at := v.Cursor
	return func() tea.Msg {
		gap, idle, err := r.Gap(context.Background(), thread, at)
		return gapMsg{r, thread, at, gap, idle, err}
	}
}

// gapMsg is a gap of a thread at a time: idle is false where it computes.
type gapMsg struct {
	of     *diagnose.Result
	thread int32
	at     int64
	gap    diagnose.Gap
	idle   bool
	err    error
}

// takeGap explains a gap, unless the run has been diagnosed again meanwhile.
func (p *Pane) takeGap(msg gapMsg) tea.Cmd {
	if msg.of != p.result() {
		return nil
	}
	w := waitAt(msg.of.Waits, msg.thread, msg.at)
	switch {
	case msg.err != nil:
		return p.sc.Refuse(msg.err)
	case w == nil && !msg.idle:
		return p.sc.Refuse(fmt.Errorf("%s does not wait at the cursor",
			p.sc.View.Trace.Data.Name(prv.LevelThread, int(msg.thread))))
	}
	p.gap = nil
	if w != nil {
		p.gap = p.explanation(msg.of.Waits, w)
	}
	if msg.idle {
		p.gap = append(p.gap, p.causes(msg.thread, &msg.gap)...)
	}
	return nil
}

// causes is what is said of a gap: its account, and the findings about it.
func (p *Pane) causes(thread int32, g *diagnose.Gap) []string {
	t := p.sc.View.Trace.Data
	var parts []string
	for _, s := range g.Account.Waterfall().Steps {
		parts = append(parts, fmt.Sprintf("%s %s", s.Name, raster.FormatDuration(s.NS, prv.Nanoseconds)))
	}
	lines := []string{fmt.Sprintf("%s does not compute for %s: %s", t.Name(prv.LevelThread, int(thread)),
		raster.FormatDuration(g.To-g.From, t.Unit), strings.Join(parts, ", "))}
	for _, f := range g.Findings {
		lines = append(lines, "see "+string(f.Rule)+": "+f.Title)
	}
	return lines
}

// waitAt is the wait of a thread at a time; nil for none.
func waitAt(r *waits.Result, thread int32, at int64) *waits.Wait {
	list := r.Of(thread)
	for i := range list {
		if w := &list[i]; w.From <= at && at < w.To && w.Class.Info().Waiting {
			return w
		}
	}
	return nil
}

// explanation is what is said of a wait.
func (p *Pane) explanation(r *waits.Result, w *waits.Wait) []string {
	t := p.sc.View.Trace.Data
	name := func(th int32) string {
		if th < 0 {
			return "an unknown thread"
		}
		return t.Name(prv.LevelThread, int(th))
	}
	span := func(d int64) string { return raster.FormatDuration(d, t.Unit) }
	lines := []string{
		fmt.Sprintf("%s waits %s for %s: %s", name(w.Thread), span(w.Length()), name(w.Cause), w.Class),
		w.Class.Info().Doc,
	}
	if w.Cause >= 0 {
		lines = append(lines,
			fmt.Sprintf("%s of it because %s computed longer, %s because that thread had waited itself", span(w.Direct),
				name(w.Cause), span(w.Indirect())))
	}
	if w.L > 0 {
		lines = append(lines, fmt.Sprintf("it made others wait %s later", span(w.L)))
	}
	if w.Kind == waits.ToMessage {
		c := &t.Comms
		lines = append(lines, fmt.Sprintf("message of %s bytes, tag %d, sent at %s, received at %s",
			raster.FormatCount(c.Size[w.Ref]), c.Tag[w.Ref],
			raster.FormatTime(c.Times[prv.LogicalSend][w.Ref], t.Unit, 1),
			raster.FormatTime(c.Times[prv.PhysicalRecv][w.Ref], t.Unit, 1)))
	}
	return lines
}

// Click chooses the finding under the pointer.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, _ bool) tea.Cmd {
	if p.stages.shown {
		p.stages.click(x, y)
		return nil
	}
	if y >= p.first && y < p.first+p.lines {
		if p.classes.shown {
			p.choose(p.classes.top + y - p.first)
		} else {
			p.choose(p.top + y - p.first)
		}
	}
	return nil
}

// Wheel goes through the findings.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.move(sign)
	return nil
}

// Hints are the keys of the pane.
func (p *Pane) Hints() [][2]string {
	if p.stages.shown {
		return [][2]string{{"[ ]", "view"}, {"a", "attribute"}, {"←→", "stage"}, {"↑↓", "thread"}, {"+-", "length"},
			{"Space", "play"}, {"o", "arrangement"}, {"Enter", "show in the timeline"}, {"Esc", "findings"}}
	}
	if p.classes.shown {
		return [][2]string{{"↑↓", "region"}, {"Enter", "show the longest execution"}, {"n", "next"}, {"p", "previous"},
			{"Backspace", "back"}, {"s", "sort"}, {"Esc", "findings"}}
	}
	return [][2]string{{"↑↓", "finding"}, {"Enter", "show evidence"}, {"p", "previous"}, {"Backspace", "back"}, {"e",
		"explain the gap"}, {"d", "dismiss"}, {"f", "filter"}, {"c", "classes"}, {"t", "stages"}, {"Esc", "leave"}}
}
