package explaincmd

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/efficiency"
	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
)

// efficiency measures how well runs use their processors.
func Efficiency(a *command.App) *cobra.Command {
	q := &efficiencyQuestion{App: a, scaling: scalingFlag(), model: modelFlag()}
	cmd := &cobra.Command{
		Use:   "efficiency TRACE...",
		Short: "Measure how well runs use their processors: POP factors of one or more traces",
		Long: "efficiency computes the factors of the POP Centre of Excellence: the share of the processors' time that is useful, and the losses to load imbalance, " +
			"serialization (found by simulating an ideal network), transfers, and computation that scales badly. Traces " +
			"are compared with the smallest; names and definitions are those of BSC's modelfactors. Hybrid programs (MPI, several threads " +
			"per process) have factors of MPI and OpenMP too. A factor that needs records missing from the trace has no value, and a note says why.\n\n" +
			"With --project the factors are extrapolated to more processes: each is fitted to a model by least squares, which needs traces of at " +
			"least 3 sizes.",
		Example: "pview efficiency run.prv\n" +
			"pview efficiency run_*.prv --format tsv\n" +
			"pview efficiency run_1.prv run_2.prv run_4.prv run_8.prv --project 16,32,64",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("efficiency needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.answer(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&q.scaling, "scaling", "growth of work with the number of processes; auto decides by the instructions")
	f.IntSliceVar(&q.project, "project", nil,
		"extrapolate the factors to these `NUMBERS` of processes (threads of all processes)")
	f.Var(&q.model, "model", "model of the projection")
	f.StringVarP(&q.machine, "machine", "m", "",
		"machine to simulate instead of the ideal one: a Dimemas configuration (.cfg), or a name from pview list machines")
	f.StringVarP(&q.eager, "eager-limit", "S", "",
		"in the simulation, messages of at least `BYTES` (K, M, G) wait for their receiver, or 'as recorded'; default on machines without a limit 32K, as in modelfactors")
	f.IntVar(&q.ptask, "ptask", 0, "only application `N` (from 1) of the traces")
	for name, c := range map[string]*command.Choice{"scaling": &q.scaling, "model": &q.model} {
		if err := cmd.RegisterFlagCompletionFunc(name, c.Complete); err != nil {
			panic(err) // the flags were defined above
		}
	}
	return cmd
}

func scalingFlag() command.Choice {
	var names []string
	for _, s := range efficiency.Scalings {
		names = append(names, s.Name)
	}
	return command.NewChoice(names...)
}

func modelFlag() command.Choice {
	var names []string
	for _, m := range efficiency.Models {
		names = append(names, m.Name)
	}
	return command.NewChoice(names...)
}

// efficiencyQuestion is the command's flags.
type efficiencyQuestion struct {
	*command.App
	scaling, model command.Choice
	project        []int
	machine, eager string
	ptask          int
}

func (q *efficiencyQuestion) answer(ctx context.Context, paths []string) error {
	for _, p := range q.project {
		if p < 1 {
			return command.Usagef("--project %d: must be a number of processes >= 1", p)
		}
	}
	opt := efficiency.Options{Ptask: q.ptask, Memory: q.MemoryBytes}
	if preset := parameter.PresetByName(q.machine); preset != nil {
		opt.Machine = preset.For
	} else if q.machine != "" {
		m, err := dimemas.OpenMachine(q.machine)
		if err != nil {
			return command.MachineError(q.machine, err)
		}
		opt.Machine = func(*sim.Program) *sim.Machine { return m }
	}
	if q.eager != "" {
		v, err := parameter.ByName("eager-limit").Parse(q.eager)
		if err != nil {
			return command.Usagef("--eager-limit %s: %v", q.eager, err)
		}
		limit := int64(v)
		opt.EagerLimit = &limit
	}
	if n := len(paths); len(q.project) > 0 && n < efficiency.FewestPoints {
		return command.Usagef(
			"--project needs traces of at least %d different sizes: two parameters are fitted for each factor; got %d",
			efficiency.FewestPoints, n)
	}
	var runs []*efficiency.Run
	for _, path := range paths { // one at a time: only the figures of a trace are kept in memory
		run, err := q.measure(ctx, path, opt)
		if err != nil {
			return err
		}
		runs = append(runs, run)
	}
	report := efficiency.Compare(runs, efficiency.Scaling(slices.Index(q.scaling.Of, q.scaling.Value)))
	if q.machine != "" {
		report.Notes = append(report.Notes, "the ideal runs are simulated on "+q.machine+" instead of an ideal network")
	}
	var projection *efficiency.Projection
	if len(q.project) > 0 {
		model, _ := efficiency.ModelByName(q.model.Value)
		fits, err := report.Fit(model)
		if err != nil {
			return err
		}
		projection = report.Project(fits, q.project)
	}
	return q.print(report, projection)
}

func (q *efficiencyQuestion) measure(ctx context.Context, path string, opt efficiency.Options) (*efficiency.Run,
	error) {
	t, err := q.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	bar := command.NewProgress(q.Err, path)
	bar.Plain = true
	defer bar.Close()
	opt.Progress = func(stage string, done, total int64) { bar.Stage(path+": "+stage, done, total) }
	return efficiency.Measure(ctx, t, opt)
}

func (q *efficiencyQuestion) print(r *efficiency.Report, p *efficiency.Projection) error {
	switch q.Format.Value {
	case "table":
		_, err := io.WriteString(q.Styled(q.Out), efficiencyText(r, p))
		return err
	case "json":
		return command.WriteJSON(q.Out, efficiencyObject(r, p))
	}
	for _, run := range r.Runs {
		for _, note := range run.Notes {
			q.Say("%s: %s", run.Path, note)
		}
	}
	for _, note := range r.Notes {
		q.Say("%s", note)
	}
	return efficiencyTable(r, p).Write(q.Out, q.Format.Value)
}

// efficiencyTable has a line for each figure and a column for each run, as modelfactors writes them; then one
// for each size that is projected.
func efficiencyTable(r *efficiency.Report, p *efficiency.Projection) *command.Table {
	out := &command.Table{Columns: []command.Column{{Key: "figure"}}}
	for _, label := range r.Labels() {
		out.Columns = append(out.Columns, command.Column{Key: label})
	}
	if p != nil {
		for _, n := range p.Processors {
			out.Columns = append(out.Columns, command.Column{Key: fmt.Sprintf("%d (projected)", n)})
		}
	}
	for _, f := range r.Shown() {
		row := []any{f.Name}
		for _, v := range figures(r, p, f) {
			if math.IsNaN(v) {
				row = append(row, nil)
			} else {
				row = append(row, strconv.FormatFloat(v, 'f', f.Decimals, 64))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// figures are the values of a factor in all columns.
func figures(r *efficiency.Report, p *efficiency.Projection, f *efficiency.Factor) (list []float64) {
	for i := range r.Runs {
		list = append(list, r.Value(f, i))
	}
	if p != nil {
		for i := range p.Processors {
			list = append(list, p.Value(f, i))
		}
	}
	return list
}

// efficiencyObject is the answer for programs: a list of runs; with a projection an object of the runs, the fits and
// the projected sizes. Keys may be added; none is renamed.
func efficiencyObject(r *efficiency.Report, p *efficiency.Projection) any {
	runs := []command.Object{}
	for i, run := range r.Runs {
		o := command.Object{{Key: "path", Value: run.Path}, {Key: "name", Value: run.Name},
			{Key: "processes", Value: run.Processes}, {Key: "threads", Value: run.Threads},
			{Key: "hybrid", Value: run.Hybrid}, {Key: "scaling", Value: r.Scaling.String()}}
		for _, f := range r.Shown() {
			o = append(o, command.Field{Key: f.Name, Value: orNull(r.Value(f, i))})
		}
		var useful []float64
		for _, ns := range run.Useful {
			useful = append(useful, float64(ns)/1000)
		}
		runs = append(runs, append(o, command.Field{Key: "useful_us_by_thread", Value: useful},
			command.Field{Key: "findings", Value: conclusions(r.Findings(i), 1)},
			command.Field{Key: "notes", Value: append([]string{}, run.Notes...)}))
	}
	if p == nil {
		return runs
	}
	fits, projected := []command.Object{}, []command.Object{}
	for _, f := range p.Fits {
		fits = append(fits, command.Object{{Key: "figure", Value: f.Factor.Name}, {Key: "model", Value: f.Model.Name},
			{Key: "x0", Value: f.X0}, {Key: "f", Value: f.F},
			{Key: "residual", Value: f.Residual}, {Key: "points", Value: f.Points}})
	}
	for i, n := range p.Processors {
		o := command.Object{{Key: "processes", Value: n}}
		for _, f := range r.Shown() {
			if v := p.Value(f, i); !math.IsNaN(v) {
				o = append(o, command.Field{Key: f.Name, Value: v})
			}
		}
		projected = append(projected, o)
	}
	return command.Object{{Key: "runs", Value: runs}, {Key: "fits", Value: fits}, {Key: "projected", Value: projected}}
}

func orNull(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// efficiencyText is the answer for a person: the tree of factors, the other figures, fits, and notes.
func efficiencyText(r *efficiency.Report, p *efficiency.Projection) string {
	bold := lipgloss.NewStyle().Bold(true)
	heading := func(s string) string { return bold.Render(s) }
	var b strings.Builder
	out := &command.Table{Columns: []command.Column{{Title: ""}}}
	for _, label := range r.Labels() {
		out.Columns = append(out.Columns, command.Column{Title: label, Right: true})
	}
	if p != nil {
		for _, n := range p.Processors {
			out.Columns = append(out.Columns, command.Column{Title: fmt.Sprintf("-> %d", n), Right: true})
		}
	}
	add := func(f *efficiency.Factor, depth int) {
		values := figures(r, p, f)
		if !slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) }) {
			return // the notes say why
		}
		row := []any{strings.Repeat("  ", depth) + f.Title}
		for _, v := range values {
			row = append(row, figureText(f, v))
		}
		out.Rows = append(out.Rows, row)
	}
	inTree := map[*efficiency.Factor]bool{}
	for _, n := range efficiency.Tree(r.Hybrid()) {
		inTree[n.Factor] = true
		add(n.Factor, n.Depth)
	}
	for _, f := range r.Shown() {
		if !inTree[f] {
			add(f, 0)
		}
	}
	b.WriteString(out.Text("", heading))
	b.WriteString("\n" + runsText(r, heading))
	if p != nil {
		b.WriteString("\n" + fitsText(p, heading))
	}
	if list := r.Findings(len(r.Runs) - 1); len(list) > 0 {
		fmt.Fprintf(&b, "\n%s\n%s", heading("Lost in "+r.Labels()[len(r.Runs)-1]), concluded(list))
	}
	b.WriteString(notesText(r))
	return b.String()
}

// runsText lists the runs behind the columns.
func runsText(r *efficiency.Report, heading func(string) string) string {
	runs := &command.Table{Columns: []command.Column{{Title: "Run"}, {Title: "Processes"}, {Title: "Threads"},
		{Title: "Trace"}}}
	for i, label := range r.Labels() {
		run := r.Runs[i]
		var threads any // only if it differs
		if run.Threads != run.Processes {
			threads = int64(run.Threads)
		}
		runs.Add(label, int64(run.Processes), threads, run.Path)
	}
	text := runs.Text("", heading)
	if len(r.Runs) > 1 {
		text += fmt.Sprintf("Factors of scalability compare with run %s, by %s scaling: %s.\n", r.Labels()[0],
			r.Scaling, efficiency.Scalings[r.Scaling].Doc)
	}
	return text
}

// fitsText lists the models behind the projection.
func fitsText(p *efficiency.Projection, heading func(string) string) string {
	fits := &command.Table{Columns: []command.Column{{Title: "Fitted"}, {Title: "Model"},
		{Title: "x0 (%)", Show: command.Decimals(3)},
		{Title: "f", Show: command.Decimals(5)},
		{Title: "Residual (% points)", Show: command.Decimals(3)}, {Title: "Runs"}}}
	for _, f := range p.Fits {
		fits.Add(f.Factor.Title, f.Model.Name, f.X0, f.F, f.Residual, int64(f.Points))
	}
	m := p.Fits[0].Model
	return fits.Text("", heading) + fmt.Sprintf("%s: %s at p processes; %s.\n", m.Name, m.Formula, m.Doc)
}

// notesText explains missing values; a note that several runs share appears once.
func notesText(r *efficiency.Report) string {
	var notes []string
	of := map[string][]string{}
	for i, label := range r.Labels() {
		for _, note := range r.Runs[i].Notes {
			if of[note] == nil {
				notes = append(notes, note)
			}
			of[note] = append(of[note], label)
		}
	}
	var b strings.Builder
	for _, note := range append(notes, r.Notes...) {
		whose := strings.Join(of[note], ", ")
		if len(r.Runs) > 1 && whose != "" {
			note = whose + ": " + note
		}
		b.WriteString("\n" + ansi.Wordwrap(prv.Clean(note), command.HelpWidth, "") + "\n")
	}
	return b.String()
}

// figureText writes a value as people read it.
func figureText(f *efficiency.Factor, v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case f.Unit == "us":
		return command.Nanoseconds(v * 1000)
	case f.Unit == "%":
		return strconv.FormatFloat(v, 'f', 2, 64) + " %"
	case f.Decimals == 0:
		return command.Count(int64(v))
	}
	return strings.TrimSpace(strconv.FormatFloat(v, 'f', 3, 64) + " " + f.Unit)
}
