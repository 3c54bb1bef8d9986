package dimemas_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/synth"
	"pview/sim/dimemas"
)

// WriteTrace writes what WriteProgram writes of the program, into a file, whose header is written last, and elsewhere.
func TestWriteTrace(t *testing.T) {
	for _, o := range []synth.Options{{Tasks: 7, Bytes: 5 << 20}, {Pattern: "collective", Threads: 3, Iterations: 20},
		{Pattern: "master-worker", Iterations: 20}} {
		tr := synthetic(t, o)
		p, err := dimemas.FromTrace(t.Context(), tr, dimemas.TranslateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var want, got bytes.Buffer
		if err := dimemas.WriteProgram(&want, p.Program, "né"); err != nil {
			t.Fatal(err)
		}
		s, err := dimemas.WriteTrace(t.Context(), &got, tr, dimemas.TranslateOptions{}, "né")
		if err != nil {
			t.Fatal(err)
		}
		compareText(t, got.String(), want.String())
		if a, b := strings.Join(s.Remarks(), "\n"), strings.Join(p.Remarks(), "\n"); a != b {
			t.Errorf("remarks %q, not %q", a, b)
		}
		f, err := os.Create(filepath.Join(t.TempDir(), "out.dim"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := dimemas.WriteTrace(t.Context(), f, tr, dimemas.TranslateOptions{}, "né"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		compareText(t, string(text), want.String())
	}
}

// What Link refuses in a program, WriteTrace refuses in the trace: here a message of -1 bytes.
func TestWriteTraceChecks(t *testing.T) {
	tr := synthetic(t, synth.Options{Tasks: 4, Iterations: 3})
	tr.Path, tr.Comms.Size[5] = "bad.prv", -1
	_, want := dimemas.FromTrace(t.Context(), tr, dimemas.TranslateOptions{})
	_, err := dimemas.WriteTrace(t.Context(), io.Discard, tr, dimemas.TranslateOptions{}, "x")
	if err == nil || want == nil || err.Error() != want.Error() || !strings.Contains(err.Error(), "of -1 bytes") {
		t.Errorf("%v, not %v", err, want)
	}
}

// failing accepts n bytes, then fails.
type failing int

func (f *failing) Write(b []byte) (int, error) {
	if *f -= failing(len(b)); *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func (f *failing) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }

// An output that fails, or a context that ends, ends the translation of all threads.
func TestWriteTraceEnds(t *testing.T) {
	tr := synthetic(t, synth.Options{Tasks: 64, Bytes: 4 << 20})
	room := failing(1 << 20)
	if _, err := dimemas.WriteTrace(t.Context(), &room, tr, dimemas.TranslateOptions{}, "x"); err != io.ErrShortWrite {
		t.Errorf("full: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := dimemas.WriteTrace(ctx, io.Discard, tr, dimemas.TranslateOptions{}, "x")
	if err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func synthetic(t testing.TB, o synth.Options) *prv.Trace {
	t.Helper()
	g, err := synth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// nowhere is an empty file that keeps nothing.
type nowhere struct{ n int64 }

func (w *nowhere) Write(b []byte) (int, error) { w.n += int64(len(b)); return len(b), nil }

func (w *nowhere) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }

// BenchmarkWriteTrace translates a trace of 64 tasks and formats its .dim.
func BenchmarkWriteTrace(b *testing.B) {
	tr := synthetic(b, synth.Options{Tasks: 64, Nodes: 4, Callers: 2, Bytes: 28 << 20})
	records := tr.Comms.Len()
	for i := range tr.Threads {
		records += tr.Threads[i].Events.Len() + tr.Threads[i].States.Len()
	}
	var w nowhere
	for b.Loop() {
		w.n = 0
		if _, err := dimemas.WriteTrace(b.Context(), &w, tr, dimemas.TranslateOptions{}, "x"); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(w.n)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
}
