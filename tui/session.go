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

// LastMachine returns the machine that was simulated last according to a file; "" for none.
func LastMachine(path string) string { return recent.Read(path).Machine() }

// session writes down what is open. dir is the folder of the file.
func (m *Model) session(dir string) (*session.File, error) {
	f := session.New()
	f.Focus, f.What, f.InPane = m.Focus, m.panes.open, m.panes.open && m.PaneFocus
	f.Pane, f.Legend, f.Overview = m.panes.current().Title(), m.drawing.Legend, m.drawing.Overview
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
			f.Windows = append(f.Windows, session.WindowOf(w, slices.Index(traces, w.Trace)))
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

// sessionPath proposes a name next to the first trace, or in the working folder if that of the trace is read-only.
func (m *Model) sessionPath() string {
	for _, t := range m.Traces {
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

// savedSession returns the path of the last saved session, "" for none.
func (m *Model) savedSession() string {
	if path := m.sessionPath(); paths.Exists(path) {
		return path
	}
	if m.options.Kept != "" && paths.Exists(m.options.Kept) {
		return m.options.Kept
	}
	return ""
}

func (m *Model) saveSession(args string) tea.Cmd {
	path, err := filepath.Abs(paths.Typed(args))
	if err != nil {
		return m.scene.Refuse(err)
	}
	if filepath.Ext(path) == "" {
		path += session.Ext
	}
	f, err := m.session(filepath.Dir(path))
	if err != nil {
		return m.scene.Refuse(err)
	}
	return func() tea.Msg {
		err := f.Write(path)
		return pane.Result(func() tea.Cmd {
			if err != nil {
				m.scene.Alarm(fmt.Sprintf("the session was not saved, %v: %s", paths.Cause(err), path))
				return nil
			}
			m.scene.Say("session saved as " + path)
			return nil
		})
	}
}

// restoring is a session whose traces are being read.
type restoring struct {
	file  *session.File
	order map[*timeline.View]int // position in the file
}

// loadSession replaces what is open by a session. An invalid file changes nothing.
func (m *Model) loadSession(path string) tea.Cmd {
	f, err := session.Read(path)
	if err != nil {
		if m.loader.starting {
			m.loader.fatal = err
			return tea.Quit
		}
		return m.scene.Refuse(err)
	}
	m.cancelLoading()
	m.CloseAll()
	m.panes.open, m.PaneFocus, m.headline.touched = f.What, f.What && f.InPane, true
	m.panes.shown = m.panes.titled(f.Pane)
	m.scene.Messages.Clear()
	m.drawing.Legend, m.drawing.Overview, m.Marks = f.Legend, f.Overview, [2]desk.Mark{}
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
		w := m.NewWindow(t)
		if err := s.Apply(w, t); err != nil {
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

// finishRestoring ends the restoring of a session when its last trace was read, or could not be. Only now the lengths
// of the time axes are known.
func (m *Model) finishRestoring() {
	if m.restoring == nil || m.loader.current != nil || len(m.loader.queue) > 0 {
		return
	}
	m.Desk.Clamp()
	m.restoring = nil
}

// quit leaves the program. It keeps a session if the screen differs from newly opened traces.
func (m *Model) quit(string) tea.Cmd {
	if path := m.options.Kept; path != "" && m.worthKeeping() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			if f, err := m.session(filepath.Dir(path)); err == nil {
				_ = f.Write(path) // on failure the next start offers nothing
			}
		}
	}
	return tea.Quit
}

// worthKeeping reports whether something would be lost without a session.
func (m *Model) worthKeeping() bool {
	if len(m.Windows) == 0 || m.loader.starting || m.restoring != nil {
		return false
	}
	measured := 0
	for _, w := range m.Windows {
		if w.Trace.Predicted || w.Trace.Derived {
			continue
		}
		measured++
		fresh := timeline.NewView(w.ID, w.Trace)
		m.beginWithDefaults(fresh)
		if w.Name != "" || w.Objects != nil || !w.Sem.Equal(&fresh.Sem) || w.Drawing != fresh.Drawing {
			return true
		}
	}
	for _, p := range m.panes.list {
		if part, err := p.Save(m.Traces); err == nil && part != nil {
			return true
		}
	}
	return measured > 1 || m.Marks[0].Set || m.Marks[1].Set
}

// offerKept tells how to get back what was on the screen last time: on the demo, and on a trace that was part of it.
func (m *Model) offerKept() {
	path := m.options.Kept
	if path == "" || m.options.Session != "" || m.scene.Messages.Text != "" || len(m.Windows) != 1 ||
		len(m.options.Cfgs) > 0 {
		return
	}
	f, err := session.Read(path)
	if err != nil || len(f.Windows) == 0 {
		return
	}
	name := m.Windows[0].Trace.Data.Path
	if name != "" && !slices.Contains(f.Traces, paths.Absolute(name)) {
		return
	}
	what := "this trace"
	if name == "" {
		what = filepath.Base(f.Traces[0])
		if f.Traces[0] == "" {
			what = "the demo"
		}
	}
	m.scene.Say(fmt.Sprintf("%s Enter: %s as you left it, %s", m.scene.KeysOf("load-session"), what,
		raster.CountOf(len(f.Windows), "window")))
}

// recentMsg has the traces to choose from: those of the last starts that still exist, and those of the working folder.
type recentMsg struct {
	items   []dialog.Item
	atStart bool // unasked: shown only over the demo, if there is a choice
}

// listRecent lists the recent traces in the background.
func (m *Model) listRecent(atStart bool) tea.Cmd {
	list := m.recent.List(m.palette.Actions.Named("open").Files)
	return func() tea.Msg { return recentMsg{list(), atStart} }
}

// offerRecent lists the recent traces when the program has just started with the demo.
func (m *Model) offerRecent() tea.Cmd {
	if m.options.Recent == "" || m.options.Session != "" || !m.onlyDemo() {
		return nil
	}
	return m.listRecent(true)
}

// showRecent opens the list of recent traces.
func (m *Model) showRecent(msg recentMsg) tea.Cmd {
	if msg.atStart && (len(msg.items) == 0 || m.dialogs.Top() != nil || !m.onlyDemo()) {
		return nil
	}
	return m.dialogs.Open(&dialog.Picker{Title: "Recent traces, and those of this folder", Items: msg.items,
		Empty: "no trace was opened yet, and none is in this folder", Keys: []dialog.Key{
			{Press: "enter", Word: "open", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
				if it == nil {
					return nil
				}
				if m.onlyDemo() { // it makes way for a trace of the user
					for _, w := range slices.Clone(m.Windows) {
						m.Close(w)
					}
				}
				return m.open(it.Data.(string))
			}},
			{Press: "ctrl+o", Word: "another folder", Run: func(*dialog.Picker, *dialog.Item) tea.Cmd {
				return m.palette.Browse(m.palette.Actions.Named("open"), "")
			}},
		}})
}

// onlyDemo reports whether windows are open, all of them on the demo trace.
func (m *Model) onlyDemo() bool {
	return len(m.Windows) > 0 && !slices.ContainsFunc(m.Windows, func(w *timeline.View) bool {
		return w.Trace.Data.Path != "" || w.Trace.Derived || w.Trace.Predicted
	})
}
