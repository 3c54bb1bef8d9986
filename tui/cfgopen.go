package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/tui/pane"
	"pview/tui/pane/analyzer"
)

// Opening Paraver's .cfg files: their windows become windows, their histograms
// tables of these.

// cfgMsg is a .cfg file that was read.
type cfgMsg struct {
	trace   *timeline.Trace
	name    string
	file    *cfg.File
	bound   *cfg.Bound
	notes   []prv.Note
	err     error
	instead *timeline.View // closed once the windows of the file are open
}

// readCfg reads a .cfg for a trace in the background. The windows of the file replace instead, which may be nil.
func readCfg(m *Model, path string, t *timeline.Trace, instead *timeline.View) tea.Cmd {
	data := t.Data
	return func() tea.Msg {
		msg := cfgMsg{trace: t, name: filepath.Base(path), instead: instead}
		in, err := os.Open(path)
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = fmt.Errorf("%s: %v", path, pe.Err)
		}
		if msg.err = err; err != nil {
			return msg
		}
		defer in.Close()
		if msg.file, msg.notes, msg.err = cfg.Read(path, in); msg.err != nil {
			return msg
		}
		// Windows on events that do not occur show nothing, and a note says so.
		var more []prv.Note
		msg.bound, more, msg.err = msg.file.Bind(data, true)
		msg.notes = append(msg.notes, more...)
		return msg
	}
}

// openCfgs opens the .cfg files of the command line on the traces that were opened.
func openCfgs(m *Model) tea.Cmd {
	paths := m.options.Cfgs
	m.options.Cfgs = nil
	var cmds []tea.Cmd
	for _, w := range slices.Clone(m.Windows) {
		for i, path := range paths {
			instead := w
			if i > 0 {
				instead = nil
			}
			cmds = append(cmds, readCfg(m, path, w.Trace, instead))
		}
	}
	return tea.Sequence(cmds...)
}

// openedCfg opens the windows of a file that was read.
func openedCfg(m *Model, msg cfgMsg) {
	if msg.err != nil {
		m.scene.Alarm(msg.err.Error())
		return
	}
	if !slices.Contains(m.Traces, msg.trace) {
		return // closed meanwhile
	}
	if msg.instead != nil {
		msg.instead.Group = 0 // its time is not that of the file's windows
	}
	o := cfgOpening{m: m, trace: msg.trace, opened: map[*semantic.Window]*timeline.View{}}
	if w := m.Focused(); w != nil {
		o.first = m.Focus + 1
	}
	o.open(msg.file, msg.bound)
	if len(o.opened) == 0 {
		m.scene.Alarm(msg.name + " has no windows")
		return
	}
	if w := msg.instead; w != nil && slices.Contains(m.Windows, w) {
		m.Close(w)
		o.first--
	}
	m.Focus, m.PaneFocus = max(min(o.first, len(m.Windows)-1), 0), false
	if o.table != nil {
		m.Focus = slices.Index(m.Windows, o.table)
		m.panes.shown, m.panes.open = m.panes.titled(analyzer.Title), true
	}
	text := fmt.Sprintf("%s: %s, %s", msg.name, raster.CountOf(len(o.opened), "window"),
		raster.CountOf(o.histograms, "histogram"))
	if notes := append(msg.notes, o.notes...); len(notes) > 0 {
		for _, n := range notes {
			m.scene.Messages.Note(errors.New(n.String()))
		}
		text += fmt.Sprintf("; %s: %s", raster.CountOf(len(notes), "remark"), notes[0].Text)
		if len(notes) > 1 {
			text += " (" + m.scene.KeysOf("problems") + " shows all)"
		}
	}
	m.scene.Say(text)
}

// cfgOpening is a file being opened.
type cfgOpening struct {
	m          *Model
	trace      *timeline.Trace
	opened     map[*semantic.Window]*timeline.View // by window of the file
	first      int                                 // position of the first window
	table      *timeline.View                      // the first with a histogram
	histograms int
	notes      []prv.Note
}

func (o *cfgOpening) open(f *cfg.File, b *cfg.Bound) {
	wanted := map[*semantic.Window]bool{}
	for i := range b.Histograms {
		wanted[b.Histograms[i].Control] = true
	}
	for i := range b.Windows {
		if b.Windows[i].View.Open || wanted[&b.Windows[i].Window.Window] {
			o.window(&b.Windows[i])
		}
	}
	if n := len(b.Windows); len(o.opened) == 0 && n > 0 {
		o.window(&b.Windows[n-1]) // the one that all others derive from
	}
	for i := range b.Histograms {
		o.histogram(&b.Histograms[i], f.Histograms[i])
	}
}

// window opens a window of the file below the one in focus.
func (o *cfgOpening) window(b *cfg.BoundWindow) {
	m, v := o.m, &b.View
	w := m.NewWindow(o.trace)
	o.notes = append(o.notes, w.TakeCfg(b)...)
	whole := b.Begin <= 0 && b.End >= o.trace.Data.Duration
	w.Group = v.Sync
	if v.Sync == 0 && whole {
		w.Group = 1
	}
	if !whole && b.Begin < b.End && m.Leader(w.Group) == nil {
		w.Begin, w.End = b.Begin, b.End
	}
	m.AddWindow(w)
	w.Clamp(o.trace.Data, m.Whole(w))
	o.opened[&b.Window.Window] = w
}

// histogram turns a histogram of the file into a table of its control window.
func (o *cfgOpening) histogram(h *stat.Histogram, file *cfg.Histogram) {
	w := o.opened[h.Control]
	if w == nil {
		return
	}
	keeper, _ := pane.First[histogramKeeper](o.m.panes.list)
	keeper.AddHistogram(w, h, file, func(s *semantic.Window) *timeline.View { return o.opened[s] })
	o.histograms++
	if o.table == nil {
		o.table = w
	}
}
