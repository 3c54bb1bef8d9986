package criticalpath_test

import (
	"context"
	"testing"

	"pview/insight/criticalpath"
	"pview/prv/synth"
)

// BenchmarkFind: a measured trace of 64 tasks.
func BenchmarkFind(b *testing.B) {
	g, err := synth.New(synth.Options{Tasks: 64, Nodes: 8, Bytes: 256 << 20})
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
	b.ResetTimer()
	for b.Loop() {
		if _, err := criticalpath.Find(context.Background(), t, criticalpath.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}
