package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// plainText returns lines of records of all kinds, about n bytes, with numbers of usual lengths.
func plainText(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for time := 1_000_000_000; b.Len() < n; time += rng.IntN(5000) {
		th := 1 + rng.IntN(64)
		who := fmt.Sprintf("%d:1:%d:1", th, th)
		switch k := rng.IntN(12); {
		case k < 5:
			fmt.Fprintf(&b, "1:%s:%d:%d:%d\n", who, time, time+rng.IntN(10_000), rng.IntN(12))
		case k < 11:
			fmt.Fprintf(&b, "2:%s:%d:50000001:%d", who, time, rng.IntN(100))
			for range rng.IntN(3) {
				fmt.Fprintf(&b, ":42000050:%d", rng.IntN(100_000))
			}
			b.WriteByte('\n')
		default:
			fmt.Fprintf(&b, "3:%s:%d:%d:1:1:1:1:%d:%d:1024:7\n", who, time, time, time+500, time+900)
		}
	}
	return b.Bytes()
}

// BenchmarkFields finds and reads the fields of a block of text, in plain Go and with this machine's code.
func BenchmarkFields(b *testing.B) {
	text := plainText(textBlock)
	n := len(text)
	text = append(text, make([]byte, Pad)...)
	var f fields
	low := make([]uint32, n+fieldSlack)
	f.read(text, 0, n, low)
	for _, how := range []struct {
		name string
		read func(b []byte, from, to int, f *fields, low []uint32) (n, nLines, nOdd int)
	}{{"plain", readPlain}, {"fast", readFields}} {
		b.Run(how.name, func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				f.lines, f.odd = f.lines[:cap(f.lines)], f.odd[:cap(f.odd)]
				how.read(text, 0, n, &f, low)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(f.n), "ns/field")
		})
	}
}
