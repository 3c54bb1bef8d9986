package explaincmd

// pview frameworks: what a master/worker program or a pipeline could do with more workers, another distribution, or
// replicas.

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/frameworks"
	"pview/insight/frameworks/plots"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/picture"
	"pview/sim/dimemas"
)

// Frameworks applies the models of parallel structures.
func Frameworks(a *command.App) *cobra.Command {
	q := &framework{App: a, kind: command.NewChoice("auto", frameworks.MasterWorker.String(),
		frameworks.PipelineOf.String(),
		"nested"), protocol: command.NewChoice("auto", "async", "sync")}
	cmd := &cobra.Command{
		Use:   "frameworks TRACE",
		Short: "Recognise a master/worker program or a pipeline, and recommend workers, distribution, replicas",
		Long: "frameworks recognises a master with workers, a pipeline, or a master whose workers are pipelines, from the messages of a run (or takes --roles). It reads the " +
			"parameters of the structure's performance model from the trace, predicts the time of an iteration or item for other numbers of workers or replicas, and says how many are " +
			"worth their processors. With --simulate the parameters must reproduce the run in the simulator, and the recommendation is simulated: confirmed, weak, refuted, or " +
			"unconfirmed where the parameters do not reproduce the run.\n\n" +
			"The models are those of E. Cesar's thesis (UAB, 2006): docs/frameworks.md has the formulas. The exit status is 3 when no structure is recognised; the scores say why.",
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
		"Dimemas configuration `FILE` whose latency and bandwidth stand in where the trace does not show them")
	f.Var(&q.protocol, "protocol", "whether sends wait for their receiver")
	f.StringVar(&q.volume, "volume", "const",
		"how the bytes of an iteration change with the workers: const, proportional, +10% for each worker, or fit=TRACE,TRACE of other runs (`RULE`)")
	f.StringVar(&q.each, "compute-per-worker", "", "computation that each worker adds (`TIME`; a number is ms)")
	f.StringVar(&q.tasks, "tasks", "",
		"tasks of an iteration: `N`, or event=TYPE[=VALUE], the event that begins a task on a worker (default: as many as messages to the workers)")
	f.IntVar(&q.opt.MaxWorkers, "max-workers", 0, "consider up to `N` workers")
	f.IntVar(&q.opt.Free, "free", -1, "processors that are free for replicas (`N`; default: one for each stage)")
	f.BoolVar(&q.opt.Simulate, "simulate", false, "verify the recommendation in the simulator")
	f.StringVar(&q.trace, "simulated", "",
		"write the simulated trace of the recommendation to `FILE` (with --simulate)")
	q.plot.Flags(f, "write the curves")
	for name, c := range map[string]*command.Choice{"kind": &q.kind, "protocol": &q.protocol} {
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
	case frameworks.MasterWorker.String():
		q.opt.Kind = frameworks.MasterWorker
	case frameworks.PipelineOf.String():
		q.opt.Kind = frameworks.PipelineOf
	case "nested":
		q.opt.Kind = frameworks.NestedOf
	}
	for _, p := range []frameworks.Protocol{frameworks.Async, frameworks.Sync} {
		if q.protocol.Value == p.String() {
			q.opt.Protocol = &p
		}
	}
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
		if q.opt.TaskEvent, err = frameworks.ParseEvent(event); err != nil {
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
			t, err := q.Open(ctx, path)
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
	t, err := q.Open(ctx, path)
	if err != nil {
		return err
	}
	begin, end, limited, err := command.TimeRange(q.from, q.to, t)
	if err != nil {
		return err
	}
	q.opt.Window = frameworks.Window{Ptask: q.ptask - 1}
	if limited {
		q.opt.Window.From, q.opt.Window.To = begin, end
	}
	if q.roles != "" {
		if q.opt.Roles, err = frameworks.OpenRoles(q.roles, t); err != nil {
			return err
		}
	}
	r, err := frameworks.Analyse(ctx, t, q.opt)
	if err != nil {
		return fmt.Errorf("%s: %w", prv.Clean(path), err)
	}
	if err := q.print(t, r); err != nil {
		return err
	}
	if r.Refusal != "" {
		return fmt.Errorf("%w: %s: %s", command.ErrNothing, prv.Clean(path), r.Refusal)
	}
	return q.save(ctx, t, r)
}

// save writes the files that were asked for.
func (q *framework) save(ctx context.Context, t *prv.Trace, r *frameworks.Report) error {
	if q.writeRoles != "" {
		if err := prv.SaveFile(q.writeRoles, func(w io.Writer) error {
			return frameworks.WriteRoles(w, r.Roles, t)
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
			return fmt.Errorf("there is no simulated trace of a %s", r.Kind)
		}
		return prv.Save(ctx, q.trace, r.Verdict.Trace)
	}
	return nil
}

func (q *framework) print(t *prv.Trace, r *frameworks.Report) error {
	p := &frameworkReport{t: t, r: r}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, struct {
			*frameworks.Report
			Findings []command.Object `json:"findings"`
		}{r, report.FindingObjects(t, r.Findings())})
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(q.Styled(q.Out), p.text(func(s string) string { return bold.Render(s) }))
		return err
	}
	return document.WriteTable(q.Out, p.rows(), q.Format.Value)
}

