// Package recent keeps the traces opened last, and the machine simulated last, in a file between starts. Without an
// argument pview offers the traces over the demo, and those of the folder; the list of machines offers the machine.
package recent

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/exact"
	"pview/tui/dialog"
	"pview/tui/paths"
)

// maxTraces limits the kept traces.
const maxTraces = 20

// File is the file. Commands write it in the background.
type File struct {
	path string // "": keep nothing
	mu   sync.Mutex
	kept kept
}

// kept is the contents of the file.
type kept struct {
	Traces  []exact.Text `json:"traces,omitempty"` // the latest first
	Machine exact.Text   `json:"machine,omitempty"`
}

// Read reads a file. A missing or broken one counts as empty: it is only a convenience.
func Read(path string) *File {
	f := &File{path: path}
	if path == "" {
		return f
	}
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &f.kept) != nil {
		f.kept = kept{}
	}
	return f
}

// Machine returns the machine that was simulated last; "" for none.
func (f *File) Machine() string { return string(f.kept.Machine) }

// UseMachine notes the machine that was simulated last.
func (f *File) UseMachine(name string) tea.Cmd {
	return f.note(func() { f.kept.Machine = exact.Text(name) })
}

// Opened notes a trace of a file; "" is ignored.
func (f *File) Opened(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	path = paths.Absolute(path)
	return f.note(func() {
		others := slices.DeleteFunc(slices.Clone(f.kept.Traces), func(p exact.Text) bool { return string(p) == path })
		f.kept.Traces = append([]exact.Text{exact.Text(path)}, others[:min(len(others), maxTraces-1)]...)
	})
}

// note changes the contents, and writes them in the background.
func (f *File) note(change func()) tea.Cmd {
	if f.path == "" {
		return nil
	}
	f.mu.Lock()
	change()
	f.mu.Unlock()
	return func() tea.Msg {
		f.mu.Lock()
		defer f.mu.Unlock()
		if os.MkdirAll(filepath.Dir(f.path), 0o755) != nil {
			return nil // a read-only home: the next start offers nothing
		}
		_ = prv.SaveFile(f.path, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			return e.Encode(&f.kept)
		})
		return nil
	}
}

// List returns a function that lists the kept traces that still exist, and those of the working folder, by their
// endings. It may take long: folders may be on a slow file system.
func (f *File) List(endings []string) func() []dialog.Item {
	var last []string
	for _, path := range f.kept.Traces {
		last = append(last, string(path))
	}
	return func() (items []dialog.Item) {
		add := func(path string) {
			items = append(items,
				dialog.Item{Text: filepath.Base(path), Detail: filepath.Dir(path), Also: path, Data: path})
		}
		for _, path := range last {
			if paths.Exists(path) {
				add(path)
			}
		}
		folder, err := filepath.Abs(".")
		if err != nil {
			return items
		}
		entries, _ := os.ReadDir(folder) // an unreadable folder offers none
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			isTrace := slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(path, end) })
			if isTrace && !e.IsDir() && !slices.Contains(last, path) {
				add(path)
			}
		}
		return items
	}
}
