package study

// Samples: the numbers in (0, 1) from which the variables of each run are drawn.
//
// The stream of a run is derived from the seed of the study and the index of the run, and the stream of a variable from
// the run's: so the table is the same with any number of workers, hosts or restarts, and an additional variable does
// not change the values of the others. A run's draws may also depend on the number of runs (Latin hypercube,
// correlations), never on another run.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Sampling is a way to spread the runs over the space of the variables.
type Sampling uint8

// The samplings, in the order of Samplings.
const (
	RandomSampling Sampling = iota
	LatinSampling
	SobolSampling
)

// Samplings names them.
var Samplings = []struct{ Name, Doc string }{
	{"random", "independent"},
	{"latin", "Latin hypercube: N runs take one value of each of N equally likely slices of every variable"},
	{"sobol", "Sobol' sequence, shifted by the seed: evenly spread in all variables at once"},
}

// SamplingByName finds a sampling.
func SamplingByName(name string) (Sampling, error) {
	var names []string
	for i, s := range Samplings {
		if s.Name == name {
			return Sampling(i), nil
		}
		names = append(names, s.Name)
	}
	return 0, fmt.Errorf("there is no sampling %q, but %s", name, strings.Join(names, ", "))
}

// Draw is the sample of a run.
type Draw struct {
	Inputs []float64 // by variable
	// Redraws counts the values outside of the physical range of their quantity, which were redrawn.
	Redraws int
}

