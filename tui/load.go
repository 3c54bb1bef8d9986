package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/insight/gpu"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/format"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/follow"
	"pview/tui/paths"
)

// loader reads traces, one after another: each uses all cores, and the first picture comes sooner.
type loader struct {
	m        *Model
	queue    []loadRequest
	current  *loading
	errors   []error
	starting bool  // the traces of the command line are being read
	fatal    error // why the program cannot start
}

type loadRequest struct {
	path string
	then func(t *timeline.Trace) tea.Cmd // nil: open a window
}

// loading is a trace being read. A large one is shown before it is read completely: the reader delivers larger and
// larger parts. Times and rows that are not read yet are dotted.
type loading struct {
	loadRequest
	gen    int
	cancel context.CancelFunc
	start  time.Time
	done   atomic.Int64 // bytes, of total; written by the reader
	total  atomic.Int64
	ended  atomic.Bool

	follower prv.Source  // of a trace that is opened by following it; else nil
	waits    atomic.Bool // for its first record

	part  atomic.Pointer[prv.Part] // the newest, until the screen takes it
	shown *timeline.Trace          // whose part is shown; nil: none yet
}

type loadedMsg struct {
	gen   int
	trace *prv.Trace
	err   error
}

// add reads a trace in the background, after those that already wait.
func (r *loader) add(path string, then func(*timeline.Trace) tea.Cmd) tea.Cmd {
	r.queue = append(r.queue, loadRequest{path, then})
	if r.current != nil {
		return nil
	}
	return r.next()
}

