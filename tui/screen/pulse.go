package screen

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pulse pauses Bubble Tea's renderer, whose ticker wakes the program 60 times a second, whether there is anything to
// send or not; on a login node with many idle viewers that adds up. Pulse stops the ticker when nothing has happened
// for a while, and starts it again at the next message.
//
// Bubble Tea 2.0.9 has no supported way to do so: WithFPS is fixed at the start, and at its minimum, 1, a key would
// take up to a second to show; WithoutRenderer keeps the ticker, and drops modes, keyboard and cursor with the
// renderer; ReleaseTerminal stops the ticker but leaves the alternate screen. So Pulse finds the private ticker by
// reflection. If another version has no such field, the ticker continues and nothing else changes.
type Pulse struct {
	mu     sync.Mutex
	ticker *time.Ticker // nil: not found, or the program does not run yet
	rest   *time.Timer
	until  time.Time // the ticker runs until then
}

// afterglow is the time for which the renderer continues after the last message, to send the rest at 60 pictures a
// second.
const afterglow = 250 * time.Millisecond

// Watch finds the ticker of a running program.
func (u *Pulse) Watch(p *tea.Program) {
	f := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ticker = *(**time.Ticker)(f.Addr().UnsafePointer())
}

// Beat starts the ticker: something has happened.
func (u *Pulse) Beat() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ticker == nil {
		return
	}
	now := time.Now()
	if now.After(u.until) {
		u.ticker.Reset(framePause)
	}
	u.until = now.Add(afterglow)
	if u.rest == nil {
		u.rest = time.AfterFunc(afterglow, u.stop)
	} else {
		u.rest.Reset(afterglow)
	}
}

// stop stops the ticker, unless something has happened since.
func (u *Pulse) stop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if left := time.Until(u.until); left > 0 {
		u.rest.Reset(left)
		return
	}
	u.until = time.Time{}
	u.ticker.Stop()
}
