package quantity

import (
	"math"
	"strconv"

	"pview/prv"
	"pview/prv/wide"
)

// CountOf returns a number with its noun: "1 task", "8 tasks".
func CountOf(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return FormatCount(n) + " " + word + "s"
}

// Times returns a number of times: "once", "8 times".
func Times(n int64) string {
	if n == 1 {
		return "once"
	}
	return CountOf(n, "time")
}

// FormatPercent returns a share of 0..1 in percent: "45.0 %", "0.03 %", "< 0.01 %", "100 %". It has one decimal, below
// 0.1 % two. Shares of 1000 and more are factors: "864 billion times". A share without a value, such as 0/0, is "-".
func FormatPercent(share float64) string {
	p := share * 100
	switch m := math.Abs(p); {
	case math.Abs(share) >= LeastFactor && m-m == 0:
		return FormatTimes(share)
	case m-m != 0:
		return "-"
	case m == 0:
		return "0 %"
	case m < 0.005 && p < 0:
		return "> -0.01 %"
	case m < 0.005:
		return "< 0.01 %"
	case m < 0.095:
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	case m < 99.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// LeastFactor is the share from which a factor is easier to read than percent.
const LeastFactor = 1000

// FormatTimes returns a factor in words: "2.50 times", "86,400 times", "864 billion times".
func FormatTimes(v float64) string {
	m := math.Abs(v)
	for _, p := range [...]struct {
		of   float64
		name string
	}{{1e18, "quintillion"}, {1e15, "quadrillion"}, {1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}} {
		if m >= 0.9995*p.of {
			return strconv.FormatFloat(v/p.of, 'g', 3, 64) + " " + p.name + " times"
		}
	}
	if m < LeastFactor {
		return strconv.FormatFloat(v, 'f', 2, 64) + " times"
	}
	return FormatGrouped(v, 0) + " times"
}

// FormatChange returns a relative change like FormatPercent, with its sign: "+1.5 %", "-20.0 %".
func FormatChange(change float64) string {
	text := FormatPercent(change)
	if change > 0 && '0' <= text[0] && text[0] <= '9' {
		return "+" + text
	}
	return text
}

// FormatProgress returns how much of total is done, in whole percent; "" if total is 0.
func FormatProgress(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return strconv.FormatInt(int64(100*float64(min(done, total))/float64(total)), 10) + " %"
}

// FormatDifference returns a difference of times with its sign: "+1.5 ms", "-20 us".
func FormatDifference(d wide.Int, unit prv.Unit) string {
	sign := "+"
	if d.Sign() < 0 {
		sign = "-"
	}
	return sign + FormatTotal(d.Abs(), unit)
}

// FormatSpan returns a calculated time. Below 1000 units, one that is not whole has one decimal: "0.5 ns".
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
	return appendNumber(dst, s)
}

// FormatGrouped writes a number with commas between thousands and the given number of decimals; < 0: as many as needed.
func FormatGrouped(v float64, decimals int) string {
	if v-v != 0 {
		return FormatValue(v, "")
	}
	return string(appendNumber(nil, strconv.FormatFloat(v, 'f', decimals, 64)))
}

// appendNumber appends a number, which may have a sign and decimals, with commas between thousands.
func appendNumber(dst []byte, s string) []byte {
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
