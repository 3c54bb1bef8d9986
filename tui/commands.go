package tui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// How a command is found by what is typed of it. One that begins with the text, or has a word that does, may be run by
// Enter; others that merely have to do with the text are listed below them, and run when they are chosen.

// aliases are other words for commands: of other tools, of vi, of the thing that a command shows.
var aliases = map[string]string{
	"flame": "call-stack", "exit": "quit", "x": "quit", "wq": "quit", "e": "open", "edit-window": "edit",
	"w": "save-session", "write": "save-session",
	"commands": "help", "keys": "help", "bookmark": "note", "bookmarks": "notes", "shell": "suspend",
	"refresh": "redraw",
	"table":   "analyze", "histogram": "analyze", "profile": "analyze", "statistics": "analyze",
	"pop": "efficiency", "imbalance": "efficiency", "balance": "efficiency", "simulator": "simulate",
	"predict": "simulate", "dimemas": "simulate",
	"png": "export", "svg": "export", "pdf": "export", "html": "export", "picture": "export", "screenshot": "export",
	"print":    "export",
	"messages": "lines", "communication": "lines", "arrows": "lines", "bookmark-here": "note", "errors": "problems",
	"warnings": "problems",
	"jump":     "goto", "time": "goto", "back": "undo", "reset": "full", "fit": "full", "home": "full",
	"windows":   "views",
	"view-menu": "views",
}

// called returns the action of a name or an alias; nil for none.
func (m *Model) called(name string) *action.Action {
	if a := m.actions.Named(name); a != nil {
		return a
	}
	return m.actions.Named(cmp.Or(aliases[name], FormerNames()[name]))
}

// fit is an action that a text may mean.
type fit struct {
	action *action.Action
	weak   bool // it is not run without being chosen
}

// fitting lists the actions that a text may mean, those of the pane in focus first among equals.
func (m *Model) fitting(text string) (list []fit) {
	seen := map[*action.Action]bool{}
	add := func(a *action.Action, weak bool) {
		if a != nil && !seen[a] {
			seen[a] = true
			list = append(list, fit{a, weak})
		}
	}
	order := m.nearFirst()
	byName := dialog.Rank(text, len(order), func(i int) string { return order[i].Name })
	for _, i := range byName {
		if begins(order[i].Name, text) {
			add(order[i], false)
		}
	}
	if text != "" {
		for _, word := range sortedAliases {
			if strings.HasPrefix(word, strings.ToLower(text)) {
				add(m.actions.Named(aliases[word]), false)
			}
		}
	}
	for _, i := range byName {
		add(order[i], true)
	}
	for _, a := range order {
		if notation.ContainsFold(a.Doc, text) {
			add(a, true)
		}
	}
	return list
}

// sortedAliases are the aliases in the order of the alphabet.
var sortedAliases = func() (list []string) {
	for word := range aliases {
		list = append(list, word)
	}
	slices.Sort(list)
	return list
}()

// begins reports whether a name, or one of its words, begins with a text.
func begins(name, text string) bool {
	name, text = strings.ToLower(name), strings.ToLower(strings.TrimSpace(text))
	return strings.HasPrefix(name, text) || strings.Contains(name, "-"+text)
}

// nearFirst lists the actions, those of the pane in focus before the others.
func (m *Model) nearFirst() []*action.Action {
	var near, far []*action.Action
	for i := range m.actions.Len() {
		a := m.actions.At(i)
		if m.panes.open && m.PaneFocus && a.Group == m.panes.current().Title() {
			near = append(near, a)
		} else {
			far = append(far, a)
		}
	}
	return append(near, far...)
}

// nearest lists the three names that differ least from one that was typed.
func (m *Model) nearest(name string) []string {
	var names []string
	for i := range m.actions.Len() {
		names = append(names, m.actions.At(i).Name)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return levenshtein.Distance(name, a, nil) - levenshtein.Distance(name, b, nil)
	})
	return names[:min(3, len(names))]
}
