// Numbers for people: times, counts and values, with their units. Package quantity formats times, sizes and counts;
// this file formats them for pictures, which have few columns.

package raster

import (
	"pview/prv"
	"pview/prv/quantity"
)

// TimeFormat formats times that are shown together.
type TimeFormat = quantity.TimeFormat

// NewTimeFormat returns the format for times up to magnitude; times that differ by resolution look different.
func NewTimeFormat(unit prv.Unit, magnitude, resolution int64) TimeFormat {
	return quantity.NewTimeFormat(unit, magnitude, resolution)
}

// FormatTime formats a time precisely enough to distinguish it from times that differ by resolution.
func FormatTime(t int64, unit prv.Unit, resolution int64) string {
	return quantity.FormatTime(t, unit, resolution)
}

// NewIntervalFormat returns the format for times in an interval, as precise as a picture of it over the given columns.
func NewIntervalFormat(begin, end int64, unit prv.Unit, columns int) TimeFormat {
	return quantity.NewIntervalFormat(begin, end, unit, columns)
}

// FormatRange returns the ends of an interval, with at least four digits of its length.
func FormatRange(begin, end int64, unit prv.Unit) string {
	return quantity.FormatRange(begin, end, unit)
}

// FormatDuration returns a duration with four significant digits.
func FormatDuration(d int64, unit prv.Unit) string { return quantity.FormatDuration(d, unit) }

// FormatExact returns a time with all digits, in the trace's unit.
func FormatExact(t int64, unit prv.Unit) string { return quantity.FormatExact(t, unit) }

// FormatCount returns an integer with thousands separators.
func FormatCount(n int64) string { return quantity.FormatCount(n) }

// CountOf returns a number with its noun: "1 row", "2 rows".
func CountOf(n int, word string) string { return quantity.CountOf(int64(n), word) }

// FormatValue returns a semantic value and its unit (which may be ""), like quantity.FormatValue; "-" if the value is
// Absent.
func FormatValue(v float64, unit string) string {
	if IsAbsent(v) {
		return "-"
	}
	return quantity.FormatValue(v, unit)
}

// FormatShort returns a semantic value in about six columns: "1.23M", "0.05"; "-" if the value is Absent.
func FormatShort(v float64) string {
	if IsAbsent(v) {
		return "-"
	}
	return quantity.FormatShort(v)
}

// FormatPercent returns a share of 0..1 as "45.0 %".
func FormatPercent(share float64) string { return quantity.FormatPercent(share) }
