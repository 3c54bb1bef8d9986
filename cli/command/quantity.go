package command

import (
	_ "embed"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// Quantities as people read them.

// count writes a number with a comma between thousands: "71,268".
func Count(n int64) string { return quantity.FormatCount(n) }

// duration writes a time of a trace in the unit that reads best.
func Duration(t int64, u prv.Unit) string { return quantity.FormatDuration(t, u) }

// nanoseconds writes a time in ns in the unit that reads best.
func Nanoseconds(ns float64) string { return quantity.Time.Format(ns) }

// volume writes a number of bytes; 1 kB is 1000 B.
func Volume(bytes float64) string { return quantity.Bytes.Format(bytes) }

// percent writes a share of a whole: "23.0 %".
func Percent(part, whole float64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*part/whole, 'f', 1, 64) + " %"
}

// plural writes a number and what is counted: "1 task", "8 tasks".
func Plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}

func UpperFirst(s string) string {
	n := min(1, len(s))
	return strings.ToUpper(s[:n]) + s[n:]
}
