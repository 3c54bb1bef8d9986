package quantity

import (
	"math"
	"strconv"

	"pview/prv"
)

// CountOf returns a number and what is counted: "1 task", "8 tasks".
func CountOf(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return FormatCount(n) + " " + word + "s"
}

// FormatShare returns a share of 0..1 with two digits at least: "45 %", "5.2 %", "<0.1 %".
func FormatShare(share float64) string {
	switch p := share * 100; {
	case p > 0 && p < 0.1:
		return "<0.1 %"
	case p != 0 && p < 9.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// FormatPercent returns a share of a whole with one decimal: "23.0 %". It is "" if the whole is 0.
func FormatPercent(part, whole float64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*part/whole, 'f', 1, 64) + " %"
}

// FormatDifference returns a difference of times with its sign: "+1.5 ms", "-20 us".
func FormatDifference(d int64, unit prv.Unit) string {
	if d < 0 {
		return "-" + FormatDuration(-d, unit)
	}
	return "+" + FormatDuration(d, unit)
}

// FormatSpan returns a calculated time. Below 1000 units it has one decimal if it is not whole: "0.5 ns".
func FormatSpan(t float64, unit prv.Unit) string {
	if t > 0 && t < 1e3 && t != math.Trunc(t) {
		return strconv.FormatFloat(t, 'f', 1, 64) + " " + unit.String()
	}
	return FormatDuration(int64(math.Round(t)), unit)
}

// FormatValue returns a value and its unit (which may be ""). Integers are exact up to 2^53, with thousands
// separators; other values have six significant digits.
func FormatValue(v float64, unit string) string {
	var b []byte
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		b = append(b, "inf"...)
		if v < 0 {
			b = append(b[:0], "-inf"...)
		}
	case v == math.Trunc(v) && math.Abs(v) < 1<<53:
		b = AppendCount(b, int64(v))
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
	return append(appendGrouped(dst, s[:point]), s[point:]...)
}

// FormatShort returns a value in about six columns: "1.23M", "0.05".
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
