// The keys of histograms, in the order in which Paraver writes them.

package cfg

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

var histogramKeyOf map[string]*key[Histogram]

// histogramKeys are filled in by init, because some of them refer to the table.
var histogramKeys []key[Histogram]

func init() {
	type H = Histogram
	capital := capitalKey[H]
	num := numberKey[H]
	whole := integerKey[H]
	histogramKeys = []key[H]{
		one("Analyzer2D.Name:", func(h *H) *string { return &h.Name }, text, prv.Clean),
		whole("Analyzer2D.X:", func(h *H) *int { return &h.View.X }),
		whole("Analyzer2D.Y:", func(h *H) *int { return &h.View.Y }),
		whole("Analyzer2D.Width:", func(h *H) *int { return &h.View.Width }),
		whole("Analyzer2D.Height:", func(h *H) *int { return &h.View.Height }),
		windowRef("Analyzer2D.ControlWindow:", func(p *references) *int {
			return &p.control
		}, func(h *H) *semantic.Window { return h.Control }),
		windowRef("Analyzer2D.DataWindow:", func(p *references) *int { return &p.data }, func(h *H) *semantic.Window {
			if h.Data == nil {
				return h.Control
			}
			return h.Data
		}),
		{"Analyzer2D.Statistic:", readStatistic, func(_ *writer, h *H) []string {
			return []string{prv.Clean(h.Statistic)}
		}},
		{"Analyzer2D.CalculateAll:", func(*reader, *H, string) error { return nil }, func(*writer, *H) []string {
			return []string{"True"}
		}},
		capital("Analyzer2D.HideCols:", func(h *H) *bool { return &h.HideEmpty }),
		wordKey("Analyzer2D.HorizVert:", func(h *H) *bool {
			return &h.Vertical
		}, words("Horizontal", "Vertical"), "Horizontal", "Vertical"),
		capital("Analyzer2D.Color:", func(h *H) *bool { return &h.View.Colors }),
		capital("Analyzer2D.SemanticColor:", func(h *H) *bool { return &h.View.Semantic }),
		wordKey("Analyzer2D.Zoom:", func(h *H) *bool {
			return &h.View.Zoomed
		}, words("Disabled", "Enabled"), "Disabled", "Enabled"),
		capital("Analyzer2D.SortCols:", func(h *H) *bool { return &h.Sort.On }),
		one("Analyzer2D.SortCriteria:", func(h *H) *string { return &h.Sort.By }, criterionOfSort, criterionName),
		capital("Analyzer2D.SortReverse:", func(h *H) *bool { return &h.Sort.Reverse }),
		{"Analyzer2D.AnalysisLimits:", readLimits, func(_ *writer, h *H) []string {
			if h.Range.Whole || h.Range == (stat.Range{}) {
				return []string{"Alltrace"}
			}
			return []string{"Allwindow"}
		}},
		capital("Analyzer2D.ComputeYScale:", func(h *H) *bool { return &h.Columns.Auto }),
		optional(capital("Analyzer2D.ComputeYScaleZero:", func(h *H) *bool {
			return &h.Columns.Zero
		}), func(h *H) *bool { return &h.Columns.Zero }),
		num("Analyzer2D.Minimum:", func(h *H) *float64 { return &h.Columns.Min }),
		num("Analyzer2D.Maximum:", func(h *H) *float64 { return &h.Columns.Max }),
		num("Analyzer2D.Delta:", func(h *H) *float64 { return &h.Columns.Delta }),
		optional(whole("Analyzer2D.NumColumns:", func(h *H) *int { return &h.Columns.Count }), func(h *H) *int {
			return &h.Columns.Count
		}),
		{"Analyzer2D.UseFixedDelta:", readFixedDelta, func(_ *writer, h *H) []string {
			if h.Columns.Count == 0 {
				return nil
			}
			return []string{"False"}
		}},
		capital("Analyzer2D.ComputeGradient:", func(h *H) *bool { return &h.View.AutoScale }),
		num("Analyzer2D.MinimumGradient:", func(h *H) *float64 { return &h.View.Minimum }),
		num("Analyzer2D.MaximumGradient:", func(h *H) *float64 { return &h.View.Maximum }),
		drawModeKey("Analyzer2D.DrawModeObjects:", func(h *H) *series.DrawMode { return &h.View.DrawModeRows }),
		drawModeKey("Analyzer2D.DrawModeColumns:", func(h *H) *series.DrawMode { return &h.View.DrawMode }),
		whole("Analyzer2D.PixelSize:", func(h *H) *int { return &h.View.PixelSize }),
		one("Analyzer2D.ColorMode:", func(h *H) *ColorMode {
			return &h.View.Color
		}, colorMode, func(m ColorMode) string { return colorModes[m].Cfg }),
		capital("Analyzer2D.ShowOnlyTotals:", func(h *H) *bool { return &h.Alone }),
		capital("Analyzer2D.ShortHeaderLabels:", func(h *H) *bool { return &h.ShortNames }),
		optional(whole("Analyzer2D.Synchronize:", func(h *H) *int { return &h.View.Sync }), func(h *H) *int {
			return &h.View.Sync
		}),
		windowRef("Analyzer2D.3D_ControlWindow:", func(p *references) *int {
			return &p.third
		}, func(h *H) *semantic.Window { return h.Third }),
		inThird(capital("Analyzer3D.ComputeYScale:", func(h *H) *bool { return &h.Planes.Auto })),
		inThird(num("Analyzer2D.3D_Minimum:", func(h *H) *float64 { return &h.Planes.Min })),
		inThird(num("Analyzer2D.3D_Maximum:", func(h *H) *float64 { return &h.Planes.Max })),
		inThird(num("Analyzer2D.3D_Delta:", func(h *H) *float64 { return &h.Planes.Delta })),
		inThird(num("Analyzer2D.3D_FixedValue:", func(h *H) *float64 { return &h.Plane })),
	}
	histogramKeyOf = keyOf(histogramKeys)
}