// next reads the next trace of the queue.
func (r *loader) next() tea.Cmd {
	if len(r.queue) == 0 {
		return nil
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	ctx, cancel := context.WithCancel(r.m.ctx)
	r.m.gen++
	l := &loading{loadRequest: next, gen: r.m.gen, cancel: cancel, start: time.Now()}
	r.current = l
	open := r.file
	if next.path == "" {
		open = r.demo
	} else if r.m.options.Follow && follow.Possible(next.path) == nil {
		if file, err := format.Follow(next.path); err == nil {
			l.follower = file
			open = func(ctx context.Context, _ string, w prv.Watcher) (*prv.Trace, error) {
				return follow.Open(ctx, file, w.Progress, &l.waits)
			}
		}
	}
	return func() tea.Msg {
		defer cancel()
		t, err := open(ctx, l.path, l.watcher(r.m.options.Strict))
		l.ended.Store(true)
		if err == nil && t == nil {
			err = errors.New("no trace")
		}
		return loadedMsg{l.gen, t, err}
	}
}

// watcher receives the reader's reports. It shows no parts of a trace that must be faultless, or that does more than
// open in a window.
func (l *loading) watcher(strict bool) prv.Watcher {
	w := prv.Watcher{Progress: func(done, total int64) {
		l.done.Store(done)
		l.total.Store(total)
	}}
	if !strict && l.then == nil {
		w.Part = l.part.Store
	}
	return w
}

// demo returns the demo trace.
func (r *loader) demo(context.Context, string, prv.Watcher) (*prv.Trace, error) {
	if r.m.options.Demo == nil {
		return nil, errors.New("there is no demo trace")
	}
	return r.m.options.Demo()
}

// file reads a trace of a file with the options. Its MPI calls have names.
func (r *loader) file(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
	if part := w.Part; part != nil {
		w.Part = func(p *prv.Part) {
			p.Trace = extrae.NameCalls(p.Trace)
			part(p)
		}
	}
	open := r.m.options.Open
	if open == nil {
		open = func(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
			return prv.Open(ctx, path, prv.Options{Strict: r.m.options.Strict, Progress: w.Progress, Part: w.Part})
		}
	}
	t, err := open(ctx, path, w)
	if err != nil || t == nil {
		return nil, err
	}
	return extrae.NameCalls(t), nil
}

// forAnswers is the time that the viewer stays if there is nothing to show: the terminal would print answers to its
// queries that arrive after it has exited.
const forAnswers = 100 * time.Millisecond

// loaded handles a trace that was read. The result of a cancelled reading is dropped.
func (r *loader) loaded(msg loadedMsg) tea.Cmd {
	l := r.current
	if l == nil || l.gen != msg.gen {
		return nil
	}
	r.current = nil
	next := r.next()
	defer r.m.sessions.finish()
	last := r.current == nil
	if msg.err != nil {
		r.errors = append(r.errors, msg.err)
		r.m.scene.Messages.Text, r.m.scene.Messages.Failed = msg.err.Error(), true
		if r.starting && len(r.m.Windows) == 0 && last {
			r.fatal = errors.Join(r.errors...)
			return tea.Tick(forAnswers, func(time.Time) tea.Msg { return tea.QuitMsg{} })
		}
		return next
	}
	var cmd tea.Cmd
	switch {
	case l.shown == nil:
		cmd = r.showTrace(l, &prv.Part{Trace: msg.trace})
	case slices.Contains(r.m.Traces, l.shown):
		l.shown.SetPart(&prv.Part{})
		cmd = r.m.revise(l.shown, msg.trace)
	default: // its windows were closed
		return next
	}
	if last {
		r.starting = false
		next = tea.Batch(next, openCfgs(r.m))
	}
	if l.follower != nil {
		next = tea.Batch(next, r.m.follow.Resume(l.shown, l.follower))
	}
	tellProblems(&r.m.scene, l.shown)
	if last {
		if l.then == nil { // no session is being restored
			r.m.sessions.offerKept()
			if text := extrae.Remark(msg.trace); text != "" && r.m.scene.Messages.Text == "" {
				r.m.scene.Say(l.shown.Name + ": " + text)
			}
		}
		next = tea.Batch(next, r.m.sessions.offerRecent())
	}
	return tea.Batch(cmd, next, r.m.sessions.recent.Opened(msg.trace.Path))
}

// showTrace opens windows on a trace, or on a part of it.
func (r *loader) showTrace(l *loading, p *prv.Part) tea.Cmd {
	t := timeline.NewTrace(r.m.NewID(), p.Trace)
	t.SetPart(p) // before any job begins: jobs for the whole run wait for all of it
	r.m.Traces = append(r.m.Traces, t)
	l.shown = t
	var cmd tea.Cmd
	if l.then != nil {
		cmd = l.then(t)
	} else {
		if r.starting {
			r.m.Focus = len(r.m.Windows) - 1
		}
		w := r.m.openings.window(t)
		if r.m.options.Cfgs == nil { // windows of .cfg files replace it, and show their own views
			r.m.openings.awaitView(w)
		}
		r.m.AddWindow(w)
		if r.starting { // of several traces the first has the focus
			r.m.Focus = 0
		}
	}
	return tea.Batch(cmd, r.m.countTypes(t), r.m.profileTrace(t))
}

// showPart shows the part of a trace that has been read.
func (r *loader) showPart() tea.Cmd {
	l := r.current
	if l == nil {
		return nil
	}
	p := l.part.Swap(nil)
	switch {
	case p == nil:
		return nil
	case l.shown == nil:
		return r.showTrace(l, p)
	case !slices.Contains(r.m.Traces, l.shown): // its windows were closed
		return nil
	}
	l.shown.SetPart(p)
	return r.m.revise(l.shown, p.Trace)
}

// cancel stops reading, and drops the queue.
func (r *loader) cancel() bool {
	l := r.current
	if l == nil {
		return false
	}
	l.cancel()
	text := "reading of " + l.name() + " was cancelled"
	if l.shown != nil {
		text += "; " + l.shown.PartText()
	}
	r.m.scene.Say(text)
	r.current, r.queue, r.starting = nil, nil, false
	r.m.sessions.restoring = nil
	return true
}

// name returns the path of the trace.
func (l *loading) name() string {
	if l.path == "" {
		return "the demo trace"
	}
	return l.path
}

func (l *loading) percent() string {
	return quantity.FormatProgress(l.done.Load(), l.total.Load())
}

// notice returns the progress in the title, and how much of the trace is shown. Records are sorted once all are read.
func (l *loading) notice(focus *timeline.Trace) string {
	s := "reading " + baseName(l.path) + " " + l.percent()
	if total := l.total.Load(); total > 0 && l.done.Load() >= total {
		s = "sorting records of " + baseName(l.path)
	}
	if l.shown != nil && l.shown == focus {
		s += ", " + focus.ShownText()
	}
	return s
}

// text reports the progress.
func (l *loading) text() string {
	if l.waits.Load() {
		return "waiting for the first record"
	}
	done, total := l.done.Load(), l.total.Load()
	s := sizeText(done)
	if total > 0 {
		s += " of " + sizeText(total) + "  " + l.percent()
	}
	if done >= total && total > 0 {
		return s + "  sorting records"
	}
	if d := time.Since(l.start); d > 500*time.Millisecond && done > 0 {
		s += "  " + sizeText(int64(float64(done)/d.Seconds())) + "/s"
	}
	return s
}

// sizeText writes a changing number of bytes: with three digits.
func sizeText(bytes int64) string { return quantity.Bytes.Round(float64(bytes), 3) }

// tickMsg comes while the screen shows something in progress.
type tickMsg struct{}

// tick requests a tickMsg; at most one is pending.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.after(100*time.Millisecond, tickMsg{})
}

