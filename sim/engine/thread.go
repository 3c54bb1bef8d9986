package engine

import "pview/sim"

// phase is the activity of a thread on a CPU.
type phase uint8

const (
	computing phase = iota
	starting        // startup: the latency of a message
	spinning        // busy wait
)

// thread is a thread in the simulation.
type thread struct {
	kind   []sim.Kind // columns of src
	arg    []uint32
	values []uint64
	src    *sim.Thread

	pc    int32
	task  int32
	node  int32
	cpu   int32 // current or last one, 0-based in the node; -1: none yet
	next  int32 // in a channel's list of receivers, index + 1
	phase phase
	state uint8

	requeue   bool // it goes to the end of the queue
	synthetic bool // the computation is not a record
	started   bool // the startup of the operation is done
	switching bool // on a CPU for a context switch
	idle      bool
	seen      bool // it has had its first event
	done      bool
	onCPU     bool
	runnable  bool  // it has just become ready
	asleep    bool  // it waits for something other than a CPU; only for an observer
	master    bool  // the master of its team
	silent    bool  // a worker of a team whose computation takes no time: OpenMP is disabled
	passes    bool  // it need not wait at its current OpenMP event
	joined    bool  // the join of the block that its current event ends is charged
	sliced    bool  // the quantum ended during the startup
	flushes   bool  // it waits for its puts to arrive
	puts      int32 // in flight

	team      *team      // nil: none
	construct *construct // nil: not in OpenMP
	timer     uint64     // the end of its stay on the CPU
	left      float64    // of the computation or startup, ns
	used      float64    // of the quantum
	turn      float64    // when its turn on the CPU began
	begun     float64    // start of its current activity there,
	doing     float64    // and its length
	check     float64    // end of its minimum run time before preemption, if requested
	reached   float64    // when the operation was reached
	blocked   float64    // when it blocked
	since     int64      // start of the state, ns
	event     int64      // time of the last event, ns

	modules  []module // open ones, innermost last
	fork     float64  // of the block that has just begun, ns
	executes []int32  // OpenMP tasks of the team, innermost last; first the thread's own

	background int32 // non-blocking collectives in progress
	over       int32 // completed, but not yet waited for
	awaitsOp   bool  // it waits for one of them
}

// task is a task in the simulation.
type task struct {
	node                             int32
	computation, startups            float64
	blockedRecv, blockedColl, inColl float64
	blockedSend                      float64
}
