package sim

// Differences between models of a parallel machine. Dimemas 5.5.0 and the thesis that it comes from (S. Girona,
// Performance Prediction and Evaluation Tools, UPC 2003, chapter 3) predict different times for the same program on the
// same machine. Each difference is a rule; a model is a choice for every rule; and a user may combine rules of both.

import (
	"fmt"
	"strings"
)

// Rule is a point at which models differ: a row of RuleTable.
type Rule uint8

// The rules.
const (
	ReceiverLatency Rule = iota
	BlockingSend
	SelfMessage
	Acquisition
	LocalContention
	CollectiveResources
	CollectiveCharge
	CollectiveLinear
	CollectiveParticipants
	ReduceKind
	ModuleNesting
	RunningState
	StateNumbers
	CPUTurns
	SwitchCost
	SpinTime
	TracerStates
	CollectiveForm
	Wildcards
	ConstructStates

	numRules
)

// The choices of the rules, in the order of their Values. The first is always the choice of the model "dimemas".
const (
	ReceiverPays = iota // ReceiverLatency
	ReceiverFree
)
const (
	SendBuffered = iota // BlockingSend
	SendSynchronous
	SendAcknowledged
)
const (
	SelfRendezvous = iota // SelfMessage
	SelfAsSent
)
const (
	AcquireInTurn = iota // Acquisition
	AcquireTogether
)
const (
	LocalLinksAndBuses = iota // LocalContention
	LocalFree
)
const (
	CollectiveBuses = iota // CollectiveResources
	CollectiveNetwork
)
const (
	ChargeTwoPhases = iota // CollectiveCharge
	ChargeOnePhase
	ChargeByCall
)
const (
	LinearOthers = iota // CollectiveLinear
	LinearAll
)
const (
	ParticipantsStaged = iota // CollectiveParticipants
	ParticipantsTasks
)
const (
	ReduceMessages = iota // ReduceKind
	ReduceCollective
)
const (
	ModulesRotate = iota // ModuleNesting
	ModulesNest
)
const (
	RunningAlways = iota // RunningState
	RunningAfterEvent
)
const (
	StatesParaver = iota // StateNumbers
	StatesThesis
)
const (
	TurnByRecord = iota // CPUTurns
	TurnUntilBlocked
)
const (
	SwitchAlways = iota // SwitchCost
	SwitchOnChange
)
const (
	SpinSwitchTime = iota // SpinTime
	SpinFully
)
const (
	TracerOverlaps = iota // TracerStates
	TracerRuns
)

const (
	CollectivesByNetwork = iota // CollectiveForm
	CollectivesByFormula
	CollectivesAsMessages
)
const (
	WildcardsRecorded = iota // Wildcards
	WildcardsRematch
)

const (
	ConstructsShown = iota // ConstructStates
	ActivityShown
)

// RuleInfo is a row of RuleTable.
type RuleInfo struct {
	Name   string
	Doc    string // the question it decides
	Source string // source of the choices
	Values []RuleValue
	Thesis uint8 // index of the choice of the model "thesis"; for "dimemas" it is the first
}

// RuleValue is a choice of a rule.
type RuleValue struct{ Name, Doc string }

