package quantity_test

import (
	"testing"

	"pview/prv/quantity"
)

func TestFormatCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 71268: "71,268"} {
		if got := quantity.FormatCount(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytesAndPercent(t *testing.T) {
	if got, want := quantity.Bytes.Format(2949120), "2.949 MB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := quantity.FormatPercent(1, 8), "12.5 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := quantity.FormatPercent(1, 0); got != "" {
		t.Errorf("a share of nothing is written %q", got)
	}
}
