package workload

// The selection: a cluster, and a component of it.

import (
	"pview/insight/report"
	"pview/insight/workload/plots"
	"pview/render/document"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
)

// class returns the chosen class.
func (s *session) class() (class int32, ok bool) {
	if s.result == nil {
		return 0, false
	}
	list := s.result.Classes()
	if s.row < 0 || s.row >= len(list) {
		return 0, false
	}
	return list[s.row], true
}

// chosen returns the chosen class, -1 for none.
func (s *session) chosen() int32 {
	if c, ok := s.class(); ok {
		return c
	}
	return -1
}

// choose chooses a component, and with it its class.
func (s *session) choose(i int) {
	s.at = i
	for k, c := range s.result.Classes() {
		if c == s.result.Class[i] {
			s.row = k
		}
	}
}

// swatch returns the colour of a row of the table of clusters.
func (p *Pane) swatch(of *document.Part) raster.Cell {
	if _, ok := of.Block.(*report.Table); !ok || p.pages.At != pageClusters || of.Row < 0 {
		return raster.Cell{}
	}
	classes := p.current().result.Classes()
	if of.Row >= len(classes) {
		return raster.Cell{}
	}
	return p.ink(classes[of.Row])
}

// ink returns a sample of the colour of a class.
func (p *Pane) ink(class int32) raster.Cell {
	return raster.Cell{Rune: p.sc.Theme.Glyphs.Full,
		Style: raster.Style{FG: plot.Color(plots.InkOf(int(class)), p.sc.Dark)}}
}

// Light lights the chosen component in the windows of its trace.
func (p *Pane) Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors) {
	s := p.sessions[v.Trace]
	if s == nil || s.at < 0 || s.result == nil || p.sc.Open != p || s.result.Set.Begin == nil {
		return
	}
	set := s.result.Set
	first, after := 0, v.Rows(v.Trace.Data)
	if th := set.Thread[s.at]; th >= 0 {
		row := v.RowOfThread(th)
		if row < 0 {
			return
		}
		first, after = row, row+1
	}
	cu.Select(plot, set.Begin[s.at], max(set.End[s.at], set.Begin[s.at]+1), first, after)
}

var _ pane.Lighter = (*Pane)(nil)
