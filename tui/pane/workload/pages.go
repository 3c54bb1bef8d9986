package workload

// What the pane shows of a result: a table of pages. Figures and texts are made in the background and kept until what
// they depend on changes.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/insight/workload/plots"
	"pview/prv/quantity"
)

// page is one of the things that the pane shows.
type page struct {
	name, doc string
	// key is what the page depends on, and make makes it, in the background; nil for pages that are drawn at once.
	key  func(s *session) string
	make func(ctx context.Context, q *question) (*view, error)
}

// question is what a page is made of.
type question struct {
	r         *workload.Result
	x, y      int
	class     int32
	minPoints int
}

// line is a line of a page of text.
type line struct {
	text string
	head bool
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
	pageSetup:    {name: "setup", doc: "components, parameters, method"},
	pageClusters: {name: "clusters", doc: "size, share of the time and parameters of each"},
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
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: makeMembers},
	pageFits: {name: "fits", doc: "distributions of the parameters of the chosen cluster",
		key: func(s *session) string { return fmt.Sprint(s.of, s.chosen()) }, make: makeFits},
	pageStatistics: {name: "statistics", doc: "of the parameters: moments, correlation, principal components",
		key: func(s *session) string { return fmt.Sprint(s.of) }, make: makeStatistics},
}

// Pages are the names of the pages, and what they show.
func Pages() (list [][2]string) {
	for _, p := range pages {
		list = append(list, [2]string{p.name, p.doc})
	}
	return list
}

// PageNames returns the names of the pages.
func (p *Pane) PageNames() []string { return names(pages, func(p page) string { return p.name }) }

// snapshot is the result for the background, where the trace of the components must not change.
func (s *session) snapshot() *workload.Result {
	r := *s.result
	r.Set = r.Set.Copy()
	return &r
}

// showing makes a page.
func (p *Pane) showing(s *session, i int, key string) *task {
	q := &question{r: s.snapshot(), x: s.x, y: s.y, class: s.chosen(), minPoints: s.minPoints()}
	return &task{pages[i].name, func(ctx context.Context, tell func(string, int64, int64)) (func() tea.Cmd, error) {
		q.r.Settings.Progress = tell
		v, err := pages[i].make(ctx, q)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v = &view{err: err}
		}
		v.key = key
		return func() tea.Cmd { s.shown[i] = v; return nil }, nil
	}}
}

var errNothing = errors.New("there is nothing to draw")

// figured is a page with a figure.
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

