package tui

import (
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
	if t := m.window().Trace; t.Data.Path != "" {
		return prv.Base(t.Data.Path) + cfgExt
	}
	return "pview" + cfgExt
}

func saveCfg(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("save-cfg")
	}
	path := paths.ExpandHome(unquote(args))
	f := m.cfgFile(m.window().Trace)
	f.Name = filepath.Base(path)
	return m.overwriting(func() tea.Cmd {
		return func() tea.Msg {
			return writtenMsg{f.Name, path, paths.Replace(path, func(out io.Writer) error { return cfg.Write(out, f) })}
		}
	}, path)
}

// cfgFile makes a file of the windows on a trace.
func (m *Model) cfgFile(t *timeline.Trace) *cfg.File {
	f := &cfg.File{}
	made := map[int]*cfg.Window{} // by id
	for _, w := range m.windows {
		if w.Trace == t {
			c := m.cfgWindow(w)
			made[w.ID] = c
			f.Windows = append(f.Windows, c)
		}
	}
	for _, c := range f.Windows {
		relink(c.Derived, f.Windows, c)
	}
	for _, w := range m.windows {
		for _, a := range m.tablesOf(w).list {
			if w.Trace == t && !a.setup.functions {
				f.Histograms = append(f.Histograms, m.cfgHistogram(w, a, made))
			}
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

func (m *Model) cfgWindow(w *timeline.View) *cfg.Window {
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

func (m *Model) cfgHistogram(w *timeline.View, a *analysis, made map[int]*cfg.Window) *cfg.Histogram {
	s := &a.setup
	control := made[w.ID]
	h := stat.Histogram{
		Name: s.name, Control: &control.Window, Statistic: s.statistic, Own: s.own, Columns: s.columns, Planes: s.planes, Plane: s.plane,
		Size: s.size, Tag: s.tag, HideEmpty: !s.showEmpty, Vertical: s.vertical, Sort: s.order, Range: stat.Range{Whole: s.span == spanWhole},
	}
	if h.Name == "" || s.cfg == nil {
		h.Name = a.title() + " @ " + control.Name
	}
	h.Columns.Codes, h.Planes.Codes = control.View.Color == cfg.CodeColor, s.planeCodes == codesOn
	if !h.Range.Whole {
		h.Range = control.View.Range // a file knows no other stretch of time
	}
	if n := s.bins; n > 0 && a.counted != nil && a.counted.table != nil && !a.counted.hist.Columns.Auto {
		h.Columns = a.counted.hist.Columns
	}
	if n := h.Columns.Count; n > 0 && !h.Columns.Auto {
		h.Columns.Delta = (h.Columns.Max - h.Columns.Min) / float64(n)
	}
	h.Data, h.Third = m.cfgOperand(w, &s.data, made), m.cfgOperand(w, &s.third, made)
	if h.Data == nil {
		h.Data = h.Control
	}
	c := cfg.NewHistogram(h)
	if s.cfg != nil {
		copied := *s.cfg
		copied.Histogram = h
		c = &copied
	}
	c.View.Zoomed, c.View.Colors = s.shade == shadePicture, s.shade != shadeNumbers
	return c
}

func (m *Model) cfgOperand(w *timeline.View, o *operand, made map[int]*cfg.Window) *semantic.Window {
	if c := made[o.window]; c != nil && o.sem != nil {
		return &c.Window
	}
	return m.operandOf(w, o)
}
