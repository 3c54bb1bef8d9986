package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pview/insight/report"
	"pview/prv/wide"
)

// Result is the difference between two runs.
type Result struct {
	A, B *Run
	// Scaled is set with different numbers of threads: times are sums over the threads.
	Scaled bool
	// Alike is unset when fewer than half of the phases have a partner that does about the same: if so, phases are not
	// compared.
	Alike bool
	Pairs []Pair
	// Parts are the parts of the difference, by kind in order, the largest first.
	Parts []Part
	// Computing divides the difference in computing time; nil without counters.
	Computing *Split

	causes  []change
	partner []int // threads of B by those of A
	repeats *Repeats
}

// Matching pairs parts of two runs by hand.
type Matching struct {
	// Pins are pairs of phases, from 0.
	Pins []Pair
	// Threads has the thread of B for each thread of A; nil: the same.
	Threads []int
}

// alikeEnough is the distance of signatures up to which phases do about the same.
const alikeEnough = one / 2

// Compare compares two runs. The error is ctx's, or says why pins or threads are wrong.
func Compare(ctx context.Context, a, b *Run, m Matching) (*Result, error) {
	c := &Result{A: a, B: b, Scaled: a.Threads != b.Threads}
	if a.devices != b.devices {
		return nil, errors.New("one has devices, the other has not: their times are not of the same kind")
	}
	partner, err := c.partners(m.Threads)
	if err != nil {
		return nil, err
	}
	c.partner = partner
	if err := checkPins(a, b, m.Pins); err != nil {
		return nil, err
	}
	if c.Pairs, err = align(ctx, a, b, m.Pins); err != nil {
		return nil, err
	}
	c.Alike = alike(a, b, c.Pairs)
	c.phaseParts()
	c.parts(ByCategory, times{a.byCategory(), b.byCategory()})
	c.parts(ByCall, times{a.calls, b.calls})
	c.parts(ByFunction, times{a.funcs, b.funcs})
	c.parts(ByWait, times{a.waits, b.waits})
	if !c.Scaled { // threads have no partners
		c.parts(ByCause, times{a.byCause(a.names), b.byCause(namesInA(a, b, partner))})
	}
	c.rankParts(partner)
	finder{c}.find(partner)
	c.Computing = split(c)
	return c, nil
}

// partners returns the threads of B by those of A.
func (c *Result) partners(given []int) ([]int, error) {
	if given == nil || c.Scaled {
		list := make([]int, len(c.A.thread))
		for i := range list {
			list[i] = i
		}
		return list, nil
	}
	seen := map[int]bool{}
	for _, b := range given {
		if b < 0 || b >= c.B.Threads || seen[b] {
			return nil, fmt.Errorf("the map of threads must name each of the %d threads of B once", c.B.Threads)
		}
		seen[b] = true
	}
	if len(given) != c.A.Threads {
		return nil, fmt.Errorf("the map of threads has %d threads, the runs have %d", len(given), c.A.Threads)
	}
	return given, nil
}

// namesInA returns the names of the threads of B: those of their partners in A.
func namesInA(a, b *Run, partner []int) []string {
	names := make([]string, len(b.names))
	for i, in := range partner {
		names[in] = a.names[i]
	}
	return names
}

func checkPins(a, b *Run, pins []Pair) error {
	for _, p := range pins {
		if p.A < 0 || p.A >= len(a.phases) || p.B < 0 || p.B >= len(b.phases) {
			return fmt.Errorf("no phases %d and %d: the runs have %d and %d", p.A+1, p.B+1, len(a.phases),
				len(b.phases))
		}
	}
	return nil
}

// alike reports whether at least half of the phases of two runs do about the same as their partner.
func alike(a, b *Run, pairs []Pair) bool {
	n := 0
	for _, p := range pairs {
		if p.A >= 0 && p.B >= 0 {
			ga, gb := &a.groups[a.phases[p.A].Group], &b.groups[b.phases[p.B].Group]
			if ga.Distance(&gb.Signature)*one <= alikeEnough {
				n++
			}
		}
	}
	return 2*n >= max(len(a.phases), len(b.phases))
}

