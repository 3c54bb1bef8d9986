package sim

// CPU scheduling from the user's point of view: the policies and their parameters.

import (
	"fmt"
	"slices"
)

// Scheduler is the policy by which the nodes give their CPUs to threads, and its parameters. Times are in nanoseconds;
// smaller priorities are better. Parameters outside of the policy's (Policy.Params) have no effect. DefaultScheduler
// has the defaults.
type Scheduler struct {
	Policy        string  // a name of Policies; "" is the first
	ContextSwitch float64 // cost of putting a thread on a CPU
	BusyWait      float64 // time that a receiver spins on its CPU before it blocks
	Quantum       float64 // time slice

	Preemptive bool    // a better thread that becomes ready takes the CPU of a worse one
	MinRun     float64 // but not before the worse one has run this long

	Priorities []float64 // by ptask, the last for those that follow; nil: all equal
	Swap       float64   // interval at which ptasks rotate their priorities; 0: never

	Best, Worst, Base               float64 // bounds of the priority, and its initial value
	RecvFirst, RecvLast, SenderLate float64 // increments of the priority; see boost
	Boost                           float64 // one increment for all three, in presets
	Delayed                         bool    // an increment takes effect at the next receive
	Levels                          []Level // nil: SolarisLevels
	StartLevel                      float64
	QuantumFactor                   float64 // of the quanta of all levels, %
	UseTick, LoadInterval, Readjust float64 // see decay
}

// ParamUnit is the unit of a parameter.
type ParamUnit uint8

// The units.
const (
	ParamTime   ParamUnit = iota // ns; seconds in a scheduler file
	ParamNumber                  // may be negative
	ParamPercent
	ParamSwitch // yes or no
	ParamList   // numbers
	ParamLevels // a table of levels
)

// SchedulerParam is a parameter of scheduling policies. The unit decides which accessor function is set.
type SchedulerParam struct {
	Name    string // as a flag spells it
	Title   string // a few words
	Line    string // as a scheduler file spells it, with the file's unit
	Unit    ParamUnit
	Default float64
	Doc     string

	Number func(*Scheduler) *float64 // ParamTime, ParamNumber, ParamPercent
	Switch func(*Scheduler) *bool
	List   func(*Scheduler) *[]float64
	Levels func(*Scheduler) *[]Level
}

// SchedulerParams returns the parameters of all policies. It is a copy: the table cannot be changed.
func SchedulerParams() []SchedulerParam { return slices.Clone(schedulerParams) }

