package dimemas_test

import (
	"bytes"
	"context"
	"testing"

	"pview/prv/synth"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
)

// TestSynthetic: generated traces, the demonstration trace among them, are programs that can be simulated: each end of
// a message lies in its call.
func TestSynthetic(t *testing.T) {
	options := []synth.Options{synth.Demo()}
	for _, p := range synth.Patterns {
		for _, threads := range []int{1, 3} {
			options = append(options, synth.Options{Pattern: p.Name, Threads: threads, Iterations: 20, Imbalance: 30,
				Seed: 7})
		}
	}
	for _, o := range options {
		g, err := synth.New(o)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := g.Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if lines := p.Remarks(); len(lines) > 0 {
			t.Errorf("%s, %d threads: %q", o.Pattern, o.Threads, lines)
		}
		r, err := engine.Run(context.Background(), p.Program, sim.IdealFor(p.Program), sim.Options{})
		if err != nil {
			t.Errorf("%s, %d threads: %v", o.Pattern, o.Threads, err)
		} else if r.Unreceived > 0 {
			t.Errorf("%s, %d threads: %d messages are not received", o.Pattern, o.Threads, r.Unreceived)
		}
	}
}

// BenchmarkReadProgram reads a .dim of a million records of 64 tasks, whose messages are numbered one by one, as
// prv2dim does it.
func BenchmarkReadProgram(b *testing.B) {
	g, err := synth.New(synth.Options{Tasks: 64, Nodes: 8, Bytes: 28 << 20, NoCounters: true})
	if err != nil {
		b.Fatal(err)
	}
	tr, err := g.Trace(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	p, err := dimemas.FromTrace(b.Context(), tr, dimemas.TranslateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	if err := dimemas.WriteProgram(&text, p.Program, "synthetic"); err != nil {
		b.Fatal(err)
	}
	records, size := float64(p.Program.Records()), int64(0)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		q, err := dimemas.ReadProgram(b.Context(), bytes.NewReader(text.Bytes()), "synthetic")
		if err != nil {
			b.Fatal(err)
		}
		size = 0
		for i := range q.Threads {
			size += q.Threads[i].Bytes()
		}
	}
	b.ReportMetric(float64(size)/records, "B/record")
	b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}
