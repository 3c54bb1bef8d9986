package cli

// What pview workload prints: a table of views.

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/prv"
)

// workloadViews are the views, the default first.
var workloadViews = []struct {
	name, doc string
	table     func(ctx context.Context, r *workload.Result) (*table, error)
}{
	{"clusters", "size, share of the time and parameters of each cluster", clusterTable},
	{"k", "k-means: sums of squares and mean square ratios by k; dbscan: the curve of k-distances", choiceTable},
	{"statistics", "statistics of each parameter over all components", statisticsTable},
	{"correlation", "correlation of the parameters", correlationTable},
	{"principal", "principal components of the correlation", principalTable},
	{"composition", "which tasks, or parts of the names of runs, are in each cluster", compositionTable},
	{"fits", "distributions that fit the parameters of each cluster", distributionTable},
	{"profile", "processors in use over time, by class", profileTable},
	{"shape", "share of the time with n processors in use, and average parallelism", shapeTable},
	{"speedup", "runs: speedup, efficiency, efficacy, and the execution signature", speedupTable},
	{"sequence", "how far ranks execute the same clusters in the same order (1: all alike)", sequenceTable},
}

// viewFlag chooses a view; its words are too many for a line of the help.
type viewFlag struct{ choice }

// Type names the value, for the help.
func (*viewFlag) Type() string { return "VIEW" }

func showFlag() viewFlag {
	var names []string
	for _, v := range workloadViews {
		names = append(names, v.name)
	}
	return viewFlag{newChoice(names...)}
}

// print prints the view that was asked for.
func (q *workloadQuestion) print(ctx context.Context, r *workload.Result) error {
	for _, v := range workloadViews {
		if v.name != q.show.value {
			continue
		}
		t, err := v.table(ctx, r)
		if err != nil {
			return err
		}
		return q.printTable(r, v.name, t)
	}
	return nil
}

func (q *workloadQuestion) printTable(r *workload.Result, view string, t *table) error {
	switch {
	case q.format.value == "json" && view == "clusters":
		return writeJSON(q.Out, workloadObject(r))
	case q.format.value != "table":
		for _, n := range r.Notes {
			q.say("%s", n)
		}
		return t.write(q.Out, q.format.value)
	}
	bold := lipgloss.NewStyle().Bold(true)
	text := t.text("", func(s string) string { return bold.Render(s) })
	if view == "clusters" {
		text += "\n" + summary(r)
	}
	for _, n := range r.Notes {
		text += ansi.Wordwrap(prv.Clean(n), helpWidth, "") + "\n"
	}
	_, err := io.WriteString(q.styled(q.Out), text)
	return err
}

// summary says how the clusters were found.
func summary(r *workload.Result) string {
	s := &r.Settings
	text := fmt.Sprintf("%s by %s on %s", plural(int64(r.Set.Len()), r.Set.Kind.Name), s.Method,
		strings.Join(parameterTexts(r), ", "))
	if s.Method == "dbscan" {
		text += fmt.Sprintf(", eps %g, %s", s.Eps, plural(int64(s.MinPoints), "point"))
	} else if r.Recommended > 0 {
		text += fmt.Sprintf(", recommended k %d", r.Recommended)
	}
	var out []string
	for c := workload.ClassMissing; c <= workload.ClassNoise; c++ {
		if r.Counts[c] > 0 {
			out = append(out, fmt.Sprintf("%s %s", count(int64(r.Counts[c])), strings.ToLower(workload.ClassNames[c])))
		}
	}
	if len(out) > 0 {
		text += "; in no cluster: " + strings.Join(out, ", ")
	}
	return ansi.Wordwrap(text, helpWidth, "") + "\n"
}

func parameterTexts(r *workload.Result) (list []string) {
	for _, p := range r.Settings.Parameters {
		list = append(list, p.String())
	}
	return list
}

