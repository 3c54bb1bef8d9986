package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/tui/raster"
	"pview/tui/style"
)

// Opening Paraver's .cfg files: their windows become windows, their histograms
// tables of these.

const cfgExt = ".cfg"

var cfgActions = []Action{
	{Name: "open-cfg", Group: groupWindows, Keys: []string{"alt+o"}, Args: "FILE", Doc: "open the windows and histograms of a Paraver .cfg on the trace", needsWindow: true, run: openCfg, complete: completeFiles(cfgExt)},
	{Name: "save-cfg", Group: groupWindows, Keys: []string{"alt+s"}, Args: "FILE", Doc: "write the windows on the trace and their histograms as a .cfg", needsWindow: true, run: saveCfg, complete: completeFiles(cfgExt)},
}

type cfgMsg struct {
	trace   *openTrace
	name    string
	file    *cfg.File
	bound   *cfg.Bound
	notes   []prv.Note
	err     error
	instead *window // to be closed when others have come
}

func openCfg(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("open-cfg")
	}
	return m.readCfg(expandHome(unquote(args)), m.window().trace, nil)
}

// readCfg reads a .cfg for a trace in the background. instead is a window that those
// of the file take the place of; it may be nil.
func (m *Model) readCfg(path string, t *openTrace, instead *window) tea.Cmd {
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
		msg.bound, more, msg.err = msg.file.Bind(t.tr, true)
		msg.notes = append(msg.notes, more...)
		return msg
	}
}

// openCfgs opens the .cfg files of the command line on the traces that were opened.
func (m *Model) openCfgs() tea.Cmd {
	paths := m.options.Cfgs
	m.options.Cfgs = nil
	var cmds []tea.Cmd
	for _, w := range slices.Clone(m.windows) {
		for i, path := range paths {
			instead := w
			if i > 0 {
				instead = nil
			}
			cmds = append(cmds, m.readCfg(path, w.trace, instead))
		}
	}
	return tea.Sequence(cmds...)
}

// openedCfg takes a file that was read.
func (m *Model) openedCfg(msg cfgMsg) {
	if msg.err != nil {
		m.alarm(msg.err.Error())
		return
	}
	if !slices.Contains(m.traces, msg.trace) {
		return // closed meanwhile
	}
	if msg.instead != nil {
		msg.instead.group = 0 // its time is not that of the file's windows
	}
	o := cfgOpening{m: m, trace: msg.trace, opened: map[*semantic.Window]*window{}}
	if w := m.window(); w != nil {
		o.first = m.focus + 1
	}
	o.open(msg.file, msg.bound)
	if len(o.opened) == 0 {
		m.alarm(msg.name + " has no windows")
		return
	}
	if w := msg.instead; w != nil && slices.Contains(m.windows, w) {
		m.dropWindow(w)
		o.first--
	}
	m.focus, m.paneFocus = max(min(o.first, len(m.windows)-1), 0), false
	if o.table != nil {
		m.focus = slices.Index(m.windows, o.table)
		m.paneOpen, m.tab = true, tabAnalyzer
	}
	text := fmt.Sprintf("%s: %s, %s", msg.name, countOf(len(o.opened), "window"), countOf(o.histograms, "histogram"))
	if notes := append(msg.notes, o.notes...); len(notes) > 0 {
		m.openPager(&pager{title: text, layout: func(th *style.Theme, width int) []style.Line { return noteLines(notes, th, width) }})
	}
	m.say(text)
}

func countOf(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return raster.FormatCount(int64(n)) + " " + word + "s"
}

func noteLines(notes []prv.Note, th *style.Theme, width int) []style.Line {
	var lines []style.Line
	for _, n := range notes {
		for _, part := range style.Wrap(n.String(), width) {
			lines = append(lines, style.Line{{Text: part, Style: th.Popup}})
		}
	}
	return lines
}

// cfgOpening is a file being opened.
type cfgOpening struct {
	m          *Model
	trace      *openTrace
	opened     map[*semantic.Window]*window // by window of the file
	first      int                          // position of the first window
	table      *window                      // the first with a histogram
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
		o.window(&b.Windows[n-1]) // the one that all others lead to
	}
	for i := range b.Histograms {
		o.histogram(&b.Histograms[i], f.Histograms[i])
	}
}

