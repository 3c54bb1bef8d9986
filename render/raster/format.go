// Numbers for people: times, counts and values, with their units. Times, sizes and counts are written by package
// quantity; what is here besides is for the cells of a picture, where columns are few.

package raster

import (
	"math"
	"strconv"

	"pview/prv"
	"pview/prv/quantity"
)

// TimeFormat writes times that stand together.
type TimeFormat = quantity.TimeFormat

// NewTimeFormat returns the format for times up to magnitude that differ by resolution.
func NewTimeFormat(unit prv.Unit, magnitude, resolution int64) TimeFormat {
	return quantity.NewTimeFormat(unit, magnitude, resolution)
}

// FormatTime returns a time that can be told from times that are resolution away.
func FormatTime(t int64, unit prv.Unit, resolution int64) string {
	return quantity.FormatTime(t, unit, resolution)
}

// FormatInterval returns both ends of an interval as a picture of it over so many columns needs them.
func FormatInterval(begin, end int64, unit prv.Unit, columns int) (from, to string) {
	return quantity.FormatInterval(begin, end, unit, columns)
}

// FormatDuration returns a duration with four significant digits.
func FormatDuration(d int64, unit prv.Unit) string { return quantity.FormatDuration(d, unit) }

// FormatExact returns a time to the last digit, in the trace's unit.
func FormatExact(t int64, unit prv.Unit) string { return quantity.FormatExact(t, unit) }

// FormatCount returns an integer with thousands separators.
func FormatCount(n int64) string { return quantity.FormatCount(n) }

// CountOf counts things: "1 row", "2 rows".
func CountOf(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return FormatCount(int64(n)) + " " + word + "s"
}

// FormatValue returns a semantic value and its unit (which may be ""). Integers
// are exact up to 2^53, with thousands separators; other values have six
// significant digits.
func FormatValue(v float64, unit string) string {
	var b []byte
	switch {
	case IsAbsent(v):
		return "-"
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		b = append(b, "inf"...)
		if v < 0 {
			b = append(b[:0], "-inf"...)
		}
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		b = append(b, FormatCount(int64(v))...)
	default:
		b = appendSignificant(b, v)
	}
	if unit != "" {
		b = append(append(b, ' '), unit...)
	}
	return string(b)
}

func appendSignificant(dst []byte, v float64) []byte {
	s := strconv.FormatFloat(v, 'g', 6, 64)
	for i := range len(s) {
		if s[i] == 'e' {
			return append(dst, s...)
		}
	}
	if s[0] == '-' {
		dst, s = append(dst, '-'), s[1:]
	}
	point := 0
	for point < len(s) && s[point] != '.' {
		point++
	}
	return append(quantity.AppendGrouped(dst, s[:point]), s[point:]...)
}

// FormatShort returns a value in at most six columns or so: "1.23M", "0.05".
func FormatShort(v float64) string {
	if v-v != 0 {
		return FormatValue(v, "")
	}
	m := math.Abs(v)
	if m >= 1e15 || m > 0 && m < 1e-4 {
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	for _, p := range [...]struct {
		from, size float64
		suffix     string
	}{{0.9995e12, 1e12, "T"}, {0.9995e9, 1e9, "G"}, {0.9995e6, 1e6, "M"}, {9999.5, 1e3, "k"}} {
		if m >= p.from {
			return strconv.FormatFloat(v/p.size, 'g', 3, 64) + p.suffix
		}
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// FormatPercent returns a share of 0..1 as "45 %", "5.2 %", "<0.1 %".
func FormatPercent(share float64) string {
	switch p := share * 100; {
	case p > 0 && p < 0.1:
		return "<0.1 %"
	case p != 0 && p < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// absolute returns the size of n; it is unsigned since -2^63 has no int64 negative.
func absolute(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
