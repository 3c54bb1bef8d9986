package sqlite

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the type of a value.
type Kind uint8

// The types of values.
const (
	Null Kind = iota
	Integer
	Real
	Text
	Blob
)

// Value is a value of a row.
type Value struct {
	Kind  Kind
	Int   int64  // of an Integer; the bits of a Real
	Bytes []byte // of a Text, in UTF-8, or Blob: valid until the next row
}

// IsNull reports whether there is no value.
func (v Value) IsNull() bool { return v.Kind == Null }

// Integer returns an Integer.
func (v Value) Integer() (int64, bool) { return v.Int, v.Kind == Integer }

// Real returns a Real.
func (v Value) Real() (float64, bool) { return math.Float64frombits(uint64(v.Int)), v.Kind == Real }

// Text returns the bytes of a Text or Blob, "" for other kinds.
func (v Value) Text() string {
	if v.Kind < Text {
		return ""
	}
	return string(v.Bytes)
}

func (v *Value) setInteger(n int64) { v.Kind, v.Int = Integer, n }

// setReal sets a Real; NaN becomes Null.
func (v *Value) setReal(x float64) {
	if v.Kind, v.Int = Real, int64(math.Float64bits(x)); x != x {
		v.Kind = Null
	}
}

// Sizes of the numbers of a row, by serial type.
var numberSizes = [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}

// Serial types.
const (
	serialReal = 7
	serialZero = 8
	serialOne  = 9
	firstBytes = 12 // blobs: even, texts: odd
)

// sizeOf returns the bytes of a value, -1 for a serial type without a meaning.
func sizeOf(serial uint64) int {
	switch {
	case serial < uint64(len(numberSizes)):
		return numberSizes[serial]
	case serial < firstBytes:
		return -1
	}
	return int((serial - firstBytes) / 2)
}

// set reads a value of a row from b, which has all of its bytes.
func (s *scan) set(v *Value, serial uint64, b []byte) {
	switch serial {
	case 0:
		v.Kind = Null
	case 1:
		v.setInteger(int64(int8(b[0])))
	case 2:
		v.setInteger(int64(int16(binary.BigEndian.Uint16(b))))
	case 3:
		v.setInteger(int64(int8(b[0]))<<16 | int64(binary.BigEndian.Uint16(b[1:])))
	case 4:
		v.setInteger(int64(int32(binary.BigEndian.Uint32(b))))
	case 5:
		v.setInteger(int64(int16(binary.BigEndian.Uint16(b)))<<32 | int64(binary.BigEndian.Uint32(b[2:])))
	case 6:
		v.setInteger(int64(binary.BigEndian.Uint64(b)))
	case serialReal:
		v.setReal(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case serialZero, serialOne:
		v.setInteger(int64(serial - serialZero))
	default:
		v.Kind, v.Bytes = Blob, b
		if serial&1 == 1 {
			if v.Kind = Text; s.file.encoding != utf8Text {
				v.Bytes = s.convert(b)
			}
		}
	}
}

// convert returns the text of UTF-16; invalid characters become U+FFFD.
func (s *scan) convert(b []byte) []byte {
	order := binary.ByteOrder(binary.LittleEndian)
	if s.file.encoding == utf16BigEndian {
		order = binary.BigEndian
	}
	from := len(s.text)
	for ; len(b) > 1; b = b[2:] {
		c := rune(order.Uint16(b))
		if utf16.IsSurrogate(c) && len(b) > 3 {
			if pair := utf16.DecodeRune(c, rune(order.Uint16(b[2:]))); pair != utf8.RuneError {
				c, b = pair, b[2:]
			}
		}
		s.text = utf8.AppendRune(s.text, c)
	}
	return s.text[from:len(s.text):len(s.text)]
}

// varint reads a number of up to 9 bytes, and returns their count, 0 if b ends in it.
func varint(b []byte) (n uint64, size int) {
	for i, c := range b {
		if i == 8 {
			return n<<8 | uint64(c), 9
		}
		if n = n<<7 | uint64(c&0x7f); c < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
