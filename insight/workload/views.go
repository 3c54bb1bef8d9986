package workload

// The answers of an analysis: a list of views, each of which is a table.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/report"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/prv"
	"pview/prv/quantity"
)

// View is a table of an analysis.
type View struct {
	Name, Doc string
	Component string // kind that it needs; "": any
	table     func(ctx context.Context, r *Result) (*report.Table, error)
	people    func(r *Result, t *report.Table) []report.Block // in place of the table, for people; nil: the table
}

// Views are the views, the default first.
var Views = []View{
	{"clusters", "size, share of the time and parameters of each cluster", "",
		func(_ context.Context, r *Result) (*report.Table, error) { return r.clusters(), nil }, nil},
	{"k", "k-means: sums of squares and mean square ratios by k; dbscan: the curve of k-distances", "", choiceTable,
		nil},
	{"statistics", "statistics of each parameter over all components", "", statisticsTable, (*Result).statistics},
	{"correlation", "correlation of the parameters", "", correlationTable, nil},
	{"principal", "principal components of the correlation", "", principalTable, nil},
	{"composition", "which tasks, or parts of the names of runs, are in each cluster", "", compositionTable, nil},
	{"fits", "distributions that fit the parameters of each cluster", "", distributionTable, (*Result).samples},
	{"profile", "processors in use over time, by class", "", profileTable, nil},
	{"shape", "share of the time with n processors in use, and average parallelism", "", shapeTable, nil},
	{"speedup", "runs: speedup, efficiency, efficacy, and the execution signature", "run", speedupTable, nil},
	{"sequence", "how far ranks execute the same clusters in the same order (1: all alike)", "burst", sequenceTable,
		nil},
}

// ViewNamed returns a view; nil if there is none.
func ViewNamed(name string) *View {
	for i := range Views {
		if Views[i].Name == name {
			return &Views[i]
		}
	}
	return nil
}

// Document returns views of the analysis, one below the other, and notes, including those of the views. Programs get
// the first view.
func (r *Result) Document(ctx context.Context, views ...*View) (*report.Document, error) {
	own := *r
	own.Notes = slices.Clip(r.Notes)
	var d *report.Document
	for _, v := range views {
		t, err := v.table(ctx, &own)
		if err != nil {
			return nil, err
		}
		if d == nil {
			d = &report.Document{Rows: func() *report.Table { return t }, Object: func() any { return t.Objects() }}
		}
		if v.people == nil {
			d.Add(t)
			continue
		}
		for _, b := range v.people(&own, t) {
			d.Add(b)
		}
	}
	if views[0] == &Views[0] {
		d.Object = func() any { return own.object() }
		d.Add(&report.Passage{Text: r.Summary(), Wrap: true})
	}
	last := &d.Sections[len(d.Sections)-1]
	for _, n := range own.Notes {
		last.Blocks = append(last.Blocks, &report.Passage{Text: n, Wrap: true, Tone: report.Note})
	}
	d.Notes = own.Notes
	return d, nil
}

// Summary says how many clusters there are, and the method.
func (r *Result) Summary() string {
	s := &r.Settings
	text := fmt.Sprintf("%s of %s by %s on %s", quantity.CountOf(int64(len(r.Clusters)), "cluster"),
		quantity.CountOf(int64(r.Set.Len()), r.Set.Kind.Name), s.Method, ParametersText(s.Parameters, r.Set.labels()))
	if s.Method == "dbscan" {
		text += fmt.Sprintf(", eps %g, %s", s.Eps, quantity.CountOf(int64(s.MinPoints), "point"))
	} else if r.Recommended > 0 {
		text += fmt.Sprintf(", recommended k %d", r.Recommended)
	}
	var out []string
	for c := ClassMissing; c <= ClassNoise; c++ {
		if r.Counts[c] > 0 {
			out = append(out, quantity.FormatCount(int64(r.Counts[c]))+" "+strings.ToLower(ClassNames[c]))
		}
	}
	if len(out) > 0 {
		text += "; in no cluster: " + strings.Join(out, ", ")
	}
	return text
}

