package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/exact"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/pane/simulator"
	"pview/tui/paths"
	"pview/tui/recent"
	"pview/tui/session"
)

// SessionExt is the ending of session files.
const SessionExt = session.Ext

// IsSession reports whether a file is a saved session, whatever its name.
func IsSession(path string) bool { return session.Is(path) }

// write stores the open traces and windows. dir is the folder of the file.
func (s *sessions) write(dir string) (*session.File, error) {
	f := session.New()
	f.Focus, f.What, f.InPane = s.m.Focus, s.m.panes.open, s.m.panes.open && s.m.PaneFocus
	f.Pane, f.Legend, f.Overview = s.m.panes.current().Title(), s.m.drawing.Legend, s.m.drawing.Overview
	var traces []*timeline.Trace
	for _, t := range s.m.Traces {
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
		f.Traces = append(f.Traces, exact.Text(path))
	}
	for i, w := range s.m.Windows {
		switch {
		case !w.Trace.Predicted && !w.Trace.Derived:
			f.Windows = append(f.Windows, session.WindowOf(w, slices.Index(traces, w.Trace)))
		case i <= s.m.Focus:
			f.Focus = max(f.Focus-1, 0)
		}
	}
	for _, p := range s.m.panes.list {
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
	for _, k := range s.m.Marks {
		var ns *int64
		if k.Set {
			ns = &k.NS
		}
		f.Marks = append(f.Marks, ns)
	}
	return f, nil
}

// path proposes a name next to the first trace, or in the working folder if that of the trace is read-only.
func (s *sessions) path() string {
	for _, t := range s.m.Traces {
		if t.Data.Path != "" {
			path := prv.Base(t.Data.Path) + session.Ext
			if !paths.CanCreateIn(filepath.Dir(path)) {
				path = filepath.Base(path)
			}
			return path
		}
	}
	return "pview" + session.Ext
}

// saved returns the path of the last saved session, "" for none.
func (s *sessions) saved() string {
	if path := s.path(); paths.Exists(path) {
		return path
	}
	if s.m.options.Kept != "" && paths.Exists(s.m.options.Kept) {
		return s.m.options.Kept
	}
	return ""
}

func (s *sessions) save(args string) tea.Cmd {
	path, err := filepath.Abs(paths.Typed(args))
	if err != nil {
		return s.m.scene.Refuse(err)
	}
	if filepath.Ext(path) == "" {
		path += session.Ext
	}
	f, err := s.write(filepath.Dir(path))
	if err != nil {
		return s.m.scene.Refuse(err)
	}
	return func() tea.Msg {
		err := f.Write(path)
		return pane.Result(func() tea.Cmd {
			if err != nil {
				s.m.scene.Alarm(fmt.Sprintf("the session was not saved, %v: %s", paths.Cause(err), path))
				return nil
			}
			s.m.scene.Say("session saved as " + path)
			return nil
		})
	}
}

// sessions saves and restores sessions, and offers the one of the last start and recent traces.
type sessions struct {
	m         *Model
	recent    *recent.File
	restoring *restoring // nil: none
}

// restoring is a session whose traces are being read.
type restoring struct {
	file  *session.File
	order map[*timeline.View]int // position in the file
}

// load replaces everything open by a session. An invalid file changes nothing.
func (s *sessions) load(path string) tea.Cmd {
	f, err := session.Read(path)
	if err != nil {
		if s.m.loader.starting {
			s.m.loader.fatal = err
			return tea.Quit
		}
		return s.m.scene.Refuse(err)
	}
	s.m.loader.cancel()
	s.m.CloseAll()
	s.m.panes.open, s.m.PaneFocus, s.m.headline.touched = f.What, f.What && f.InPane, true
	s.m.panes.shown = s.m.panes.titled(f.Pane)
	s.m.scene.Messages.Clear()
	s.m.drawing.Legend, s.m.drawing.Overview, s.m.Marks = f.Legend, f.Overview, [2]desk.Mark{}
	for i, ns := range f.Marks {
		if i < len(s.m.Marks) && ns != nil {
			s.m.Marks[i] = desk.Mark{Set: true, NS: *ns}
		}
	}
	s.restoring = &restoring{file: f, order: map[*timeline.View]int{}}
	dir := filepath.Dir(path)
	var cmds []tea.Cmd
	for i, text := range f.Traces {
		trace := string(text)
		if trace != "" && !filepath.IsAbs(trace) {
			trace = filepath.Join(dir, trace)
		}
		cmds = append(cmds, s.m.loader.add(trace, func(t *timeline.Trace) tea.Cmd { return s.restore(i, t) }))
	}
	return tea.Batch(cmds...)
}

// restore makes the windows on a trace of the session.
func (s *sessions) restore(index int, t *timeline.Trace) tea.Cmd {
	r := s.restoring
	if r == nil {
		s.m.AddWindow(s.m.NewWindow(t))
		return nil
	}
	var wrong []string
	for i := range r.file.Windows {
		window := &r.file.Windows[i]
		if window.Trace != index {
			continue
		}
		w := s.m.NewWindow(t)
		if err := window.Apply(w, t); err != nil {
			wrong = append(wrong, fmt.Sprintf("window %d: %v", i+1, err))
			continue
		}
		r.order[w] = i
		s.m.Windows = append(s.m.Windows, w)
	}
	slices.SortStableFunc(s.m.Windows, func(a, b *timeline.View) int { return r.order[a] - r.order[b] })
	s.m.Focus = max(slices.IndexFunc(s.m.Windows, func(w *timeline.View) bool { return r.order[w] == r.file.Focus }), 0)
	if wrong != nil {
		s.m.scene.Alarm(strings.Join(wrong, "; "))
	}
	var cmds []tea.Cmd
	s.m.stage()
	for _, p := range s.m.panes.list {
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

// finish ends the restoring of a session when its last trace was read, or could not be. Only then are the lengths of
// the time axes known.
func (s *sessions) finish() {
	if s.restoring == nil || s.m.loader.current != nil || len(s.m.loader.queue) > 0 {
		return
	}
	s.m.Desk.Clamp()
	s.restoring = nil
}

// quit leaves the program. It keeps a session if the screen differs from newly opened traces.
func (s *sessions) quit(string) tea.Cmd {
	if path := s.m.options.Kept; path != "" && s.worthKeeping() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			if f, err := s.write(filepath.Dir(path)); err == nil {
				_ = f.Write(path) // on failure the next start offers nothing
			}
		}
	}
	return tea.Quit
}

// worthKeeping reports whether anything would be lost without a session.
func (s *sessions) worthKeeping() bool {
	if len(s.m.Windows) == 0 || s.m.loader.starting || s.restoring != nil {
		return false
	}
	measured := 0
	for _, w := range s.m.Windows {
		if w.Trace.Predicted || w.Trace.Derived {
			continue
		}
		measured++
		fresh := timeline.NewView(w.ID, w.Trace)
		s.m.openings.set(fresh)
		if w.Name != "" || w.Objects != nil || !w.Sem.Equal(&fresh.Sem) || w.Drawing != fresh.Drawing {
			return true
		}
	}
	for _, p := range s.m.panes.list {
		if part, err := p.Save(s.m.Traces); err == nil && part != nil {
			return true
		}
	}
	return measured > 1 || s.m.Marks[0].Set || s.m.Marks[1].Set
}

// offerKept explains how to restore the last screen: on the demo, and on a trace that was part of it.
func (s *sessions) offerKept() {
	path := s.m.options.Kept
	if path == "" || s.m.options.Session != "" || s.m.scene.Messages.Text != "" || len(s.m.Windows) != 1 ||
		len(s.m.options.Cfgs) > 0 {
		return
	}
	f, err := session.Read(path)
	if err != nil || len(f.Windows) == 0 {
		return
	}
	name := s.m.Windows[0].Trace.Data.Path
	if name != "" && !slices.Contains(f.Traces, exact.Text(paths.Absolute(name))) {
		return
	}
	what := "this trace"
	if name == "" {
		what = filepath.Base(string(f.Traces[0]))
		if f.Traces[0] == "" {
			what = "the demo"
		}
	}
	s.m.scene.Say(fmt.Sprintf("%s Enter: %s as you left it, %s", s.m.scene.KeysOf("session load"), what,
		raster.CountOf(len(f.Windows), "window")))
}

// recentMsg has the traces to choose from: those of the last starts that still exist, and those of the working folder.
type recentMsg struct {
	items   []dialog.Item
	atStart bool // not requested: shown only over the demo, if there is a choice
}

// listRecent lists the recent traces in the background.
func (s *sessions) listRecent(atStart bool) tea.Cmd {
	list := s.recent.List(s.m.palette.Actions.Named("open").Files)
	return func() tea.Msg { return recentMsg{list(), atStart} }
}

// offerRecent lists the recent traces when the program has just started with the demo.
func (s *sessions) offerRecent() tea.Cmd {
	if s.m.options.Recent == "" || s.m.options.Session != "" || !s.onlyDemo() {
		return nil
	}
	return s.listRecent(true)
}

// showRecent opens the list of recent traces.
func (s *sessions) showRecent(msg recentMsg) tea.Cmd {
	if msg.atStart && (len(msg.items) == 0 || s.m.dialogs.Top() != nil || !s.onlyDemo()) {
		return nil
	}
	return s.m.dialogs.Open(&dialog.Picker{Title: "Recent traces, and those in this folder", Items: msg.items,
		Empty: "no trace was opened yet, and none is in this folder", Keys: []dialog.Key{
			{Press: "enter", Word: "open", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
				if it == nil {
					return nil
				}
				if s.onlyDemo() { // a trace of the user replaces it
					for _, w := range slices.Clone(s.m.Windows) {
						s.m.Close(w)
					}
				}
				return s.m.open(it.Data.(string))
			}},
			{Press: "ctrl+o", Word: "another folder", Run: func(*dialog.Picker, *dialog.Item) tea.Cmd {
				return s.m.palette.Browse(s.m.palette.Actions.Named("open"), "")
			}},
		}})
}

// onlyDemo reports whether windows are open, all of them on the demo trace.
func (s *sessions) onlyDemo() bool {
	return len(s.m.Windows) > 0 && !slices.ContainsFunc(s.m.Windows, func(w *timeline.View) bool {
		return w.Trace.Data.Path != "" || w.Trace.Derived || w.Trace.Predicted
	})
}
