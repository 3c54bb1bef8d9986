package analyzer

import (
	"math"
	"testing"
)

func TestNumbersAsPeopleReadThem(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{{1234567.891, 2, "1,234,567.89"}, {-0.5, 1, "-0.5"}, {0, 0, "0"}, {math.NaN(), 2, "-"}, {1e20, 2, "1.000e+20"},
		{-1234, 0, "-1,234"}, {999.96, 1, "1,000.0"}} {
		if got := decimal(c.v, c.digits); got != c.want {
			t.Errorf("%v with %d decimals: %q, want %q", c.v, c.digits, got, c.want)
		}
	}
}