// object returns the answer for programs. Keys may be added but not renamed.
func (r *Result) object() report.Object {
	clusters := []report.Object{}
	for _, c := range r.Clusters {
		var parameters []report.Object
		for j, name := range r.ParameterNames() {
			p := c.Parameters[j]
			parameters = append(parameters, report.NewObject("name", name, "mean", report.OrNil(p.Mean),
				"std", report.OrNil(p.Std), "min", report.OrNil(p.Min), "max", report.OrNil(p.Max)))
		}
		clusters = append(clusters, report.NewObject("id", c.ID, "size", c.Size, "share", c.Share,
			"time_share", c.TimeShare, "centre", c.Centre, "radius", c.Radius, "duration_ns", c.Duration,
			"nearest", r.Set.Name(c.Nearest), "parameters", parameters))
	}
	without := report.Object{}
	for c := ClassMissing; c <= ClassNoise; c++ {
		without = without.With(strings.ReplaceAll(strings.ToLower(ClassNames[c]), " ", "_"), r.Counts[c])
	}
	method := report.NewObject("name", r.Settings.Method, "scaling", r.Settings.Scaling.Name)
	if r.Settings.Method == "dbscan" {
		method = method.With("eps", r.Settings.Eps, "min_points", r.Settings.MinPoints)
	} else {
		method = method.With("k", len(r.Clusters), "recommended", r.Recommended, "rule", r.Settings.Rule.Name)
	}
	return report.NewObject("component", r.Set.Kind.Name, "components", r.Set.Len(), "parameters", parameterTexts(r),
		"clusters", clusters, "unclustered", r.unclustered(), "unclustered_by_class", without, "method", method,
		"notes", append([]string{}, r.Notes...))
}

func parameterTexts(r *Result) (list []string) {
	for _, p := range r.Settings.Parameters {
		list = append(list, p.String())
	}
	return list
}

// Classes returns the lines of the table of clusters: the clusters, then the classes of components in none.
func (r *Result) Classes() (list []int32) {
	for c := range r.Clusters {
		list = append(list, int32(FirstCluster+c))
	}
	for c := ClassNoise; c >= ClassMissing; c-- {
		if r.Counts[c] > 0 {
			list = append(list, int32(c))
		}
	}
	return list
}

// clusters has a line for each cluster, and for each class outside of them.
func (r *Result) clusters() *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "cluster", Title: "Cluster"}, {Key: "size", Title: "Size"},
		{Key: "share", Title: "Share", Show: report.ShowShare}, {Key: "duration_ns", Title: "Time",
			Show: report.ShowTime},
		{Key: "time_share", Title: "Of time", Show: report.ShowShare}}}
	names := r.ParameterNames()
	for _, n := range names {
		show := report.ShowDigits
		if r.Set.Column(n).Unit == "ns" {
			show = report.ShowTime
		}
		t.Columns = append(t.Columns, report.Column{Key: n + "_mean", Title: r.Title(n), Show: show},
			report.Column{Key: n + "_std", Title: "+-", Show: show})
	}
	t.Columns = append(t.Columns, report.Column{Key: "nearest", Title: "Typical"})
	for _, c := range r.Clusters {
		row := []any{fmt.Sprintf("Cluster %d", c.ID), int64(c.Size), c.Share, c.Duration, c.TimeShare}
		for _, p := range c.Parameters {
			row = append(row, p.Mean, p.Std)
		}
		t.Add(append(row, r.Set.Name(c.Nearest))...)
	}
	for _, c := range r.Classes()[len(r.Clusters):] {
		row := []any{ClassNames[c], int64(r.Counts[c]), nil, r.Times[c], nil}
		if c == ClassNoise {
			row[2], row[4] = r.noiseShares()
		}
		for len(row) < len(t.Columns) {
			row = append(row, nil)
		}
		t.Add(row...)
	}
	return t
}

// choiceTable has the sums of squares by k, or the distances to the k-th nearest.
func choiceTable(ctx context.Context, r *Result) (*report.Table, error) {
	if r.Settings.Method == "dbscan" {
		return distanceTable(ctx, r)
	}
	t := &report.Table{Columns: []report.Column{{Key: "k", Title: "k"},
		{Key: "ss", Title: "Sum of squares", Show: report.ShowDigits},
		{Key: "r", Title: "Mean square ratio", Show: report.ShowDigits},
		{Key: "between_within", Title: "Between/within", Show: report.ShowDigits},
		{Key: "between", Title: "Between two", Show: report.ShowDigits}}}
	for _, p := range r.Settings.Parameters {
		t.Columns = append(t.Columns, report.Column{Key: "r_" + p.Name, Title: p.Name, Show: report.ShowDigits})
	}
	t.Columns = append(t.Columns, report.Column{Key: "mark", Title: ""})
	for i, p := range r.Partitions {
		mark := ""
		switch {
		case p.K == max(1, r.Recommended):
			mark = "recommended"
		case i > 1 && i+1 < len(r.Partitions) && p.R > r.Partitions[i-1].R && p.R > r.Partitions[i+1].R:
			mark = "local maximum"
		}
		row := []any{int64(p.K), p.SS, numberCell(p.R), numberCell(p.Ratio), numberCell(p.Between)}
		for _, v := range p.ROf {
			row = append(row, numberCell(v))
		}
		t.Add(append(row, mark)...)
	}
	return t, nil
}

