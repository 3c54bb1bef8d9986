package tui

import (
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// An expression gives the same values as the function of the table, its window shows it, and a session restores it.
func TestUserFunctions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	table := drive(t, 120, 30, Options{Paths: []string{path}})
	table.command("function In State 1,3")
	table.command("level task")
	table.command("fold Average")
	table.command("compose Prod 2")

	d := drive(t, 120, 30, Options{Paths: []string{path}})
	d.command("function = state in [1, 3] ? 1 : 0")
	d.sees("= state in [1, 3] ? 1 : 0")
	d.command("level task")
	d.command("fold = sum(values) / n")
	d.command("compose = value * 2")
	if d.picture(0) != table.picture(0) {
		t.Errorf("\n%s\nand from the table\n%s", d.m.Windows[0].Paint.Picture.Plain(),
			table.m.Windows[0].Paint.Picture.Plain())
	}

	file := filepath.Join(dir, "s.session.json")
	d.command("save-session " + file)
	e := drive(t, 120, 30, Options{Session: file})
	if len(e.m.Windows) != 1 || !e.m.Windows[0].Setup.Equal(&d.m.Windows[0].Setup) || e.picture(0) != d.picture(0) {
		t.Error("the session does not bring it back")
	}
}

// Errors are reported, with their place, and change nothing; so are errors that only occur in the evaluation.
func TestWrongUserFunctions(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	before := d.m.Focused().Sem.Clone()
	d.command("function = stat == 1")
	d.sees(`column 1: unknown name "stat"; known: state`)
	d.command("compose = value *")
	d.sees("column 7: the expression is not complete")
	if now := d.m.Focused().Sem; !now.Equal(&before) {
		t.Errorf("it shows %s", now.Describe())
	}
	d.command("level task")
	d.command("fold = values[99]")
	d.sees("index out of range")
	d.command("fold Adding")
	d.misses("index out of range")
}

// The current expression can be edited, and names of variables are completed.
func TestEditUserFunction(t *testing.T) {
	d := onTrace(t, 120, 30, traceA)
	d.command("function = state == 1")
	d.press("V", "right")
	d.typed(" || next_v")
	d.press("tab")
	d.typed(" > 0")
	d.press("enter")
	c := d.m.Focused().Sem.Functions[prv.LevelThread]
	if want := "state == 1 || next_value > 0"; c.Name != semantic.UserFunction || c.Expression != want {
		t.Errorf("%+v, want %s", c, want)
	}
	d.press("V")
	d.sees("= state == 1")
}