// window opens a window of the file below the one in focus.
func (o *cfgOpening) window(b *cfg.BoundWindow) {
	m, v := o.m, &b.View
	w := m.newWindow(o.trace)
	w.sem = b.Window.Window.Clone()
	w.cfg = b.Window
	if len(b.Rows) < o.trace.tr.Count(w.sem.Level) {
		for _, r := range b.Rows {
			w.objects = append(w.objects, int32(r))
		}
	}
	w.draw = o.look(b)
	if v.CustomColors {
		w.palette = o.trace.palette.Clone()
		for _, e := range v.Palette {
			if n := int64(e.Value); float64(n) == e.Value {
				w.palette.Set(n, raster.FromPRV(e.Color))
			}
		}
	}
	whole := b.Begin <= 0 && b.End >= o.trace.tr.Duration
	w.group = v.Sync
	if v.Sync == 0 && whole {
		w.group = 1
	}
	if !whole && b.Begin < b.End && m.leader(w.group) == nil {
		w.begin, w.end = b.Begin, b.End
	}
	m.addWindow(w)
	w.clamp(o.trace.tr, m.whole(w))
	o.opened[&b.Window.Window] = w
}

// look translates how a window is drawn.
func (o *cfgOpening) look(b *cfg.BoundWindow) look {
	v := &b.View
	l := look{}
	l.modes.Time, l.modes.Rows = v.DrawMode, v.DrawModeRows
	switch v.Color {
	case cfg.GradientColor:
		l.color = raster.Gradient
	case cfg.NullGradientColor:
		l.color = raster.NotNullGradient
	case cfg.AlternativeGradient:
		l.color = raster.AlternativeGradient
	case cfg.FunctionLine, cfg.FusedLines:
		l.graph = true
	case cfg.Punctual:
		o.notes = append(o.notes, prv.Note{File: b.Name, Text: "points are drawn as colours"})
	}
	if v.Color == cfg.FusedLines {
		o.notes = append(o.notes, prv.Note{File: b.Name, Text: "fused lines are drawn as a function line for each row"})
	}
	if v.Gradient > cfg.LinearGradient {
		l.gradient = int(v.Gradient - cfg.LinearGradient)
	}
	if !v.AutoScale && v.Minimum < v.Maximum && (l.graph || l.color != raster.CodeColor) {
		l.fixed, l.scale = true, raster.Scale{Min: v.Minimum, Max: v.Maximum}
		if v.MinAtZero {
			l.scale.Min = 0
		}
	}
	l.flags = v.Flags
	if c := &b.Filter.Comms; v.CommLines {
		if c.Logical {
			l.comms |= commsLogical
		}
		if c.Physical {
			l.comms |= commsPhysical
		}
	}
	return l
}

// histogram makes a histogram of the file a table of its control window.
func (o *cfgOpening) histogram(h *stat.Histogram, file *cfg.Histogram) {
	w := o.opened[h.Control]
	if w == nil {
		return
	}
	s := newTableSetup()
	s.functions, s.name, s.cfg = false, h.Name, file
	s.statistic, s.own, s.columns, s.planes, s.plane, s.size, s.tag = h.Statistic, h.Own, h.Columns, h.Planes, h.Plane, h.Size, h.Tag
	s.codes, s.planeCodes = codesOf(h.Columns.Codes), codesOf(h.Planes.Codes)
	s.showEmpty, s.vertical, s.order = !h.HideEmpty, h.Vertical, h.Sort
	if h.Data != h.Control {
		s.data = o.operand(h.Data)
	}
	s.third = o.operand(h.Third)
	if h.Range.Whole {
		s.span = spanWhole
	}
	switch {
	case file.View.Zoomed:
		s.shade = shadePicture
	case file.View.Colors:
		s.shade = shadeColored
	}
	o.m.addTable(w, s)
	o.m.tablesOf(w).at = 0
	o.histograms++
	if o.table == nil {
		o.table = w
	}
}

func (o *cfgOpening) operand(s *semantic.Window) operand {
	if s == nil {
		return operand{}
	}
	c := s.Clone()
	if w := o.opened[s]; w != nil {
		return operand{w.id, &c}
	}
	return operand{0, &c}
}

func codesOf(on bool) codes {
	if on {
		return codesOn
	}
	return codesOff
}
