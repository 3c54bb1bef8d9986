package kineto

// Times are decimal microseconds. They are read into integer nanoseconds without floating point, whose steps are up to
// 256 ns at today's Unix times.

import "math"

// mostMicros bounds times, so that nanoseconds fit 63 bits.
const mostMicros = 1 << 53

// nanoseconds reads a number of microseconds, bare or as a JSON string, with or without an exponent, rounded half to
// even; ok is false if it is not a number, or too large.
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

// decimal reads a number, times 10^shift, as an integer rounded half to even.
func decimal(text []byte, shift int) (int64, bool) {
	b := unquote(text)
	negative := len(b) > 0 && b[0] == '-'
	if negative || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	s, length, ok := significandOf(b)
	if !ok {
		return 0, false
	}
	s.scale += shift
	if b = b[length:]; len(b) > 0 {
		exponent, ok := exponentOf(b)
		if !ok {
			return 0, false
		}
		s.scale += exponent
	}
	n, ok := s.rounded()
	if !ok || n > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(n), true
	}
	return int64(n), true
}

// significand is a number n * 10^scale, and the digits that do not fit into n.
type significand struct {
	n     uint64
	scale int
	cut   int  // the next digit after n, -1: none
	rest  bool // a later digit is not 0
}

// significandOf reads digits, with or without a decimal point, at the beginning of a text. ok is false if there are
// none.
func significandOf(b []byte) (s significand, length int, ok bool) {
	s.cut = -1
	point := false
	for ; length < len(b); length++ {
		c := b[length]
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9':
			return s, length, ok
		}
		ok = true
		if s.n < 18e17 {
			s.n = s.n*10 + uint64(c-'0')
			if point {
				s.scale--
			}
			continue
		}
		if s.cut < 0 {
			s.cut = int(c - '0')
		} else if c != '0' {
			s.rest = true
		}
		if !point {
			s.scale++
		}
	}
	return s, length, ok
}

// rounded returns the number as an integer. ok is false if it is too large for a time.
func (s significand) rounded() (n uint64, ok bool) {
	n = s.n
	for ; s.scale > 0 && n != 0; s.scale-- {
		if s.cut > 0 || s.rest || n > math.MaxInt64/10 {
			return 0, false
		}
		n *= 10
	}
	if s.scale == 0 {
		n += roundUp(n, max(s.cut, 0), s.rest)
	}
	for ; s.scale < 0 && (n > 0 || s.cut >= 0); s.scale++ {
		s.rest = s.rest || s.cut > 0
		s.cut = int(n % 10)
		if n /= 10; s.scale == -1 {
			n += roundUp(n, s.cut, s.rest)
		}
	}
	return n, true
}

// roundUp returns 1 if n rounds up, given its next digit and whether a later digit is not 0.
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

// decimals returns the number of digits after the point.
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
