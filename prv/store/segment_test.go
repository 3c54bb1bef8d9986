package store

import (
	"math"
	"pview/prv/model"
	"testing"
)

// Numbers of every length survive packing: as values, times, lengths and sizes.
func TestPackedNumbers(t *testing.T) {
	var want []int64
	for bit := range 64 {
		v := int64(1) << bit
		want = append(want, v-1, v, v+1)
	}
	want = append(want, -1, math.MinInt64)
	var res model.Resources
	res.AddPtask()
	res.AddTask(1, -1)
	b := NewBuilder(model.Header{Resources: res})
	for _, v := range want {
		b.Event(0, 0, 7, model.Pair{Type: uint32(v), Value: v})
		b.Comm(model.Comm{Times: [4]int64{v & math.MaxInt64}, Size: v, Tag: -v})
		if v >= 0 {
			b.State(0, 0, v, v, 1)
			b.State(0, 0, 0, v, uint32(v))
		}
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e, c, ends := &tr.Threads[0].Events, &tr.Comms, map[int64]int{}
	for i, v := range want {
		if e.Time[i] != 7 || e.Value.At(i) != v || e.Type[i] != uint32(v) || !e.Lines.Has(i) {
			t.Errorf("%d comes back as %d:%d at %d", v, e.Type[i], e.Value.At(i), e.Time[i])
		}
		if c.Times[0][i] != v&math.MaxInt64 || c.Times[3][i] != 0 || c.Size[i] != v || c.Tag[i] != -v {
			t.Errorf("%d comes back as a message at %d with %d bytes and tag %d", v, c.Times[0][i], c.Size[i], c.Tag[i])
		}
		if v >= 0 {
			ends[v] += 2
		}
	}
	s := &tr.Threads[0].States
	for i, end := range s.End {
		if ends[end]--; s.Begin[i] != 0 && s.Begin[i] != end || s.Value[i] != 1 && s.Value[i] != uint32(end) {
			t.Errorf("a state comes back as %d..%d, %d", s.Begin[i], end, s.Value[i])
		}
	}
	for end, n := range ends {
		if n != 0 {
			t.Errorf("%d states until %d are missing", n, end)
		}
	}
}

// A stored text is found, and a similar one is not mistaken for it.
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
