package explaincmd

// pview frameworks: a master/worker program or a pipeline with more workers, another distribution, or replicas.

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/insight/frameworks/plots"
	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	"pview/sim/dimemas"
)

// Frameworks applies the models of parallel structures.
func Frameworks(a *command.App) *cobra.Command {
	q := &framework{App: a, kind: command.NewChoice("auto", role.MasterWorker.String(),
		role.PipelineOf.String(),
		"nested"), protocol: command.NewChoice("auto", "async", "sync"), tail: command.NewChoice("floor", "lastN"),
		variance: command.NewChoice("correlated", "iid"), leftover: command.NewChoice("each", "single")}
	cmd := &cobra.Command{
		Use:   "frameworks TRACE",
		Short: "Recognise a master/worker program or a pipeline, and recommend workers, distribution, replicas",
		Long: "frameworks recognises a master with workers, a pipeline, or a master whose workers are pipelines, " +
			"from the messages of a run (or takes --roles). It reads the parameters of the structure's performance " +
			"model from the trace, predicts the time of an iteration or item for other numbers of workers or " +
			"replicas, and says how many are worth their processors. With --simulate the parameters must reproduce " +
			"the run in the simulator, and the recommendation is simulated: confirmed, weak, refuted, or " +
			"unconfirmed if the parameters do not reproduce the run.\n\n" +
			"The models are those of E. Cesar's thesis (UAB, 2006): docs/frameworks.md has the formulas. The exit " +
			"status is 3 when no structure is recognised; the scores say why.",
		Example: "pview frameworks run.prv\n" +
			"pview frameworks run.prv --simulate --plot curves.svg\n" +
			"pview frameworks run.prv --roles roles.txt --volume proportional --max-workers 64\n" +
			"pview frameworks pipe.prv --free 4 --lambda 1e-6 --format json",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&q.kind, "kind", "structure to look for")
	f.StringVar(&q.roles, "roles", "", "`FILE` that says what each task is, instead of recognition")
	f.StringVar(&q.writeRoles, "write-roles", "", "write the recognised roles to `FILE`")
	f.IntVar(&q.ptask, "ptask", 1, "application `N` (from 1)")
	f.StringVar(&q.from, "from", "", "start of the time range: 12.5ms, 10%, or a number in the trace's unit")
	f.StringVar(&q.to, "to", "", "end of the time range")
	f.StringVar(&q.m0, "m0", "", "start-up of a message (`TIME`; a number is ms), instead of the measured one")
	f.StringVar(&q.lambda, "lambda", "", "cost of a byte (`MS`), instead of the measured one")
	f.StringVar(&q.machine, "machine", "",
		"Dimemas configuration `FILE` whose latency and bandwidth apply if the trace does not show them")
	f.Var(&q.protocol, "protocol", "whether sends wait for their receiver")
	f.StringVar(&q.volume, "volume", "const",
		"how the bytes of an iteration change with the workers: const, proportional, +10% for each worker, or "+
			"fit=TRACE,TRACE of other runs (`RULE`)")
	f.StringVar(&q.each, "compute-per-worker", "", "computation that each worker adds (`TIME`; a number is ms)")
	f.StringVar(&q.tasks, "tasks", "",
		"tasks of an iteration: `N`, or event=TYPE[=VALUE], the event that begins a task on a worker (default: as "+
			"many as messages to the workers)")
	f.Var(&q.tail, "tail",
		"how policy DAF hands out the last tasks: in chunks of the least size, or in one for each worker")
	f.Var(&q.variance, "variance",
		"how tasks of a chunk vary in policy DAF: together, or independent and identically distributed (iid)")
	f.Var(&q.leftover, "leftover",
		"a last batch with fewer tasks than workers: a chunk for each task, or a single one")
	f.IntVar(&q.opt.MaxWorkers, "max-workers", 0, "consider up to `N` workers")
	f.IntVar(&q.opt.Free, "free", -1, "processors that are free for replicas (`N`; default: one for each stage)")
	f.BoolVar(&q.opt.Simulate, "simulate", false, "verify the recommendation in the simulator")
	f.StringVar(&q.trace, "simulated", "",
		"write the simulated trace of the recommendation to `FILE` (with --simulate)")
	q.plot.Flags(f, "write the curves")
	for name, c := range map[string]*command.Choice{"kind": &q.kind, "protocol": &q.protocol, "tail": &q.tail,
		"variance": &q.variance, "leftover": &q.leftover} {
		if err := cmd.RegisterFlagCompletionFunc(name, c.Complete); err != nil {
			panic(err) // the flag was defined above
		}
	}
	return cmd
}

// framework is the command's flags.
type framework struct {
	*command.App
	kind, protocol      command.Choice
	tail, variance      command.Choice
	leftover            command.Choice
	roles, writeRoles   string
	ptask               int
	from, to            string // the time range
	m0, lambda, machine string
	volume, each, trace string
	plot                command.PlotFlags
	tasks               string
	opt                 frameworks.Options
}

