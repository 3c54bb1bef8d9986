// Package simcmd has the commands that simulate once: sim and ring.
package simcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"pview/cli/command"
	"pview/insight/criticalpath"
	"pview/insight/validation"
	"pview/prv"
	"pview/prv/format"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/engine"
	"pview/sim/parameter"
	"pview/sim/puppet"
	"pview/sim/scenario"
)

// Simulate predicts a run on another machine.
func Simulate(a *command.App) *cobra.Command {
	s := &simulation{a: a}
	cmd := &cobra.Command{
		Use:   "sim TRACE...",
		Short: "Predict a run on another machine",
		Long: "sim simulates a program on a machine described by parameters, and predicts its run time and where " +
			"the time goes, by the rules of Dimemas 5.5.0. TRACE is a Paraver trace (.prv, .prv.gz), a Dimemas " +
			"trace (.dim, .dim.gz) or a log of MPI calls (.log, .log.gz). The machine is that of a Dimemas " +
			"configuration, of a model file of a direct network (.model), or a predefined one (pview list " +
			"machines), changed by the flags; without --machine it is ideal: a node per task, a CPU per thread, " +
			"messages that take no time. From a Paraver trace sim takes the computation, the events and the MPI " +
			"calls, as prv2dim does; without MPI calls, the Running states and the messages. Several traces, and " +
			"those of further mappings in the configuration, are applications that run at the same time. The " +
			"answer says how far the prediction can be trusted: how far off a replay of the measured run on the " +
			"machine fitted to its own messages is, and in which calls.",
		Example: "pview sim run.prv\n" +
			"pview sim run.prv --machine cluster.cfg --latency 5us --bandwidth 10GB/s\n" +
			"pview sim run.prv --machine infiniband-hdr --process-per-node 4 --cpus 4\n" +
			"pview sim run.dim --machine cluster.cfg --eager-limit 64K -o predicted.prv\n" +
			"pview sim run.prv.gz --machine cluster.cfg --format json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("sim needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: command.CompletePrograms,
		RunE:              s.run,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&s.machine, "machine", "m", "",
		"machine: a Dimemas configuration (.cfg), a model of a direct network (.model), or a name from pview list "+
			"machines (ideal, ethernet-10g, ...)")
	f.StringVarP(&s.out, "output", "o", "", "write the predicted trace (.prv, .prv.gz, or .trf of PICL)")
	f.VarP(&s.from, "window-begin", "y",
		"start of the part of the predicted trace to write (ns); times count from there")
	f.VarP(&s.to, "window-end", "z", "end of the part of the predicted trace to write (ns)")
	s.machineFlags(f)
	s.translation.Flags(f)
	f.IntVar(&s.repeat, "repeat", 0,
		"restart applications when they end, until each has run `N` times: their speed while they share the machine")
	f.BoolVar(&s.critical, "critical-path", false,
		"find the critical path of the predicted run; -o marks it with events of type 90")
	s.path.Flags(f)
	command.CompleteMachine(cmd)
	return cmd
}

// simulation is the command's flags.
type simulation struct {
	a            *command.App
	machine, out string
	config       *dimemas.Config // nil: the machine has a name, or is
	direct       *puppet.Model   // of a model file
	from, to     simTime
	changes      []machineChange
	translation  command.TranslationFlags
	logicalRecv  bool
	noOpenMP     bool
	model        command.ModelFlags
	critical     bool
	path         command.CriticalFlags
	repeat       int
}

// machineChange is a flag that changes a machine.
type machineChange struct {
	flag  string
	apply func(m *sim.Machine) error
}

// simTime is a flag that takes a time, in ns if it has no unit, like the window of Dimemas.
type simTime struct{ ns float64 }

// String, Set and Type make it a flag value.
func (t *simTime) String() string { return "" }

// Set takes a time.
func (t *simTime) Set(s string) (err error) {
	t.ns, err = quantity.ParseTime(s, 1)
	return err
}

// Type names the value, for the help.
func (t *simTime) Type() string { return "TIME" }

// parameterFlag is the flag of a machine's parameter.
type parameterFlag struct {
	s *simulation
	p *parameter.Parameter
}

// String, Set and Type make it a flag value.
func (f *parameterFlag) String() string { return "" }

// Set notes the change.
func (f *parameterFlag) Set(text string) error {
	v, err := f.p.ParseSetting(text)
	if err != nil {
		return err
	}
	f.s.change(f.p.Name, func(m *sim.Machine) error {
		f.p.Apply(m, v)
		return nil
	})
	return nil
}

