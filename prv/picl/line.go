package picl

// A line is text: fields separated by blanks, with times in decimal seconds.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Why a line is damaged.
var (
	errShort = errors.New("too few fields")
	errTime  = errors.New("must be a time in seconds")
)

// fields cuts a line into the first n fields and the rest.
func fields(line string, into []string) (n int, rest string) {
	for n < len(into) {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			break
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		into[n], line = line[:end], line[end:]
		n++
	}
	return n, strings.TrimLeft(line, " \t")
}

// integer reads a field; PICL's integers have 32 bits, but 64 are accepted, too.
func integer(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q: must be an integer", s)
	}
	return v, nil
}

// small reads a field of 32 bits.
func small(s string) (int32, error) {
	v, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q: must be an integer of 32 bits", s)
	}
	return int32(v), nil
}

// maxTime is the latest time, in ns: 146 years, so that differences of times stay exact.
const maxTime int64 = math.MaxInt64 / 2

// seconds reads a decimal number of seconds and returns ns, rounded from the text: a float64 has too few digits for the
// time of day.
func seconds(s string) (int64, error) {
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil || e < -400 || e > 400 {
			return 0, fmt.Errorf("%q: %w", s, errTime)
		}
		mantissa, exponent = s[:i], e
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("%q: %w", s, errTime)
	}
	point := len(whole) + exponent + 9 // with this many digits it is a whole number of ns
	v := int64(0)
	for i := range max(point, 0) {
		if v > maxTime/10 {
			return 0, fmt.Errorf("%q: %w, at most %d", s, errTime, maxTime/1e9)
		}
		if v *= 10; i < len(digits) {
			v += int64(digits[i] - '0')
		}
	}
	if point >= 0 && point < len(digits) && digits[point] >= '5' {
		v++
	}
	if negative {
		v = -v
	}
	return v, nil
}
