package sim

import (
	"math/rand/v2"
	"slices"
)

// Random draws the values of parameters with a distribution.
type Random struct{ of [len(Variables)]source }

type source struct {
	from  Sampler // nil: the machine's own value
	added bool
}

// NewRandom returns nil if all parameters of the machine are fixed.
func NewRandom(m *Machine) *Random {
	if len(m.Random) == 0 {
		return nil
	}
	r := &Random{}
	for _, v := range m.Random {
		at := slices.Index(Variables[:], v.Parameter)
		r.of[at] = source{v.sampler(rand.NewPCG(m.Seed, uint64(at))), v.Added}
	}
	return r
}

// redraws bounds the attempts to draw a value >= 0; values added to a small one may never reach it.
const redraws = 1000

// draw returns the value of a parameter for one use. A bandwidth of 0 (infinite) stays: nothing can be added to it.
func (r *Random) draw(v Variable, fixed float64) float64 {
	d := &r.of[v]
	if d.from == nil || d.added && fixed == 0 &&
		(v == VaryBandwidth || v == VaryLocalBandwidth || v == VaryWANBandwidth) {
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

// Drawn returns the value of a parameter for one use, PerByteOf the time per byte.

func (r *Random) Drawn(v Variable, fixed float64) float64 {
	if r == nil {
		return fixed
	}
	return r.draw(v, fixed)
}

func (r *Random) PerByteOf(v Variable, bandwidth, fixed float64) float64 {
	if r == nil || r.of[v].from == nil {
		return fixed
	}
	return NsPerByte(r.draw(v, bandwidth))
}
