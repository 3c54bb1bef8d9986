package remedy

// The causal profile (Curtsinger and Berger, SOSP 2015): the gain of the run if a region is faster on all threads. It
// is a table, never a finding: faster code always gains.

import (
	"cmp"
	"context"
	"slices"

	"pview/insight/cause"
)

// Faster are the shares that the causal profile removes from a region's time.
var Faster = [...]float64{0.1, 0.2, 0.5}

// Causal is a region of the causal profile. Times are in the trace's unit.
type Causal struct {
	Name  string
	Time  int64 // of all threads
	Gains [len(Faster)]int64
}

// CausalProfile implements Replayed.
func (r *Run) CausalProfile() ([]Causal, error) {
	return causalProfile(r.Ctx, r.regions(), r.RegionName, r.fasterRegion)
}

// causalProfile returns the profile of some regions. faster makes a region take less time on all threads, and returns
// the gain of the run, and the region's time.
func causalProfile(ctx context.Context, regions []int32, name func(region int32) string,
	faster func(region int32, share float64) (gain, time int64)) (list []Causal, err error) {
	for _, region := range regions {
		x := Causal{Name: name(region)}
		for i, share := range Faster {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			x.Gains[i], x.Time = faster(region, share)
		}
		list = append(list, x)
	}
	last := len(Faster) - 1
	slices.SortStableFunc(list, func(x, y Causal) int { return cmp.Compare(y.Gains[last], x.Gains[last]) })
	return list, nil
}

// TwiceAsFast returns the region with the largest gain if it takes half of its time on all threads, and that gain. The
// only error is the context's.
func (r *Run) TwiceAsFast() (name string, gain int64, err error) {
	for _, region := range r.regions() {
		if r.Ctx.Err() != nil {
			return "", 0, r.Ctx.Err()
		}
		if g, _ := r.fasterRegion(region, 0.5); g > gain {
			name, gain = r.RegionName(region), g
		}
	}
	return name, gain, nil
}

// fasterRegion makes a region take less time on all threads, and returns the gain of the run, and the region's time.
func (r *Run) fasterRegion(region int32, share float64) (gain, time int64) {
	e := r.NewEdit()
	for th := range int32(r.threads) {
		r.eachOf(region, th, func(s *cause.Stretch) {
			e.Add(s.Node, -int64(share*float64(s.Length())))
			time += s.Length()
		})
	}
	return r.Gain(e), time
}
