package workload

// The pages of a result, as a table. Figures and texts are made in the background and kept until what they depend on
// changes.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/plots"
)

// page is a page of the pane.
type page struct {
	name, doc string
	// key holds everything that the page depends on, and make builds it in the background; nil for pages that are drawn
	// immediately.
	key  func(s *session) string
	make func(ctx context.Context, q *question) (*view, error)
	text bool // a document that scrolls
}

// question is the question of a page.
type question struct {
	r         *workload.Result
	x, y      int
	class     int32
	minPoints int
}

// The pages.
const (
	pageSetup = iota
	pageClusters
	pageScatter
	pageHistogram
	pageChoice
	pageSequence
	pageMembers
	pageFits
	pageStatistics
)

var pages = []page{
	pageSetup: {name: "setup", doc: "components, parameters, method"},
	pageClusters: {name: "clusters", doc: "size, share of the time and parameters of each",
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: documents("clusters"), text: true},
	pageScatter: {name: "scatter", doc: "components by two parameters", key: func(s *session) string {
		return fmt.Sprint(s.of, s.x, s.y)
	}, make: makeScatter},
	pageHistogram: {name: "histogram", doc: "a parameter by cluster", key: func(s *session) string {
		return fmt.Sprint(s.of, s.x, s.chosen())
	}, make: makeHistogram},
	pageChoice: {name: "choice", doc: "mean square ratio by k; distances for eps", key: choiceKey,
		make: makeChoice},
	pageSequence: {name: "sequence", doc: "do all ranks execute the same clusters in the same order",
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: makeSequence},
	pageMembers: {name: "members",
		doc: "which tasks, or parts of the names of runs, are in each cluster; runs: speedup",
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: makeMembers, text: true},
	pageFits: {name: "fits", doc: "distributions of the parameters of the chosen cluster",
		key: func(s *session) string { return fmt.Sprint(s.of, s.chosen()) }, make: makeFits, text: true},
	pageStatistics: {name: "statistics", doc: "of the parameters: moments, correlation, principal components",
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: makeStatistics, text: true},
}

// Pages returns the names of the pages, and their descriptions.
func Pages() (list [][2]string) {
	for _, p := range pages {
		list = append(list, [2]string{p.name, p.doc})
	}
	return list
}

// PageNames returns the names of the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// snapshot returns the result for use in the background, where the trace of the components must not change.
func (s *session) snapshot() *workload.Result {
	r := *s.result
	r.Set = r.Set.Copy()
	return &r
}

// showing builds a page.
func (s *session) showing(i int, key string) *task {
	q := &question{r: s.snapshot(), x: s.x, y: s.y, class: s.chosen(), minPoints: s.used().MinPoints}
	return &task{pages[i].name, func(ctx context.Context, tell func(string, int64, int64)) (func(), error) {
		q.r.Settings.Progress = tell
		v, err := pages[i].make(ctx, q)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v = &view{err: err}
		}
		v.key = key
		return func() { s.shown[i] = v }, nil
	}}
}

var errNothing = errors.New("there is nothing to draw")

// figured returns a page with a figure.
func figured(f *figure.Figure) (*view, error) {
	if f == nil {
		return nil, errNothing
	}
	return &view{figure: f}, nil
}

func makeScatter(_ context.Context, q *question) (*view, error) {
	return figured(plots.Scatter(q.r, q.x, q.y))
}

func makeHistogram(_ context.Context, q *question) (*view, error) {
	return figured(plots.ByCluster(q.r, q.x, q.class))
}

// choiceKey holds everything that the choice depends on: the curve of distances on the points, not on eps.
func choiceKey(s *session) string {
	set := s.result.Settings
	if set.Method != "dbscan" {
		return fmt.Sprint(s.of)
	}
	set.Eps, set.Threshold, set.Sample, set.Progress = 0, 0, 0, nil
	return fmt.Sprintf("%v %d %v %v %v %v %v", names(set.Parameters, workload.Parameter.String), s.used().MinPoints,
		set.Scaling.Name, set.Least, set.TrimLow, set.TrimHigh, s.cut)
}

func makeChoice(ctx context.Context, q *question) (*view, error) {
	if q.r.Settings.Method != "dbscan" {
		return figured(plots.Ratios(q.r, q.x, q.y))
	}
	k := max(1, q.minPoints-1)
	curve, err := cluster.KDistances(ctx, q.r.Points, k, 0)
	if err != nil || len(curve) == 0 {
		return nil, cmp.Or(err, errNothing)
	}
	return &view{figure: plots.Distances(curve, k), suggested: cluster.Knee(curve)}, nil
}

func makeSequence(ctx context.Context, q *question) (*view, error) {
	if q.r.Set.Kind.Name != "burst" {
		return nil, errors.New("only bursts have a sequence")
	}
	s, err := q.r.Align(ctx)
	if err != nil {
		return nil, err
	}
	return figured(plots.Quality(q.r, s))
}

// documents makes a page of views of the analysis.
func documents(names ...string) func(ctx context.Context, q *question) (*view, error) {
	return func(ctx context.Context, q *question) (*view, error) {
		var views []*workload.View
		for _, name := range names {
			views = append(views, workload.ViewNamed(name))
		}
		d, err := q.r.Document(ctx, views...)
		if err != nil {
			return nil, err
		}
		return &view{doc: d}, nil
	}
}

func makeMembers(ctx context.Context, q *question) (*view, error) {
	if q.r.Set.Kind.Name == "run" {
		return documents("composition", "speedup")(ctx, q)
	}
	return documents("composition")(ctx, q)
}

// makeFits shows only the distributions of the chosen cluster.
func makeFits(ctx context.Context, q *question) (*view, error) {
	c := int(q.class) - workload.FirstCluster
	if c < 0 || c >= len(q.r.Clusters) {
		return nil, errNoCluster
	}
	q.r.Clusters = q.r.Clusters[c : c+1]
	return documents("fits")(ctx, q)
}

func makeStatistics(ctx context.Context, q *question) (*view, error) {
	if len(q.r.ParameterNames()) < 2 {
		return documents("statistics")(ctx, q)
	}
	return documents("statistics", "correlation", "principal")(ctx, q)
}