// numberCell returns a cell for a number that may be infinite, or missing.
func numberCell(v float64) any {
	switch {
	case math.IsNaN(v):
		return nil
	case math.IsInf(v, 0):
		return "inf"
	}
	return v
}

// shownDistances bounds the points of the curve as shown to people.
const shownDistances = 200

// distanceTable returns the curve of the distances to the k-th nearest component, thinned if it is long, with the
// suggested eps.
func distanceTable(ctx context.Context, r *Result) (*report.Table, error) {
	k := max(1, r.Settings.MinPoints-1)
	curve, err := cluster.KDistances(ctx, r.Points, k, r.Settings.Workers)
	if err != nil {
		return nil, err
	}
	knee := cluster.Knee(curve)
	t := &report.Table{Columns: []report.Column{{Key: "rank", Title: "Rank"},
		{Key: "distance", Title: fmt.Sprintf("Distance to number %d", k), Show: report.ShowDigits}, {Key: "mark",
			Title: ""}}}
	step := max(1, len(curve)/shownDistances)
	marked := false
	for i, v := range curve {
		mark := ""
		if !marked && v == knee {
			mark, marked = "suggested eps", true
		}
		if i%step == 0 || mark != "" {
			t.Add(int64(i+1), v, mark)
		}
	}
	return t, nil
}

// used returns the columns of the parameters, without excluded components.
func used(r *Result) (names []string, columns [][]float64) {
	names = r.ParameterNames()
	for _, n := range names {
		values := make([]float64, 0, len(r.Rows))
		for _, i := range r.Rows {
			values = append(values, r.Set.Column(n).Values[i])
		}
		columns = append(columns, values)
	}
	return names, columns
}

func statisticsTable(_ context.Context, r *Result) (*report.Table, error) {
	t := &report.Table{Columns: []report.Column{r.parameterColumn(), {Key: "n", Title: "n"},
		{Key: "missing", Title: "Missing"}}}
	figures := []struct {
		key, title string
		of         func(s *fit.Sample) float64
	}{
		{"min", "Min", func(s *fit.Sample) float64 { return s.Min }},
		{"q1", "25%", func(s *fit.Sample) float64 { return s.Quartiles[0] }},
		{"median", "Median", func(s *fit.Sample) float64 { return s.Quartiles[1] }},
		{"q3", "75%", func(s *fit.Sample) float64 { return s.Quartiles[2] }},
		{"p90", "90%", func(s *fit.Sample) float64 { return s.Percentile(90) }},
		{"max", "Max", func(s *fit.Sample) float64 { return s.Max }},
		{"sum", "Sum", func(s *fit.Sample) float64 { return s.Sum }},
		{"mean", "Mean", func(s *fit.Sample) float64 { return s.Mean }},
		{"std", "Std", func(s *fit.Sample) float64 { return s.Std }},
		{firstRatio, "CV", func(s *fit.Sample) float64 { return s.CV }},
		{"skewness", "Skewness", func(s *fit.Sample) float64 { return s.Skewness }},
		{"kurtosis", "Kurtosis", func(s *fit.Sample) float64 { return s.Kurtosis }},
	}
	for _, f := range figures {
		t.Columns = append(t.Columns, report.Column{Key: f.key, Title: f.title, Show: report.ShowDigits})
	}
	for i := range r.Set.Columns {
		c := &r.Set.Columns[i]
		s := fit.Describe(c.Values)
		row := []any{c.Name, int64(s.N), int64(s.Missing)}
		for _, f := range figures {
			row = append(row, report.OrNil(f.of(s)))
		}
		t.Add(row...)
	}
	return t, nil
}

// firstRatio is the column of the table of statistics from which columns have no unit.
const firstRatio = "cv"

