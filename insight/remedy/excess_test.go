package remedy

import (
	"slices"
	"testing"

	"pview/insight/cause"
	"pview/insight/replay"
)

// Threads take longer in a region if there is a gap to the others: of 25 at least, a quarter of a percent of a run of
// 10,000; of three standard deviations of the others; and of 0.8 % of their median. The others are a third at least.
func TestExcess(t *testing.T) {
	for _, c := range []struct {
		times        []float64
		group        []int32
		mine, theirs float64 // means
	}{
		{[]float64{100}, nil, 0, 0}, {[]float64{100, 0}, nil, 0, 0}, {[]float64{100, 100}, nil, 0, 0},
		{[]float64{100, 100, 125}, []int32{2}, 125, 100}, {[]float64{100, 100, 124}, nil, 0, 0},
		{[]float64{0, 130, 100}, []int32{1}, 130, 100}, // thread 1 is not there
		{[]float64{130, 100, 130}, []int32{0, 2}, 130, 100}, {[]float64{130, 100, 130, 130}, nil, 0, 0},
		{[]float64{200, 100, 160, 100}, []int32{0, 2}, 180, 100}, // gaps of 60 and 40
		// Deviations of 10 from the median of 110.
		{[]float64{100, 120, 150}, []int32{2}, 150, 110}, {[]float64{100, 120, 149}, nil, 0, 0},
		{[]float64{5000, 5000, 5040}, []int32{2}, 5040, 5000}, {[]float64{5000, 5000, 5039}, nil, 0, 0},
	} {
		of := func(region, ptask int32) cause.Class {
			k := cause.Class{Region: region, Ptask: ptask, Of: make([][]*cause.Stretch, len(c.times))}
			for th, time := range c.times {
				if time > 0 { // in two executions
					k.Threads = append(k.Threads, int32(th))
					k.Of[th] = []*cause.Stretch{{To: int64(time) - 40}, {From: 1000, To: 1040}}
				}
			}
			return k
		}
		r := cause.Run{Model: &replay.Model{End: 10_000}, Places: []cause.Class{of(7, 0), of(8, 0), of(7, 1)}}
		x := (&Run{Run: &r, threads: len(c.times)}).excessIn(7, 0)
		if x == nil {
			if c.group != nil {
				t.Errorf("%v: nothing is uneven", c.times)
			}
			continue
		}
		if !slices.Equal(x.group, c.group) || x.mine.Time != c.mine || x.theirs.Time != c.theirs {
			t.Errorf("%v: %v take %g instead of %g, want %+v", c.times, x.group, x.mine.Time, x.theirs.Time, c)
		}
	}
}
