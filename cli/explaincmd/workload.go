package explaincmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/report"
	"pview/insight/workload"
	"pview/insight/workload/cluster"
	"pview/insight/workload/plots"
	"pview/prv"
	"pview/prv/extrae/system"
	"pview/prv/tabular"
	"pview/prv/tools"
	"pview/render/document"
	"pview/render/picture"
)

// Workload characterises a trace: its components, their clusters, distributions and order.
func Workload(a *command.App) *cobra.Command {
	q := &workloadQuestion{App: a, from: tools.Moment{}, to: tools.End, component: kindFlag(), method: methodFlag(),
		scaling: scalingNames(), rule: ruleFlag(), show: showFlag()}
	cmd := &cobra.Command{
		Use:   "workload TRACE...",
		Short: "Characterise a workload: clusters of bursts, tasks, runs; distributions, profiles, models",
		Long: "workload cuts a trace into components (bursts of computation, tasks, messages, collective operations, " +
			"user events; of several traces: runs), describes each by some parameters, and finds clusters of similar " +
			"ones: by density (DBSCAN) or by k-means with the choice of k. --show prints other views of the result, " +
			"-o writes the files of BSC's clustering suite and the trace with " +
			"the cluster of each burst as event 90000001, --model a model of the workload from which pview synth " +
			"--model makes a synthetic trace.\n\n" +
			"A parameter is the name of a column, the number or name of an event type (its value at the end of a " +
			"burst) or total(TYPE) of all within it, two of them with + - * / between, or mean(FUNCTION) or " +
			"sum(FUNCTION) of a " +
			"thread function. log: before it takes the logarithm, @FACTOR weighs it, =MIN..MAX limits it.",
		Example: "pview workload run.prv\n" +
			"pview workload run.prv --least 1ms --eps 0.02 --min-points 4 -o run\n" +
			"pview workload run.prv --parameters log:PAPI_TOT_INS,PAPI_TOT_INS/PAPI_TOT_CYC --method kmeans --show k\n" +
			"pview workload pstswm.*.trf --component run --show composition\n" +
			"pview workload run.prv --model run.model.json && pview synth --model run.model.json synthetic.prv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("workload needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.answer(cmd, args) },
	}
	q.flags(cmd)
	return cmd
}

// workloadQuestion is the command's flags.
type workloadQuestion struct {
	*command.App
	component, method, scaling, rule command.Choice
	show                             viewFlag
	parameters, extra                []string
	xml, scheme, saveScheme          string
	from, to                         tools.Moment
	tasks                            tools.Tasks
	types                            []uint
	prefix, components, model        string
	plot                             command.PlotFlags
	only, omit                       bool
	planes                           string
}

func (q *workloadQuestion) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&q.component, "component", "what to cluster")
	f.StringSliceVar(&q.parameters, "parameters", nil,
		"parameters to cluster on (`LIST`); default: of bursts log:instructions and instructions per cycle where the "+
			"trace has them, else log:duration")
	f.StringSliceVar(&q.extra, "extra", nil, "parameters whose means are reported as well (`LIST`)")
	f.Var(&q.method, "method", "method of clustering; auto: dbscan for bursts by several parameters, else kmeans")
	f.Float64("eps", workload.DefaultEps, "dbscan: radius of a neighbourhood, in scaled units")
	f.Int("min-points", workload.DefaultMinPoints,
		"dbscan: components in the neighbourhood of a core, itself included")
	f.Int("k", 0, "kmeans: number of clusters; 0: as recommended")
	f.Int("most-k", cluster.DefaultMost, "kmeans: largest number of clusters to try")
	f.Var(&q.rule, "rule", "kmeans: which k to recommend")
	f.Var(&q.scaling, "scaling", "scaling of parameters")
	f.String("least", "", "shortest component that counts (`DURATION`): 50us")
	f.String("trim", "",
		"set aside components outside of these percentiles of any parameter (`LOW,HIGH`): 2,98")
	f.Float64("threshold", 0, "drop clusters with less than this `PERCENT` of the time")
	f.Int("sample", 0, "cluster `N` sampled components; the rest join the nearest; 0: all")
	f.Var(&command.MomentFlag{At: &q.from}, "from", "start of the part of the run (0)")
	f.Var(&command.MomentFlag{At: &q.to, Text: ""}, "to", "end of the part of the run (that of the trace)")
	f.Var(&command.TasksFlag{Tasks: &q.tasks}, "tasks", "only these tasks, such as 1-4,8")
	f.UintSliceVar(&q.types, "types", nil, "event types whose values are regions: bursts, or user events (`LIST`)")
	f.StringVar(&q.xml, "xml", "", "settings of BSC's clustering suite (clustering_definition) from `FILE`")
	f.StringVar(&q.scheme, "scheme", "", "settings saved before: `NAME` or file")
	f.StringVar(&q.saveScheme, "save-scheme", "", "save the settings as `NAME` or file, for other traces")
	f.Var(&q.show, "show", "what is printed: "+strings.Join(q.show.Of, ", "))
	f.StringVarP(&q.prefix, "output", "o", "",
		"write `PREFIX`.clusters_info.csv, PREFIX.DATA.csv and the trace PREFIX.prv with clusters as events")
	f.BoolVar(&q.only, "only-clusters", false, "omit all events but the clusters from the trace")
	f.BoolVar(&q.omit, "omit-filtered", false, "omit the events of filtered bursts from the trace")
	f.StringVar(&q.components, "components", "",
		"write a table of all components to `FILE`: .csv, .tsv, .arrow or .parquet")
	f.StringVar(&q.model, "model", "", "write the workload model to `FILE`: .json or .txt")
	q.plot.Flags(f, "draw a picture")
	f.StringVar(&q.planes, "axes", "1,2", "parameters of the picture's axes (`X,Y`), by number")
	for name, c := range map[string]*command.Choice{"component": &q.component, "method": &q.method,
		"scaling": &q.scaling,
		"rule":    &q.rule, "show": &q.show.Choice} {
		if err := cmd.RegisterFlagCompletionFunc(name, c.Complete); err != nil {
			panic(err) // the flags were defined above
		}
	}
}

