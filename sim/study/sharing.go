package study

// Programs that share processors: the slowdown of each, fairness, and the gain over running them sequentially. The
// thesis uses the word slowdown for three things in the three studies of chapter 8; here each has its own name.

import (
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Sharing are the indices of programs that share processors, from their times alone and shared. Lists are by program.
type Sharing struct {
	// Slowdowns are shared / alone, >= 1; SlowdownRatio is the largest / the smallest: 1 is fair (section 8.1: S and
	// SR).
	Slowdowns     []float64
	SlowdownRatio float64
	// Speeds are alone / shared: the relative speed, up to 1 (sections 8.2 and 8.3: S_i). Gain is their sum: above 1
	// sharing beats sequential runs (8.2: S).
	Speeds []float64
	Gain   float64
	// Sequential is the sequential time of the work done until the slowest program ends: the others are repeated until
	// then, Repeats times. Divided by the slowest's time it equals Gain (8.2: T_sec, N_i).
	Sequential float64
	Repeats    []float64
	// Unfairness is the sample standard deviation of the speeds: 0 is fair (8.2: fairness).
	Unfairness float64
	// Fair: no program has less than its share of the processors, 1/n of its speed alone (8.3).
	Fair bool
	// Batch and Shared are throughputs, programs completed per unit of time, sequential and shared (8.3: Th_d, Th_s).
	Batch, Shared float64
}

// ErrSharing reports that the indices are undefined.
var ErrSharing = errors.New("each program needs a time alone and a time shared, above 0, in the same unit")

// Share returns the indices.
func Share(alone, shared []float64) (*Sharing, error) {
	if len(alone) == 0 || len(alone) != len(shared) {
		return nil, ErrSharing
	}
	s := &Sharing{Fair: true}
	slowest := 0.0
	for i := range alone {
		if !(alone[i] > 0) || !(shared[i] > 0) || math.IsInf(alone[i], 0) || math.IsInf(shared[i], 0) {
			return nil, ErrSharing
		}
		slowest = max(slowest, shared[i])
	}
	for i := range alone {
		s.Slowdowns = append(s.Slowdowns, shared[i]/alone[i])
		s.Speeds = append(s.Speeds, alone[i]/shared[i])
		s.Repeats = append(s.Repeats, slowest/shared[i])
		s.Sequential += alone[i] * slowest / shared[i]
		s.Shared += 1 / shared[i]
	}
	s.SlowdownRatio = slices.Max(s.Slowdowns) / slices.Min(s.Slowdowns)
	s.Gain = floats.Sum(s.Speeds)
	if len(alone) > 1 {
		s.Unfairness = stat.StdDev(s.Speeds, nil)
	}
	s.Fair = IsFair(s.Speeds)
	s.Batch = float64(len(alone)) / floats.Sum(alone)
	return s, nil
}

// Plan returns the study of the programs: their times, ns, and their slowdowns, speeds and repeats.
func (s *Sharing) Plan(names []string, alone, shared []float64) (*Plan, error) {
	var list []Measurement
	for i := range names {
		list = append(list, Measurement{[]float64{float64(i), alone[i], shared[i]},
			[]float64{s.Slowdowns[i], s.Speeds[i], s.Repeats[i]}})
	}
	return measured("share", strings.Join(names, ", "),
		[]Column{{Name: "program", Levels: names}, {Name: "alone", Unit: "ns"}, {Name: "shared", Unit: "ns"}},
		[]Column{{Name: "slowdown"}, {Name: "speed"}, {Name: "repeats"}}, list)
}

// IsFair reports whether each of n programs keeps at least 1/n of its speed alone (section 8.3).
func IsFair(speeds []float64) bool { return slices.Min(speeds) >= 1/float64(len(speeds)) }