var schedulerParams = []SchedulerParam{
	{Name: "context-switch", Title: "Context switch", Line: "Context switch cost (seconds)",
		Doc: "time to put a thread on a CPU", Number: func(s *Scheduler) *float64 { return &s.ContextSwitch }},
	{Name: "busy-wait", Title: "Busy wait", Line: "Busy wait (seconds)",
		Doc:    "time that a receiver without a message keeps its CPU before it blocks",
		Number: func(s *Scheduler) *float64 { return &s.BusyWait }},
	{Name: "quantum", Title: "Quantum", Line: "Quantum (seconds)", Default: DefaultQuantum,
		Doc: "time slice; 0: until the thread blocks", Number: func(s *Scheduler) *float64 { return &s.Quantum }},
	{Name: "preemptive", Title: "Preemptive", Line: "Priority Preemptive (YES/NO)", Unit: ParamSwitch,
		Doc: "a better thread that becomes ready takes the CPU of a worse one", Switch: func(s *Scheduler) *bool {
			return &s.Preemptive
		}},
	{Name: "min-run", Title: "Minimum run", Line: "Minimum time preemption (seconds)",
		Doc: "time that a thread runs before another may take its CPU", Number: func(s *Scheduler) *float64 {
			return &s.MinRun
		}},
	{Name: "priorities", Title: "Priorities", Line: "Priorities", Unit: ParamList,
		Doc:  "priority of each application, smaller is better; the last counts for those that follow",
		List: func(s *Scheduler) *[]float64 { return &s.Priorities }},
	{Name: "swap-priorities", Title: "Swap priorities", Line: "Swap priorities (seconds)",
		Doc:    "how often the applications pass their priorities on to the next; 0: never",
		Number: func(s *Scheduler) *float64 { return &s.Swap }},
	{Name: "best-priority", Title: "Best priority", Line: "Best priority", Unit: ParamNumber, Default: 0,
		Doc: "the best (smallest) that a priority may become", Number: func(s *Scheduler) *float64 { return &s.Best }},
	{Name: "worst-priority", Title: "Worst priority", Line: "Worst priority", Unit: ParamNumber, Default: 250,
		Doc: "the worst (greatest) that a priority may become", Number: func(s *Scheduler) *float64 {
			return &s.Worst
		}},
	{Name: "base-priority", Title: "Base priority", Line: "Base priority", Unit: ParamNumber, Default: 50,
		Doc: "the priority that a thread begins with", Number: func(s *Scheduler) *float64 { return &s.Base }},
	{Name: "boost-receiver-first", Title: "Boost, waiting receiver", Line: "Boost if receiver arrives first",
		Unit: ParamNumber, Default: 1, Doc: "added to the priority of a receiver that has to wait",
		Number: func(s *Scheduler) *float64 { return &s.RecvFirst }},
	{Name: "boost-receiver-last", Title: "Boost, late receiver", Line: "Boost if receiver arrives last",
		Unit: ParamNumber, Default: -1, Doc: "added to the priority of a receiver that finds its message",
		Number: func(s *Scheduler) *float64 { return &s.RecvLast }},
	{Name: "boost-sender-last", Title: "Boost, late sender", Line: "Boost if sender arrives last", Unit: ParamNumber,
		Doc: "added to the priority of a sender whose message was waited for", Number: func(s *Scheduler) *float64 {
			return &s.SenderLate
		}},
	{Name: "boost-delayed", Title: "Boost delayed", Line: "Boost from the next receive on (YES/NO)", Unit: ParamSwitch,
		Doc: "increments take effect at the thread's next receive", Switch: func(s *Scheduler) *bool {
			return &s.Delayed
		}},
	{Name: "boost", Title: "Boost", Line: "Boost", Unit: ParamNumber, Default: 1,
		Doc: "by how much a message makes a priority better or worse", Number: func(s *Scheduler) *float64 {
			return &s.Boost
		}},
	{Name: "quantum-factor", Title: "Quantum factor (%)", Line: "Quantum factor (%)", Unit: ParamPercent, Default: 100,
		Doc: "scales the quanta of all levels, %", Number: func(s *Scheduler) *float64 { return &s.QuantumFactor }},
	{Name: "start-level", Title: "Start level", Line: "Start level", Unit: ParamNumber, Default: 29,
		Doc: "level at which a thread begins, 0 the worst", Number: func(s *Scheduler) *float64 {
			return &s.StartLevel
		}},
	{Name: "levels", Title: "Levels", Line: "Level", Unit: ParamLevels,
		Doc: "table of the levels: priority, quantum (ms), level after it, level after a sleep, seconds to wait, " +
			"level after that", Levels: func(s *Scheduler) *[]Level { return &s.Levels }},
	{Name: "use-tick", Title: "Utilisation interval", Line: "Utilisation interval (seconds)", Default: 10e6,
		Doc: "how often the use of the CPUs is counted", Number: func(s *Scheduler) *float64 { return &s.UseTick }},
	{Name: "load-interval", Title: "Load average interval", Line: "Load average interval (seconds)", Default: 1e9,
		Doc: "over what time the load of a node is averaged", Number: func(s *Scheduler) *float64 {
			return &s.LoadInterval
		}},
	{Name: "readjust", Title: "Readjust interval", Line: "Readjust interval (seconds)", Default: 1e9,
		Doc: "how often past use is forgotten in part", Number: func(s *Scheduler) *float64 { return &s.Readjust }},
}

// DefaultQuantum is the quantum if none is given: 10 ms, as in the studies of the thesis (8.3). DimemasQuantum is
// Dimemas 5.5.0's default for policies whose files do not give one.
const (
	DefaultQuantum = 10e6
	DimemasQuantum = 3000
)

// DefaultScheduler is first come, first served, with the default of every parameter.
func DefaultScheduler() Scheduler {
	s := Scheduler{Policy: policies[0].Name}
	for i := range schedulerParams {
		if p := &schedulerParams[i]; p.Number != nil {
			*p.Number(&s) = p.Default
		}
	}
	return s
}

// SchedulerParamByName finds a parameter by the name of its flag.
func SchedulerParamByName(name string) (*SchedulerParam, bool) {
	at := slices.IndexFunc(schedulerParams, func(p SchedulerParam) bool { return p.Name == name })
	if at < 0 {
		return nil, false
	}
	p := schedulerParams[at]
	return &p, true
}

// Policy is an entry of Policies.
type Policy struct {
	Name string // as Dimemas spells it
	Doc  string
	// Params names its parameters (SchedulerParams).
	Params []string
	// File is the number of leading parameters that a scheduler file of Dimemas must have, in this order; the others
	// are ours.
	File int
}

// Policies returns the scheduling policies. It is a copy: the table cannot be changed.
func Policies() []Policy { return slices.Clone(policies) }

