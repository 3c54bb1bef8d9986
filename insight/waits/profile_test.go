package waits

import (
	"slices"
	"testing"
)

// The time in each region over any stretch is that of its ns one by one, whatever the stride of the totals, and from
// any change on that is guessed.
func TestProfileOfStretches(t *testing.T) {
	times := []int64{2, 3, 7, 8, 12, 15, 16, 20, 26, 30}
	regions := []int32{0, 1, -1, 2, 0, 1, 2, -1, 1, -1}
	ids := []int32{4, 5, 7}
	for _, stride := range []int{1, 2, 3, 4, 100} {
		p := &profile{changes: changes{time: times, region: regions}, stride: stride, regions: 3}
		p.sum()
		for from := int64(0); from <= 32; from++ {
			for to := from; to <= 32; to++ {
				want := make([]int64, 8)
				for at := from; at < to; at++ {
					for i := range times[1:] {
						if r := regions[i]; times[i] <= at && at < times[i+1] && r >= 0 {
							want[ids[r]]++
						}
					}
				}
				got := tally{time: make([]int64, 8)}
				near := p.add(ids, &got, 1, span{from, to}, int(from)%len(times))
				if !slices.Equal(got.time, want) {
					t.Fatalf("stride %d, from %d to %d: %v, want %v", stride, from, to, got.time, want)
				}
				if near < 0 || near >= len(times) || from < to && from >= times[0] && (times[near] > from ||
					near+1 < len(times) && times[near+1] <= from) {
					t.Fatalf("from %d: change %d", from, near)
				}
				if p.add(ids, &got, -1, span{from, to}, near); slices.Max(got.time) != 0 || slices.Min(got.time) != 0 {
					t.Fatalf("stride %d, from %d to %d: %v is left", stride, from, to, got.time)
				}
			}
		}
	}
}

// A thread is away until 10, and not traced from 30 to 40.
func TestAbsence(t *testing.T) {
	l := &lane{absent: []span{{0, 10}, {30, 40}}}
	for _, c := range []struct {
		at, since int64
		away      bool
	}{{0, 0, true}, {9, 0, true}, {10, 10, false}, {29, 10, false}, {35, 10, false}, {39, 10, false}, {40, 40, false},
		{50, 40, false}} {
		if since, away := l.tracedSince(c.at), l.isAway(c.at); since != c.since || away != c.away {
			t.Errorf("at %d: since %d, away %v", c.at, since, away)
		}
	}
	l.absent = l.absent[1:] // it is there from the start on
	if l.isAway(20) || l.isAway(35) || l.tracedSince(35) != 0 || (&lane{}).isAway(0) {
		t.Error("a thread is away that has appeared")
	}
}
