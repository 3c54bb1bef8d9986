package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/render/timeline"
	"pview/tui/desk"
)

// Following a trace that is still being written: it is read on every now and then, and what windows show is
// computed anew. That costs as much as there is of the trace, so the time between two readings grows with the
// time that the screen took to be complete: following never takes more than a fraction of the machine.

// following is a trace that is followed, or was.
type following struct {
	file    *prv.Follower
	on      bool
	reading bool // a read is on its way
	closed  bool // nobody looks at the trace any more
	waiting bool // the file is gone, or empty, or anew without a record
	// unsettled is set from a revision until the screen shows it whole.
	unsettled bool
	revised   time.Time
}

const (
	followStep  = 500 * time.Millisecond // between two readings, at least
	followShare = 4                      // of this many parts of the time one is for following, at most
)

// followMsg comes when it is time to read on.
type followMsg struct{ trace *timeline.Trace }

// grownMsg is what a reading has found.
type grownMsg struct {
	trace  *timeline.Trace
	of     *following
	growth prv.Growth
	err    error
}

// canFollow reports why a trace cannot be followed.
func canFollow(path string) error {
	switch {
	case path == "":
		return errors.New("this trace has no file to follow")
	case strings.HasSuffix(path, ".gz"):
		return errors.New("a compressed trace cannot be followed while it is written")
	}
	return nil
}

// toggleFollow follows the trace of the window in focus, or stops that.
func toggleFollow(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	if f := m.follows[t]; f != nil {
		if f.on = !f.on; !f.on {
			m.scene.Say(t.Name + " is no longer followed: " + keysOf("follow") + " resumes")
			return m.summariseRest(t)
		}
		m.scene.Say("following " + t.Name)
		return readOn(m, t)
	}
	if err := canFollow(t.Data.Path); err != nil {
		return m.scene.Refuse(err)
	}
	file, err := prv.Follow(t.Data.Path)
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.follows[t] = &following{file: file, on: true}
	m.scene.Say("following " + t.Name)
	return readOn(m, t)
}

// openFollowed returns a function that opens a trace by following it: it waits until there is a record.
func openFollowed(l *loading) func(context.Context, string, prv.Watcher) (*prv.Trace, error) {
	return func(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error) {
		for {
			growth, err := l.follower.Read(ctx, w.Progress)
			switch {
			case err == nil && growth.Trace != nil:
				return growth.Trace, nil
			case err != nil && !errors.Is(err, prv.ErrWaiting):
				l.follower.Close()
				return nil, err
			}
			l.waits.Store(true)
			select {
			case <-ctx.Done():
				l.follower.Close()
				return nil, ctx.Err()
			case <-time.After(followStep / 2):
			}
		}
	}
}

// followOn goes on with a trace that was opened by following it.
func followOn(m *Model, t *timeline.Trace, file *prv.Follower) tea.Cmd {
	m.follows[t] = &following{file: file, on: true}
	return m.after(followStep, followMsg{t})
}

// followTick reads on, unless the screen still lacks what was read last, or has just got it after a long time.
func followTick(m *Model, t *timeline.Trace) tea.Cmd {
	f := m.follows[t]
	switch {
	case f == nil || !f.on || f.reading || f.closed:
		return nil
	case m.busy() || t.Profiled != t.Revision:
		return m.after(followStep/2, followMsg{t})
	case f.unsettled:
		f.unsettled = false
		if took := time.Since(f.revised); took > followStep {
			return m.after((followShare-1)*took, followMsg{t})
		}
	}
	return readOn(m, t)
}

// readOn reads what has been written since.
func readOn(m *Model, t *timeline.Trace) tea.Cmd {
	f := m.follows[t]
	if f.reading {
		return nil
	}
	f.reading = true
	ctx := m.ctx
	return func() tea.Msg {
		growth, err := f.file.Read(ctx, nil)
		return grownMsg{t, f, growth, err}
	}
}

// grown takes what a reading has found.
func grown(m *Model, msg grownMsg) tea.Cmd {
	t, f := msg.trace, msg.of
	f.reading = false
	if f.closed {
		f.file.Close()
		return nil
	}
	next := m.after(followStep, followMsg{t})
	switch {
	case errors.Is(msg.err, prv.ErrWaiting):
		if msg.growth.Restarted && !f.waiting {
			m.scene.Say(t.Name + " is gone or was truncated: showing the records read so far")
		}
		f.waiting = true
		return next
	case msg.err != nil:
		f.on = false
		m.scene.Alarm(fmt.Sprintf("%s is no longer followed: %v", t.Name, msg.err))
		return nil
	case msg.growth.Trace == nil:
		return tea.Batch(m.summariseRest(t), next)
	}
	again := msg.growth.Restarted || f.waiting
	f.waiting = false
	if again {
		m.scene.Say(t.Name + " was rewritten: shown from its beginning")
	}
	cmd := reviseFollowed(m, t, msg.growth.Trace, again)
	f.unsettled, f.revised = true, time.Now()
	return tea.Batch(cmd, next)
}

// summariseRest finds what is to be said of a trace that has stopped growing, unless that is known.
func (m *Model) summariseRest(t *timeline.Trace) tea.Cmd {
	if t.Until > 0 || t.Summarised == t.Revision || t.Summarises() {
		return nil
	}
	return runJob(t.SummaryJob(m.ctx, efficiency.Headline))
}

// reviseFollowed shows what there is of a trace now. Of a file that was written anew the objects may be
// others: windows then show all of them, and all of the time.
func reviseFollowed(m *Model, t *timeline.Trace, tr *prv.Trace, anew bool) tea.Cmd {
	if !anew {
		return m.revise(t, tr)
	}
	for _, w := range m.Windows {
		if w.Trace != t {
			continue
		}
		w.Values.Stop()
		w.Values, w.History = timeline.Values{}, timeline.History{}
		w.Objects, w.Top, w.Span, w.CursorRow = nil, 0, 0, 0
	}
	m.event(desk.TraceReset{Trace: t})
	m.ClearMarks()
	cmd := m.revise(t, tr)
	for _, w := range m.Windows {
		if w.Trace == t {
			w.Begin, w.End, w.Cursor = 0, m.Whole(w), 0
			w.Clamp(tr, m.Whole(w))
		}
	}
	return cmd
}

// unfollow forgets the file of a trace that no window looks at any more.
func unfollow(m *Model, t *timeline.Trace) {
	f := m.follows[t]
	if f == nil {
		return
	}
	delete(m.follows, t)
	f.closed = true
	if !f.reading {
		f.file.Close()
	}
}

// followNotice says in the title that a trace grows.
func (m *screenModel) followNotice(t *timeline.Trace) string {
	switch f := m.follows[t]; {
	case f == nil:
		return ""
	case !f.on:
		return "not following"
	case f.waiting:
		return "waiting for " + t.Name
	}
	return m.theme.ASCII("● following")
}