// frameworkReport is a report, to be printed.
type frameworkReport struct {
	t *prv.Trace
	r *frameworks.Report
}

func ms(v any) string {
	return quantity.FormatDuration(int64(math.Round(v.(float64))), prv.Nanoseconds)
}

func part(v any) string { return command.Percent(v.(float64), 1) }

func four(v any) string { return strconv.FormatFloat(v.(float64), 'g', 4, 64) }

// rows is the table for programs: the curve, the stages, or the scores.
func (p *frameworkReport) rows() *command.Table {
	switch {
	case p.r.Farm != nil:
		return p.curve()
	case p.r.Pipeline != nil:
		return p.stages()
	case p.r.Nested != nil:
		return p.plans()
	}
	t := &command.Table{Columns: []command.Column{{Key: "kind", Title: "Structure"},
		{Key: "score", Title: "Score", Show: four},
		{Key: "why", Title: "Why"}}}
	for _, s := range p.r.Scores {
		t.Add(s.Kind, s.Score, s.Why)
	}
	return t
}

func (p *frameworkReport) curve() *command.Table {
	t := &command.Table{Columns: []command.Column{{Key: "workers", Title: "Workers"},
		{Key: "time_ns", Title: "Time", Show: ms, Right: true}, {Key: "speedup", Title: "Speedup", Show: four},
		{Key: "efficiency", Title: "Efficiency", Show: part, Right: true},
		{Key: "index_ns", Title: "Index", Show: ms, Right: true}, {Key: "fed", Title: "Master"},
		{Key: "hard_to_balance", Title: "Hard to balance", Show: four}, {Key: "mark", Title: ""}}}
	f := p.r.Farm
	for _, c := range f.Curve {
		fed := "feeds them"
		if !c.Fed {
			fed = "too slow"
		}
		var marks []string
		for _, m := range []struct {
			n    int
			name string
		}{{f.Workers, "now"}, {f.Worth, "recommended"}, {f.Fastest, "fastest"}} {
			if m.n == c.Workers {
				marks = append(marks, m.name)
			}
		}
		t.Add(int64(c.Workers), c.Time, c.Speedup, c.Efficiency, c.Index, fed, c.Hardness, strings.Join(marks, ", "))
	}
	return t
}

func (p *frameworkReport) stages() *command.Table {
	t := &command.Table{Columns: []command.Column{{Key: "stage", Title: "Stage"}, {Key: "tasks", Title: "Tasks"},
		{Key: "compute_ns",
			Title: "Compute", Show: ms, Right: true}, {Key: "spread_ns", Title: "+-", Show: ms, Right: true},
		{Key: "bytes", Title: "Bytes", Show: four}, {Key: "production_ns", Title: "Tr", Show: ms, Right: true},
		{Key: "dependent_ns", Title: "rTr", Show: ms, Right: true},
		{Key: "dependent_full_ns", Title: "rTr full", Show: ms, Right: true},
		{Key: "observed_ns", Title: "Observed", Show: ms, Right: true}, {Key: "error", Title: "Error", Show: part,
			Right: true}, {Key: "replicas", Title: "Replicas"}, {Key: "proposed", Title: "Proposed"},
		{Key: "proposed_overlap_ns", Title: "Then", Show: ms, Right: true},
		{Key: "proposed_additive_ns", Title: "at most", Show: ms, Right: true}, {Key: "mark", Title: ""}}}
	for _, s := range p.r.Pipeline.Stages {
		mark := ""
		if s.Slowest {
			mark = "bottleneck"
		}
		t.Add(int64(s.Stage), s.Tasks, s.Compute, s.Spread, s.Bytes, s.Own, s.Async, s.Full, s.Observed, s.Error,
			int64(s.Replicas), int64(s.Proposed), s.Overlapped, s.Additive, mark)
	}
	return t
}

