package raster

import (
	"math"
	"testing"

	"pview/prv"
)

const (
	ns = prv.Nanoseconds
	us = prv.Microseconds
	ms = prv.Milliseconds
)

func TestFormatNumbers(t *testing.T) {
	for got, want := range map[string]string{
		FormatValue(1234567, "B"):   "1,234,567 B",
		FormatValue(Absent, "B"):    "-",
		FormatValue(math.NaN(), ""): "NaN",
		FormatShort(Absent):         "-",
		FormatShort(999_950):        "1M",
		FormatPercent(0.052):        "5.2 %",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
