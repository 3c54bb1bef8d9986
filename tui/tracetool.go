package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/tools"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/dialog"
	"pview/tui/paths"
)

// The trace tools from where one looks at the trace: what is in view, or passes the filter, as a
// trace of its own. They work on the file, in the background; a trace without a file is
// written from memory.

var toolActions = []deed{
	{Name: "cut", Group: groupWindows, Keys: []string{"ctrl+k"}, Args: "FILE",
		Doc:         "write the view or the selection as a trace: its time range, and the tasks of the visible rows",
		needsWindow: true, run: cutTrace, complete: anyModel(paths.Complete(".prv", ".prv.gz")),
		prefill: toolPath("chop"), promptAs: cutPrompt},
	{Name: "filter-trace", Group: groupWindows, Keys: []string{"alt+p"}, Args: "FILE",
		Doc: "write the trace with the events and messages that pass the window's filter", needsWindow: true,
		run: filterTrace, complete: anyModel(paths.Complete(".prv", ".prv.gz")), prefill: toolPath("filter")},
	{Name: "shift-trace", Group: groupWindows, Keys: []string{"alt+t"}, Args: "TIME FILE",
		Doc:         "write the trace with the object at the cursor shifted in time: shift-trace -20us run2.prv",
		needsWindow: true, run: shiftTrace},
	{Name: "save-trace", Group: groupWindows, Keys: []string{"alt+w"}, Args: "FILE",
		Doc: "write the trace to another file, compressed if its name ends in .gz", needsWindow: true, run: saveTrace,
		complete: anyModel(paths.Complete(".prv", ".prv.gz")), prefill: toolPath("copy")},
}

// writing is a trace that is being written.
type writing struct {
	gen    int
	doing  string // "cutting"
	path   string
	cancel context.CancelFunc
	done   atomic.Int64 // of total, of what is read
	total  atomic.Int64
}

// percent says how much has been written.
func (w *writing) percent() string {
	if total := w.total.Load(); total > 0 {
		return fmt.Sprintf(" %d%%", 100*w.done.Load()/total)
	}
	return ""
}

type traceWrittenMsg struct {
	gen    int
	path   string
	result *tools.Result // nil when it was not a tool's
	err    error
}

// toolPath is what a tool proposes: a name beside the trace that no file has.
func toolPath(suffix string) func(*Model) string {
	return func(m *Model) string { return m.toolPath(suffix) }
}

func cutPrompt(m *Model) (label, hint string) { return cutLabel(m, m.Focused()), "" }

func (m *Model) toolPath(suffix string) string {
	path := m.Focused().Trace.Data.Path
	if path == "" {
		path = "demo.prv"
	}
	return tools.NewName(path, suffix)
}

// writeTrace runs a tool on the trace of a window.
func writeTrace(m *Model, t *timeline.Trace, doing, path string,
	tool func(ctx context.Context, src tools.Source, out string) (*tools.Result, error)) tea.Cmd {
	out := paths.ExpandHome(unquote(path))
	switch {
	case m.writing != nil:
		return m.scene.Refuse(fmt.Errorf("%s is still being written: %s stops that", m.writing.path, keysOf("cancel")))
	case !strings.HasSuffix(out, ".prv") && !strings.HasSuffix(out, ".prv.gz"):
		return m.scene.Refuse(fmt.Errorf("%s: the name of a trace ends in .prv or .prv.gz", out))
	case isOpen(m, out):
		return m.scene.Refuse(fmt.Errorf("%s is open: it is not overwritten", out))
	}
	return m.overwriting(func() tea.Cmd { return beginWriting(m, t, doing, out, tool) }, out)
}

// beginWriting runs the tool in the background.
func beginWriting(m *Model, t *timeline.Trace, doing, out string,
	tool func(ctx context.Context, src tools.Source, out string) (*tools.Result, error)) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	w := &writing{gen: m.gen, doing: doing, path: out, cancel: cancel}
	m.writing = w
	m.writers.Add(1)
	src := sourceOf(t.Data)
	return tea.Batch(func() tea.Msg {
		defer m.writers.Done()
		defer cancel()
		src.Progress = func(done, total int64) {
			w.done.Store(done)
			w.total.Store(total)
		}
		r, err := tool(ctx, src, out)
		return traceWrittenMsg{w.gen, out, r, err}
	}, m.tick())
}

// sourceOf is the file of a trace or, where there is none, the trace.
func sourceOf(t *prv.Trace) tools.Source {
	if t.Path != "" {
		if _, err := os.Stat(t.Path); err == nil {
			return tools.Source{Path: t.Path}
		}
	}
	return tools.Source{Trace: t}
}

// isOpen reports whether a path is the file of an open trace.
func isOpen(m *Model, path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(m.Traces, func(t *timeline.Trace) bool {
		other, err := os.Stat(t.Data.Path)
		return err == nil && os.SameFile(info, other)
	})
}

// traceWritten tells how it went, and offers to open what was written.
func traceWritten(m *Model, msg traceWrittenMsg) tea.Cmd {
	if m.writing == nil || m.writing.gen != msg.gen {
		return nil
	}
	m.writing = nil
	if msg.err != nil {
		m.scene.Alarm(fmt.Sprintf("%s was not written: %v", msg.path, msg.err))
		return nil
	}
	text := "written"
	if info, err := os.Stat(msg.path); err == nil {
		text += ", " + sizeText(info.Size())
	}
	if r := msg.result; r != nil {
		if n := r.Skipped.Total(); n > 0 {
			text += ", " + raster.CountOf(int(n), "bad record") + " skipped"
		}
		if len(r.Notes) > 0 {
			text += ", " + r.Notes[0]
		}
	}
	if m.dialogs.Top() != nil {
		m.scene.Say(msg.path + " is " + text)
		return nil
	}
	p := &dialog.Prompt{
		Label: text + "; open it? ", Hint: "FILE  " + keysOf("cancel") + " does not",
		Accept: func(path string) tea.Cmd {
			if path == "" {
				return nil
			}
			return m.load(paths.ExpandHome(unquote(path)), openApart)
		},
	}
	p.Input.Set(msg.path)
	return m.dialogs.Open(p)
}