// mix returns a step of SplitMix64: nearby seeds give unrelated streams.
func mix(a, b uint64) uint64 {
	z := a + (b+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// runSeed returns the seed of a run: below 2^53, so that it is exact in every format.
func runSeed(seed uint64, index int) uint64 { return mix(mix(seed, 0), uint64(index)) >> 11 }

// stream returns the numbers of a variable in a run.
func stream(seed uint64, index, variable int) *rand.Rand {
	s := runSeed(seed, index)
	return rand.New(rand.NewPCG(mix(s, uint64(variable)), s))
}

// open returns a number in the open interval (0, 1).
func open(r *rand.Rand) float64 { return (float64(r.Uint64()>>11) + 0.5) / (1 << 53) }

// Sample are the draws of n runs of some variables.
type Sample struct {
	Variables []Variable
	Seed      uint64
	n         int
	place     func(run, variable int, r *rand.Rand) float64
}

// MaxRuns bounds the runs of a study.
const MaxRuns = 1 << 20

// CheckRuns reports an impossible number of runs.
func CheckRuns(n int) error {
	if n < 1 || n > MaxRuns {
		return fmt.Errorf("%d runs: must be from 1 to %d", n, MaxRuns)
	}
	return nil
}

// NewSample prepares the draws. correlation is the matrix of the variables' rank correlations; nil: they are
// independent.
func NewSample(variables []Variable, n int, seed uint64, how Sampling, correlation *mat.SymDense) (*Sample, error) {
	if err := CheckRuns(n); err != nil {
		return nil, err
	}
	s := &Sample{Variables: variables, Seed: seed, n: n}
	switch how {
	case LatinSampling:
		s.place = latin(seed, n, len(variables))
	case SobolSampling:
		if len(variables) > maxSobol {
			return nil, fmt.Errorf("%d variables: the Sobol' sequence has %d; sample latin or random", len(variables),
				maxSobol)
		}
		s.place = sobol(seed, len(variables))
	default:
		s.place = func(_, _ int, r *rand.Rand) float64 { return open(r) }
	}
	if correlation != nil {
		return s, s.correlate(correlation)
	}
	return s, nil
}

// Len returns the number of runs.
func (s *Sample) Len() int { return s.n }

// mostRedraws bounds the attempts to draw a value in the physical range.
const mostRedraws = 10_000

// At draws the variables of a run.
func (s *Sample) At(run int) (d Draw, err error) {
	d.Inputs = make([]float64, len(s.Variables))
	for k := range s.Variables {
		v := &s.Variables[k]
		r := stream(s.Seed, run, k)
		x, physical := v.At(s.place(run, k, r))
		for n := 0; !physical; n++ {
			if n == mostRedraws {
				return d, fmt.Errorf("%s: hardly any value of its density is physical", v.Name)
			}
			d.Redraws++
			x, physical = v.At(open(r))
		}
		d.Inputs[k] = x
	}
	return d, nil
}

// latin places run i in slice order[i] of n, at a random position.
func latin(seed uint64, n, variables int) func(run, variable int, r *rand.Rand) float64 {
	order := make([][]uint32, variables)
	for k := range order {
		order[k] = shuffled(seed, n, k)
	}
	return func(run, variable int, r *rand.Rand) float64 {
		return (float64(order[variable][run]) + open(r)) / float64(n)
	}
}

// shuffled returns a permutation of 0..n-1 for a variable of the whole study.
func shuffled(seed uint64, n, variable int) []uint32 {
	r := rand.New(rand.NewPCG(mix(seed, 1), mix(seed, uint64(variable)+2)))
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	r.Shuffle(n, func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list
}

// ErrCorrelation reports a matrix that is not a correlation matrix.
var ErrCorrelation = errors.New("this is not a correlation matrix: it must be positive definite; the correlations " +
	"contradict each other")

// Correlations makes the matrix of rank correlations of variables from pairs, A:B=0.8.
func Correlations(variables []Variable, pairs []string) (*mat.SymDense, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	c := mat.NewSymDense(len(variables), nil)
	for i := range variables {
		c.SetSym(i, i, 1)
	}
	for _, text := range pairs {
		a, b, rho, err := parsePair(variables, text)
		if err != nil {
			return nil, err
		}
		if c.At(a, b) != 0 {
			return nil, fmt.Errorf("%q: the correlation of these variables is given twice", text)
		}
		c.SetSym(a, b, rho)
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		return nil, ErrCorrelation
	}
	return c, nil
}

// parsePair reads A:B=RHO. Names may contain colons themselves.
func parsePair(variables []Variable, text string) (a, b int, rho float64, err error) {
	names, value, ok := strings.Cut(text, "=")
	if _, err := fmt.Sscanf(strings.TrimSpace(value), "%g", &rho); !ok || err != nil || !(math.Abs(rho) < 1) {
		return 0, 0, 0, fmt.Errorf("%q must be A:B=CORRELATION, with a correlation > -1 and < 1", text)
	}
	for i := range variables {
		for j := range variables {
			if i != j && strings.TrimSpace(names) == variables[i].Name+":"+variables[j].Name {
				return i, j, rho, nil
			}
		}
	}
	return 0, 0, 0, fmt.Errorf("%q: %s must be two of the random variables", text, names)
}

// correlate reorders the numbers of each variable among the runs, which keeps its density, so that the ranks have about
// the given correlations (Iman and Conover, Communications in Statistics B 11, 1982): it makes scores with exactly
// these correlations, and orders the numbers by their ranks.
func (s *Sample) correlate(target *mat.SymDense) error {
	k := len(s.Variables)
	if s.n <= k {
		return fmt.Errorf("correlated variables need more runs than variables (%d)", k)
	}
	scores := mat.NewDense(s.n, k, nil)
	bell := distuv.Normal{Sigma: 1}
	for v := range k {
		for run, rank := range shuffled(mix(s.Seed, 3), s.n, v) {
			scores.Set(run, v, bell.Quantile((float64(rank)+1)/(float64(s.n)+1)))
		}
	}
	var have mat.SymDense
	stat.CorrelationMatrix(&have, scores, nil)
	var p, q mat.Cholesky
	if !p.Factorize(target) {
		return ErrCorrelation
	}
	if !q.Factorize(&have) {
		return errors.New("too few runs for correlated variables")
	}
	// scores * inverse(Q)' * P' has the correlations P P', where Q Q' are the scores' own.
	var pu, qu mat.TriDense
	p.UTo(&pu)
	q.UTo(&qu)
	var inverse mat.TriDense
	if err := inverse.InverseTri(&qu); err != nil {
		return err
	}
	var turn mat.Dense
	turn.Mul(&inverse, &pu)
	var goal mat.Dense
	goal.Mul(scores, &turn)

	place := s.place
	numbers := make([][]float64, k) // by variable and run
	for v := range k {
		own := make([]float64, s.n)
		for run := range own {
			own[run] = place(run, v, stream(s.Seed, run, v))
		}
		slices.Sort(own)
		numbers[v] = make([]float64, s.n)
		for rank, run := range order(mat.Col(nil, v, &goal)) {
			numbers[v][run] = own[rank]
		}
	}
	s.place = func(run, variable int, r *rand.Rand) float64 {
		r.Uint64() // redraws use the numbers after the first
		return numbers[variable][run]
	}
	return nil
}

// order lists the indices of values in ascending order of the values.
func order(values []float64) []int {
	list := make([]int, len(values))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	return list
}
