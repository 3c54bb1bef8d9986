package tui

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
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/paths"
)

// Traces that were opened last, and the machine that was simulated last, kept in a file from one start to the next.
// Without an argument pview offers the traces over the demo, and those of the folder; simulations begin with the
// machine.

var recentActions = []deed{
	{Name: "recent", Group: groupWindows, Keys: []string{"alt+l"},
		Doc: "choose among the traces that were opened last and those of this folder", run: openRecent},
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

// recentMsg is what the list of traces shows: those of the last starts that still exist, and those of this folder.
type recentMsg struct {
	items   []dialog.Item
	atStart bool // unasked: only where there is something to choose, and nothing else has begun
}

func (msg recentMsg) tell(m *Model) tea.Cmd {
	if msg.atStart && (len(msg.items) == 0 || m.dialogs.Top() != nil || !m.onlyDemo()) {
		return nil
	}
	return m.dialogs.Open(&dialog.Picker{Title: "Recent traces, and those of this folder", Items: msg.items,
		Empty: "no trace was opened yet, and none is in this folder", Keys: []dialog.Key{
			{Press: "enter", Word: "open", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
				if it == nil {
					return nil
				}
				m.closeDemo()
				return openCommand(m, it.Data.(string))
			}},
			{Press: "ctrl+o", Word: "another folder", Run: func(*dialog.Picker, *dialog.Item) tea.Cmd {
				return m.browse(m.actions.Named("open"), "")
			}},
		}})
}

// offerRecent opens the list over the demo trace, when the program has just begun with that.
func (m *Model) offerRecent() tea.Cmd {
	if m.options.Recent == "" || m.options.Session != "" || !m.onlyDemo() {
		return nil
	}
	return m.listRecent(true)
}

func openRecent(m *Model, _ string) tea.Cmd { return m.listRecent(false) }

// listRecent looks in the background which traces there are: folders may be on a slow file system.
func (m *Model) listRecent(atStart bool) tea.Cmd {
	last, endings := slices.Clone(m.recent.kept.Traces), m.actions.Named("open").Files
	return func() tea.Msg {
		var items []dialog.Item
		item := func(path string) dialog.Item {
			return dialog.Item{Text: filepath.Base(path), Detail: filepath.Dir(path), Also: path, Data: path}
		}
		for _, path := range last {
			if paths.Exists(path) {
				items = append(items, item(path))
			}
		}
		folder, err := filepath.Abs(".")
		if err != nil {
			return recentMsg{items, atStart}
		}
		entries, _ := os.ReadDir(folder) // of a folder that cannot be read none is offered
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			if isTrace := slices.ContainsFunc(endings, func(end string) bool {
				return strings.HasSuffix(path, end)
			}); isTrace && !e.IsDir() && !slices.Contains(last, path) {
				items = append(items, item(path))
			}
		}
		return recentMsg{items, atStart}
	}
}

// onlyDemo says whether windows are open, and all of them on the demo trace.
func (m *Model) onlyDemo() bool {
	return len(m.Windows) > 0 && !slices.ContainsFunc(m.Windows, func(w *timeline.View) bool {
		return w.Trace.Data.Path != "" || w.Trace.Derived || w.Trace.Predicted
	})
}

// closeDemo closes the demo trace where nothing else is open: it made way for a trace of the user's.
func (m *Model) closeDemo() {
	if !m.onlyDemo() {
		return
	}
	for _, w := range slices.Clone(m.Windows) {
		m.Close(w)
	}
}
