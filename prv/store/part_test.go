package store_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/synth"
)

// The parts of a trace are its first records, more in each part; nothing before Part.Until is missing.
func TestParts(t *testing.T) {
	g, err := synth.New(synth.Options{Tasks: 8, Nodes: 2, Callers: 1, Bytes: 32 << 20})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.prv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	f.Close()

	for _, memory := range []int64{0, 40 << 20} {
		var parts []*prv.Part
		var whole *prv.Trace
		// on a busy machine one of two workers may be so late that a part is skipped; a single one is never late
		for _, workers := range []int{2, 1} {
			var err error
			show := func(p *prv.Part) { parts = append(parts, p) }
			whole, err = prv.Open(context.Background(), path, prv.Options{Memory: memory, Workers: workers, Part: show})
			if err != nil {
				t.Fatal(err)
			}
			if len(parts) > 0 {
				break
			}
		}
		if len(parts) == 0 {
			t.Fatal("32 MB were read without a part of them being shown")
		}
		for _, p := range parts {
			checkPart(t, p.Trace, whole, p.Until)
		}
	}
}

func checkPart(t *testing.T, part, whole *prv.Trace, until int64) {
	t.Helper()
	if part.Path != whole.Path || part.Duration != whole.Duration || until <= 0 || until >= whole.Duration {
		t.Errorf("part of %s, %d long, until %d; the trace is %s, %d long", part.Path, part.Duration, until, whole.Path,
			whole.Duration)
	}
	records := 0
	for i := range whole.Threads {
		p, w := &part.Threads[i], &whole.Threads[i]
		n, m := p.States.Len(), p.Events.Len()
		records += n + m
		if !slices.Equal(p.States.Begin, w.States.Begin[:n]) || !slices.Equal(p.States.End, w.States.End[:n]) ||
			!slices.Equal(p.States.Value, w.States.Value[:n]) {
			t.Errorf("thread %d: the states are not the first ones of the trace", i)
		}
		if !slices.Equal(p.Events.Time, w.Events.Time[:m]) || !slices.Equal(p.Events.Type, w.Events.Type[:m]) ||
			!slices.Equal(p.Events.Value.All(), w.Events.Value.All()[:m]) {
			t.Errorf("thread %d: the events are not the first ones of the trace", i)
		}
		if n < w.States.Len() && w.States.Begin[n] < until || m < w.Events.Len() && w.Events.Time[m] < until {
			t.Errorf("thread %d: a record before %d is missing", i, until)
		}
	}
	if n := part.Comms.Len(); !slices.Equal(part.Comms.Send, whole.Comms.Send[:n]) ||
		!slices.Equal(part.Comms.Size, whole.Comms.Size[:n]) {
		t.Error("the messages are not the first ones of the trace")
	}
	if records < 50_000 {
		t.Errorf("the part has %d records only", records)
	}
}
