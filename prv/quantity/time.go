// Times for people. They are integers in the trace's unit, and stay integers: a float64 would lose the nanoseconds of a
// run that lasts months, or counts from 1970.

package quantity

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/wide"
)

// TimeFormat writes times in one unit with a fixed number of decimals, so that a list of
// times can be compared.
type TimeFormat struct {
	unit     prv.Unit
	shown    int // decimals of a second in the shown unit: 0 s, 3 ms, 6 us, 9 ns
	decimals int // after the point
	zeros    int // zeros appended because the shown unit is finer than the trace's
	clock    int // 0: plain; 1: minutes and seconds; 2: hours, minutes, seconds
	coarse   bool
	grouped  bool // thousands are separated: numbers in a chosen unit may be long
}

// unitNames by decimals of a second.
var unitNames = map[int]string{0: "s", 3: "ms", 6: "us", 9: "ns"}

// secondDigits returns the decimals of a second in a unit.
func secondDigits(u prv.Unit) int {
	switch u {
	case prv.Nanoseconds:
		return 9
	case prv.Milliseconds:
		return 3
	}
	return 6
}

// NewTimeFormat returns the format for times up to magnitude (trace units, in absolute value); times that differ by
// resolution (at least 1) look different.
func NewTimeFormat(unit prv.Unit, magnitude, resolution int64) TimeFormat {
	f := TimeFormat{unit: unit}
	own := secondDigits(unit)
	second := pow10(own)
	m := absolute(magnitude)
	digits, chosen := chosenTime()
	switch {
	case chosen:
		f.shown, f.grouped = digits, true
	case m >= 7200*second:
		f.clock = 2
	case m >= 120*second:
		f.clock = 1
	case m >= second:
	default:
		f.shown = own
		for f.shown > 0 && m >= pow10(own-f.shown+3) {
			f.shown -= 3
		}
	}
	f.decimals, f.zeros = max(own-f.shown, 0), max(f.shown-own, 0)
	for r := uint64(max(resolution, 1)); r >= 10 && f.decimals > 0; r /= 10 {
		f.decimals--
	}
	f.coarse = f.clock > 0 && uint64(max(resolution, 1))%(60*second) == 0
	return f
}

// Append appends t to dst: "12.034 s", "2 min 03.5 s", "1 h 02 min".
func (f TimeFormat) Append(dst []byte, t int64) []byte {
	m := absolute(t)
	if t < 0 {
		dst = append(dst, '-')
	}
	own := secondDigits(f.unit)
	// m is now in units of the last decimal shown.
	m = roundDiv(m, pow10(own+f.zeros-f.shown-f.decimals))
	if f.clock == 0 {
		dst = f.appendPlain(dst, m)
		return append(append(dst, ' '), unitNames[f.shown]...)
	}
	second := pow10(f.decimals)
	if f.clock == 2 {
		dst = strconv.AppendUint(dst, m/(3600*second), 10)
		dst = append(dst, " h "...)
		m %= 3600 * second
		dst = appendTwo(dst, m/(60*second))
	} else {
		dst = strconv.AppendUint(dst, m/(60*second), 10)
	}
	dst = append(dst, " min"...)
	if f.coarse {
		return dst
	}
	dst = append(dst, ' ')
	m %= 60 * second
	if m < 10*second {
		dst = append(dst, '0')
	}
	dst = appendPoint(dst, m, f.decimals)
	return append(dst, " s"...)
}

// appendPlain appends a number, given in units of the last decimal shown.
func (f TimeFormat) appendPlain(dst []byte, m uint64) []byte {
	if !f.grouped {
		return appendPoint(dst, m, f.decimals)
	}
	whole := strconv.FormatUint(m/pow10(f.decimals), 10)
	if m > 0 {
		whole += strings.Repeat("0", f.zeros)
	}
	return appendDecimals(appendGrouped(dst, whole), m, f.decimals)
}

// Format returns the text that Append appends.
func (f TimeFormat) Format(t int64) string { return string(f.Append(nil, t)) }

