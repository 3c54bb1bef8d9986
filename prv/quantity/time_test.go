package quantity

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

func TestFormatTime(t *testing.T) {
	for _, test := range []struct {
		t          int64
		unit       prv.Unit
		resolution int64
		want       string
	}{
		{12_034_000_000, ns, 1_000_000, "12.034 s"},
		{12_034_567_890, ns, 1, "12.034567890 s"},
		{12_034_567_890, ns, 1000, "12.034568 s"},
		{250, ns, 1, "250 ns"},
		{1500, ns, 100, "1.5 us"},
		{1500, ns, 1, "1.500 us"},
		{1500, us, 1, "1.500 ms"},
		{7, us, 1, "7 us"},
		{7, ms, 1, "7 ms"},
		{7000, ms, 1, "7.000 s"},
		{0, ns, 1000, "0 ns"},
		{-1500, us, 100, "-1.5 ms"},
		{119_999, ms, 1, "119.999 s"},
		{123_500, ms, 100, "2 min 03.5 s"},
		{3_723_500, ms, 100, "62 min 03.5 s"},
		{7_323_500, ms, 100, "2 h 02 min 03.5 s"},
		{7_320_000, ms, 60_000, "2 h 02 min"},
		{math.MaxInt64, ns, 1_000_000_000, "2562047 h 47 min 17 s"},
		{math.MinInt64, ns, 1_000_000_000, "-2562047 h 47 min 17 s"},
	} {
		if got := FormatTime(test.t, test.unit, test.resolution); got != test.want {
			t.Errorf("FormatTime(%d, %v, %d) = %q, want %q", test.t, test.unit, test.resolution, got, test.want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for _, test := range []struct {
		d    int64
		unit prv.Unit
		want string
	}{
		{0, ns, "0 ns"}, {1, ns, "1 ns"}, {999, ns, "999 ns"}, {5200, ns, "5.2 us"}, {1000, ns, "1 us"},
		{2_176_400_000, ns, "2.176 s"}, {999_960, ns, "1 ms"}, {999_960_000, us, "16 min 40.0 s"},
		{-5200, ns, "-5.2 us"}, {50, us, "50 us"}, {41_510_000, us, "41.51 s"}, {123_456, ms, "2 min 03.5 s"},
		{math.MaxInt64, ns, "2562047 h 47 min 17 s"},
	} {
		if got := FormatDuration(test.d, test.unit); got != test.want {
			t.Errorf("FormatDuration(%d, %v) = %q, want %q", test.d, test.unit, got, test.want)
		}
	}
}

// The ends of an interval share a unit, which is written once unless it includes minutes.
func TestRange(t *testing.T) {
	for _, test := range []struct {
		begin, end int64
		columns    int
		want       string
	}{
		{12_034_000_000, 14_210_000_000, 200, "12.03 .. 14.21 s"},
		{0, 157_712_000, 100, "0 .. 158 ms"},
		{400, 2_500_000, 1000, "0.000 .. 2.500 ms"}, // 2.5 us must differ: 1 us is the last digit
		{110_000_000_000, 130_000_000_000, 100, "1 min 50.0 s .. 2 min 10.0 s"},
	} {
		f := NewIntervalFormat(test.begin, test.end, ns, test.columns)
		if got := f.Range(test.begin, test.end); got != test.want {
			t.Errorf("%d to %d is %q, want %q", test.begin, test.end, got, test.want)
		}
	}
}

// The limits: two hours are written in hours, two minutes in minutes, a second in seconds; just below, they are not.
func TestLimitsOfTimes(t *testing.T) {
	for v, want := range map[int64]string{7_200_000: "2 h 00 min 00 s", 7_199_000: "119 min 59.0 s",
		120_000: "2 min 00.0 s",
		119_900: "119.9 s", 1000: "1 s", 999: "999 ms"} {
		if got := FormatDuration(v, ms); got != want {
			t.Errorf("%d ms is %s, want %s", v, got, want)
		}
	}
	for v, want := range map[int64]string{7_200_000: "2 h 00 min 00.000 s", 7_199_999: "119 min 59.999 s",
		120_000: "2 min 00.000 s", 119_999: "119.999 s", 1000: "1.000 s", 999: "999 ms"} {
		if got := FormatTime(v, ms, 1); got != want {
			t.Errorf("%d ms is %s, want %s", v, got, want)
		}
	}
	// Times of 1000 ns or more have four digits, shorter ones all of theirs.
	for v, want := range map[float64]string{1000: "1 us", 999.96: "1 us", 999.4: "999.4 ns", 123_456: "123.5 us",
		-1000: "-1 us",
		0.5:   "0.5 ns"} {
		if got := Time.Format(v); got != want {
			t.Errorf("%g ns is %s, want %s", v, got, want)
		}
	}
}
