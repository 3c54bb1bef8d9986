package study

// The blocks worth speeding up (thesis, section 3.7.3): the run is simulated with each block in turn faster by some
// factor. The gain ranges from nothing, if the block's threads then wait for others, to more than the block's own share
// of the time, if others wait for it.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pview/prv/extrae"
	"pview/sim"
)

// Block is a block of a program: from an event of the type with the value to one with value 0.
type Block struct {
	Type  uint32
	Value int64
	// Computation is the time over all threads, ns, in which the block is the innermost one.
	Computation float64
}

// DefaultBlocks are the event types of user functions: those of tracers, OpenMP's outlined ones, and the block of the
// thesis.
var DefaultBlocks = []uint32{extrae.UserFunction, extrae.OpenMPOutlined, extrae.Block}

// BlocksOf returns the blocks with computation among the given event types, longest first, and the computation outside
// of all blocks.
func BlocksOf(p *sim.Program, types []uint32) (blocks []Block, outside float64) {
	type key struct {
		typ   uint32
		value int64
	}
	sums := map[key]float64{}
	for i := range p.Threads {
		th := &p.Threads[i]
		var open []key
		since := 0.0 // computation since the innermost block changed
		settle := func() {
			if n := len(open); n > 0 {
				sums[open[n-1]] += since
			} else {
				outside += since
			}
			since = 0
		}
		for row, kind := range th.Kinds() {
			switch kind {
			case sim.Compute:
				since += th.Burst(row)
			case sim.Event:
				typ, value := th.Event(row)
				if !slices.Contains(types, typ) {
					continue
				}
				settle()
				if k := (key{typ, value}); k.value != 0 {
					open = append(open, k)
					continue
				}
				for n := len(open) - 1; n >= 0; n-- {
					if open[n].typ == typ {
						open = slices.Delete(open, n, n+1)
						break
					}
				}
			}
		}
		settle()
	}
	for k, ns := range sums {
		if ns > 0 {
			blocks = append(blocks, Block{k.typ, k.value, ns})
		}
	}
	slices.SortFunc(blocks, func(a, b Block) int {
		return cmp.Or(cmp.Compare(b.Computation, a.Computation), cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.Value, b.Value))
	})
	return blocks, outside
}

// Gain is the gain when a block computes faster.
type Gain struct {
	Block
	Total int64   // of the run then, ns
	Saved float64 // share of the run's time
	// Yield is the run's gain relative to the mean gain of the threads: 1 if all threads gain equally, 0 if the gain
	// turns into waiting, and up to the number of threads if one thread computes the block and all wait for it.
	Yield float64
}

// Faster simulates the run once unchanged and once for each block, which then computes factor times as fast (below 1:
// slower). Blocks nested in it keep their speed. Gains are ordered by time saved, most first.
func Faster(ctx context.Context, s Case, blocks []Block, factor float64, opt Options) (gains []Gain, base Figures,
	err error) {
	s.Rules[sim.ModuleNesting] = sim.ModulesNest
	s.Room = false // the machine is already fit
	cases := []Case{s}
	for i := range blocks {
		m := s.Machine.Clone()
		for k, b := range blocks { // name all blocks, so that a nested one does not count as its outer block
			mod := s.Machine.Block(b.Type, b.Value)
			switch {
			case k != i:
			case mod.Ratio < 0: // a fixed length
				mod.Ratio /= factor
			default:
				mod.Ratio *= factor
			}
			m.SetModule(sim.Module{Type: b.Type, Value: b.Value, Ratio: 1}) // drops an earlier setting
			m.Modules = append(m.Modules, mod)
		}
		faster := s
		faster.Machine, faster.Name = m, fmt.Sprintf("%d:%d faster", blocks[i].Type, blocks[i].Value)
		cases = append(cases, faster)
	}
	outcomes, err := Run(ctx, cases, opt)
	if err != nil {
		return nil, base, err
	}
	for i := range outcomes {
		if outcomes[i].Err != nil {
			return nil, base, outcomes[i].Err
		}
	}
	base = outcomes[0].Figures
	for i, b := range blocks {
		g := Gain{Block: b, Total: outcomes[i+1].Total}
		saved := float64(base.Total - g.Total)
		if base.Total > 0 {
			g.Saved = saved / float64(base.Total)
		}
		if mean := b.Computation * (1 - 1/factor) / float64(max(base.Threads, 1)); mean != 0 {
			g.Yield = saved / mean
		}
		gains = append(gains, g)
	}
	slices.SortStableFunc(gains, func(a, b Gain) int { return cmp.Compare(a.Total, b.Total) })
	return gains, base, nil
}
