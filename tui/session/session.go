// Package session reads and writes sessions: traces and windows in a JSON file. Functions, modes and levels are written
// by name, filters as users type them, so that people can read the file and it survives changes of the program.
package session

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	"pview/prv"
	"pview/prv/exact"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/notation"
	"pview/tui/paths"
)

// Ext is the ending of session files.
const Ext = ".session.json"

const (
	format  = "pview session"
	version = 1
)

// File is a session. New and Read return one.
type File struct {
	Format   string       `json:"format"`
	Version  int          `json:"version"`
	Traces   []exact.Text `json:"traces"` // paths; relative ones from the session's folder; "" for the demo
	Windows  []Window     `json:"windows"`
	Focus    int          `json:"focus"`
	Marks    []*int64     `json:"marks,omitempty"` // ns; null where not set
	What     bool         `json:"what_where"`      // a pane is open
	Pane     string       `json:"pane,omitempty"`  // which
	InPane   bool         `json:"pane_has_focus,omitempty"`
	Legend   bool         `json:"legend"`
	Overview bool         `json:"overview"`
	// Panes has the parts of the panes by their titles.
	Panes map[string]json.RawMessage `json:"panes,omitempty"`
	// Simulations is the Simulator's part, by its name in the first version of the format.
	Simulations json.RawMessage `json:"simulations,omitempty"`
}

// New returns an empty session.
func New() *File { return &File{Format: format, Version: version} }

// Window is a window of a session.
type Window struct {
	Trace    int             `json:"trace"`
	Name     string          `json:"name,omitempty"`
	Group    int             `json:"group"`
	Begin    int64           `json:"begin"`
	End      int64           `json:"end"`
	Cursor   int64           `json:"cursor"`
	Row      int             `json:"row"`
	Top      int             `json:"top,omitempty"`
	Span     int             `json:"span,omitempty"`
	Objects  []int32         `json:"objects,omitempty"` // 1-based
	Semantic notation.Window `json:"semantic"`
	Draw     drawing         `json:"draw"`
}

type drawing struct {
	Mode     string          `json:"mode,omitempty"` // "": it follows from the values
	Rows     string          `json:"rows,omitempty"`
	Seed     uint64          `json:"seed,omitempty"`
	Color    string          `json:"color,omitempty"` // "": it follows from the values
	Gradient string          `json:"gradient"`
	Scale    *[2]exact.Float `json:"scale,omitempty"` // if fixed
	Graph    bool            `json:"function_line,omitempty"`
	Coarse   bool            `json:"coarse,omitempty"`
	Flags    bool            `json:"flags,omitempty"`
	Lines    string          `json:"lines,omitempty"`
	Between  *timeline.Pair  `json:"lines_between,omitempty"`
}

// WindowOf returns a window as a session has it. trace is the position of its trace.
func WindowOf(w *timeline.View, trace int) Window {
	d := &w.Drawing
	s := Window{
		Trace: trace, Name: w.Name, Group: w.Group, Begin: w.Begin, End: w.End, Cursor: w.Cursor, Row: w.CursorRow,
		Top: w.Top, Span: w.Span,
		Semantic: notation.WindowOf(&w.Sem),
		Draw: drawing{
			Seed:     d.Modes.Seed,
			Gradient: raster.GradientFunctions[d.Gradient].Name,
			Graph:    d.Graph, Coarse: d.Coarse, Flags: d.Flags, Lines: d.Comms.String(),
		},
	}
	if d.Between != (timeline.Pair{}) {
		s.Draw.Between = &d.Between
	}
	if d.Given.Time {
		s.Draw.Mode = d.Modes.Time.String()
	}
	if d.Given.Rows {
		s.Draw.Rows = d.Modes.Rows.String()
	}
	if d.Codes || d.Color != raster.CodeColor {
		s.Draw.Color = raster.ColorModes[d.Color].Name
	}
	if d.Fixed {
		s.Draw.Scale = &[2]exact.Float{exact.Float(d.Scale.Min), exact.Float(d.Scale.Max)}
	}
	for _, o := range w.Objects {
		s.Objects = append(s.Objects, o+1)
	}
	return s
}

// read returns the way of drawing a window.
func (s *drawing) read() (timeline.Drawing, error) {
	var l timeline.Drawing
	for _, mode := range []struct {
		name  string
		to    *series.DrawMode
		given *bool
	}{{s.Mode, &l.Modes.Time, &l.Given.Time}, {s.Rows, &l.Modes.Rows, &l.Given.Rows}} {
		if mode.name == "" {
			continue
		}
		i := slices.IndexFunc(series.DrawModes, func(e series.DrawModeEntry) bool { return e.Name == mode.name })
		if i < 0 {
			return l, fmt.Errorf("unknown draw mode %q", mode.name)
		}
		*mode.to, *mode.given = series.DrawModes[i].Mode, true
	}
	l.Modes.Seed = s.Seed
	if s.Color != "" {
		i := slices.IndexFunc(raster.ColorModes, func(e raster.ColorModeEntry) bool { return e.Name == s.Color })
		if i < 0 {
			return l, fmt.Errorf("unknown colour mode %q", s.Color)
		}
		l.Color = raster.ColorModes[i].Mode
		l.Codes = l.Color == raster.CodeColor
	}
	if l.Gradient = slices.IndexFunc(raster.GradientFunctions, func(g raster.GradientFunction) bool {
		return g.Name == s.Gradient
	}); l.Gradient < 0 {
		return l, fmt.Errorf("unknown gradient %q", s.Gradient)
	}
	lines := max(slices.Index(timeline.CommLineNames[:], s.Lines), 0)
	l.Graph, l.Coarse, l.Flags, l.Comms = s.Graph, s.Coarse, s.Flags, timeline.CommLines(lines)
	if s.Between != nil {
		l.Between = *s.Between
	}
	if s.Scale != nil {
		l.Fixed, l.Scale = true, raster.Scale{Min: float64(s.Scale[0]), Max: float64(s.Scale[1])}
	}
	return l, nil
}

// Write writes a session. If writing fails, the previous session survives.
func (f *File) Write(path string) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return prv.SaveFile(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// Is reports whether a file is a session, whatever its name.
func Is(path string) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, 200)
	n, _ := io.ReadFull(in, start)
	return head.Match(start[:n])
}

// head matches the start of a session file.
var head = regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + format + `"`)

// Read reads a session.
func Read(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, paths.Cause(err))
	}
	f := &File{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("%s: not a pview session: %v", path, err)
	}
	if f.Format != format {
		return nil, fmt.Errorf("%s: not a pview session", path)
	}
	if f.Version > version {
		return nil, fmt.Errorf("%s: written by a newer pview (version %d of the format)", path, f.Version)
	}
	return f, nil
}

// Apply sets a new window on a trace to a window of the session.
func (s *Window) Apply(w *timeline.View, t *timeline.Trace) error {
	var err error
	if w.Sem, err = s.Semantic.Read(t.Data.Labels); err != nil {
		return err
	}
	if w.Drawing, err = s.Draw.read(); err != nil {
		return err
	}
	n := t.Data.Count(w.Sem.Level)
	for _, o := range s.Objects {
		if o >= 1 && int(o) <= n {
			w.Objects = append(w.Objects, o-1)
		}
	}
	w.Name, w.Group, w.Top, w.Span, w.Cursor, w.CursorRow = s.Name, max(s.Group, 0), max(s.Top, 0), max(s.Span, 0),
		s.Cursor, s.Row
	if s.Begin >= 0 && s.End > s.Begin {
		w.Begin, w.End = s.Begin, s.End
	}
	return nil
}