// choiceOf returns a choice of the names of a table.
func choiceOf[T any](list []T, name func(T) string) command.Choice {
	var names []string
	for _, e := range list {
		names = append(names, name(e))
	}
	return command.NewChoice(names...)
}

func kindFlag() command.Choice {
	return choiceOf(workload.Kinds, func(k workload.Kind) string { return k.Name })
}

func methodFlag() command.Choice {
	c := choiceOf(workload.Methods, func(m struct{ Name, Doc string }) string { return m.Name })
	return command.NewChoice(append([]string{"auto"}, c.Of...)...)
}

func scalingNames() command.Choice {
	return choiceOf(workload.Scalings, func(s workload.Scaling) string { return s.Name })
}

func ruleFlag() command.Choice {
	return choiceOf(cluster.Rules, func(r cluster.Rule) string { return r.Name })
}

// settings returns the settings of a file, overridden by flags.
func (q *workloadQuestion) settings(cmd *cobra.Command) (kind *workload.Kind, set workload.Settings, err error) {
	kind, _ = workload.KindByName(q.component.Value)
	switch {
	case q.xml != "" && q.scheme != "":
		return nil, set, command.Usagef("--xml and --scheme: only one of them")
	case q.xml != "":
		f, err := os.Open(q.xml)
		if err != nil {
			return nil, set, err
		}
		defer f.Close()
		if set, err = workload.ReadDefinition(f, q.xml); err != nil {
			return nil, set, err
		}
	case q.scheme != "":
		s, err := workload.ReadScheme(workload.SchemePath(workload.SchemeFolder(), q.scheme))
		if err != nil {
			return nil, set, err
		}
		var own *workload.Kind
		if own, set, err = s.Settings(); err != nil {
			return nil, set, fmt.Errorf("%s: %w", q.scheme, err)
		}
		if !cmd.Flags().Changed("component") {
			kind = own
		}
	}
	err = q.override(cmd, &set)
	return kind, set, err
}

// override applies the given flags.
func (q *workloadQuestion) override(cmd *cobra.Command, set *workload.Settings) (err error) {
	if len(q.parameters) > 0 {
		if set.Parameters, err = workload.ParseParameters(strings.Join(q.parameters, ",")); err != nil {
			return command.Usagef("--parameters: %w", err)
		}
	}
	set.Extra = append(set.Extra, q.extra...)
	for i := range workload.Fields {
		field := &workload.Fields[i]
		f := cmd.Flags().Lookup(field.Flag())
		if text := f.Value.String(); f.Changed && text != "auto" {
			if err := field.Set(set, text); err != nil {
				return command.Usagef("--%s: %w", f.Name, err)
			}
		}
	}
	return nil
}