// clusterTable has a line for each cluster, and for each class outside of them.
func clusterTable(_ context.Context, r *workload.Result) (*table, error) {
	t := &table{columns: []column{{key: "cluster", title: "Cluster"}, {key: "size", title: "Size"},
		{key: "share", title: "Share", show: shareCell}, {key: "duration_ns", title: "Time", show: nsCell},
		{key: "time_share", title: "Of time", show: shareCell}}}
	names := r.ParameterNames()
	for _, n := range names {
		show := plainCell
		if r.Set.Column(n).Unit == "ns" {
			show = nsCell
		}
		t.columns = append(t.columns, column{key: n + "_mean", title: n, show: show},
			column{key: n + "_std", title: "+-", show: show})
	}
	t.columns = append(t.columns, column{key: "nearest", title: "Typical"})
	for _, c := range r.Clusters {
		row := []any{fmt.Sprintf("Cluster %d", c.ID), int64(c.Size), c.Share, c.Duration, c.TimeShare}
		for _, p := range c.Parameters {
			row = append(row, p.Mean, p.Std)
		}
		t.add(append(row, r.Set.Name(c.Nearest))...)
	}
	for c := workload.ClassNoise; c >= workload.ClassMissing; c-- {
		if r.Counts[c] > 0 {
			row := []any{workload.ClassNames[c], int64(r.Counts[c]), nil, r.Times[c], nil}
			if c == workload.ClassNoise {
				row[2], row[4] = r.NoiseShares()
			}
			for len(row) < len(t.columns) {
				row = append(row, nil)
			}
			t.add(row...)
		}
	}
	return t, nil
}

func shareCell(v any) string { return percent(v.(float64), 1) }
func nsCell(v any) string    { return nanoseconds(v.(float64)) }
func plainCell(v any) string { return fmt.Sprintf("%.5g", v) }

// workloadObject is the answer for programs. Keys may be added; none is renamed.
func workloadObject(r *workload.Result) object {
	clusters := []object{}
	for _, c := range r.Clusters {
		o := object{{"id", c.ID}, {"size", c.Size}, {"share", c.Share}, {"time_share", c.TimeShare},
			{"centre", c.Centre}, {"radius", c.Radius}, {"duration_ns", c.Duration}, {"nearest", r.Set.Name(c.Nearest)}}
		var parameters []object
		for j, name := range r.ParameterNames() {
			p := c.Parameters[j]
			parameters = append(parameters, object{{"name", name}, {"mean", orNull(p.Mean)}, {"std", orNull(p.Std)},
				{"min", orNull(p.Min)}, {"max", orNull(p.Max)}})
		}
		clusters = append(clusters, append(o, field{"parameters", parameters}))
	}
	without := object{}
	for c := workload.ClassMissing; c <= workload.ClassNoise; c++ {
		without = append(without, field{strings.ReplaceAll(strings.ToLower(workload.ClassNames[c]), " ", "_"),
			r.Counts[c]})
	}
	method := object{{"name", r.Settings.Method}, {"scaling", r.Settings.Scaling.Name}}
	if r.Settings.Method == "dbscan" {
		method = append(method, field{"eps", r.Settings.Eps}, field{"min_points", r.Settings.MinPoints})
	} else {
		method = append(method, field{"k", len(r.Clusters)}, field{"recommended", r.Recommended},
			field{"rule", r.Settings.Rule.Name})
	}
	return object{{"component", r.Set.Kind.Name}, {"components", r.Set.Len()}, {"parameters", parameterTexts(r)},
		{"clusters", clusters}, {"unclustered", r.Unclustered()}, {"unclustered_by_class", without},
		{"method", method}, {"notes", append([]string{}, r.Notes...)}}
}

// choiceTable has the sums of squares by k, or the distances to the k-th nearest.
func choiceTable(ctx context.Context, r *workload.Result) (*table, error) {
	if r.Settings.Method == "dbscan" {
		return distanceTable(ctx, r)
	}
	t := &table{columns: []column{{key: "k", title: "k"}, {key: "ss", title: "Sum of squares", show: plainCell},
		{key: "r", title: "Mean square ratio", show: plainCell},
		{key: "between_within", title: "Between/within", show: plainCell}}}
	for _, p := range r.Settings.Parameters {
		t.columns = append(t.columns, column{key: "r_" + p.Name, title: p.Name, show: plainCell})
	}
	t.columns = append(t.columns, column{key: "mark", title: ""})
	for i, p := range r.Partitions {
		mark := ""
		switch {
		case p.K == r.Recommended:
			mark = "recommended"
		case i > 1 && i+1 < len(r.Partitions) && p.R > r.Partitions[i-1].R && p.R > r.Partitions[i+1].R:
			mark = "local maximum"
		}
		row := []any{int64(p.K), p.SS, numberCell(p.R), numberCell(p.Ratio)}
		for _, v := range p.ROf {
			row = append(row, numberCell(v))
		}
		t.add(append(row, mark)...)
	}
	return t, nil
}

