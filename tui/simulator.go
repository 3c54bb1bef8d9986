package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// The simulator of the pane: what a measured run would do on another machine. A trace has one simulator: its program, made
// once in the background; the machine, which a user changes step by step; the runs that were made, each a machine and
// what was predicted for it. A change simulates anew after a moment without further changes, and cancels the run before. What a run
// predicts stands in windows below those of the measured trace; see simulatorwindows.go.

// simulator is what is known of the runs of one trace.
type simulator struct {
	id       int
	measured *timeline.Trace

	program     *sim.Program
	remarks     []string // what of the trace is not in the program
	blocks      []sim.Block
	ops         [16]int64 // collective operations of the program
	computation []float64 // of each task, ns
	revision    int       // of the trace that the program was made from
	building    bool
	awaited     bool // the program is made when all of the trace is read
	buildGen    int
	cancelBuild context.CancelFunc

	now          scenario // without a machine until there is a program
	base         scenario // that it was loaded as: what reset goes back to
	baseName     string
	loadNext     string // a machine to load when there is a program
	past, future []machineStep
	joined       string // parameter that was changed last, while further changes of it are one to undo

	waiting int // generation of a run that begins soon; 0 for none
	cooling int // generation of the moment after a run has begun, in which a change waits for further ones; 0 for none
	run     *simulating
	err     error // why the last run, or the program, is not there

	runs      []*simRun
	shown     *simRun // nil before the first
	marked    *simRun // that others are compared with
	predicted *timeline.Trace
	closed    bool // the user has closed its windows
	form      simForm
}

// scenario is what a program is run on, and by which rules. What it points to is never changed in place.
type scenario struct {
	machine *sim.Machine
	rules   sim.Rules
	// noOpenMP lets the threads of OpenMP programs not wait for one another.
	noOpenMP bool
}

func (c scenario) equal(o scenario) bool {
	return c.rules == o.rules && c.noOpenMP == o.noOpenMP && c.machine.Equal(o.machine)
}

// machineStep is a scenario that undo goes back to.
type machineStep struct {
	now, base scenario
	baseName  string
}

// simulating is a run that is going on.
type simulating struct {
	gen         int
	scenario    scenario
	cancel      context.CancelFunc
	done, total atomic.Int64
	quick       *sim.Result // totals that were there before the trace
}

// simRun is a finished run.
type simRun struct {
	number     int
	name       string // that the user gave it
	scenario   scenario
	base       scenario // that was loaded
	baseName   string
	changes    []string // of the machine, from that of the name
	result     *sim.Result
	efficiency float64
	trace      *prv.Trace // nil when it was forgotten to save memory
}

// simDelay is how long a change waits for further ones before it is simulated, when there was one just before. The first of a row of
// changes does not wait.
const simDelay = 60 * time.Millisecond

// keptTraces is how many predicted traces are remembered at most, so that undo shows them at once; of large programs fewer, so that all
// together have keptRecords of the program.
const (
	keptTraces  = 4
	keptRecords = 10_000_000
)

// quickRecords is the size of a program from which totals are simulated for themselves, to be there before the trace.
const quickRecords = 2_000_000

type builtMsg struct {
	sim, gen int
	built    *built
	err      error
}

// built is what is made of a trace once.
type built struct {
	program *sim.Program
	remarks []string
	blocks  []sim.Block
	ops     [16]int64

	computation []float64
}

type simulateMsg struct{ sim, gen int }

type simulatedMsg struct {
	sim, gen int
	result   *sim.Result
	err      error
}

// simulatorFor returns the simulator that the pane shows: that of the trace in focus, or of the one that it was predicted from. It is
// nil where there is none yet.
func (m *Model) simulatorFor(w *timeline.View) *simulator {
	if w == nil {
		return nil
	}
	if from := w.Trace.PredictedFrom; from != nil {
		return m.simulators[from]
	}
	return m.simulators[w.Trace]
}

func (m *Model) simulatorByID(id int) *simulator {
	for _, t := range m.traces {
		if m.simulators[t] != nil && m.simulators[t].id == id {
			return m.simulators[t]
		}
	}
	return nil
}

