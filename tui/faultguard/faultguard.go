// Package faultguard guards a program against files that break while their traces are on the screen: a trace lives in
// the mapped files of its index, which may be truncated, or their server may fail (see package mapped). A Guard wraps
// the model for Bubble Tea and guards everything that reads traces: commands, Update, View. It has the broken ones
// re-read.
package faultguard

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/mapped"
	"pview/tui/screen"
)

// Guard is a guarded model.
type Guard struct {
	model   tea.Model
	ctx     context.Context // ends with the program
	shown   func() []*prv.Trace
	mend    func() tea.Cmd
	last    tea.View                     // of the model, as drawn last
	watched atomic.Pointer[[]*prv.Trace] // the traces of the model, for other goroutines
	wake    chan struct{}                // makes watch look immediately
	waiting bool                         // for a lookedMsg
	program *tea.Program
	pulse   screen.Pulse // of that program
}

// watchStep is the time from a message to a check of the traces' files for changes that cause no fault: overwritten
// bytes, or a cut within a page. While nothing happens no file is checked.
const watchStep = 2 * time.Second

// brokenMsg reports that a trace's files may have broken.
type brokenMsg struct{ watched bool }

// lookedMsg has the result of a check of the files.
type lookedMsg struct{ broken bool }

// New guards a model until ctx ends. shown returns the model's traces, and mend re-reads those that are broken.
func New(ctx context.Context, m tea.Model, shown func() []*prv.Trace, mend func() tea.Cmd) *Guard {
	return &Guard{model: m, ctx: ctx, shown: shown, mend: mend, wake: make(chan struct{}, 1)}
}

// Pace pauses the ticker of the program that runs the guard while nothing happens: see screen.Pulse.
func (g *Guard) Pace(p *tea.Program) { g.program = p }

// Init implements tea.Model.
func (g *Guard) Init() tea.Cmd {
	return g.guarded(tea.Batch(g.model.Init(), g.watch()))
}

// Update implements tea.Model.
func (g *Guard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if g.program != nil {
		g.pulse.Watch(g.program)
		g.pulse.Beat()
	}
	var cmd tea.Cmd
	whole := g.survives(func() {
		switch msg := msg.(type) {
		case brokenMsg:
			cmd = g.mend()
			if msg.watched {
				cmd = tea.Batch(cmd, g.watch())
			}
		case lookedMsg:
			if g.waiting = false; msg.broken {
				cmd = g.mend()
			}
		default:
			g.model, cmd = g.model.Update(msg)
		}
	})
	if !whole {
		cmd = tea.Batch(cmd, g.mend())
	}
	g.look()
	if _, looked := msg.(lookedMsg); !looked && !g.waiting {
		g.waiting = true
		cmd = tea.Batch(cmd, g.lookLater())
	}
	return g, g.guarded(cmd)
}

// lookLater looks at the files of the traces once, after a while.
func (g *Guard) lookLater() tea.Cmd {
	ctx := g.ctx
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchStep):
			return lookedMsg{g.broken()}
		}
	}
}

// View implements tea.Model. If a trace breaks, the previous screen stays.
func (g *Guard) View() tea.View {
	if !g.survives(func() { g.last = g.model.View() }) {
		select {
		case g.wake <- struct{}{}:
		default:
		}
	}
	return g.last
}

// survives calls f, and reports whether it finished. A broken file may also cause panics other than a fault: after the
// first fault its bytes are zeros.
func (g *Guard) survives(f func()) (whole bool) {
	defer func() {
		if r := recover(); r != nil && !g.broken() {
			panic(r)
		}
	}()
	return mapped.Guard(func() error { f(); return nil }) == nil
}

// broken reports whether a trace is broken.
func (g *Guard) broken() bool {
	list := g.watched.Load()
	return list != nil && slices.ContainsFunc(*list, func(t *prv.Trace) bool { return t.Broken() != nil })
}

// guarded returns a command that survives a broken file; the commands that it returns do too.
func (g *Guard) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if !g.survives(func() { msg = g.within(cmd()) }) {
			return brokenMsg{}
		}
		return msg
	}
}

// within guards the commands in a message: those of tea.Batch, and of tea.Sequence, whose type is unexported.
func (g *Guard) within(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if msg == nil || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		list.Index(i).Set(reflect.ValueOf(g.guarded(v.Index(i).Interface().(tea.Cmd))))
	}
	return list.Interface()
}

// look publishes the open traces to other goroutines.
func (g *Guard) look() {
	list := g.shown()
	g.watched.Store(&list)
}

// watch waits until a trace has broken under View.
func (g *Guard) watch() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-g.ctx.Done():
			return nil
		case <-g.wake:
			return brokenMsg{watched: true}
		}
	}
}
