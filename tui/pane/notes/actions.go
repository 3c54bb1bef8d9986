package notes

import (
	"errors"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// The actions on notes.

// Actions returns the actions on notes, and those of the pane.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return []action.Action{
		action.Action{Name: "note", Group: Title, Keys: []string{`"`}, Args: "TEXT",
			Doc: "add a note at the cursor's time and row, or edit the one there", NeedsView: true, Run: p.note,
			Prefill: p.textHere, PromptAs: p.noteAs}.With(
			action.Action{Name: "next", Group: Title, Keys: []string{";"}, Doc: "go to the next note", NeedsView: true,
				Run: p.goOn(1, "no note after the cursor")},
			action.Action{Name: "previous", Group: Title, Keys: []string{","},
				Doc: "go to the previous note", NeedsView: true,
				Run: p.goOn(-1, "no note before the cursor")},
			in("go", []string{"enter"}, "go to the note; history: restore the window's view", p.goChosen),
			in("edit", []string{"f2"}, "edit the note", p.edit),
			in("delete", []string{"x", "delete"}, "delete the note", p.remove),
		),
		{Name: "notes", Group: Title, Keys: []string{`\`}, Args: "[PAGE]", NeedsView: true, Run: p.toggle,
			Doc:      "open or close the list of notes; or the page: history of the window, problems",
			Complete: func(string) []string { return p.pages.Names }},
		{Name: "problems", Group: Title, Keys: []string{"!"},
			Doc: "show problems: skipped records by reason, full messages", Run: p.openProblems},
	}
}

// Moves returns the verbs of the page, and of turning to another.
func (p *Pane) Moves() list.Moves {
	moves := p.pages.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		p.turned()
		return nil
	})
	for verb := range p.sc.ListMoves(p, &p.rows) {
		moves[verb] = func(args string) tea.Cmd { return p.sc.ListMoves(p, p.page())[verb](args) }
	}
	return moves
}

// page returns the list on the screen.
func (p *Pane) page() *list.List {
	switch p.pages.At {
	case pageHistory:
		return &p.steps
	case pageProblems:
		return &p.problems.List
	}
	return &p.rows
}

// turned selects the window's current setup in the history.
func (p *Pane) turned() {
	if p.pages.At == pageHistory && p.sc.View != nil {
		p.steps.Choose(len(p.sc.View.History.Past))
	}
}

// note puts a note at the cursor.
func (p *Pane) note(text string) tea.Cmd {
	v := p.sc.View
	if v.Rows(v.Trace.Data) == 0 {
		return p.sc.Refuse(errors.New("no rows for a note in this window"))
	}
	if text == "" {
		return p.sc.Ask("note")
	}
	n := here(v)
	n.text = text
	p.rows.Choose(p.put(v.Trace, n))
	return nil
}

// textHere returns the text of the note at the cursor; "" for none.
func (p *Pane) textHere() string {
	n, list := here(p.sc.View), p.list()
	if i := slices.IndexFunc(list, func(o note) bool { return o.samePlace(&n) }); i >= 0 {
		return list[i].text
	}
	return ""
}

// noteAs describes the place of the future note.
func (p *Pane) noteAs() (label, hint string) {
	n := here(p.sc.View)
	return "note at " + p.place(&n) + ": ", "text of the note"
}

// place returns the place of a note in words.
func (p *Pane) place(n *note) string {
	tr := p.sc.View.Trace.Data
	return raster.FormatTime(n.time, tr.Unit, 1) + ", " + tr.Name(n.level, n.object)
}

// toggle opens or closes a page; it opens the notes at the last one before the cursor.
func (p *Pane) toggle(name string) tea.Cmd {
	page := pageNotes
	if name != "" {
		i, err := action.Choose(p.pages.Names, 0, 0, name)
		if err != nil {
			return p.sc.Refuse(err)
		}
		page = i
	}
	if p.sc.Open == p && p.pages.At == page {
		p.sc.Hide()
		return nil
	}
	p.pages.At = page
	p.turned()
	if page == pageNotes {
		list, cursor := p.list(), p.sc.View.Cursor
		p.rows.Choose(sort.Search(len(list), func(i int) bool { return list[i].time > cursor }) - 1)
	}
	p.sc.Show(p, true)
	return nil
}

// openProblems shows the problems: without a trace in a box.
func (p *Pane) openProblems(string) tea.Cmd {
	wrong := p.wrong()
	switch {
	case len(wrong.Sections) == 0:
		p.sc.Say("no problems")
		return nil
	case p.sc.View != nil:
		return p.toggle(p.pages.Names[pageProblems])
	}
	return p.sc.Dialogs.Open(&dialog.Pager{Title: p.pages.Names[pageProblems],
		Layout: func(th *style.Theme, width int) []style.Line { return document.Lines(wrong, th, width) }})
}

// wrong returns the problems of the files of the trace in focus, and the messages that were shown.
func (p *Pane) wrong() *report.Document {
	var t *prv.Trace
	if p.sc.View != nil {
		t = p.sc.View.Trace.Data
	}
	return about.Problems(t, p.sc.Unread, p.sc.Messages.Log)
}

// goOn goes to the next note in a direction.
func (p *Pane) goOn(by int, none string) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		i, ok := p.next(by)
		if !ok {
			p.sc.Say(none)
			return nil
		}
		return p.goTo(i)
	}
}

func (p *Pane) goChosen(string) tea.Cmd {
	switch at := p.page().At(); {
	case at < 0:
	case p.pages.At == pageNotes:
		return p.goTo(at)
	case p.pages.At == pageHistory:
		v := p.sc.View
		p.sc.Do(pane.Travel{View: v, By: at - len(v.History.Past)})
	}
	return nil
}

// chosen returns the note that is chosen; -1 for none.
func (p *Pane) chosen() int {
	if p.pages.At != pageNotes {
		return -1
	}
	return p.rows.At()
}

// edit asks for another text for the chosen note; an empty answer keeps the text.
func (p *Pane) edit(string) tea.Cmd {
	i := p.chosen()
	if i < 0 {
		return nil
	}
	t, n := p.sc.View.Trace, p.list()[i]
	return p.sc.Dialogs.Open(&dialog.Prompt{
		Label: "note at " + p.place(&n) + ": ", Hint: "x in the list deletes the note", Input: dialog.NewInput(n.text),
		Accept: func(text string) tea.Cmd {
			if text != "" {
				n.text = text
				p.rows.Choose(p.put(t, n))
			}
			return nil
		},
	})
}

func (p *Pane) remove(string) tea.Cmd {
	i := p.chosen()
	if i < 0 {
		return nil
	}
	t := p.sc.View.Trace
	p.sc.Say("the note is deleted: " + p.notes[t][i].text)
	p.notes[t] = slices.Delete(p.notes[t], i, i+1)
	return nil
}

// Click chooses the item on a line; a click on the chosen one goes to it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if _, same := p.page().Click(x, y); same && again {
		return p.goChosen("")
	}
	return nil
}

// Wheel goes through the page.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.page().Wheel(sign)
	return nil
}

// Hints returns the keys of the pane.
func (p *Pane) Hints() []action.Hint {
	switch p.pages.At {
	case pageHistory:
		return action.Hints([]action.Hint{
			{"move up, move down", "choose"}, {"note go", "go back to it"}, {"page", "pages"}, {"narrow", "narrow"},
			{"leave", "back"},
		}, otherHints)
	case pageProblems:
		return action.Hints([]action.Hint{
			{"move up, move down", "scroll"}, {"narrow", "narrow"}, {"copy", "copy"}, {"page", "pages"},
			{"leave", "back"},
		}, otherHints)
	}
	if p.rows.Len() == 0 {
		return action.Hints([]action.Hint{{"note", "add a note"}, {"page", "pages"}, {"leave", "back"}}, otherHints)
	}
	return action.Hints([]action.Hint{
		{"move up, move down", "choose"}, {"note go", "go there"}, {"note edit", "edit"}, {"note delete", "delete"},
		{"note", "add a note"}, {"page", "pages"}, {"leave", "back"},
	}, otherHints)
}

// otherHints are the actions that all pages have.
var otherHints = []action.Hint{
	{"note", "add a note"}, {"note next, note previous", "next, previous"}, {"problems", "problems"},
}
