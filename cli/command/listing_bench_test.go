package command

import (
	"io"
	"testing"
)

// BenchmarkListing prints rows of an object and three numbers, as those of a timeline.
func BenchmarkListing(b *testing.B) {
	const parts, rows = 64, 4096
	l := &Listing{Keys: []string{"object", "begin", "duration", "value"}, Decimals: 9, Parts: parts}
	l.Rows = func(part int, yield func([]Datum) error) error {
		for i := range rows {
			at := float64(i*1_310_717) / 1000
			if err := yield([]Datum{Textual("1.1.1"), Numeric(at), Numeric(at / 7), Numeric(15)}); err != nil {
				return err
			}
		}
		return nil
	}
	for b.Loop() {
		if err := l.Write(io.Discard, "tsv"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*parts*rows), "ns/row")
}
