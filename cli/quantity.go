package cli

import (
	_ "embed"
	"pview/prv"
	"pview/prv/quantity"
	"strconv"
	"strings"
)

// Quantities as people read them.

// count writes a number with a comma between thousands: "71,268".
func count(n int64) string { return quantity.FormatCount(n) }

// duration writes a time of a trace in the unit that reads best.
func duration(t int64, u prv.Unit) string { return quantity.FormatDuration(t, u) }

// nanoseconds writes a time in ns in the unit that reads best.
func nanoseconds(ns float64) string { return quantity.Time.Format(ns) }

// volume writes a number of bytes; 1 kB is 1000 B.
func volume(bytes float64) string { return quantity.Bytes.Format(bytes) }

// percent writes a share of a whole: "23.0 %".
func percent(part, whole float64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*part/whole, 'f', 1, 64) + " %"
}

// plural writes a number and what is counted: "1 task", "8 tasks".
func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

func upperFirst(s string) string {
	n := min(1, len(s))
	return strings.ToUpper(s[:n]) + s[n:]
}
