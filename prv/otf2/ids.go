package otf2

import "math/bits"

// ids maps ids of the archive to the numbers of objects in this package's tables, in some 2 ns: ids may be spread over
// 32 bits or more. Dense ids use an array, others a table with open addressing.
type ids struct {
	direct []int32 // number + 1 by id
	slots  []idSlot
	shift  uint
	count  int
}

type idSlot struct {
	id     uint64
	number int32 // + 1; 0: free
}

// directSlack limits the greatest id of an array to a multiple of the number of ids.
const directSlack = 4

// newIDs makes a table of ids with the given numbers; the last of equal ids wins.
func newIDs(list []uint64, numbers []int32) *ids {
	t := &ids{}
	greatest := uint64(0)
	for _, id := range list {
		greatest = max(greatest, id)
	}
	if greatest < uint64(directSlack*len(list)+64) {
		t.direct = make([]int32, greatest+1)
		for i, id := range list {
			t.direct[id] = numbers[i] + 1
		}
		return t
	}
	t.grow(2 * len(list))
	for i, id := range list {
		t.put(id, numbers[i])
	}
	return t
}

// grow makes room for n ids.
func (t *ids) grow(n int) {
	old := t.slots
	size := bits.Len(uint(max(n, 8)))
	t.slots, t.shift, t.count = make([]idSlot, 1<<size), uint(64-size), 0
	for _, s := range old {
		if s.number != 0 {
			t.put(s.id, s.number-1)
		}
	}
}

func (t *ids) put(id uint64, number int32) {
	if 2*t.count >= len(t.slots) {
		t.grow(2 * len(t.slots))
	}
	h := id * 0x9e3779b97f4a7c15 >> t.shift
	for t.slots[h].number != 0 && t.slots[h].id != id {
		h = (h + 1) & uint64(len(t.slots)-1)
	}
	if t.slots[h].number == 0 {
		t.count++
	}
	t.slots[h] = idSlot{id, number + 1}
}

// add adds an id.
func (t *ids) add(id uint64, number int32) {
	if id < uint64(len(t.direct)) {
		t.direct[id] = number + 1
		return
	}
	t.put(id, number)
}

// find returns the number of an id, -1 if there is none.
func (t *ids) find(id uint64) int32 {
	if id < uint64(len(t.direct)) {
		return t.direct[id] - 1
	}
	if len(t.slots) == 0 {
		return -1
	}
	h := id * 0x9e3779b97f4a7c15 >> t.shift
	for {
		s := &t.slots[h]
		if s.number == 0 {
			return -1
		}
		if s.id == id {
			return s.number - 1
		}
		h = (h + 1) & uint64(len(t.slots)-1)
	}
}
