package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/tui/pane/notes"
)

// noteAt puts a note at a time of the row in focus.
func (d *driver) noteAt(time, text string) {
	d.t.Helper()
	d.goTo(time)
	d.press(`"`)
	d.typed(text)
	d.press("enter")
}

// cursorIs checks where the cursor of the window in focus is.
func (d *driver) cursorIs(time int64, row int) {
	d.t.Helper()
	if w := d.m.Focused(); w.Cursor != time || w.CursorRow != row {
		d.t.Errorf("the cursor is at %d in row %d, want %d in row %d", w.Cursor, w.CursorRow, time, row)
	}
}

// Notes are listed by time, visited, changed and deleted.
func TestNotes(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.press(`\`)
	d.sees("no notes on this trace yet")
	d.press(`\`)
	d.goTo("60")
	d.press("down", `"`)
	d.sees("note at 60 us, THREAD 1.2.1: ")
	d.typed("late")
	d.press("enter", "up")
	d.noteAt("20", "first")
	d.noteAt("60", "above")
	d.goTo("0")

	d.press(";")
	d.cursorIs(20, 0)
	d.sees("first")
	d.press(";", ";") // two notes at 60 us
	if w := d.m.Focused(); w.Cursor != 60 {
		t.Errorf("the cursor is at %d", w.Cursor)
	}
	d.press(";")
	d.sees("no note after the cursor")
	d.press(",", ",")
	d.cursorIs(20, 0)
	d.press(",")
	d.sees("no note before the cursor")

	d.press(`\`)
	d.sees("3 notes", "20 us  1.1.1  first", "60 us  1.2.1  late", "60 us  1.1.1  above")
	d.press("end", "home", "down", "enter")
	d.cursorIs(60, 1)
	d.press("f2")
	d.typed("r")
	d.press("enter")
	d.sees("later")
	d.press("x")
	d.sees("2 notes", "the note is deleted: later")
	d.press("esc", `"`) // there is no note here now
	d.misses("later")
	d.press("esc")
	d.noteAt("20", " of all") // in row 1: another place
	d.press("up", `"`, "right")
	d.typed(" of all") // at the same place: the text is changed
	d.press("enter")
	d.sees("3 notes", "first of all")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the notes")
	}
}

// The timelines show where notes are, at every level.
func TestNotesAreMarked(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	point := string(raster.UTF8.Point)
	count := func() int { return strings.Count(strings.Join(d.screen(), ""), point) }
	d.noteAt("60", "here") // a mark in its row; on the axis the cursor hides the other
	if count() != 1 {
		t.Errorf("%d marks for a note at the cursor", count())
	}
	d.goTo("0")
	d.sees(point + "60 us") // on the axis: the note replaces the tick
	if count() != 2 {
		t.Errorf("%d marks for one note", count())
	}
	d.command("level task")
	if count() != 2 {
		t.Errorf("%d marks at the level of tasks", count())
	}
	d.command("rows 2")
	if count() != 1 {
		t.Errorf("%d marks, but the row is hidden", count())
	}
	d.press(";")
	d.sees("1.1.1 is not a row of this window")
	d.cursorIs(60, 0)
}

// On the axis, times leave a note room for only a part of its text.
func TestNotesOnTheAxis(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.noteAt("66", "ok")
	d.noteAt("56", "much too long for that")
	d.goTo("0")
	point := string(raster.UTF8.Point)
	d.sees("╵50 us " + point + "    ╵60 us" + point + "ok  ╵")
}

// A click chooses a note, a second one goes to it.
func TestNotesMouse(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.noteAt("20", "first")
	d.noteAt("60", "second")
	d.press(`\`)
	for y, line := range d.screen() {
		if strings.Contains(line, "first") {
			click := tea.MouseClickMsg{X: 30, Y: y, Button: tea.MouseLeft}
			d.send(click)
			d.cursorIs(60, 0)
			d.send(click)
			d.cursorIs(20, 0)
			return
		}
	}
	t.Error("the note is not listed")
}

// A session keeps the notes; it reports a note whose object the trace lacks.
func TestNotesInASession(t *testing.T) {
	dir := t.TempDir()
	path, file := filepath.Join(dir, "a.prv"), filepath.Join(dir, "s.session.json")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 40, Options{Paths: []string{path}})
	d.press("down")
	d.noteAt("60", `a "quoted" note`)
	d.press(`\`)
	d.command("save-session " + file)
	e := drive(t, 120, 40, Options{Session: file})
	e.sees("1 note", `60 us  1.2.1  a "quoted" note`)
	if e.m.panes.current().Title() != notes.Title {
		t.Errorf("the session opens %s", e.m.panes.current().Title())
	}
	wrong := strings.Replace(readText(t, file), `"object": 2`, `"object": 99`, 1)
	if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	e = drive(t, 120, 40, Options{Session: file})
	e.sees("1 note of the session: a.prv has no such time or object", "no notes on this trace yet")
}

// The history lists the window's contents; Enter goes to any of them, also to undone ones.
func TestHistory(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.command("view 20 60")
	d.command("level task")
	d.command("rows 2")
	d.press("u", "N", "tab")
	d.sees("Notes  History  Problems", "0 .. 100 us  first: State As Is · thread", "20 .. 60 us  zoom in to 40 us",
		"▸ 20 .. 60 us  State As Is · task", "20 .. 60 us  1 row from 1.2")
	w := d.m.Focused()
	d.press("home", "enter")
	if w.Begin != 0 || w.End != 100 || w.Sem.Level != prv.LevelThread || len(w.History.Future) != 3 {
		t.Errorf("first: %d to %d, %v, %d steps undone", w.Begin, w.End, w.Sem.Level, len(w.History.Future))
	}
	d.press("end", "enter")
	if w.Begin != 20 || w.End != 60 || w.Sem.Level != prv.LevelTask || len(w.Objects) != 1 {
		t.Errorf("last: %d to %d, %v, objects %v", w.Begin, w.End, w.Sem.Level, w.Objects)
	}
	d.press("x") // there is no note to delete
	if len(w.History.Past) != 3 {
		t.Errorf("%d steps", len(w.History.Past))
	}
	d.press("/")
	d.typed("zoom")
	d.press("enter")
	d.misses("first: State")
	d.press("esc", "esc")
	if d.m.PaneFocus {
		t.Error("Esc does not leave the page")
	}
	d.command("workspace notes problems")
	d.sees("no problems")
	d.command("notes history")
	d.sees("first: State")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		d.checkSize(size[0], size[1], "the history")
	}
}

// Closing a trace closes its notes.
func TestNotesOfAClosedTrace(t *testing.T) {
	d := onTrace(t, 120, 40, traceA)
	d.noteAt("60", "here")
	tr := d.m.Focused().Trace
	d.press("ctrl+x")
	if len(d.m.Traces) != 0 {
		t.Fatal("the trace is open")
	}
	for _, p := range d.m.panes.list {
		if p.Title() == notes.Title {
			if part, err := p.Save(append(d.m.Traces, tr)); part != nil || err != nil {
				t.Errorf("notes of a closed trace: %s %v", part, err)
			}
		}
	}
}
