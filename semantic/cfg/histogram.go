package cfg

import (
	"fmt"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// columnKeys are the keys that together say how columns are made.
type columnKeys struct {
	fixed, hasFixed bool // UseFixedDelta
	count           int  // NumColumns
	delta           bool // Delta was given
}

func (r *reader) newHistogram() error {
	r.endHistogram()
	if len(r.file.Windows) == 0 {
		return fmt.Errorf("a histogram stands before any window")
	}
	h := &Histogram{Limits: "Alltrace", View: HistogramView{PixelSize: 1}}
	h.Statistic = "Time"
	h.Columns.Delta, h.Planes.Delta = 1, 1
	r.histogram, r.columns, r.line0 = h, columnKeys{}, r.line
	r.file.Histograms = append(r.file.Histograms, h)
	return nil
}

// endHistogram completes what several keys decide together.
func (r *reader) endHistogram() {
	h := r.histogram
	if h == nil {
		return
	}
	r.histogram, r.window = nil, nil
	// Without UseFixedDelta, the delta is fixed unless the columns are counted: old files.
	if r.columns.count > 0 && !(r.columns.hasFixed && r.columns.fixed) {
		h.Columns.Count = r.columns.count
	}
	line := r.line0
	r.links = append(r.links, link{line, func() error {
		if h.Control == nil {
			return fmt.Errorf("histogram %q has no control window", h.Name)
		}
		return r.completeHistogram(h)
	}})
}

// completeHistogram takes over what the control window decides.
func (r *reader) completeHistogram(h *Histogram) error {
	control := r.file.windowOf(h.Control)
	if h.Limits == "Allwindow" {
		h.Range = control.Range
	} else {
		h.Range = stat.Range{Whole: true}
	}
	h.Columns.Codes = control.isCodes()
	if h.Third != nil {
		h.Planes.Codes = r.file.windowOf(h.Third).isCodes()
	}
	return nil
}

// isCodes reports whether the window shows its values as codes.
func (w *Window) isCodes() bool { return w.View.ColorMode == "" && !w.View.FunctionLine }

// windowOf returns the window of the file that holds a semantic window.
func (f *File) windowOf(w *semantic.Window) *Window {
	for _, x := range f.Windows {
		if &x.Window == w {
			return x
		}
	}
	return nil
}

type histogramKey func(r *reader, h *Histogram, value string) error

var histogramKeys map[string]histogramKey

func init() {
	histogramKeys = map[string]histogramKey{
		"Analyzer2D.Name":          func(_ *reader, h *Histogram, v string) error { h.Name = v; return nil },
		"Analyzer2D.ControlWindow": window(func(h *Histogram) **semantic.Window { return &h.Control }),
		"Analyzer2D.DataWindow":    window(func(h *Histogram) **semantic.Window { return &h.Data }),
		"Analyzer2D.Statistic": func(_ *reader, h *Histogram, v string) error {
			s, ok := stat.Lookup(v)
			if !ok {
				return fmt.Errorf("unknown statistic %q", short(v))
			}
			h.Statistic = s.Name
			return nil
		},
		"Analyzer2D.HideCols": hFlag(func(h *Histogram) *bool { return &h.HideEmpty }),
		"Analyzer2D.HorizVert": func(_ *reader, h *Histogram, v string) error {
			h.Vertical = strings.EqualFold(v, "Vertical")
			return nil
		},
		"Analyzer2D.SortCols": hFlag(func(h *Histogram) *bool { return &h.Sort.On }),
		"Analyzer2D.SortCriteria": func(_ *reader, h *Histogram, v string) error {
			h.Sort.By = v
			return nil
		},
		"Analyzer2D.SortReverse":       hFlag(func(h *Histogram) *bool { return &h.Sort.Reverse }),
		"Analyzer2D.AnalysisLimits":    func(_ *reader, h *Histogram, v string) error { h.Limits = v; return nil },
		"Analyzer2D.ComputeYScale":     hFlag(func(h *Histogram) *bool { return &h.Columns.Auto }),
		"Analyzer2D.ComputeYScaleZero": hFlag(func(h *Histogram) *bool { return &h.Columns.Zero }),
		"Analyzer2D.Minimum":           hReal(func(h *Histogram) *float64 { return &h.Columns.Min }),
		"Analyzer2D.Maximum":           hReal(func(h *Histogram) *float64 { return &h.Columns.Max }),
		"Analyzer2D.Delta":             hReal(func(h *Histogram) *float64 { return &h.Columns.Delta }),
		"Analyzer2D.UseFixedDelta": func(r *reader, _ *Histogram, v string) (err error) {
			r.columns.hasFixed = true
			r.columns.fixed, err = readBool(v)
			return err
		},
		"Analyzer2D.NumColumns":       func(r *reader, _ *Histogram, v string) (err error) { r.columns.count, err = readInt(v); return },
		"Analyzer2D.3D_ControlWindow": window(func(h *Histogram) **semantic.Window { return &h.Third }),
		"Analyzer3D.ComputeYScale":    hFlag(func(h *Histogram) *bool { return &h.Planes.Auto }),
		"Analyzer2D.3D_Minimum":       hReal(func(h *Histogram) *float64 { return &h.Planes.Min }),
		"Analyzer2D.3D_Maximum":       hReal(func(h *Histogram) *float64 { return &h.Planes.Max }),
		"Analyzer2D.3D_Delta":         hReal(func(h *Histogram) *float64 { return &h.Planes.Delta }),
		"Analyzer2D.3D_FixedValue":    hReal(func(h *Histogram) *float64 { return &h.Plane }),
		"Analyzer2D.ShowOnlyTotals":   hFlag(func(h *Histogram) *bool { return &h.Alone }),

		"Analyzer2D.X":                 hWhole(func(h *Histogram) *int { return &h.View.X }),
		"Analyzer2D.Y":                 hWhole(func(h *Histogram) *int { return &h.View.Y }),
		"Analyzer2D.Width":             hWhole(func(h *Histogram) *int { return &h.View.Width }),
		"Analyzer2D.Height":            hWhole(func(h *Histogram) *int { return &h.View.Height }),
		"Analyzer2D.Color":             hFlag(func(h *Histogram) *bool { return &h.View.Color }),
		"Analyzer2D.SemanticColor":     hFlag(func(h *Histogram) *bool { return &h.View.SemanticColor }),
		"Analyzer2D.Zoom":              hFlag(func(h *Histogram) *bool { return &h.View.Zoom }),
		"Analyzer2D.ComputeGradient":   hFlag(func(h *Histogram) *bool { return &h.View.FitGradient }),
		"Analyzer2D.MinimumGradient":   hReal(func(h *Histogram) *float64 { return &h.View.MinColor }),
		"Analyzer2D.MaximumGradient":   hReal(func(h *Histogram) *float64 { return &h.View.MaxColor }),
		"Analyzer2D.DrawModeObjects":   hDrawMode(func(h *Histogram) *semantic.DrawMode { return &h.View.DrawRows }),
		"Analyzer2D.DrawModeColumns":   hDrawMode(func(h *Histogram) *semantic.DrawMode { return &h.View.DrawCols }),
		"Analyzer2D.PixelSize":         hWhole(func(h *Histogram) *int { return &h.View.PixelSize }),
		"Analyzer2D.ColorMode":         func(_ *reader, h *Histogram, v string) error { h.View.ColorMode = v; return nil },
		"Analyzer2D.ShortHeaderLabels": hFlag(func(h *Histogram) *bool { return &h.View.ShortHeaders }),
		"Analyzer2D.Synchronize":       hWhole(func(h *Histogram) *int { return &h.View.Group }),

		// of no effect: the first two say what is always so, the others are of old files
		"Analyzer2D.CalculateAll":              hNothing,
		"Analyzer2D.Accumulator":               hNothing,
		"Analyzer2D.AccumulateByControlWindow": hNothing,
		"Analyzer2D.CodeColor":                 hNothing,
		"Analyzer2D.UseCustomDelta":            hNothing,
		"Analyzer2D.Parameters":                hNothing,
	}
}

// histogramKey reads a key of the current histogram.
func (r *reader) histogramKey(key, value string) error {
	if read, ok := histogramKeys[key]; ok {
		if err := read(r, r.histogram, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	}
	r.histogram.Other = append(r.histogram.Other, prv.Setting{Name: key, Value: value})
	return nil
}

func hNothing(*reader, *Histogram, string) error { return nil }

func window(at func(h *Histogram) **semantic.Window) histogramKey {
	return func(r *reader, h *Histogram, v string) error {
		w, err := r.windowAt(v)
		if err == nil {
			*at(h) = &w.Window
		}
		return err
	}
}

func hFlag(at func(h *Histogram) *bool) histogramKey {
	return func(_ *reader, h *Histogram, v string) (err error) { *at(h), err = readBool(v); return }
}

func hWhole(at func(h *Histogram) *int) histogramKey {
	return func(_ *reader, h *Histogram, v string) (err error) { *at(h), err = readInt(v); return }
}

func hReal(at func(h *Histogram) *float64) histogramKey {
	return func(_ *reader, h *Histogram, v string) (err error) { *at(h), err = readFloat(v); return }
}

func hDrawMode(at func(h *Histogram) *semantic.DrawMode) histogramKey {
	return func(_ *reader, h *Histogram, v string) (err error) { *at(h), err = readDrawMode(v); return }
}
