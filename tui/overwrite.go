package tui

import (
	"os"
	"path/filepath"
	"strings"

	"pview/tui/dialog"

	tea "charm.land/bubbletea/v2"
)

// overwriting writes files, unless that would replace some that this program has not written itself: then it asks
// first. Proposed names lie beside the trace, where users keep their own .cfg files.
func (m *Model) overwriting(write func() tea.Cmd, paths ...string) tea.Cmd {
	var names []string
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !m.wrote[absolute(path)] {
			names = append(names, filepath.Base(path))
		}
	}
	accept := func(text string) tea.Cmd {
		if text != "" && !strings.HasPrefix("yes", strings.ToLower(text)) {
			m.scene.Say("nothing was written")
			return nil
		}
		if m.wrote == nil {
			m.wrote = map[string]bool{}
		}
		for _, path := range paths {
			m.wrote[absolute(path)] = true
		}
		return write()
	}
	if names == nil {
		return accept("")
	}
	return m.dialogs.Open(&dialog.Prompt{Label: strings.Join(names, ", ") + " exists already ",
		Hint: "Enter overwrites, Esc does not", Accept: accept})
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