// check reads the flags that need no trace.
func (q *framework) check() error {
	switch q.kind.Value {
	case role.MasterWorker.String():
		q.opt.Kind = role.MasterWorker
	case role.PipelineOf.String():
		q.opt.Kind = role.PipelineOf
	case "nested":
		q.opt.Kind = role.NestedOf
	}
	for _, p := range []role.Protocol{role.Async, role.Sync} {
		if q.protocol.Value == p.String() {
			q.opt.Protocol = &p
		}
	}
	q.opt.Rules = frameworks.Rules{TailLastN: q.tail.Value == "lastN", Independent: q.variance.Value == "iid",
		LeftoverSingle: q.leftover.Value == "single"}
	if err := q.checkCosts(); err != nil {
		return err
	}
	for _, n := range []struct {
		flag string
		v    int
		min  int
	}{{"ptask", q.ptask, 1}, {"max-workers", q.opt.MaxWorkers, 0}, {"free", q.opt.Free, -1}} {
		if n.v < n.min || n.v > 1<<20 {
			return command.Usagef("--%s %d: must be >= %d and at most %d", n.flag, n.v, max(n.min, 0), 1<<20)
		}
	}
	if err := q.countTasks(); err != nil {
		return err
	}
	if q.trace != "" && !q.opt.Simulate {
		return command.Usagef("--simulated needs --simulate")
	}
	if err := command.CheckOutputs(q.writeRoles, q.trace); err != nil {
		return err
	}
	return q.plot.Check()
}

// checkCosts reads the costs of messages and of computation.
func (q *framework) checkCosts() (err error) {
	if q.m0 != "" {
		v, err := quantity.ParseTime(q.m0, 1e6)
		if err != nil || v < 0 {
			return command.Usagef("--m0 %s: must be a time >= 0, such as 20us", q.m0)
		}
		q.opt.M0 = &v
	}
	if q.lambda != "" {
		v, err := strconv.ParseFloat(q.lambda, 64)
		if err != nil || !(v >= 0 && v < 1e9) {
			return command.Usagef("--lambda %s: must be a number of ms per byte >= 0, such as 1e-6", q.lambda)
		}
		v *= 1e6
		q.opt.PerByte = &v
	}
	if q.each != "" {
		if q.opt.ComputePerWorker, err = quantity.ParseTime(q.each, 1e6); err != nil {
			return command.Usagef("--compute-per-worker %s: must be a time, such as 2ms", q.each)
		}
	}
	return nil
}

// countTasks reads --tasks.
func (q *framework) countTasks() (err error) {
	event, named := strings.CutPrefix(q.tasks, "event=")
	switch {
	case q.tasks == "":
	case named:
		if q.opt.TaskEvent, err = role.ParseEvent(event); err != nil {
			return command.Usagef("--tasks %s: %v", q.tasks, err)
		}
	default:
		if q.opt.Tasks, err = strconv.Atoi(q.tasks); err != nil || q.opt.Tasks < 1 || q.opt.Tasks > 1<<20 {
			return command.Usagef("--tasks %s: must be >= 1 and at most %d, or event=TYPE[=VALUE]", q.tasks, 1<<20)
		}
	}
	return nil
}

// growth reads --volume.
func (q *framework) growth(ctx context.Context) error {
	rest, fit := strings.CutPrefix(q.volume, "fit=")
	switch {
	case q.volume == "const":
	case q.volume == "proportional":
		q.opt.Proportional = true
	case fit:
		for _, path := range strings.Split(rest, ",") {
			t, err := q.OpenNamed(ctx, path)
			if err != nil {
				return err
			}
			q.opt.Further = append(q.opt.Further, t)
		}
	default:
		number, percent := strings.CutSuffix(q.volume, "%")
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !percent || math.IsNaN(v) || v < 0 || v > 1e6 {
			return command.Usagef(
				"--volume %s: must be const, proportional, a share for each worker such as +10%%, or fit=TRACE,TRACE",
				q.volume)
		}
		q.opt.Growth = v / 100
	}
	return nil
}

func (q *framework) run(cmd *cobra.Command, path string) error {
	ctx := cmd.Context()
	if err := q.check(); err != nil {
		return err
	}
	if err := q.growth(ctx); err != nil {
		return err
	}
	if q.machine != "" {
		m, err := dimemas.OpenMachine(q.machine)
		if err != nil {
			return err
		}
		q.opt.Machine = m
	}
	t, err := q.OpenNamed(ctx, path)
	if err != nil {
		return err
	}
	begin, end, limited, err := command.TimeRange(q.from, q.to, t)
	if err != nil {
		return err
	}
	q.opt.Window = role.Window{Ptask: q.ptask - 1}
	if limited {
		q.opt.Window.From, q.opt.Window.To = begin, end
	}
	if q.roles != "" {
		if q.opt.Roles, err = role.Open(q.roles, t); err != nil {
			return err
		}
	}
	r, err := frameworks.Analyse(ctx, t, q.opt)
	if err != nil {
		return fmt.Errorf("%s: %w", prv.Clean(path), err)
	}
	if err := q.PrintDocument(answer.Document(t, r, "; --ptask N for another")); err != nil {
		return err
	}
	if r.Refusal != "" {
		return fmt.Errorf("%w: %s: %s", command.ErrNothing, prv.Clean(path), r.Refusal)
	}
	return q.save(ctx, t, r)
}

// save writes the requested files.
func (q *framework) save(ctx context.Context, t *prv.Trace, r *frameworks.Report) error {
	if q.writeRoles != "" {
		if err := prv.SaveFile(q.writeRoles, func(w io.Writer) error {
			return role.Write(w, r.Roles, t)
		}); err != nil {
			return err
		}
	}
	if q.plot.Wanted() {
		fig := &picture.Figure{Title: prv.Clean(t.Path), Subtitle: r.Kind}
		for _, f := range plots.Figures(r) {
			fig.Panels = append(fig.Panels, &picture.Chart{Figure: f})
		}
		if err := q.plot.Save(fig); err != nil {
			return err
		}
	}
	if q.trace != "" {
		if r.Verdict == nil || r.Verdict.Trace == nil {
			return fmt.Errorf("there is no recommended run to write: %s", r.Fit)
		}
		return prv.Save(ctx, q.trace, r.Verdict.Trace)
	}
	return nil
}