// openSimulator makes the simulator of the trace in focus, if there is none.
func (m *Model) openSimulator() (*simulator, tea.Cmd) {
	w := m.window()
	if s := m.simulatorFor(w); s != nil {
		if s.program == nil && !s.building {
			return s, m.buildProgram(s)
		}
		return s, nil
	}
	m.ids++
	s := &simulator{id: m.ids, measured: w.Trace}
	m.simulators[w.Trace] = s
	return s, m.buildProgram(s)
}

// buildProgram makes the program of a trace in the background. That of a part would predict a part, and be compared with the whole run: while
// a trace is read, its simulator waits.
func (m *Model) buildProgram(s *simulator) tea.Cmd {
	if s.awaited = s.measured.Until != 0; s.awaited {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	s.building, s.buildGen, s.cancelBuild, s.err = true, m.gen, cancel, nil
	s.revision = s.measured.Revision
	for _, r := range s.runs { // they were of the program before
		r.trace = nil
	}
	id, gen, tr := s.id, s.buildGen, s.measured.Data
	return tea.Batch(func() tea.Msg {
		defer cancel()
		b, err := build(ctx, tr)
		return builtMsg{id, gen, b, err}
	}, m.tick())
}

// build makes a program, and what the pane shows of it.
func build(ctx context.Context, tr *prv.Trace) (*built, error) {
	t, err := dimemas.FromTrace(ctx, tr, dimemas.TranslateOptions{})
	if err != nil {
		return nil, err
	}
	b := &built{program: t.Program, remarks: t.Remarks(), blocks: slices.DeleteFunc(sim.Blocks(t.Program), func(b sim.Block) bool { return isFigure(b.Type) })}
	records, communicates := 0, false
	b.computation = make([]float64, len(b.program.Tasks))
	for i := range b.program.Threads {
		th := &b.program.Threads[i]
		b.computation[b.program.TaskOf(int32(i))] += th.Computation()
		records += th.Len()
		communicates = communicates || slices.ContainsFunc(th.Kind, func(k sim.Kind) bool { return k >= sim.Send })
		for _, c := range th.Collectives {
			if int(c.Op) < len(b.ops) {
				b.ops[c.Op]++
			}
		}
	}
	if records == 0 {
		return nil, errors.New("there is nothing to simulate: the trace has neither computation nor communication")
	}
	if !communicates {
		b.remarks = append(b.remarks, "no communication is in this trace: networks make no difference to it")
	}
	return b, ctx.Err()
}

// isFigure tells types whose values Extrae measures from those that name what a program does: hardware counters, which are 0 at times, and sizes,
// roots and communicators of collective operations.
func isFigure(typ uint32) bool {
	return typ >= 42_000_000 && typ < 43_000_000 || typ >= 50_100_000 && typ < 50_101_000
}

// builtProgram takes the program.
func (m *Model) builtProgram(msg builtMsg) tea.Cmd {
	s := m.simulatorByID(msg.sim)
	if s == nil || !s.building || s.buildGen != msg.gen {
		return nil
	}
	s.building = false
	if msg.err != nil {
		s.err = msg.err
		return nil
	}
	b := msg.built
	s.program, s.remarks, s.blocks, s.ops, s.computation = b.program, b.remarks, b.blocks, b.ops, b.computation
	if len(s.remarks) > 0 {
		m.say(strings.Join(s.remarks, "; "))
	}
	if s.now.machine != nil { // of a session
		return m.startRun(s)
	}
	name := orElse(s.loadNext, "ideal")
	s.loadNext = ""
	if err := s.load(name); err != nil {
		m.alarm(err.Error())
		_ = s.load("ideal")
	}
	s.past = nil
	return m.startRun(s)
}

// load replaces the machine by one of a name, or of a Dimemas configuration.
func (s *simulator) load(name string) error {
	var machine *sim.Machine
	if p := sim.PresetByName(name); p != nil {
		machine = p.For(s.program)
	} else {
		var err error
		if machine, err = dimemas.OpenMachine(name); err != nil {
			return err
		}
		name = baseName(name)
	}
	s.step("")
	s.now.machine = machine
	s.base, s.baseName = s.now, name
	s.form.invalidate()
	return nil
}

// step notes the machine as it is for undo; changes of the same kind in a row are one.
func (s *simulator) step(kind string) {
	s.future = nil
	if s.now.machine == nil || kind != "" && kind == s.joined {
		return
	}
	s.joined = kind
	s.past = append(s.past, machineStep{s.now, s.base, s.baseName})
}

// changeScenario sets a field of the form. kind joins changes that are undone together.
func (m *Model) changeScenario(s *simulator, f *simField, v float64, kind string) tea.Cmd {
	if f.check != nil {
		if err := f.check(&s.now, v); err != nil {
			return m.refuse(err)
		}
	}
	next := s.now
	next.machine = s.now.machine.Clone()
	f.set(&next, v)
	notes := next.machine.Adapt(s.now.machine, s.program, f.p.Name)
	if next.equal(s.now) {
		return nil
	}
	s.step(kind)
	s.now = next
	s.form.invalidate()
	if notes != nil {
		m.say("with it: " + strings.Join(notes, ", "))
	}
	return m.scheduleRun(s)
}

// travel goes back or forth among the machines.
func (s *simulator) travel(from, to *[]machineStep) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, machineStep{s.now, s.base, s.baseName})
	t := (*from)[n-1]
	*from = (*from)[:n-1]
	s.now, s.base, s.baseName, s.joined = t.now, t.base, t.baseName, ""
	s.form.invalidate()
	return true
}

