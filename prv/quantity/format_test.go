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

func TestBytes(t *testing.T) {
	if got, want := quantity.Bytes.Format(2949120), "2.949 MB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
