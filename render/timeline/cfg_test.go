package timeline

import (
	"fmt"
	"slices"
	"testing"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// The time of a view becomes that of its .cfg: a whole view the whole trace, whatever its length, unless the file that
// it was opened from writes the same time differently.
func TestTimeInCfgs(t *testing.T) {
	whole, part := stat.Range{Relative: true, End: 1}, stat.Range{Begin: 0, End: 2000}
	for _, c := range []struct {
		begin, end int64
		from       *stat.Range
		want       stat.Range
	}{
		{0, 1000, nil, whole}, {1, 1000, nil, stat.Range{Begin: 1, End: 1000}},
		{0, 999, nil, stat.Range{Begin: 0, End: 999}}, {0, 1000, &part, part},
		{0, 1000, &stat.Range{Begin: 5, End: 1000}, whole}, {0, 500, &part, stat.Range{Begin: 0, End: 500}},
	} {
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Begin, w.End = c.begin, c.end
		if c.from != nil {
			w.Cfg = cfg.NewWindow(semantic.DefaultWindow())
			w.Cfg.View.Range, w.Cfg.View.Open = *c.from, false
		}
		got := CfgOf(w)
		if got.View.Range != c.want || c.from != nil && !got.View.Open {
			t.Errorf("%d..%d of %v: %+v, want %+v", c.begin, c.end, c.from, got.View.Range, c.want)
		}
	}
}

// The drawing settings of a file's window are kept if the view is still drawn that way.
func TestColorsInCfgs(t *testing.T) {
	for _, c := range []struct {
		from cfg.ColorMode
		draw Drawing
		want cfg.ColorMode
	}{
		{cfg.CodeColor, Drawing{}, cfg.CodeColor}, {cfg.Punctual, Drawing{}, cfg.Punctual},
		{cfg.Punctual, Drawing{Color: raster.Gradient}, cfg.GradientColor},
		{cfg.FusedLines, Drawing{Graph: true}, cfg.FusedLines}, {cfg.FusedLines, Drawing{}, cfg.CodeColor},
		{cfg.CodeColor, Drawing{Graph: true}, cfg.FunctionLine},
		{cfg.GradientColor, Drawing{Color: raster.NotNullGradient}, cfg.NullGradientColor},
		{cfg.GradientColor, Drawing{Color: raster.AlternativeGradient}, cfg.AlternativeGradient},
	} {
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Cfg, w.Drawing = cfg.NewWindow(semantic.DefaultWindow()), c.draw
		w.Cfg.View.Color = c.from
		if got := CfgOf(w).View.Color; got != c.want {
			t.Errorf("%v drawn as %+v: %v, want %v", c.from, c.draw, got, c.want)
		}
	}
	w := NewView(1, NewTrace(1, fourThreads(t)))
	w.Cfg, w.Drawing.Gradient = cfg.NewWindow(semantic.DefaultWindow()), 0
	w.Cfg.View.Gradient = cfg.LinearGradient + 1
	if got := CfgOf(w).View.Gradient; got != cfg.LinearGradient {
		t.Errorf("gradient %v", got)
	}
	w.Drawing.Fixed, w.Drawing.Scale, w.Drawing.Color = true, raster.Scale{Min: 2, Max: 3}, raster.Gradient
	w.Cfg.View.MinAtZero = true
	if v := CfgOf(w).View; v.MinAtZero || v.AutoScale || v.Minimum != 2 || v.Maximum != 3 {
		t.Errorf("scale of %+v", v)
	}
	w.Group, w.Name = 4, "mine"
	if c := CfgOf(w); c.View.Sync != 4 || c.Name != "mine" {
		t.Errorf("%s in group %d", c.Name, c.View.Sync)
	}
}

// The rows of a view in a .cfg: a stretch of all, or which objects of each parent.
func TestRowsInCfgs(t *testing.T) {
	view := func(level prv.Level, objects ...int32) *View {
		w := NewView(1, NewTrace(1, fourThreads(t)))
		w.Sem.Level, w.Objects = level, objects
		return w
	}
	for _, c := range []struct {
		w    *View
		want string
	}{
		{view(prv.LevelThread, 1, 2), "[0 0] [false true]; [0 1] [true false]; "},
		{view(prv.LevelTask, 1), "[0] [false true]; "},
		{view(prv.LevelCPU, 0, 3), "[0] [true false]; [1] [false true]; "},
		{view(prv.LevelNode, 1), "[] [false true]; "}, {view(prv.LevelPtask, 0), "[] [true]; "},
	} {
		got := ""
		for _, s := range CfgOf(c.w).View.Objects {
			got += fmt.Sprint(s.Parent, s.On, "; ")
		}
		if got != c.want {
			t.Errorf("level %s: %s, want %s", c.w.Sem.Level, got, c.want)
		}
	}
	w := view(prv.LevelThread)
	w.Objects, w.Top, w.Span = nil, 1, 2
	if v := CfgOf(w).View; v.Zoom == nil || *v.Zoom != [2]int{1, 2} || v.Objects != nil {
		t.Errorf("rows 1 and 2: %v, %v", v.Zoom, v.Objects)
	}
	w.Top, w.Span = 0, 0
	if v := CfgOf(w).View; v.Zoom != nil {
		t.Errorf("all rows: %v", v.Zoom)
	}
	w.Objects = []int32{3, 0}
	if rows := w.RowsByObject(); !slices.Equal(rows, []int32{1, -1, -1, 0}) {
		t.Errorf("rows of objects %d", rows)
	}
}

// A window of a file is shown with its objects and its colours.
func TestTakeCfg(t *testing.T) {
	w := NewView(1, NewTrace(1, fourThreads(t)))
	win := cfg.NewWindow(semantic.ThreadWindow("Useful"))
	win.View.CustomColors = true
	win.View.Palette = []cfg.PaletteEntry{{Value: 1, Color: prv.RGB{R: 9}}, {Value: 1.5, Color: prv.RGB{G: 9}}}
	w.TakeCfg(&cfg.BoundWindow{Window: win, Rows: []int{3, 1}})
	if !slices.Equal(w.Objects, []int32{3, 1}) || w.Cfg != win || w.Colors() != w.Palette ||
		w.Palette.Color(1) != raster.RGB(9, 0, 0) || w.Palette.Color(2) != w.Trace.Palette.Color(2) {
		t.Errorf("objects %d, colours %v", w.Objects, w.Palette)
	}
	w = NewView(1, NewTrace(1, fourThreads(t)))
	win.View.CustomColors = false
	if w.TakeCfg(&cfg.BoundWindow{Window: win, Rows: []int{0, 1, 2, 3}}); w.Objects != nil || w.Palette != nil {
		t.Errorf("all objects are %d, with colours %v", w.Objects, w.Palette)
	}
}
