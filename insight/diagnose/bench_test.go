package diagnose_test

import (
	"context"
	"testing"

	"pview/insight/diagnose"
	"pview/prv/prvtest"
	"pview/prv/synth"
)

// A stencil on 64 tasks: time and memory per message of the run, without simulations (check 54).
func BenchmarkStencil(b *testing.B) {
	g, err := synth.New(synth.Options{Pattern: "stencil", Tasks: 64, Compute: 20_000, Iterations: 1000})
	if err != nil {
		b.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	before := prvtest.AllocatedSoFar()
	for range b.N {
		if _, err := diagnose.Analyze(context.Background(), tr, diagnose.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(tr.Comms.Len() * b.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/message")
	b.ReportMetric((prvtest.AllocatedSoFar()-before)/n, "B/message")
	b.ReportMetric(float64(tr.Comms.Len()), "messages")
}
