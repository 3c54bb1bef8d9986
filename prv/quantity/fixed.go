package quantity

import (
	"math"
	"math/bits"
	"strconv"
)

// powersOfTen up to the most decimals that AppendFixed handles itself.
var powersOfTen = func() (p [13]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

const zeros = "000000000000"

// AppendFixed appends a number like strconv.AppendFloat(b, v, 'f', decimals, 64), in a third of the time for numbers
// between 2^-10 and 2^53 with up to 12 decimals: a fraction f/2^s times a power of ten is an integer of 128 bits, and
// its bits below 2^s decide how to round (half to even).
func AppendFixed(b []byte, v float64, decimals int) []byte {
	u := math.Float64bits(v)
	shift, m := 1075-uint(u>>52&0x7ff), u&(1<<52-1)|1<<52 // |v| = m / 2^shift
	if v == 0 {
		shift, m = 0, 0
	}
	if shift > 63 || uint(decimals) >= uint(len(powersOfTen)) {
		return strconv.AppendFloat(b, v, 'f', decimals, 64)
	}
	below := uint64(1)<<shift - 1
	whole := m >> shift
	hi, lo := bits.Mul64(m&below, powersOfTen[decimals])
	digits, rest, half := hi<<(64-shift)|lo>>shift, lo&below, (below+1)/2
	last := digits
	if decimals == 0 {
		last = whole
	}
	if rest > half || rest == half && half > 0 && last&1 == 1 {
		if digits++; digits >= powersOfTen[decimals] {
			digits, whole = 0, whole+1
		}
	}
	if u>>63 != 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, whole, 10)
	if decimals == 0 {
		return b
	}
	b = append(append(b, '.'), zeros[:decimals]...)
	for i := len(b) - 1; digits > 0; i, digits = i-1, digits/10 {
		b[i] = byte('0' + digits%10)
	}
	return b
}
