package action

import (
	"slices"
	"strings"
)

// A Hint has the names of actions, separated by ", ", and what they do in a word or two. The status line and the card
// of the help show the words with the keys.
type Hint [2]string

// Names returns the names of the actions.
func (h *Hint) Names() []string { return strings.Split(h[0], ", ") }

// Hints joins lists of hints. If several have the same first action, it keeps the first.
func Hints(lists ...[]Hint) (all []Hint) {
	for _, list := range lists {
		all = append(all, Without(list, all)...)
	}
	return all
}

// Without returns the hints of a list whose first action is not the first one of another hint.
func Without(list, others []Hint) []Hint {
	return slices.DeleteFunc(slices.Clone(list), func(h Hint) bool {
		return slices.ContainsFunc(others, func(o Hint) bool { return o.Names()[0] == h.Names()[0] })
	})
}

// KeysOfHints returns the first keys of the actions that work in the pane with a title ("" for the windows), and the
// words. It omits hints whose actions have no such key: it may mean something else in the pane.
func (t *Table) KeysOfHints(pane string, hints []Hint) (keys [][2]string) {
	for _, h := range hints {
		var labels []string
		for _, name := range h.Names() {
			a := t.Named(name)
			of := a.Keys
			if a.Panes != nil {
				of = a.Panes[pane]
			}
			for _, key := range of {
				if own := t.InPane(pane, key); own == nil || own == a {
					labels = append(labels, KeyLabel(key))
					break
				}
			}
		}
		if labels != nil {
			keys = append(keys, [2]string{joinLabels(labels), h[1]})
		}
	}
	return keys
}

// joinLabels writes keys in a row; arrows, + and - need no blank between them.
func joinLabels(labels []string) string {
	if all := strings.Join(labels, ""); strings.Trim(all, "←→↑↓+-") == "" {
		return all
	}
	return strings.Join(labels, " ")
}
