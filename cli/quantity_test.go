package cli

import (
	"testing"

	"pview/prv"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 71268: "71,268"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}

// A time is written in the greatest unit that makes it at least 1, with at most
// five digits that count.
func TestDuration(t *testing.T) {
	tests := []struct {
		t    int64
		unit prv.Unit
		want string
	}{
		{0, prv.Nanoseconds, "0 ns"},
		{999, prv.Nanoseconds, "999 ns"},
		{1000, prv.Nanoseconds, "1 us"},
		{157717028, prv.Nanoseconds, "157.72 ms"},
		{157717028, prv.Microseconds, "157.72 s"},
		{41_508_000_000, prv.Nanoseconds, "41.508 s"},
		{1_234_567_890, prv.Milliseconds, "1234568 s"},
		{-2500, prv.Nanoseconds, "-2.5 us"},
	}
	for _, test := range tests {
		if got := duration(test.t, test.unit); got != test.want {
			t.Errorf("duration(%d %s) = %q, want %q", test.t, test.unit, got, test.want)
		}
	}
}

func TestVolumeAndPercent(t *testing.T) {
	if got, want := volume(2949120), "2.9491 MB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := percent(1, 8), "12.5 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := percent(1, 0); got != "" {
		t.Errorf("a share of nothing is written %q", got)
	}
}
