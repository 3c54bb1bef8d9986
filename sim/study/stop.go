package study

// The stop rule: a study of random inputs has enough runs when the averages of its outputs have settled.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// StopRule ends a study when, for every output, half the width of the 95 % confidence interval of the mean is at most
// Tolerance times the mean. It checks after each run from run Least, and requires Checks consecutive successes: with
// Least 20 and Checks 3, constant inputs end at run 22.
type StopRule struct {
	Tolerance float64
	Least     int
	Checks    int
}

// DefaultStop returns the rule with a tolerance.
func DefaultStop(tolerance float64) *StopRule {
	return &StopRule{Tolerance: tolerance, Least: 20, Checks: 3}
}

// Check reports an impossible rule.
func (s *StopRule) Check() error {
	if !(s.Tolerance > 0 && s.Tolerance < 1) {
		return fmt.Errorf("a tolerance of %g: must be > 0 and < 1", s.Tolerance)
	}
	return nil
}

// Moments are the running mean and deviation of a value.
type Moments struct {
	N    int
	Mean float64
	m2   float64
}

// Add adds a value; NaN does not count.
func (m *Moments) Add(x float64) {
	if math.IsNaN(x) {
		return
	}
	m.N++
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.m2 += d * (x - m.Mean)
}

// SD returns the standard deviation of the sample.
func (m *Moments) SD() float64 {
	if m.N < 2 {
		return 0
	}
	return math.Sqrt(m.m2 / float64(m.N-1))
}

// HalfWidth returns half the width of the 95 % confidence interval of the mean (Student's t); infinite for fewer than
// two values.
func (m *Moments) HalfWidth() float64 {
	if m.N < 2 {
		return math.Inf(1)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(m.N - 1)}.Quantile(0.975)
	return t * m.SD() / math.Sqrt(float64(m.N))
}

// stopper applies a rule to the runs in order of their index.
type stopper struct {
	rule    *StopRule
	outputs []Moments
	seen    int
	success int
}

// add adds the next run and reports whether the study ends with it.
func (s *stopper) add(r *Row) bool {
	for i := range s.outputs {
		s.outputs[i].Add(output(r, i))
	}
	s.seen++
	if s.rule == nil || s.seen < s.rule.Least {
		return false
	}
	s.success++
	for i := range s.outputs {
		if m := &s.outputs[i]; !(m.HalfWidth() <= s.rule.Tolerance*math.Abs(m.Mean)) {
			s.success = 0
		}
	}
	return s.success >= s.rule.Checks
}
