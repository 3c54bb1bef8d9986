// Package cfg reads and writes Paraver's .cfg files: windows, single and derived, and histograms, and how they look.
//
// A .cfg is text, one key and its value per line. Keys that decide numbers become a semantic.Window, those that decide
// the picture a View. Keys that pview does not know and values that it cannot read are kept and written again: opening
// and saving a file loses nothing.
//
// A File does not depend on a trace. Bind resolves the selected rows, the time shown and the event types for a trace.
package cfg

import (
	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

// currentVersion is the version that Write puts in files without one.
const currentVersion = "3.4"

// File is the contents of a .cfg.
type File struct {
	Name        string // of the file, for messages
	Version     string // "3.4"
	Description string // the author's remarks; lines end in \n, except the last
	// CFG4D: the file's aliases (its "cfg4d" lines, kept in Other) replace the names of properties in Paraver's
	// simplified dialogs.
	CFG4D      bool
	Windows    []*Window
	Histograms []*Histogram
	Other      []Line // lines before the first window that are not understood

	misspelled []prv.Note // names that Paraver does not have
}

// Window is one timeline of a file. The parents of a derived window are windows of
// the same file, before it: its Derived points at their embedded windows.
type Window struct {
	semantic.Window
	View  View
	Other []Line // lines that are kept but not understood

	line      int64 // of window_name; 0 when not read from a file
	levelLine int64 // of window_level
	typesLine int64 // of the list of event types
}

// Line is a line of a file that pview keeps without using it.
type Line struct {
	Key  string // with its colon, if any
	Text string
}

// View describes the look of a window, and the part of the trace that it shows.
type View struct {
	X, Y          int // position on the screen, pixels
	Width, Height int // pixels
	Open          bool
	Sync          int // group of windows that share a time axis, from 1; 0 is none

	CommLines bool // communications are drawn as lines
	Flags     bool // events are drawn as flags

	Color        ColorMode
	Gradient     GradientFunction
	CustomColors bool // Palette replaces the .pcf's colours
	Palette      []PaletteEntry

	AutoScale bool // the semantic scale is computed from the values in view
	Minimum   float64
	Maximum   float64
	MinAtZero bool // the scale begins at 0, whatever Minimum

	DrawMode     series.DrawMode // for values that share a column
	DrawModeRows series.DrawMode // for rows that share a line
	PixelSize    int             // 1, 2, 4, 8
	Labels       int             // of rows: 0 all, 1 spaced, 2 powers of 2
	ObjectAxis   string          // width of the names of rows; "" if not given
	Punctual     int             // position from 1 of the window that colours points; 0 is none

	Range   stat.Range // the time shown; never Whole
	Objects []Selection
	Zoom    *[2]int // first and last row shown, 0-based; nil shows all
}

// Selection selects among the objects of one parent.
type Selection struct {
	Level prv.Level
	// Parent holds the 0-based numbers of the parent: for tasks the ptask, for threads the ptask and the task within
	// it, for CPUs the node.
	Parent []int
	On     []bool
}

// PaletteEntry gives a value a colour.
type PaletteEntry struct {
	Value float64
	Color prv.RGB
}

// ColorMode turns values into colours or a line.
type ColorMode uint8

// The colour modes.
const (
	CodeColor           ColorMode = iota // one colour per value
	GradientColor                        // from dark to light over the scale
	NullGradientColor                    // the same; 0 is background
	AlternativeGradient                  // the same with other colours
	FunctionLine                         // a graph of the value against time
	Punctual                             // points
	FusedLines                           // all rows in one graph
)

// ColorModeEntry describes a colour mode.
type ColorModeEntry struct {
	Mode ColorMode
	Name string // as Paraver's menu spells it
	Cfg  string // as .cfg files spell it
}

// colorModes lists the colour modes. .cfg files have no mode for a function line: they turn the colours off.
var colorModes = []ColorModeEntry{
	{CodeColor, "Code Color", "window_in_code_mode"},
	{GradientColor, "Gradient Color", "window_in_gradient_mode"},
	{NullGradientColor, "Not Null Gradient Color", "window_in_null_gradient_mode"},
	{AlternativeGradient, "Alternative Gradient Color", "window_in_alternative_gradient_mode"},
	{FunctionLine, "Function Line", ""},
	{Punctual, "Punctual", "window_in_punctual_mode"},
	{FusedLines, "Fused Lines", "window_in_fused_lines_mode"},
}

// String returns the mode's name as Paraver's menu spells it.
func (m ColorMode) String() string { return colorModes[m].Name }

// GradientFunction spreads a gradient over the semantic scale.
type GradientFunction uint8

// The gradient functions. A file that names none has DefaultGradient, which is linear.
const (
	DefaultGradient GradientFunction = iota
	LinearGradient
	StepsGradient
	LogarithmicGradient // log(100x+1)/log 101
	ExponentialGradient // e^(10x)/e^10
)

// gradientNames are the gradient functions as .cfg files spell them.
var gradientNames = []string{"", "gradient_function_linear", "gradient_function_steps", "gradient_function_log",
	"gradient_function_exp"}

// Histogram is one analyzer of a file. Its Control, Data and Third are embedded windows of windows of the same file.
// Its Range is the whole trace or the control window's; Bind sets its Rows to the selected ones.
type Histogram struct {
	stat.Histogram
	View  HistogramView
	Other []Line // lines that are kept but not understood

	line int64 // of the line that begins it
}

// HistogramView describes the look of a histogram.
type HistogramView struct {
	X, Y          int // position on the screen, pixels
	Width, Height int // pixels
	Sync          int // group of windows that share a time axis, from 1; 0 is none

	Colors       bool // cells are coloured
	Semantic     bool // by the value of the column, in the control window's colours
	Zoomed       bool // a picture, not numbers
	Color        ColorMode
	AutoScale    bool // the gradient spans the cells, from least to greatest
	Minimum      float64
	Maximum      float64
	DrawMode     series.DrawMode // for columns that share a pixel
	DrawModeRows series.DrawMode
	PixelSize    int
}

// NewWindow returns a window with the defaults of a new one in Paraver.
func NewWindow(w semantic.Window) *Window {
	return &Window{Window: w, View: View{
		Width: 600, Height: 115, Flags: true, AutoScale: true, PixelSize: 1, Labels: 1, Open: true,
		Range: stat.Range{Relative: true, End: 1},
	}}
}

// NewHistogram returns a histogram with the defaults of a new one in Paraver.
func NewHistogram(h stat.Histogram) *Histogram {
	return &Histogram{Histogram: h, View: HistogramView{
		Width: 600, Height: 300, Colors: true, AutoScale: true, Color: GradientColor, PixelSize: 1,
	}}
}

// blankWindow returns the defaults for the keys of a window that a file leaves out.
func blankWindow() *Window {
	w := NewWindow(semantic.DefaultWindow())
	w.View.Flags, w.View.AutoScale, w.View.Open = false, false, false
	return w
}

// blankHistogram returns the defaults for the keys of a histogram that a file leaves out.
func blankHistogram() *Histogram {
	return NewHistogram(stat.Histogram{
		Statistic: "Time", Range: stat.Range{Whole: true}, Columns: stat.Scale{Delta: 1},
		Planes: stat.Scale{Auto: true, Delta: 1}, ShortNames: true,
		Sort: stat.Sort{By: "Average"},
	})
}
