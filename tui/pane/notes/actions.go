package notes

import (
	"errors"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/list"
)

// What can be done with notes.

// Actions are what can be done with notes, and with the pane.
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
			in("go", []string{"enter"}, "go to the note", p.goChosen),
			in("edit", []string{"f2"}, "edit the note", p.edit),
			in("delete", []string{"x", "delete"}, "delete the note", p.remove),
		),
		{Name: "notes", Group: Title, Keys: []string{`\`}, Doc: "open or close the list of notes", NeedsView: true,
			Run: p.toggle},
	}
}

// Moves are the verbs of the list.
func (p *Pane) Moves() list.Moves { return p.sc.ListMoves(p, &p.rows) }

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

// textHere is the text of the note at the cursor; "" for none.
func (p *Pane) textHere() string {
	n, list := here(p.sc.View), p.list()
	if i := slices.IndexFunc(list, func(o note) bool { return o.samePlace(&n) }); i >= 0 {
		return list[i].text
	}
	return ""
}

// noteAs says where the note will be.
func (p *Pane) noteAs() (label, hint string) {
	n := here(p.sc.View)
	return "note at " + p.place(&n) + ": ", "text of the note"
}

// place is where a note is, for people.
func (p *Pane) place(n *note) string {
	tr := p.sc.View.Trace.Data
	return raster.FormatTime(n.time, tr.Unit, 1) + ", " + tr.Name(n.level, n.object)
}

// toggle opens the list at the last note before the cursor, or closes it.
func (p *Pane) toggle(string) tea.Cmd {
	if p.sc.Open == p {
		p.sc.Hide()
		return nil
	}
	list, cursor := p.list(), p.sc.View.Cursor
	p.rows.Choose(sort.Search(len(list), func(i int) bool { return list[i].time > cursor }) - 1)
	p.sc.Show(p, true)
	return nil
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
	if i := p.rows.At(); i >= 0 {
		return p.goTo(i)
	}
	return nil
}

// edit asks for another text of the note that is chosen; without any it stays as it is.
func (p *Pane) edit(string) tea.Cmd {
	i := p.rows.At()
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
	i := p.rows.At()
	if i < 0 {
		return nil
	}
	t := p.sc.View.Trace
	p.sc.Say("the note is deleted: " + p.notes[t][i].text)
	p.notes[t] = slices.Delete(p.notes[t], i, i+1)
	return nil
}

// Click chooses the note on a line; a click on the one that is chosen already goes to it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if _, same := p.rows.Click(x, y); same && again {
		return p.goTo(p.rows.At())
	}
	return nil
}

// Wheel goes through the notes.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.rows.Wheel(sign)
	return nil
}

// Hints are the keys of the pane.
func (p *Pane) Hints() [][2]string {
	return [][2]string{{"↑↓", "choose"}, {"Enter", "go there"}, {"F2", "edit"}, {"x", "delete"},
		{p.sc.KeysOf("note"), "new note"}, {"Esc", "back"}}
}
