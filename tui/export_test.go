package tui

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// export writes the windows on the screen or the analyzer's table, whichever has the focus; it does not replace a
// foreign file without a question.
func TestExport(t *testing.T) {
	d := onTrace(t, 100, 40, twoTasks)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	d.command("export " + path)
	d.sees("timelines saved as")
	if text := read(path); !strings.Contains(text, ">THREAD 1.2.1<") || strings.Contains(text, "Avg/Max") {
		t.Errorf("it is not the window: %s", text)
	}
	d.press("a")
	d.command("export " + path) // its own file, again
	d.misses("exists already")
	d.sees("Analyzer saved as")
	if text := read(path); !strings.Contains(text, "Avg/Max") || strings.Contains(text, "State As Is") {
		t.Errorf("it is not the table: %s", text)
	}
	d.press("esc")
	d.command("export " + path)
	if text := read(path); strings.Contains(text, "Avg/Max") || !strings.Contains(text, "State As Is") {
		t.Errorf("it is not the window: %s", text)
	}
	d.press("a")
	foreign := filepath.Join(dir, "mine.png")
	if err := os.WriteFile(foreign, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.command("export " + foreign + " 700x500")
	d.sees("mine.png exists already")
	d.press("esc")
	if read(foreign) != "precious" {
		t.Fatal("it was replaced")
	}
	d.command("export " + foreign + " 700x500")
	d.press("enter")
	if img, err := png.DecodeConfig(bytes.NewReader([]byte(read(foreign)))); err != nil || img.Width != 700 ||
		img.Height != 500 {
		t.Errorf("%v, %v", img, err)
	}
	d.command("export " + filepath.Join(dir, "a.gif"))
	d.sees("ends in one of .svg, .png, .pdf, .html")
}
