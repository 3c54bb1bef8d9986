package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// Without an argument the traces opened last are offered over the demo, the latest first; a chosen one replaces the
// demo, Esc keeps it.
func TestRecentTraces(t *testing.T) {
	dir := t.TempDir()
	a, b, file := filepath.Join(dir, "a.prv"), filepath.Join(dir, "b.prv"), filepath.Join(dir, "state", "recent.json")
	for _, path := range []string{a, b} {
		if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	demo := func() (*prv.Trace, error) { return traceOf(t, traceA), nil }
	d := drive(t, 100, 30, Options{Demo: demo, Recent: file})
	d.misses("Recent traces")
	for _, path := range []string{a, b, a} {
		drive(t, 100, 30, Options{Paths: []string{path}, Recent: file})
	}
	d = drive(t, 100, 30, Options{Demo: demo, Recent: file})
	d.sees("Recent traces")
	text := strings.Join(d.screen(), "\n")
	if i, k := strings.Index(text, "a.prv"), strings.Index(text, "b.prv"); i < 0 || k < i {
		t.Error("a.prv is not before b.prv")
	}
	d.press("down", "enter")
	if len(d.m.Windows) != 1 || d.m.Focused().Trace.Data.Path != b {
		t.Errorf("%d windows", len(d.m.Windows))
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	d = drive(t, 100, 30, Options{Demo: demo, Recent: file})
	d.misses("b.prv")
	d.press("esc")
	d.misses("Recent traces")
	d.sees("demo")
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	// a broken file causes no complaint
	drive(t, 100, 30, Options{Demo: demo, Recent: file}).misses("Recent traces")
}

// Traces of the folder are offered as well: at the start if there is one, and at any time with a key.
func TestTracesOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	file, demo := filepath.Join(dir, "recent.json"), func() (*prv.Trace, error) { return traceOf(t, traceA), nil }
	d := drive(t, 100, 30, Options{Demo: demo, Recent: file})
	d.misses("in this folder")
	d.press("alt+l")
	d.sees("none is in this folder")
	for _, name := range []string{"run.prv", "run.row"} {
		if err := os.WriteFile(name, []byte(traceA), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d = drive(t, 100, 30, Options{Demo: demo, Recent: file})
	d.sees("in this folder", "run.prv")
	d.misses("run.row")
	d.press("enter")
	if len(d.m.Windows) != 1 || filepath.Base(d.m.Focused().Trace.Data.Path) != "run.prv" {
		t.Errorf("%d windows on %s", len(d.m.Windows), d.m.Focused().Trace.Data.Path)
	}
}

// Simulations begin with the machine fitted to their own trace, whatever machine was chosen earlier for another trace;
// the list of machines offers that machine.
func TestLastMachine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recent.json")
	o := Options{Recent: file, Machine: "fitted", Demo: func() (*prv.Trace, error) { return traceOf(t, twoTasks), nil }}
	d := drive(t, 120, 40, o)
	d.press("s", "m")
	d.misses("used last")
	d.press("esc")
	d.command("simulate ethernet-1g")
	d.sees("run 2: ethernet-1g")

	d = drive(t, 120, 40, o)
	d.press("s")
	d.sees("run 1: fitted")
	d.press("m", "/")
	d.typed("ethernet-1g")
	d.sees("used last: ")
	d.press("enter")
	d.sees("run 2: ethernet-1g")
}
