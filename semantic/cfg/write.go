// Writing.

package cfg

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"pview/prv"
	"pview/semantic"
)

// Write writes a file that Paraver accepts. It also writes parents of derived windows and windows of histograms that
// are not among the file's own, as windows that are not open. It fails if a window derives from another trace's, which
// a .cfg cannot express.
func Write(out io.Writer, f *File) error {
	w := &writer{at: map[*semantic.Window]int{}}
	if err := w.arrange(f); err != nil {
		return err
	}
	w.head(f)
	for _, win := range w.windows {
		w.window(win)
	}
	for _, h := range f.Histograms {
		w.histogram(h)
	}
	_, err := out.Write(w.text.Bytes())
	return err
}

// writer is the state of writing.
type writer struct {
	text    bytes.Buffer
	windows []*Window // in order, parents first
	at      map[*semantic.Window]int
	visited map[*semantic.Window]bool
}

// arrange puts the windows in an order in which parents come first.
func (w *writer) arrange(f *File) error {
	w.visited = map[*semantic.Window]bool{}
	own := map[*semantic.Window]*Window{}
	for _, win := range f.Windows {
		own[&win.Window] = win
	}
	for _, win := range f.Windows {
		if err := w.place(&win.Window, own); err != nil {
			return err
		}
	}
	for _, h := range f.Histograms {
		for _, win := range []*semantic.Window{h.Control, h.Data, h.Third} {
			if win == nil {
				continue
			}
			if err := w.place(win, own); err != nil {
				return err
			}
		}
	}
	return nil
}

// place appends a window after its parents, unless it is already there.
func (w *writer) place(s *semantic.Window, own map[*semantic.Window]*Window) error {
	if w.at[s] != 0 {
		return nil
	}
	if w.visited[s] {
		return fmt.Errorf("window %q is derived from itself", s.Name)
	}
	w.visited[s] = true
	if d := s.Derived; d != nil {
		for _, p := range []*semantic.Parent{&d.A, &d.B} {
			if p.Trace != nil {
				return fmt.Errorf("window %q is derived from a window on another trace, which a .cfg cannot express",
					s.Name)
			}
			if err := w.place(p.Window, own); err != nil {
				return err
			}
		}
	}
	win := own[s]
	if win == nil {
		win = NewWindow(*s)
		win.View.Open = false
	}
	w.windows = append(w.windows, win)
	w.at[s] = len(w.windows)
	w.at[&win.Window] = len(w.windows)
	return nil
}

// position returns the number of a window in the file, from 1.
func (w *writer) position(win *Window) int { return w.at[&win.Window] }

func (w *writer) positionOf(s *semantic.Window) int { return w.at[s] }

func (w *writer) line(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	w.text.WriteString(strings.TrimRight(s, " "))
	w.text.WriteByte('\n')
}

func (w *writer) head(f *File) {
	version := prv.Clean(f.Version)
	if version == "" {
		version = currentVersion
	}
	w.line("#ParaverCFG")
	w.line("ConfigFile.Version: %s", version)
	w.line("ConfigFile.NumWindows: %d", len(w.windows))
	w.line("ConfigFile.BeginDescription")
	for _, line := range strings.Split(f.Description, "\n") {
		line = prv.Clean(line)
		switch strings.TrimSpace(line) {
		case "ConfigFile.EndDescription", "end_description":
			line = "# " + line // else the description would end here
		}
		w.text.WriteString(line + "\n")
	}
	w.line("ConfigFile.EndDescription")
	if f.CFG4D {
		w.line("CFG4D_ENABLED")
	}
	w.lines(f.Other)
}

func (w *writer) lines(list []Line) {
	for _, l := range list {
		w.line("%s %s", l.Key, l.Text)
	}
}

const ruler = "################################################################################"

func (w *writer) window(win *Window) {
	name := prv.Clean(win.Name)
	w.line("")
	w.line(ruler)
	w.line("< NEW DISPLAYING WINDOW %s >", name)
	w.line(ruler)
	w.line("window_name %s", name)
	writeKeys(w, windowKeys, win, blankWindow(), win.Other)
}

func (w *writer) histogram(h *Histogram) {
	w.line("")
	w.line("< NEW ANALYZER2D >")
	writeKeys(w, histogramKeys, h, blankHistogram(), h.Other)
}

// writeKeys writes the keys of t, and then the kept lines. A kept line with a known key had a value that could not be
// read: it replaces the key, unless the key's value has changed since.
func writeKeys[T any](w *writer, table []key[T], t, initial *T, kept []Line) {
	for _, k := range table {
		texts := k.write(w, t)
		if slices.ContainsFunc(kept, func(l Line) bool {
			return l.Key == k.name
		}) && slices.Equal(texts, k.write(w, initial)) {
			continue
		}
		for _, text := range texts {
			w.line("%s %s", k.name, text)
		}
	}
	w.lines(kept)
}
