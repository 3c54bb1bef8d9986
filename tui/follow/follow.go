// Package follow follows traces that are still being written: from time to time it reads the new records, and the
// windows recompute their contents, then the headline and its findings. Each costs as much as the whole trace, so the
// pause after it grows with its processor time: following takes a hundredth of a core.
package follow

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/format"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/pane"
)

// Traces are the traces that are, or were, followed.
type Traces struct {
	// Revise replaces the data of a trace
	Revise func(t *timeline.Trace, by *prv.Trace) tea.Cmd
	// Summarise computes the headline of the records read so far, unless it is known
	Summarise func(t *timeline.Trace) tea.Cmd
	// Busy reports whether the screen is incomplete
	Busy func() bool

	desk   *desk.Desk
	sc     *pane.Scene
	traces map[*timeline.Trace]*following
}

// following is the state of a trace.
type following struct {
	file     prv.Source
	on       bool
	reading  bool
	closed   bool   // no window shows the trace
	complete bool   // it has stopped growing
	held     string // the reason for waiting
	waiting  bool   // the file is missing, empty, or was rewritten without a record
	work     work
	since    time.Duration // processor time when the current work began
	rests    bool          // its headline is not computed for now
}

// work is a step of following; its processor time decides how long the next one waits.
type work uint8

const (
	none    work = iota
	showing      // the last revision, until the screen is complete
	summing      // its headline and findings
)

const (
	step    = 500 * time.Millisecond // between two readings, at least
	slowest = 10 * time.Second       // between two readings that take less than a quarter of that
	share   = 300                    // the pause after work of either kind, relative to its processor time
)

// pause returns the time from a reading to the next one. It uses a hundredth of a core; long readings may use up to a
// quarter, so that the screen is updated.
func pause(cost time.Duration) time.Duration {
	return max(step, min(share*cost, slowest), 4*cost)
}

// New returns the followed traces of a desk: none.
func New(d *desk.Desk, sc *pane.Scene) *Traces {
	return &Traces{desk: d, sc: sc, traces: map[*timeline.Trace]*following{}}
}

// Actions returns the action that follows a trace.
func (f *Traces) Actions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		{Name: "follow", Keys: []string{"alt+f"}, Doc: "follow a trace that is still being written; again: stop",
			Run: f.toggle},
	})
}

// Possible returns why a file cannot be followed; nil if it can.
func Possible(path string) error {
	if path == "" {
		return errors.New("this trace has no file to follow")
	}
	_, err := format.Follow(path)
	return err
}

// toggle follows the trace of the window in focus, or stops.
func (f *Traces) toggle(string) tea.Cmd {
	t := f.desk.Focused().Trace
	state := f.traces[t]
	if state == nil {
		if err := Possible(t.Data.Path); err != nil {
			return f.sc.Refuse(err)
		}
		file, err := format.Follow(t.Data.Path)
		if err != nil {
			return f.sc.Refuse(err)
		}
		state = &following{file: file}
		f.traces[t] = state
	}
	if state.on = !state.on; !state.on {
		f.sc.Say(t.Name + " is no longer followed: " + f.sc.KeysOf("follow") + " resumes")
		return f.Summarise(t)
	}
	f.sc.Say("following " + t.Name)
	return f.read(t)
}

// Open opens a trace by following it: it waits for the first record. Until then waits is set.
func Open(ctx context.Context, file prv.Source, progress func(done, total int64), waits *atomic.Bool) (*prv.Trace,
	error) {
	for {
		growth, err := file.Read(ctx, progress)
		switch {
		case err == nil && growth.Trace != nil:
			return extrae.NameCalls(growth.Trace), nil
		case err != nil && !errors.Is(err, prv.ErrWaiting):
			file.Close()
			return nil, err
		}
		waits.Store(true)
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(step / 2):
		}
	}
}

// Resume follows a trace that was opened with Open.
func (f *Traces) Resume(t *timeline.Trace, file prv.Source) tea.Cmd {
	f.traces[t] = &following{file: file, on: true}
	return f.later(t, step)
}

// On reports whether a trace is followed.
func (f *Traces) On(t *timeline.Trace) bool { return f.traces[t] != nil && f.traces[t].on }

// later reads the new records after a delay.
func (f *Traces) later(t *timeline.Trace, d time.Duration) tea.Cmd {
	return f.sc.After(d, pane.Result(func() tea.Cmd { return f.tick(t) }))
}

