package tui

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
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
	then   func(m *Model, t *openTrace) tea.Cmd // nil: a window of its own

	follower *prv.Follower // of a trace that is opened by following it
	waits    atomic.Bool   // there is no record in it yet
}

type loadRequest struct {
	path string
	then func(m *Model, t *openTrace) tea.Cmd
}

type loadedMsg struct {
	gen   int
	trace *prv.Trace
	err   error
}

// load reads a trace in the background, after those that wait already.
func (m *Model) load(path string, then func(*Model, *openTrace) tea.Cmd) tea.Cmd {
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
	open := m.options.Open
	if open == nil {
		open = m.openFile
	}
	if next.path == "" {
		open = m.openDemo
	} else if m.options.Follow && canFollow(next.path) == nil {
		if file, err := prv.Follow(next.path); err == nil {
			l.follower, open = file, openFollowed(l)
		}
	}
	return tea.Batch(func() tea.Msg {
		defer cancel()
		t, err := open(ctx, l.path, func(done, total int64) {
			l.done.Store(done)
			l.total.Store(total)
		})
		l.ended.Store(true)
		if err == nil && t == nil {
			err = errors.New("no trace")
		}
		return loadedMsg{l.gen, t, err}
	}, m.tick())
}

func (m *Model) openDemo(context.Context, string, Progress) (*prv.Trace, error) {
	if m.options.Demo == nil {
		return nil, errors.New("there is no demo trace")
	}
	return m.options.Demo()
}

func (m *Model) openFile(ctx context.Context, path string, progress Progress) (*prv.Trace, error) {
	return prv.Open(ctx, path, prv.Options{Strict: m.options.Strict, Progress: progress})
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
		m.message = message{msg.err.Error(), true}
		if m.starting && len(m.windows) == 0 && m.loading == nil {
			m.fatal = errors.Join(m.loadErrors...)
			return tea.Quit
		}
		return next
	}
	m.ids++
	t := newOpenTrace(m.ids, msg.trace)
	m.traces = append(m.traces, t)
	var cmd tea.Cmd
	if l.then != nil {
		cmd = l.then(m, t)
	} else {
		if m.starting {
			m.focus = len(m.windows) - 1
		}
		m.addWindow(m.newWindow(t))
		if m.starting { // of several traces the first has the focus
			m.focus = 0
		}
	}
	if m.loading == nil {
		m.starting = false
		next = tea.Batch(next, m.openCfgs())
	}
	if l.follower != nil {
		next = tea.Batch(next, m.followOn(t, l.follower))
	}
	m.tellProblems(t)
	return tea.Batch(cmd, next, m.countTypes(t), m.profileTrace(t))
}

// cancelLoading stops reading, and forgets what waits to be read.
func (m *Model) cancelLoading() bool {
	if m.loading == nil {
		return false
	}
	m.loading.cancel()
	m.say("reading of " + displayPath(m.loading.path) + " was cancelled")
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
	m.beats++
	if m.loading != nil || m.writing != nil || m.busy() || m.efficiency.job != nil || m.pathSearch != nil {
		return m.tick()
	}
	return nil
}
