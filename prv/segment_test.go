package prv

import (
	"math"
	"testing"
)

// Numbers of every length come back as they were packed.
func TestPackedNumbers(t *testing.T) {
	var want []uint64
	for bit := range 64 {
		v := uint64(1) << bit
		want = append(want, v-1, v, v+1)
	}
	want = append(want, math.MaxUint64)
	p := newPacker(1)
	p.room((len(want) + 1) * maxNumber)
	for _, v := range want {
		p.uvarint(v)
	}
	data := keep(p.buf[:p.n]).bytes
	u := unpacker{data: data}
	for _, v := range want {
		if got := u.uvarint(); got != v {
			t.Fatalf("%d comes back as %d", v, got)
		}
	}
	if u.i != p.n || p.n+pad != len(data) {
		t.Errorf("packed %d bytes, unpacked %d of %d", p.n, u.i, len(data))
	}
}

// A text is found again once it was kept, and nothing is taken for it that only looks
// like it.
func TestObjectCache(t *testing.T) {
	c := newObjectCache(4)
	find := func(text string) (*objectEntry, uint64, uint64, int) {
		return c.find([]byte(text+"12345678901234567890"), 0)
	}
	for _, text := range []string{"1:1:1:1:", "16:1:16:1:", "128:1:1:128:", "1024:1:1024:10:"} {
		e, low, high, n := find(text)
		if n != len(text) {
			t.Fatalf("%s has length %d", text, n)
		}
		*e = objectEntry{low, high, 7, 8}
		if e, low, high, _ := find(text); e.low != low || e.high != high || e.thread != 7 {
			t.Errorf("%s is not found again", text)
		}
	}
	for _, text := range []string{"1:1:1:1", "1;1;1;1;", "1:;1:1:1:", "01:1:1:1:", "1:1:1::", "12345:1:12345:12:"} {
		if e, low, high, n := find(text); n > 0 && e.low == low && e.high == high {
			t.Errorf("%s is taken for another", text)
		}
	}
}
