package workload

// The analysis: components become points, points form clusters, and clusters are numbered by their time.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/prv/quantity"
)

// Result is an analysis.
type Result struct {
	Set      *Set
	Settings Settings
	// Class is the class of each component: ClassMissing ... ClassNoise, or FirstCluster and following.
	Class    []int32
	Clusters []Cluster // by descending time
	// Counts is the number of components by class, and Times the sum of their times, ns.
	Counts []int
	Times  []float64
	// Points are the scaled parameters of the components in Rows.
	Points *cluster.Points
	Rows   []int
	// Partitions are k-means' partitions, by k; Recommended is the k chosen by the rule, 0: none.
	Partitions  []cluster.Partition
	Recommended int
	Trimmed     []int
	Notes       []string
}

// Cluster is a cluster.
type Cluster struct {
	ID       int     // from 1
	Size     int     // components
	Share    float64 // of the components in clusters and noise
	Duration float64 // sum of the times, ns
	// TimeShare is the share of the time of clusters and noise.
	TimeShare float64
	// Parameters are the statistics of the parameters, then of the extra ones, raw.
	Parameters []*fit.Sample
	Centre     []float64 // scaled
	Radius     float64   // greatest scaled distance from the centre
	Nearest    int       // the component nearest to the centre
}

// Methods are the clustering methods.
var Methods = []struct{ Name, Doc string }{
	{"kmeans", "k-means, with the k that the mean square ratio recommends"},
	{"dbscan", "density clustering: groups of any shape, and noise"},
}

// defaultMethod returns the method of the kind; k-means for a single parameter, such as durations without counters:
// their density hardly has gaps.
func (k *Kind) defaultMethod(on []Parameter) string {
	if len(on) == 1 {
		return "kmeans"
	}
	return k.Method
}

// Analyse clusters the components of a set.
func Analyse(ctx context.Context, s *Set, set Settings) (*Result, error) {
	if len(set.Parameters) == 0 {
		set.Parameters = s.defaultParameters()
	}
	set.Method = cmp.Or(set.Method, s.Kind.defaultMethod(set.Parameters))
	set = set.Filled()
	var extra []Parameter
	for _, name := range set.Extra {
		extra = append(extra, Parameter{Name: name})
	}
	if err := s.Measure(ctx, extra, set.Workers); err != nil {
		return nil, err
	}
	p, err := s.prepare(ctx, &set)
	if err != nil {
		return nil, err
	}
	r := &Result{Set: s, Settings: set, Class: p.class, Points: p.points, Rows: p.rows, Trimmed: p.trimmed,
		Notes: slices.Clone(s.Notes)}
	if p.zeros > 0 {
		r.note("the logarithm of %s <= 0 was taken as 0", quantity.CountOf(int64(p.zeros), "number"))
	}
	for j, c := range p.raw {
		if !slices.ContainsFunc(c, func(v float64) bool { return !math.IsNaN(v) }) && s.Len() > 0 {
			name := ParametersText([]Parameter{{Name: set.Parameters[j].Name}}, s.labels())
			r.note("parameter %s: no component has it", name)
		}
	}
	if len(r.Rows) > manyRows && set.Sample == 0 {
		r.note("%s: with a sample of 100,000 it takes less time", quantity.CountOf(int64(len(r.Rows)), s.Kind.Name))
	}
	of, err := r.cluster(ctx)
	if err != nil {
		return nil, err
	}
	r.number(of)
	r.describe()
	r.hint()
	return r, ctx.Err()
}

func (r *Result) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// manyRows is the number of components from which a sample saves seconds.
const manyRows = 200_000

// cluster returns the cluster of each point by the method, from 0; cluster.Noise: none.
func (r *Result) cluster(ctx context.Context) ([]int32, error) {
	run, ok := methods[r.Settings.Method]
	if !ok {
		return nil, fmt.Errorf("unknown method %q: must be kmeans or dbscan", r.Settings.Method)
	}
	sample := r.sample()
	of, err := run(r, ctx, sample)
	if err != nil || sample == r.Points {
		return of, err
	}
	r.note("%s of %s components were clustered; the others belong to the nearest",
		quantity.FormatCount(int64(sample.Len())), quantity.FormatCount(int64(r.Points.Len())))
	if r.Settings.Method == "kmeans" {
		return r.join(ctx, sample, of, math.Inf(1))
	}
	return r.join(ctx, sample, of, r.Settings.Eps)
}