// Type names the value, for the help.
func (f *parameterFlag) Type() string { return parameter.Kinds[f.p.Kind].Name }

// shorthands are flags that set a parameter to one value.
var shorthands = []struct{ flag, parameter, value, doc string }{
	{"fill-nodes", "mapping", "FILL_NODES", "as many tasks per node as it has CPUs"},
	{"interleaved", "mapping", "INTERLEAVED", "tasks to nodes round-robin"},
}

// checkPlacers allows only one flag that places tasks.
func checkPlacers(f *pflag.FlagSet) error {
	first := ""
	for _, name := range []string{"fill-nodes", "interleaved", "process-per-node", "placement"} {
		switch {
		case !f.Changed(name):
		case first == "":
			first = name
		default:
			return command.Usagef("--%s and --%s are mutually exclusive: both place the tasks", first, name)
		}
	}
	return nil
}

// machineFlags has a flag for each parameter of a machine, with Dimemas's names if it has them.
func (s *simulation) machineFlags(f *pflag.FlagSet) {
	for i := range parameter.All {
		p := &parameter.All[i]
		doc := command.ParameterDoc(p)
		if p.Kind == parameter.KindSwitch {
			s.machineSwitch(f, p.Name, p.Short, doc, func(m *sim.Machine) error { p.Set(m, 1); return nil })
			continue
		}
		f.VarP(&parameterFlag{s, p}, p.Name, p.Short, doc)
	}
	for _, h := range shorthands {
		p := parameter.ByName(h.parameter)
		s.machineSwitch(f, h.flag, "", h.doc, func(m *sim.Machine) error {
			v, err := p.Parse(h.value)
			p.Set(m, v)
			return err
		})
	}
	for i := range parameter.Texts {
		x := &parameter.Texts[i]
		s.machineText(f, x.Name, "", x.Usage, x.Doc, x.Set)
	}
	s.machineText(f, "node", "", "N:PARAMETER=VALUE",
		"parameter of one node, such as 3:cpu-ratio=0.5, or of several, such as 1-4:latency=2us; may be repeated",
		scenario.SetNode)
	s.machineText(f, "collective", "", "OP=MODEL:SIZE,MODEL:SIZE",
		"model and size of the fan-in and the fan-out of a collective operation, such as Bcast=0,LOG:MAX; may be "+
			"repeated", scenario.SetCollective)
	s.machineText(f, "module", "", "TYPE:VALUE=RATIO",
		"speedup of the computation inside a block of the program (an event type and value); 0: no time",
		func(m *sim.Machine, text string) error {
			mod, err := scenario.ParseModule(text)
			if err == nil {
				m.SetBlockSpeed(mod.Type, mod.Value, mod.Ratio)
			}
			return err
		})
	s.machineText(f, "scheduler", "s", "FILE", "scheduler file: policy of the CPUs and its parameters",
		func(m *sim.Machine, path string) (err error) {
			m.Scheduler, err = dimemas.OpenScheduler(path)
			return err
		})
	s.schedulerFlags(f)
	s.machineText(f, "comms", "c", "FILE", "communications file: cost of collective operations",
		func(m *sim.Machine, path string) error { return dimemas.OpenCommunications(m, path) })
	s.machineText(f, "random", "r", "FILE",
		"random file of Dimemas: values added to latencies and bandwidths at each use",
		func(m *sim.Machine, path string) error { return dimemas.OpenRandom(m, path) })
	f.BoolVarP(&s.logicalRecv, "logical-recv-at-wait", "w", false,
		"put the logical receive of an immediate receive where its wait begins")
	f.BoolVar(&s.noOpenMP, "disable-openmp", false, "simulate only the masters of OpenMP programs")
	s.model.Flags(f)
}

// change notes a flag's change to the machine.
func (s *simulation) change(flag string, apply func(*sim.Machine) error) {
	s.changes = append(s.changes, machineChange{flag, apply})
}

// machineSwitch is a flag without a value.
func (s *simulation) machineSwitch(f *pflag.FlagSet, name, short, doc string, apply func(*sim.Machine) error) {
	f.BoolFuncP(name, short, doc, func(v string) error {
		if on, err := strconv.ParseBool(v); err != nil || !on {
			return err
		}
		s.change(name, apply)
		return nil
	})
}

// machineText is a flag whose value is parsed once the machine is known.
func (s *simulation) machineText(f *pflag.FlagSet, name, short, kind, doc string,
	apply func(*sim.Machine, string) error) {
	f.VarP(&command.TextFlag{Kind: kind, Take: func(v string) {
		s.change(name, func(m *sim.Machine) error { return apply(m, v) })
	}}, name, short, doc)
}