// scheduleRun shows what is known of the machine, or simulates it when no further change comes.
func (m *Model) scheduleRun(s *simulator) tea.Cmd {
	s.stop()
	s.err = nil
	if r := s.runOf(s.now); r != nil && r.trace != nil {
		return m.showRun(s, r)
	}
	m.gen++
	if s.cooling == 0 {
		s.cooling = m.gen
		return tea.Batch(m.startRun(s), m.after(simDelay, simulateMsg{s.id, s.cooling}))
	}
	s.waiting = m.gen
	return m.after(simDelay, simulateMsg{s.id, s.waiting})
}

// runOf finds a run of a scenario.
func (s *simulator) runOf(c scenario) *simRun {
	for _, r := range s.runs {
		if r.scenario.equal(c) {
			return r
		}
	}
	return nil
}

// stop cancels the run that is going on, or that is to begin.
func (s *simulator) stop() bool {
	going := s.run != nil || s.waiting != 0
	if s.run != nil {
		s.run.cancel()
	}
	s.run, s.waiting = nil, 0
	return going
}

// close ends all work.
func (s *simulator) close() {
	s.stop()
	if s.cancelBuild != nil {
		s.cancelBuild()
	}
	s.building = false
}

// simulateNow begins the run of the last change.
func (m *Model) simulateNow(msg simulateMsg) tea.Cmd {
	s := m.simulatorByID(msg.sim)
	if s != nil && s.cooling == msg.gen {
		s.cooling = 0
	}
	if s == nil || s.waiting != msg.gen {
		return nil
	}
	return m.startRun(s)
}

// startRun simulates the machine in the background.
func (m *Model) startRun(s *simulator) tea.Cmd {
	s.stop()
	s.err = nil
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	run := &simulating{gen: m.gen, scenario: s.now, cancel: cancel}
	s.run = run
	id, program, measured := s.id, s.program, s.measured.Data
	job := func(opt sim.Options) tea.Cmd {
		opt.Rules, opt.DisableOpenMP = run.scenario.rules, run.scenario.noOpenMP
		return func() tea.Msg {
			r, err := sim.Run(ctx, program, run.scenario.machine, opt)
			if err == nil && r.Trace != nil {
				sim.NamePrediction(r.Trace, measured, opt.Rules)
			}
			return simulatedMsg{id, run.gen, r, err}
		}
	}
	cmds := []tea.Cmd{job(sim.Options{Trace: true, Progress: func(done, total int64) {
		run.done.Store(done)
		run.total.Store(total)
	}}), m.tick()}
	if program.Records() > quickRecords {
		cmds = append(cmds, job(sim.Options{}))
	}
	return tea.Batch(cmds...)
}

// simulated takes the answer of a run; one that nobody waits for is dropped.
func (m *Model) simulated(msg simulatedMsg) tea.Cmd {
	s := m.simulatorByID(msg.sim)
	if s == nil || s.run == nil || s.run.gen != msg.gen {
		return nil
	}
	run := s.run
	if msg.err == nil && msg.result.Trace == nil {
		run.quick = msg.result
		return nil
	}
	s.stop()
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			s.err = msg.err
		}
		return nil
	}
	r := s.runOf(run.scenario)
	if r == nil {
		r = &simRun{number: len(s.runs) + 1, scenario: run.scenario, base: s.base, baseName: s.baseName, changes: differences(s.base, run.scenario, s.blockName)}
		if n := len(s.runs); n > 0 {
			r.number = s.runs[n-1].number + 1
		}
		s.runs = append(s.runs, r)
		s.forgetOldest()
		s.form.invalidate()
	}
	r.result, r.trace = msg.result, msg.result.Trace
	r.result.Trace = nil
	r.efficiency = runningShare(r.result, len(s.program.Threads))
	return m.showRun(s, r)
}

