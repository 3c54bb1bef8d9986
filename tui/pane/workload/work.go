package workload

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/tui/pane"
)

// work computes in the background, for one session at a time.
type work struct {
	pane.Job
	of      *session
	version int
}

// task is a job to be started. run is called in the background; the function that it returns is called on the goroutine
// of the program.
type task struct {
	what string
	run  func(ctx context.Context, tell func(stage string, done, total int64)) (apply func(), err error)
}

// start starts a task.
func (w *work) start(s *session, t *task) tea.Cmd {
	w.of, w.version = s, s.version
	version := s.version
	return w.Start(t.what, func(ctx context.Context, tell func(done, total int64)) pane.Result {
		apply, err := t.run(ctx, func(_ string, done, total int64) { tell(done, total) })
		return func() tea.Cmd {
			if err != nil {
				s.fail(t.what, version, err)
			} else {
				apply()
			}
			return nil
		}
	})
}

// drop ends the task; it reports whether there was one.
func (w *work) drop(why error) bool {
	what := w.What()
	if !w.Stop() {
		return false
	}
	w.of.fail(what, w.version, why)
	return true
}

// forget stops the work for a session that ends.
func (w *work) forget(s *session) {
	if w.of == s {
		w.Stop()
		w.of = nil
	}
}

// suits reports whether the current work is still wanted for a session.
func (w *work) suits(s *session) bool {
	return w.of == s && w.version == s.version && (w.What() == analysing || s.fresh())
}

// fail records why a task has found nothing, so that it is not started again.
func (s *session) fail(what string, version int, err error) {
	if what == analysing {
		s.of, s.err = version, err
		return
	}
	s.failed[what] = err
}

// can reports whether a task may be started: it has not failed since the last change.
func (s *session) can(what string) bool {
	err := s.failed[what]
	return err == nil || errors.Is(err, errStale)
}

// errStale ends a task whose result is no longer wanted; the task is restarted when it is.
var errStale = errors.New("stale")
