package store

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// packedAgain packs rows and returns them unpacked.
func packedAgain(d *densePacker, rows *grouped) (grouped, int) {
	s := segment{threads: []segmentShare{{states: len(rows.states), pairs: len(rows.events)}}, byThread: []int32{0}}
	s.pack(&view{}, rows, d)
	v := s.sizes.view(s.data.bytes)
	g := grouped{comms: make([]commRow, len(rows.comms))}
	g.fit(len(rows.states), len(rows.events))
	v.unpackRows(&s.threads[0], &g)
	unpackComms(v.packed, g.comms)
	s.release()
	return g, s.sizes.packed
}

func (g *grouped) equal(o *grouped) bool {
	return slices.Equal(g.states, o.states) && slices.Equal(g.events, o.events) && slices.Equal(g.comms, o.comms)
}

// A state from 0 to 100 takes 1+0+1+1 bytes, one from 100 to 1000 1+0+2+1; one that starts at 1 million, after a gap of
// 999,000 (3 bytes, written as 4), and lasts 70,000 takes 1+4+3+1. A line of two events at 500 takes 1+2+1+1 for type
// 7, value 0, and 1+0+1+4 for value 2^24. A message takes 3 bytes and one for each of its nine numbers, two more for
// the tag 70,000, and one more for a time of -129, which is written as 257. Reading the last number touches 4 more
// bytes.
func TestPackedRows(t *testing.T) {
	states := []stateRow{{0, 100, 1}, {100, 900, 2}, {1_000_000, 70_000, 1}}
	events := []eventRow{{500 | lineStart, 7, 0}, {500, 7, 1 << 24}}
	rows := grouped{states, events, []commRow{{0, 1, [4]int32{0, -129, 1, -128}, 255, 70_000, 3}}}
	g, n := packedAgain(&densePacker{}, &rows)
	if !g.equal(&rows) {
		t.Errorf("%v come back as %v", rows, g)
	}
	if want := 3 + 4 + 9 + 5 + 6 + 3 + 9 + 2 + 1 + 4; n != want {
		t.Errorf("they take %d bytes, not %d", n, want)
	}
}

// Numbers of all lengths, times that go back and more types than fit a byte survive packing, over several segments.
func TestPackedRandomRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() uint32 { return rng.Uint32() >> rng.IntN(32) }
	var d densePacker
	for _, types := range []uint32{1, 255, 256, 257, 1000, 3} {
		states, events, comms := make([]stateRow, 3000), make([]eventRow, 3000), make([]commRow, 3000)
		time := uint32(0)
		for i := range states {
			states[i] = stateRow{some() >> 1, some(), some()}
			if i == 0 || rng.IntN(3) == 0 {
				time = some() >> 1
				events[i].time = lineStart
			}
			events[i] = eventRow{events[i].time | time, 60_000_000 + rng.Uint32N(types), some()}
			comms[i] = commRow{some(), some(),
				[4]int32{int32(some()), int32(some()), -int32(some() >> 1), int32(some())}, some(), some(), some()}
		}
		rows := grouped{states, events, comms}
		if g, _ := packedAgain(&d, &rows); !g.equal(&rows) {
			t.Errorf("with %d types, rows do not come back", types)
		}
	}
}