// run simulates and answers.
func (s *simulation) run(cmd *cobra.Command, files []string) error {
	if err := s.translation.Check(); err != nil {
		return err
	}
	if s.repeat < 0 || s.repeat > maxRepeat {
		return command.Usagef("--repeat must be from 1 to %d, not %d", maxRepeat, s.repeat)
	}
	pathOptions, err := s.path.Options(criticalpath.Simulated)
	if err != nil {
		return err
	}
	if files, err = s.inputs(cmd.Flags(), files); err != nil {
		return err
	}
	src, err := s.open(cmd.Context(), files)
	if err != nil {
		return err
	}
	r, err := s.predict(cmd.Context(), src.Source, src.machine, src.rules)
	if err != nil {
		return errors.Join(s.answerDeadlock(src, err), err)
	}
	if s.repeat > 0 {
		if src.closed, err = s.closed(cmd.Context(), src.Source, src.machine, src.rules, r); err != nil {
			return err
		}
	}
	var path *criticalpath.Path
	if r.Trace != nil && src.Trace != nil {
		sim.NamePrediction(r.Trace, src.Trace, src.rules)
	}
	if s.critical {
		if path, err = s.a.CriticalPath(cmd.Context(), r.Trace, pathOptions, src.Path); err != nil {
			return err
		}
		r.Trace = path.Mark(r.Trace)
	}
	if s.out != "" {
		if err := s.save(cmd.Context(), r.Trace); err != nil {
			return err
		}
	}
	if err := s.judge(cmd.Context(), src, len(files)); err != nil {
		return err
	}
	return s.answer(src, r, path)
}

// open reads the programs and the machine, and places the one on the other.
func (s *simulation) open(ctx context.Context, files []string) (*simulated, error) {
	rules, err := s.model.Choice()
	if err != nil {
		return nil, err
	}
	program, err := s.openPrograms(ctx, files)
	if err != nil {
		return nil, err
	}
	src := &simulated{Source: program, rules: rules, counted: s.translation.Opt.CounterType != 0}
	if src.machine, err = s.openMachine(src.Program); err != nil {
		return nil, err
	}
	if src.nodes, err = src.machine.Placement(src.Program); err != nil {
		return nil, err
	}
	if text := src.machine.Narrow(src.Program); text != "" {
		s.a.Remark(program, text)
	}
	return src, nil
}

// judge says which machine the prediction uses, and how well the one fitted to the run replays it.
func (s *simulation) judge(ctx context.Context, src *simulated, files int) (err error) {
	names := scenario.BlockNames(&prv.Labels{})
	if src.Trace != nil {
		names = scenario.BlockNames(src.Trace.Labels)
	}
	what := scenario.Scenario{Machine: src.machine, Rules: src.rules, NoOpenMP: s.noOpenMP}
	src.basis = &validation.Basis{Machine: what.InWords(cmp.Or(s.machine, "ideal"), src.Program, names)}
	if src.Trace == nil || files > 1 || document.IsRows(s.a.Format.Value) {
		return nil
	}
	src.basis.Replay, err = validation.Of(ctx, src.Trace, src.Program, s.a.MemoryBytes)
	if err != nil && ctx.Err() == nil {
		s.a.Remark(src.Source, err.Error())
		err = nil
	}
	return err
}

// simulated is a program and how it was simulated.
type simulated struct {
	*command.Source
	closed  *closedWorkload // nil without --repeat
	machine *sim.Machine
	rules   sim.Rules
	nodes   []int32           // of the tasks, on the machine
	basis   *validation.Basis // nil if the simulation does not end
	// counted: computation comes from a counter, not from the time between calls.
	counted bool
}

// PredictTrace simulates a trace on a machine by the rules of Dimemas, and returns the predicted trace.
func PredictTrace(ctx context.Context, a *command.App, path, machine string) (*prv.Trace, error) {
	s := &simulation{a: a, machine: machine, critical: true} // the trace is kept in memory
	if _, err := s.openConfig(nil); err != nil {
		return nil, err
	}
	var rules sim.Rules // those of Dimemas
	src, err := a.OpenProgram(ctx, path, s.translation.Opt)
	if err != nil {
		return nil, err
	}
	m, err := s.openMachine(src.Program)
	if err != nil {
		return nil, err
	}
	r, err := s.predict(ctx, src, m, rules)
	if err != nil {
		return nil, err
	}
	if src.Trace != nil {
		sim.NamePrediction(r.Trace, src.Trace, rules)
	}
	return r.Trace, nil
}