// RuleTable has the rules, by Rule.
var RuleTable = [numRules]RuleInfo{
	ReceiverLatency: {"receiver-latency", "whether a receive costs the latency on the receiver's CPU, too",
		"thesis 3.5.1, figure 5", []RuleValue{
			{"paid", "a receive or wait begins with the latency of the message"},
			{"free", "only the sender pays it"}}, ReceiverFree},
	BlockingSend: {"blocking-send", "when a blocking send that does not wait for its receiver continues",
		"thesis 3.5.1",
		[]RuleValue{
			{"buffered", "at once: the message leaves in the background"},
			{"synchronous", "when the message has arrived"},
			{"acknowledged",
				"when its receive has the message, which leaves at once; below the eager limit, if there is one: " +
					"at once"}}, SendBuffered},
	SelfMessage: {"self-message", "whether a message of a task to itself waits for its receive", "Dimemas 5.5.0",
		[]RuleValue{
			{"rendezvous", "always, whatever the eager limit"},
			{"as-sent", "like any other message"}}, SelfAsSent},
	Acquisition: {"acquisition",
		"how a message gets the links and the bus that it needs, on a machine that names no network", "thesis 3.1.1",
		[]RuleValue{
			{"in-turn", "one by one, keeping those it has: network 'buses'"},
			{"together", "all at once, first come first served: network 'together'"}}, AcquireTogether},
	LocalContention: {"local-contention", "whether messages within a node wait for links and buses", "thesis 3.1.1",
		[]RuleValue{
			{"links-and-buses", "for links of the tasks and buses of the node"},
			{"none", "for nothing"}}, LocalFree},
	CollectiveResources: {"collective-resources", "what a collective operation takes of the network while it lasts",
		"thesis 3.5.2", []RuleValue{
			{"buses", "the buses, each as it becomes free; links play no part"},
			{"network", "everything: it waits for the messages before it, those after it wait for its end"}},
		CollectiveNetwork},
	CollectiveCharge: {"collective-charge", "the cost of an operation that the machine does not define",
		"thesis 3.5.2 and table 9", []RuleValue{
			{"two-phases",
				"fan-in and fan-out by the network's model, with the bytes that the root sends and receives"},
			{"one-phase", "once by the network's model, with the largest size among the tasks"},
			{"by-call", "by a table of MPI calls; the network's model does not count"}}, ChargeByCall},
	CollectiveLinear: {"collective-linear", "how many messages the linear model takes among P participants",
		"thesis 3.5.2", []RuleValue{
			{"P-1", "one for each but the root"},
			{"P", "one for each"}}, LinearAll},
	CollectiveParticipants: {"collective-participants", "what counts as a participant of a collective operation",
		"thesis 3.5.2", []RuleValue{
			{"staged", "tasks within a node, nodes within a machine, tasks across machines; the times add up"},
			{"tasks", "tasks, wherever they are; the costs are those of the widest network between them"}},
		ParticipantsTasks},
	ReduceKind: {"reduce", "what MPI_Reduce is", "thesis table 9", []RuleValue{
		{"messages", "a message of each task to the root; only the root waits for all"},
		{"collective", "an operation like the others"}}, ReduceCollective},
	ModuleNesting: {"modules", "which open block counts when blocks with a speed of their own overlap", "thesis 3.7.3",
		[]RuleValue{
			{"rotate",
				"the end of a block closes the oldest open one of its type, or puts the oldest innermost, as " +
					"Dimemas 5.5.0 does"},
			{"nest", "the innermost; the end of a block closes the innermost of its type"}}, ModulesNest},
	RunningState: {"running", "which computation the predicted trace shows as Running", "Dimemas 5.5.0", []RuleValue{
		{"always", "all"},
		{"after-event", "that after the thread's first event, as Dimemas 5.5.0 does"}}, RunningAlways},
	StateNumbers: {"states", "how the states of the predicted trace are numbered", "thesis 3.5", []RuleValue{
		{"paraver", "as Dimemas 5.5.0 writes them for Paraver"},
		{"thesis",
			"4 a sender waits for links or a bus, 6 semaphore, 7 latency, 8 context switch, 12 busy wait, 13 and " +
				"14 collective before and after all are there"}}, StatesThesis},
	CPUTurns: {"cpu-turns", "how long a thread that got a CPU has it", "thesis 3.6 and 8.1.2.2", []RuleValue{
		{"record",
			"for a computation or a latency; then it goes through the queue of its node, which puts it last after " +
				"an event"},
		{"until-blocked",
			"until it blocks, is preempted, or has used its quantum up; at one instant quanta end first, and CPUs " +
				"are given last"}}, TurnUntilBlocked},
	SwitchCost: {"context-switch-charge", "when the cost of a context switch is charged", "thesis 3.6", []RuleValue{
		{"always", "whenever a thread gets a CPU"},
		{"on-change", "when a CPU takes another thread than the one before; its first is free"}}, SwitchOnChange},
	SpinTime: {"busy-wait-time", "how long a busy wait keeps the CPU", "thesis 3.6", []RuleValue{
		{"context-switch", "as long as a context switch takes, as Dimemas 5.5.0 does"},
		{"busy-wait", "as long as the parameter says"}}, SpinFully},
	TracerStates: {"tracer-states", "what is I/O and Others: the time in which the tracer writes its buffer, or starts",
		"Dimemas 5.5.0", []RuleValue{
			{"overlapping",
				"all of it, as Dimemas 5.5.0 does: where the thread waits for a CPU meanwhile, that counts as " +
					"Synchronization as well"},
			{"running", "time the thread spends on a CPU"}}, TracerRuns},
	CollectiveForm: {"collectives", "how a collective operation is simulated", "PUPPET 3.4", []RuleValue{
		{"by-network", "by formula on links and buses, as messages on direct networks"},
		{"formula", "all wait for each other, then it takes the time of its model"},
		{"messages", "as the messages of an algorithm (pview list algorithms), which contend with others"}},
		CollectivesByNetwork},
	Wildcards: {"wildcards", "what a receive from any sender, or of any tag, gets", "PUPPET 4.1", []RuleValue{
		{"recorded", "the message received when the program was recorded, if known"},
		{"rematch", "the first to arrive"}}, WildcardsRecorded},
	ConstructStates: {"openmp-states", "which states the threads of OpenMP programs have", "Dimemas 5.5.0", []RuleValue{
		{"constructs",
			"those of the constructs, as Dimemas 5.5.0 does: Running in outlined functions and after barriers, " +
				"Synchronization in barriers, Scheduling and Fork/Join where the master opens or closes a region; " +
				"nothing of a worker outside of regions; a wait for a CPU counts as well"},
		{"activity", "Running while they compute, Synchronization while they wait for the team or a CPU"}},
		ActivityShown},
}

