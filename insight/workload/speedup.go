package workload

// Runs of a program on different numbers of processors: speedup, efficiency, efficacy, and the execution signature.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pview/insight/workload/fit"
)

// Scale is a run on P processors.
type Scale struct {
	P                             int
	T                             float64 // execution time
	Speedup, Efficiency, Efficacy float64
}

// Signature describes how the execution time depends on the processors.
type Signature struct {
	Runs []Scale
	// Relative: there is no run on one processor; the speedup is relative to the smallest run, whose speedup is set to
	// its number of processors.
	Relative bool
	// WorkingSet is the number of processors with the greatest efficacy (S^2/p).
	WorkingSet int
	// Fits are c0 + c1/p and its extensions, if there are enough runs.
	Fits []*fit.Curve
	// FittedSet is c1/c0 of the first fit, and FittedEfficacy the efficacy there; NaN if none.
	FittedSet, FittedEfficacy float64
}

// signatureOf compares runs, by processors and execution times. The shortest of several runs on the same number counts.
func signatureOf(processors []int, times []float64) (*Signature, error) {
	best := map[int]float64{}
	for i, p := range processors {
		if p < 1 || !(times[i] > 0) {
			return nil, fmt.Errorf("a run of %v ns on %d processors: must be > 0", times[i], p)
		}
		if t, ok := best[p]; !ok || times[i] < t {
			best[p] = times[i]
		}
	}
	s := &Signature{FittedSet: math.NaN(), FittedEfficacy: math.NaN()}
	for p, t := range best {
		s.Runs = append(s.Runs, Scale{P: p, T: t})
	}
	if len(s.Runs) == 0 {
		return nil, fmt.Errorf("no runs")
	}
	slices.SortFunc(s.Runs, func(a, b Scale) int { return cmp.Compare(a.P, b.P) })
	base := float64(s.Runs[0].P) * s.Runs[0].T
	s.Relative = s.Runs[0].P != 1
	var x, y []float64
	greatest := 0.0
	for i := range s.Runs {
		r := &s.Runs[i]
		p := float64(r.P)
		r.Speedup = base / r.T
		r.Efficiency = r.Speedup / p
		r.Efficacy = r.Speedup * r.Efficiency
		if r.Efficacy > greatest {
			greatest, s.WorkingSet = r.Efficacy, r.P
		}
		x, y = append(x, p), append(y, r.T)
	}
	for _, name := range []string{"amdahl", "overhead", "log-overhead"} {
		if c, err := fit.FormByName(name).Fit(x, y); err == nil && len(x) > 1 {
			s.Fits = append(s.Fits, c)
		}
	}
	if len(s.Fits) > 0 && s.Fits[0].Name == "amdahl" {
		c0, c1 := s.Fits[0].Coefficients[0], s.Fits[0].Coefficients[1]
		if c0 > 0 && c1 > 0 {
			p := c1 / c0
			speedup := (c0 + c1) / (c0 + c1/p)
			s.FittedSet, s.FittedEfficacy = p, speedup*speedup/p
		}
	}
	return s, nil
}
