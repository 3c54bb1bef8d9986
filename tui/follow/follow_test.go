package follow

import (
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/timeline"
	"pview/tui/desk"
	"pview/tui/pane"
)

// The file of a closed trace is closed: at once, or after the reading in progress.
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

func TestPossible(t *testing.T) {
	for path, possible := range map[string]bool{"": false, "a.prv": true, "a.prv.gz": false} {
		if err := Possible(path); (err == nil) != possible {
			t.Errorf("%q: %v", path, err)
		}
	}
}
