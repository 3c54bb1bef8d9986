package tui

// Files may break while their traces are on the screen: a trace lives in the mapped files of its index, which may be
// truncated, or their server may fail (see package mapped). faultGuard wraps the model for Bubble Tea and guards all
// that reads traces: commands, Update, View. It re-reads a broken trace from its file.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/mapped"
	"pview/render/timeline"
	"pview/tui/screen"
)

// faultGuard is the program's model, guarded.
type faultGuard struct {
	*Model
	last    tea.View                     // drawn last
	watched atomic.Pointer[[]*prv.Trace] // the traces of the model, for other goroutines
	wake    chan struct{}                // makes watch look immediately
	mending map[*timeline.Trace]bool     // being read again, or given up
	waiting bool                         // for a lookedMsg
	program *tea.Program                 // nil in tests
	pulse   screen.Pulse                 // of that program
}

// watchStep is the time from a message to a check of the traces' files for changes that cause no fault: overwritten
// bytes, or a cut within a page. While nothing happens no file is checked.
const watchStep = 2 * time.Second

// brokenMsg reports that a trace's files may have broken.
type brokenMsg struct{ watched bool }

// lookedMsg has the result of a check of the files.
type lookedMsg struct{ broken bool }

// mendedMsg is a trace that was re-read.
type mendedMsg struct {
	trace *timeline.Trace
	data  *prv.Trace
	why   error // that it was
	err   error
}

func newFaultGuard(m *Model) *faultGuard {
	return &faultGuard{Model: m, mending: map[*timeline.Trace]bool{}, wake: make(chan struct{}, 1)}
}

// Init is Bubble Tea's.
func (s *faultGuard) Init() tea.Cmd {
	return s.guarded(tea.Batch(s.Model.Init(), s.watch()))
}

// Update is Bubble Tea's.
func (s *faultGuard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if s.program != nil {
		s.pulse.Watch(s.program)
		s.pulse.Beat()
	}
	var cmd tea.Cmd
	whole := s.survives(func() {
		switch msg := msg.(type) {
		case brokenMsg:
			cmd = s.mend()
			if msg.watched {
				cmd = tea.Batch(cmd, s.watch())
			}
		case mendedMsg:
			cmd = s.mended(msg)
		case lookedMsg:
			if s.waiting = false; msg.broken {
				cmd = s.mend()
			}
		default:
			_, cmd = s.Model.Update(msg)
		}
	})
	if !whole {
		cmd = tea.Batch(cmd, s.mend())
	}
	s.look()
	if _, looked := msg.(lookedMsg); !looked && !s.waiting {
		s.waiting = true
		cmd = tea.Batch(cmd, s.lookLater())
	}
	return s, s.guarded(cmd)
}

// lookLater looks at the files of the traces once, after a while.
func (s *faultGuard) lookLater() tea.Cmd {
	ctx := s.ctx
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchStep):
			return lookedMsg{s.broken()}
		}
	}
}

// View is Bubble Tea's. If a trace breaks, the former screen stays.
func (s *faultGuard) View() tea.View {
	if !s.survives(func() { s.last = s.Model.View() }) {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	return s.last
}

// survives calls f, and reports whether it finished. A broken file may also cause other panics than a fault: after the
// first fault its bytes are zeros.
func (s *faultGuard) survives(f func()) (whole bool) {
	defer func() {
		if r := recover(); r != nil && !s.broken() {
			panic(r)
		}
	}()
	return mapped.Guard(func() error { f(); return nil }) == nil
}

// broken reports whether a trace is broken.
func (s *faultGuard) broken() bool {
	list := s.watched.Load()
	return list != nil && slices.ContainsFunc(*list, func(t *prv.Trace) bool { return t.Broken() != nil })
}

// guarded returns a command that survives a broken file, and whose commands do.
func (s *faultGuard) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if !s.survives(func() { msg = s.within(cmd()) }) {
			return brokenMsg{}
		}
		return msg
	}
}

// within guards the commands of a message: those of tea.Batch, and of tea.Sequence, whose type is unexported.
func (s *faultGuard) within(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if msg == nil || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		list.Index(i).Set(reflect.ValueOf(s.guarded(v.Index(i).Interface().(tea.Cmd))))
	}
	return list.Interface()
}

// look publishes the open traces to other goroutines.
func (s *faultGuard) look() {
	list := make([]*prv.Trace, 0, len(s.Traces))
	for _, t := range s.Traces {
		list = append(list, t.Data)
	}
	s.watched.Store(&list)
}

// watch waits until a trace has broken under View.
func (s *faultGuard) watch() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-s.ctx.Done():
			return nil
		case <-s.wake:
			return brokenMsg{watched: true}
		}
	}
}

// mend re-reads the broken traces.
func (s *faultGuard) mend() tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range s.Traces {
		why := t.Data.Broken()
		if why == nil || s.mending[t] {
			continue
		}
		s.mending[t] = true
		s.scene.Alarm(fmt.Sprintf("%s: %v; re-reading it", t.Name, why))
		ctx, path := s.ctx, t.Data.Path
		cmds = append(cmds, func() tea.Msg {
			data, err := s.loader.file(ctx, path, prv.Watcher{})
			return mendedMsg{t, data, why, err}
		})
	}
	return tea.Batch(cmds...)
}

// mended takes a trace that was re-read.
func (s *faultGuard) mended(msg mendedMsg) tea.Cmd {
	t := msg.trace
	if msg.err == nil {
		msg.err = sameObjects(t.Data, msg.data)
	}
	if msg.err != nil {
		for _, w := range s.Windows {
			if w.Trace == t {
				w.Values.Stop()
				w.Values.Err = errors.Join(msg.why, msg.err)
			}
		}
		s.scene.Alarm(fmt.Sprintf("%s: %v; cannot re-read it: %v", t.Name, msg.why, msg.err))
		return nil
	}
	delete(s.mending, t)
	s.scene.Say(t.Name + " was re-read")
	cmd := s.revise(t, msg.data)
	// Update brings the windows up to date.
	_, more := s.Model.Update(nil)
	return tea.Batch(cmd, more)
}

// sameObjects reports whether windows on one trace can show the other.
func sameObjects(a, b *prv.Trace) error {
	for _, l := range prv.Levels {
		if a.Count(l) != b.Count(l) {
			return fmt.Errorf("the trace has changed: %d objects of level %s instead of %d", b.Count(l), l, a.Count(l))
		}
	}
	return nil
}
