package model

import "slices"

// Values is a column of 64-bit numbers in about 4 bytes each: few event values need more, such as addresses, negative
// numbers, and counters of long bursts.
type Values struct {
	// Small has the values from 0 to 2^31-1. For any other value, it has 2^31 plus its position in Large.
	Small []uint32
	Large []int64
}

// Escape is the least number in Values.Small that refers to Large.
const Escape = 1 << 31

// IsSmall reports whether a value fits into Values.Small.
func IsSmall(value int64) bool { return uint64(value) < Escape }

// NewValues returns an empty column with room for n small values.
func NewValues(n int) Values { return Values{Small: make([]uint32, 0, n)} }

// ValuesOf returns a column of the given values.
func ValuesOf(list ...int64) Values {
	v := NewValues(len(list))
	for _, x := range list {
		v.Append(x)
	}
	return v
}

// Len returns the number of values.
func (v *Values) Len() int { return len(v.Small) }

// At returns value i.
func (v *Values) At(i int) int64 {
	if s := v.Small[i]; s < Escape {
		return int64(s)
	}
	return v.large(i)
}

// large returns a value from Large. If a damaged file refers to a missing position, the value is 0.
func (v *Values) large(i int) int64 {
	if at := v.Small[i] - Escape; int(at) < len(v.Large) {
		return v.Large[at]
	}
	return 0
}

// Append adds a value.
func (v *Values) Append(value int64) {
	if IsSmall(value) {
		v.Small = append(v.Small, uint32(value))
		return
	}
	v.Small = append(v.Small, Escape+uint32(len(v.Large)))
	v.Large = append(v.Large, value)
}

// GrowLarge makes room for PutLarge at the first n positions in Large.
func (v *Values) GrowLarge(n int) {
	if more := n - len(v.Large); more > 0 {
		v.Large = append(v.Large, make([]int64, more)...)
	}
}

// PutLarge sets a row to the value at a position in Large.
func (v *Values) PutLarge(row, at int, value int64) {
	v.Small[row], v.Large[at] = Escape+uint32(at), value
}

// First returns the first n values; appending to them does not change v.
func (v *Values) First(n int) Values {
	return Values{Small: v.Small[:n:n], Large: slices.Clip(v.Large)}
}

// Equal reports whether two columns have the same values.
func (v *Values) Equal(w *Values) bool {
	if v.Len() != w.Len() {
		return false
	}
	for i := range v.Small {
		if v.At(i) != w.At(i) {
			return false
		}
	}
	return true
}

// All returns the values as a list.
func (v *Values) All() []int64 {
	list := make([]int64, v.Len())
	for i := range list {
		list[i] = v.At(i)
	}
	return list
}
