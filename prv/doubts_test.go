package prv

import (
	"pview/prv/model"
	"pview/prv/store"

	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A trace that is followed while it grows has the same doubtful records as the whole file, at every step.
func TestDoubtsOfFollowedTraces(t *testing.T) {
	lines := []string{
		"#Paraver (01/01/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1)",
		"1:1:1:1:1:0:40:1",
		"1:1:1:1:1:30:70:2",              // line 3 overlaps
		"3:1:1:1:1:8:9:2:1:2:1:2:5:64:1", // line 4 is received at 5, sent at 8
		"1:2:1:2:1:60:90:1",
		"1:2:1:2:1:10:60:1",                    // line 6 is out of order, and overlaps nothing
		"1:1:1:1:1:70:120:1",                   // line 7 is after the end
		"2:1:1:1:1:130:7:1:8:2",                // line 8 as well, once
		"1:2:1:2:1:50:95:1",                    // line 9 is in order and overlaps; so does, by time, line 5
		"3:1:1:1:1:80:90:2:1:2:1:110:120:64:1", // line 10 is after the end
	}
	path := filepath.Join(t.TempDir(), "a.prv")
	f, err := Follow(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for n := 2; n <= len(lines); n++ {
		if err := os.WriteFile(path, []byte(strings.Join(lines[:n], "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := f.Read(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Open(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if g.Trace.Doubts.Count != whole.Doubts.Count {
			t.Errorf("after line %d: %v, want %v", n, g.Trace.Doubts.Count, whole.Doubts.Count)
		}
		for _, k := range []Doubt{StateOutOfOrder, ReceivedBeforeSent, AfterEnd} {
			if got, want := g.Trace.Doubts.Line[k], whole.Doubts.Line[k]; got != want {
				t.Errorf("after line %d: %s in line %d, want %d", n, k, got, want)
			}
		}
		if n == len(lines) {
			if want := [model.NumDoubts]int64{StateOutOfOrder: 1, StateOverlap: 3, ReceivedBeforeSent: 1,
				AfterEnd: 3}; whole.Doubts.Count != want {
				t.Errorf("%v, want %v", whole.Doubts.Count, want)
			}
		}
	}
	// The tracer corrects the end in the header: nothing is after it now.
	lines[0] = strings.Replace(lines[0], "100_ns", "200_ns", 1)
	if err := os.WriteFile(path, []byte(strings.Join(append(lines, "1:2:1:2:1:95:99:1"), "\n")+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	g, err := f.Read(context.Background(), nil)
	if err != nil || g.Restarted || g.Trace.Doubts.Count[AfterEnd] != 0 {
		t.Errorf("%v, restarted %v, %v", err, g.Restarted, g.Trace.Doubts)
	}
}
