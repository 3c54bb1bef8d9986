package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/timeline"
	"pview/tui/desk"
	"pview/tui/pane"
)

// The file of a closed trace is closed: immediately, or after the reading in progress.
func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.prv")
	if err := os.WriteFile(path, []byte(prvtest.TraceA), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, reading := range []bool{false, true} {
		file, err := prv.Follow(path)
		if err != nil {
			t.Fatal(err)
		}
		f, trace := New(&desk.Desk{}, &pane.Scene{}), &timeline.Trace{}
		state := &following{file: file, on: true, reading: reading}
		f.traces[trace] = state
		f.Forget(trace)
		if !state.closed || f.On(trace) || f.Notice(trace) != "" {
			t.Errorf("reading: %v: the trace is closed, its state is not: %+v", reading, state)
		}
		if cmd := f.grown(trace, state, prv.Growth{}, nil); cmd != nil || state.reading {
			t.Errorf("reading: %v: a closed trace is read on: %+v", reading, state)
		}
	}
}

// The headline of a trace is computed for a new revision, unless it rests.
func TestSummariseRests(t *testing.T) {
	f := New(&desk.Desk{}, &pane.Scene{})
	f.Summarise = func(*timeline.Trace) tea.Cmd { return func() tea.Msg { return nil } }
	for _, c := range []struct {
		revision        int
		rests, computed bool
	}{{1, false, false}, {2, false, true}, {2, true, false}} {
		state := &following{rests: c.rests}
		computed := f.summarise(&timeline.Trace{Revision: c.revision, Summarised: 1}, state) != nil
		if computed != c.computed || computed != (state.work == summing) {
			t.Errorf("%+v: computed: %v, work %d", c, computed, state.work)
		}
	}
}

// The pause is 300 times the processor time, from 500 ms to 10 s, and four times the duration of readings over 2.5 s.
func TestPause(t *testing.T) {
	for cost, want := range map[time.Duration]time.Duration{
		time.Millisecond:       500 * time.Millisecond,
		10 * time.Millisecond:  3 * time.Second,
		100 * time.Millisecond: 10 * time.Second,
		3 * time.Second:        12 * time.Second,
	} {
		if got := pause(cost); got != want {
			t.Errorf("after %v: %v, want %v", cost, got, want)
		}
	}
}

func TestPossible(t *testing.T) {
	for path, possible := range map[string]bool{"": false, "a.prv": true, "a.prv.gz": false} {
		if err := Possible(path); (err == nil) != possible {
			t.Errorf("%q: %v", path, err)
		}
	}
}
