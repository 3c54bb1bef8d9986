package kineto

// Scanning JSON as a stream. A value is parsed from a buffer; if the buffer ends inside it, the scanner reads more and
// parses the value again from its start. So a value needs no extra memory, no token is copied, and the buffer grows
// only for values larger than it. Values of unknown keys are skipped, at any depth without recursion.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 64 << 10
	// mostValue bounds the bytes of one event or header value, and with them the buffer.
	mostValue = 256 << 20
)

// Results of parsing.
var (
	errMore   = errors.New("the text ends inside a value")
	errSyntax = errors.New("not JSON")
)

// scanner reads a stream of JSON values.
type scanner struct {
	in   io.Reader
	buf  []byte
	pos  int   // of the next value
	base int64 // offset of buf in the stream
	end  error // of the stream, once all of it is in buf
}

func newScanner(in io.Reader) *scanner { return &scanner{in: in, buf: make([]byte, 0, bufferSize)} }

// offset returns the offset of the next value in the stream.
func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// more reads more of the stream after the unparsed part of the buffer. It returns false at the end.
func (s *scanner) more() bool {
	if s.end != nil {
		return false
	}
	if s.pos > 0 {
		s.base += int64(s.pos)
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	if len(s.buf) == cap(s.buf) {
		if len(s.buf) >= mostValue {
			s.end = fmt.Errorf("a value of more than %d MB", mostValue>>20)
			return false
		}
		s.buf = append(make([]byte, 0, 2*cap(s.buf)), s.buf...)
	}
	for len(s.buf) < cap(s.buf) && s.end == nil {
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf, s.end = s.buf[:len(s.buf)+n], err
	}
	return true
}

// next skips blanks and returns the next byte without consuming it; ok is false at the end of the stream.
func (s *scanner) next() (c byte, ok bool) {
	for {
		for s.pos < len(s.buf) {
			if c := s.buf[s.pos]; c > ' ' {
				return c, true
			}
			s.pos++
		}
		if !s.more() {
			return 0, false
		}
	}
}

// parse parses the value at the start of the buffer with f, which returns the number of bytes or errMore.
func (s *scanner) parse(f func(text []byte) (int, error)) error {
	for {
		n, err := f(s.buf[s.pos:])
		switch {
		case err == nil:
			s.pos += n
			return nil
		case err == errMore && s.more():
		default:
			return err
		}
	}
}

// skipBlanks returns the index of the first byte from i on that is not a blank.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// endOfString returns the index after the closing quote of the string that starts at b[i], a quote.
func endOfString(b []byte, i int) (int, error) {
	from := i + 1
	for {
		n := bytes.IndexByte(b[from:], '"')
		if n < 0 {
			return 0, errMore
		}
		quote := from + n
		slashes := 0
		for k := quote - 1; k > i && b[k] == '\\'; k-- {
			slashes++
		}
		if from = quote + 1; slashes%2 == 0 {
			return from, nil
		}
	}
}

// special marks the bytes that matter when a nested value is skipped.
var special = func() (t [256]bool) {
	for _, c := range []byte(`"{}[]`) {
		t[c] = true
	}
	return t
}()

// endOfValue returns the index after the value that starts at b[i].
func endOfValue(b []byte, i int) (int, error) {
	if i >= len(b) {
		return 0, errMore
	}
	switch c := b[i]; c {
	case '"':
		return endOfString(b, i)
	case '{', '[':
	case ',', ':', '}', ']':
		return 0, errSyntax
	default:
		for ; i < len(b); i++ {
			if c := b[i]; c == ',' || c == '}' || c == ']' || c <= ' ' {
				return i, nil
			}
		}
		return 0, errMore
	}
	depth := 0
	for i < len(b) {
		for i < len(b) && !special[b[i]] {
			i++
		}
		if i == len(b) {
			break
		}
		switch b[i] {
		case '"':
			end, err := endOfString(b, i)
			if err != nil {
				return 0, err
			}
			i = end
			continue
		case '{', '[':
			depth++
		default:
			if depth--; depth == 0 {
				return i + 1, nil
			}
		}
		i++
	}
	return 0, errMore
}

// members calls f for the members of the object that starts at b[i], with the raw text of key (without quotes) and
// value; it returns the index after the object.
func members(b []byte, i int, f func(key, value []byte)) (int, error) {
	i = skipBlanks(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i = skipBlanks(b, i); i >= len(b) {
			return 0, errMore
		}
		if b[i] != '"' {
			return 0, errSyntax
		}
		end, err := endOfString(b, i)
		if err != nil {
			return 0, err
		}
		key := b[i+1 : end-1]
		if i = skipBlanks(b, end); i >= len(b) {
			return 0, errMore
		}
		if b[i] != ':' {
			return 0, errSyntax
		}
		i = skipBlanks(b, i+1)
		if end, err = endOfValue(b, i); err != nil {
			return 0, err
		}
		f(key, b[i:end])
		if i = skipBlanks(b, end); i >= len(b) {
			return 0, errMore
		}
		switch b[i] {
		case '}':
			return i + 1, nil
		case ',':
			if i = skipBlanks(b, i+1); i < len(b) && b[i] == '}' {
				return i + 1, nil // a trailing comma
			}
		default:
			return 0, errSyntax
		}
	}
}