// Times returns the run times in ns; summed over all threads if the runs have different numbers of threads.
func (c *Result) Times() (a, b wide.Int) {
	return c.scale(c.A, c.A.Duration), c.scale(c.B, c.B.Duration)
}

// Difference returns the time of B less that of A.
func (c *Result) Difference() wide.Int {
	a, b := c.Times()
	return b.Minus(a)
}

// change returns the difference relative to A.
func (c *Result) change() float64 {
	a, b := c.Times()
	return report.RatioOf(b.Minus(a), a)
}

// share returns a part's share of the difference.
func (c *Result) share(p *Part) float64 { return report.RatioOf(p.Difference(), c.Difference()) }

// Of returns the parts of a kind.
func (c *Result) Of(k Kind) []Part {
	first := slices.IndexFunc(c.Parts, func(p Part) bool { return p.Kind == k })
	if first < 0 {
		return nil
	}
	last := first
	for last < len(c.Parts) && c.Parts[last].Kind == k {
		last++
	}
	return c.Parts[first:last]
}

// Split divides the difference in computing time t = I / (IPC f) by its factors. With the logarithmic mean L = (t_B -
// t_A) / ln(t_B / t_A) of the times there is no remainder (LMDI): I contributes L ln(I_B/I_A), IPC and f contribute -L
// ln(IPC_B/IPC_A) and -L ln(f_B/f_A). Times are ns, means over the threads (sums with different numbers).
type Split struct {
	A, B                         [3]float64 // instructions; IPC; frequency in GHz
	TimeA, TimeB                 float64
	Instructions, IPC, Frequency float64
}

func split(c *Result) *Split {
	a, b := c.A, c.B
	for _, v := range []float64{a.Instructions, a.Cycles, b.Instructions, b.Cycles} {
		if math.IsNaN(v) || v <= 0 {
			return nil
		}
	}
	if a.Useful.Sign() <= 0 || b.Useful.Sign() <= 0 {
		return nil
	}
	per := func(r *Run) float64 {
		if c.Scaled {
			return 1
		}
		return float64(r.Threads)
	}
	s := &Split{TimeA: a.Useful.Float() / per(a), TimeB: b.Useful.Float() / per(b),
		A: [3]float64{a.Instructions / per(a), a.Instructions / a.Cycles, a.Cycles / a.Useful.Float()},
		B: [3]float64{b.Instructions / per(b), b.Instructions / b.Cycles, b.Cycles / b.Useful.Float()}}
	s.divide()
	return s
}

// divide computes the parts.
func (s *Split) divide() {
	l := s.TimeA
	if s.TimeA != s.TimeB {
		l = (s.TimeB - s.TimeA) / math.Log(s.TimeB/s.TimeA)
	}
	s.Instructions = l * math.Log(s.B[0]/s.A[0])
	s.IPC = 0 - l*math.Log(s.B[1]/s.A[1]) // -l*0 would be -0
	s.Frequency = 0 - l*math.Log(s.B[2]/s.A[2])
}

// Where returns the phases of both runs in which a part differs most; ok is false if the part has no particular place.
func (c *Result) Where(p *Part) (where Pair, ok bool) {
	most := wide.Of(-1)
	for _, pair := range c.Pairs {
		d, has := c.differenceIn(p, pair)
		if d = d.Abs(); has && d.Compare(most) > 0 {
			most, where = d, pair
		}
	}
	return where, most.Sign() >= 0
}

// differenceIn returns the difference of a part in a pair of phases, in ns of all threads; has is false if the part is
// not bound to phases.
func (c *Result) differenceIn(p *Part, pair Pair) (d wide.Int, has bool) {
	switch p.Kind {
	case ByPhase:
		name, a, b := c.describe(pair)
		return wide.Of(b - a), name == p.Name
	case ByCategory:
		cat := categoryOf(p.Name)
		if pair.A >= 0 {
			d = d.Minus(c.A.spent[pair.A][cat].Times(c.A.unit))
		}
		if pair.B >= 0 {
			d = d.Plus(c.B.spent[pair.B][cat].Times(c.B.unit))
		}
		return d, true
	case ByRanks:
		_, a, b := c.describe(pair)
		return wide.Of(b - a), true
	}
	return d, false
}
