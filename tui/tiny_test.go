package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// From 1x1 to 10x5 something is always visible, whatever is open, and never half of a box.
func TestNothingIsTooSmall(t *testing.T) {
	states := [][]string{{}, {"i"}, {"a"}, {"s"}, {"U"}, {`\`}, {"Q"}, {"B"}, {"="}, {"P"}, {"P", "enter"}, {"v"},
		{"v", "x", "x", "x"}, {":"}, {":", "u", "n"}, {"g"}, {"g", "5", "0"}, {"?"}, {"?", "/", "z"},
		{"/"}, {"f3"}, {"ctrl+o"}, {"alt+b"}, {"alt+n"}, {"ctrl+d"}, {"Z"}, {"+", "+", "+", "+", "+"}}
	step := 1
	if testing.Short() {
		step = 4
	}
	for w := 1; w <= 10; w += step {
		for h := 1; h <= 5; h++ {
			for _, keys := range states {
				d := onTrace(t, w, h, twoTasks)
				d.press(keys...)
				d.checkSomething(w, h, fmt.Sprint(keys))
			}
			drive(t, w, h, Options{}).checkSomething(w, h, "no trace")
			d := drive(t, w, h, Options{Paths: []string{"/no/such/trace.prv"}})
			d.checkSomething(w, h, "an error")
		}
	}
}

func (d *driver) checkSomething(w, h int, what string) {
	d.t.Helper()
	d.checkSize(w, h, what)
	screen := strings.Join(d.screen(), "\n")
	if rows := d.m.Focused() != nil && d.m.dialogs.Top() == nil && !d.m.PaneFocus; strings.TrimSpace(screen) == "" &&
		!(rows && strings.Contains(d.styled(), "48;2;")) {
		d.t.Errorf("%dx%d %s: nothing to be seen", w, h, what)
	}
	corners := [4]int{strings.Count(screen, "╭"), strings.Count(screen, "╮"), strings.Count(screen, "╰"),
		strings.Count(screen, "╯")}
	if corners != [4]int{} {
		d.t.Errorf("%dx%d %s: a box without room for its contents:\n%s", w, h, what, screen)
	}
}

// The first characters on the smallest screens.
func TestTinyWords(t *testing.T) {
	for _, c := range []struct {
		w, h int
		keys []string
		want string
	}{
		{1, 1, []string{"a"}, "A"},     // Analyzer
		{5, 1, []string{"a"}, "Analy"}, // the title of the pane
		{1, 1, []string{"v"}, "S"},
		{1, 1, []string{":"}, ":"},                        // the prompt
		{5, 2, []string{"g", "5", "0"}, "50"},             // no room for its label, goto
		{10, 3, []string{"g", "5"}, "goto 5"},             // with it
		{5, 2, []string{"v", "/", "u", "s", "e"}, "/use"}, // what was typed, above what fits
		{10, 2, []string{"v"}, "State As …"},              // the chosen view
	} {
		d := onTrace(t, c.w, c.h, twoTasks)
		d.press(c.keys...)
		d.sees(c.want)
	}
	d := drive(t, 7, 3, Options{})
	d.sees("No", "trace", "is open")
	d = onTrace(t, 6, 3, twoTasks)
	d.m.scene.Say("saved as run.session.json")
	if rows := d.screen(); strings.TrimSpace(rows[0]) == "" || rows[1] != "saved " ||
		!strings.HasPrefix(rows[2], "as") {
		t.Errorf("%q", rows)
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.sees("saved as run.session.json", "1.1.1")
}