// plans are the divisions of the processors among the pipelines of a master.
func (p *frameworkReport) plans() *command.Table {
	t := &command.Table{Columns: []command.Column{{Key: "plan", Title: "Plan"}, {Key: "workers", Title: "Workers"},
		{Key: "processors_each", Title: "Each on"}, {Key: "time_ns", Title: "Time", Show: ms, Right: true},
		{Key: "index_ns", Title: "Index", Show: ms, Right: true}}}
	n := p.r.Nested
	for _, x := range []struct {
		name string
		plan frameworks.Plan
	}{{"now", n.Now}, {"next step", n.Next}, {"least index", n.Worth}, {"fastest", n.Fastest}} {
		t.Add(x.name, int64(x.plan.Workers), int64(x.plan.Inner), x.plan.Time, x.plan.Index)
	}
	return t
}

// text is the report for a person.
func (p *frameworkReport) text(heading func(string) string) string {
	var b strings.Builder
	r := p.r
	fmt.Fprintf(&b, "%s\n\n", heading(prv.Clean(p.t.Path)))
	told := "recognised"
	if r.Told {
		told = "told"
	}
	if r.Refusal != "" {
		told = "no structure"
	}
	fmt.Fprintf(&b, "%s (%s, ptask %d)\n", r.Kind, told, r.Ptask)
	for _, line := range r.Structure {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if r.Refusal != "" {
		b.WriteString("\n" + document.TableText(p.rows(), "  ", heading))
		return b.String()
	}
	b.WriteString("\n" + heading("Parameters") + "\n" + document.TableText(p.parameters(), "  ", nil))
	switch {
	case r.Farm != nil:
		p.farm(&b, heading)
	case r.Pipeline != nil:
		p.pipeline(&b, heading)
	case r.Nested != nil:
		n := r.Nested
		fmt.Fprintf(&b, "\n%s\n  measured %s for %d items, predicted %s (%+.1f %%)\n", heading("Iteration"),
			ms(n.Measured), n.Items, ms(n.Now.Time), 100*(n.Now.Time/n.Measured-1))
		b.WriteString("\n" + heading("Processors") + "\n" + document.TableText(p.plans(), "  ", nil))
	}
	b.WriteString("\n" + heading("Advice") + "\n")
	for _, a := range r.Advice {
		fmt.Fprintf(&b, "  %s\n", a.What)
		fmt.Fprintf(&b, "      gain %s (%s), %+d processors; safe %s\n", ms(a.Gain), part(a.Share), a.Processors,
			a.When)
		fmt.Fprintf(&b, "      rests on: %s; confidence: %s\n", a.Rests, a.Confidence)
	}
	p.verdict(&b, heading)
	for i, w := range r.Warnings {
		if i == 0 {
			b.WriteString("\n" + heading("Mind") + "\n")
		}
		fmt.Fprintf(&b, "  %s\n", w)
	}
	return b.String()
}

func (p *frameworkReport) parameters() *command.Table {
	t := &command.Table{Columns: []command.Column{{Title: "Parameter"}, {Title: "Symbol"},
		{Title: "Value", Right: true},
		{Title: "+-", Right: true}, {Title: "Origin"}, {Title: "Samples"}, {Title: "Note"}}}
	for _, v := range p.r.Parameters {
		show := func(x float64) string {
			switch v.Unit {
			case "ns":
				return ms(x)
			case "async", "sync":
				return v.Unit
			}
			return strings.TrimSpace(four(x) + " " + v.Unit)
		}
		spread := ""
		if v.Spread > 0 {
			spread = show(v.Spread)
		}
		t.Add(v.Name, v.Symbol, show(v.Value.Value), spread, string(v.Origin), int64(v.Samples), v.Note)
	}
	return t
}

func (p *frameworkReport) farm(b *strings.Builder, heading func(string) string) {
	f := p.r.Farm
	fmt.Fprintf(b, "\n%s\n", heading("Iteration"))
	fmt.Fprintf(b, "  measured %s (median of %d), predicted %s (%+.1f %%); %s\n", ms(f.Measured), f.Iterations,
		ms(f.Predicted), 100*(f.Predicted/f.Measured-1), f.Regime)
	limit := "any number of workers"
	if f.Limit != nil {
		limit = fmt.Sprintf("%.0f workers", math.Floor(*f.Limit))
	}
	fmt.Fprintf(b, "  balance %.2f, idle %.2f; the master can feed %s; a chunk needs %d tasks at least\n", f.Balance,
		f.Idle, limit, max(1, f.LeastChunk))
	if f.Unanswered > 0 {
		fmt.Fprintf(b, "  %d messages to workers are not answered and do not count\n", f.Unanswered)
	}
	t := p.curve()
	t.Rows = slices.DeleteFunc(t.Rows, func(row []any) bool {
		n := int(row[0].(int64))
		return row[7] == "" && !round(n)
	})
	b.WriteString("\n" + heading("Workers") + "\n" + document.TableText(t, "  ", nil))
	policies := &command.Table{Columns: []command.Column{{Title: "Policy"}, {Title: "Factor", Show: four},
		{Title: "Time", Show: ms, Right: true}, {Title: "Messages"}, {Title: "Over Tc/n", Show: part, Right: true}}}
	for _, x := range f.Policies {
		var factor any
		if x.Factor > 0 {
			factor = x.Factor
		}
		policies.Add(x.Policy, factor, x.Time, int64(x.Messages), x.Over)
	}
	bands := &command.Table{Columns: []command.Column{{Title: "Input"}, {Title: "10 % less", Show: part, Right: true},
		{Title: "10 % more", Show: part, Right: true}, {Title: "Best workers"}}}
	for _, x := range f.Bands {
		best := strconv.Itoa(x.Workers[0])
		if x.Workers[1] != x.Workers[0] {
			best = fmt.Sprintf("%d-%d", min(x.Workers[0], x.Workers[1]), max(x.Workers[0], x.Workers[1]))
		}
		bands.Add(x.Input, x.Low, x.High, best)
	}
	b.WriteString("\n" + heading("Time, and best number of workers, when an input is wrong") + "\n")
	b.WriteString(document.TableText(bands, "  ", nil))
	b.WriteString("\n" + heading("Distribution of the traced tasks") + "\n" + document.TableText(policies, "  ", nil))
	if s := f.Steering; s != nil {
		fmt.Fprintf(b, "\n%s\n  as it was %s, tuned by DAF from earlier iterations %s, with perfect knowledge %s\n",
			heading("The run played again"), ms(s.Without), ms(s.Tuned), ms(s.Perfect))
	}
}

// round reports whether a number of workers is shown among many.
func round(n int) bool {
	step := 1
	for n > 8*step {
		step *= 2
	}
	return n%step == 0
}

func (p *frameworkReport) pipeline(b *strings.Builder, heading func(string) string) {
	x := p.r.Pipeline
	fmt.Fprintf(b, "\n%s\n", heading("Stages"))
	b.WriteString(document.TableText(p.stages(), "  ", nil))
	fmt.Fprintf(b,
		"\n  an item takes %s (observed), predicted %s (%+.1f %%); filling and draining are %s of %d items\n",
		ms(x.Observed), ms(x.Predicted), 100*(x.Predicted/x.Observed-1), part(x.Filling), x.Items)
	steps := &command.Table{Columns: []command.Column{{Title: "Free processors"}, {Title: "Used"},
		{Title: "Replicas of each stage"},
		{Title: "An item", Show: ms, Right: true}}}
	for _, s := range x.Steps {
		steps.Add(int64(s.Free), int64(s.Used), strings.Trim(fmt.Sprint(s.Replicas), "[]"), s.Pace)
	}
	b.WriteString("\n" + heading("Staircase") + "\n" + document.TableText(steps, "  ", nil))
}

func (p *frameworkReport) verdict(b *strings.Builder, heading func(string) string) {
	v := p.r.Verdict
	if v == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n  %s: %s\n", heading("Simulation"), v.Verdict, v.Why)
	switch {
	case v.StartUp > 0:
		fmt.Fprintf(b, "  %s: the simulation has the mean\n", v.Note)
		if v.Instead > 0 {
			fmt.Fprintf(b, "  with it the model recommends %d workers: --m0 %s\n", v.Instead,
				strings.ReplaceAll(ms(v.StartUp), " ", ""))
		}
	case v.Replayed > 0:
		fmt.Fprintf(b, "  the run replayed with these parameters takes %s (%+.1f %%)\n", ms(v.Replayed), 100*v.Off)
	}
	if v.Prefers > 0 {
		fmt.Fprintf(b, "  the simulation prefers %d workers, though the master cannot feed them by the model\n",
			v.Prefers)
	}
	t := &command.Table{Columns: []command.Column{{Title: "Workers"}, {Title: "Each on"}, {Title: "Replicas"},
		{Title: "Predicted",
			Show: ms, Right: true}, {Title: "Simulated", Show: ms, Right: true}, {Title: "Off", Show: part, Right: true}}}
	for _, x := range v.Points {
		var workers, each, replicas any
		if x.Inner > 0 {
			each = int64(x.Inner)
		}
		if x.Workers > 0 {
			workers = int64(x.Workers)
		} else {
			replicas = strings.Trim(fmt.Sprint(x.Replicas), "[]")
		}
		t.Add(workers, each, replicas, x.Predicted, x.Simulated, x.Off)
	}
	b.WriteString(document.TableText(t, "  ", nil))
}
