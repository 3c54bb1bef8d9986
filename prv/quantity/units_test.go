package quantity

import (
	"testing"

	"pview/prv"
)

// useUnits sets the units for a test.
func useUnits(t *testing.T, time, size string) {
	t.Helper()
	for _, err := range []error{UseTimeUnit(time), UseSizeUnit(size)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { timeUnit.Store(0); sizeUnit.Store(0) })
}

// A chosen unit is used for all times, whatever their magnitude; durations keep four digits, but never drop digits
// before the decimal point.
func TestChosenTimeUnit(t *testing.T) {
	const hours = 7_384_000_000_000 // 2 h 03 min 04 s
	for _, test := range []struct {
		unit, duration, short, zero, long, exact, from, to string
	}{
		{"auto", "157.7 ms", "5.2 us", "0 ns", "2 h 03 min 04 s", "157.717028 ms", "100.00 ms", "157.72 ms"},
		{"ns", "157,717,028 ns", "5,200 ns", "0 ns", "7,384,000,000,000 ns", "157,717,028 ns", "100,000,000 ns",
			"157,717,028 ns"},
		{"us", "157,717 us", "5.2 us", "0 us", "7,384,000,000 us", "157,717.028 us", "100,000 us", "157,717 us"},
		{"ms", "157.7 ms", "0.0052 ms", "0 ms", "7,384,000 ms", "157.717028 ms", "100.00 ms", "157.72 ms"},
		{"s", "0.1577 s", "0.0000052 s", "0 s", "7,384 s", "0.157717028 s", "0.10000 s", "0.15772 s"},
	} {
		useUnits(t, test.unit, "decimal")
		// In a picture of 1,000 columns, times 57,717 ns apart must differ: 10 us is the last digit. In ns and us the
		// digits before the decimal point stay.
		interval := NewIntervalFormat(100_000_000, 157_717_028, prv.Nanoseconds, 1000)
		from, to := interval.Format(100_000_000), interval.Format(157_717_028)
		for got, want := range map[string]string{
			FormatDuration(157_717_028, prv.Nanoseconds): test.duration,
			FormatDuration(5200, prv.Nanoseconds):        test.short,
			FormatDuration(0, prv.Nanoseconds):           test.zero, FormatDuration(hours, prv.Nanoseconds): test.long,
			FormatTime(157_717_028, prv.Nanoseconds, 1): test.exact, from: test.from, to: test.to,
			Time.Format(157_717_028): test.duration,
		} {
			if got != want {
				t.Errorf("%s: got %q, want %q", test.unit, got, want)
			}
		}
	}
}

// A trace in us has no nanoseconds: they are zero.
func TestUnitFinerThanTheTrace(t *testing.T) {
	useUnits(t, "ns", "decimal")
	for got, want := range map[string]string{
		FormatDuration(12_345, prv.Microseconds):                "12,345,000 ns",
		FormatTime(-3, prv.Milliseconds, 1):                     "-3,000,000 ns",
		FormatDuration(0, prv.Microseconds):                     "0 ns",
		FormatTime(9_000_000_000_000_000, prv.Milliseconds, 10): "9,000,000,000,000,000,000,000 ns",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// On request, sizes use powers of 1024: 65,536 B are 64 KiB. Sizes that programs read back stay as they are.
func TestChosenSizes(t *testing.T) {
	useUnits(t, "ms", "binary")
	for got, want := range map[string]string{
		Bytes.Format(65_536): "64 KiB", Bytes.Format(3 << 29): "1.5 GiB", Bytes.Format(0): "0 B",
		Time.Round(250_000, 4): "0.25 ms", Time.UnitOf(5e9).Name: "ms", Time.Exact(25_000): "25 us",
		FormatExact(5, prv.Nanoseconds): "5 ns",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestUnknownUnit(t *testing.T) {
	for got, want := range map[error]string{
		UseTimeUnit("min"): `unknown unit "min": must be one of auto, ns, us, ms, s`,
		UseSizeUnit("kB"):  `unknown unit "kB": must be one of decimal, binary`,
	} {
		if got == nil || got.Error() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if TimeUnit() != "auto" {
		t.Error(TimeUnit())
	}
}

// Times in a chosen unit are read back as they were written.
func TestChosenUnitsAreReadBack(t *testing.T) {
	for _, unit := range TimeUnits {
		useUnits(t, unit, "decimal")
		text := FormatTime(12_034_567_891, prv.Nanoseconds, 1)
		got, named, err := ExactTime(text)
		if err != nil || !named || !got.IsInt() || got.Num().Int64() != 12_034_567_891 {
			t.Errorf("%q is read as %v (%v)", text, got, err)
		}
	}
}