// inputs returns the traces to simulate, after checking the flags for placement, window and output.
func (s *simulation) inputs(f *pflag.FlagSet, files []string) ([]string, error) {
	if err := checkPlacers(f); err != nil {
		return nil, err
	}
	if s.to.ns > 0 && s.to.ns <= s.from.ns {
		return nil, command.Usagef("--window-end must be after --window-begin")
	}
	files, err := s.openConfig(files)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := s.checkOutput(file); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// isPICL reports whether the predicted trace is to be in PICL format.
func (s *simulation) isPICL() bool {
	return strings.HasSuffix(strings.TrimSuffix(s.out, ".gz"), ".trf")
}

// checkOutput rejects names that are not a trace's, and the input's own name.
func (s *simulation) checkOutput(in string) error {
	if s.isPICL() {
		if command.SameFile(in, s.out) {
			return command.Usagef("%s: same file as TRACE, which is never overwritten", s.out)
		}
		return command.CheckOutputs(s.out)
	}
	return command.CheckTraceName(s.out, in)
}

func (s *simulation) save(ctx context.Context, t *prv.Trace) error {
	if s.isPICL() {
		return format.ForOutput(s.out).Save(ctx, s.out, t)
	}
	return prv.Save(ctx, s.out, t)
}

// openConfig reads the configuration, if the machine is one, and returns the traces: those of the command line, which
// replace the configuration's first traces, then the remaining ones.
func (s *simulation) openConfig(files []string) (_ []string, err error) {
	if parameter.PresetByName(cmp.Or(s.machine, "ideal")) != nil {
		return files, nil
	}
	if strings.HasSuffix(s.machine, ".model") {
		s.direct, err = puppet.OpenModel(s.machine)
		return files, err
	}
	if s.config, err = dimemas.OpenConfig(s.machine); err != nil {
		return nil, command.MachineError(s.machine, err)
	}
	for i := len(files); i < len(s.config.Traces); i++ {
		if name := s.config.Traces[i]; name != "" {
			files = append(files, name)
		}
	}
	return files, nil
}

// openPrograms opens the traces as one program of concurrent applications.
func (s *simulation) openPrograms(ctx context.Context, files []string) (*command.Source, error) {
	first, err := s.a.OpenProgram(ctx, files[0], s.translation.Opt)
	if err != nil || len(files) == 1 {
		return first, err
	}
	programs := []*sim.Program{first.Program}
	for _, file := range files[1:] {
		src, err := s.a.OpenProgram(ctx, file, s.translation.Opt)
		if err != nil {
			return nil, err
		}
		programs = append(programs, src.Program)
		first.Path += ", " + file
		first.Remarks = append(first.Remarks, src.Remarks...)
		first.Baseline = command.LaterOf(first.Baseline, src.Baseline)
	}
	first.Program, err = sim.Merge(programs...)
	return first, err
}

func (s *simulation) openMachine(p *sim.Program) (m *sim.Machine, err error) {
	preset := parameter.PresetByName(cmp.Or(s.machine, "ideal"))
	switch {
	case preset != nil:
		m = preset.For(p)
	case s.direct != nil:
		if m, err = s.direct.Machine(len(p.Tasks)); err != nil {
			return nil, err
		}
	default:
		m = s.config.Machine
	}
	var given parameter.Given
	for _, c := range s.changes {
		if err := c.apply(m); err != nil {
			return nil, fmt.Errorf("--%s: %w", c.flag, err)
		}
		given.Note(c.flag)
	}
	if text := m.Warning(); text != "" {
		s.a.Say("%s: %s", cmp.Or(s.machine, "ideal"), text)
	}
	if preset != nil {
		parameter.FitClass(m, p, given)
	}
	return m, nil
}

func (s *simulation) predict(ctx context.Context, src *command.Source, m *sim.Machine, rules sim.Rules) (*sim.Result,
	error) {
	bar := command.NewProgress(s.a.Err, "simulating "+src.Path)
	bar.Plain = true
	defer bar.Close()
	r, err := engine.Run(ctx, src.Program, m, sim.Options{
		Trace: s.out != "" || s.critical, From: int64(s.from.ns), To: int64(s.to.ns),
		LogicalRecvAtWait: s.logicalRecv, DisableOpenMP: s.noOpenMP,
		Rules: rules, Repeat: s.repeated(), Memory: s.a.MemoryBytes, Progress: bar.Report,
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s: %w", src.Path, err)
	}
	bar.Close()
	if r.Unreceived > 0 {
		s.a.Say("%s: %s never received; the first %s", src.Path, quantity.CountOf(r.Unreceived, "message"), r.Unmatched)
	}
	return r, nil
}
