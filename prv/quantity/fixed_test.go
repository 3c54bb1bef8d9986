package quantity_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pview/prv/quantity"
)

// AppendFixed equals strconv's for numbers of all sizes: integers, thousandths such as times in us, and halves, which
// round to even: without decimals 0.5 is 0 and 1.5 is 2, with two 0.125 is 0.12.
func TestAppendFixed(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 0.5, 1.5, 2.5, 0.125, 0.375, -0.125, 0.9999999999, 999.9996, 1e-3, 1e-4,
		1 << 52, 1<<52 + 0.5, 1 << 53, 1<<53 - 1, 1 << 63, 1e300, 5e-324, 1.0 / 1024, 1.0 / 2048, math.NaN(), math.Inf(1),
		math.Inf(-1)}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		numbers = append(numbers, math.Float64frombits(r.Uint64()), float64(r.Int64N(1<<50))/1000,
			math.Ldexp(float64(r.Int64N(1<<53)), -r.IntN(70)), float64(r.Int64N(1<<30))/(1<<13))
	}
	for i, v := range numbers {
		for _, decimals := range [...]int{0, 1, 3, 9, 12, 13, -1, i % 16} {
			want := strconv.FormatFloat(v, 'f', decimals, 64)
			if got := string(quantity.AppendFixed(nil, v, decimals)); got != want {
				t.Fatalf("%b with %d decimals: %s, not %s", v, decimals, got, want)
			}
		}
	}
}

// BenchmarkAppendFixed formats times in us with nine decimals.
func BenchmarkAppendFixed(b *testing.B) {
	for name, format := range map[string]func([]byte, float64) []byte{
		"strconv": func(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', 9, 64) },
		"fixed":   func(b []byte, v float64) []byte { return quantity.AppendFixed(b, v, 9) },
	} {
		b.Run(name, func(b *testing.B) {
			buf, n := make([]byte, 0, 64), int64(0)
			for b.Loop() {
				n += 2138169
				buf = format(buf[:0], float64(n&(1<<40-1))/1000)
			}
		})
	}
}