// check checks the names of output files before anything is read.
func (q *workloadQuestion) check(args []string) error {
	if q.components != "" && tabular.FormatOf(q.components) == nil && !strings.HasSuffix(q.components, ".csv") &&
		!strings.HasSuffix(q.components, ".tsv") {
		return command.Usagef("--components %s: must end in .csv, .tsv, .arrow or .parquet", q.components)
	}
	if q.model != "" && !strings.HasSuffix(q.model, ".json") && !strings.HasSuffix(q.model, ".txt") {
		return command.Usagef("--model %s: must end in .json or .txt", q.model)
	}
	if err := q.plot.Check(); err != nil {
		return err
	}
	for _, in := range args {
		if q.prefix != "" && command.SameFile(in, q.prefix+".prv") {
			return command.Usagef("-o %s: the trace would overwrite %s, an input", q.prefix, in)
		}
	}
	if q.prefix != "" {
		if err := command.CheckOutputs(q.prefix+infoEnding, q.prefix+dataEnding, q.prefix+".prv"); err != nil {
			return err
		}
	}
	return command.CheckOutputs(q.components, q.model)
}

func (q *workloadQuestion) answer(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if err := q.check(args); err != nil {
		return err
	}
	kind, set, err := q.settings(cmd)
	if err != nil {
		return err
	}
	if len(args) > 1 && kind.Name != "run" {
		return command.Usagef("several traces need --component run; a %s is of one trace", kind.Name)
	}
	bar := command.NewProgress(q.Err, "workload")
	bar.Plain = true
	set.Progress = func(stage string, done, total int64) { bar.Stage(stage, done, total) }
	var sets []*workload.Set
	for _, path := range args {
		s, err := q.extract(ctx, path, kind)
		if err != nil {
			return err
		}
		sets = append(sets, s)
	}
	s := sets[0]
	if len(sets) > 1 {
		s = workload.Join(sets)
	}
	if s.Len() == 0 {
		why := ""
		if kind.Name == "burst" && s.Trace != nil && !slices.ContainsFunc(s.Trace.Threads, hasStates) {
			why = ", as it has no states: --types cuts bursts at events"
		}
		return fmt.Errorf("%w: %s has no %s%s", command.ErrNothing, args[0], kind.Name, why)
	}
	r, err := workload.Analyse(ctx, s, set)
	bar.Close()
	if err != nil {
		return err
	}
	if err := q.write(ctx, r); err != nil {
		return err
	}
	return q.print(ctx, r)
}

// print prints the requested view.
func (q *workloadQuestion) print(ctx context.Context, r *workload.Result) error {
	v := workload.ViewNamed(q.show.Value)
	if v.Component != "" && v.Component != r.Set.Kind.Name {
		return command.Usagef("--show %s needs --component %s", v.Name, v.Component)
	}
	d, err := r.Document(ctx, v)
	if err != nil {
		return err
	}
	if whole := q.Format.Value == "json" && v == &workload.Views[0]; q.Format.Value != "table" && !whole {
		for _, n := range d.Notes {
			q.Say("%s", n)
		}
	}
	return q.PrintDocument(d)
}

// viewFlag chooses a view; its words do not fit on a line of the help.
type viewFlag struct{ command.Choice }

// Type names the value, for the help.
func (*viewFlag) Type() string { return "VIEW" }

func showFlag() viewFlag {
	return viewFlag{choiceOf(workload.Views, func(v workload.View) string { return v.Name })}
}

// extract reads a trace and finds its components.
func (q *workloadQuestion) extract(ctx context.Context, path string, kind *workload.Kind) (*workload.Set, error) {
	t, err := q.OpenNamed(ctx, path)
	var sums *system.StatisticsError
	if errors.As(err, &sums) && (kind.Name == "task" || kind.Name == "burst" &&
		q.component.Value == q.component.Of[0]) {
		return workload.TasksOfStatistics(sums), nil
	}
	if err != nil {
		return nil, err
	}
	opt := workload.Options{From: q.from.At(t.Unit, t.Duration)}
	if q.to != tools.End {
		opt.To = q.to.At(t.Unit, t.Duration)
	}
	for _, typ := range q.types {
		opt.Types = append(opt.Types, uint32(min(typ, 1<<32-1)))
	}
	if q.tasks.String() != "" {
		if opt.Threads, err = q.tasks.Threads(&t.Resources); err != nil {
			return nil, command.Usagef("--tasks: %w", err)
		}
	}
	return workload.Extract(ctx, t, kind, opt)
}

// write writes the requested files: all of them or, on a full disk, none.
func (q *workloadQuestion) write(ctx context.Context, r *workload.Result) error {
	var files prv.Files
	defer files.Discard()
	if q.saveScheme != "" {
		text, err := workload.SchemeOf(r.Set.Kind, r.Settings).Text()
		if err != nil {
			return err
		}
		path := workload.SchemePath(workload.SchemeFolder(), q.saveScheme)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		err = files.Add(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			return err
		}
	}
	if q.prefix != "" {
		if err := q.writeSuite(ctx, r, &files); err != nil {
			return err
		}
	}
	if q.components != "" {
		err := files.Add(q.components, func(w io.Writer) error { return writeComponents(ctx, w, q.components, r) })
		if err != nil {
			return err
		}
	}
	if q.model != "" {
		m, err := r.Model(ctx)
		if err != nil {
			return err
		}
		write := m.WriteJSON
		if strings.HasSuffix(q.model, ".txt") {
			write = m.WriteText
		}
		if err := files.Add(q.model, write); err != nil {
			return err
		}
	}
	if err := files.Commit(); err != nil {
		return err
	}
	if q.plot.Wanted() {
		return q.draw(r)
	}
	return nil
}

