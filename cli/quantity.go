package cli

// Quantities as people read them: separators, units, no more digits than help.

import (
	"strconv"
	"strings"

	"pview/prv"
)

// count writes a number with a comma between thousands: "71,268".
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// magnitude is a unit and how many of the base unit it is.
type magnitude struct {
	of     float64
	symbol string
}

var (
	timeMagnitudes = []magnitude{{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}
	byteMagnitudes = []magnitude{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}
)

// magnitudeOf is the greatest unit in which a value is at least 1.
func magnitudeOf(v float64, units []magnitude) magnitude {
	unit := units[0]
	for _, m := range units[1:] {
		if v >= m.of || v <= -m.of {
			unit = m
		}
	}
	return unit
}

// quantity writes a value in the unit that reads best, with five significant
// digits and no trailing zeros.
func quantity(v float64, units []magnitude) string {
	unit := magnitudeOf(v, units)
	v /= unit.of
	decimals := 4
	for limit := 10.0; decimals > 0 && (v >= limit || v <= -limit); limit *= 10 {
		decimals--
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + " " + unit.symbol
}

// duration writes a time of a trace in the unit that reads best.
func duration(t int64, u prv.Unit) string {
	return quantity(float64(t)*float64(u.Nanoseconds()), timeMagnitudes)
}

// volume writes a number of bytes; 1 kB is 1000 B.
func volume(bytes float64) string { return quantity(bytes, byteMagnitudes) }

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
