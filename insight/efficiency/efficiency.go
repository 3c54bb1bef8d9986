// Package efficiency measures how well parallel programs use their processors: the factors of the POP Centre of
// Excellence (pop-coe.eu), as BSC's modelfactors computes them with Paraver and Dimemas.
//
// Measure extracts the data from one trace and simulates it on an ideal network; Compare puts runs side by
// side, which adds the factors of scalability; Factors is the table of all figures. Report.Fit and
// Report.Project extrapolate the factors to more processes.
//
//	traces --Measure--> runs --Compare--> Report --Value(factor, run)--> figures
//	                                         `----Fit, Project---------> figures of more processes
//
// Headline puts the factors into words; StudyOutputs lists what a study can ask of a predicted run.
package efficiency

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Scaling is the growth of the work of the runs with their size.
type Scaling uint8

const (
	// Auto decides by the instructions: see Compare.
	Auto Scaling = iota
	// Strong: all runs do the same work.
	Strong
	// Weak: the work grows with the number of processes (threads).
	Weak
)

// Scalings are the ways to compare, by Scaling.
var Scalings = []struct{ Name, Doc string }{
	{"auto", "weak if the instructions per process stay above 0.9 of those of the smallest run, else strong"},
	{"strong", "all runs do the same work"},
	{"weak", "the work grows with the number of processes"},
}

// String returns the name.
func (s Scaling) String() string { return Scalings[s].Name }

// weakRatio is the share of ideal weak scaling that the instructions must show for Auto, as in modelfactors.
const weakRatio = 0.9

// Report compares runs. The first one is the reference: it has the fewest processes.
type Report struct {
	Runs    []*Run
	Scaling Scaling // Strong or Weak
	// Notes apply to the comparison as a whole.
	Notes []string
}

// Compare sorts runs by size and determines how they scale. With Auto they count as weak scaling when their
// instructions, relative to the first run and divided by the ratio of the sizes, average above 0.9: 1 is ideal weak
// scaling, and strong scaling gives at most 0.5. Without instructions Auto is Strong.
func Compare(runs []*Run, s Scaling) *Report {
	r := &Report{Runs: slices.Clone(runs), Scaling: s}
	slices.SortStableFunc(r.Runs, func(a, b *Run) int {
		return cmp.Or(cmp.Compare(a.Threads, b.Threads), cmp.Compare(a.Processes, b.Processes))
	})
	if s == Auto {
		r.Scaling = r.detect()
	}
	if n := len(r.Runs); n > 1 && r.Runs[0].Threads == r.Runs[n-1].Threads {
		r.Notes = append(r.Notes, "all runs have the same size: the scalability factors are relative to the first, "+
			r.Runs[0].Name)
	}
	return r
}

// detect distinguishes strong and weak scaling.
func (r *Report) detect() Scaling {
	if len(r.Runs) < 2 {
		return Strong
	}
	sum := 0.0
	first := r.Runs[0]
	for _, run := range r.Runs[1:] {
		sum += run.Instructions / first.Instructions * float64(first.Threads) / float64(run.Threads)
	}
	switch {
	case math.IsNaN(sum):
		if first.Threads != r.Runs[len(r.Runs)-1].Threads {
			r.Notes = append(r.Notes, "not all traces have instruction counters: assuming strong scaling")
		}
	case sum/float64(len(r.Runs)-1) > weakRatio:
		return Weak
	}
	return Strong
}

// Hybrid reports whether any run has multi-threaded processes that use MPI: then the factors of MPI and of the
// threads have values.
func (r *Report) Hybrid() bool {
	return slices.ContainsFunc(r.Runs, func(run *Run) bool { return run.Hybrid })
}

// has reports whether the processors of any run are devices, or threads.
func (r *Report) has(devices bool) bool {
	return slices.ContainsFunc(r.Runs, func(run *Run) bool { return run.Busiest > 0 == devices })
}

// Shown lists the factors that can have values, in the order of the table.
func (r *Report) Shown() (list []*Factor) {
	for i := range Factors {
		if f := &Factors[i]; (!f.Hybrid || r.Hybrid()) && (!f.Devices || r.has(true)) && (!f.Simulated || r.has(false)) {
			list = append(list, f)
		}
	}
	return list
}

// Value returns a factor of a run; NaN if none.
func (r *Report) Value(f *Factor, run int) float64 {
	return f.value(&column{Run: r.Runs[run], ref: r.Runs[0], weak: r.Scaling == Weak})
}

// Labels names the runs by their size, "8", "4x2" for 4 processes of 2 threads; runs of equal size
// also by name.
func (r *Report) Labels() []string {
	count := map[string]int{}
	for _, run := range r.Runs {
		count[run.Size()]++
	}
	labels := make([]string, len(r.Runs))
	for i, run := range r.Runs {
		labels[i] = run.Size()
		if count[run.Size()] > 1 {
			labels[i] = fmt.Sprintf("%s (%s)", run.Size(), run.Name)
		}
	}
	return labels
}
