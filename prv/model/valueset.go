package model

// Sets of values that are small while they have few.

import (
	"math"
	"math/bits"
)

// hashValue spreads a value over 64 bits: a multiplication by 2^64 over the golden
// ratio, the high half folded onto the low one.
func hashValue(v int64) uint64 {
	hi, lo := bits.Mul64(uint64(v)^0x9e3779b97f4a7c15, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// valueSet is a set of at most MaxDistinct values, plus those below 64. It is small, because a trace can have as many
// types as events, with few values each.
type valueSet struct {
	small  uint64      // bits: 0 to 63, the most frequent values
	first  int64       // the first other value
	table  *valueTable // all others, if there are two or more
	others int32       // number of other values
}

func (s *valueSet) add(v int64) {
	switch {
	case uint64(v) < 64:
		s.small |= 1 << v
	case s.others >= MaxDistinct:
	case s.others == 0:
		s.first, s.others = v, 1
	case s.table == nil && v == s.first:
	default:
		if s.table == nil {
			s.table = &valueTable{}
			s.table.add(s.first)
		}
		if s.table.add(v) {
			s.others++
		}
	}
}

// valueTable is a hash table with open addressing, at most half full, of values other than 0. They take 4 bytes each
// until one needs 8.
type valueTable struct {
	narrow []uint32 // 0: empty
	wide   []int64  // replaces narrow, if not nil
	used   int
}

// add reports whether the value is new.
func (t *valueTable) add(v int64) (isNew bool) {
	if t.wide == nil {
		if uint64(v) <= math.MaxUint32 {
			t.narrow, isNew = withValue(t.narrow, t.used, uint32(v))
			return t.counted(isNew)
		}
		t.wide = make([]int64, len(t.narrow))
		for _, old := range t.narrow {
			putValue(t.wide, int64(old))
		}
		t.narrow = nil
	}
	t.wide, isNew = withValue(t.wide, t.used, v)
	return t.counted(isNew)
}

func (t *valueTable) counted(isNew bool) bool {
	if isNew {
		t.used++
	}
	return isNew
}

// withValue adds a value to slots, of which used are in use, and returns them and whether it is new.
func withValue[T uint32 | int64](slots []T, used int, v T) ([]T, bool) {
	if 2*used >= len(slots) {
		old := slots
		slots = make([]T, max(8, 2*len(old)))
		for _, o := range old {
			putValue(slots, o)
		}
	}
	return slots, putValue(slots, v)
}

// putValue puts a value into its slot, unless it is 0, and reports whether it is new.
func putValue[T uint32 | int64](slots []T, v T) bool {
	if v == 0 {
		return false
	}
	mask := uint64(len(slots) - 1)
	for h := hashValue(int64(v)) & mask; ; h = (h + 1) & mask {
		switch slots[h] {
		case v:
			return false
		case 0:
			slots[h] = v
			return true
		}
	}
}
