package explaincmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/efficiency"
	"pview/render/document"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/parameter"
)

// Efficiency measures how well runs use their processors.
func Efficiency(a *command.App) *cobra.Command {
	q := &efficiencyQuestion{App: a, scaling: scalingFlag(), model: modelFlag()}
	cmd := &cobra.Command{
		Use:   "efficiency TRACE...",
		Short: "Measure how well runs use their processors: POP factors of one or more traces",
		Long: "efficiency computes the factors of the POP Centre of Excellence: the share of the processors' time " +
			"that is useful, and the losses to load imbalance, " +
			"serialization (found by simulating an ideal network), transfers, and computation that scales badly. " +
			"Traces " +
			"are compared with the smallest; names and definitions are those of BSC's modelfactors. Hybrid programs " +
			"(MPI, several threads " +
			"per process) have factors of MPI and OpenMP too. A factor that needs records missing from the trace has " +
			"no value, and a note says why.\n\n" +
			"With --project the factors are extrapolated to more processes: each is fitted to a model by least " +
			"squares, which needs traces of at " +
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
		"machine to simulate instead of the ideal one: a Dimemas configuration (.cfg), or a name from pview list "+
			"machines")
	f.StringVarP(&q.eager, "eager-limit", "S", "",
		"in the simulation, messages of at least `BYTES` (K, M, G) wait for their receiver, or 'as recorded'; "+
			"default on machines without a limit 32K, as in modelfactors")
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
	for _, path := range paths { // one at a time: keep only the figures of a trace in memory
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
	t, err := q.OpenNamed(ctx, path)
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
	d := r.Document(p)
	if document.IsRows(q.Format.Value) {
		for _, note := range d.Notes {
			q.Say("%s", note)
		}
	}
	return q.PrintDocument(d)
}
