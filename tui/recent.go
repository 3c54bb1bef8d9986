package tui

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/tui/dialog"
	"pview/tui/timeline"
)

// Traces that were opened last, and the machine that was simulated last, kept in a file from one start to the next. Without an
// argument pview offers the traces over the demo; simulations begin with the machine.

var recentActions = []deed{
	{Name: "recent", Group: groupWindows, Doc: "choose among the traces that were opened last", run: openRecent},
}

const mostRecent = 20

// recent is what is kept. Commands in the background write it.
type recent struct {
	path string // of the file; "": nothing is kept
	mu   sync.Mutex
	kept lately
}

// lately is the file: the last trace first.
type lately struct {
	Traces  []string `json:"traces,omitempty"`
	Machine string   `json:"machine,omitempty"`
}

// readRecent reads the file. A missing or broken one is an empty one: it is only a convenience.
func readRecent(path string) *recent {
	r := &recent{path: path}
	if path == "" {
		return r
	}
	if text, err := os.ReadFile(path); err != nil || json.Unmarshal(text, &r.kept) != nil {
		r.kept = lately{}
	}
	return r
}

// LastMachine returns the machine that was simulated last according to a file; "" for none.
func LastMachine(path string) string { return readRecent(path).kept.Machine }

// note changes what is kept, and writes it in the background.
func (r *recent) note(change func(*lately)) tea.Cmd {
	if r.path == "" {
		return nil
	}
	r.mu.Lock()
	change(&r.kept)
	r.mu.Unlock()
	return func() tea.Msg {
		r.mu.Lock()
		defer r.mu.Unlock()
		if os.MkdirAll(filepath.Dir(r.path), 0o755) != nil {
			return nil // a home that cannot be written to: nothing is offered next time
		}
		_ = prv.SaveFile(r.path, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			return e.Encode(&r.kept)
		})
		return nil
	}
}

// opened notes a trace of a file.
func (r *recent) opened(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	path = absolute(path)
	return r.note(func(l *lately) {
		l.Traces = slices.DeleteFunc(l.Traces, func(p string) bool { return p == path })
		l.Traces = slices.Insert(l.Traces, 0, path)
		l.Traces = l.Traces[:min(len(l.Traces), mostRecent)]
	})
}

// offerRecent opens the list over the demo trace, when the program has just begun with that.
func (m *Model) offerRecent() tea.Cmd {
	if len(m.recent.kept.Traces) == 0 || len(m.Windows) != 1 || m.Windows[0].Trace.Data.Path != "" || m.options.Session != "" {
		return nil
	}
	return openRecent(m, "")
}

func openRecent(m *Model, _ string) tea.Cmd {
	list := &dialog.Picker{Title: "Recent traces", Empty: "no trace was opened yet"}
	for _, path := range m.recent.kept.Traces {
		list.Items = append(list.Items, dialog.Item{Text: filepath.Base(path), Detail: filepath.Dir(path), Also: path, Data: path})
	}
	list.Keys = []dialog.Key{
		{Press: "enter", Word: "open", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it == nil {
				return nil
			}
			m.closeDemo()
			return openCommand(m, it.Data.(string))
		}},
		{Press: "ctrl+o", Word: "another file", Run: func(*dialog.Picker, *dialog.Item) tea.Cmd {
			return m.browse(m.actions.Named("open"), "")
		}},
	}
	return m.dialogs.Open(list)
}

// closeDemo closes the demo trace where nothing else is open: it made way for a trace of the user's.
func (m *Model) closeDemo() {
	if len(m.Windows) == 0 || slices.ContainsFunc(m.Windows, func(w *timeline.View) bool { return w.Trace.Data.Path != "" || w.Trace.Derived || w.Trace.Predicted }) {
		return
	}
	for _, w := range slices.Clone(m.Windows) {
		m.dropWindow(w)
	}
}
