package study

// Robust design: a candidate is not judged by its nominal value but by its results when parameters scatter. And
// stability: how much predictions of repeated measurements differ, compared with the measurements (thesis, section
// 6.3).

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Candidate is a design: parameters around their nominal values, the medians.
type Candidate struct {
	Name      string
	Variables []Variable
}

// Robust is the definition of a comparison of candidates.
type Robust struct {
	Base       Case
	Candidates []Candidate
	Outputs    []Output // the first one is judged
	Runs       int      // of each candidate, in addition to the nominal one
	K          float64  // judged is mean + K standard deviations
	Most       bool     // larger is better: judged is mean - K standard deviations
	Seed       uint64
}

// Plan prepares the runs: for each candidate the nominal one, then the scattered ones. All candidates use the same
// random numbers, so that they differ only by the candidates.
func (m *Robust) Plan() (*Plan, error) {
	if len(m.Candidates) == 0 || !(m.K >= 0) || math.IsInf(m.K, 0) {
		return nil, errors.New("robust design needs candidates, and K must be >= 0")
	}
	each := m.Runs + 1
	if err := errors.Join(CheckRuns(m.Runs), CheckRuns(each*len(m.Candidates))); err != nil {
		return nil, err
	}
	d := robustDesign{Robust: m, inputs: []Input{{Column: Column{Name: "candidate"}, Apply: func(*Case, float64) {}}},
		place: map[string]int{}}
	var spec [][]any
	for i := range m.Candidates {
		c := &m.Candidates[i]
		if err := d.add(c); err != nil {
			return nil, err
		}
		spec = append(spec, append([]any{c.Name}, densities(&m.Base, c.Variables)...))
	}
	p, err := newPlan("robust", m.Seed, &m.Base, d.inputs, m.Outputs, FixedDesign(each*len(m.Candidates), d.at))
	if err != nil {
		return nil, err
	}
	p.reseed(&m.Base)
	p.Key = Key("robust", []*Case{&m.Base}, m.Seed, spec, m.Runs, names(m.Outputs))
	return p, nil
}

// robustDesign makes the inputs of the runs. The first input is the candidate's number, the others are those that vary
// in any candidate.
type robustDesign struct {
	*Robust
	inputs  []Input
	place   map[string]int // index of a variable in inputs
	samples []*Sample      // by candidate
}

// add adds a candidate.
func (d *robustDesign) add(c *Candidate) error {
	if slices.Contains(d.inputs[0].Levels, c.Name) {
		return fmt.Errorf("two candidates are named %s", c.Name)
	}
	d.inputs[0].Levels = append(d.inputs[0].Levels, c.Name)
	s, err := NewSample(c.Variables, d.Runs, d.Seed, RandomSampling, nil)
	if err != nil {
		return err
	}
	d.samples = append(d.samples, s)
	for k := range c.Variables {
		v := &c.Variables[k]
		if v.Quantity.Words {
			return fmt.Errorf("%s: a candidate has parameters that are numbers", v.Name)
		}
		if d.place[v.Name] == 0 {
			d.place[v.Name] = len(d.inputs)
			d.inputs = append(d.inputs, Input{Column: Column{Name: v.Name, Unit: v.Unit},
				Apply: func(c *Case, x float64) {
					if !math.IsNaN(x) { // NaN: the candidate does not name it
						v.Quantity.Set(c, x)
					}
				}})
		}
	}
	return nil
}

// at returns the draw of a run.
func (d *robustDesign) at(index int) (draw Draw, err error) {
	each := d.Runs + 1
	candidate, run := index/each, index%each-1
	draw.Inputs = slices.Repeat([]float64{math.NaN()}, len(d.inputs))
	draw.Inputs[0] = float64(candidate)
	var x Draw
	if run >= 0 {
		x, err = d.samples[candidate].At(run)
	}
	c := &d.Candidates[candidate]
	for k := range c.Variables {
		v := &c.Variables[k]
		value, _ := v.At(0.5)
		if run >= 0 && err == nil {
			value = x.Inputs[k]
		}
		draw.Inputs[d.place[v.Name]] = value
	}
	draw.Redraws = x.Redraws
	return draw, err
}

// Verdict is the result of a robust design for a candidate.
type Verdict struct {
	Candidate string
	Nominal   float64 // NaN if that run failed
	N, Of     int
	Mean, SD  float64
	Judged    float64 // mean + K SD; NaN without runs
}

// Verdicts judges the candidates, in their order; best and nominal are the indices of the best by Judged and by nominal
// value, -1 if none.
func (m *Robust) Verdicts(t *Table) (list []Verdict, best, nominal int) {
	sign := 1.0
	if m.Most {
		sign = -1
	}
	each := m.Runs + 1
	moments := make([]Moments, len(m.Candidates))
	for _, c := range m.Candidates {
		list = append(list, Verdict{Candidate: c.Name, Nominal: math.NaN(), Judged: math.NaN()})
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		c, v := r.Index/each, output(r, 0)
		if r.Index%each == 0 {
			list[c].Nominal = v
			continue
		}
		list[c].Of++
		moments[c].Add(v)
	}
	best, nominal = -1, -1
	for i := range list {
		v, n := &list[i], &moments[i]
		if v.N, v.Mean, v.SD = n.N, n.Mean, n.SD(); v.N > 0 {
			v.Judged = v.Mean + sign*m.K*v.SD
		}
		if !math.IsNaN(v.Judged) && (best < 0 || sign*v.Judged < sign*list[best].Judged) {
			best = i
		}
		if !math.IsNaN(v.Nominal) && (nominal < 0 || sign*v.Nominal < sign*list[nominal].Nominal) {
			nominal = i
		}
	}
	return list, best, nominal
}

// Spread returns the relative spread of values of the same thing: (largest - smallest) / smallest. It needs values > 0.
func Spread(values []float64) (float64, error) {
	if len(values) == 0 || !(floats.Min(values) > 0) || math.IsInf(floats.Max(values), 0) {
		return 0, errors.New("a spread needs values > 0")
	}
	least := floats.Min(values)
	return (floats.Max(values) - least) / least, nil
}
