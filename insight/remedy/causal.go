package remedy

// The causal profile (Curtsinger and Berger, SOSP 2015): what the run gains when a region is faster on all threads. It
// is a table, and never a finding: something faster always gains.

import (
	"cmp"
	"context"
	"slices"

	"pview/insight/cause"
)

// Faster are the shares of the time of a region that the causal profile takes away.
var Faster = [...]float64{0.1, 0.2, 0.5}

// Causal is a region of the causal profile. Times are in the trace's unit.
type Causal struct {
	Name  string
	Time  int64 // of all threads
	Gains [len(Faster)]int64
}

// CausalProfile simulates each region that takes 0.5 % of the run or more with less time on all threads. The one that
// gains most comes first. The error is that of the context.
func (r *Run) CausalProfile() ([]Causal, error) {
	return causalProfile(r.Ctx, r.regions(), r.RegionName, r.fasterRegion)
}

// causalProfile is that of some regions, of which faster is what the run gains when one takes less of its time.
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

// TwiceAsFast is the region that gains the run most when it takes half of its time on all threads, and that gain. The
// error is that of ctx.
func TwiceAsFast(ctx context.Context, c *cause.Run) (name string, gain int64, err error) {
	r := NewRun(ctx, c)
	for _, region := range r.regions() {
		if ctx.Err() != nil {
			return "", 0, ctx.Err()
		}
		if g, _ := r.fasterRegion(region, 0.5); g > gain {
			name, gain = r.RegionName(region), g
		}
	}
	return name, gain, nil
}

// fasterRegion is what the run gains when a region takes less of its time, which it returns too, on all threads.
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

// Together is what the first two of some candidates gain as one change, and what all gain.
func Together(c *cause.Run, list []*Candidate) (two, all int64) {
	e := c.NewEdit()
	n := 0
	for _, x := range list {
		if x.Edit == nil {
			continue
		}
		if e = e.Join(x.Edit); n == 1 {
			two = c.Gain(e)
		}
		n++
	}
	if n < 2 {
		return 0, 0
	}
	return two, c.Gain(e)
}
