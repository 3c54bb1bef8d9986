// Package diagnose finds what is wrong with a run, ranks it by the time that it costs, and says where to see it.
//
// The method is that of Sinha's expert for Charm (PhD thesis, University of Illinois, 1994), for message passing
// programs: the run becomes units of work, each with the unit that let it begin; it is cut into phases that cannot
// influence each other; rules look at each phase that uses the processors badly; their findings are capped at what the
// phase can gain, combined and ranked. Waits and their root causes come from package waits.
//
//	trace -> waits -> units -> phases -> rules -> findings
package diagnose

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pview/insight/account"
	"pview/insight/breakdown"
	"pview/insight/criticalpath"
	"pview/insight/eventgraph"
	"pview/insight/frameworks"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/parallel"
	"pview/prv/quantity"
)

// Settings are the thresholds of the rules.
type Settings struct {
	Gate        float64 // utilisation from which a phase is good enough: 0.75
	CutOff      float64 // a finding with less than this share of its phase's is minor: 0.2
	Tail        float64 // part of a unit before a send that counts as late: 0.8
	GrainRatio  float64 // good grain / cost of a message: 10
	Imbalance   float64 // max / mean that counts as unbalanced: 1.2
	Combine     int     // messages in a row that are worth combining: 4
	Bottleneck  int     // minimum threads for a bottleneck: 8
	Significant float64 // minimum share of the run of findings on the whole run: 0.01
	Trifle      float64 // share of the run below which any finding is minor: 0.001

	Latency, PerByte *float64 // of messages, in the trace's unit; nil: measured
}

// Default are the settings of the thesis, or ours if it has none.
var Default = Settings{Gate: 0.75, CutOff: 0.2, Tail: 0.8, GrainRatio: 10, Imbalance: 1.2, Combine: 4, Bottleneck: 8,
	Significant: 0.01, Trifle: 0.001}

// Verified is the usual number of findings whose repairs are simulated.
const Verified = 10

// Options of Analyze. The zero value is the default, without simulations.
type Options struct {
	Waits    waits.Options
	Settings *Settings // nil: Default
	// From and To are the time range that is analysed; both 0: the whole run.
	From, To int64
	// Verify is the number of findings whose repairs are simulated, from the first.
	Verify   int
	Progress func(done, total int64)
}

// Result is a diagnosis. Times are in the trace's unit.
type Result struct {
	Findings []report.Finding
	Minor    []report.Finding
	// Dismissed is the number of findings that the user dismissed.
	Dismissed int
	// NotApplicable are the rules whose data the trace lacks.
	NotApplicable []report.RuleID
	Notes         []string

	Length      int64
	Threads     int
	Utilisation float64
	Recoverable float64 // an upper bound
	Phases      int
	Groups      int
	Gated       int // phases good enough to be skipped
	Parameters  eventgraph.Parameters
	Level       waits.Level
	Waits       *waits.Result
	// Together has the gain of the first two findings with a replayed repair as one change, and of all Repairs of them;
	// 0: there is only one.
	Together struct {
		Two, All float64
		Repairs  int
	}
	// Account divides the time of every thread, by the clocks of the trace.
	Account *account.Account
	// Hosts is the account of the threads that are not device streams, while Account has the devices; nil if the trace
	// has no device work.
	Hosts *account.Account
	// Deviation is the relative error of the unchanged replay's run time.
	Deviation float64

	analysis *analysis
	recorded *eventgraph.Graph // of the unrepaired trace, as in the account
	offset   int64             // start of the analysed range
}

// analysis is the work in progress.
type analysis struct {
	*eventgraph.Graph
	set Settings

	total    eventgraph.TotalUsage
	byThread []eventgraph.Usage
	accepted []accepted // by group of phases
	changes  map[aboutOf][]replay.Change
	repairs  []*remedy.Candidate // of findings, until they are tried together
	tallies  map[tallyOf]tally
	// found are the structures of the ptasks, simulated those with simulations.
	found, simulated []*frameworks.Report
	looked           bool
	executions       []eventgraph.ClassUse // of the run; nil: not yet counted
	applied          [][]int32             // see applications
	bound            bool                  // by computation: see computeBound
	devices          *gpu.Analysis         // nil: the trace has no device work
	steps            *phase.Tiling         // of a run with devices
	critpath         *criticalpath.Path
	onPath           [][]eventgraph.Span // by thread: stretches on the critical path
	out              *Result
}

// Analyze diagnoses a trace. The only error is ctx's.
func Analyze(ctx context.Context, t *prv.Trace, opt Options) (r *Result, err error) {
	defer parallel.OnEnd(ctx, &err)
	if r, err = analyze(ctx, t, opt); err == nil {
		r.analysis.Watches(context.Background())
	}
	return r, err
}