var methods = map[string]func(r *Result, ctx context.Context, p *cluster.Points) ([]int32,
	error){"kmeans": (*Result).kmeans, "dbscan": (*Result).dbscan}

func (r *Result) kmeans(ctx context.Context, p *cluster.Points) (of []int32, err error) {
	most := max(cmp.Or(r.Settings.MostK, cluster.DefaultMost), r.Settings.K)
	r.Partitions, err = cluster.KMeans(ctx, p, most, r.Settings.Workers,
		func(k, most int) { r.tell("k-means", int64(k-1), int64(most)) })
	if err != nil {
		return nil, err
	}
	if len(r.Partitions) == 0 {
		return nil, nil
	}
	r.Recommended = r.Settings.Rule.Choose(r.Partitions)
	k := cmp.Or(r.Settings.K, r.Recommended)
	if k == 0 {
		k = 1
		r.note("one cluster: no partition has a mean square ratio above %d and clusters that are apart",
			cluster.Justified)
	}
	if k > len(r.Partitions) {
		r.note("%s instead of %d: there are no more", quantity.CountOf(int64(len(r.Partitions)), "cluster"), k)
		k = len(r.Partitions)
	}
	of = make([]int32, p.Len())
	for i, c := range r.Partitions[k-1].Of {
		of[i] = int32(c)
	}
	return of, nil
}

func (r *Result) dbscan(ctx context.Context, p *cluster.Points) ([]int32, error) {
	r.tell("density", 0, 1)
	d, err := cluster.DBSCAN(ctx, p, r.Settings.Eps, r.Settings.MinPoints, r.Settings.Workers)
	if err != nil {
		return nil, err
	}
	return d.Of, nil
}

func (r *Result) tell(stage string, done, total int64) {
	if r.Settings.Progress != nil {
		r.Settings.Progress(stage, done, total)
	}
}

// sample returns at most Settings.Sample points: one at random from every n/most, to spread the sample over the run,
// since bursts that take turns could otherwise be all of one kind.
func (r *Result) sample() *cluster.Points {
	n, most := r.Points.Len(), r.Settings.Sample
	if most <= 0 || n <= most {
		return r.Points
	}
	p := &cluster.Points{Dim: r.Points.Dim}
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	for k := range most {
		from, to := int64(k)*int64(n)/int64(most), int64(k+1)*int64(n)/int64(most)
		p.Values = append(p.Values, r.Points.At(int(from+rnd.Int64N(to-from)))...)
	}
	return p
}

// join gives all points the class of the nearest point of the sample; k-means has centroids instead.
func (r *Result) join(ctx context.Context, sample *cluster.Points, of []int32, reach float64) ([]int32, error) {
	if math.IsInf(reach, 1) {
		k := int(slices.Max(of)) + 1
		centres := &cluster.Points{Dim: sample.Dim}
		own := make([]int32, k)
		for c, mean := range r.Partitions[k-1].Means {
			centres.Values = append(centres.Values, mean...)
			own[c] = int32(c)
		}
		sample, of = centres, own
	}
	return cluster.Assign(ctx, sample, of, r.Points, reach, r.Settings.Workers)
}

// number numbers the clusters by descending time, and drops those with little time.
func (r *Result) number(of []int32) {
	k := 0
	for _, c := range of {
		k = max(k, int(c)+1)
	}
	times := make([]float64, k)
	total := 0.0
	for p, c := range of {
		if c >= 0 {
			v := r.timeOf(r.Rows[p])
			times[c] += v
			total += v
		}
	}
	order := make([]int, k)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[b], times[a]) })
	class, next := make([]int32, k), int32(FirstCluster)
	for _, c := range order {
		if r.Settings.Threshold > 0 && times[c]*100 < r.Settings.Threshold*total {
			class[c] = ClassThreshold
			continue
		}
		class[c] = next
		next++
	}
	for p, c := range of {
		i := r.Rows[p]
		if r.Class[i] = ClassNoise; c >= 0 {
			r.Class[i] = class[c]
		}
	}
	r.Clusters = make([]Cluster, next-FirstCluster)
}

