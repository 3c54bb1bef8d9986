package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
)

// While a trace is read the start screen shows the progress: 60 columns at a third are 20 full ones, in every set of
// colours. While the size is unknown, a spinner turns with the ticks.
func TestStartScreenShowsProgress(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ANSI, colorprofile.TrueColor} {
		for _, ascii := range []bool{false, true} {
			full, empty := "█", "─"
			if ascii {
				full, empty = "#", "-"
			}
			d := drive(t, 80, 24, Options{Profile: &profile, ASCII: &ascii})
			l := &loading{loadRequest: loadRequest{path: "big.prv"}, start: time.Now()}
			d.m.loader.current = l
			turning := strings.Join(d.screen(), "\n")
			d.send(tickMsg{})
			if strings.Join(d.screen(), "\n") == turning {
				t.Errorf("%v, ASCII %v: nothing turns while the size is not known", profile, ascii)
			}
			l.done.Store(100)
			l.total.Store(300)
			d.sees(strings.Repeat(full, 20)+strings.Repeat(empty, 40)+" ", "big.prv", "33 %", "Esc cancels")
			d.misses(strings.Repeat(full, 21))
			d.m.loader.current = nil
		}
	}
}

// Ctrl+O asks for a path, with completion; Ctrl+O again walks through folders, starting at the typed one; a chosen file
// opens, and / goes back to typing.
func TestOpenByWalking(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "runs", "a run.prv")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	d := onTrace(t, 100, 30, traceA)
	d.press("ctrl+o")
	d.sees("Ctrl+O chooses in a folder")
	d.typed(dir + "/")
	d.press("ctrl+o")
	d.sees("open", "runs")
	d.press("enter")
	d.sees("a run.prv")
	d.press("/")
	d.sees(filepath.Join(dir, "runs") + "/")
	d.press("ctrl+o", "enter")
	if len(d.m.Windows) != 2 || d.m.dialogs.Top() != nil || d.m.Traces[1].Data.Path != path {
		t.Errorf("%d windows after a trace was chosen", len(d.m.Windows))
	}
	d.press(":")
	d.press("ctrl+o") // no folders to walk through
	d.sees("command")
}
