package prv

import (
	"context"
	"os"
	"testing"
)

// BenchmarkOpen reads the trace named by PVIEW_BENCH_TRACE whole.
func BenchmarkOpen(b *testing.B) {
	path := os.Getenv("PVIEW_BENCH_TRACE")
	if path == "" {
		b.Skip("PVIEW_BENCH_TRACE names no trace")
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if _, err := Open(context.Background(), path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