func analyze(ctx context.Context, t *prv.Trace, opt Options) (*Result, error) {
	if opt.From > 0 || opt.To > 0 && opt.To < t.Duration {
		return analyzeRange(ctx, t, opt)
	}
	if execution.IsDriven(t) {
		return analyzeDriven(ctx, t, opt)
	}
	a, err := newAnalysis(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	if err := a.findDevices(ctx); err != nil {
		return nil, err
	}
	if a.devices != nil {
		return a.out, a.run(ctx, opt, a.BuildUnits, a.runDevices)
	}
	if execution.IsSummary(t) {
		a.out.Notes = nil
		return a.out, a.run(ctx, opt, a.BuildUnits, a.makeAccount, a.sumUsage, a.FindPhases)
	}
	if err := a.run(ctx, opt, a.BuildUnits, a.makeAccount, a.sumUsage, a.findPath, a.FindPhases,
		a.runRules); err != nil {
		return nil, err
	}
	if opt.Verify > 0 {
		if err := a.verify(ctx, opt.Verify); err != nil {
			return nil, err
		}
	}
	return a.out, nil
}

// newAnalysis finds the waits and what a message costs.
func newAnalysis(ctx context.Context, t *prv.Trace, opt Options) (*analysis, error) {
	from, to := execution.Window(t)
	a := &analysis{set: Default, tallies: map[tallyOf]tally{}, out: &Result{Length: to - from,
		Threads: t.NumThreads()}}
	a.out.analysis = a
	if opt.Settings != nil {
		a.set = *opt.Settings
	}
	var err error
	given := eventgraph.Given{Latency: a.set.Latency, PerByte: a.set.PerByte}
	if a.Graph, err = eventgraph.NewGraph(ctx, t, opt.Waits, given); err != nil {
		return nil, err
	}
	a.out.Waits, a.out.Level, a.out.Notes, a.out.Parameters = a.Waits, a.Waits.Level,
		slices.Concat(a.Waits.Notes, answer.ClockNotes(a.Waits)), a.Params
	if a.Driven != nil {
		a.out.Level, a.out.Notes = waits.ByFunction, nil
	}
	return a, nil
}

// run takes the steps of an analysis.
func (a *analysis) run(ctx context.Context, opt Options, steps ...func(context.Context) error) error {
	for i, step := range steps {
		if opt.Progress != nil {
			opt.Progress(int64(i), int64(len(steps)))
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// analyzeDriven diagnoses a message-driven run. If the clocks contradict each other, the rules look at a copy with
// repaired clocks; the account, and places in the result, are those of the original trace.
func analyzeDriven(ctx context.Context, t *prv.Trace, opt Options) (*Result, error) {
	a, err := newAnalysis(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	if err := a.run(ctx, Options{}, a.BuildUnits, a.makeAccount, a.sumUsage); err != nil {
		return nil, err
	}
	fix := a.RepairClocks(func(u int32) int64 {
		if m := a.Units[u].Via; m >= 0 {
			return int64(a.Params.Transfer(a.Size(m)))
		}
		return 0
	})
	if fix.Count > 0 {
		repaired, err := fix.Shifted(ctx, t)
		if err != nil {
			return nil, err
		}
		is := a.out
		if a, err = newAnalysis(ctx, repaired, opt); err != nil {
			return nil, err
		}
		if err := a.run(ctx, Options{}, a.BuildUnits, a.sumUsage); err != nil {
			return nil, err
		}
		a.out.Account, a.out.recorded, a.out.Length, a.out.Notes = is.Account, is.recorded, is.Length, is.Notes
		a.out.Utilisation, a.out.Recoverable = is.Utilisation, is.Recoverable
	}
	a.Driven.Repaired = fix
	if err := a.run(ctx, opt, a.findPath, a.FindPhases, a.runRules); err != nil {
		return nil, err
	}
	if opt.Verify > 0 {
		if err := a.verifyDriven(ctx, opt.Verify); err != nil {
			return nil, err
		}
	}
	a.unrepair(a.out.Findings)
	a.unrepair(a.out.Minor)
	return a.out, nil
}

// unrepair turns the places of findings into those of the trace before its clocks were repaired.
func (a *analysis) unrepair(list []report.Finding) {
	for i := range list {
		if list[i].Rule != tachyonsID {
			for k := range list[i].Evidence {
				if e := &list[i].Evidence[k]; len(e.Threads) > 0 {
					e.From = a.Driven.Repaired.Shifts[e.Threads[0]].Back(e.From)
					e.To = a.Driven.Repaired.Shifts[e.Threads[len(e.Threads)-1]].Back(e.To)
				}
			}
		}
		a.unrepair(list[i].Children)
	}
}

// findPath finds the critical path.
func (a *analysis) findPath(ctx context.Context) (err error) {
	if a.Driven != nil {
		a.critpath, err = criticalpath.InGraph(ctx, a.Graph)
	} else {
		a.critpath, err = criticalpath.Find(ctx, a.T, criticalpath.Options{Graph: a.Graph})
	}
	if err != nil {
		return err
	}
	a.onPath = a.critpath.ByThread()
	return nil
}

// makeAccount makes the account of the run.
func (a *analysis) makeAccount(ctx context.Context) (err error) {
	a.out.recorded = a.Graph
	a.out.Account, err = account.New(ctx, a.Graph, account.Options{})
	return err
}

// sumUsage sums what the threads do.
func (a *analysis) sumUsage(ctx context.Context) error {
	from, to := execution.Window(a.T)
	a.byThread = make([]eventgraph.Usage, a.T.NumThreads())
	err := parallel.For(ctx, len(a.byThread), func(i int) error {
		a.byThread[i] = a.UsageOf(int32(i), from, to)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i := range a.byThread {
		a.total.Add(&a.byThread[i])
	}
	r := a.out
	r.Utilisation = a.total.Utilisation()
	needed := 0.0 // by the application with most work per thread
	for _, who := range a.applications() {
		use := eventgraph.TotalOf(a.byThread, who)
		needed = max(needed, (use.User()+a.untraced(who))/float64(len(who)))
	}
	r.Recoverable = max(0, float64(r.Length)-needed)
	if whole := float64(r.Length) * float64(r.Threads); a.total.Present() < (1-partly)*whole {
		r.Notes = append(r.Notes,
			fmt.Sprintf("threads exist and are traced for %s of the run",
				quantity.FormatPercent(a.total.Present()/whole)))
	}
	return nil
}

// partly is the share of the threads' time without records worth a note.
const partly = 0.05

// untraced returns the time in which some threads are not traced: a task's first thread exists from start to end,
// others come and go.
func (a *analysis) untraced(who []int32) (sum float64) {
	for _, th := range who {
		if a.Driven == nil && a.T.Tasks[a.T.ThreadTask[th]].FirstThread == th {
			sum += float64(max(0, a.out.Length-a.byThread[th].Present()))
		}
	}
	return sum
}

var errNotAnalysed = errors.New("the run was not analysed")

// silent says why there is nothing to report beyond the account; nil: there is.
func (r *Result) silent() error {
	switch {
	case r.analysis == nil:
		return errNotAnalysed
	case execution.IsSummary(r.analysis.T):
		return errors.New(execution.Untold)
	case r.Hosts != nil:
		return errors.New("work of devices has no regions of code, which this page needs: pview devices explains it")
	}
	return nil
}

// Good reports whether processors are used well enough to stop looking.
func (r *Result) Good() bool {
	return r.analysis == nil || r.Account == nil || r.Account.Efficiency() >= r.analysis.set.Gate
}

// Recorded returns the graph of the unrepaired trace, as in the account, and its start in the whole trace; nil if the
// run was not analysed.
func (r *Result) Recorded() (*eventgraph.Graph, int64) { return r.recorded, r.offset }

// Devices returns the work of devices; nil if the trace has none.
func (r *Result) Devices() *gpu.Analysis { return r.analysis.devices }

// Classes returns the class table, the classes with most time first. The error is ctx's, or says why there is none.
func (r *Result) Classes(ctx context.Context) ([]breakdown.Class, error) {
	if r.analysis == nil {
		return nil, nil
	}
	if err := r.silent(); err != nil {
		return nil, err
	}
	list, err := breakdown.Classes(ctx, r.analysis.Graph, r.analysis.set.GrainRatio)
	for i := range list {
		for k := range list[i].Longest {
			e := &list[i].Longest[k]
			e.From, e.To = e.From+r.offset, e.To+r.offset
		}
	}
	return list, err
}

// Attributes returns the attributes of the run and of the classes with most time.
func (r *Result) Attributes() []breakdown.Attribute {
	if r.analysis == nil {
		return breakdown.Attributes(nil)
	}
	return breakdown.Attributes(r.analysis.Graph)
}

// Grid divides the run into stages. The error is ctx's, or says why there are none.
func (r *Result) Grid(ctx context.Context, attr breakdown.Attribute, length int64) (*breakdown.Grid, error) {
	if err := r.silent(); err != nil {
		return nil, err
	}
	return breakdown.NewGrid(ctx, r.analysis.Graph, attr, length)
}

// Stages divides the run, with all attributes side by side. The error is ctx's, or says why there are none.
func (r *Result) Stages(ctx context.Context, length int64) ([]breakdown.Timestep, error) {
	if err := r.silent(); err != nil {
		return nil, err
	}
	return breakdown.Stages(ctx, r.analysis.Graph, length)
}

// Runtimes simulates a message-driven run under each queue and each strategy of load balancing.
func (r *Result) Runtimes(ctx context.Context) ([]replay.Runtime, error) {
	if r.analysis == nil {
		return nil, errNotAnalysed
	}
	return replay.Runtimes(ctx, r.analysis.Graph)
}