// Extensions of the tables of the clustering suite.
const (
	infoEnding = ".clusters_info.csv"
	dataEnding = ".DATA.csv"
)

// writeSuite writes the files of the clustering suite.
func (q *workloadQuestion) writeSuite(ctx context.Context, r *workload.Result, files *prv.Files) error {
	if err := files.Add(q.prefix+infoEnding, r.WriteInfo); err != nil {
		return err
	}
	if r.Set.Trace == nil || r.Set.Kind.Name == "run" {
		return nil
	}
	if err := files.Add(q.prefix+dataEnding, r.WriteData); err != nil {
		return err
	}
	return files.AddTrace(ctx, q.prefix+".prv", r.Stream(workload.StreamOptions{Only: q.only, Filtered: q.omit}))
}

// draw draws the picture of the shown view.
func (q *workloadQuestion) draw(r *workload.Result) error {
	i := max(0, slices.IndexFunc(plots.Figures, func(f plots.Figure) bool { return f.Name == q.show.Value }))
	first, second, _ := strings.Cut(q.planes, ",")
	x, err1 := strconv.Atoi(first)
	y, err2 := strconv.Atoi(cmp.Or(second, first))
	n := len(r.ParameterNames())
	if err1 != nil || err2 != nil || x < 1 || y < 1 || x > n || y > max(n, 2) {
		return command.Usagef("--axes %s: must be two numbers from 1 to %d", q.planes, n)
	}
	f := plots.Figures[i].Draw(r, x-1, min(y, n)-1)
	if f == nil {
		return fmt.Errorf("--plot: there is nothing to draw")
	}
	fig := &picture.Figure{Title: r.Set.Name(0), Scale: 2, Panels: []picture.Panel{&picture.Chart{Figure: f}}}
	if t := r.Set.Trace; t != nil {
		fig.Title = filepath.Base(t.Path)
	}
	return q.plot.Save(fig)
}

// writeComponents writes all components with their classes.
func writeComponents(ctx context.Context, w io.Writer, path string, r *workload.Result) error {
	s := r.Set
	list := []tabular.Column{{Name: "name", Text: s.Name}}
	if s.Thread != nil && s.Trace != nil {
		threads, begin, end, unit := make([]int64, s.Len()), make([]int64, s.Len()), make([]int64, s.Len()),
			s.Trace.Unit.Nanoseconds()
		for i := range threads {
			threads[i], begin[i], end[i] = int64(s.Thread[i])+1, s.Begin[i]*unit, s.End[i]*unit
		}
		list = append(list, tabular.Column{Name: "thread", Int: threads}, tabular.Column{Name: "begin_ns", Int: begin},
			tabular.Column{Name: "end_ns", Int: end})
	}
	for i := range s.Columns {
		list = append(list, tabular.Column{Name: s.Columns[i].Name, Real: s.Columns[i].Values})
	}
	class := make([]int64, s.Len())
	for i, c := range r.Class {
		class[i] = int64(c)
	}
	list = append(list, tabular.Column{Name: "class", Int: class},
		tabular.Column{Name: "cluster", Text: func(i int) string { return workload.ClassName(r.Class[i]) }})
	if f := tabular.FormatOf(path); f != nil {
		return tabular.WriteFrame(ctx, w, f, s.Len(), list)
	}
	out := &report.Table{}
	for _, c := range list {
		out.Columns = append(out.Columns, report.Column{Key: c.Name})
	}
	const rowsAtOnce = 4096
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	for i := range s.Len() {
		var row []any
		for _, c := range list {
			switch {
			case c.Int != nil:
				row = append(row, c.Int[i])
			case c.Real != nil:
				row = append(row, report.OrNil(c.Real[i]))
			default:
				row = append(row, c.Text(i))
			}
		}
		if out.Rows = append(out.Rows, row); len(out.Rows) == rowsAtOnce || i+1 == s.Len() {
			if err := errors.Join(ctx.Err(), document.WriteTable(w, out, format)); err != nil {
				return err
			}
			out.Rows, out.Headless = out.Rows[:0], true
		}
	}
	return nil
}

func hasStates(t prv.Thread) bool { return t.States.Len() > 0 }
