package extrae

import "math/bits"

// TypeTable maps event types to the parts that they play for a reader of events: numbers of the reader's choice, 0 for
// most types. A search takes some 2 ns, since traces have tens of events per call. It is immutable.
type TypeTable struct {
	slots []typeSlot // open addressing; their number is a power of two
	shift int
}

type typeSlot struct {
	typ  uint32
	part uint8 // 0: free
}

// NewTypeTable makes the table of the given parts.
func NewTypeTable(parts map[uint32]uint8) *TypeTable {
	size := bits.Len(uint(max(4*len(parts), 1)))
	t := &TypeTable{make([]typeSlot, 1<<size), 32 - size}
	for typ, part := range parts {
		if part == 0 {
			continue
		}
		h := t.hash(typ)
		for t.slots[h].part != 0 {
			h = (h + 1) & (len(t.slots) - 1)
		}
		t.slots[h] = typeSlot{typ, part}
	}
	return t
}

func (t *TypeTable) hash(typ uint32) int { return int(typ * 0x9e3779b1 >> t.shift) }

// Part returns the part of a type.
func (t *TypeTable) Part(typ uint32) uint8 {
	for h := t.hash(typ); ; h = (h + 1) & (len(t.slots) - 1) {
		if s := t.slots[h]; s.typ == typ || s.part == 0 {
			return s.part
		}
	}
}