// mostRuns bounds the history.
const mostRuns = 200

// forgetOldest makes room in the history: the oldest run goes that has no name and is not looked at.
func (s *simulator) forgetOldest() {
	if len(s.runs) <= mostRuns {
		return
	}
	if i := slices.IndexFunc(s.runs, func(r *simRun) bool { return r.name == "" && r != s.shown && r != s.marked }); i >= 0 {
		s.runs = slices.Delete(s.runs, i, i+1)
	}
}

// runningShare is the parallel efficiency: the time that threads compute, of that which they have until the last ends.
func runningShare(r *sim.Result, threads int) float64 {
	running := int64(0)
	for i := range r.Tasks {
		running += r.Tasks[i].States[sim.StateRunning]
	}
	if r.Total == 0 || threads == 0 {
		return 0
	}
	return float64(running) / float64(threads) / float64(r.Total)
}

// showRun shows a finished run, and forgets the traces of those that were shown long ago.
func (m *Model) showRun(s *simulator, r *simRun) tea.Cmd {
	s.stop()
	s.shown = r
	cmd := m.showPrediction(s, r)
	traces, most := 0, max(min(keptTraces, int(keptRecords/max(s.program.Records(), 1))), 1)
	for i := len(s.runs) - 1; i >= 0; i-- {
		if o := s.runs[i]; o != r && o.trace != nil {
			if traces++; traces >= most {
				o.trace = nil
			}
		}
	}
	return cmd
}

// goToRun goes back to a run: to its machine, and to what was predicted for it.
func (m *Model) goToRun(s *simulator, r *simRun) tea.Cmd {
	if s.shown == r && r.scenario.equal(s.now) {
		return nil
	}
	s.step("")
	s.now, s.base, s.baseName = r.scenario, r.base, r.baseName
	s.form.invalidate()
	return m.scheduleRun(s)
}

// baseline is how long the measured run took, ns.
func (s *simulator) baseline() float64 {
	return float64(s.measured.Data.Duration) * float64(s.measured.Data.Unit.Nanoseconds())
}

// blockName names a block of the program as the trace's labels do; with the type where the value alone says little.
func (s *simulator) blockName(typ uint32, value int64) string {
	labels := s.measured.Data.Labels
	name := labels.ValueName(typ, value)
	if strings.EqualFold(name, "begin") || strings.HasPrefix(name, "value ") {
		return labels.TypeName(typ) + ": " + name
	}
	return name
}

// difference is something that is not the same on two machines; before is empty where it cannot be said.
type difference struct{ what, before, after string }

func (d difference) String() string { return strings.TrimSpace(d.what + " " + d.after) }

// differences lists what is not the same on two machines: "latency 25 us", "node 3 CPU speed 2".
func differences(before, after scenario, blockName func(uint32, int64) string) (list []string) {
	for _, d := range compareScenarios(before, after, blockName) {
		list = append(list, d.String())
	}
	return list
}

