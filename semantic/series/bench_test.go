package series

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchRow returns the columns of n bursts like those of a run: lengths between 100 and 100,000 ns, and a few values.
func benchRow(n, distinct int) bursts {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := bursts{make([]int64, 1, n), make([]float64, 1, n), 0}
	b.value[0] = 1
	t := int64(0)
	for range n - 1 {
		t += 100 << r.IntN(10)
		b.begin, b.value = append(b.begin, t), append(b.value, float64(r.IntN(distinct)))
	}
	b.end = t + 1000
	return b
}

var benchSizes = []int{1e3, 1e5, 1e7}

// BenchmarkBuildSeries reports the time and memory per burst of building a series.
func BenchmarkBuildSeries(b *testing.B) {
	for _, distinct := range []int{12, 100_000} {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("values=%d/bursts=%d", distinct, n), func(b *testing.B) {
				row := benchRow(n, distinct)
				var s *Series
				for b.Loop() {
					s = New(row.begin, row.value, row.end)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/burst")
				b.ReportMetric(float64(s.Bytes())/float64(n), "B/burst")
			})
		}
	}
}

// BenchmarkValue reports the cost of a cell, over all cells of rows of 200.
func BenchmarkValue(b *testing.B) {
	for _, m := range []DrawMode{Maximum, Last, MinimumNotZero, Average, RandomNotZero, MostTime} {
		for _, n := range benchSizes {
			b.Run(fmt.Sprintf("%s/bursts=%d", m, n), func(b *testing.B) {
				row := benchRow(n, 12)
				s := New(row.begin, row.value, row.end)
				i := int64(0)
				for b.Loop() {
					col := i % 200
					i++
					s.Value(col*s.End()/200, (col+1)*s.End()/200, m, 1)
				}
			})
		}
	}
}
