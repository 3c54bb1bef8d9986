package windows

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// going returns the actions that go to times and records, and set marks.
func (n *Navigator) going() []action.Action {
	return action.OfView(action.GroupGoTo, []action.Action{
		{Name: "goto", Keys: []string{"g"}, Args: "TIME or RECORD", Doc: "go to 1.25s, 50%, +15us, or the next " +
			"type=40 value=3, tag=5, size=1000, state=3, or label", Run: n.goToCommand,
			Complete: n.completeGoTo},
		action.Action{Name: "search", Keys: []string{"/"},
			Doc: "search event labels: show an event, or go to it",
			Run: n.searchLabels}.With(
			action.Action{Name: "next", Keys: []string{"n"}, Args: "[WHAT]",
				Doc: "go to the next match", Run: n.again(true),
				Complete: n.completeQuery},
			action.Action{Name: "previous", Keys: []string{"alt+n"}, Args: "[WHAT]",
				Doc: "go to the previous match", Run: n.again(false),
				Complete: n.completeQuery},
		),
		action.Action{Name: "burst", Doc: "go through the bursts of the row"}.With(
			action.Action{Name: "next", Keys: []string{"w"}, Doc: "go to the start of the row's next burst",
				Run: action.Do(func() { n.stepBurst(true) })},
			action.Action{Name: "previous", Keys: []string{"b"},
				Doc: "go to the start of the burst, or of the previous one",
				Run: action.Do(func() { n.stepBurst(false) })},
		),
		{Name: "select", Keys: []string{"space"}, Doc: "start a selection at the cursor; again: end it",
			Run: action.Do(n.selectHere)},
		action.Action{Name: "mark", Keys: []string{"m"}, Args: "[TIME]",
			Doc: "set the first mark; the status line shows the " +
				"time between both, across windows", Run: n.setMark(0)}.With(
			action.Action{Name: "second", Keys: []string{"M"}, Args: "[TIME]",
				Doc: "set the second mark", Run: n.setMark(1)},
			action.Action{Name: "other", Keys: []string{"`"}, Doc: "go to the other mark", Run: n.goToMark},
			action.Action{Name: "none", Keys: []string{"delete", "backspace"}, Doc: "remove the marks",
				Run: action.Do(n.ClearMarks)},
		),
	})
}

func (n *Navigator) goToCommand(args string) tea.Cmd {
	w := n.Focused()
	if t, note, err := notation.ParseTime(args, w.Trace.Data.Unit, n.Whole(w), w.Cursor); err == nil {
		n.GoTo(w, t, w.CursorRow)
		n.sc.Say(note)
		return nil
	}
	return n.lookFor(args, true)
}

// again searches for the last query, or for a given one.
func (n *Navigator) again(forward bool) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		switch {
		case args != "":
			return n.lookFor(args, forward)
		case n.Query == nil:
			return n.sc.Refuse(fmt.Errorf("no search yet: %s or %s starts one", n.sc.KeysOf("search"),
				n.sc.KeysOf("goto")))
		}
		return n.find(forward)
	}
}

// completeGoTo completes times and records.
func (n *Navigator) completeGoTo(args string) []string {
	if args == "" {
		return []string{"50%", "+10%", "type=", "value=", "tag=", "size=", "state="}
	}
	return n.completeQuery(args)
}

func (n *Navigator) completeQuery(args string) []string {
	if w := n.Focused(); w != nil {
		return completeQuery(args, w.Trace.Data.Labels)
	}
	return nil
}

// completeQuery completes the last criterion of a query with labels.
func completeQuery(args string, labels *prv.Labels) []string {
	cut := 0
	quoted := false
	for i, r := range args {
		if r == '"' {
			quoted = !quoted
		} else if r == ' ' && !quoted {
			cut = i + 1
		}
	}
	head, word := args[:cut], args[cut:]
	key, part, ok := strings.Cut(word, "=")
	var names []string
	switch {
	case !ok:
		for _, k := range notation.QueryWords {
			if strings.HasPrefix(k, word) {
				names = append(names, head+k+"=")
			}
		}
		return names
	case key == "type":
		for _, t := range notation.KnownTypes(labels) {
			names = append(names, t.Label)
		}
	case key == "state":
		for _, s := range notation.KnownStates(labels) {
			names = append(names, s.Label)
		}
	case key == "value":
		seen := map[string]bool{}
		for i := range labels.Types {
			for _, v := range labels.Types[i].Values {
				if !seen[v.Label] {
					seen[v.Label] = true
					names = append(names, v.Label)
				}
			}
		}
	}
	part = strings.Trim(part, `"`)
	var full []string
	for _, i := range dialog.Rank(part, len(names), func(i int) string { return names[i] }) {
		if len(full) == 200 {
			break
		}
		full = append(full, head+key+"="+quoteWord(names[i]))
	}
	return full
}

func quoteWord(s string) string {
	if strings.ContainsAny(s, " ") {
		return `"` + s + `"`
	}
	return s
}

// Marks and the selection between them.

func (n *Navigator) setMark(i int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		w := n.Focused()
		if args == "" {
			n.CursorBack()
			n.SetMark(i, w.Cursor)
		} else {
			t, note, err := notation.ParseTime(args, w.Trace.Data.Unit, n.Whole(w), w.Cursor)
			if err != nil {
				return n.sc.Refuse(err)
			}
			n.sc.Say(note)
			n.SetMark(i, t)
		}
		n.Selecting = false
		return nil
	}
}

// selectHere starts a selection at the cursor, or ends it.
func (n *Navigator) selectHere() {
	if n.Selecting {
		n.TrackSelection(n.sc.Columns())
		n.Selecting = false
		return
	}
	n.CursorBack()
	n.SetMark(0, n.Focused().Cursor)
	n.SetMark(1, n.Focused().Cursor)
	n.Selecting = true
	n.sc.Say(n.sc.Theme.ASCII("move the cursor; Space ends the selection, z zooms on it, Esc drops it"))
}

func (n *Navigator) goToMark(string) tea.Cmd {
	w := n.Focused()
	for _, k := range n.Marks {
		if t := w.Trace.FromNS(k.NS); k.Set && t != w.Cursor {
			n.GoTo(w, t, w.CursorRow)
			return nil
		}
	}
	if n.Marks[0].Set && n.Marks[1].Set {
		return n.sc.Refuse(errors.New("both marks are at the cursor"))
	}
	return n.sc.Refuse(errors.New("there is no other mark: " + n.sc.KeysOf("mark") + " sets one"))
}
