package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// bodyOf returns a trace's file without header and comments.
func bodyOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line[0] != '#' {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// toolTrace returns a file with a trace of two tasks that ends at 100 us.
func toolTrace(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.prv")
	text := "#Paraver (01/01/2026 at 10:00):100:1(2):1:2(1:1,1:1)\n" +
		"1:1:1:1:1:0:50:1\n1:2:1:2:1:0:100:1\n2:1:1:1:1:10:40:7\n3:1:1:1:1:12:12:2:1:2:1:13:13:64:9\n" +
		"2:2:1:2:1:20:41:7\n1:1:1:1:1:50:100:3\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The selection is cut out, and opened in a window with its own time.
func TestCutSelection(t *testing.T) {
	path := toolTrace(t)
	out := filepath.Join(filepath.Dir(path), "run.chop1.prv")
	d := drive(t, 100, 24, Options{Paths: []string{path}})
	d.command("goto 10us")
	d.press("space")
	d.command("goto 59us")
	d.press("space", "ctrl+k")
	d.sees("cut the selection (50 us) to " + out) // the proposed name
	d.press("enter")
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	d.sees(fmt.Sprintf("written, %d B", info.Size()), "open it? "+out)
	// From 10 to 60 (the selection ends after its second mark) the states begin at 10 or end at 60; times count from
	// the first record, at 10.
	want :=
		"1:1:1:1:1:0:40:1\n1:2:1:2:1:0:50:1\n2:1:1:1:1:0:40:7\n3:1:1:1:1:2:2:2:1:2:1:3:3:64:9\n2:2:1:2:1:10:41:7\n" +
			"1:1:1:1:1:40:50:3"
	if got := bodyOf(t, out); got != want {
		t.Errorf("the cut is\n%s\nwant\n%s", got, want)
	}
	d.press("enter")
	d.sees("run.chop1.prv", "own time", "0 .. 50 us  (all)")
	// The file of an open trace is not overwritten.
	d.command("cut " + path)
	d.sees("is open: it is not overwritten")
}

// Hidden rows are not cut out.
func TestCutShownRows(t *testing.T) {
	path := toolTrace(t)
	out := filepath.Join(t.TempDir(), "part.prv.gz")
	d := drive(t, 100, 24, Options{Paths: []string{path}})
	d.command("rows 2")
	d.press("ctrl+k")
	d.sees("cut the view (100 us, the tasks that are shown) to ")
	d.press("esc")
	d.command("cut " + out)
	d.press("esc")
	tr, err := prv.Open(t.Context(), out, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := tr.Threads[0].States.Len(), tr.Threads[1].States.Len(); a != 0 || b != 1 {
		t.Errorf("%d and %d states, want those of the second row only", a, b)
	}
	d.misses("part.prv.gz")
}

// The filter of the window decides on events and messages.
func TestFilterTrace(t *testing.T) {
	path := toolTrace(t)
	out := filepath.Join(t.TempDir(), "part.prv")
	d := drive(t, 100, 24, Options{Paths: []string{path}})
	d.command("filter type=41 size>64")
	d.command("filter-trace " + out)
	if got, want := bodyOf(t, out),
		"1:1:1:1:1:0:50:1\n1:2:1:2:1:0:100:1\n2:2:1:2:1:20:41:7\n1:1:1:1:1:50:100:3"; got != want {
		t.Errorf("filtered:\n%s", got)
	}
}

// The object at the cursor is moved, and its messages with it.
func TestShiftTrace(t *testing.T) {
	path := toolTrace(t)
	out := filepath.Join(t.TempDir(), "part.prv")
	d := drive(t, 100, 24, Options{Paths: []string{path}})
	d.press("j")
	d.command("shift-trace 5us " + out)
	if got, want := bodyOf(t, out),
		"1:1:1:1:1:0:50:1\n1:2:1:2:1:5:105:1\n2:1:1:1:1:10:40:7\n3:1:1:1:1:12:12:2:1:2:1:18:18:64:9\n"+
			"2:2:1:2:1:25:41:7\n1:1:1:1:1:50:100:3"; got != want {
		t.Errorf("shifted:\n%s", got)
	}
	d.press("esc", "k")
	d.command("shift-trace -1us " + filepath.Join(t.TempDir(), "before.prv"))
	d.sees("was not written", "a record would be at -1")
}

// A trace without a file is written from memory.
func TestToolsOnDemo(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	d := drive(t, 100, 24, Options{Demo: func() (*prv.Trace, error) {
		tr, err := prv.Open(t.Context(), toolTrace(t), prv.Options{})
		tr.Path = ""
		return tr, err
	}})
	d.command("cut part.prv")
	if got := bodyOf(t, filepath.Join(dir, "part.prv")); strings.Count(got, "\n") != 5 {
		t.Errorf("the cut of all is\n%s", got)
	}
	d.press("esc")
	d.command("save-trace all.prv.gz")
	d.press("enter")
	d.sees("all.prv.gz")
}
