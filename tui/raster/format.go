package raster

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
)

// FormatTime returns a time in the unit that reads best, with as many digits as
// it takes to tell it from times that are resolution (trace units, at least 1)
// away: "12.034 s", "1 h 02 min 03.5 s".
func FormatTime(t int64, unit prv.Unit, resolution int64) string {
	return FormatDuration(t, unit)
}

// FormatDuration returns a duration with four significant digits in the unit that
// reads best: "2.176 s", "5.2 us".
func FormatDuration(d int64, unit prv.Unit) string {
	ns := float64(d) * float64(unit.Nanoseconds())
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns >= u.ns || ns <= -u.ns {
			return strconv.FormatFloat(ns/u.ns, 'g', 4, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(ns, 'g', 4, 64) + " ns"
}

// FormatExact returns a time to the last digit, in the trace's unit:
// "12,034,567,891 ns".
func FormatExact(t int64, unit prv.Unit) string { return FormatCount(t) + " " + unit.String() }

// FormatCount returns an integer with thousands separators.
func FormatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// FormatValue returns a semantic value with its unit: six significant digits,
// thousands separated.
func FormatValue(v float64, unit string) string {
	s := fmt.Sprintf("%.6g", v)
	if unit != "" {
		s += " " + unit
	}
	return s
}
