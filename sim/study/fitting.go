package study

// Fitting parameters to measured times (thesis, sections 6.4 and 6.5): every draw of the parameters is simulated for
// each benchmark and each variant of the model; draws whose predicted time is near enough to the measured one are kept,
// and give the range of each parameter that is consistent with a benchmark.

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Benchmark is a program and its measured time.
type Benchmark struct {
	Case
	Measured float64 // ns
}

// Variant is a change that is common to all benchmarks: another model of collectives, another number of buses.
type Variant struct {
	Name  string
	Apply func(c *Case)
}

// Fit is the definition of a fit.
type Fit struct {
	Benchmarks []Benchmark
	Variants   []Variant // none: the unchanged benchmarks
	Variables  []Variable
	Runs       int     // draws, each simulated for every benchmark and variant
	Tolerance  float64 // of a kept draw: 0.1 is 10 %
	// Absolute: the best fit minimises the sum of squared errors in ns, instead of relative errors.
	Absolute bool
	// Rounds is the number of rounds of further draws around the best one, each in a smaller box.
	Rounds   int
	Seed     uint64
	Sampling Sampling
}

// roundDraws is the number of draws of a round.
const roundDraws = 24

// variants returns the variants of the fit, or a single one without changes.
func (f *Fit) variants() []Variant {
	if len(f.Variants) > 0 {
		return f.Variants
	}
	return []Variant{{"as given", func(*Case) {}}}
}

// Check reports an impossible definition.
func (f *Fit) Check() error {
	if len(f.Benchmarks) == 0 || len(f.Variables) == 0 {
		return fmt.Errorf("a fit needs benchmarks and parameters")
	}
	for i := range f.Benchmarks {
		if b := &f.Benchmarks[i]; !(b.Measured > 0) || math.IsInf(b.Measured, 0) {
			return fmt.Errorf("%s: the measured time must be > 0", b.Name)
		}
	}
	for i := range f.Variables {
		if f.Variables[i].Weights != nil {
			return fmt.Errorf("%s: a fitted parameter needs a density with a width", f.Variables[i].Name)
		}
	}
	if !(f.Tolerance > 0 && f.Tolerance < 1) {
		return fmt.Errorf("a tolerance of %g: must be > 0 and < 1", f.Tolerance)
	}
	if f.Rounds < 0 || f.Rounds > MaxRuns {
		return fmt.Errorf("%d rounds: must be from 0 to %d", f.Rounds, MaxRuns)
	}
	if err := CheckRuns(f.Runs); err != nil {
		return err
	}
	return CheckRuns((f.Runs + f.Rounds*roundDraws) * len(f.Benchmarks) * len(f.variants()))
}

// Plan prepares the runs: inputs are the benchmark, the variant and the parameters; the output is the total.
func (f *Fit) Plan() (*Plan, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	s, err := NewSample(f.Variables, f.Runs, f.Seed, f.Sampling, nil)
	if err != nil {
		return nil, err
	}
	var cases []Case
	var measured []float64
	for i := range f.Benchmarks {
		cases, measured = append(cases, f.Benchmarks[i].Case), append(measured, f.Benchmarks[i].Measured)
	}
	variant := Input{Column: Column{Name: "variant"}}
	for _, v := range f.variants() {
		variant.Levels = append(variant.Levels, v.Name)
	}
	variant.Apply = func(c *Case, v float64) { f.variants()[int(v)].Apply(c) }
	inputs := append([]Input{programs(cases), variant}, inputsOf(f.Variables)...)
	p, err := newPlan("fit", f.Seed, &cases[0], inputs, Outputs[:1], &fitDesign{fit: f, sample: s})
	if err != nil {
		return nil, err
	}
	p.Key = Key("fit", pointers(cases), measured, variant.Levels, f.changes(), densities(&cases[0], f.Variables),
		f.Seed, f.Sampling, f.Runs, f.Rounds, f.Absolute)
	return p, nil
}

// changes returns the variants for Key.
func (f *Fit) changes() []any {
	var list []func(*Case)
	for _, v := range f.Variants {
		list = append(list, v.Apply)
	}
	return effects(&f.Benchmarks[0].Case, list)
}

// fitDesign numbers the runs: draw, variant, benchmark; the last varies fastest.
type fitDesign struct {
	fit    *Fit
	sample *Sample

	mu     sync.Mutex
	points [][][]float64 // by draw after the sample, and variant
}

func (d *fitDesign) wide() int { return len(d.fit.variants()) * len(d.fit.Benchmarks) }