// openApart opens a trace whose times are not those of the others in a window with its own time.
func openApart(m *Model, t *timeline.Trace) tea.Cmd {
	w := m.NewWindow(t)
	w.Group = 0
	m.AddWindow(w)
	return nil
}

// awaitWriters gives what is being written the time to end, or to remove its half-written files, when the program ends.
func awaitWriters(m *Model) {
	gone := make(chan struct{})
	go func() {
		m.writers.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
	}
}

// cancelWriting stops what is being written.
func cancelWriting(m *Model) bool {
	if m.writing == nil {
		return false
	}
	m.writing.cancel()
	m.scene.Say(m.writing.path + " is not written")
	m.writing = nil
	return true
}

func cutTrace(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("cut")
	}
	w := m.Focused()
	begin, end, _ := cutRange(m, w)
	opt := tools.CutOptions{
		From: tools.TraceTime(begin), To: tools.TraceTime(end), BreakStates: true,
	}
	var err error
	if opt.Tasks, err = tools.ParseTasks(shownTasks(w)); err != nil {
		return m.scene.Refuse(err)
	}
	return writeTrace(m, w.Trace, "cutting", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			return tools.Cut(ctx, src, out, opt, time.Now())
		})
}

// cutRange is the time that is cut out of a trace, and what that is: the selection, or else the view.
func cutRange(m *Model, w *timeline.View) (begin, end int64, what string) {
	begin, end, what = w.Begin, w.End, "view"
	if a, b, ok := m.Selection(); ok && w.Trace.FromNS(a) < w.Trace.FromNS(b) {
		begin, end, what = w.Trace.FromNS(a), w.Trace.FromNS(b), "selection"
	}
	return max(begin, 0), min(end, w.Trace.Data.Duration), what
}

// cutLabel says in the prompt what is about to be cut out.
func cutLabel(m *Model, w *timeline.View) string {
	begin, end, what := cutRange(m, w)
	label := "cut the " + what + " (" + raster.FormatDuration(end-begin, w.Trace.Data.Unit)
	if shownTasks(w) != "" {
		label += ", the tasks that are shown"
	}
	return label + ") to "
}

// shownTasks lists the tasks of the objects that a window shows, as the trace tools take them; all
// of them, when it does not show some only.
func shownTasks(w *timeline.View) string {
	tr, l := w.Trace.Data, w.Sem.Level
	if w.Objects == nil || l.IsResource() || l == prv.LevelWorkload {
		return ""
	}
	shown := make([]bool, len(tr.Tasks))
	for _, o := range w.Objects {
		switch l {
		case prv.LevelThread:
			shown[tr.ThreadTask[o]] = true
		case prv.LevelTask:
			shown[o] = true
		case prv.LevelPtask:
			p := tr.Ptasks[o]
			for i := range p.Tasks {
				shown[p.FirstTask+i] = true
			}
		}
	}
	var list []string
	for i, yes := range shown {
		if yes {
			p := tr.Tasks[i].Ptask
			list = append(list, fmt.Sprintf("%d.%d", p+1, int32(i)-tr.Ptasks[p].FirstTask+1))
		}
	}
	return strings.Join(list, ",")
}

func filterTrace(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("filter-trace")
	}
	w := m.Focused()
	tr, sem := w.Trace.Data, w.Sem
	return writeTrace(m, w.Trace, "filtering", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			pass := nearby.FilterOf(tr, &sem)
			opt := tools.FilterOptions{States: true, Events: true, Comms: true, Event: pass.Events.Has}
			opt.Comm = func(i int) bool { return i < tr.Comms.Len() && pass.Comms.Has(i) }
			return tools.Filter(ctx, src, out, opt)
		})
}

func shiftTrace(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("shift-trace")
	}
	word, path, _ := strings.Cut(args, " ")
	by, err := tools.ParseMoment(word)
	if err != nil {
		return m.scene.Refuse(err)
	}
	if path = strings.TrimSpace(path); path == "" {
		path = m.toolPath("shift")
	}
	w := m.Focused()
	if w.Sem.Level.IsResource() {
		return m.scene.Refuse(errors.New("nodes and CPUs cannot be shifted in time: " + keysOf("level") +
			" goes to another level"))
	}
	object := 0
	if w.Sem.Level != prv.LevelWorkload {
		object = w.Object(w.CursorRow)
	}
	opt := tools.ShiftOptions{Times: make([]tools.Moment, w.Trace.Data.Count(w.Sem.Level)), Level: w.Sem.Level}
	opt.Times[object] = by
	return writeTrace(m, w.Trace, "shifting", path,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			return tools.Shift(ctx, src, out, opt)
		})
}

func saveTrace(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("save-trace")
	}
	tr := m.Focused().Trace.Data
	if m.Focused().Trace.Until != 0 {
		return m.scene.Refuse(errors.New("the trace is still being read: it can be saved once complete"))
	}
	return writeTrace(m, m.Focused().Trace, "writing", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			if src.Path == "" {
				return nil, prv.Save(ctx, out, tr)
			}
			return nil, prv.Convert(ctx, out, tr)
		})
}
