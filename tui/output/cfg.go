package output

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

// CfgExt is the ending of Paraver's configuration files.
const CfgExt = ".cfg"

// CfgPath proposes a name next to the trace.
func (o *Writer) CfgPath() string { return o.base() + CfgExt }

// SaveCfg writes the windows on the trace in focus, and their histograms. It keeps the parts of an opened file that
// pview does not use.
func (o *Writer) SaveCfg(args string) tea.Cmd {
	path := paths.Typed(args)
	f := o.cfgFile(o.desk.Focused().Trace)
	f.Name = filepath.Base(path)
	text := "windows saved as " + path
	for _, s := range cfg.StandIns(f) {
		text += fmt.Sprintf("; Paraver does not have %s and shows %s", s.Function, s.By)
	}
	for _, w := range f.Windows {
		if w.Filter.Comms.Partner.Func != filter.All {
			text += "; without the filter on partners of " + w.Name + ", which a .cfg cannot hold"
		}
	}
	return o.Overwrite(func() tea.Cmd {
		return func() tea.Msg {
			err := prv.SaveFile(path, func(out io.Writer) error { return cfg.Write(out, f) })
			return pane.Result(func() tea.Cmd {
				if err != nil {
					o.sc.Alarm(fmt.Sprintf("%s was not saved: %v", path, err))
					return nil
				}
				o.sc.Say(text)
				return nil
			})
		}
	}, path)
}

// cfgFile makes a file from the windows on a trace.
func (o *Writer) cfgFile(t *timeline.Trace) *cfg.File {
	f := &cfg.File{}
	made := map[int]*cfg.Window{} // by id
	var views []*timeline.View
	for _, w := range o.desk.Windows {
		if w.Trace == t {
			c := timeline.CfgOf(w)
			made[w.ID] = c
			f.Windows, views = append(f.Windows, c), append(views, w)
		}
	}
	for _, c := range f.Windows {
		timeline.RelinkParents(c.Derived, f.Windows, c)
	}
	for _, w := range views {
		f.Histograms = append(f.Histograms, o.Histograms(w, made)...)
	}
	return f
}