func (d *fitDesign) most() int { return (d.fit.Runs + d.fit.Rounds*roundDraws) * d.wide() }

// Next implements Design: the sample, then rounds around the best draws so far.
func (d *fitDesign) Next(done []Row) (int, error) {
	draws := len(done) / d.wide()
	if draws < d.fit.Runs {
		return d.fit.Runs*d.wide() - len(done), nil
	}
	round := (draws - d.fit.Runs) / roundDraws
	if round >= d.fit.Rounds {
		return 0, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.points) <= round*roundDraws {
		d.extend(done, round)
	}
	return roundDraws * d.wide(), nil
}

// extend draws the points of a round, for each variant in a box around its best draw: initially covering half of the
// sample's probability, then shrinking by a factor of 0.6. So a parameter spread over powers of ten is searched in
// powers of ten.
func (d *fitDesign) extend(done []Row, round int) {
	results := d.fit.results(done)
	first := len(d.points)
	for range roundDraws {
		d.points = append(d.points, make([][]float64, len(results)))
	}
	half := math.Pow(0.6, float64(round)) / 4
	for v := range results {
		for i := range roundDraws {
			x := make([]float64, len(d.fit.Variables))
			for k := range x {
				variable, center := &d.fit.Variables[k], 0.5
				if results[v].Best != nil {
					center = variable.position(results[v].Best[k])
				}
				r := stream(d.fit.Seed, d.fit.Runs+round*roundDraws+i, len(x)*(v+1)+k)
				var physical bool
				x[k], physical = variable.At(min(max(center+(2*open(r)-1)*half, edge), 1-edge))
				if !physical && results[v].Best != nil {
					x[k] = results[v].Best[k]
				}
			}
			d.points[first+i][v] = x
		}
	}
}

// edge keeps positions within (0, 1).
const edge = 1e-6

