package screen

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Pulse lets Bubble Tea's renderer rest. Its ticker wakes the program 60 times a second to look whether there is
// something to send, whether anything happens or not; on a login node with many idle viewers that adds up. The ticker
// has no switch: Pulse finds it in the program, stops it when nothing has happened for a while, and starts it again at
// the next message. Where another version of Bubble Tea has no such ticker, it goes on as it does.
type Pulse struct {
	mu     sync.Mutex
	ticker *time.Ticker // nil: not found, or the program does not run yet
	rest   *time.Timer
	until  time.Time // the ticker goes on until then
}

// afterglow is how long the renderer goes on after the last message: it sends what is left, at 60 pictures a second.
const afterglow = 250 * time.Millisecond

// Watch finds the ticker of a program that runs.
func (u *Pulse) Watch(p *tea.Program) {
	f := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ticker = *(**time.Ticker)(f.Addr().UnsafePointer())
}

// Beat says that something has happened.
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
