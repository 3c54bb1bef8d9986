package compare

// Several runs per side: whether a difference is larger than the spread between runs of the same program.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"pview/prv/quantity"
)

// Repeats are runs of the configurations of A and of B, with A and B themselves first.
type Repeats struct{ A, B []*Run }

// SetRepeats gives a comparison more runs of A's and of B's configuration.
func (c *Result) SetRepeats(a, b []*Run) {
	c.repeats = &Repeats{append([]*Run{c.A}, a...), append([]*Run{c.B}, b...)}
}

// Sample is a figure in several runs of each side.
type Sample struct{ A, B []float64 }

// sample reads a figure of all runs.
func (c *Result) sample(figure func(r *Run) float64) (s Sample) {
	runs := c.repeats
	if runs == nil {
		runs = &Repeats{[]*Run{c.A}, []*Run{c.B}}
	}
	for _, r := range runs.A {
		s.A = append(s.A, figure(r))
	}
	for _, r := range runs.B {
		s.B = append(s.B, figure(r))
	}
	return s
}

// Repeated reports whether a side has more than one run.
func (s *Sample) Repeated() bool { return len(s.A) > 1 || len(s.B) > 1 }

// Means returns the means of both sides.
func (s *Sample) Means() (a, b float64) { return stat.Mean(s.A, nil), stat.Mean(s.B, nil) }

// Spread returns the standard deviation within the sides.
func (s *Sample) Spread() float64 {
	sum, n := 0.0, 0
	for _, side := range [][]float64{s.A, s.B} {
		if len(side) > 1 {
			sum += stat.Variance(side, nil) * float64(len(side)-1)
			n += len(side) - 1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / float64(n))
}

// Sure is the probability of chance up to which a difference is more than noise.
const Sure = 0.05

// mostDivisions is the maximum number of divisions for an exhaustive test; beyond it, a test samples as many.
const mostDivisions = 20_000

// Chance returns the share of divisions of all runs in two sides whose means are at least as far apart (a permutation
// test), and the smallest share possible with this number of runs.
func (s *Sample) Chance() (p, least float64) {
	all := append(append([]float64{}, s.A...), s.B...)
	n, k := len(all), len(s.B)
	whole := 0.0
	for _, v := range all {
		whole += v
	}
	apart := func(chosen []int) float64 {
		sum := 0.0
		for _, i := range chosen {
			sum += all[i]
		}
		return math.Abs(sum/float64(k) - (whole-sum)/float64(n-k))
	}
	own := make([]int, k)
	for i := range own {
		own[i] = n - k + i
	}
	limit := apart(own) * (1 - 1e-9)
	divisions, at := math.Exp(combin.LogGeneralizedBinomial(float64(n), float64(k))), 0
	least = 1 / divisions
	if n == 2*k {
		least *= 2
	}
	if divisions <= mostDivisions {
		list := combin.Combinations(n, k)
		for _, chosen := range list {
			if apart(chosen) >= limit {
				at++
			}
		}
		return float64(at) / float64(len(list)), least
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same answer each time
	for range mostDivisions {
		if apart(random.Perm(n)[:k]) >= limit {
			at++
		}
	}
	return float64(at+1) / (mostDivisions + 1), least
}

// needed returns the number of runs of each side needed to show the difference in four of five cases; 0 if no number is
// enough.
func (s *Sample) needed() int {
	a, b := s.Means()
	d, spread := math.Abs(b-a), s.Spread()
	if d == 0 {
		return 0
	}
	const both = 1.96 + 0.84 // normal quantiles for Sure and for four of five
	return max(int(math.Ceil(2*math.Pow(both*spread/d, 2))), leastRuns)
}

// leastRuns is the minimum number of runs per side for a conclusive permutation test.
const leastRuns = 4

// Beyond reports whether the difference is more than noise, and says how sure that is. With too few runs for a test, it
// must be over twice the spread.
func (s *Sample) Beyond() (beyond bool, how string) {
	p, least := s.Chance()
	a, b := s.Means()
	if least > Sure {
		if beyond = math.Abs(b-a) > 2*s.Spread(); beyond {
			return true, "beyond twice the spread, but too few runs for a test: " + s.need()
		}
		return false, "within twice the spread: " + s.need()
	}
	if p <= Sure {
		return true, fmt.Sprintf("more than noise (permutation test: p = %.2g)", p)
	}
	return false, fmt.Sprintf("not more than noise (permutation test: p = %.2g): %s", p, s.need())
}

func (s *Sample) need() string {
	if n := s.needed(); n > 0 {
		return fmt.Sprintf("it would take %d runs of each side", n)
	}
	return "no number of runs would tell"
}

// sureness says of repeated runs whether the difference in time is more than noise; "" for single ones.
func (c *Result) sureness() string {
	s := c.sample(func(r *Run) float64 { return float64(r.Duration) })
	if !s.Repeated() {
		return ""
	}
	side := func(letter string, list []float64) string {
		mean, spread := stat.MeanStdDev(list, nil)
		text := fmt.Sprintf("%s %s", letter, duration(int64(mean)))
		if len(list) > 1 {
			text += fmt.Sprintf(" (%d runs, spread %s)", len(list), duration(int64(spread)))
		}
		return text
	}
	a, b := s.Means()
	_, how := s.Beyond()
	return strings.Join([]string{"Means: " + side("A", s.A), side("B", s.B) + ": " + signed(b-a)}, ", ") +
		fmt.Sprintf(" (%s), %s", quantity.FormatChange((b-a)/math.Max(a, 1)), how)
}
