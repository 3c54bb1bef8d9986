// Package cfg reads and writes Paraver's .cfg files: windows and histograms with
// all that decides their numbers and their looks.
//
// A .cfg is a list of lines "key value". What decides numbers goes to the plain
// values of packages semantic, filter and stat; what decides looks goes to View; what
// is neither is kept and written back. A function that pview lacks is an error
// naming it.
package cfg

import (
	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// File is the content of a .cfg.
type File struct {
	Version     string    // "3.4"
	Description string    // free text; "" when there is none
	Aliases     bool      // CFG4D_ENABLED: the windows' Aliases are shown instead of functions
	Windows     []*Window // parents stand before the windows derived from them
	Histograms  []*Histogram
	// Notes are remarks on what was read with allowances: an unknown key, a
	// number that is none.
	Notes []prv.Note
}

// Window is a window with its range, its objects and its looks.
type Window struct {
	semantic.Window
	Range   stat.Range
	Objects []Objects // selection of rows; empty is all
	Zoom    [2]int    // first and last row that are shown (0-based) where HasZoom is set
	HasZoom bool
	View    View
	Aliases []prv.Setting // cfg4d lines
	Other   []prv.Setting // keys that pview does not know, in order
}

// Objects selects objects of a level: those of one ptask, or of one task.
type Objects struct {
	Level  prv.Level
	Within []int // number (0-based) of the ptask, and of the task, that they belong to
	// Chosen says of each whether it is selected. Paraver writes 1 and 0 at the
	// window's own level, All and None above it.
	Chosen []bool
}

// View is what decides a window's picture.
type View struct {
	X, Y, Width, Height int
	CommLines, Flags    bool
	Open                bool
	FunctionLine        bool   // a graph of value against time, instead of colours
	ColorMode           string // as the file spells it: "" is code colour, "window_in_gradient_mode", ...
	Gradient            string
	CustomColors        bool
	Palette             []PaletteEntry
	ScaleFromZero       bool
	Max, Min            float64 // of the semantic scale
	FitScale            bool    // compute it from the values
	DrawTime, DrawRows  semantic.DrawMode
	PixelSize           int
	Labels              int // labels to draw: 0 all, 1 spaced, 2 powers of 2
	AxisPosition        int
	PunctualWindow      int // position of the window that colours points; 0 is none
	Group               int // of synchronised windows; 0 is none
}

// PaletteEntry is the colour of a value in a window's own palette.
type PaletteEntry struct {
	Value float64
	Color prv.RGB
}

// Histogram is a histogram with its looks.
type Histogram struct {
	stat.Histogram
	// Limits is how the file says where the range comes from: "Alltrace",
	// "Allwindow", "Region".
	Limits  string
	View    HistogramView
	Aliases []prv.Setting // cfg4d lines
	Other   []prv.Setting // keys that pview does not know, in order
}

// HistogramView is what decides a histogram's picture.
type HistogramView struct {
	X, Y, Width, Height int
	Color               bool // cells have colours
	SemanticColor       bool // column headers have those of the control window
	Zoom                bool // numbers are shown
	FitGradient         bool
	MinColor, MaxColor  float64
	DrawRows, DrawCols  semantic.DrawMode
	PixelSize           int
	ColorMode           string
	ShortHeaders        bool
	Group               int
}
