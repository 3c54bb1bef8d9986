package explaincmd

// What pview workload prints: a table of views.

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pview/cli/command"
	"pview/insight/report"
	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/prv"
	"pview/render/document"
)

// WorkloadViews are the views, the default first.
var WorkloadViews = []struct {
	Name, Doc string
	table     func(ctx context.Context, r *workload.Result) (*command.Table, error)
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
type viewFlag struct{ command.Choice }

// Type names the value, for the help.
func (*viewFlag) Type() string { return "VIEW" }

func showFlag() viewFlag {
	var names []string
	for _, v := range WorkloadViews {
		names = append(names, v.Name)
	}
	return viewFlag{command.NewChoice(names...)}
}

// print prints the view that was asked for.
func (q *workloadQuestion) print(ctx context.Context, r *workload.Result) error {
	for _, v := range WorkloadViews {
		if v.Name != q.show.Value {
			continue
		}
		t, err := v.table(ctx, r)
		if err != nil {
			return err
		}
		return q.printTable(r, v.Name, t)
	}
	return nil
}

func (q *workloadQuestion) printTable(r *workload.Result, view string, t *command.Table) error {
	switch {
	case q.Format.Value == "json" && view == "clusters":
		return command.WriteJSON(q.Out, workloadObject(r))
	case q.Format.Value != "table":
		for _, n := range r.Notes {
			q.Say("%s", n)
		}
		return document.WriteTable(q.Out, t, q.Format.Value)
	}
	bold := lipgloss.NewStyle().Bold(true)
	text := document.TableText(t, "", func(s string) string { return bold.Render(s) })
	if view == "clusters" {
		text += "\n" + summary(r)
	}
	for _, n := range r.Notes {
		text += ansi.Wordwrap(prv.Clean(n), command.HelpWidth, "") + "\n"
	}
	_, err := io.WriteString(q.Styled(q.Out), text)
	return err
}

// summary says how the clusters were found.
func summary(r *workload.Result) string {
	s := &r.Settings
	text := fmt.Sprintf("%s by %s on %s", command.Plural(int64(r.Set.Len()), r.Set.Kind.Name), s.Method,
		strings.Join(parameterTexts(r), ", "))
	if s.Method == "dbscan" {
		text += fmt.Sprintf(", eps %g, %s", s.Eps, command.Plural(int64(s.MinPoints), "point"))
	} else if r.Recommended > 0 {
		text += fmt.Sprintf(", recommended k %d", r.Recommended)
	}
	var out []string
	for c := workload.ClassMissing; c <= workload.ClassNoise; c++ {
		if r.Counts[c] > 0 {
			out = append(out, fmt.Sprintf("%s %s", command.Count(int64(r.Counts[c])),
				strings.ToLower(workload.ClassNames[c])))
		}
	}
	if len(out) > 0 {
		text += "; in no cluster: " + strings.Join(out, ", ")
	}
	return ansi.Wordwrap(text, command.HelpWidth, "") + "\n"
}

func parameterTexts(r *workload.Result) (list []string) {
	for _, p := range r.Settings.Parameters {
		list = append(list, p.String())
	}
	return list
}

// clusterTable has a line for each cluster, and for each class outside of them.
func clusterTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	t := &command.Table{Columns: []command.Column{{Key: "cluster", Title: "Cluster"}, {Key: "size", Title: "Size"},
		{Key: "share", Title: "Share", Show: shareCell}, {Key: "duration_ns", Title: "Time", Show: nsCell},
		{Key: "time_share", Title: "Of time", Show: shareCell}}}
	names := r.ParameterNames()
	for _, n := range names {
		show := plainCell
		if r.Set.Column(n).Unit == "ns" {
			show = nsCell
		}
		t.Columns = append(t.Columns, command.Column{Key: n + "_mean", Title: n, Show: show},
			command.Column{Key: n + "_std", Title: "+-", Show: show})
	}
	t.Columns = append(t.Columns, command.Column{Key: "nearest", Title: "Typical"})
	for _, c := range r.Clusters {
		row := []any{fmt.Sprintf("Cluster %d", c.ID), int64(c.Size), c.Share, c.Duration, c.TimeShare}
		for _, p := range c.Parameters {
			row = append(row, p.Mean, p.Std)
		}
		t.Add(append(row, r.Set.Name(c.Nearest))...)
	}
	for c := workload.ClassNoise; c >= workload.ClassMissing; c-- {
		if r.Counts[c] > 0 {
			row := []any{workload.ClassNames[c], int64(r.Counts[c]), nil, r.Times[c], nil}
			if c == workload.ClassNoise {
				row[2], row[4] = r.NoiseShares()
			}
			for len(row) < len(t.Columns) {
				row = append(row, nil)
			}
			t.Add(row...)
		}
	}
	return t, nil
}