func compareScenarios(before, after scenario, blockName func(uint32, int64) string) (list []difference) {
	from, to := before.machine, after.machine
	for i, v := range after.rules {
		if r := &sim.RuleTable[i]; v != before.rules[i] {
			list = append(list, difference{r.Name, r.Values[before.rules[i]].Name, r.Values[v].Name})
		}
	}
	for i := range sim.Parameters {
		p := &sim.Parameters[i]
		a, sameA := p.Setting(from)
		b, sameB := p.Setting(to)
		was := "several"
		if sameA {
			was = settingText(p, a)
		}
		switch {
		case sameB && (a != b || !sameA):
			list = append(list, difference{p.Name, was, settingText(p, b)})
		case !sameB && p.Node != nil:
			list = append(list, nodeDifferences(p, from, to)...)
		case !sameB:
			list = append(list, difference{p.Name, was, "differs"})
		}
	}
	if before.noOpenMP != after.noOpenMP {
		word := map[bool]string{true: "on", false: "off"}
		list = append(list, difference{"disable-openmp", word[before.noOpenMP], word[after.noOpenMP]})
	}
	if len(from.Clusters) > 0 && len(to.Clusters) > 0 {
		costs := func(c sim.CollectiveCost) string { return stageText(c.FanIn) + " / " + stageText(c.FanOut) }
		for op, c := range to.Clusters[0].Collectives {
			if was := from.Clusters[0].Collectives[op]; c != was {
				list = append(list, difference{sim.Collectives[op], costs(was), costs(c)})
			}
		}
	}
	for _, mod := range to.Modules {
		if was := from.ModuleRatio(mod.Type, mod.Value); was != mod.Ratio {
			list = append(list, difference{blockName(mod.Type, mod.Value), ratioText(was), ratioText(mod.Ratio)})
		}
	}
	for _, mod := range from.Modules {
		if !slices.ContainsFunc(to.Modules, func(o sim.Module) bool { return o.Type == mod.Type && o.Value == mod.Value }) {
			list = append(list, difference{blockName(mod.Type, mod.Value), ratioText(mod.Ratio), "as measured"})
		}
	}
	return list
}

func settingText(p *sim.Parameter, s sim.Setting) string {
	if s.Distribution.Kind != "" {
		return p.FormatSetting(s)
	}
	return p.Show(s.Value)
}

// nodeDifferences lists the nodes at which a parameter is not the same, or how many they are.
func nodeDifferences(p *sim.Parameter, from, to *sim.Machine) (list []difference) {
	for n := range to.Nodes {
		d := difference{what: fmt.Sprintf("node %d %s", n+1, p.Name), after: p.Show(p.Node.Get(&to.Nodes[n]))}
		if n < len(from.Nodes) {
			d.before = p.Show(p.Node.Get(&from.Nodes[n]))
		}
		if d.before != d.after {
			list = append(list, d)
		}
	}
	if len(list) > 3 {
		return []difference{{what: fmt.Sprintf("%s of %d nodes", p.Name, len(list)), after: "differs"}}
	}
	return list
}

// stageText says how a stage of a collective operation is charged.
func stageText(st sim.Stage) string {
	if st.Model == sim.ModelDefault {
		return "default"
	}
	text := sim.CollectiveModels[st.Model].Name
	if st.Model != sim.ModelNone && st.Size != sim.SizeCurrent {
		text += " " + sim.CollectiveSizes[st.Size].Name
	}
	return text
}

// ratioText says what a module's ratio makes of a block.
func ratioText(ratio float64) string {
	switch {
	case ratio == 0:
		return "no time"
	case ratio == 1:
		return "as measured"
	case ratio < 0:
		return raster.FormatDuration(int64(-ratio), prv.Nanoseconds) + " each"
	}
	return fmt.Sprintf("%gx faster", ratio)
}

// title says what a run is.
func (r *simRun) title() string {
	if r.name != "" {
		return r.name
	}
	if len(r.changes) == 0 {
		return r.baseName
	}
	return r.baseName + ": " + strings.Join(r.changes, ", ")
}

// simulatorBusy reports whether any simulator works in the background.
func (m *Model) simulatorBusy() bool {
	return slices.ContainsFunc(m.traces, func(t *timeline.Trace) bool {
		return m.simulators[t] != nil && (m.simulators[t].building || m.simulators[t].run != nil)
	})
}

// stopSimulation stops the simulation that the pane tells of; else any.
func (m *Model) stopSimulation() bool {
	if s := m.simulatorFor(m.window()); s != nil && s.cancelWork(m) {
		return true
	}
	for _, t := range m.traces {
		if m.simulators[t] != nil && m.simulators[t].cancelWork(m) {
			return true
		}
	}
	return false
}

func (s *simulator) cancelWork(m *Model) bool {
	switch {
	case s.building:
		s.close()
		s.err = errors.New("the program was not made: it was cancelled; " + keysOf("simulate") + " begins again")
		m.say("the simulation was cancelled")
	case s.stop():
		s.err = errors.New("the simulation of this machine was cancelled; any change begins another, and " + keysOf("sim-again") + " simulates the same again")
		m.say("the simulation was cancelled")
	default:
		return false
	}
	return true
}
