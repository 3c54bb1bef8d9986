package dimemas

// The fields of a line.

import (
	"bytes"
	"math"
	"strconv"
)

// fields are the fields of a line, separated by colons.
type fields struct {
	line []byte
	ends []int // of each field
	n    int
}

func (f *fields) split(line []byte) {
	f.line, f.ends = line, f.ends[:0]
	for i, c := range line {
		if c == ':' {
			f.ends = append(f.ends, i)
		}
	}
	f.ends = append(f.ends, len(line))
	f.n = len(f.ends)
}

func (f *fields) text(i int) []byte {
	start := 0
	if i > 0 {
		start = f.ends[i-1] + 1
	}
	return f.line[start:f.ends[i]]
}

// int reads a signed 64-bit field. Blanks around it are allowed.
func (f *fields) int(i int) (int64, bool) {
	if i >= f.n {
		return 0, false
	}
	s := f.text(i)
	if len(s) > 0 && len(s) < 19 {
		v := int64(0)
		for _, c := range s {
			if c-'0' > 9 {
				return f.slowInt(s)
			}
			v = 10*v + int64(c-'0')
		}
		return v, true
	}
	return f.slowInt(s)
}

func (f *fields) slowInt(s []byte) (int64, bool) {
	v, err := strconv.ParseInt(string(bytes.TrimSpace(s)), 10, 64)
	return v, err == nil
}

// value reads an unsigned or signed 64-bit number.
func (f *fields) value(i int) (int64, bool) {
	if v, ok := f.int(i); ok {
		return v, true
	}
	if i >= f.n {
		return 0, false
	}
	v, err := strconv.ParseUint(string(bytes.TrimSpace(f.text(i))), 10, 64)
	return int64(v), err == nil
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// decimal reads a decimal number. Digits and power of ten of common ones are exact, so that a single division rounds
// like a full conversion.
func decimal(s []byte) (float64, bool) {
	if len(s) == 0 || len(s) > 16 {
		return slowFloat(s)
	}
	digits, point := int64(0), -1
	for k, c := range s {
		switch {
		case c-'0' <= 9:
			digits = 10*digits + int64(c-'0')
		case c == '.' && point < 0:
			point = k
		default:
			return slowFloat(s)
		}
	}
	if point < 0 {
		return float64(digits), true
	}
	if len(s) == 1 {
		return 0, false
	}
	return float64(digits) / powersOfTen[len(s)-1-point], true
}

func slowFloat(s []byte) (float64, bool) {
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(s)), 64)
	return v, err == nil && !math.IsNaN(v)
}