// tick reads the new records, unless the screen does not show the last ones yet. Before the next reading it computes
// the headline of the last one, unless that rests.
func (f *Traces) tick(t *timeline.Trace) tea.Cmd {
	state := f.traces[t]
	switch {
	case state == nil || !state.on || state.reading || state.closed:
		return nil
	case f.Busy() || t.Profiled != t.Revision || t.Summarises():
		return f.later(t, step/2)
	}
	cost := processorTime() - state.since
	done := state.work
	state.work = none
	switch done {
	case showing:
		return tea.Batch(f.summarise(t, state), f.later(t, pause(cost)))
	case summing:
		state.rests = true
		return tea.Batch(f.sc.After(share*cost, pane.Result(func() tea.Cmd {
			state.rests = false
			return nil
		})), f.later(t, step/2))
	}
	return f.read(t)
}

// summarise computes the headline of a trace, unless it is known or rests.
func (f *Traces) summarise(t *timeline.Trace, state *following) tea.Cmd {
	if state.rests || t.Summarised == t.Revision {
		return nil
	}
	state.work, state.since = summing, processorTime()
	return f.Summarise(t)
}

// read reads what has been written since the last reading.
func (f *Traces) read(t *timeline.Trace) tea.Cmd {
	state := f.traces[t]
	if state.reading {
		return nil
	}
	state.reading, state.since = true, processorTime()
	ctx := f.sc.Context
	return func() tea.Msg {
		growth, err := state.file.Read(ctx, nil)
		if growth.Trace != nil {
			growth.Trace = extrae.NameCalls(growth.Trace)
		}
		return pane.Result(func() tea.Cmd { return f.grown(t, state, growth, err) })
	}
}

// grown handles the result of a reading.
func (f *Traces) grown(t *timeline.Trace, state *following, growth prv.Growth, err error) tea.Cmd {
	state.reading = false
	if state.closed {
		state.file.Close()
		return nil
	}
	state.held, state.complete = growth.Held, growth.Complete
	next := f.later(t, step)
	if state.complete {
		state.on, next = false, nil
	}
	switch {
	case errors.Is(err, prv.ErrWaiting):
		if growth.Restarted && !state.waiting {
			f.sc.Say(t.Name + " is gone or was truncated: showing the records read so far")
		}
		state.waiting = true
		return next
	case err != nil:
		state.on = false
		f.sc.Alarm(fmt.Sprintf("%s is no longer followed: %v", t.Name, err))
		return nil
	case growth.Trace == nil && state.on:
		return tea.Batch(f.summarise(t, state), next)
	case growth.Trace == nil:
		return f.Summarise(t)
	}
	var cmd tea.Cmd
	if growth.Restarted || state.waiting {
		f.sc.Say(t.Name + " was rewritten: shown from its beginning")
		cmd = f.reset(t, growth.Trace)
	} else {
		cmd = f.Revise(t, growth.Trace)
	}
	state.waiting, state.work = false, showing
	return tea.Batch(cmd, next)
}

// reset replaces a trace by one whose objects may differ: windows show all objects, and the whole time.
func (f *Traces) reset(t *timeline.Trace, by *prv.Trace) tea.Cmd {
	views := f.desk.ViewsOf(t)
	for _, w := range views {
		w.Values.Stop()
		w.Values, w.History = timeline.Values{}, timeline.History{}
		w.Objects, w.Top, w.Span, w.CursorRow = nil, 0, 0, 0
	}
	f.desk.Tell(desk.TraceReset{Trace: t})
	f.desk.ClearMarks()
	t.Summary = nil
	cmd := f.Revise(t, by)
	for _, w := range views {
		w.Begin, w.End, w.Cursor = 0, f.desk.Whole(w), 0
		w.Clamp(by, f.desk.Whole(w))
	}
	return cmd
}

// Forget stops following a closed trace.
func (f *Traces) Forget(t *timeline.Trace) {
	state := f.traces[t]
	if state == nil {
		return
	}
	delete(f.traces, t)
	state.closed = true
	if !state.reading {
		state.file.Close()
	}
}

// Notice describes for the title whether a trace grows; "" if it was never followed.
func (f *Traces) Notice(t *timeline.Trace) string {
	switch state := f.traces[t]; {
	case state == nil:
		return ""
	case state.complete:
		return "ended"
	case !state.on:
		return "not following"
	case state.held != "":
		return "● following: " + state.held
	case state.waiting:
		return "waiting for " + t.Name
	}
	return "● following"
}
