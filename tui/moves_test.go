package tui

import (
	"slices"
	"testing"

	"pview/tui/list"
	"pview/tui/pane/notes"
	"pview/tui/pane/whatwhere"
)

// A former name of a verb still has its keys from the configuration file, in its pane alone; the shared name has them
// in all panes. Such a key has no other meaning there.
func TestKeysOfVerbs(t *testing.T) {
	m := &Model{}
	m.options.Keys = map[string][]string{"note-down": {"x"}, "move up": {"f2"}}
	m.furnish()
	for _, c := range []struct{ pane, key, action string }{
		{notes.Title, "x", "move down"}, {notes.Title, "j", ""}, {notes.Title, "delete", "note delete"},
		{notes.Title, "f2", "move up"}, {notes.Title, "k", ""}, {notes.Title, "enter", "note go"},
		{whatwhere.Title, "j", "move down"}, {whatwhere.Title, "x", "what hex"}, {whatwhere.Title, "f2", "move up"},
		{whatwhere.Title, "/", "narrow"}, {whatwhere.Title, "esc", "leave"},
	} {
		name := ""
		if a := m.palette.Actions.InPane(c.pane, c.key); a != nil {
			name = a.Name
		}
		if name != c.action {
			t.Errorf("%s in %s is %q, want %q", c.key, c.pane, name, c.action)
		}
	}
}

// Former names are aliases in the palette, and no action has one of them.
func TestFormerNames(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	d.noteAt("20", "first")
	d.noteAt("60", "second")
	d.press(`\`)
	d.command("first-note")
	d.command("note-down")
	d.press("enter")
	d.cursorIs(60, 0)
	for former, name := range FormerNames() {
		if d.m.palette.Actions.Named(former) != nil || d.m.palette.Called(former) == nil ||
			d.m.palette.Called(former).Name != name {
			t.Errorf("%s is not an alias of %s", former, name)
		}
	}
	for _, e := range list.Verbs {
		if a := d.m.palette.Actions.Named(e.Name); a != nil && !slices.Equal(a.Keys, e.Keys) {
			t.Errorf("%s has the keys %v", e.Name, a.Keys)
		}
	}
}

// Narrowing shows the lines with a text while it is typed; Esc shows all again, then leaves the pane.
func TestNarrowingInPane(t *testing.T) {
	d := onTrace(t, 100, 30, traceA)
	d.noteAt("20", "early")
	d.noteAt("60", "late")
	d.press(`\`, "/")
	d.typed("LAT")
	d.sees("60 us  1.1.1  late", "/lat: 1 of 2")
	d.misses("20 us  1.1.1  early")
	d.press("esc")
	d.sees("1.1.1  early")
	d.press("/")
	d.typed("earl")
	d.press("enter", "enter")
	d.cursorIs(20, 0)
	d.press("esc")
	d.sees("1.1.1  late")
	if !d.m.PaneFocus {
		t.Error("Esc left the pane, not only the narrowed list")
	}
	if d.press("esc"); d.m.PaneFocus {
		t.Error("Esc does not leave the pane")
	}
}
