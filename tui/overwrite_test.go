package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An existing file is not replaced without a question; a file that pview wrote is.
func TestOverwriting(t *testing.T) {
	d, _ := onSimulator(t, 100, 40, twoTasks)
	base := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(base+".cfg", []byte("windows that took an hour\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text := func() string {
		b, err := os.ReadFile(base + ".cfg")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, key := range []string{"esc", "n"} {
		d.command("save-prediction " + base)
		d.sees("run.cfg exists already", "Enter overwrites, Esc does not")
		d.press(key)
		if key == "n" {
			d.press("enter")
		}
		d.misses("saved")
		if !strings.HasPrefix(text(), "windows") {
			t.Fatalf("%s: it was overwritten", key)
		}
	}
	d.command("save-prediction " + base)
	d.press("enter")
	d.sees("machine saved as", "run.prv")
	if strings.HasPrefix(text(), "windows") {
		t.Error("it was not written")
	}
	d.press("+")
	d.command("save-prediction " + base) // its own files, again
	d.sees("machine saved as", "run.prv")
	d.misses("exists already")
}
