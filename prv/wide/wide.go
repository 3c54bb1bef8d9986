// Package wide has integers of 128 bits. Sums over threads need them: 131,072 threads for a day are 1.1e19 ns, which
// exceeds 63 bits.
package wide

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Int is an integer of 128 bits, in two's complement. The zero value is 0.
type Int struct {
	hi int64
	lo uint64
}

// Of returns v.
func Of(v int64) Int { return Int{v >> 63, uint64(v)} }

// Nearest returns f without its decimals; 0 for NaN.
func Nearest(f float64) Int {
	switch {
	case math.IsNaN(f):
		return Int{}
	case math.Abs(f) < 1<<62:
		return Of(int64(f))
	}
	b, _ := new(big.Float).SetFloat64(max(min(f, most), -most)).Int(nil)
	return ofBig(b)
}

// most is the largest float64 that fits.
const most = 1<<127 - 1<<74

// Product returns a times b.
func Product(a, b int64) Int {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return Int{int64(hi) - a>>63&b - b>>63&a, lo} // in Mul64 a negative factor counts as 2^64 more
}

// Sum returns the sum of a list.
func Sum(list []int64) (s Int) {
	for _, v := range list {
		s = s.Add(v)
	}
	return s
}

// Add returns x + v.
func (x Int) Add(v int64) Int { return x.Plus(Of(v)) }

// Saturated returns the 64-bit number nearest to a + b.
func Saturated(a, b int64) int64 { return Of(a).Add(b).Int64() }

// Plus returns x + y.
func (x Int) Plus(y Int) Int {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return Int{x.hi + y.hi + int64(carry), lo}
}

// Minus returns x - y.
func (x Int) Minus(y Int) Int {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	return Int{x.hi - y.hi - int64(borrow), lo}
}

// Negated returns -x.
func (x Int) Negated() Int { return Int{}.Minus(x) }

// Sign returns -1, 0 or 1 if x is negative, 0 or positive.
func (x Int) Sign() int { return x.Compare(Int{}) }

// Abs returns x without its sign.
func (x Int) Abs() Int {
	if x.hi < 0 {
		return x.Negated()
	}
	return x
}

// Times returns x times v, which must be positive.
func (x Int) Times(v int64) Int {
	hi, lo := bits.Mul64(x.lo, uint64(v))
	return Int{x.hi*v + int64(hi), lo}
}

// Quotient returns x / n, rounded towards 0; n must be positive.
func (x Int) Quotient(n int64) Int {
	if x.Fits() {
		return Of(x.Int64() / n)
	}
	return ofBig(new(big.Int).Quo(x.big(), big.NewInt(n)))
}

// Over returns x / n, rounded towards 0, or the nearest 64-bit number; n must be positive.
func (x Int) Over(n int64) int64 { return x.Quotient(n).Int64() }

// Compare returns -1, 0 or 1 if x is less than, equal to or greater than y.
func (x Int) Compare(y Int) int { return cmp.Or(cmp.Compare(x.hi, y.hi), cmp.Compare(x.lo, y.lo)) }

// Int64 returns x, or the nearest 64-bit number.
func (x Int) Int64() int64 {
	switch {
	case x.hi == int64(x.lo)>>63:
		return int64(x.lo)
	case x.hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// Fits reports whether x fits 64 bits.
func (x Int) Fits() bool { return x == Of(x.Int64()) }

// Float returns the nearest float64.
func (x Int) Float() float64 {
	if x.hi == int64(x.lo)>>63 {
		return float64(int64(x.lo))
	}
	f, _ := x.big().Float64()
	return f
}

func (x Int) big() *big.Int {
	b := big.NewInt(x.hi)
	return b.Lsh(b, 64).Add(b, new(big.Int).SetUint64(x.lo))
}

// ofBig returns b, which must fit.
func ofBig(b *big.Int) Int {
	return Int{new(big.Int).Rsh(b, 64).Int64(), new(big.Int).And(b, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
}

// String returns all digits.
func (x Int) String() string { return x.big().String() }

// MarshalJSON writes a number with all digits.
func (x Int) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// UnmarshalJSON reads a number that MarshalJSON wrote.
func (x *Int) UnmarshalJSON(text []byte) error {
	b, ok := new(big.Int).SetString(string(text), 10)
	if !ok || b.BitLen() > 127 {
		return fmt.Errorf("not a whole number of 128 bits: %s", text)
	}
	*x = ofBig(b)
	return nil
}
