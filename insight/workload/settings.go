package workload

// Settings: the components that count, and how their parameters become points.

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
)

// Classes of components, as values of event type 90000001: as in the clustering suite.
const (
	ClassEnd       = 0
	ClassMissing   = 1 // a parameter is missing
	ClassShort     = 2 // shorter than the limit
	ClassRange     = 3 // a parameter is outside of its limits, or trimmed
	ClassThreshold = 4 // of a cluster with too little of the time
	ClassNoise     = 5
	FirstCluster   = 6 // cluster 1
)

// ClassNames are the names of the classes without a cluster, by number.
var ClassNames = []string{"End", "Missing Data", "Duration Filtered", "Range Filtered", "Threshold Filtered", "Noise"}

// ClassName names a class.
func ClassName(class int32) string {
	if class < FirstCluster {
		return ClassNames[class]
	}
	return fmt.Sprintf("Cluster %d", class-FirstCluster+1)
}

// Scaling maps the values of a parameter to numbers that are comparable across parameters.
type Scaling struct {
	Name, Doc string
	// scale changes the values in place; excluded ones are NaN.
	scale func(values []float64)
}

// Scalings are the ways of scaling, the default first.
var Scalings = []Scaling{
	{"range", "to 0 ... 1", func(values []float64) {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		for i, v := range values {
			if values[i] = (v - lo) / (hi - lo); lo == hi && !math.IsNaN(v) {
				values[i] = 0
			}
		}
	}},
	{"zscore", "distance from the mean in standard deviations", func(values []float64) {
		s := fit.Describe(values)
		for i, v := range values {
			if !math.IsNaN(v) {
				values[i] = s.Score(v)
			}
		}
	}},
	{"none", "as they are", func([]float64) {}},
}

// scalingByName returns a scaling.
func scalingByName(name string) (*Scaling, error) {
	var names []string
	for i := range Scalings {
		if strings.EqualFold(Scalings[i].Name, name) {
			return &Scalings[i], nil
		}
		names = append(names, Scalings[i].Name)
	}
	return nil, fmt.Errorf("unknown scaling %q: must be one of %s", name, strings.Join(names, ", "))
}

// Settings are the options of an analysis.
type Settings struct {
	Parameters []Parameter
	Extra      []string // parameters whose means are reported but not used for clustering
	Scaling    *Scaling // nil: range
	// Least is the shortest duration that counts, ns.
	Least float64
	// TrimLow and TrimHigh exclude components outside of these percentiles in any parameter; both 0: none.
	TrimLow, TrimHigh float64

	Method string // "kmeans", "dbscan"; "" the default of the kind
	// K-means: the number of clusters (0: the rule's choice), the maximum to try, and the rule.
	K, MostK int
	Rule     *cluster.Rule
	// DBSCAN.
	Eps       float64
	MinPoints int
	// Threshold is a cluster's minimum percentage of the time of all clusters.
	Threshold float64
	// Sample limits how many components are clustered; the others join the nearest one. 0: all.
	Sample  int
	Workers int
	// Progress reports the steps done.
	Progress func(stage string, done, total int64)
}

// Default values of the density clustering: as in the clustering suite.
const (
	DefaultEps       = 0.01
	DefaultMinPoints = 10
)

// prepared is the points of an analysis.
type prepared struct {
	class   []int32 // of each component; 0: a point
	rows    []int   // components by point
	points  *cluster.Points
	trimmed []int
	raw     [][]float64 // the columns of the parameters
	zeros   int         // logarithms of numbers <= 0
}

// prepare filters and scales, in the order of the clustering suite: duration, missing data, range, logarithm, scaling,
// factor.
func (s *Set) prepare(ctx context.Context, set *Settings) (*prepared, error) {
	if err := s.Measure(ctx, set.Parameters, set.Workers); err != nil {
		return nil, err
	}
	p := &prepared{class: make([]int32, s.n)}
	for i := range set.Parameters {
		p.raw = append(p.raw, s.Column(set.Parameters[i].Name).Values)
	}
	p.filter(s, set)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.trim(set)
	for i, c := range p.class {
		if c == 0 {
			p.rows = append(p.rows, i)
		}
	}
	dim := len(p.raw)
	p.points = &cluster.Points{Dim: dim, Values: make([]float64, len(p.rows)*dim)}
	column := make([]float64, len(p.rows))
	for j := range p.raw {
		for k, i := range p.rows {
			column[k] = p.raw[j][i]
			if set.Parameters[j].Log {
				if column[k] > 0 {
					column[k] = math.Log(column[k])
				} else {
					column[k] = 0
					p.zeros++
				}
			}
		}
		set.Scaling.scale(column)
		for k, v := range column {
			p.points.Values[k*dim+j] = v * set.Parameters[j].factor()
		}
	}
	return p, ctx.Err()
}

// filter finds the classes of the excluded components.
func (p *prepared) filter(s *Set, set *Settings) {
	duration := s.Time()
	for i := range p.class {
		if set.Least > 0 && duration != nil && duration.Values[i] < set.Least {
			p.class[i] = ClassShort
			continue
		}
		for j := range p.raw {
			q, v := &set.Parameters[j], p.raw[j][i]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				p.class[i] = ClassMissing
				break
			}
			if (q.Min != 0 || q.Max != 0) && (v < q.Min || v > q.Max) {
				p.class[i] = ClassRange
			}
		}
	}
}

// trim excludes values outside of the percentiles.
func (p *prepared) trim(set *Settings) {
	if set.TrimLow == 0 && set.TrimHigh == 0 {
		return
	}
	out := map[int]bool{}
	for _, values := range p.raw {
		var list []float64
		for i, v := range values {
			if p.class[i] == 0 {
				list = append(list, v)
			}
		}
		d := fit.Describe(list)
		lo, hi := d.Percentile(set.TrimLow), d.Percentile(set.TrimHigh)
		for i, v := range values {
			if p.class[i] == 0 && (v < lo || v > hi) {
				out[i] = true
			}
		}
	}
	for i := range p.class {
		if out[i] {
			p.class[i] = ClassRange
			p.trimmed = append(p.trimmed, i)
		}
	}
}
