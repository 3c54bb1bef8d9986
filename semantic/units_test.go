package semantic

import "testing"

func TestGrouped(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{0, 0, "0"}, {999, 0, "999"}, {-999, 0, "-999"}, {1000, 0, "1,000"}, {-1000, 0, "-1,000"},
		{999999, 2, "999,999.00"}, {1234567.891, 2, "1,234,567.89"}, {-12345.5, -1, "-12,345.5"}, {0.125, -1, "0.125"},
	} {
		if got := Grouped(c.v, c.decimals); got != c.want {
			t.Errorf("Grouped(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}
