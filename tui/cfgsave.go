package tui

import (
	"fmt"
	"io"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/tui/paths"
	"pview/tui/raster"
	"pview/tui/timeline"
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
	return m.overwriting(func() tea.Cmd {
		return func() tea.Msg {
			return cfgSavedMsg{f.Name, path, paths.Replace(path, func(out io.Writer) error { return cfg.Write(out, f) })}
		}
	}, path)
}

type cfgSavedMsg struct {
	name, path string
	err        error
}

func savedCfg(m *Model, msg cfgSavedMsg) {
	if msg.err != nil {
		m.alarm(fmt.Sprintf("the %s was not saved: %v", msg.name, msg.err))
		return
	}
	m.say(msg.name + " saved as " + msg.path)
}

// cfgFile makes a file of the windows on a trace.
func cfgFile(m *Model, t *timeline.Trace) *cfg.File {
	f := &cfg.File{}
	made := map[int]*cfg.Window{} // by id
	for _, w := range m.Windows {
		if w.Trace == t {
			c := cfgWindow(m, w)
			made[w.ID] = c
			f.Windows = append(f.Windows, c)
		}
	}
	for _, c := range f.Windows {
		relink(c.Derived, f.Windows, c)
	}
	for _, w := range m.Windows {
		if w.Trace == t {
			f.Histograms = append(f.Histograms, m.analyzer.Histograms(w, made)...)
		}
	}
	return f
}

// relink makes the parents of a derived window those windows of the file that are
// the same.
func relink(d *semantic.Derived, windows []*cfg.Window, self *cfg.Window) {
	if d == nil {
		return
	}
	for _, p := range []*semantic.Parent{&d.A, &d.B} {
		if p.Window == nil || p.Trace != nil {
			continue
		}
		relink(p.Window.Derived, windows, self)
		for _, c := range windows {
			if c != self && c.Window.Equal(p.Window) {
				p.Window = &c.Window
				break
			}
		}
	}
}

func cfgWindow(m *Model, w *timeline.View) *cfg.Window {
	c := cfg.NewWindow(w.Sem.Clone())
	if w.Cfg != nil {
		copied := *w.Cfg
		copied.Window = c.Window
		copied.View.Open = true
		c = &copied
	}
	c.Name = w.Name
	if c.Name == "" {
		c.Name = w.Title()
	}
	v, d := &c.View, &w.Drawing
	v.Sync = w.Group
	v.DrawMode, v.DrawModeRows = d.Modes.Time, d.Modes.Rows
	switch {
	case d.Graph && v.Color == cfg.FusedLines:
	case d.Graph:
		v.Color = cfg.FunctionLine
	case d.Color == raster.CodeColor && v.Color == cfg.Punctual:
	default:
		v.Color = [...]cfg.ColorMode{raster.CodeColor: cfg.CodeColor, raster.Gradient: cfg.GradientColor, raster.NotNullGradient: cfg.NullGradientColor, raster.AlternativeGradient: cfg.AlternativeGradient}[d.Color]
	}
	if d.Gradient > 0 || v.Gradient > cfg.LinearGradient {
		v.Gradient = cfg.LinearGradient + cfg.GradientFunction(d.Gradient)
	}
	if d.Fixed {
		v.AutoScale, v.Minimum, v.Maximum, v.MinAtZero = false, d.Scale.Min, d.Scale.Max, v.MinAtZero && d.Scale.Min == 0
	} else if d.Graph || d.Color != raster.CodeColor {
		v.AutoScale = true
	}
	v.Flags, v.CommLines = d.Flags, d.Comms != timeline.CommsOff
	if w.Begin != 0 || w.End < w.Trace.Data.Duration {
		v.Range = stat.Range{Begin: float64(w.Begin), End: float64(w.End)}
	} else if w.Cfg == nil || w.Cfg.View.Range != v.Range || v.Range.Begin != 0 {
		v.Range = stat.Range{Relative: true, End: 1}
	}
	selectObjects(v, w)
	return c
}

// selectObjects writes which objects a window shows.
func selectObjects(v *cfg.View, w *timeline.View) {
	tr, l := w.Trace.Data, w.Sem.Level
	v.Zoom = nil
	if n := w.RowsInView(tr); w.Objects == nil && n < w.Rows(tr) {
		v.Zoom = &[2]int{w.Top, w.Top + n - 1}
	}
	v.Objects = nil
	if w.Objects == nil {
		return
	}
	on := make([]bool, tr.Count(l))
	for _, o := range w.Objects {
		on[o] = true
	}
	add := func(first, n int, parent ...int) {
		v.Objects = append(v.Objects, cfg.Selection{Level: l, Parent: parent, On: on[first : first+n]})
	}
	switch l {
	case prv.LevelThread:
		for i := range tr.Tasks {
			t := &tr.Tasks[i]
			add(int(t.FirstThread), int(t.Threads), int(t.Ptask), i-int(tr.Ptasks[t.Ptask].FirstTask))
		}
	case prv.LevelTask:
		for i, p := range tr.Ptasks {
			add(int(p.FirstTask), int(p.Tasks), i)
		}
	case prv.LevelCPU:
		for i, n := range tr.Nodes {
			add(int(n.FirstCPU)-1, int(n.CPUs), i)
		}
	default:
		add(0, len(on))
	}
}