// FormatTime returns a time in the most readable unit, with enough digits to distinguish it from times that differ by
// resolution (trace units, at least 1): "12.034 s", "1 h 02 min 03.5 s".
func FormatTime(t int64, unit prv.Unit, resolution int64) string {
	return NewTimeFormat(unit, t, resolution).Format(t)
}

// NewIntervalFormat returns the format for times in an interval, with the digits that a picture of it with the given
// number of columns can resolve.
func NewIntervalFormat(begin, end int64, unit prv.Unit, columns int) TimeFormat {
	var span uint64
	if end > begin {
		span = uint64(end) - uint64(begin)
	}
	m := max(absolute(begin), absolute(end))
	return NewTimeFormat(unit, int64(min(m, math.MaxInt64)), int64(min(span/uint64(max(columns, 1)), math.MaxInt64)))
}

// Range returns the ends of an interval, with a shared unit written once: "0 .. 32.5 ms", "12.03 .. 14.21 s", "1 min
// 50.0 s .. 2 min 03.5 s".
func (f TimeFormat) Range(begin, end int64) string {
	from := f.Format(begin)
	if f.clock == 0 {
		from, _, _ = strings.Cut(from, " ")
	}
	if begin == 0 {
		from = "0"
	}
	return from + " .. " + f.Format(end)
}

// FormatRange returns the ends of an interval, with at least four digits of its length.
func FormatRange(begin, end int64, unit prv.Unit) string {
	return NewIntervalFormat(begin, end, unit, 1000).Range(begin, end)
}

// FormatDuration returns a duration in the most readable unit: with four significant digits below two minutes, to the
// second or its tenth above: "2.176 s", "5.2 us", "2 min 03.5 s". In a chosen unit, whole numbers keep all digits.
func FormatDuration(d int64, unit prv.Unit) string {
	own := secondDigits(unit)
	m, second := absolute(d), pow10(own)
	digits, chosen := chosenTime()
	switch {
	case chosen:
	case m >= 7200*second:
		return FormatTime(d, unit, int64(second))
	case m >= 120*second:
		return FormatTime(d, unit, int64(second/10))
	}
	resolution := uint64(1)
	for m/resolution >= 10_000 && (!chosen || resolution < pow10(max(own-digits, 0))) {
		resolution *= 10
	}
	// m is rounded first, so that 999.96 us is written as 1 ms.
	m = roundDiv(m, resolution) * resolution
	f := NewTimeFormat(unit, int64(m), int64(resolution))
	for f.clock == 0 && f.decimals > 0 && m%pow10(own-f.shown-f.decimals+1) == 0 {
		f.decimals-- // trailing zeros
	}
	if d < 0 {
		return f.Format(-int64(m))
	}
	return f.Format(int64(m))
}

// FormatTotal is FormatDuration for a sum over threads. Sums beyond 63 bits are in hours.
func FormatTotal(d wide.Int, unit prv.Unit) string {
	if n := d.Int64(); wide.Of(n) == d {
		return FormatDuration(n, unit)
	}
	return FormatWhole(math.Round(d.Float()*float64(unit.Nanoseconds())/3600e9)) + " h"
}

// FormatExact returns a time with all digits, in the trace's unit: "12,034,567,891 ns".
func FormatExact(t int64, unit prv.Unit) string { return FormatCount(t) + " " + unit.String() }

func pow10(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// roundDiv returns m/d rounded to the nearest, halves up.
func roundDiv(m, d uint64) uint64 {
	q, r := m/d, m%d
	if r >= d-r {
		q++
	}
	return q
}

// appendPoint appends m / 10^decimals.
func appendPoint(dst []byte, m uint64, decimals int) []byte {
	return appendDecimals(strconv.AppendUint(dst, m/pow10(decimals), 10), m, decimals)
}

// appendDecimals appends the point and the last digits of m, if any.
func appendDecimals(dst []byte, m uint64, decimals int) []byte {
	if decimals == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := pow10(decimals - 1); unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+m/unit%10))
	}
	return dst
}

func appendTwo(dst []byte, n uint64) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}