// references are the positions of a histogram's windows, from 1; 0: none.
type references struct {
	control, data, third int
	fixed                bool // the width of columns is fixed, not their number
}

// windowRef returns a key that names a window by its position.
func windowRef(name string, at func(*references) *int, of func(*Histogram) *semantic.Window) key[Histogram] {
	return key[Histogram]{name,
		func(r *reader, h *Histogram, text string) error {
			n, err := integer(text)
			if err != nil {
				return errors.New(err.Error())
			}
			if n < 1 || n > len(r.file.Windows) {
				return fmt.Errorf("no window %d", n)
			}
			*at(r.refs[h]) = n
			return nil
		},
		func(out *writer, h *Histogram) []string {
			if of(h) == nil {
				return nil
			}
			return []string{strconv.Itoa(out.positionOf(of(h)))}
		},
	}
}

// inThird writes a key of histograms in three dimensions only.
func inThird(k key[Histogram]) key[Histogram] {
	write := k.write
	k.write = func(out *writer, h *Histogram) []string {
		if h.Third == nil {
			return nil
		}
		return write(out, h)
	}
	return k
}

// beginHistogram opens a histogram.
func (r *reader) beginHistogram() error {
	if err := r.endWindow(); err != nil {
		return err
	}
	if len(r.file.Histograms) == maxWindows {
		return fmt.Errorf("more than %d histograms", maxWindows)
	}
	h := blankHistogram()
	h.line = r.number
	r.histo = h
	if r.refs == nil {
		r.refs = map[*Histogram]*references{}
	}
	r.refs[h] = &references{}
	r.file.Histograms = append(r.file.Histograms, h)
	return nil
}

// connect links a histogram to its windows, copies what it takes from them, and sets its scale if the file's cannot be
// read.
func (r *reader) connect(h *Histogram) error {
	p := r.refs[h]
	if p.control == 0 {
		return r.fail(h.line, errors.New("a histogram without Analyzer2D.ControlWindow"))
	}
	control := r.file.Windows[p.control-1]
	h.Control = &control.Window
	h.Columns.Codes = control.View.Color == CodeColor
	if !h.Range.Whole {
		h.Range = control.View.Range
	}
	if p.data != 0 && p.data != p.control {
		h.Data = &r.file.Windows[p.data-1].Window
	}
	if p.third != 0 {
		third := r.file.Windows[p.third-1]
		h.Third = &third.Window
		h.Planes.Codes = third.View.Color == CodeColor
	}
	if p.fixed {
		h.Columns.Count = 0
	}
	for _, l := range h.Other {
		switch l.Key {
		case "Analyzer2D.Minimum:", "Analyzer2D.Maximum:", "Analyzer2D.Delta:":
			h.Columns.Auto = true
		case "Analyzer2D.3D_Minimum:", "Analyzer2D.3D_Maximum:", "Analyzer2D.3D_Delta:":
			h.Planes.Auto = true
		}
	}
	if h.Third == nil { // nothing is divided into planes
		blank := blankHistogram()
		h.Planes, h.Plane = blank.Planes, blank.Plane
	}
	return nil
}

func readStatistic(r *reader, h *Histogram, text string) error {
	s, ok := stat.Lookup(text)
	if !ok {
		return &UnknownFunctionError{"statistic", text}
	}
	r.spelled("statistic", text, s.Name)
	h.Statistic = s.Name
	return nil
}

// criterionOfSort reads the name of a total, or Custom.
func criterionOfSort(text string) (string, error) {
	if !slices.ContainsFunc(totalNames, func(name string) bool { return strings.EqualFold(name, text) }) {
		return "", badf("unknown criterion %q", text)
	}
	return criterionName(text), nil
}

// criterionName returns a total as .cfg files spell it.
func criterionName(by string) string {
	for _, name := range totalNames {
		if strings.EqualFold(name, by) {
			return name
		}
	}
	return "Total"
}

// totalNames are the totals that columns can be sorted by, as .cfg files spell them; Custom is an order that the user
// has fixed.
var totalNames = []string{"Average", "Total", "Maximum", "Minimum", "Stdev", "Avg/Max", "Custom"}

func readLimits(_ *reader, h *Histogram, text string) error {
	switch text {
	case "Allwindow":
		h.Range.Whole = false
	case "Alltrace", "Region":
		h.Range.Whole = true
	default:
		return badf("%q is not Alltrace, Allwindow or Region", text)
	}
	return nil
}

// readFixedDelta takes a key that is true if the file has the number of columns but their width is fixed.
func readFixedDelta(r *reader, h *Histogram, text string) (err error) {
	r.refs[h].fixed, err = truth(text)
	return err
}
