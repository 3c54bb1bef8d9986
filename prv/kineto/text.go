package kineto

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostName bounds names, in bytes.
const mostName = 64 << 10

// text returns a JSON value as a name: strings without quotes and escapes, other values as they are; control characters
// become blanks, lone surrogates U+FFFD, and bytes that are not UTF-8 are read as Latin-1. cut is set if it was too
// long.
func text(value []byte) (name string, cut bool) {
	b := unquote(value)
	if cut = len(b) > mostName; cut {
		b = b[:mostName]
	}
	if bytes.IndexByte(b, '\\') >= 0 {
		b = unescape(b)
	}
	s := string(b)
	if !utf8.ValidString(s) {
		if cut {
			s = strings.ToValidUTF8(s, "")
		} else {
			r := make([]rune, 0, len(b))
			for _, c := range b {
				r = append(r, rune(c))
			}
			s = string(r)
		}
	}
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	if strings.IndexFunc(s, control) >= 0 {
		s = strings.Map(func(r rune) rune {
			if control(r) {
				return ' '
			}
			return r
		}, s)
	}
	return s, cut
}

// escapes are the escaped characters of one letter; others stand for themselves.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		if b[i] != 'u' {
			c, ok := escapes[b[i]]
			if !ok {
				c = b[i]
			}
			out = append(out, c)
			continue
		}
		r, ok := hex4(b[i+1:])
		if !ok {
			out = append(out, 'u')
			continue
		}
		i += 4
		if utf16.IsSurrogate(r) {
			low := rune(-1)
			if i+2 < len(b) && b[i+1] == '\\' && b[i+2] == 'u' {
				low, _ = hex4(b[i+3:])
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 6
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return -1, false
	}
	r := rune(0)
	for _, c := range b[:4] {
		n := strings.IndexByte("0123456789abcdef", c|0x20)
		if c < '0' || n < 0 || c > '9' && c < 'A' {
			return -1, false
		}
		r = r<<4 | rune(n)
	}
	return r, true
}
