package quantity

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/wide"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		kind *Kind
		text string
		want float64
	}{
		{Bytes, "100", 100},
		{Bytes, "64kB", 64_000}, {Bytes, "64 KB", 64_000},
		{Bytes, "64KiB", 65_536}, {Bytes, "64K", 65_536}, {Bytes, "64k", 65_536},
		{Bytes, "1.5GiB", 3 << 29}, {Bytes, "2GB", 2e9}, {Bytes, "2g", 2 << 30}, {Bytes, "1TB", 1e12},
		{Bytes, "1,048,576", 1 << 20},
		{Limits, "16kB", 16_000},
		{Time, "25us", 25_000}, {Time, "25 µs", 25_000}, {Time, "1e-6", 1000}, {Time, "2", 2e9}, {Time, "1 min", 60e9},
		{Time, "1,500 us", 1.5e6},
		{MachineRate, "100", 100}, {MachineRate, "100MB/s", 100}, {MachineRate, "1GB/s", 1024},
		{MachineRate, "10GB", 10_240},
		{MachineRate, "8 Mbit/s", 1e6 / (1 << 20)},
		{Number, "1.5", 1.5},
	} {
		bare := 1.0
		if test.kind == Time {
			bare = 1e9
		}
		if got, err := test.kind.Parse(test.text, bare); err != nil || got != test.want {
			t.Errorf("%q: %v (%v), want %v", test.text, got, err, test.want)
		}
	}
	for text, want := range map[string]string{
		"5 parsecs": `unknown unit "parsecs": must be one of ns, us, ms, s, min, m, h, d`,
		"-1":        "must be a number >= 0, with or without a unit",
		"s":         "must be a number >= 0", "": "must be a number >= 0", "1e30": "must be a number >= 0",
		"nan":     "unknown unit",
		"1,50 us": "must be a number >= 0",
	} {
		if v, err := Time.Parse(text, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v (%v), want %s", text, v, err, want)
		}
	}
	if _, err := Number.Parse("5 us", 1); err == nil || err.Error() != `must be a number >= 0, not "5 us"` {
		t.Error(err)
	}
}

// Amounts have a sign, and a unit of time or of size; they are at most 1e18.
func TestAmount(t *testing.T) {
	for _, c := range []struct {
		text   string
		v      float64
		isTime bool
		err    string
	}{
		{"-2.5", -2.5, false, ""}, {" 1,500 us ", 1_500_000, true, ""}, {"64K", 65536, false, ""},
		{"2 kB", 2000, false, ""},
		{"0", 0, false, ""}, {"1e18", 1e18, false, ""}, {"-1e18", -1e18, false, ""}, {"1e9 s", 1e18, true, ""},
		{"x", 0, false, `"x" is not a number`}, {"", 0, false, `"" is not a number`},
		{"1.1e18", 0, false, `"1.1e18" is too large`}, {"2e9 s", 0, false, `"2e9 s" is too large`},
		{"NaN", 0, false, `"NaN" is not a number`},
		{"1 fortnight", 0, false, `unknown unit "fortnight": must be one of ` + Time.UnitNames() + ", " +
			Bytes.UnitNames()},
	} {
		v, isTime, err := Amount(c.text)
		if v != c.v || isTime != c.isTime || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q: %g, a time: %v, %v", c.text, v, isTime, err)
		}
	}
	if v, err := ParseBytes("64KiB"); v != 65536 || err != nil {
		t.Errorf("64KiB is %g, %v", v, err)
	}
	if v, err := ParseTime("7", 1000); v != 7000 || err != nil {
		t.Errorf("7 is %g ns, %v", v, err)
	}
	if v, err := ParseTime("7 ms", 1000); v != 7e6 || err != nil {
		t.Errorf("7 ms is %g ns, %v", v, err)
	}
	if _, err := ParseBytes("-1"); err == nil {
		t.Error("-1 is a size")
	}
}

