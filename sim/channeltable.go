package sim

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"pview/prv/parallel"
)

// channelTable numbers channels in the order of first use: a hash table with open addressing, since a program of
// millions of messages has nearly as many channels, and Link spends most of its time here.
type channelTable struct {
	keys  [][]channelKey // by number, in parts of keysPart: growing copies nothing
	count int
	slots []int32 // number + 1; 0: free. Its length is a power of two
	watch *parallel.Watch
}

// keysPart is the number of keys of a part.
const keysPart = 1 << 12

func (t *channelTable) key(n int32) *channelKey { return &t.keys[n/keysPart][n%keysPart] }

// number returns the number of a channel, a new one on first use.
func (t *channelTable) number(k channelKey) int32 {
	if 2*t.count >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for h := k.hash() & mask; ; h = (h + 1) & mask {
		n := t.slots[h] - 1
		if n < 0 {
			if t.count%keysPart == 0 {
				t.keys = append(t.keys, slices.Grow([]channelKey(nil), min(t.count, keysPart)))
			}
			last := &t.keys[len(t.keys)-1]
			*last = append(*last, k)
			t.count++
			t.slots[h] = int32(t.count)
			return int32(t.count - 1)
		}
		if *t.key(n) == k {
			return n
		}
	}
}

func (t *channelTable) grow() {
	t.slots = make([]int32, max(64, 4*t.count))
	mask := uint64(len(t.slots) - 1)
	for i := range int32(t.count) {
		t.watch.Step()
		h := t.key(i).hash() & mask
		for t.slots[h] != 0 {
			h = (h + 1) & mask
		}
		t.slots[h] = i + 1
	}
}

// hashSeeds differ from run to run, so that no trace can be crafted to cause collisions. Numbers do not depend on them.
var hashSeeds = [3]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64() | 1}

// hash mixes the fields: two rounds of a 128-bit multiplication whose halves are xored.
func (k *channelKey) hash() uint64 {
	ends := uint64(uint32(k.from))<<32 | uint64(uint32(k.to))
	h := folded(uint64(k.match)^hashSeeds[0], ends^hashSeeds[1])
	return folded(h^uint64(k.tag), hashSeeds[2])
}

func folded(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
