package compare_test

import (
	"context"
	"testing"

	"pview/insight/compare"
	"pview/insight/efficiency"
	"pview/insight/phase"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/prvtest"
)

// BenchmarkAnalyse accounts for a run of 0.8 million events, and for comparison does each of its steps alone.
func BenchmarkAnalyse(b *testing.B) {
	ctx := context.Background()
	t, err := prv.Open(ctx, prvtest.Shared(b, "traces", "npb_lu_W_8_nocallers", "npb_lu_W_8_nocallers.prv.gz"),
		prv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"all":    func() error { _, err := compare.Analyse(ctx, t, compare.Options{}); return err },
		"phases": func() error { _, err := phase.Find(ctx, t, phase.Options{}); return err },
		"waits":  func() error { _, err := waits.Analyze(ctx, t, waits.Options{}); return err },
		"counters": func() error {
			_, err := efficiency.Measure(ctx, t,
				efficiency.Options{NoIdeal: true})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
