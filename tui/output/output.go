// Package output writes files from the viewer: pictures of the screen, Paraver's .cfg files, and traces, with the trace
// tools applied to what is in view. Files are written in the background. A file that pview did not write is replaced
// only after a question.
package output

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	"pview/render/timeline"
	"pview/semantic/cfg"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Writer writes the files of a desk.
type Writer struct {
	// Figure returns a picture of the part in focus, and its name
	Figure func() (fig *picture.Figure, name string, err error)
	// Histograms returns the histograms of a window; made are the windows of the file by id
	Histograms func(w *timeline.View, made map[int]*cfg.Window) []*cfg.Histogram
	// Open opens a trace that was written
	Open func(path string) tea.Cmd

	desk    *desk.Desk
	sc      *pane.Scene
	wrote   map[string]bool // files that were written, by absolute path
	writers sync.WaitGroup
	trace   *writing // a trace that is being written; nil for none
}

// New returns the writer of a desk.
func New(d *desk.Desk, sc *pane.Scene) *Writer {
	return &Writer{desk: d, sc: sc, wrote: map[string]bool{}}
}

// Overwrite runs write, after a question if it would replace files that pview did not write: proposed names lie beside
// the trace, where users keep their own .cfg files.
func (o *Writer) Overwrite(write func() tea.Cmd, files ...string) tea.Cmd {
	var names []string
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !o.wrote[paths.Absolute(path)] {
			names = append(names, filepath.Base(path))
		}
	}
	accept := func(text string) tea.Cmd {
		if !dialog.Agreed(text) {
			o.sc.Say("nothing was written")
			return nil
		}
		for _, path := range files {
			o.wrote[paths.Absolute(path)] = true
		}
		return write()
	}
	if names == nil {
		return accept("")
	}
	return o.sc.Dialogs.Open(&dialog.Prompt{Label: strings.Join(names, ", ") + " exists already ",
		Hint: "Enter overwrites, Esc does not", Accept: accept})
}

// Wait lets running writers finish, or remove their half-written files, when the program ends.
func (o *Writer) Wait() {
	gone := make(chan struct{})
	go func() {
		o.writers.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
	}
}

// base returns the path of the trace in focus without its ending; of a trace without a file, such as a prediction, its
// name.
func (o *Writer) base() string {
	t := o.desk.Focused().Trace
	if t.Data.Path != "" {
		return prv.Base(t.Data.Path)
	}
	return strings.NewReplacer(" ", "-", "/", "-").Replace(prv.Base(t.Name))
}

// sizeOf returns ", SIZE" of a file; "" if unknown.
func sizeOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return ", " + quantity.Bytes.Round(float64(info.Size()), 3)
}
