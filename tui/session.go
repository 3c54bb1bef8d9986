package tui

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/desk"
	"pview/tui/notation"
	"pview/tui/pane/simulator"
	"pview/tui/paths"
)

// A session: traces and windows as they stand, in a JSON file. Functions, modes
// and levels are written by their names, filters as people type them, so that the
// file can be read and survives changes of the program.

const (
	SessionExt     = ".session.json"
	sessionFormat  = "pview session"
	sessionVersion = 1
)

type sessionFile struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	Traces   []string        `json:"traces"` // paths; relative ones from the session's folder; "" for the demo
	Windows  []sessionWindow `json:"windows"`
	Focus    int             `json:"focus"`
	Marks    []*int64        `json:"marks,omitempty"` // ns; null where not set
	What     bool            `json:"what_where"`      // a pane is open
	Pane     string          `json:"pane,omitempty"`  // which
	InPane   bool            `json:"pane_has_focus,omitempty"`
	Legend   bool            `json:"legend"`
	Overview bool            `json:"overview"`
	// Panes is what each pane has written of itself.
	Panes map[string]json.RawMessage `json:"panes,omitempty"`
	// Simulations is what the simulator has written, under the name that it has had from the first version on.
	Simulations json.RawMessage `json:"simulations,omitempty"`
}

type sessionWindow struct {
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
	Draw     sessionDraw     `json:"draw"`
}

type sessionDraw struct {
	Mode     string      `json:"mode,omitempty"` // "": as suits the values
	Rows     string      `json:"rows,omitempty"`
	Seed     uint64      `json:"seed,omitempty"`
	Color    string      `json:"color,omitempty"` // "" goes by what the values are
	Gradient string      `json:"gradient"`
	Scale    *[2]float64 `json:"scale,omitempty"` // when fixed
	Graph    bool        `json:"function_line,omitempty"`
	Coarse   bool        `json:"coarse,omitempty"`
	Flags    bool        `json:"flags,omitempty"`
	Lines    string      `json:"lines,omitempty"`
}

// session writes down what is open. dir is the folder that the file will be in.
func (m *Model) session(dir string) (*sessionFile, error) {
	f := &sessionFile{Format: sessionFormat, Version: sessionVersion, Focus: m.Focus, What: m.panes.open,
		Pane: m.panes.current().Title(), InPane: m.panes.open && m.PaneFocus, Legend: m.legendOpen,
		Overview: m.overviewOpen}
	var traces []*timeline.Trace
	for _, t := range m.Traces {
		if t.Predicted || t.Derived {
			continue
		}
		traces = append(traces, t)
		path := t.Data.Path
		if path != "" {
			abs, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			if path = abs; filepath.Dir(abs) == dir {
				path = filepath.Base(abs)
			}
		}
		f.Traces = append(f.Traces, path)
	}
	for i, w := range m.Windows {
		switch {
		case !w.Trace.Predicted && !w.Trace.Derived:
			f.Windows = append(f.Windows, sessionOf(w, slices.Index(traces, w.Trace)))
		case i <= m.Focus:
			f.Focus = max(f.Focus-1, 0)
		}
	}
	for _, p := range m.panes.list {
		part, err := p.Save(traces)
		if err != nil {
			return nil, err
		}
		switch {
		case part == nil:
		case p.Title() == simulator.Title:
			f.Simulations = part
		default:
			if f.Panes == nil {
				f.Panes = map[string]json.RawMessage{}
			}
			f.Panes[p.Title()] = part
		}
	}
	for _, k := range m.Marks {
		var ns *int64
		if k.Set {
			ns = &k.NS
		}
		f.Marks = append(f.Marks, ns)
	}
	return f, nil
}

func sessionOf(w *timeline.View, trace int) sessionWindow {
	d := &w.Drawing
	s := sessionWindow{
		Trace: trace, Name: w.Name, Group: w.Group, Begin: w.Begin, End: w.End, Cursor: w.Cursor, Row: w.CursorRow,
		Top: w.Top, Span: w.Span,
		Semantic: notation.WindowOf(&w.Sem),
		Draw: sessionDraw{
			Seed:     d.Modes.Seed,
			Gradient: raster.GradientFunctions[d.Gradient].Name,
			Graph:    d.Graph, Coarse: d.Coarse, Flags: d.Flags, Lines: d.Comms.String(),
		},
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
		s.Draw.Scale = &[2]float64{d.Scale.Min, d.Scale.Max}
	}
	for _, o := range w.Objects {
		s.Objects = append(s.Objects, o+1)
	}
	return s
}

func drawFromSession(s *sessionDraw) (timeline.Drawing, error) {
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
	if s.Scale != nil {
		l.Fixed, l.Scale = true, raster.Scale{Min: s.Scale[0], Max: s.Scale[1]}
	}
	return l, nil
}

// Saving.

type savedMsg struct {
	path string
	err  error
}

// sessionPath is what saving proposes: a name beside the first trace, or in the
// working folder when that cannot be written to.
func (m *Model) sessionPath() string {
	for _, t := range m.Traces {
		if t.Data.Path != "" {
			path := prv.Base(t.Data.Path) + SessionExt
			if !paths.CanCreateIn(filepath.Dir(path)) {
				path = filepath.Base(path)
			}
			return path
		}
	}
	return "pview" + SessionExt
}

