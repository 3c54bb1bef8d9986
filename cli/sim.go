package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
)

// simulate predicts a run on another machine.
func (a *app) simulate() *cobra.Command {
	s := &simulation{a: a}
	cmd := &cobra.Command{
		Use:   "sim TRACE",
		Short: "Predict what a run would do on another machine",
		Long: "sim runs a program again on a machine that is described in numbers, and tells when it would end and where its time would go, " +
			"by the rules of Dimemas 5.5.0. TRACE is a Paraver trace (.prv, .prv.gz) or one of Dimemas (.dim, .dim.gz). The machine is that of a " +
			"Dimemas configuration, changed by the flags; without --machine it is an ideal one: a node for each task, a CPU for each thread, messages that take no time. " +
			"Of a Paraver trace the computation, the events and the MPI calls are taken, as prv2dim does.",
		Example: "pview sim run.prv\n" +
			"pview sim run.prv --machine cluster.cfg --latency 5us --bandwidth 10GB/s\n" +
			"pview sim run.dim --machine cluster.cfg --eager-limit 64K -o predicted.prv\n" +
			"pview sim run.prv.gz --machine cluster.cfg --format json",
		Args:              needs("TRACE"),
		ValidArgsFunction: completePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&s.machine, "machine", "m", "", "Dimemas configuration (.cfg) of the machine")
	f.StringVarP(&s.out, "output", "o", "", "write the predicted trace (.prv, .prv.gz)")
	f.VarP(&s.from, "window-begin", "y", "begin of the predicted trace that is written; times count from there")
	f.VarP(&s.to, "window-end", "z", "end of the predicted trace that is written")
	s.machineFlags(f)
	s.translation.flags(f)
	return cmd
}

// simulation is the command's flags.
type simulation struct {
	a            *app
	machine, out string
	from, to     simTime
	changes      []machineChange
	translation  translationFlags
	logicalRecv  bool
	noOpenMP     bool
	compatible   bool
}

// machineChange is a flag that changes a machine.
type machineChange struct {
	flag  string
	apply func(m *sim.Machine) error
}

// simTime is a flag that takes a time, in nanoseconds where there is no unit, as the window of Dimemas does.
type simTime struct{ ns float64 }

// String, Set and Type make it a flag's value.
func (t *simTime) String() string { return "" }

// Set takes a time.
func (t *simTime) Set(s string) (err error) {
	t.ns, err = parseQuantity(s, timeUnits, 1)
	return err
}

// Type names the value, for the help.
func (t *simTime) Type() string { return "TIME" }

// parameter is a flag of a machine's parameter: the value as a number in base units.
type parameter struct {
	s     *simulation
	name  string
	kind  string
	parse func(string) (float64, error)
	apply func(m *sim.Machine, v float64)
}

// String, Set and Type make it a flag's value.
func (p *parameter) String() string { return "" }

// Set notes the change.
func (p *parameter) Set(text string) error {
	v, err := p.parse(text)
	if err != nil {
		return err
	}
	p.s.changes = append(p.s.changes, machineChange{p.name, func(m *sim.Machine) error {
		p.apply(m, v)
		return nil
	}})
	return nil
}

// Type names the value, for the help.
func (p *parameter) Type() string { return p.kind }

// Units of what flags take. Without a unit a time is in seconds and a bandwidth in MB/s of 2^20 bytes, as in
// Dimemas.
var (
	timeUnits      = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
	bandwidthUnits = map[string]float64{"B/s": 1.0 / (1 << 20), "kB/s": 1.0 / (1 << 10), "KB/s": 1.0 / (1 << 10), "KiB/s": 1.0 / (1 << 10),
		"MB/s": 1, "MiB/s": 1, "GB/s": 1 << 10, "GiB/s": 1 << 10, "TB/s": 1 << 20,
		"Mbit/s": 1e6 / 8 / (1 << 20), "Gbit/s": 1e9 / 8 / (1 << 20), "Mb/s": 1e6 / 8 / (1 << 20), "Gb/s": 1e9 / 8 / (1 << 20)}
	sizeUnits = map[string]float64{"B": 1, "K": 1 << 10, "k": 1 << 10, "KB": 1 << 10, "kB": 1 << 10, "KiB": 1 << 10,
		"M": 1 << 20, "MB": 1 << 20, "MiB": 1 << 20, "G": 1 << 30, "GB": 1 << 30, "GiB": 1 << 30}
)