// numberCell is a cell for a number that may be infinite, or missing.
func numberCell(v float64) any {
	switch {
	case math.IsNaN(v):
		return nil
	case math.IsInf(v, 0):
		return "inf"
	}
	return v
}

// shownDistances bounds the points of the curve that people see.
const shownDistances = 200

// distanceTable is the curve of the distances to the k-th nearest component, thinned where it is long, with the
// suggested eps.
func distanceTable(ctx context.Context, r *workload.Result) (*table, error) {
	k := max(1, r.Settings.MinPoints-1)
	curve, err := cluster.KDistances(ctx, r.Points, k, r.Settings.Workers)
	if err != nil {
		return nil, err
	}
	knee := cluster.Knee(curve)
	t := &table{columns: []column{{key: "rank", title: "Rank"},
		{key: "distance", title: fmt.Sprintf("Distance to number %d", k), show: plainCell}, {key: "mark", title: ""}}}
	step := max(1, len(curve)/shownDistances)
	marked := false
	for i, v := range curve {
		mark := ""
		if !marked && v == knee {
			mark, marked = "suggested eps", true
		}
		if i%step == 0 || mark != "" {
			t.add(int64(i+1), v, mark)
		}
	}
	return t, nil
}

// used are the columns of the parameters, without components that were left out.
func used(r *workload.Result) (names []string, columns [][]float64) {
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

func statisticsTable(_ context.Context, r *workload.Result) (*table, error) {
	t := &table{columns: []column{{key: "parameter", title: "Parameter"}, {key: "n", title: "n"},
		{key: "missing", title: "Missing"}}}
	figures := []struct {
		key, title string
		of         func(s *fit.Sample) float64
	}{
		{"min", "Min", func(s *fit.Sample) float64 { return s.Min }}, {"q1", "25%", func(s *fit.Sample) float64 {
			return s.Quartiles[0]
		}}, {"median", "Median", func(s *fit.Sample) float64 { return s.Quartiles[1] }},
		{"q3", "75%", func(s *fit.Sample) float64 {
			return s.Quartiles[2]
		}}, {"p90", "90%", func(s *fit.Sample) float64 {
			return s.Percentile(90)
		}}, {"max", "Max", func(s *fit.Sample) float64 { return s.Max }},
		{"sum", "Sum", func(s *fit.Sample) float64 { return s.Sum }}, {"mean", "Mean", func(s *fit.Sample) float64 {
			return s.Mean
		}}, {"std", "Std", func(s *fit.Sample) float64 { return s.Std }},
		{"cv", "CV", func(s *fit.Sample) float64 {
			return s.CV
		}}, {"skewness", "Skewness", func(s *fit.Sample) float64 {
			return s.Skewness
		}}, {"kurtosis", "Kurtosis", func(s *fit.Sample) float64 { return s.Kurtosis }},
	}
	for _, f := range figures {
		t.columns = append(t.columns, column{key: f.key, title: f.title, show: plainCell})
	}
	for i := range r.Set.Columns {
		c := &r.Set.Columns[i]
		s := fit.Describe(c.Values)
		row := []any{c.Name, int64(s.N), int64(s.Missing)}
		for _, f := range figures {
			row = append(row, orNull(f.of(s)))
		}
		t.add(row...)
	}
	return t, nil
}

func correlationTable(_ context.Context, r *workload.Result) (*table, error) {
	names, columns := used(r)
	m := fit.Correlation(columns)
	t := &table{columns: []column{{key: "parameter", title: "Parameter"}}}
	for _, n := range names {
		t.columns = append(t.columns, column{key: n, title: n, show: decimals(4)})
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
		t.add(row...)
	}
	return t, nil
}

func principalTable(_ context.Context, r *workload.Result) (*table, error) {
	names, columns := used(r)
	t := &table{columns: []column{{key: "component", title: "Component"},
		{key: "variance", title: "Variance", show: decimals(5)}, {key: "share", title: "Explains", show: shareCell}}}
	for _, n := range names {
		t.columns = append(t.columns, column{key: n, title: n, show: decimals(4)})
	}
	for i, c := range fit.Components(fit.Correlation(columns)) {
		row := []any{int64(i + 1), c.Variance, c.Share}
		for _, v := range c.Loadings {
			row = append(row, v)
		}
		t.add(row...)
	}
	return t, nil
}

func compositionTable(_ context.Context, r *workload.Result) (*table, error) {
	t := &table{columns: []column{{key: "label", title: "Label"}, {key: "value", title: "Value"}, {key: "cluster",
		title: "Cluster"}, {key: "count", title: "Count"}, {key: "share", title: "Of cluster", show: shareCell},
		{key: "lift", title: "Lift", show: decimals(2)}, {key: "mark", title: ""}}}
	for _, c := range r.Compositions() {
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
				t.add(c.Label, name, int64(k+1), int64(c.Counts[v][k]), part, lift, mark)
			}
		}
	}
	return t, nil
}