// savedSession is the path of the session that was saved last, "" for none.
func savedSession(m *Model) string {
	if path := m.sessionPath(); paths.Exists(path) {
		return path
	}
	if m.options.Kept != "" && paths.Exists(m.options.Kept) {
		return m.options.Kept
	}
	return ""
}

func saveSession(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("save-session")
	}
	path, err := filepath.Abs(paths.ExpandHome(unquote(args)))
	if err != nil {
		return m.scene.Refuse(err)
	}
	if filepath.Ext(path) == "" {
		path += SessionExt
	}
	f, err := m.session(filepath.Dir(path))
	if err != nil {
		return m.scene.Refuse(err)
	}
	return func() tea.Msg { return savedMsg{path, writeSession(path, f)} }
}

// writeSession writes to a temporary name and renames, so that an old session is
// not lost when writing fails.
func writeSession(path string, f *sessionFile) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return paths.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

func (m *Model) saved(msg savedMsg) {
	if msg.err != nil {
		m.scene.Alarm(fmt.Sprintf("the session was not saved, %v: %s", paths.Cause(msg.err), msg.path))
		return
	}
	m.scene.Say("session saved as " + msg.path)
}

// Restoring.

// restoring is a session whose traces are being read.
type restoring struct {
	file  *sessionFile
	order map[*timeline.View]int // position in the file
}

func loadSessionCommand(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("load-session")
	}
	return m.loadSession(paths.ExpandHome(unquote(args)))
}

// loadSession puts a session in place of what is open. A file that is none
// leaves everything as it is.
func (m *Model) loadSession(path string) tea.Cmd {
	f, err := readSession(path)
	if err != nil {
		if m.starting {
			m.fatal = err
			return tea.Quit
		}
		return m.scene.Refuse(err)
	}
	m.cancelLoading()
	m.CloseAll()
	m.panes.open, m.PaneFocus, m.touched = f.What, f.What && f.InPane, true
	m.panes.shown = m.panes.titled(f.Pane)
	m.scene.Messages.Clear()
	m.legendOpen, m.overviewOpen, m.Marks = f.Legend, f.Overview, [2]desk.Mark{}
	for i, ns := range f.Marks {
		if i < len(m.Marks) && ns != nil {
			m.Marks[i] = desk.Mark{Set: true, NS: *ns}
		}
	}
	m.restoring = &restoring{file: f, order: map[*timeline.View]int{}}
	dir := filepath.Dir(path)
	var cmds []tea.Cmd
	for i, trace := range f.Traces {
		if trace != "" && !filepath.IsAbs(trace) {
			trace = filepath.Join(dir, trace)
		}
		cmds = append(cmds, m.load(trace, func(m *Model, t *timeline.Trace) tea.Cmd { return m.restore(i, t) }))
	}
	return tea.Batch(cmds...)
}

// IsSession reports whether a file is a saved session, whatever its name.
func IsSession(path string) bool {
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	head := make([]byte, 200)
	n, _ := io.ReadFull(in, head)
	return sessionHead.Match(head[:n])
}

// sessionHead is how the file of a session begins.
var sessionHead = regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"` + sessionFormat + `"`)

func readSession(path string) (*sessionFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, paths.Cause(err))
	}
	f := &sessionFile{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("%s: not a pview session: %v", path, err)
	}
	if f.Format != sessionFormat {
		return nil, fmt.Errorf("%s: not a pview session", path)
	}
	if f.Version > sessionVersion {
		return nil, fmt.Errorf("%s: written by a newer pview (version %d of the format)", path, f.Version)
	}
	return f, nil
}

// restore makes the windows on a trace of the session.
func (m *Model) restore(index int, t *timeline.Trace) tea.Cmd {
	r := m.restoring
	if r == nil {
		m.AddWindow(m.NewWindow(t))
		return nil
	}
	var wrong []string
	for i := range r.file.Windows {
		s := &r.file.Windows[i]
		if s.Trace != index {
			continue
		}
		w, err := m.windowFromSession(s, t)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("window %d: %v", i+1, err))
			continue
		}
		r.order[w] = i
		m.Windows = append(m.Windows, w)
	}
	slices.SortStableFunc(m.Windows, func(a, b *timeline.View) int { return r.order[a] - r.order[b] })
	m.Focus = max(slices.IndexFunc(m.Windows, func(w *timeline.View) bool { return r.order[w] == r.file.Focus }), 0)
	if wrong != nil {
		m.scene.Alarm(strings.Join(wrong, "; "))
	}
	var cmds []tea.Cmd
	m.stage()
	for _, p := range m.panes.list {
		part := r.file.Panes[p.Title()]
		if p.Title() == simulator.Title {
			part = r.file.Simulations
		}
		if part != nil {
			cmds = append(cmds, p.Restore(part, index, t))
		}
	}
	return tea.Batch(cmds...)
}

// finishRestoring ends the restoring of a session when its last trace was read, or
// could not be. Only now is it known how long the time axes are.
func (m *Model) finishRestoring() {
	if m.restoring == nil || m.loading != nil || len(m.queue) > 0 {
		return
	}
	m.Desk.Clamp()
	m.restoring = nil
}

func (m *Model) windowFromSession(s *sessionWindow, t *timeline.Trace) (*timeline.View, error) {
	w := m.NewWindow(t)
	var err error
	if w.Sem, err = s.Semantic.Read(t.Data.Labels); err != nil {
		return nil, err
	}
	if w.Drawing, err = drawFromSession(&s.Draw); err != nil {
		return nil, err
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
	return w, nil
}