// ticked turns the spinner. Update asks for the next tick.
func (m *Model) ticked() tea.Cmd {
	m.ticking = false
	m.spin, _ = m.spin.Update(spinner.TickMsg{}) // we send the ticks
	return m.loader.showPart()
}

// countTypes counts the event types of a trace.
func (m *Model) countTypes(t *timeline.Trace) tea.Cmd {
	job := t.CountJob(m.ctx)
	return func() tea.Msg {
		if answer := job(); answer != nil {
			return countedMsg(answer)
		}
		return nil
	}
}

// countedMsg has the event types of a trace.
type countedMsg timeline.Answer

// profileTrace computes the overview of a trace, and the headline of a complete one.
func (m *Model) profileTrace(t *timeline.Trace) tea.Cmd {
	profile := runJob(t.ProfileJob(m.ctx))
	t.StopSummary()
	if t.Until > 0 || m.follow.On(t) {
		return profile
	}
	return tea.Batch(profile, runJob(t.SummaryJob(m.ctx, headlineOf)))
}

// summariseRest computes the headline of a trace that has stopped growing, unless it is known.
func (m *Model) summariseRest(t *timeline.Trace) tea.Cmd {
	if t.Until > 0 || t.Summarised == t.Revision || t.Summarises() {
		return nil
	}
	return runJob(t.SummaryJob(m.ctx, headlineOf))
}

// headlineOf returns the headline of a trace: of its devices, if some threads are their streams.
func headlineOf(ctx context.Context, t *prv.Trace, predicted bool) (*report.Headline, error) {
	if device.Streams(t) > 0 {
		if h, err := gpu.Headline(ctx, t); !errors.Is(err, gpu.ErrNoDevice) {
			return h, err
		}
	}
	return efficiency.Headline(ctx, t, predicted)
}

// open opens a trace, or another window on an open one.
func (m *Model) open(args string) tea.Cmd {
	path := paths.Typed(args)
	for _, t := range m.Traces {
		if paths.Same(t.Data.Path, path) {
			m.AddWindow(m.openings.window(t))
			m.scene.Say(t.Name + " is already open: this is another window on it")
			return nil
		}
	}
	return m.loader.add(path, nil)
}

// openApart opens a trace with unrelated times in a window with its own time.
func (m *Model) openApart(t *timeline.Trace) tea.Cmd {
	w := m.NewWindow(t)
	w.Group = 0
	m.AddWindow(w)
	return nil
}

func (m *Model) openTraces(string) tea.Cmd {
	p := &dialog.Picker{Title: "Open traces", Keys: []dialog.Key{
		{Press: "enter", Word: "new window", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it != nil {
				m.AddWindow(m.openings.window(it.Data.(*timeline.Trace)))
			}
			return nil
		}},
	}}
	for _, t := range m.Traces {
		p.Items = append(p.Items, dialog.Item{Text: t.Name, Detail: strings.Join(traceFacts(t)[1:], ", "), Data: t})
	}
	return m.dialogs.Open(p)
}

// closeTrace closes the trace in focus, after a question if that loses simulated runs for good.
func (m *Model) closeTrace(string) tea.Cmd {
	t := m.Focused().Trace
	drop := func(answer string) tea.Cmd {
		if dialog.Agreed(answer) {
			m.CloseTrace(t)
			m.scene.Say(t.Name + " closed; " + m.scene.KeysOf("undo") + " brings it back")
		}
		return nil
	}
	lost := m.simulator.Losses(t)
	if lost == "" {
		return drop("")
	}
	return m.dialogs.Open(&dialog.Prompt{Label: fmt.Sprintf("closing %s loses %s ", t.Name, lost),
		Hint:   "Enter closes, Esc does not; " + m.scene.KeysOf("session save") + " saves them",
		Accept: drop})
}
