package tui

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/render/timeline"
)

// loading is a trace being read. Traces are read one after another: each uses all
// cores by itself, and the first picture comes sooner.
type loading struct {
	gen    int
	path   string
	cancel context.CancelFunc
	began  time.Time
	done   atomic.Int64 // written by the reader
	total  atomic.Int64
	ended  atomic.Bool
	then   func(m *Model, t *timeline.Trace) tea.Cmd // nil: a window of its own

	follower *prv.Follower // of a trace that is opened by following it
	waits    atomic.Bool   // there is no record in it yet

	part  atomic.Pointer[part] // the newest, until the screen takes it
	shown *timeline.Trace      // of which a part is shown; nil: none yet
}

type loadRequest struct {
	path string
	then func(m *Model, t *timeline.Trace) tea.Cmd
}

type loadedMsg struct {
	gen   int
	trace *prv.Trace
	err   error
}

// load reads a trace in the background, after those that wait already.
func (m *Model) load(path string, then func(*Model, *timeline.Trace) tea.Cmd) tea.Cmd {
	m.queue = append(m.queue, loadRequest{path, then})
	if m.loading != nil {
		return nil
	}
	return m.loadNext()
}

func (m *Model) loadNext() tea.Cmd {
	if len(m.queue) == 0 {
		return nil
	}
	next := m.queue[0]
	m.queue = m.queue[1:]
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	l := &loading{gen: m.gen, path: next.path, cancel: cancel, began: time.Now(), then: next.then}
	m.loading = l
	open := m.openFile
	if next.path == "" {
		open = m.openDemo
	} else if m.options.Follow && canFollow(next.path) == nil {
		if file, err := prv.Follow(next.path); err == nil {
			l.follower, open = file, openFollowed(l)
		}
	}
	return tea.Batch(func() tea.Msg {
		defer cancel()
		t, err := open(ctx, l.path, l.watcher(m.options.Strict))
		l.ended.Store(true)
		if err == nil && t == nil {
			err = errors.New("no trace")
		}
		return loadedMsg{l.gen, t, err}
	}, m.tick())
}

// watcher is what the reader reports to. A trace that must be without fault, and one that something special is to be
// done with, are not shown before they are read.
func (l *loading) watcher(strict bool) prv.Watcher {
	w := prv.Watcher{Progress: func(done, total int64) {
		l.done.Store(done)
		l.total.Store(total)
	}}
	if !strict && l.then == nil {
		w.Part = func(t *prv.Trace, until int64) { l.part.Store(&part{t, until}) }
	}
	return w
}

func (m *Model) openDemo(context.Context, string, prv.Watcher) (*prv.Trace, error) {
	if m.options.Demo == nil {
		return nil, errors.New("there is no demo trace")
	}
	return m.options.Demo()
}

// openFile reads a trace as the program was told to.
func (m *Model) openFile(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
	if m.options.Open != nil {
		return m.options.Open(ctx, path, w)
	}
	return prv.Open(ctx, path, prv.Options{Strict: m.options.Strict, Progress: w.Progress, Part: w.Part})
}

// loaded takes a trace that was read. A result that nobody waits for any more is
// dropped.
func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	l := m.loading
	if l == nil || l.gen != msg.gen {
		return nil
	}
	m.loading = nil
	next := m.loadNext()
	defer m.finishRestoring()
	if msg.err != nil {
		m.loadErrors = append(m.loadErrors, msg.err)
		m.scene.Messages.Text, m.scene.Messages.Failed = msg.err.Error(), true
		if m.starting && len(m.Windows) == 0 && m.loading == nil {
			m.fatal = errors.Join(m.loadErrors...)
			return tea.Quit
		}
		return next
	}
	var cmd tea.Cmd
	switch {
	case l.shown == nil:
		cmd = m.show(l, msg.trace)
	case slices.Contains(m.Traces, l.shown):
		l.shown.Until = 0
		cmd = m.revise(l.shown, msg.trace)
	default: // its windows have been closed meanwhile
		return next
	}
	if m.loading == nil {
		m.starting = false
		next = tea.Batch(next, openCfgs(m))
	}
	if l.follower != nil {
		next = tea.Batch(next, followOn(m, l.shown, l.follower))
	}
	m.tellProblems(l.shown)
	if m.loading == nil {
		if l.then == nil { // not a session that is being restored
			m.offerKept()
		}
		next = tea.Batch(next, m.offerRecent())
	}
	return tea.Batch(cmd, next, m.recent.opened(msg.trace.Path))
}

// show opens windows on a trace, or on a part of it.
func (m *Model) show(l *loading, tr *prv.Trace) tea.Cmd {
	m.LastID++
	t := timeline.NewTrace(m.LastID, tr)
	m.Traces = append(m.Traces, t)
	l.shown = t
	var cmd tea.Cmd
	if l.then != nil {
		cmd = l.then(m, t)
	} else {
		if m.starting {
			m.Focus = len(m.Windows) - 1
		}
		w := m.openWindow(t)
		m.awaitView(w)
		m.AddWindow(w)
		if m.starting { // of several traces the first has the focus
			m.Focus = 0
		}
	}
	return tea.Batch(cmd, m.countTypes(t), m.profileTrace(t))
}

// cancelLoading stops reading, and forgets what waits to be read.
func (m *Model) cancelLoading() bool {
	if m.loading == nil {
		return false
	}
	m.loading.cancel()
	text := "reading of " + displayPath(m.loading.path) + " was cancelled"
	if t := m.loading.shown; t != nil {
		text += "; " + t.PartText()
	}
	m.scene.Say(text)
	m.loading, m.queue, m.starting = nil, nil, false
	m.restoring = nil
	return true
}

func displayPath(path string) string {
	if path == "" {
		return "the demo trace"
	}
	return path
}

// tickMsg comes while something is in progress that the screen shows.
type tickMsg struct{}

// tick asks for a tickMsg; there is at most one on its way.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.after(100*time.Millisecond, tickMsg{})
}

func (m *Model) ticked() tea.Cmd {
	m.ticking = false
	m.spin, _ = m.spin.Update(spinner.TickMsg{}) // the ticks are ours
	part := m.showPart()
	if m.loading != nil || m.writing != nil || m.busy() {
		return tea.Batch(part, m.tick())
	}
	return part
}

// countedMsg is the answer to which types of events a trace has.
type countedMsg timeline.Answer

func (m *Model) countTypes(t *timeline.Trace) tea.Cmd {
	job := t.CountJob(m.ctx)
	return func() tea.Msg {
		if answer := job(); answer != nil {
			return countedMsg(answer)
		}
		return nil
	}
}

// profileTrace makes the overview of a trace, and what is said of the run once it is all there.
func (m *Model) profileTrace(t *timeline.Trace) tea.Cmd {
	profile := runJob(t.ProfileJob(m.ctx))
	t.StopSummary()
	if f := m.follows[t]; t.Until > 0 || f != nil && f.on {
		return profile
	}
	return tea.Batch(profile, runJob(t.SummaryJob(m.ctx, efficiency.Headline)))
}
