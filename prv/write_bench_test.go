package prv_test

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"pview/prv"
)

// BenchmarkWrite writes a real trace of eight threads.
func BenchmarkWrite(b *testing.B) {
	tr, err := prv.Open(context.Background(), filepath.Join("../testdata/traces/heat2d_8/heat2d_8.prv.gz"),
		prv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var n countingWriter
	if err := prv.Write(context.Background(), &n, tr); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		if err := prv.Write(context.Background(), io.Discard, tr); err != nil {
			b.Fatal(err)
		}
	}
}

type countingWriter int64

func (n *countingWriter) Write(p []byte) (int, error) {
	*n += countingWriter(len(p))
	return len(p), nil
}
