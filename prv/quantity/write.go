package quantity

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
)

// digits is the number of significant digits for people.
const digits = 4

// Format writes a value in the most readable unit, with four significant digits and no trailing zeros: "2.949 MB";
// times are written like FormatDuration.
func (k *Kind) Format(v float64) string {
	switch {
	case k == Time && math.Abs(v) >= 1000 && math.Abs(v) <= largest:
		return FormatDuration(int64(math.Round(v)), prv.Nanoseconds)
	case k == Share, k == Percent:
		return FormatPercent(v / k.Shown[0].Of / 100)
	}
	return k.Round(v, digits)
}

// Round writes a value in the most readable unit, with n significant digits and no trailing zeros. Whole numbers of the
// unit keep all digits.
func (k *Kind) Round(v float64, n int) string {
	if len(k.Shown) == 0 {
		return decimal(v, n)
	}
	unit := k.unitOf(v, 0.5*math.Pow10(-n)) // with four digits, 999.96 kB is 1 MB
	return decimal(v/unit.Of, n) + " " + unit.Name
}

// UnitOf returns the most readable unit of a value, for a column of values.
func (k *Kind) UnitOf(v float64) Unit { return k.unitOf(v, 0) }

// unitOf returns the largest unit that a value reaches, with a small tolerance.
func (k *Kind) unitOf(v, less float64) Unit {
	if v == 0 && len(k.shown()) > 1 {
		return Unit{k.Base, 1}
	}
	shown := k.shown()
	unit := shown[0]
	for _, u := range shown[1:] {
		if math.Abs(v) >= u.Of*(1-less) {
			unit = u
		}
	}
	return unit
}

// Exact writes a value with all digits, so that Parse reads the same value back.
func (k *Kind) Exact(v float64) string {
	if len(k.Shown) == 0 {
		return decimal(v, -1)
	}
	unit := k.Shown[0]
	for _, u := range k.Shown[1:] {
		if v >= u.Of && (!k.whole || math.Mod(v, u.Of) == 0) {
			unit = u
		}
	}
	if v == 0 {
		unit = Unit{k.Base, 1}
	}
	s := decimal(v/unit.Of, -1)
	// The division may lose a bit that matters when the text is read.
	if back, err := strconv.ParseFloat(s, 64); err != nil || back*unit.Of != v {
		s, unit = decimal(v/k.Shown[0].Of, -1), k.Shown[0]
	}
	return s + " " + unit.Name
}

// decimal writes a number without exponent and trailing zeros; n < 0: with all its digits.
func decimal(v float64, n int) string {
	if n < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	decimals := 0
	for a := math.Abs(v); decimals < 12 && a < math.Pow10(n-1) && v != 0; a *= 10 {
		decimals++
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// FormatCount writes an integer with a comma between thousands: "71,268".
func FormatCount(n int64) string {
	var text [26]byte // of the least int64
	return string(AppendCount(text[:0], n))
}

// FormatWhole is FormatCount for a number of any size, rounded down.
func FormatWhole(v float64) string {
	v = math.Trunc(v)
	if math.Abs(v) < 1<<63 {
		return FormatCount(int64(v))
	}
	sign := ""
	if v < 0 {
		sign = "-"
	}
	return string(appendGrouped([]byte(sign), strconv.AppendFloat(nil, math.Abs(v), 'f', 0, 64)))
}

// AppendCount appends an integer like FormatCount.
func AppendCount(dst []byte, n int64) []byte {
	if n < 0 {
		dst = append(dst, '-')
	}
	var digits [20]byte
	return appendGrouped(dst, strconv.AppendUint(digits[:0], absolute(n), 10))
}

// appendGrouped appends the digits of a whole number with commas between thousands.
func appendGrouped[D string | []byte](dst []byte, digits D) []byte {
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, digits[i])
	}
	return dst
}

// absolute returns |n|; it is unsigned since 2^63 does not fit into an int64.
func absolute(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
