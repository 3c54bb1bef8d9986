package efficiency_test

import (
	"context"
	"testing"

	"pview/insight/efficiency"
	"pview/prv/synth"
)

// BenchmarkMeasure measures a stencil of 64 tasks, simulation included.
func BenchmarkMeasure(b *testing.B) {
	g, err := synth.New(synth.Options{Pattern: "stencil", Tasks: 64, Iterations: 200, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	t, err := g.Trace(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	records := t.Comms.Len()
	for i := range t.Threads {
		records += t.Threads[i].States.Len() + t.Threads[i].Events.Len()
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := efficiency.Measure(context.Background(), t, efficiency.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(records)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}