func distributionTable(_ context.Context, r *workload.Result) (*table, error) {
	t := &table{columns: []column{{key: "cluster", title: "Cluster"}, {key: "parameter", title: "Parameter"},
		{key: "distribution", title: "Distribution"}, {key: "d", title: "D", show: decimals(4)},
		{key: "verdict", title: ""}}}
	for _, c := range r.Clusters {
		for j, name := range r.ParameterNames() {
			s := c.Parameters[j]
			for _, d := range fit.Distributions(s) {
				verdict := "not rejected"
				if s.Rejected(d) {
					verdict = "rejected"
				}
				t.add(int64(c.ID), name, d.String(), d.D, verdict)
			}
		}
	}
	return t, nil
}

// profiles are those of the trace of a result.
func profiles(ctx context.Context, r *workload.Result) ([]workload.Profile, error) {
	if r.Set.Trace == nil {
		return nil, fmt.Errorf("a file of statistics has no profile")
	}
	return workload.Profiles(ctx, r.Set.Trace, workload.Options{})
}

func profileTable(ctx context.Context, r *workload.Result) (*table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &table{columns: []column{{key: "class", title: "Class"}, {key: "from_ns", title: "From (ns)"},
		{key: "processors", title: "Processors"}}}
	unit := r.Set.Trace.Unit.Nanoseconds()
	for _, p := range list {
		for i, at := range p.Times {
			t.add(p.Class, at*unit, int64(p.N[i]))
		}
	}
	return t, nil
}

func shapeTable(ctx context.Context, r *workload.Result) (*table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &table{columns: []column{{key: "class", title: "Class"}, {key: "processors", title: "Processors"},
		{key: "share", title: "Of time", show: shareCell}, {key: "average", title: "Average", show: decimals(3)},
		{key: "variance", title: "Variance", show: decimals(3)}}}
	for _, p := range list {
		mean, variance := p.Average()
		for n, f := range p.Shape() {
			t.add(p.Class, int64(n), f, mean, variance)
		}
	}
	return t, nil
}

func speedupTable(_ context.Context, r *workload.Result) (*table, error) {
	p, times := r.Set.Column("prnum"), r.Set.Column("extime")
	if p == nil || times == nil {
		return nil, usagef("--show speedup needs --component run")
	}
	var processors []int
	for _, v := range p.Values {
		processors = append(processors, int(v))
	}
	s, err := workload.SignatureOf(processors, times.Values)
	if err != nil {
		return nil, err
	}
	t := &table{columns: []column{{key: "processors", title: "Processors"},
		{key: "time_ns", title: "Time", show: nsCell}, {key: "speedup", title: "Speedup", show: decimals(4)},
		{key: "efficiency", title: "Efficiency", show: decimals(4)},
		{key: "efficacy", title: "Efficacy", show: decimals(4)}, {key: "mark", title: ""}}}
	for _, run := range s.Runs {
		mark := ""
		if run.P == s.WorkingSet {
			mark = "working set"
		}
		t.add(int64(run.P), run.T, run.Speedup, run.Efficiency, run.Efficacy, mark)
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

func sequenceTable(ctx context.Context, r *workload.Result) (*table, error) {
	if r.Set.Kind.Name != "burst" {
		return nil, usagef("--show sequence needs --component burst")
	}
	s, err := r.Align(ctx)
	if err != nil {
		return nil, err
	}
	t := &table{columns: []column{{key: "cluster", title: "Cluster"}, {key: "thread", title: "Thread"},
		{key: "score", title: "Score", show: decimals(3)}}}
	for c := range s.Of {
		t.add(fmt.Sprint(c+1), "all", orNull(s.Of[c]))
		for k, th := range s.Threads {
			if !math.IsNaN(s.By[c][k]) {
				t.add(fmt.Sprint(c+1), r.Set.Trace.Name(prv.LevelThread, int(th)), s.By[c][k])
			}
		}
	}
	t.add("all", "all", orNull(s.Score))
	return t, nil
}
