package timeline

import (
	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// RelinkParents replaces the parents of a derived window by the equal windows of the file.
func RelinkParents(d *semantic.Derived, windows []*cfg.Window, self *cfg.Window) {
	if d == nil {
		return
	}
	for _, p := range []*semantic.Parent{&d.A, &d.B} {
		if p.Window == nil || p.Trace != nil {
			continue
		}
		RelinkParents(p.Window.Derived, windows, self)
		for _, c := range windows {
			if c != self && c.Window.Equal(p.Window) {
				p.Window = &c.Window
				break
			}
		}
	}
}

func CfgOf(w *View) *cfg.Window {
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
	modes := w.Modes()
	v.DrawMode, v.DrawModeRows = modes.Time, modes.Rows
	switch {
	case d.Graph && v.Color == cfg.FusedLines:
	case d.Graph:
		v.Color = cfg.FunctionLine
	case d.Color == raster.CodeColor && v.Color == cfg.Punctual:
	default:
		v.Color = [...]cfg.ColorMode{raster.CodeColor: cfg.CodeColor, raster.Gradient: cfg.GradientColor,
			raster.NotNullGradient: cfg.NullGradientColor, raster.AlternativeGradient: cfg.AlternativeGradient}[d.Color]
	}
	if d.Gradient > 0 || v.Gradient > cfg.LinearGradient {
		v.Gradient = cfg.LinearGradient + cfg.GradientFunction(d.Gradient)
	}
	if d.Fixed {
		v.AutoScale, v.Minimum, v.Maximum, v.MinAtZero = false, d.Scale.Min, d.Scale.Max, v.MinAtZero &&
			d.Scale.Min == 0
	} else if d.Graph || d.Color != raster.CodeColor {
		v.AutoScale = true
	}
	v.Flags, v.CommLines = d.Flags, d.Comms != CommsOff
	if w.Begin != 0 || w.End < w.Trace.Data.Duration {
		v.Range = stat.Range{Begin: float64(w.Begin), End: float64(w.End)}
	} else if w.Cfg == nil || w.Cfg.View.Range != v.Range || v.Range.Begin != 0 {
		v.Range = stat.Range{Relative: true, End: 1}
	}
	selectObjects(v, w)
	return c
}

// selectObjects writes the objects that a window shows.
func selectObjects(v *cfg.View, w *View) {
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

// TakeCfg applies a .cfg's window, except its time, to a view on a trace; notes describe the differences.
func (w *View) TakeCfg(b *cfg.BoundWindow) (notes []prv.Note) {
	w.Sem = b.Window.Window.Clone()
	w.Cfg = b.Window
	if len(b.Rows) < w.Trace.Data.Count(w.Sem.Level) {
		for _, r := range b.Rows {
			w.Objects = append(w.Objects, int32(r))
		}
	}
	w.Drawing, notes = drawingOf(b)
	if b.View.CustomColors {
		w.Palette = w.Trace.Palette.Clone()
		for _, e := range b.View.Palette {
			if n := int64(e.Value); float64(n) == e.Value {
				w.Palette.Set(n, raster.FromPRV(e.Color))
			}
		}
	}
	return notes
}

// drawingOf translates how a .cfg's window is drawn; notes describe the differences.
func drawingOf(b *cfg.BoundWindow) (l Drawing, notes []prv.Note) {
	v := &b.View
	l.Modes.Time, l.Modes.Rows = v.DrawMode, v.DrawModeRows
	l.Given = Given{Time: true, Rows: true}
	switch v.Color {
	case cfg.GradientColor:
		l.Color = raster.Gradient
	case cfg.NullGradientColor:
		l.Color = raster.NotNullGradient
	case cfg.AlternativeGradient:
		l.Color = raster.AlternativeGradient
	case cfg.FunctionLine, cfg.FusedLines:
		l.Graph = true
	case cfg.Punctual:
		notes = append(notes, prv.Note{File: b.Name, Text: "points are drawn as colours"})
	}
	if v.Color == cfg.FusedLines {
		notes = append(notes, prv.Note{File: b.Name, Text: "fused lines are drawn as one function line per row"})
	}
	if v.Gradient > cfg.LinearGradient {
		l.Gradient = int(v.Gradient - cfg.LinearGradient)
	}
	if !v.AutoScale && v.Minimum < v.Maximum && (l.Graph || l.Color != raster.CodeColor) {
		l.Fixed, l.Scale = true, raster.Scale{Min: v.Minimum, Max: v.Maximum}
		if v.MinAtZero {
			l.Scale.Min = 0
		}
	}
	l.Flags = v.Flags
	if c := &b.Filter.Comms; v.CommLines {
		if c.Logical {
			l.Comms |= CommsLogical
		}
		if c.Physical {
			l.Comms |= CommsPhysical
		}
	}
	return l, notes
}
