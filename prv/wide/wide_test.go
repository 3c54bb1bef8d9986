package wide

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"
)

// 131,072 threads for a day in ns: 2^17 x 86,400 x 10^9 = 11,324,620,800,000,000,000, above 2^63 = 9.22e18.
func TestSumOfThreads(t *testing.T) {
	const day, threads = 86400e9, 131072
	list := make([]int64, threads)
	for i := range list {
		list[i] = day
	}
	got, want := Sum(list), "11324620800000000000"
	if got.String() != want || Product(day, threads) != got {
		t.Errorf("the sum is %s, the product %s, want %s", got, Product(day, threads), want)
	}
	if text, _ := json.Marshal(got); string(text) != want {
		t.Errorf("in JSON it is %s, want %s", text, want)
	}
	if got.Float() != 1.13246208e19 || got.Int64() != math.MaxInt64 {
		t.Errorf("it is %g and %d, want 1.13246208e19 and the greatest number of 64 bits", got.Float(), got.Int64())
	}
}

func bigOf(f float64) *big.Int {
	b, _ := new(big.Float).SetFloat64(f).Int(nil)
	return b
}

// Numbers beyond 128 bits become the nearest that fits, and NaN becomes 0.
func TestNearest(t *testing.T) {
	for f, want := range map[float64]string{
		-1.9:         "-1",
		0x1p62:       "4611686018427387904",
		1e300:        "170141183460469212842221372237303250944",
		math.Inf(-1): "-170141183460469212842221372237303250944",
	} {
		if got := Nearest(f).String(); got != want {
			t.Errorf("%g: %s, want %s", f, got, want)
		}
	}
	if got := Nearest(math.NaN()); got.Sign() != 0 {
		t.Errorf("NaN: %s", got)
	}
}

func TestArithmetic(t *testing.T) {
	list := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -1, 0, 1, 7, 1 << 32, math.MaxInt64 - 1,
		math.MaxInt64}
	for _, a := range list {
		for _, b := range list {
			x, y := big.NewInt(a), big.NewInt(b)
			product := new(big.Int).Mul(x, y)
			if b > 0 && Product(a, b).Over(b) != a {
				t.Errorf("%d times %d over it is %d", a, b, Product(a, b).Over(b))
			}
			if a >= 0 && b >= 0 && Saturated(a, b) != Of(a).Add(b).Int64() {
				t.Errorf("%d and %d, saturated, are %d", a, b, Saturated(a, b))
			}
			for _, c := range []struct {
				name string
				got  Int
				want *big.Int
			}{
				{"plus", Of(a).Plus(Of(b)), new(big.Int).Add(x, y)},
				{"minus", Of(a).Minus(Of(b)), new(big.Int).Sub(x, y)},
				{"product", Product(a, b), product},
				{"product less", Product(a, b).Minus(Of(b)), new(big.Int).Sub(product, y)},
				{"negated plus", Of(a).Add(b).Negated(), new(big.Int).Neg(new(big.Int).Add(x, y))},
				{"size of the product", Product(a, b).Abs(), new(big.Int).Abs(product)},
				{"a seventh of the product", Product(a, b).Quotient(7), new(big.Int).Quo(product, big.NewInt(7))},
				{"nearest whole number to", Nearest(float64(a) * 3), bigOf(float64(a) * 3)},
				{"three times the sum", Of(a).Add(b).Times(3), new(big.Int).Mul(big.NewInt(3), new(big.Int).Add(x, y))},
			} {
				float, _ := new(big.Float).SetInt(c.want).Float64()
				if c.got.String() != c.want.String() || c.got.Float() != float {
					t.Errorf("%s of %d and %d: got %s (%g), want %s", c.name, a, b, c.got, c.got.Float(), c.want)
				}
				var read Int
				if err := json.Unmarshal([]byte(c.want.String()), &read); err != nil || read != c.got {
					t.Errorf("%s of %d and %d: read back %s, %v", c.name, a, b, read, err)
				}
				if c.got.Sign() != c.want.Sign() {
					t.Errorf("%s of %d and %d compares as %d with 0", c.name, a, b, c.got.Compare(Int{}))
				}
			}
		}
	}
}