// nearlyAll is the share of many components in one cluster that means no clustering.
const (
	nearlyAll = 0.95
	many      = 1000
)

// hint says what to try if density finds a single cluster, as it does if values are dense everywhere.
func (r *Result) hint() {
	if r.Settings.Method == "dbscan" && len(r.Clusters) > 0 && r.Clusters[0].Share > nearlyAll &&
		r.Points.Len() > many {
		r.note(
			"one cluster has %s of the components: more parameters, a smaller eps, a limit of the duration or "+
				"k-means may tell them apart", quantity.FormatPercent(r.Clusters[0].Share))
	}
}

// timeOf returns the time of a component, 1 if its kind has none.
func (r *Result) timeOf(i int) float64 {
	if t := r.Set.Time(); t != nil && !math.IsNaN(t.Values[i]) {
		return t.Values[i]
	}
	return 0
}

// describe finds the statistics of the clusters.
func (r *Result) describe() {
	r.Counts, r.Times = make([]int, FirstCluster+len(r.Clusters)), make([]float64, FirstCluster+len(r.Clusters))
	for i, c := range r.Class {
		r.Counts[c]++
		r.Times[c] += r.timeOf(i)
	}
	count, time := 0, 0.0
	for c := int(ClassNoise); c < len(r.Counts); c++ {
		count, time = count+r.Counts[c], time+r.Times[c]
	}
	names := r.ParameterNames()
	dim := r.Points.Dim
	for c := range r.Clusters {
		k := FirstCluster + c
		r.Clusters[c] = Cluster{ID: c + 1, Size: r.Counts[k], Share: share(float64(r.Counts[k]), float64(count)),
			Duration: r.Times[k], TimeShare: share(r.Times[k], time),
			Centre: make([]float64, dim), Nearest: -1}
	}
	for p, i := range r.Rows {
		if c := r.Class[i] - FirstCluster; c >= 0 {
			for j, v := range r.Points.At(p) {
				r.Clusters[c].Centre[j] += v / float64(r.Clusters[c].Size)
			}
		}
	}
	least := make([]float64, len(r.Clusters))
	for p, i := range r.Rows {
		c := r.Class[i] - FirstCluster
		if c < 0 {
			continue
		}
		q, d := &r.Clusters[c], 0.0
		for j, v := range r.Points.At(p) {
			d += (v - q.Centre[j]) * (v - q.Centre[j])
		}
		if q.Nearest < 0 || d < least[c] {
			least[c], q.Nearest = d, i
		}
		q.Radius = max(q.Radius, math.Sqrt(d))
	}
	for _, name := range names {
		values := make([][]float64, len(r.Clusters))
		for i, v := range r.Set.Column(name).Values {
			if c := r.Class[i] - FirstCluster; c >= 0 {
				values[c] = append(values[c], v)
			}
		}
		for c := range r.Clusters {
			r.Clusters[c].Parameters = append(r.Clusters[c].Parameters, fit.Describe(values[c]))
		}
	}
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// ParameterNames returns the names of the parameters, then of the extra ones.
func (r *Result) ParameterNames() (names []string) {
	for i := range r.Settings.Parameters {
		names = append(names, r.Settings.Parameters[i].Name)
	}
	return append(names, r.Settings.Extra...)
}

// unclustered counts the components that belong to no cluster, by class.
func (r *Result) unclustered() (n int) {
	for c := ClassMissing; c <= ClassNoise; c++ {
		n += r.Counts[c]
	}
	return n
}

// noiseShares returns the shares of the components and of their time in clusters and noise that are noise.
func (r *Result) noiseShares() (components, time float64) {
	components, time = 1, 1
	for i := range r.Clusters {
		components -= r.Clusters[i].Share
		time -= r.Clusters[i].TimeShare
	}
	return max(0, components), max(0, time)
}