var policies = []Policy{
	{"FIFO", "first come, first served: a thread keeps its CPU until it blocks",
		[]string{"context-switch", "busy-wait"}, 2},
	{"RR", "round robin: first come, first served, for a quantum at a time",
		[]string{"context-switch", "busy-wait", "quantum"}, 3},
	{"FIXED_PRIORITY_FIFO", "the best application first, until it blocks; without priorities the same as FIFO",
		[]string{"context-switch", "busy-wait", "priorities", "preemptive", "min-run", "swap-priorities"}, 0},
	{"FIXED_PRIORITY_RR", "the best application first, in turn among equals (the thesis' PF, and PP if preemptive)",
		[]string{"context-switch", "busy-wait", "quantum", "priorities", "preemptive", "min-run",
			"swap-priorities"}, 0},
	{"UNIX_SVR4", "a table of levels: threads that compute sink, to longer quanta; threads that wait rise",
		[]string{"context-switch", "busy-wait", "preemptive", "min-run", "quantum-factor", "start-level", "levels"}, 5},
	{"DECAY", "4BSD: the use of CPUs makes a priority worse, and is forgotten with time",
		[]string{"context-switch", "busy-wait", "quantum", "best-priority", "worst-priority", "base-priority",
			"use-tick", "load-interval", "readjust", "preemptive", "min-run"}, 0},
	{"BOOST", "priorities change with messages: who waits for them, who finds them, who is waited for",
		[]string{"best-priority", "worst-priority", "base-priority", "boost-receiver-first", "boost-receiver-last",
			"boost-sender-last",
			"boost-delayed", "context-switch", "busy-wait", "quantum", "preemptive", "min-run"}, 6},
	{"BOOST1",
		"BOOST: a receiver that waits becomes worse, one that finds its message better, from its next receive on",
		boostParams, 0},
	{"BOOST2", "BOOST: a receiver that waits becomes worse, one that finds its message better", boostParams, 0},
	{"BOOST3", "BOOST2, and a sender whose message was waited for becomes better", boostParams, 0},
	{"SS_MPI_CP",
		"a thread that the program marks as critical (event 6999 of value 0) takes the CPU of one that is not",
		[]string{"context-switch", "busy-wait", "min-run"}, 0},
	{"CP_FIFO", "the most critical thread first (event 6999), at once, until it blocks",
		[]string{"context-switch", "busy-wait", "min-run"}, 0},
	{"CP_RR", "the most critical thread first (event 6999), at once, in turn among equals",
		[]string{"context-switch", "busy-wait", "quantum", "min-run"}, 0},
	{"SHARED",
		"processor sharing: all ready threads of a node progress at once, at an equal share of its CPUs; switches " +
			"cost nothing", nil, 0},
}

var boostParams = []string{"context-switch", "busy-wait", "quantum", "best-priority", "worst-priority", "base-priority",
	"boost", "preemptive", "min-run"}

// PolicyByName finds a policy; "" is the first.
func PolicyByName(name string) (*Policy, bool) {
	if name == "" {
		p := policies[0]
		return &p, true
	}
	for i := range policies {
		if p := policies[i]; p.Name == name {
			return &p, true
		}
	}
	return nil, false
}

// Check reports impossible parameters.
func (s *Scheduler) Check() error {
	policy, ok := PolicyByName(s.Policy)
	if !ok {
		return fmt.Errorf("there is no scheduling policy %q", s.Policy)
	}
	for _, name := range policy.Params {
		p, _ := SchedulerParamByName(name)
		if p.Number == nil {
			continue
		}
		if v := *p.Number(s); p.Unit != ParamNumber && !number(v) {
			return fmt.Errorf("scheduler: %s: %g is negative or no number", p.Name, v)
		} else if v-v != 0 {
			return fmt.Errorf("scheduler: %s: %g is no number", p.Name, v)
		}
	}
	if slices.Contains(policy.Params, "best-priority") && !(s.Best <= s.Base && s.Base <= s.Worst) {
		return fmt.Errorf("scheduler: a base priority of %g is not between the best, %g, and the worst, %g", s.Base,
			s.Best, s.Worst)
	}
	if policy.Name == "DECAY" && (s.UseTick < 1e3 || s.LoadInterval < s.UseTick || s.Readjust < s.UseTick) {
		return fmt.Errorf(
			"scheduler: a utilisation interval of less than 1 us, or longer than the intervals of load average and " +
				"readjustment")
	}
	if s.Quantum > 0 && s.Quantum < 1 {
		return fmt.Errorf("scheduler: a quantum of less than 1 ns")
	}
	if s.Swap > 0 && s.Swap < 1e3 {
		return fmt.Errorf("scheduler: priorities swapped more often than every us")
	}
	return checkLevels(s.Levels)
}