// statistics writes the values of the table of statistics in the units of their columns.
func (r *Result) statistics(raw *report.Table) []report.Block {
	t := &report.Table{Columns: slices.Clone(raw.Columns)}
	units := slices.IndexFunc(t.Columns, func(c report.Column) bool { return c.Key == firstRatio })
	for k := range t.Columns[3:units] {
		t.Columns[3+k].Show, t.Columns[3+k].Right = nil, true
	}
	for i, row := range raw.Rows {
		row = slices.Clone(row)
		for k, cell := range row[3:units] {
			if v, ok := cell.(float64); ok {
				row[3+k] = r.Set.Columns[i].show(v)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return []report.Block{t}
}

func correlationTable(_ context.Context, r *Result) (*report.Table, error) {
	names, columns := used(r)
	m := fit.Correlation(columns)
	t := &report.Table{Columns: []report.Column{r.parameterColumn()}}
	for _, n := range names {
		t.Columns = append(t.Columns, report.Column{Key: n, Title: r.Title(n), Show: report.ShowDecimals(4)})
	}
	for a, n := range names {
		row := []any{n}
		for b := range names {
			if m == nil {
				row = append(row, nil)
			} else {
				row = append(row, m.At(a, b))
			}
		}
		t.Add(row...)
	}
	return t, nil
}

func principalTable(_ context.Context, r *Result) (*report.Table, error) {
	names, columns := used(r)
	t := &report.Table{Columns: []report.Column{{Key: "component", Title: "Component"},
		{Key: "variance", Title: "Variance", Show: report.ShowDecimals(5)},
		{Key: "share", Title: "Explains", Show: report.ShowShare}}}
	for _, n := range names {
		t.Columns = append(t.Columns, report.Column{Key: n, Title: r.Title(n), Show: report.ShowDecimals(4)})
	}
	for i, c := range fit.Components(fit.Correlation(columns)) {
		row := []any{int64(i + 1), c.Variance, c.Share}
		for _, v := range c.Loadings {
			row = append(row, v)
		}
		t.Add(row...)
	}
	return t, nil
}

func compositionTable(_ context.Context, r *Result) (*report.Table, error) {
	t := &report.Table{Columns: []report.Column{{Key: "label", Title: "Label"}, {Key: "value", Title: "Value"},
		{Key: "cluster",
			Title: "Cluster"}, {Key: "count", Title: "Count"}, {Key: "share", Title: "Of " +
			"cluster", Show: report.ShowShare},
		{Key: "lift", Title: "Lift", Show: report.ShowDecimals(2)}, {Key: "mark", Title: ""}}}
	for _, c := range r.compositions() {
		for k := range r.Clusters {
			common, all := c.Common(k)
			for v, name := range c.Values {
				if c.Counts[v][k] == 0 {
					continue
				}
				part, lift := c.Share(v, k)
				mark := ""
				if all && name == common {
					mark = "all members"
				}
				t.Add(c.Label, name, int64(k+1), int64(c.Counts[v][k]), part, lift, mark)
			}
		}
	}
	return t, nil
}

func distributionTable(_ context.Context, r *Result) (*report.Table, error) {
	t := &report.Table{Columns: []report.Column{{Key: "cluster", Title: "Cluster"},
		r.parameterColumn(),
		{Key: "distribution", Title: "Distribution"}, {Key: "d", Title: "D", Show: report.ShowDecimals(4)},
		{Key: "verdict", Title: ""}}}
	for _, c := range r.Clusters {
		for j, name := range r.ParameterNames() {
			s := c.Parameters[j]
			for _, d := range fit.Distributions(s) {
				verdict := "not rejected"
				if s.Rejected(d) {
					verdict = "rejected"
				}
				t.Add(int64(c.ID), name, d.String(), d.D, verdict)
			}
		}
	}
	return t, nil
}

// samples describes the parameters of each cluster below their fitted distributions.
func (r *Result) samples(fits *report.Table) []report.Block {
	t := &report.Table{Columns: []report.Column{{Title: "Cluster"}, r.parameterColumn()}}
	for _, title := range []string{"Mean", "+-", "Min", "Median", "Max"} {
		t.Columns = append(t.Columns, report.Column{Title: title, Right: true})
	}
	for _, c := range r.Clusters {
		for j, name := range r.ParameterNames() {
			s, show := c.Parameters[j], r.Set.Column(name).show
			t.Add(int64(c.ID), name, show(s.Mean), show(s.Std), show(s.Min), show(s.Quartiles[1]), show(s.Max))
		}
	}
	return []report.Block{fits, t}
}

// parameterColumn returns a column of names of parameters.
func (r *Result) parameterColumn() report.Column {
	return report.Column{Key: "parameter", Title: "Parameter", Show: func(v any) string { return r.Title(v.(string)) }}
}

// profiles returns the profiles of a result's trace.
func profiles(ctx context.Context, r *Result) ([]Profile, error) {
	if r.Set.Trace == nil {
		return nil, fmt.Errorf("a file of statistics has no profile")
	}
	return Profiles(ctx, r.Set.Trace, Options{})
}

func profileTable(ctx context.Context, r *Result) (*report.Table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Columns: []report.Column{{Key: "class", Title: "Class"}, {Key: "from_ns", Title: "From (ns)"},
		{Key: "processors", Title: "Processors"}}}
	unit := r.Set.Trace.Unit.Nanoseconds()
	for _, p := range list {
		for i, at := range p.Times {
			t.Add(p.Class, at*unit, int64(p.N[i]))
		}
	}
	return t, nil
}

func shapeTable(ctx context.Context, r *Result) (*report.Table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Columns: []report.Column{{Key: "class", Title: "Class"},
		{Key: "processors", Title: "Processors"},
		{Key: "share", Title: "Of time", Show: report.ShowShare}, {Key: "average", Title: "Average",
			Show: report.ShowDecimals(3)},
		{Key: "variance", Title: "Variance", Show: report.ShowDecimals(3)}}}
	for _, p := range list {
		mean, variance := p.Average()
		for n, f := range p.Shape() {
			t.Add(p.Class, int64(n), f, mean, variance)
		}
	}
	return t, nil
}

func speedupTable(_ context.Context, r *Result) (*report.Table, error) {
	p, times := r.Set.Column("prnum"), r.Set.Column("extime")
	if p == nil || times == nil {
		return nil, fmt.Errorf("speedup needs runs")
	}
	var processors []int
	for _, v := range p.Values {
		processors = append(processors, int(v))
	}
	s, err := signatureOf(processors, times.Values)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Columns: []report.Column{{Key: "processors", Title: "Processors"},
		{Key: "time_ns", Title: "Time", Show: report.ShowTime}, {Key: "speedup", Title: "Speedup",
			Show: report.ShowDecimals(4)},
		{Key: "efficiency", Title: "Efficiency", Show: report.ShowDecimals(4)},
		{Key: "efficacy", Title: "Efficacy", Show: report.ShowDecimals(4)}, {Key: "mark", Title: ""}}}
	for _, run := range s.Runs {
		mark := ""
		if run.P == s.WorkingSet {
			mark = "working set"
		}
		t.Add(int64(run.P), run.T, run.Speedup, run.Efficiency, run.Efficacy, mark)
	}
	if s.Relative {
		r.Notes = append(r.Notes,
			fmt.Sprintf("relative: there is no run on one processor; speedups compare with that on %d", s.Runs[0].P))
	}
	for _, c := range s.Fits {
		r.Notes = append(r.Notes, fmt.Sprintf("signature T(p) = %s ns, R2 %.4f",
			strings.ReplaceAll(c.String(), "x", "p"), c.R2))
	}
	if !math.IsNaN(s.FittedSet) {
		r.Notes = append(r.Notes, fmt.Sprintf("fitted working set: %.4g processors, efficacy %.4g", s.FittedSet,
			s.FittedEfficacy))
	}
	return t, nil
}

func sequenceTable(ctx context.Context, r *Result) (*report.Table, error) {
	s, err := r.Align(ctx)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Columns: []report.Column{{Key: "cluster", Title: "Cluster"}, {Key: "thread", Title: "Thread"},
		{Key: "score", Title: "Score", Show: report.ShowDecimals(3)}}}
	for c := range s.Of {
		t.Add(fmt.Sprint(c+1), "all", report.OrNil(s.Of[c]))
		for k, th := range s.Threads {
			if !math.IsNaN(s.By[c][k]) {
				t.Add(fmt.Sprint(c+1), r.Set.Trace.Name(prv.LevelThread, int(th)), s.By[c][k])
			}
		}
	}
	t.Add("all", "all", report.OrNil(s.Score))
	return t, nil
}
