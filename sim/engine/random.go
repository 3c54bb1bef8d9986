package engine

import (
	"math/rand/v2"
	"slices"

	"pview/sim"
)

// rng draws the values of the parameters that have a distribution.
type rng struct{ of [len(sim.Variables)]source }

type source struct {
	from  sim.Sampler // nil: the machine's own value
	added bool
}

// newRNG returns nil for a machine all of whose parameters are fixed.
func newRNG(m *sim.Machine) *rng {
	if len(m.Random) == 0 {
		return nil
	}
	r := &rng{}
	for _, v := range m.Random {
		at := slices.Index(sim.Variables[:], v.Parameter)
		r.of[at] = source{v.Sampler(rand.NewPCG(m.Seed, uint64(at))), v.Added}
	}
	return r
}

// redraws bounds the attempts to draw a value >= 0; values that are added to a small one may never reach it.
const redraws = 1000

// draw returns the value of a parameter for one use. A bandwidth of 0 (infinite) has nothing to add to, and stays.
func (r *rng) draw(v sim.Variable, fixed float64) float64 {
	d := &r.of[v]
	if d.from == nil || d.added && fixed == 0 &&
		(v == sim.VaryBandwidth || v == sim.VaryLocalBandwidth || v == sim.VaryWANBandwidth) {
		return fixed
	}
	for range redraws {
		x := d.from.Rand()
		if d.added {
			x += fixed
		}
		if x >= 0 {
			return x
		}
	}
	return 0
}

// drawn returns the value of a parameter for one use, perByteOf the time of a byte.

func (r *rng) drawn(v sim.Variable, fixed float64) float64 {
	if r == nil {
		return fixed
	}
	return r.draw(v, fixed)
}

func (r *rng) perByteOf(v sim.Variable, bandwidth, fixed float64) float64 {
	if r == nil || r.of[v].from == nil {
		return fixed
	}
	return sim.NsPerByte(r.draw(v, bandwidth))
}
