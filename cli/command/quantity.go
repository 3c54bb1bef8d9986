package command

import (
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// Quantities for people.

// Count writes a number with a comma between thousands: "71,268".
func Count(n int64) string { return quantity.FormatCount(n) }

// Duration writes a time of a trace in the unit that reads best.
func Duration(t int64, u prv.Unit) string { return quantity.FormatDuration(t, u) }

// Nanoseconds writes a time in ns in the unit that reads best.
func Nanoseconds(ns float64) string { return quantity.Time.Format(ns) }

// Volume writes a number of bytes; 1 kB is 1000 B.
func Volume(bytes float64) string { return quantity.Bytes.Format(bytes) }

// Percent writes a share of a whole: "23.0 %".
func Percent(part, whole float64) string { return quantity.FormatPercent(part, whole) }

// Plural writes a number and the counted noun: "1 task", "8 tasks".
func Plural(n int64, what string) string { return quantity.CountOf(n, what) }

// UpperFirst returns a text with its first letter in upper case.
func UpperFirst(s string) string {
	n := min(1, len(s))
	return strings.ToUpper(s[:n]) + s[n:]
}
