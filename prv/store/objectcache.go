package store

import (
	"encoding/binary"
	"math/bits"
)

// Nearly every record begins with one of a few texts "cpu:appl:task:thread:", about one per thread. They are not parsed
// each time but looked up as text: two 8-byte words, up to the fourth colon.

// objectCache holds object texts that were parsed before. A new text may replace an old one.
type objectCache struct {
	entries []objectEntry
	shift   uint // of a hash, to its place
}

type objectEntry struct {
	low, high   uint64 // the text, padded with zeros; both 0: none
	thread, cpu int32
}

// newObjectCache returns a cache for n threads.
func newObjectCache(threads int) objectCache {
	log := min(max(8, bits.Len(uint(threads))+2), 16)
	return objectCache{make([]objectEntry, 1<<log), uint(64 - log)}
}

// Masks of the first n bytes of two words.
var lowBytes, highBytes = func() (low, high [17]uint64) {
	for n := range low {
		low[n], high[n] = 1<<(8*min(n, 8))-1, 1<<(8*max(n-8, 0))-1
	}
	return low, high
}()

// find looks up the text at i. e is the entry's place, whether the text is there or not; length is 0 if there are no
// four colons within 16 bytes: then the text cannot be found.
func (c *objectCache) find(b []byte, i int) (e *objectEntry, low, high uint64, length int) {
	low, high = binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:])
	colons := colonsIn(low) | colonsIn(high)<<8
	colons &= colons - 1
	colons &= colons - 1
	colons &= colons - 1
	if colons == 0 {
		return nil, 0, 0, 0
	}
	length = bits.TrailingZeros64(colons) + 1
	low &= lowBytes[length]
	high &= highBytes[length]
	hash := (low ^ bits.RotateLeft64(high, 29)) * 0x9E3779B97F4A7C15
	return &c.entries[hash>>c.shift], low, high, length
}

// colonsIn returns a bit for each byte of a word that is a colon. After a colon it may mistake a semicolon for one: a
// text with that is never in the cache.
func colonsIn(w uint64) uint64 {
	w ^= 0x3a3a3a3a3a3a3a3a
	w = (w - 0x0101010101010101) &^ w & 0x8080808080808080
	return (w >> 7) * 0x0102040810204080 >> 56
}