func shareCell(v any) string { return command.Percent(v.(float64), 1) }
func nsCell(v any) string    { return command.Nanoseconds(v.(float64)) }
func plainCell(v any) string { return fmt.Sprintf("%.5g", v) }

// workloadObject is the answer for programs. Keys may be added; none is renamed.
func workloadObject(r *workload.Result) command.Object {
	clusters := []command.Object{}
	for _, c := range r.Clusters {
		o := command.Object{{Key: "id", Value: c.ID}, {Key: "size", Value: c.Size}, {Key: "share", Value: c.Share},
			{Key: "time_share", Value: c.TimeShare},
			{Key: "centre", Value: c.Centre}, {Key: "radius", Value: c.Radius}, {Key: "duration_ns", Value: c.Duration},
			{Key: "nearest", Value: r.Set.Name(c.Nearest)}}
		var parameters []command.Object
		for j, name := range r.ParameterNames() {
			p := c.Parameters[j]
			parameters = append(parameters, command.Object{{Key: "name", Value: name},
				{Key: "mean", Value: report.OrNil(p.Mean)}, {Key: "std", Value: report.OrNil(p.Std)},
				{Key: "min", Value: report.OrNil(p.Min)}, {Key: "max", Value: report.OrNil(p.Max)}})
		}
		clusters = append(clusters, append(o, command.Field{Key: "parameters", Value: parameters}))
	}
	without := command.Object{}
	for c := workload.ClassMissing; c <= workload.ClassNoise; c++ {
		without = append(without, command.Field{Key: strings.ReplaceAll(strings.ToLower(workload.ClassNames[c]), " ",
			"_"),
			Value: r.Counts[c]})
	}
	method := command.Object{{Key: "name", Value: r.Settings.Method}, {Key: "scaling", Value: r.Settings.Scaling.Name}}
	if r.Settings.Method == "dbscan" {
		method = append(method, command.Field{Key: "eps", Value: r.Settings.Eps},
			command.Field{Key: "min_points", Value: r.Settings.MinPoints})
	} else {
		method = append(method, command.Field{Key: "k", Value: len(r.Clusters)},
			command.Field{Key: "recommended", Value: r.Recommended},
			command.Field{Key: "rule", Value: r.Settings.Rule.Name})
	}
	return command.Object{{Key: "component", Value: r.Set.Kind.Name}, {Key: "components", Value: r.Set.Len()},
		{Key: "parameters", Value: parameterTexts(r)},
		{Key: "clusters", Value: clusters}, {Key: "unclustered", Value: r.Unclustered()},
		{Key: "unclustered_by_class", Value: without},
		{Key: "method", Value: method}, {Key: "notes", Value: append([]string{}, r.Notes...)}}
}

// choiceTable has the sums of squares by k, or the distances to the k-th nearest.
func choiceTable(ctx context.Context, r *workload.Result) (*command.Table, error) {
	if r.Settings.Method == "dbscan" {
		return distanceTable(ctx, r)
	}
	t := &command.Table{Columns: []command.Column{{Key: "k", Title: "k"},
		{Key: "ss", Title: "Sum of squares", Show: plainCell},
		{Key: "r", Title: "Mean square ratio", Show: plainCell},
		{Key: "between_within", Title: "Between/within", Show: plainCell}}}
	for _, p := range r.Settings.Parameters {
		t.Columns = append(t.Columns, command.Column{Key: "r_" + p.Name, Title: p.Name, Show: plainCell})
	}
	t.Columns = append(t.Columns, command.Column{Key: "mark", Title: ""})
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
		t.Add(append(row, mark)...)
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
func distanceTable(ctx context.Context, r *workload.Result) (*command.Table, error) {
	k := max(1, r.Settings.MinPoints-1)
	curve, err := cluster.KDistances(ctx, r.Points, k, r.Settings.Workers)
	if err != nil {
		return nil, err
	}
	knee := cluster.Knee(curve)
	t := &command.Table{Columns: []command.Column{{Key: "rank", Title: "Rank"},
		{Key: "distance", Title: fmt.Sprintf("Distance to number %d", k), Show: plainCell}, {Key: "mark", Title: ""}}}
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

func statisticsTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	t := &command.Table{Columns: []command.Column{{Key: "parameter", Title: "Parameter"}, {Key: "n", Title: "n"},
		{Key: "missing", Title: "Missing"}}}
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
		t.Columns = append(t.Columns, command.Column{Key: f.key, Title: f.title, Show: plainCell})
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

func correlationTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	names, columns := used(r)
	m := fit.Correlation(columns)
	t := &command.Table{Columns: []command.Column{{Key: "parameter", Title: "Parameter"}}}
	for _, n := range names {
		t.Columns = append(t.Columns, command.Column{Key: n, Title: n, Show: command.Decimals(4)})
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

func principalTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	names, columns := used(r)
	t := &command.Table{Columns: []command.Column{{Key: "component", Title: "Component"},
		{Key: "variance", Title: "Variance", Show: command.Decimals(5)},
		{Key: "share", Title: "Explains", Show: shareCell}}}
	for _, n := range names {
		t.Columns = append(t.Columns, command.Column{Key: n, Title: n, Show: command.Decimals(4)})
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

func compositionTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	t := &command.Table{Columns: []command.Column{{Key: "label", Title: "Label"}, {Key: "value", Title: "Value"},
		{Key: "cluster",
			Title: "Cluster"}, {Key: "count", Title: "Count"}, {Key: "share", Title: "Of cluster", Show: shareCell},
		{Key: "lift", Title: "Lift", Show: command.Decimals(2)}, {Key: "mark", Title: ""}}}
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
				t.Add(c.Label, name, int64(k+1), int64(c.Counts[v][k]), part, lift, mark)
			}
		}
	}
	return t, nil
}

func distributionTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	t := &command.Table{Columns: []command.Column{{Key: "cluster", Title: "Cluster"},
		{Key: "parameter", Title: "Parameter"},
		{Key: "distribution", Title: "Distribution"}, {Key: "d", Title: "D", Show: command.Decimals(4)},
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

// profiles are those of the trace of a result.
func profiles(ctx context.Context, r *workload.Result) ([]workload.Profile, error) {
	if r.Set.Trace == nil {
		return nil, fmt.Errorf("a file of statistics has no profile")
	}
	return workload.Profiles(ctx, r.Set.Trace, workload.Options{})
}

func profileTable(ctx context.Context, r *workload.Result) (*command.Table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &command.Table{Columns: []command.Column{{Key: "class", Title: "Class"}, {Key: "from_ns", Title: "From (ns)"},
		{Key: "processors", Title: "Processors"}}}
	unit := r.Set.Trace.Unit.Nanoseconds()
	for _, p := range list {
		for i, at := range p.Times {
			t.Add(p.Class, at*unit, int64(p.N[i]))
		}
	}
	return t, nil
}

func shapeTable(ctx context.Context, r *workload.Result) (*command.Table, error) {
	list, err := profiles(ctx, r)
	if err != nil {
		return nil, err
	}
	t := &command.Table{Columns: []command.Column{{Key: "class", Title: "Class"},
		{Key: "processors", Title: "Processors"},
		{Key: "share", Title: "Of time", Show: shareCell}, {Key: "average", Title: "Average",
			Show: command.Decimals(3)},
		{Key: "variance", Title: "Variance", Show: command.Decimals(3)}}}
	for _, p := range list {
		mean, variance := p.Average()
		for n, f := range p.Shape() {
			t.Add(p.Class, int64(n), f, mean, variance)
		}
	}
	return t, nil
}

func speedupTable(_ context.Context, r *workload.Result) (*command.Table, error) {
	p, times := r.Set.Column("prnum"), r.Set.Column("extime")
	if p == nil || times == nil {
		return nil, command.Usagef("--show speedup needs --component run")
	}
	var processors []int
	for _, v := range p.Values {
		processors = append(processors, int(v))
	}
	s, err := workload.SignatureOf(processors, times.Values)
	if err != nil {
		return nil, err
	}
	t := &command.Table{Columns: []command.Column{{Key: "processors", Title: "Processors"},
		{Key: "time_ns", Title: "Time", Show: nsCell}, {Key: "speedup", Title: "Speedup", Show: command.Decimals(4)},
		{Key: "efficiency", Title: "Efficiency", Show: command.Decimals(4)},
		{Key: "efficacy", Title: "Efficacy", Show: command.Decimals(4)}, {Key: "mark", Title: ""}}}
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

func sequenceTable(ctx context.Context, r *workload.Result) (*command.Table, error) {
	if r.Set.Kind.Name != "burst" {
		return nil, command.Usagef("--show sequence needs --component burst")
	}
	s, err := r.Align(ctx)
	if err != nil {
		return nil, err
	}
	t := &command.Table{Columns: []command.Column{{Key: "cluster", Title: "Cluster"}, {Key: "thread", Title: "Thread"},
		{Key: "score", Title: "Score", Show: command.Decimals(3)}}}
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
