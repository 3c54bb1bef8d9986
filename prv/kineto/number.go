package kineto

// Times are decimal microseconds. They are read into integer nanoseconds without floating point, which has steps of up
// to 256 ns at today's Unix times.

import "math"

// mostMicros bounds times: from 2^53 us on nanoseconds do not fit 63 bits.
const mostMicros = 1 << 53

// nanoseconds reads a number of microseconds, bare or as a JSON string, with or without an exponent, rounded half to
// even; ok is false if it is none, or too large.
func nanoseconds(text []byte) (ns int64, ok bool) {
	ns, ok = decimal(text, 3)
	return ns, ok && ns > -mostMicros*1000 && ns < mostMicros*1000
}

// integer reads a whole number.
func integer(text []byte) (int64, bool) {
	b := unquote(text)
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	if n > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(n), true
	}
	return int64(n), true
}

// unquote returns a value without its quotes, if it is a string.
func unquote(text []byte) []byte {
	if n := len(text); n >= 2 && text[0] == '"' {
		return text[1 : n-1]
	}
	return text
}

// decimal reads a number times 10^shift as an integer, rounded half to even.
func decimal(text []byte, shift int) (int64, bool) {
	b := unquote(text)
	i, negative := 0, false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var (
		n      uint64 // the first digits
		scale  = shift
		digits int  // seen
		point  bool // seen
		cut    int  // first digit that n has no room for, -1: none
		rest   bool // a digit behind it is not 0
	)
	cut = -1
	for ; i < len(b); i++ {
		c := b[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if n >= 18e17 { // no room
			if cut < 0 {
				cut = int(c - '0')
			} else if c != '0' {
				rest = true
			}
			if !point {
				scale++
			}
			continue
		}
		n = n*10 + uint64(c-'0')
		if point {
			scale--
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(b) {
		exponent, ok := exponentOf(b[i:])
		if !ok {
			return 0, false
		}
		scale += exponent
	}
	for ; scale > 0 && n != 0; scale-- {
		if cut > 0 || rest || n > math.MaxInt64/10 {
			return 0, false // beyond all times
		}
		n *= 10
	}
	if scale == 0 {
		n += roundUp(n, max(cut, 0), rest)
	}
	for ; scale < 0; scale++ {
		if n == 0 && cut < 0 {
			break
		}
		if cut > 0 {
			rest = true
		}
		cut = int(n % 10)
		if n /= 10; scale == -1 {
			n += roundUp(n, cut, rest)
		}
	}
	if n > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(n), true
	}
	return int64(n), true
}

// roundUp is 1 if n, followed by the digit and a rest behind it, is rounded up.
func roundUp(n uint64, digit int, rest bool) uint64 {
	if digit > 5 || digit == 5 && (rest || n%2 == 1) {
		return 1
	}
	return 0
}

// exponentOf reads "e3" or "E-1".
func exponentOf(b []byte) (int, bool) {
	if len(b) < 2 || b[0] != 'e' && b[0] != 'E' {
		return 0, false
	}
	if b = b[1:]; b[0] == '+' {
		b = b[1:]
	}
	n, ok := integer(b)
	return int(max(-100, min(n, 100))), ok
}

// decimals returns the number of digits behind the point.
func decimals(text []byte) int {
	b := unquote(text)
	for i, c := range b {
		if c != '.' {
			continue
		}
		n := 0
		for _, c := range b[i+1:] {
			if c < '0' || c > '9' {
				break
			}
			n++
		}
		return n
	}
	return 0
}
