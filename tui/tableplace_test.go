package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// manyStates returns a run of n tasks that spend 100 ns in each of the states 1 to states.
func manyStates(n, states int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "#Paraver (01/01/2024 at 00:00):%d_ns:1(%d):1:%d(%s)\n", 100*states, n, n,
		strings.TrimSuffix(strings.Repeat("1:1,", n), ","))
	for i := range states {
		for task := range n {
			fmt.Fprintf(&s, "1:%d:1:%d:1:%d:%d:%d\n", task+1, task+1, 100*i, 100*i+100, i+1)
		}
	}
	return s.String()
}

// cellText returns the line of the analyzer about the cell at the cursor, and the names of the first row and column on
// the screen.
func (d *driver) cellText() string {
	d.t.Helper()
	a, s := d.analyzer().Shown(), d.sheetOf()
	r := d.m.screen().layout().pane
	lines := d.screen()[r.Y : r.Y+r.H]
	return strings.Join(strings.Fields(lines[r.H-1]), " ") + " from " +
		regexp.MustCompile(`THREAD \S+`).FindString(strings.Join(lines[1:r.H-1], " ")) + " of " + s.Rows[a.Row].Name
}

// A session restores the state of a table: the cell of the cursor, and the scroll position. So do a copy of the table,
// and a reopened window.
func TestTheCellOfATableIsKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	writeFile(t, path, manyStates(40, 16))
	file := filepath.Join(dir, "s.session.json")
	for _, c := range []struct{ name, keys string }{
		{"the usual table", ""},
		{"numbers", "cell-look numbers"},
		{"a picture", "cell-look picture"},
		{"transposed", "transpose"},
		{"sorted", "sort-rows"},
		{"the functions", "analyze Analyzer functions"},
	} {
		d := drive(t, 80, 24, Options{Paths: []string{path}})
		d.press("a")
		if c.keys != "" {
			d.command(c.keys)
		}
		d.press("right", "right", "pgdown", "down", "down", "up")
		d.resize(80, 24)
		want := d.cellText()
		d.command("save-session " + file)

		e := drive(t, 80, 24, Options{Session: file})
		if got := e.cellText(); got != want {
			t.Errorf("%s: the session shows %q, not %q", c.name, got, want)
		}
		e.command("save-session " + file) // not looked at again
		e = drive(t, 80, 24, Options{Session: file})
		if got := e.cellText(); got != want {
			t.Errorf("%s: the session of the session shows %q, not %q", c.name, got, want)
		}

		d.command("new-table")
		if got := d.cellText(); got != want {
			t.Errorf("%s: the copy shows %q, not %q", c.name, got, want)
		}
		d.command("close-table")
		d.press("esc", "ctrl+t") // another window to close last, so that the first can be closed
		d.m.Focus = 0
		d.command("close")
		d.command("undo")
		d.m.Focus = 0
		d.resize(80, 24)
		if got := d.cellText(); got != want {
			t.Errorf("%s: the window that comes back shows %q, not %q", c.name, got, want)
		}
	}
}

// A session saved while a table was hidden keeps its cell, too; if the cell is gone, or none was saved, the table
// starts at its usual one.
func TestACellThatIsGone(t *testing.T) {
	dir := t.TempDir()
	path, file := filepath.Join(dir, "a.prv"), filepath.Join(dir, "s.session.json")
	writeFile(t, path, manyStates(40, 16))
	d := drive(t, 80, 24, Options{Paths: []string{path}})
	d.press("a")
	first := d.cellText()
	d.press("right", "down", "down", "down")
	want := d.cellText()
	if want == first {
		t.Fatal("the cursor did not move")
	}
	d.m.panes.open, d.m.PaneFocus = false, false
	d.command("save-session " + file)
	e := drive(t, 80, 24, Options{Session: file})
	e.command("save-session " + file)
	e = drive(t, 80, 24, Options{Session: file})
	e.press("a")
	if got := e.cellText(); got != want {
		t.Errorf("a table that nobody looked at shows %q, not %q", got, want)
	}

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cell := regexp.MustCompile(`,\s*"cell": \{[^}]*\}`)
	if !cell.Match(text) {
		t.Fatalf("no cell in the session:\n%s", text)
	}
	for name, is := range map[string]string{
		"an old session":  "",
		"no such row":     `, "cell": {"row": 99, "column": 1, "first_row": 0, "first_column": 0}`,
		"no such column":  `, "cell": {"row": 1, "column": 99, "first_row": 0, "first_column": 0}`,
		"negative":        `, "cell": {"row": -1, "column": -1, "first_row": -7, "first_column": -7}`,
		"no such corners": `, "cell": {"row": 0, "column": 16, "first_row": 99, "first_column": 99}`,
	} {
		writeFile(t, file, cell.ReplaceAllString(string(text), is))
		e := drive(t, 80, 24, Options{Session: file})
		e.press("a")
		if got := e.cellText(); got != first {
			t.Errorf("%s: %q, not %q", name, got, first)
		}
		if e.m.scene.Messages.Text != "" {
			t.Errorf("%s: %q is said", name, e.m.scene.Messages.Text)
		}
	}
}