// Times from 1e-30 to 1e30, of at most 60 characters, are read exactly.
func TestLimitsOfExactTimes(t *testing.T) {
	for text, ok := range map[string]bool{"1e30": true, "1.1e30": false, "1e-30": true, "9e-31": false, "0": true,
		"-1e30": true, "NaN": false, "inf": false, "x": false,
		strings.Repeat("1", 30) + "." + strings.Repeat("1", 29): true,
		strings.Repeat("1", 30) + "." + strings.Repeat("1", 30): false} {
		if _, _, err := ExactTime(text); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The ends of an interval have the digits that its length needs; sums of more than 63 bits are in hours.
func TestRangesAndTotals(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatRange(0, 1_000_000, prv.Nanoseconds), "0 .. 1.000 ms"},
		{FormatRange(1_500_000, 1_501_000, prv.Nanoseconds), "1.500000 .. 1.501000 ms"},
		{FormatTotal(wide.Of(1_500_000), prv.Nanoseconds), "1.5 ms"},
		{FormatTotal(wide.Of(math.MaxInt64).Add(math.MaxInt64), prv.Nanoseconds), "5,124,096 h"}, // 2^64 ns
		{Units(), "auto decimal"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// 2^53 ns are 104 days: 1 ns more gets lost in a float64, but not here.
func TestExactTime(t *testing.T) {
	const s, us = 1_000_000_000, 1000
	for text, want := range map[string]*big.Rat{
		"9007199254740993ns":     big.NewRat(1<<53+1, 1),
		"10000000.000000001s":    big.NewRat(1e7*s+1, 1),
		"-1.5 us":                big.NewRat(-1500, 1),
		"+0.1ns":                 big.NewRat(1, 10),
		"1,700,000,000,000,001s": new(big.Rat).Mul(big.NewRat(1_700_000_000_000_001, 1), big.NewRat(s, 1)),
	} {
		if got, named, err := ExactTime(text); err != nil || !named || got.Cmp(want) != 0 {
			t.Errorf("%q: %v, %v (%v), want %v", text, got, named, err, want)
		}
	}
	if got, named, err := ExactTime("12,034"); err != nil || named || got.Cmp(big.NewRat(12034, 1)) != 0 {
		t.Errorf("%v, %v (%v)", got, named, err)
	}
	for _, text := range []string{"", "s", "1 furlong", "1e999999", "0x10", "1/3 s", "inf"} {
		if got, _, err := ExactTime(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for got, want := range map[string]string{
		Bytes.Format(0):                           "0 B",
		Bytes.Format(999):                         "999 B",
		Bytes.Format(65_536):                      "65.54 kB",
		Bytes.Format(2_949_120):                   "2.949 MB",
		Bytes.Format(999_960):                     "1 MB",
		Bytes.Format(-2500):                       "-2.5 kB",
		Limits.Exact(65_536):                      "64 KiB",
		Limits.Exact(65_537):                      "65537 B",
		Limits.Round(64_000, 5):                   "62.5 KiB",
		Time.Format(0.25):                         "0.25 ns",
		Time.Format(157_717_028):                  "157.7 ms",
		Time.Format(7_384_000_000_000):            "2 h 03 min 04 s",
		Time.Exact(25_000):                        "25 us",
		MachineRate.Round(1536, 5):                "1.5 GB/s",
		MachineRate.Exact(0):                      "0 MB/s",
		Number.Format(1.23456):                    "1.235",
		FormatCount(-1234567):                     "-1,234,567",
		FormatCount(math.MinInt64):                "-9,223,372,036,854,775,808",
		FormatWhole(1 << 64):                      "18,446,744,073,709,551,616",
		FormatWhole(-1 << 64):                     "-18,446,744,073,709,551,616",
		FormatWhole(-1234.9):                      "-1,234",
		FormatExact(12034567891, prv.Nanoseconds): "12,034,567,891 ns",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Units of each kind, each with the value of one.
func TestUnits(t *testing.T) {
	const second, mega = 1e9, 1 << 20
	for k, units := range map[*Kind]map[string]float64{
		Time: {"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": second, "min": 60 * second, "m": 60 * second,
			"h": 3600 * second, "d": 24 * 3600 * second},
		Limits: {"K": 1024, "M": mega, "G": 1024 * mega, "T": mega * mega, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9,
			"TB": 1e12, "PB": 1e15, "KiB": 1024, "MiB": mega, "GiB": 1024 * mega, "TiB": mega * mega},
		MachineRate: {"B/s": 1.0 / mega, "KB/s": 1.0 / 1024, "kB/s": 1.0 / 1024, "KiB/s": 1.0 / 1024,
			"Mbit/s": 125e3 / mega, "Mb/s": 125e3 / mega, "MB/s": 1, "MiB/s": 1, "Gbit/s": 125e6 / mega,
			"Gb/s": 125e6 / mega, "GB/s": 1024, "GiB/s": 1024, "TB/s": mega, "TiB/s": mega},
		Share: {"%": 0.01}, Percent: {"%": 1},
	} {
		for unit, want := range units {
			if got, err := k.Parse("1"+unit, 7); err != nil || got != want {
				t.Errorf("1%s is %v, want %v (%v)", unit, got, want, err)
			}
		}
		for _, u := range k.Read {
			if units[u.Name] == 0 {
				t.Errorf("no %s", u.Name)
			}
		}
	}
	if a, b := fmt.Sprint(Bytes.Read), fmt.Sprint(Limits.Read); a != b {
		t.Errorf("sizes are read as %s, limits as %s", a, b)
	}
	// A division loses a bit that matters when the text is read: then the lowest unit is used.
	for v, want := range map[float64]string{0.29: "28.999999999999996 %", 0.5: "50 %"} {
		if got := Share.Exact(v); got != want {
			t.Errorf("%v is %q", v, got)
		}
	}
}

// Parse reads what Exact writes as the same value, bit for bit.
func TestExactIsReadBack(t *testing.T) {
	for _, k := range []*Kind{Time, Bytes, Limits, MachineRate, Number} {
		for _, v := range []float64{0, 1, 3, 1.0 / 3, 1e-9, 999.999, 1000, 1024, 65_536, 123_456_789, 1e17 / 3,
			0.1 + 0.2} {
			text := k.Exact(v)
			if got, err := k.Parse(text, 1); err != nil || got != v {
				t.Errorf("%v is written %q and read as %v (%v)", v, text, got, err)
			}
		}
	}
}