// Rules is a choice for each rule, by Rule: an index of its Values. The zero value is the model "dimemas".
type Rules [numRules]uint8

// Models are the named choices of all rules.
var Models = []struct {
	Name, Doc string
	Rules     Rules
}{
	{"dimemas", "Dimemas 5.5.0, to the nanosecond", Rules{}},
	{"thesis", "the model that S. Girona describes (UPC 2003)", thesisRules()},
}

func thesisRules() (r Rules) {
	for i := range RuleTable {
		r[i] = RuleTable[i].Thesis
	}
	return r
}

// ModelRules returns the rules of a model.
func ModelRules(name string) (Rules, error) {
	var names []string
	for _, m := range Models {
		if m.Name == name {
			return m.Rules, nil
		}
		names = append(names, m.Name)
	}
	return Rules{}, fmt.Errorf("there is no model %q, but %s", name, strings.Join(names, ", "))
}

// RuleByName finds a rule.
func RuleByName(name string) (Rule, bool) {
	for i := range RuleTable {
		if RuleTable[i].Name == name {
			return Rule(i), true
		}
	}
	return 0, false
}

// Set makes a choice by name.
func (r *Rules) Set(name, value string) error {
	rule, ok := RuleByName(name)
	if !ok {
		return fmt.Errorf("there is no rule %q", name)
	}
	var values []string
	for i, v := range RuleTable[rule].Values {
		if v.Name == value {
			r[rule] = uint8(i)
			return nil
		}
		values = append(values, v.Name)
	}
	return fmt.Errorf("rule %s is one of %s, not %q", name, strings.Join(values, ", "), value)
}

// Value returns the choice of a rule by name.
func (r *Rules) Value(rule Rule) string { return RuleTable[rule].Values[r[rule]].Name }

// Check reports an unknown choice.
func (r *Rules) Check() error {
	for i, v := range r {
		if int(v) >= len(RuleTable[i].Values) {
			return fmt.Errorf("rule %s has no choice %d", RuleTable[i].Name, v)
		}
	}
	return nil
}
