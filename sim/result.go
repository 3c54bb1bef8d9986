package sim

// The results of a simulation: times, and their use.

import (
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// States of a predicted trace, numbered as in Paraver.
const (
	StateIdle       uint8 = 0
	StateRunning    uint8 = 1
	StateWaiting    uint8 = 3 // for a message
	StateBusyWait   uint8 = 4
	StateReady      uint8 = 5 // for a CPU; in Dimemas also inside a Reduce
	StateSwitch     uint8 = 6 // context switch
	StateFork       uint8 = 7 // a master opens or closes a parallel region
	StateSemaphore  uint8 = 7
	StateSending    uint8 = 9 // a synchronous sender
	StateIO         uint8 = 12
	StateCollective uint8 = 13
	// in a collective operation, after all have arrived: only in the numbering of the thesis
	StateCollectiveWork uint8 = 14
	StateOthers         uint8 = 15
	StateStartup        uint8 = 26
	StateNone           uint8 = 31 // not written

	NumStates = 32
)

// States are the states of a predicted trace and their names; Thesis is the number in the thesis (rule "states").
var States = []struct {
	Value  uint8
	Name   string
	Doc    string
	Thesis uint8
}{
	{StateIdle, "Idle", "computation in an idle block", 0},
	{StateRunning, "Running", "computation", 1},
	{StateWaiting, "Waiting a message", "blocked in a receive, a wait, or a send that waits for its receiver", 3},
	{StateBusyWait, "Blocking Send", "busy wait: a receiver that keeps its CPU", 12},
	{StateReady, "Synchronization", "ready without a CPU, or waiting inside a Reduce", 5},
	{StateSwitch, "Test/Probe", "context switch", 8},
	{StateSemaphore, "Scheduling and Fork/Join",
		"blocked at a semaphore, or a parallel region is opened, shared out or closed", 6},
	{StateSending, "Blocked", "a synchronous send whose message has not arrived yet", 4},
	{StateIO, "I/O", "the tracer writes its buffer", 11},
	{StateCollective, "Group communication", "in a collective operation", 13},
	{StateCollectiveWork, "Group transfer",
		"in a collective operation, after all are there; only with the numbers of the thesis", 14},
	{StateOthers, "Others", "the tracer starts", 15},
	{StateStartup, "Startup latency", "latency of a message, on the CPU", 7},
}

// Result is the result of a simulation. Times are nanoseconds.
type Result struct {
	Total       int64 // when the last thread ended
	Computation float64
	Tasks       []TaskStats
	Messages    int64
	Bytes       int64
	// Events is the number of events that were scheduled: the work of the simulation.
	Events int64
	// BusQueue is the greatest number of messages that waited for a bus at once.
	BusQueue int
	// Speedup is the scaled speedup: computation / total, relative to the same program on a single CPU.
	Speedup float64
	// Hops and ByteHops are the links that messages took on a direct network, and the same weighted by bytes.
	Hops, ByteHops int64
	// Links are the loads of the links of a direct network with contention.
	Links []LinkLoad
	// Unreceived counts the messages that were sent but never received; Unmatched describes the first.
	Unreceived int64
	Unmatched  string
	// Runs are the ends of the runs of each ptask of a closed workload, ns; see RunTime.
	Runs [][]int64
	// Trace is the predicted trace, if requested by Options.
	Trace *prv.Trace
}

// Share is part / whole; 0 if whole is 0.
func Share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// Utilisation returns the share of the threads' time in state Running: the "processor utilisation" of the thesis' table
// 11. Computation also includes idle blocks and the tracer's work.
func (r *Result) Utilisation(threads int) float64 {
	running := int64(0)
	for i := range r.Tasks {
		running += r.Tasks[i].States[StateRunning]
	}
	return Share(float64(running), float64(threads)*float64(r.Total))
}

// NodeUse is the computation of the tasks on a node: ns, and the share of the time of its CPUs.
type NodeUse struct {
	Node        int
	Busy, Share float64
}

// NodeUses returns the use of the nodes of a machine that run tasks; placed are the nodes of the tasks.
func (r *Result) NodeUses(m *Machine, placed []int32) (list []NodeUse) {
	busy, has := make([]float64, len(m.Nodes)), make([]bool, len(m.Nodes))
	for i, n := range placed {
		busy[n] += r.Tasks[i].Computation
		has[n] = true
	}
	for n, b := range busy {
		if has[n] {
			list = append(list, NodeUse{n, b, Share(b, float64(r.Total)*float64(m.Nodes[n].CPUs))})
		}
	}
	return list
}

// TaskStats are the statistics of a task. Times are nanoseconds, summed over its threads.
type TaskStats struct {
	End    int64 // of its last thread
	States [NumStates]int64

	Computation    float64
	Startups       float64 // latency of messages and operations, on the CPU
	BlockedRecv    float64 // in receives and waits
	BlockedColl    float64 // in collective operations, until all had arrived
	InColl         float64 // in collective operations, after that; all of the time if they are messages
	BlockedSend    float64 // in sends and their waits; excluding rendezvous with Dimemas's matching
	WaitLinks      float64 // of sent messages, for links
	WaitBuses      float64 // of sent messages, for buses
	MessagesSent   int64
	BytesSent      int64
	ImmediateRecvs int64 // receives whose message had arrived
	WaitingRecvs   int64 // receives that waited
	BytesRecv      int64
	Collectives    int64
	// MaxQueue is the largest number of messages that waited at once for the task to receive them, including those
	// taken on arrival. It is counted if messages are matched as they arrive: on direct networks, and in programs with
	// modes or wildcards.
	MaxQueue int64
}

// Blocked returns the time in operations, without their startups.
func (s *TaskStats) Blocked() float64 {
	return s.BlockedRecv + s.BlockedSend + s.BlockedColl + s.InColl
}

// NamePrediction gives the processes, states and events of a predicted trace their names from the measured one, which
// is not modified. It names no nodes and CPUs, and no processes if their number changes. If states are numbered as in
// the thesis, its names replace the measured ones.
func NamePrediction(t, measured *prv.Trace, rules Rules) {
	labels := measured.Labels.Clone()
	for _, s := range t.Labels.States {
		if _, ok := labels.State(s.Value); !ok || rules[StateNumbers] != StatesParaver {
			labels.AddState(s.Value, s.Label)
		}
	}
	labels.AddType(extrae.Predicted, extrae.PredictedLabel)
	t.Labels = labels
	for _, l := range []prv.Level{prv.LevelPtask, prv.LevelTask, prv.LevelThread} {
		if t.Count(l) == measured.Count(l) {
			t.Names.Levels[l] = measured.Names.Levels[l]
		}
	}
}

// MeanRun returns the mean time of a run of an application, ns, over all its runs; 0 before the first one ends.
func (r *Result) MeanRun(ptask int) float64 {
	ends := r.Runs[ptask]
	if len(ends) == 0 {
		return 0
	}
	return float64(ends[len(ends)-1]) / float64(len(ends))
}

// RunTime returns the mean time of a run of an application, ns, over the runs that ended in the last part of the
// simulation (1 is all of it); 0 for fewer than two.
func (r *Result) RunTime(ptask int, part float64) float64 {
	ends := r.Runs[ptask]
	first, _ := slices.BinarySearch(ends, int64((1-part)*float64(r.Total)))
	n := len(ends) - 1 - first
	if n < 1 {
		return 0
	}
	return float64(ends[len(ends)-1]-ends[first]) / float64(n)
}

// LinkLoad has the traffic of a link.
type LinkLoad struct {
	From, To int32 // processors or relays
	// Routine is 0 for the network of messages, 1 + operation for the network of a collective operation.
	Routine  uint8
	Messages int64
	Bytes    int64
	Busy     float64 // time for which it was held, ns
}
