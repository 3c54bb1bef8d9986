package extrae

import "math/bits"

// TypeTable says of each event type which part it plays for a reader of events: a number of the reader's, 0 for most
// types. A search takes some 2 ns, since traces have tens of events per call. It is immutable.
type TypeTable struct {
	slots []typeSlot // open addressing; their number is a power of two
	shift int
}

type typeSlot struct {
	typ  uint32
	part uint8 // 0: free
}

// NewTypeTable makes the table of the types that play a part.
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

// Part returns the part that a type plays.
func (t *TypeTable) Part(typ uint32) uint8 {
	for h := t.hash(typ); ; h = (h + 1) & (len(t.slots) - 1) {
		if s := t.slots[h]; s.typ == typ || s.part == 0 {
			return s.part
		}
	}
}
