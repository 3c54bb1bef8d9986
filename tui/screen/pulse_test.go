package screen

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// empty is a program that shows nothing and ends at the first message; there is one.
type empty struct {
	pulse *Pulse
	p     *tea.Program
}

func (e empty) Init() tea.Cmd  { return func() tea.Msg { return struct{}{} } }
func (e empty) View() tea.View { return tea.NewView("") }
func (e empty) Update(tea.Msg) (tea.Model, tea.Cmd) {
	e.pulse.Watch(e.p)
	return e, tea.Quit
}

// TestPulseFindsTheTicker: Bubble Tea still has the ticker that Pulse stops.
func TestPulseFindsTheTicker(t *testing.T) {
	e := &empty{pulse: &Pulse{}}
	e.p = tea.NewProgram(e, tea.WithInput(strings.NewReader("")), tea.WithOutput(io.Discard),
		tea.WithoutSignalHandler())
	if _, err := e.p.Run(); err != nil {
		t.Fatal(err)
	}
	if e.pulse.ticker == nil {
		t.Error("Bubble Tea has no ticker of this name any more: an idle program is woken 60 times a second")
	}
}

// TestPulseRests: the ticker runs for 250 ms after the last message, then it stops; the next message starts it.
func TestPulseRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := &Pulse{ticker: time.NewTicker(framePause)}
		defer u.ticker.Stop()
		ticks := func(d time.Duration) (n int) {
			for end := time.After(d); ; {
				select {
				case <-u.ticker.C:
					n++
				case <-end:
					return n
				}
			}
		}
		for range 2 {
			u.Beat()
			ticks(200 * time.Millisecond)
			u.Beat()
			if n := ticks(240 * time.Millisecond); n < 10 {
				t.Errorf("%d ticks right after a message", n)
			}
			ticks(30 * time.Millisecond)
			if n := ticks(time.Hour); n != 0 {
				t.Errorf("%d ticks while nothing happens", n)
			}
		}
	})
}