// position returns the u in (0, 1) for a value of a variable.
func (v *Variable) position(x float64) float64 {
	low, high := edge, 1-edge
	for range 50 {
		if middle := (low + high) / 2; v.inverse(middle) < x {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// limits returns the approximate range of a variable: all values of a uniform one, 99.8 % of a normal one.
func (v *Variable) limits() (low, high float64) {
	low, high = v.inverse(0.001), v.inverse(0.999)
	if v.Kind == "uniform" || v.Kind == "loguniform" {
		return v.Args[0], v.Args[1]
	}
	if low < v.Quantity.Above {
		low = v.Quantity.Above
	}
	return low, min(high, v.Quantity.Most)
}

// At implements Design.
func (d *fitDesign) At(index int) (Draw, error) {
	draw, rest := index/d.wide(), index%d.wide()
	variant, benchmark := rest/len(d.fit.Benchmarks), rest%len(d.fit.Benchmarks)
	out := Draw{Inputs: []float64{float64(benchmark), float64(variant)}}
	if draw < d.fit.Runs {
		x, err := d.sample.At(draw)
		out.Inputs, out.Redraws = append(out.Inputs, x.Inputs...), x.Redraws
		return out, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	out.Inputs = append(out.Inputs, d.points[draw-d.fit.Runs][variant]...)
	return out, nil
}

// Range are the smallest and the largest value of a parameter among kept draws.
type Range struct{ Least, Most float64 }

// Width returns the width relative to a value.
func (r Range) Width(of float64) float64 { return (r.Most - r.Least) / of }

// Kept are the draws that reproduce a measured time within the tolerance.
type Kept struct {
	Benchmark string // "" for all benchmarks at once
	Measured  float64
	N, Of     int     // draws
	Ranges    []Range // by parameter; nil for N of 0
	Nearest   float64 // relative error of the nearest draw
}

// FitResult is the quality of fit of a variant.
type FitResult struct {
	Variant string
	Kept    []Kept // by benchmark
	Common  Kept   // by all
	// Conflicts are the pairs of benchmarks, indices, that no draw reproduces together, although each is reproduced by
	// some.
	Conflicts [][2]int
	// Best are the parameters of the draw with the smallest sum of squared errors, Error is the root mean square; nil
	// if no draw was simulated for all benchmarks. Errors are the relative errors by benchmark.
	Best   []float64
	Error  float64
	Errors []float64
	// Fixes names, for each parameter, the benchmark that narrows its range most; -1 if none narrows it by a tenth.
	Fixes []int
}

// Results evaluates the runs of a fit, by variant.
func (f *Fit) Results(t *Table) []FitResult { return f.results(t.Rows) }

func (f *Fit) results(rows []Row) []FitResult {
	variants, benchmarks := f.variants(), len(f.Benchmarks)
	wide := len(variants) * benchmarks
	byIndex := map[int]*Row{}
	draws := 0
	for i := range rows {
		byIndex[rows[i].Index] = &rows[i]
		draws = max(draws, rows[i].Index/wide+1)
	}
	list := make([]FitResult, len(variants))
	for v := range variants {
		r := &fitting{f: f, pairs: map[[2]int]bool{}, least: math.Inf(1)}
		r.Variant, r.Kept = variants[v].Name, make([]Kept, benchmarks)
		for b := range r.Kept {
			r.Kept[b] = Kept{Benchmark: f.Benchmarks[b].Name, Measured: f.Benchmarks[b].Measured, Nearest: math.Inf(1)}
		}
		r.Common.Nearest = math.Inf(1)
		for draw := range draws {
			runs := make([]*Row, benchmarks)
			for b := range runs {
				runs[b] = byIndex[draw*wide+v*benchmarks+b]
			}
			r.take(runs)
		}
		list[v] = r.finish()
	}
	return list
}

// fitting collects the result of a variant.
type fitting struct {
	FitResult
	f     *Fit
	pairs map[[2]int]bool // of benchmarks that a draw reproduces both
	least float64
}

// take counts a draw: its runs by benchmark; nil if none.
func (r *fitting) take(runs []*Row) {
	sum, worst, all := 0.0, 0.0, true
	var kept []int
	var errors, x []float64
	for b, row := range runs {
		if row == nil || row.Status != Done {
			all = false
			continue
		}
		measured := r.f.Benchmarks[b].Measured
		e := row.Outputs[0]/measured - 1
		errors = append(errors, e)
		worst, x = max(worst, math.Abs(e)), row.Inputs[2:]
		if r.f.Absolute {
			sum += e * e * measured * measured
		} else {
			sum += e * e
		}
		if r.Kept[b].count(e, r.f.Tolerance, x) {
			kept = append(kept, b)
		}
	}
	for i, b := range kept {
		for _, c := range kept[:i] {
			r.pairs[[2]int{c, b}] = true
		}
	}
	if !all {
		return
	}
	r.Common.count(worst, r.f.Tolerance, x)
	if sum < r.least {
		r.least, r.Best, r.Errors = sum, x, errors
	}
}

// count counts a draw with a relative error, and reports whether it is kept.
func (k *Kept) count(e, tolerance float64, x []float64) bool {
	k.Of++
	k.Nearest = min(k.Nearest, math.Abs(e))
	if !(math.Abs(e) <= tolerance) {
		return false
	}
	if k.N++; k.Ranges == nil {
		for _, v := range x {
			k.Ranges = append(k.Ranges, Range{v, v})
		}
	}
	for i, v := range x {
		k.Ranges[i] = Range{min(k.Ranges[i].Least, v), max(k.Ranges[i].Most, v)}
	}
	return true
}

// fewest is the number of kept draws needed for a meaningful range.
const fewest = 5

func (r *fitting) finish() FitResult {
	for b := range r.Kept {
		for a := range b {
			if r.Kept[a].N > 0 && r.Kept[b].N > 0 && !r.pairs[[2]int{a, b}] {
				r.Conflicts = append(r.Conflicts, [2]int{a, b})
			}
		}
	}
	if r.Best != nil {
		r.Error = math.Sqrt(r.least / float64(len(r.Kept)))
	}
	for k := range r.f.Variables {
		low, high := r.f.Variables[k].limits()
		best, width := -1, 0.9*(high-low)
		for b := range r.Kept {
			if n := r.Kept[b].Ranges; r.Kept[b].N >= fewest && n[k].Most-n[k].Least < width {
				best, width = b, n[k].Most-n[k].Least
			}
		}
		r.Fixes = append(r.Fixes, best)
	}
	return r.FitResult
}

// BestVariant returns the index of the variant with the least error; -1 if none was simulated for all benchmarks.
func BestVariant(list []FitResult) int {
	best := -1
	for i := range list {
		if list[i].Best != nil && (best < 0 || list[i].Error < list[best].Error) {
			best = i
		}
	}
	return best
}

// Unmet lists the benchmarks that no draw reproduces.
func (r *FitResult) Unmet() (list []int) {
	for b := range r.Kept {
		if r.Kept[b].N == 0 {
			list = append(list, b)
		}
	}
	return slices.Clip(list)
}
