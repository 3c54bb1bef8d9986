package efficiency

// Extrapolation to more processes than were measured.
//
// As in BSC's modelfactors, a factor (in %) over the number of processors p is assumed to follow one of two models
// with two parameters, x0 and f from 0 to 1:
//
//	amdahl     x0 / (f + (1-f) p)             f = 1: constant; f = 0: falls with p
//	pipeline   x0 p / ((1-f) + f (2p-1))      f = 1/2: constant; f = 1: falls towards x0/2
//
// They are fitted by least squares, in which the smallest run has 100 times the weight of others (a standard deviation
// of a tenth), since it is the reference of all. For a given f the best x0 follows directly, which leaves a
// one-dimensional search: on a grid, then by golden section around its best point; nothing depends on an initial guess.
//
// Factors that are products are projected as the product of their projections: parallel efficiency = load balance x
// communication efficiency, global efficiency = that x computation scalability. The speedup follows from global
// efficiency, since in strong and weak scaling alike
//
//	speedup(p) = p/p0 x global efficiency(p) / global efficiency(p0).

import (
	"fmt"
	"math"
)

// Model is a model of a factor as a function of the number of processors.
type Model struct {
	Name    string
	Doc     string
	Formula string
	shape   func(p, f float64) float64 // the factor divided by x0
}

// Models are the available models.
var Models = []Model{
	{"amdahl", "a part f of the loss is constant, the rest grows with the number of processes", "x0 / (f + (1-f) p)",
		func(p, f float64) float64 { return 1 / (f + (1-f)*p) }},
	{"pipeline", "processes work one after the other, like stages of a filling pipeline", "x0 p / ((1-f) + f (2p-1))",
		func(p, f float64) float64 { return p / ((1 - f) + f*(2*p-1)) }},
}

// ModelByName finds a model.
func ModelByName(name string) (*Model, bool) {
	for i := range Models {
		if Models[i].Name == name {
			return &Models[i], true
		}
	}
	return nil, false
}

// FewestPoints is the minimum number of different sizes for a fit: two would always fit.
const FewestPoints = 3

// referenceWeight is the weight of the smallest run in a fit; that of others is 1.
const referenceWeight = 100

// fitted are the factors with their own fit; the others are products of these.
var fitted = []string{loadBalance, communication, serialization, transfer, computation, ipcScalability,
	instructionScaling, frequencyScaling}

// Fit is a model with its parameters.
type Fit struct {
	Factor   *Factor
	Model    *Model
	X0, F    float64
	Residual float64 // root mean square of the residuals, percentage points
	Points   int     // number of runs that have the factor
}

// At returns the factor at p processors.
func (f *Fit) At(p int) float64 { return f.X0 * f.Model.shape(float64(p), f.F) }

// Fit fits a model to each factor with values in runs of enough sizes. It fails if there are too few.
func (r *Report) Fit(m *Model) ([]Fit, error) {
	sizes := map[int]bool{}
	for _, run := range r.Runs {
		sizes[run.Threads] = true
	}
	if len(sizes) < FewestPoints {
		return nil,
			fmt.Errorf(
				"a projection fits two parameters per factor and needs runs of at least %d different sizes; only "+
					"%d given", FewestPoints, len(sizes))
	}
	var fits []Fit
	for _, name := range fitted {
		if f, ok := r.fit(lookup(name), m); ok {
			fits = append(fits, f)
		}
	}
	if len(fits) == 0 {
		return nil, fmt.Errorf("no factor has values in runs of %d different sizes: nothing can be projected",
			FewestPoints)
	}
	return fits, nil
}

// points are the data of a fit.
type points struct{ p, y, weight []float64 }

func (r *Report) fit(f *Factor, m *Model) (Fit, bool) {
	var pts points
	sizes := map[int]bool{}
	for i, run := range r.Runs {
		if y := r.Value(f, i); !math.IsNaN(y) {
			weight := 1.0
			if run.Threads == r.Runs[0].Threads {
				weight = referenceWeight
			}
			pts.p, pts.y, pts.weight = append(pts.p, float64(run.Threads)), append(pts.y, y), append(pts.weight, weight)
			sizes[run.Threads] = true
		}
	}
	if len(sizes) < FewestPoints {
		return Fit{}, false
	}
	best := pts.search(m)
	fit := Fit{Factor: f, Model: m, F: best, X0: pts.x0(m, best), Points: len(pts.p)}
	square := 0.0
	for i, p := range pts.p {
		d := fit.X0*m.shape(p, best) - pts.y[i]
		square += d * d
	}
	fit.Residual = math.Sqrt(square / float64(len(pts.p)))
	return fit, true
}

// x0 returns the best x0 for a given f: the model is linear in it.
func (q *points) x0(m *Model, f float64) float64 {
	xy, xx := 0.0, 0.0
	for i, p := range q.p {
		x := m.shape(p, f)
		xy += q.weight[i] * x * q.y[i]
		xx += q.weight[i] * x * x
	}
	return xy / xx
}

// loss returns the weighted sum of squared differences at the best x0 for f.
func (q *points) loss(m *Model, f float64) float64 {
	x0, sum := q.x0(m, f), 0.0
	for i, p := range q.p {
		d := x0*m.shape(p, f) - q.y[i]
		sum += q.weight[i] * d * d
	}
	return sum
}

// search returns the f with the smallest loss.
func (q *points) search(m *Model) float64 {
	const grid = 1000
	best := 0
	for k := range grid + 1 {
		if q.loss(m, float64(k)/grid) < q.loss(m, float64(best)/grid) {
			best = k
		}
	}
	lo, hi := max(float64(best-1), 0)/grid, min(float64(best+1), grid)/grid
	golden := (math.Sqrt(5) - 1) / 2
	for hi-lo > 1e-12 {
		a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
		if q.loss(m, a) < q.loss(m, b) {
			hi = b
		} else {
			lo = a
		}
	}
	// The limits themselves are never tried.
	at := (lo + hi) / 2
	for _, f := range []float64{0, 1} {
		if q.loss(m, f) <= q.loss(m, at) {
			at = f
		}
	}
	return at
}

// Projection is the prediction of the factors at other sizes.
type Projection struct {
	Fits       []Fit
	Processors []int // threads of all processes
	values     map[string][]float64
}

// Project extrapolates fits to other sizes.
func (r *Report) Project(fits []Fit, processors []int) *Projection {
	q := &Projection{Fits: fits, Processors: processors, values: map[string][]float64{}}
	for i := range fits {
		for _, p := range processors {
			q.values[fits[i].Factor.Name] = append(q.values[fits[i].Factor.Name], fits[i].At(p))
		}
	}
	for i, p := range processors {
		parallel := q.at(loadBalance, i) * q.at(communication, i) / 100
		global := parallel * q.at(computation, i) / 100
		growth := float64(p) / float64(r.Runs[0].Threads)
		q.values[parallelEfficiency] = append(q.values[parallelEfficiency], parallel)
		q.values[globalEfficiency] = append(q.values[globalEfficiency], global)
		q.values[speedup] = append(q.values[speedup], growth*global/r.Value(lookup(globalEfficiency), 0))
	}
	return q
}

func (q *Projection) at(name string, i int) float64 {
	if v := q.values[name]; v != nil {
		return v[i]
	}
	return math.NaN()
}

// Value returns a factor at Processors[i]; NaN if it is not projected.
func (q *Projection) Value(f *Factor, i int) float64 { return q.at(f.Name, i) }
