package compare

// The spread between runs of one configuration.

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"pview/prv/wide"
)

// SetNoise sets the noise of each part: twice its standard deviation over A and others, which are runs of the same
// configuration. The only error is ctx's.
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
			values = append(values, 0) // not every run has the part
		}
		p.Noise = wide.Nearest(2 * stat.StdDev(values, nil))
	}
	return nil
}