// parseQuantity reads a number from 0 on and its unit; without one the number is multiplied by base.
func parseQuantity(text string, units map[string]float64, base float64) (float64, error) {
	s := strings.TrimSpace(text)
	end := len(s)
	for end > 0 && !strings.ContainsRune("0123456789.", rune(s[end-1])) {
		end--
	}
	factor := base
	if unit := strings.TrimSpace(s[end:]); unit != "" {
		f, ok := units[unit]
		if !ok {
			return 0, fmt.Errorf("the unit %q is not one of %s", unit, strings.Join(unitNames(units), ", "))
		}
		factor = f
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s[:end]), 64)
	if err != nil || v < 0 || v*factor > 1e18 {
		return 0, fmt.Errorf("it is a number from 0 on, with or without a unit (%s)", strings.Join(unitNames(units), ", "))
	}
	return v * factor, nil
}

func unitNames(units map[string]float64) (names []string) {
	for n := range units {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if units[a] != units[b] {
			if units[a] < units[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}

func parseCount(s string) (float64, error) {
	n, err := strconv.ParseUint(s, 10, 22)
	if err != nil {
		return 0, fmt.Errorf("it is a whole number from 0 to %d", 1<<22-1)
	}
	return float64(n), nil
}

// machineFlags has a flag for each parameter of a machine, with the names of Dimemas where it has one.
func (s *simulation) machineFlags(f *pflag.FlagSet) {
	number := func(name, short, kind string, parse func(string) (float64, error), doc string, apply func(*sim.Machine, float64)) {
		f.VarP(&parameter{s, name, kind, parse, apply}, name, short, doc)
	}
	seconds := func(text string) (float64, error) { return parseQuantity(text, timeUnits, 1e9) }
	bandwidth := func(text string) (float64, error) { return parseQuantity(text, bandwidthUnits, 1) }
	size := func(text string) (float64, error) { return parseQuantity(text, sizeUnits, 1) }
	ratio := func(text string) (float64, error) { return parseQuantity(text, nil, 1) }
	nodes := func(set func(*sim.Node, float64)) func(*sim.Machine, float64) {
		return func(m *sim.Machine, v float64) {
			for i := range m.Nodes {
				set(&m.Nodes[i], v)
			}
		}
	}
	clusters := func(set func(*sim.Cluster, float64)) func(*sim.Machine, float64) {
		return func(m *sim.Machine, v float64) {
			for i := range m.Clusters {
				set(&m.Clusters[i], v)
			}
		}
	}
	number("latency", "", "TIME", seconds, "latency of messages between nodes (s)", nodes(func(n *sim.Node, v float64) { n.Latency = v }))
	number("bandwidth", "", "BANDWIDTH", bandwidth, "bandwidth between nodes (MB/s, 1 MB = 2^20 bytes); 0: no time", clusters(func(c *sim.Cluster, v float64) { c.Bandwidth = v }))
	number("buses", "", "N", parseCount, "messages at once on the network; 0: no limit", clusters(func(c *sim.Cluster, v float64) { c.Buses = int(v) }))
	number("input-links", "", "N", parseCount, "messages at once into a node", nodes(func(n *sim.Node, v float64) { n.Links.In = int(v) }))
	number("output-links", "", "N", parseCount, "messages at once out of a node; 0 of both: no limit, 0 of one: half duplex", nodes(func(n *sim.Node, v float64) { n.Links.Out = int(v) }))
	number("local-latency", "", "TIME", seconds, "latency of messages within a node (s)", nodes(func(n *sim.Node, v float64) { n.Local.Latency = v }))
	number("local-bandwidth", "", "BANDWIDTH", bandwidth, "bandwidth within a node (MB/s); 0: no time", nodes(func(n *sim.Node, v float64) { n.Local.Bandwidth = v }))
	number("local-buses", "", "N", parseCount, "messages at once within a node; 0: no limit", nodes(func(n *sim.Node, v float64) { n.Local.Buses = int(v) }))
	number("cpus", "", "N", parseCount, "CPUs of each node", nodes(func(n *sim.Node, v float64) { n.CPUs = int(v) }))
	number("cpu-ratio", "", "RATIO", ratio, "speed of the CPUs: 2 is twice as fast, 0 takes no time", nodes(func(n *sim.Node, v float64) { n.Speed = v }))
	number("eager-limit", "S", "BYTES", size, "messages of at least so many bytes (K, M, G) wait for their receiver", func(m *sim.Machine, v float64) { m.EagerLimit = int64(v) })
	s.machineSwitch(f, "asynch-sends", "F", "no message waits for its receiver", func(m *sim.Machine) error { m.EagerSends = true; return nil })
	s.machineText(f, "collective-model", "MODEL", "model of collective operations: CONST, LIN or LOG", setCollectiveModel)
	s.machineText(f, "comms", "FILE", "communications file: how collective operations are charged", func(m *sim.Machine, path string) error { return dimemas.OpenCommunications(m, path) })
	s.machineSwitch(f, "fill-nodes", "", "as many tasks on a node as it has CPUs", func(m *sim.Machine) error {
		m.Mapping = []sim.Mapping{{Kind: sim.FillNodes}}
		return nil
	})
	number("process-per-node", "", "N", parseCount, "so many tasks on a node", func(m *sim.Machine, v float64) {
		m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode, Tasks: int(v)}}
	})
	s.machineSwitch(f, "interleaved", "", "tasks to nodes in turn", func(m *sim.Machine) error {
		m.Mapping = []sim.Mapping{{Kind: sim.Interleaved}}
		return nil
	})
	s.machineText(f, "scheduler", "FILE", "scheduler file: policy of the CPUs and its parameters", func(m *sim.Machine, path string) (err error) {
		m.Scheduler, err = dimemas.OpenScheduler(path)
		return err
	})
	s.machineText(f, "policy", "NAME", "policy of the CPUs: "+strings.Join(policyNames(), ", "), func(m *sim.Machine, name string) error {
		if _, ok := sim.PolicyByName(name); !ok {
			return fmt.Errorf("it is one of %s", strings.Join(policyNames(), ", "))
		}
		m.Scheduler.Policy = name
		return nil
	})
	number("quantum", "", "TIME", seconds, "time that RR gives a thread at once (s)", func(m *sim.Machine, v float64) { m.Scheduler.Quantum = v })
	number("context-switch", "", "TIME", seconds, "time to put a thread on a CPU (s)", func(m *sim.Machine, v float64) { m.Scheduler.ContextSwitch = v })
	number("busy-wait", "", "TIME", seconds, "time that a receiver keeps its CPU before it blocks (s)", func(m *sim.Machine, v float64) { m.Scheduler.BusyWait = v })
	f.BoolVarP(&s.logicalRecv, "logical-recv-at-wait", "w", false, "the logical receive of an immediate receive is where its wait was reached")
	f.BoolVar(&s.noOpenMP, "disable-openmp", false, "threads of OpenMP programs do not wait for one another")
	f.BoolVar(&s.compatible, "running-after-event", false, "no Running before a thread's first event, as Dimemas 5.5.0 shows it")
}

func policyNames() (names []string) {
	for _, p := range sim.Policies {
		names = append(names, p.Name)
	}
	return names
}

func setCollectiveModel(m *sim.Machine, name string) error {
	at := slices.Index([]string{"", "CONST", "LIN", "LOG"}, strings.ToUpper(name))
	if at < 1 {
		return fmt.Errorf("it is one of CONST, LIN, LOG")
	}
	for i := range m.Clusters {
		m.Clusters[i].Model = sim.CollectiveModel(at)
	}
	m.WAN.Model = sim.CollectiveModel(at)
	return nil
}

// machineSwitch is a flag without a value.
func (s *simulation) machineSwitch(f *pflag.FlagSet, name, short, doc string, apply func(*sim.Machine) error) {
	f.BoolFuncP(name, short, doc, func(v string) error {
		if on, err := strconv.ParseBool(v); err != nil || !on {
			return err
		}
		s.changes = append(s.changes, machineChange{name, apply})
		return nil
	})
}

// machineText is a flag whose value is looked at when there is a machine.
func (s *simulation) machineText(f *pflag.FlagSet, name, kind, doc string, apply func(*sim.Machine, string) error) {
	short := map[string]string{"scheduler": "s", "comms": "c"}[name]
	f.VarP(&textFlag{kind, func(v string) {
		s.changes = append(s.changes, machineChange{name, func(m *sim.Machine) error { return apply(m, v) }})
	}}, name, short, doc)
}

// textFlag is a flag that takes any text.
type textFlag struct {
	kind string
	set  func(string)
}

// String, Set and Type make it a flag's value.
func (t *textFlag) String() string { return "" }

// Set takes the text.
func (t *textFlag) Set(v string) error {
	t.set(v)
	return nil
}

// Type names the value, for the help.
func (t *textFlag) Type() string { return t.kind }

// translationFlags are the options of prv2dim.
type translationFlags struct{ opt dimemas.TranslateOptions }

func (t *translationFlags) flags(f *pflag.FlagSet) {
	f.BoolVarP(&t.opt.NoIdle, "no-initial-idle", "n", false, "of a .prv: no idle block at the begin of each task")
	f.BoolVar(&t.opt.NoInitBarrier, "no-init-barrier", false, "of a .prv: no barrier in MPI_Init")
	f.Uint32VarP(&t.opt.CounterType, "burst-counter", "b", 0, "of a .prv: computation lasts as long as the counter of this event type says, times --burst-factor")
	f.Float64VarP(&t.opt.CounterFactor, "burst-factor", "f", 0, "seconds of computation for 1 of --burst-counter")
	f.Float64VarP(&t.opt.ProbeRate, "iprobe-rate", "i", 0, "of a .prv: drop computation between calls of MPI_Iprobe that fail so many times a ms")
	f.Float64VarP(&t.opt.TestRate, "test-rate", "t", 0, "of a .prv: drop computation between calls of MPI_Test that fail so many times a ms")
}

func (t *translationFlags) check() error {
	if (t.opt.CounterType != 0) != (t.opt.CounterFactor != 0) {
		return usagef("--burst-counter and --burst-factor go together")
	}
	return nil
}

// run simulates and answers.
func (s *simulation) run(cmd *cobra.Command, path string) error {
	if err := s.translation.check(); err != nil {
		return err
	}
	if s.out != "" && !strings.HasSuffix(s.out, ".prv") && !strings.HasSuffix(s.out, ".prv.gz") {
		return usagef("%s: a predicted trace is a .prv or .prv.gz", s.out)
	}
	if s.out != "" && sameFile(path, s.out) {
		return usagef("%s: it is the same file as TRACE, which is not overwritten", s.out)
	}
	src, err := s.a.openProgram(cmd.Context(), path, s.translation.opt)
	if err != nil {
		return err
	}
	m, err := s.openMachine(src.program)
	if err != nil {
		return err
	}
	r, err := s.predict(cmd.Context(), src, m)
	if err != nil {
		return err
	}
	if s.out != "" {
		if err := savePrediction(cmd.Context(), s.out, r.Trace, src.trace); err != nil {
			return err
		}
	}
	return s.answer(src, r)
}

// isDim reports whether a file's name is that of a Dimemas trace.
func isDim(path string) bool {
	return strings.HasSuffix(path, ".dim") || strings.HasSuffix(path, ".dim.gz")
}

// source is a program and where it comes from.
type source struct {
	path     string
	program  *sim.Program
	trace    *prv.Trace // the measured trace; nil for a .dim
	baseline any        // its duration, ns; nil for a .dim
}

// openProgram reads a .dim, or a Paraver trace and makes a program from it.
func (a *app) openProgram(ctx context.Context, path string, opt dimemas.TranslateOptions) (*source, error) {
	if isDim(path) {
		bar := newProgress(a.Err, "reading "+path)
		p, err := dimemas.OpenProgram(ctx, path, bar.report)
		bar.close()
		return &source{path: path, program: p}, err
	}
	t, err := a.open(ctx, path)
	if err != nil {
		return nil, err
	}
	tr, err := dimemas.FromTrace(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	for _, line := range tr.Remarks() {
		a.say("%s: %s", path, line)
	}
	return &source{path: path, program: tr.Program, trace: t, baseline: t.Duration * t.Unit.Nanoseconds()}, nil
}

func (s *simulation) openMachine(p *sim.Program) (m *sim.Machine, err error) {
	if s.machine == "" {
		m = sim.IdealFor(p)
	} else if m, err = dimemas.OpenMachine(s.machine); err != nil {
		return nil, err
	}
	for _, c := range s.changes {
		if err := c.apply(m); err != nil {
			return nil, fmt.Errorf("--%s: %w", c.flag, err)
		}
	}
	return m, nil
}

func (s *simulation) predict(ctx context.Context, src *source, m *sim.Machine) (*sim.Result, error) {
	bar := newProgress(s.a.Err, "simulating "+src.path)
	bar.plain = true
	defer bar.close()
	r, err := sim.Run(ctx, src.program, m, sim.Options{
		Trace: s.out != "", From: int64(s.from.ns), To: int64(s.to.ns),
		LogicalRecvAtWait: s.logicalRecv, DisableOpenMP: s.noOpenMP,
		Rules: sim.Rules{RunningAfterEvent: s.compatible}, Progress: bar.report,
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s: %w", src.path, err)
	}
	bar.close()
	if r.Unreceived > 0 {
		s.a.say("%s: %s never received; the first %s", src.path, plural(r.Unreceived, "message"), r.Unmatched)
	}
	return r, nil
}

// savePrediction writes a predicted trace; labels and names are those of the measured one where there is one.
func savePrediction(ctx context.Context, path string, t, measured *prv.Trace) error {
	if measured != nil {
		var b bytes.Buffer
		if err := prv.WriteLabels(&b, measured.Labels); err != nil {
			return err
		}
		labels, _, err := prv.ParseLabels(path, &b)
		if err != nil {
			return err
		}
		for _, s := range sim.States {
			if _, ok := labels.State(int64(s.Value)); !ok {
				labels.AddState(int64(s.Value), s.Name)
			}
		}
		t.Labels = labels
	}
	return prv.Save(ctx, path, t)
}

// answer prints the result.
func (s *simulation) answer(src *source, r *sim.Result) error {
	switch s.a.format.value {
	case "json":
		return writeJSON(s.a.Out, simObject(src, r))
	case "table":
		_, err := io.WriteString(s.a.styled(s.a.Out), simText(src, r))
		return err
	}
	return simTable(src, r).write(s.a.Out, s.a.format.value)
}

// simNumbers are the single values of the answer.
func simNumbers(src *source, r *sim.Result) object {
	return object{
		{"total_ns", r.Total},
		{"baseline_ns", src.baseline},
		{"messages", r.Messages},
		{"bytes", r.Bytes},
		{"unreceived", r.Unreceived},
		{"utilisation", r.Utilisation(len(src.program.Threads))},
	}
}

// simObject is the answer for programs. Keys may be added; none is renamed.
func simObject(src *source, r *sim.Result) object {
	var tasks []object
	for i := range r.Tasks {
		t := &r.Tasks[i]
		pt := src.program.Tasks[i].Ptask
		states := object{}
		for _, st := range sim.States {
			if ns := t.States[st.Value]; ns > 0 {
				states = append(states, field{st.Name, ns})
			}
		}
		tasks = append(tasks, object{
			{"task", int64(i) - int64(src.program.Ptasks[pt].FirstTask) + 1}, {"ptask", int64(pt) + 1}, {"end_ns", t.End}, {"states", states},
			{"messages_sent", t.MessagesSent}, {"bytes_sent", t.BytesSent}, {"bytes_received", t.BytesRecv}, {"collectives", t.Collectives},
			{"wait_links_ns", t.WaitLinks}, {"wait_buses_ns", t.WaitBuses},
		})
	}
	return append(append(object{{"path", src.path}}, simNumbers(src, r)...), field{"tasks", tasks})
}

// simTable is the answer as lines of key and value; those of a task name it, and its state.
func simTable(src *source, r *sim.Result) *table {
	out := &table{columns: []column{{key: "key"}, {key: "value"}, {key: "task"}, {key: "state"}}}
	for _, f := range simNumbers(src, r) {
		out.add(f.key, f.value, nil, nil)
	}
	for i := range r.Tasks {
		name := src.program.TaskName(int32(i))
		out.add("end_ns", r.Tasks[i].End, name, nil)
		for _, st := range sim.States {
			if ns := r.Tasks[i].States[st.Value]; ns > 0 {
				out.add("state_ns", ns, name, st.Name)
			}
		}
	}
	return out
}

// simText is the answer for a person.
func simText(src *source, r *sim.Result) string {
	bold := lipgloss.NewStyle().Bold(true)
	var b strings.Builder
	b.WriteString(bold.Render(prv.Clean(src.path)) + "\n\n")
	rows := [][2]string{{"Predicted", fmt.Sprintf("%s (%s ns)", duration(r.Total, prv.Nanoseconds), count(r.Total))}}
	if ns, ok := src.baseline.(int64); ok {
		note := ""
		if r.Total > 0 {
			note = fmt.Sprintf(", %.3f times the predicted", float64(ns)/float64(r.Total))
		}
		rows = append(rows, [2]string{"Measured", duration(ns, prv.Nanoseconds) + note})
	}
	rows = append(rows,
		[2]string{"Computing", percent(r.Utilisation(len(src.program.Threads)), 1) + " of the threads' time"},
		[2]string{"Messages", plural(r.Messages, "message") + ", " + volume(float64(r.Bytes))})
	b.WriteString(definitions(rows, helpWidth) + "\n")
	b.WriteString(simTaskTable(src, r).text("  ", func(s string) string { return bold.Render(s) }))
	return b.String()
}

// simTaskTable has a line for each task: its end, and the share of its threads' time in each state.
func simTaskTable(src *source, r *sim.Result) *table {
	out := &table{columns: []column{{title: "Task"}, {title: "End (ms)", show: decimals(3)}}}
	var states []uint8
	for _, st := range sim.States {
		if slices.ContainsFunc(r.Tasks, func(t sim.TaskStats) bool { return t.States[st.Value] > 0 }) {
			states = append(states, st.Value)
			out.columns = append(out.columns, column{title: st.Name, show: func(v any) string { return percent(v.(float64), 1) }})
		}
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		row := []any{src.program.TaskName(int32(i)), float64(t.End) / 1e6}
		whole := max(1, float64(r.Total)*float64(src.program.Tasks[i].Threads))
		for _, st := range states {
			row = append(row, float64(t.States[st])/whole)
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func decimals(n int) func(any) string {
	return func(v any) string { return strconv.FormatFloat(v.(float64), 'f', n, 64) }
}
