package analyzer

import (
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// Tables and the histograms of .cfg files.

// AddHistogram gives a view a table that asks the question of a histogram whose control window it shows. file is the
// histogram as its file has it; opened is the view that shows a window of the file, nil for none. The first table of
// the view is shown.
func (p files) AddHistogram(w *timeline.View, h *stat.Histogram, file *cfg.Histogram,
	opened func(*semantic.Window) *timeline.View) {
	operandOf := func(s *semantic.Window) Operand {
		if s == nil {
			return Operand{}
		}
		c := s.Clone()
		if v := opened(s); v != nil {
			return Operand{v.ID, &c}
		}
		return Operand{0, &c}
	}
	s := newTableSetup()
	s.functions, s.Name, s.cfg = false, h.Name, file
	s.Statistic, s.own, s.Columns, s.planes, s.plane, s.size, s.tag = h.Statistic, h.Own, h.Columns, h.Planes, h.Plane,
		h.Size, h.Tag
	s.codes, s.planeCodes = codesOf(h.Columns.Codes), codesOf(h.Planes.Codes)
	s.showEmpty, s.vertical, s.order = !h.HideEmpty, h.Vertical, h.Sort
	if h.Control != nil {
		of := h.Control.Clone()
		s.of = &of
	}
	if h.Data != h.Control {
		s.Data = operandOf(h.Data)
	}
	s.third = operandOf(h.Third)
	if h.Range.Whole {
		s.span = spanWhole
	}
	switch {
	case file.View.Zoomed:
		s.shade = shadePicture
	case file.View.Colors:
		s.shade = shadeColored
	}
	p.addTable(w, s)
	p.Choose(w, 0)
}

func codesOf(on bool) codes {
	if on {
		return codesOn
	}
	return codesOff
}

// Histograms lists the tables of a view as the histograms of a file whose windows are made, by the id of their views.
// It omits tables of the analyzer's functions, which are no histograms, and tables that the user has not chosen.
func (p files) Histograms(w *timeline.View, made map[int]*cfg.Window) []*cfg.Histogram {
	var list []*cfg.Histogram
	for _, a := range p.Tables(w) {
		if !a.Setup.functions && !a.Setup.usual {
			list = append(list, p.histogram(w, a, made))
		}
	}
	return list
}

func (p files) histogram(w *timeline.View, a *Table, made map[int]*cfg.Window) *cfg.Histogram {
	s := &a.Setup
	control := made[w.ID]
	h := stat.Histogram{
		Name: s.nameOn(w), Control: &control.Window, Statistic: s.Statistic, Own: s.own, Columns: s.Columns,
		Planes: s.planes, Plane: s.plane,
		Size: s.size, Tag: s.tag, HideEmpty: !s.showEmpty, Vertical: s.vertical, Sort: s.order,
		Range: stat.Range{Whole: s.span == spanWhole},
	}
	if h.Name == "" || s.cfg == nil {
		h.Name = a.title(w) + " @ " + control.Name
	}
	h.Columns.Codes, h.Planes.Codes = control.View.Color == cfg.CodeColor, s.planeCodes == codesOn
	if !h.Range.Whole {
		h.Range = control.View.Range // a file cannot store any other time range
	}
	if n := s.bins; n > 0 && a.counted != nil && a.counted.table != nil && !a.counted.hist.Columns.Auto {
		h.Columns = a.counted.hist.Columns
	}
	if n := h.Columns.Count; n > 0 && !h.Columns.Auto {
		h.Columns.Delta = (h.Columns.Max - h.Columns.Min) / float64(n)
	}
	operandOf := func(o *Operand) *semantic.Window {
		if c := made[o.Window]; c != nil && o.sem != nil {
			return &c.Window
		}
		return p.operandOf(w, o)
	}
	h.Data, h.Third = operandOf(&s.Data), operandOf(&s.third)
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
