package study

// Sobol' indices: the share of an output's variance that an input explains alone (first order) and together with others
// (total), over the whole space of the inputs and without assuming a linear model. The design is that of A. Saltelli et
// al. (Computer Physics Communications 181, 2010): two samples A and B, and for each input i, sample A with column i
// from B; the first-order estimator is theirs, the one for totals is M. Jansen's. Confidence intervals are those of a
// bootstrap over the rows.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Indices is the definition of a study of Sobol' indices.
type Indices struct {
	Base      Case
	Variables []Variable
	Outputs   []Output
	Rows      int // of the samples; the study has Rows x (inputs + 2) runs
	Seed      uint64
}

// leastRows is the minimum number of rows for a variance.
const leastRows = 4

// Plan prepares the runs: for each row A, B, and A with each column of B in turn.
func (m *Indices) Plan() (*Plan, error) {
	k := len(m.Variables)
	if k == 0 || m.Rows < leastRows || m.Rows > MaxRuns {
		return nil, fmt.Errorf("indices need variables, and from %d to %d rows", leastRows, MaxRuns)
	}
	if err := CheckRuns(m.Rows * (k + 2)); err != nil {
		return nil, err
	}
	how := SobolSampling
	if 2*k > maxSobol {
		how = RandomSampling
	}
	both, err := NewSample(slices.Concat(m.Variables, m.Variables), m.Rows, m.Seed, how, nil)
	if err != nil {
		return nil, err
	}
	at := func(index int) (Draw, error) {
		row, part := index/(k+2), index%(k+2)
		d, err := both.At(row)
		if err != nil {
			return d, err
		}
		a, b := d.Inputs[:k:k], d.Inputs[k:]
		switch part {
		case 0:
			d.Inputs = a
		case 1:
			d.Inputs = b
		default:
			d.Inputs = slices.Clone(a)
			d.Inputs[part-2] = b[part-2]
		}
		return d, nil
	}
	p, err := newPlan("indices", m.Seed, &m.Base, inputsOf(m.Variables), m.Outputs, FixedDesign(m.Rows*(k+2), at))
	if err != nil {
		return nil, err
	}
	p.Key = Key("indices", []*Case{&m.Base}, m.Seed, densities(&m.Base, m.Variables), how, names(m.Outputs))
	return p, nil
}

// Index are the indices of an input, each with its 95 % confidence interval.
type Index struct {
	Input                  string
	First, Total           float64
	FirstRange, TotalRange Range
}

// resamples is the number of bootstrap samples.
const resamples = 500

// Of computes the indices of an output, in the order of the inputs, from the n rows whose runs are all done. There are
// none if the output does not vary.
func (m *Indices) Of(t *Table, name string) (list []Index, n int) {
	_, of, ok := t.Column(name)
	if !ok {
		return nil, 0
	}
	k := len(m.Variables)
	rows := map[int][]float64{}
	for i := range t.Rows {
		r := &t.Rows[i]
		row := r.Index / (k + 2)
		if rows[row] == nil {
			rows[row] = slices.Repeat([]float64{math.NaN()}, k+2)
		}
		rows[row][r.Index%(k+2)] = of(r)
	}
	var y [][]float64
	for row := range m.Rows {
		if v := rows[row]; v != nil && !slices.ContainsFunc(v, math.IsNaN) {
			y = append(y, v)
		}
	}
	if len(y) < leastRows {
		return nil, len(y)
	}
	all := make([]int, len(y))
	for i := range all {
		all[i] = i
	}
	first, total := estimate(y, all, k)
	if first == nil {
		return nil, len(y)
	}
	r := rand.New(rand.NewPCG(mix(m.Seed, 5), uint64(len(y))))
	firsts, totals := make([][]float64, k), make([][]float64, k)
	for range resamples {
		pick := make([]int, len(y))
		for i := range pick {
			pick[i] = r.IntN(len(y))
		}
		f, s := estimate(y, pick, k)
		for i := range f {
			firsts[i], totals[i] = append(firsts[i], f[i]), append(totals[i], s[i])
		}
	}
	for i := range m.Variables {
		list = append(list, Index{m.Variables[i].Name, first[i], total[i], middle(firsts[i]), middle(totals[i])})
	}
	return list, len(y)
}

// middle holds 95 % of the values.
func middle(values []float64) Range {
	slices.Sort(values)
	return Range{stat.Quantile(0.025, stat.LinInterp, values, nil), stat.Quantile(0.975, stat.LinInterp, values, nil)}
}

// estimate returns the indices of some rows; nil if the output does not vary in them. Centring the values does not
// change the indices, but stabilises the estimators.
func estimate(y [][]float64, rows []int, k int) (first, total []float64) {
	var both Moments
	for _, r := range rows {
		both.Add(y[r][0])
		both.Add(y[r][1])
	}
	variance := both.SD() * both.SD()
	if !(variance > 0) {
		return nil, nil
	}
	first, total = make([]float64, k), make([]float64, k)
	for _, r := range rows {
		a, b := y[r][0]-both.Mean, y[r][1]-both.Mean
		for i := range k {
			mixed := y[r][i+2] - both.Mean
			first[i] += b * (mixed - a)
			total[i] += (a - mixed) * (a - mixed) / 2
		}
	}
	for i := range k {
		first[i] /= variance * float64(len(rows))
		total[i] /= variance * float64(len(rows))
	}
	return first, total
}
