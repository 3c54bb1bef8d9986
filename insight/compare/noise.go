package compare

// How much runs of one configuration differ from each other.

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"pview/prv/wide"
)

// SetNoise gives the parts the noise of A: twice the standard deviation of the part in A and in others, which are runs
// of the same configuration. The error is that of ctx.
func (c *Result) SetNoise(ctx context.Context, others []*Run) error {
	if len(others) == 0 {
		return nil
	}
	type key struct {
		kind Kind
		name string
	}
	seen := map[key][]float64{}
	for _, o := range others {
		r, err := Compare(ctx, c.A, o, Matching{})
		if err != nil {
			return err
		}
		for i := range r.Parts {
			k := key{r.Parts[i].Kind, r.Parts[i].Name}
			seen[k] = append(seen[k], r.Parts[i].B.Float())
		}
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		values := append([]float64{p.A.Float()}, seen[key{p.Kind, p.Name}]...)
		for len(values) <= len(others) {
			values = append(values, 0) // the part is not in every run
		}
		p.Noise = wide.Nearest(2 * stat.StdDev(values, nil))
	}
	return nil
}
