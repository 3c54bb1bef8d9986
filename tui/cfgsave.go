package tui

import (
	"fmt"
	"io"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/render/timeline"
	"pview/semantic/cfg"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Writing windows and their histograms as a .cfg. What a file said that pview does
// not use is written again.

// cfgPath is what saving a .cfg proposes: a name beside the trace.
func (m *Model) cfgPath() string {
	if t := m.Focused().Trace; t.Data.Path != "" {
		return prv.Base(t.Data.Path) + cfgExt
	}
	return "pview" + cfgExt
}

func saveCfg(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("save-cfg")
	}
	path := paths.ExpandHome(unquote(args))
	f := cfgFile(m, m.Focused().Trace)
	f.Name = filepath.Base(path)
	lost := standIns(f)
	for _, w := range f.Windows {
		if w.Filter.Comms.Partner.Func != filter.All {
			lost += "; without the filter on partners of " + w.Name + ", which a .cfg cannot hold"
		}
	}
	return m.overwriting(func() tea.Cmd {
		return func() tea.Msg {
			return cfgSavedMsg{f.Name, path, lost, paths.Replace(path, func(out io.Writer) error {
				return cfg.Write(out, f)
			})}
		}
	}, path)
}

// standIns says what Paraver shows in the place of what it does not have.
func standIns(f *cfg.File) (text string) {
	for _, s := range cfg.StandIns(f) {
		text += fmt.Sprintf("; Paraver does not have %s and shows %s", s.Function, s.By)
	}
	return text
}

type cfgSavedMsg struct {
	name, path string
	lost       string // what the file does not have
	err        error
}

func savedCfg(m *Model, msg cfgSavedMsg) {
	if msg.err != nil {
		m.scene.Alarm(fmt.Sprintf("the %s was not saved: %v", msg.name, msg.err))
		return
	}
	m.scene.Say(msg.name + " saved as " + msg.path + msg.lost)
}

// cfgFile makes a file of the windows on a trace.
func cfgFile(m *Model, t *timeline.Trace) *cfg.File {
	f := &cfg.File{}
	made := map[int]*cfg.Window{} // by id
	for _, w := range m.Windows {
		if w.Trace == t {
			c := timeline.CfgOf(w)
			made[w.ID] = c
			f.Windows = append(f.Windows, c)
		}
	}
	for _, c := range f.Windows {
		timeline.RelinkParents(c.Derived, f.Windows, c)
	}
	keeper, _ := pane.First[histogramKeeper](m.panes.list)
	for _, w := range m.Windows {
		if w.Trace == t {
			f.Histograms = append(f.Histograms, keeper.Histograms(w, made)...)
		}
	}
	return f
}