// choiceKey is what the choice depends on: the curve of distances on the points, not on eps.
func choiceKey(s *session) string {
	set := s.result.Settings
	if set.Method != "dbscan" {
		return fmt.Sprint(s.of)
	}
	set.Eps, set.Threshold, set.Sample, set.Progress = 0, 0, 0, nil
	return fmt.Sprintf("%v %d %v %v %v %v %v", names(set.Parameters, workload.Parameter.String), s.minPoints(),
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
	v, err := figured(plots.Quality(q.r, s))
	if err == nil {
		v.scores = s
	}
	return v, err
}

// write adds a line of text.
func (v *view) write(head bool, format string, args ...any) {
	v.lines = append(v.lines, line{fmt.Sprintf(format, args...), head})
}

// makeMembers has a line for each value of a label, with its share of each cluster.
func makeMembers(_ context.Context, q *question) (*view, error) {
	v := &view{}
	for _, t := range q.r.Compositions() {
		head := fmt.Sprintf("%-18s", t.Label)
		for k := range q.r.Clusters {
			head += fmt.Sprintf(" %8s", fmt.Sprint("in ", k+1))
		}
		v.write(true, "%s", head)
		for i, value := range t.Values {
			text := fmt.Sprintf("%-18.18s", value)
			for k := range q.r.Clusters {
				part, _ := t.Share(i, k)
				text += fmt.Sprintf(" %7.1f%%", 100*part)
			}
			v.write(false, "%s", text)
		}
		v.write(false, "")
	}
	if p, times := q.r.Set.Column("prnum"), q.r.Set.Column("extime"); p != nil {
		if err := v.writeSpeedup(p.Values, times.Values); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// writeSpeedup compares runs by their processors.
func (v *view) writeSpeedup(processors, times []float64) error {
	var p []int
	for _, n := range processors {
		p = append(p, int(n))
	}
	s, err := workload.SignatureOf(p, times)
	if err != nil {
		return err
	}
	v.write(true, "%10s %12s %9s %11s %9s", "processors", "time", "speedup", "efficiency", "efficacy")
	for _, r := range s.Runs {
		mark := ""
		if r.P == s.WorkingSet {
			mark = "  working set"
		}
		v.write(false, "%10d %12s %9.4f %11.4f %9.4f%s", r.P, quantity.Time.Round(r.T, 4), r.Speedup, r.Efficiency,
			r.Efficacy, mark)
	}
	if s.Relative {
		v.write(false, "relative to the run on %d processors", s.Runs[0].P)
	}
	for _, c := range s.Fits {
		v.write(false, "T(p) = %s ns, R2 %.4f", strings.ReplaceAll(c.String(), "x", "p"), c.R2)
	}
	return nil
}

func makeFits(_ context.Context, q *question) (*view, error) {
	c := int(q.class) - workload.FirstCluster
	if c < 0 || c >= len(q.r.Clusters) {
		return nil, errNoCluster
	}
	v := &view{}
	for j, name := range q.r.ParameterNames() {
		s := q.r.Clusters[c].Parameters[j]
		show := shower(q.r.Set.Column(name))
		if j > 0 {
			v.write(false, "")
		}
		v.write(true, "%s of cluster %d", cmp.Or(plots.LabelOf(q.r, name), name), c+1)
		v.write(false, "mean %s, deviation %s, from %s to %s, median %s", show(s.Mean), show(s.Std), show(s.Min),
			show(s.Max), show(s.Quartiles[1]))
		for _, d := range fit.Distributions(s) {
			verdict := "not rejected"
			if s.Rejected(d) {
				verdict = "rejected"
			}
			v.write(false, "D %.4f  %-12s  %s", d.D, verdict, d)
		}
	}
	return v, nil
}

func makeStatistics(ctx context.Context, q *question) (*view, error) {
	v, names := &view{}, q.r.ParameterNames()
	var columns [][]float64
	v.write(true, "%-18s %9s %9s %9s %9s %9s %6s %8s", "parameter", "mean", "deviation", "least", "median", "greatest",
		"skew", "kurtosis")
	for _, name := range names {
		c := q.r.Set.Column(name)
		values := make([]float64, 0, len(q.r.Rows))
		for _, i := range q.r.Rows {
			values = append(values, c.Values[i])
		}
		columns = append(columns, values)
		s, show := fit.Describe(values), shower(c)
		v.write(false, "%-18.18s %9s %9s %9s %9s %9s %6.2f %8.2f", cmp.Or(plots.LabelOf(q.r, name), name), show(s.Mean),
			show(s.Std), show(s.Min), show(s.Quartiles[1]), show(s.Max), s.Skewness, s.Kurtosis)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	m := fit.Correlation(columns)
	if len(names) < 2 || m == nil {
		return v, nil
	}
	v.write(false, "")
	v.write(true, "correlation")
	for a, name := range names {
		text := fmt.Sprintf("%-18.18s", cmp.Or(plots.LabelOf(q.r, name), name))
		for b := range names {
			text += fmt.Sprintf(" %8.4f", m.At(a, b))
		}
		v.write(false, "%s", text)
	}
	v.write(false, "")
	v.write(true, "principal components: explained share, loadings")
	for i, c := range fit.Components(m) {
		text := fmt.Sprintf("%-10d %6.2f%%", i+1, 100*c.Share)
		for _, l := range c.Loadings {
			text += fmt.Sprintf(" %8.4f", l)
		}
		v.write(false, "%s", text)
	}
	return v, nil
}
