package waits

// Class is a class of wait state, or of the rest of a call. The numbers are the values of the timeline function "Wait
// State".
type Class uint8

// The classes.
const (
	None                Class = 0
	LateSender          Class = 1
	WrongOrderSame      Class = 2
	WrongOrderDifferent Class = 3
	LateReceiver        Class = 4
	LateBroadcast       Class = 5
	EarlyReduce         Class = 6
	EarlyScan           Class = 7
	WaitNxN             Class = 8
	WaitBarrier         Class = 9
	WaitFinalize        Class = 10
	LatePost            Class = 11
	EarlyWait           Class = 12
	WaitFence           Class = 13
	LockContention      Class = 14
	TeamImplicit        Class = 15
	TeamExplicit        Class = 16
	LockWait            Class = 17
	TaskWait            Class = 18
	IdleWorker          Class = 19
	LateProgress        Class = 20
	NxNCompletion       Class = 30
	BarrierCompletion   Class = 31
	InitCompletion      Class = 32
	Operation           Class = 33
	Unexplained         Class = 34

	numClasses = 35
)

// ClassInfo describes a class.
type ClassInfo struct {
	Class Class
	Key   string // for programs
	Name  string
	Doc   string
	Group string
	// Waiting is true if the class counts as waiting; the others are the cost of the operation itself.
	Waiting bool
	Color   [3]uint8
}

// Classes are all classes, by number.
var Classes = []ClassInfo{
	{LateSender, "late_sender", "Late Sender", "a receive began before its message was sent", "point-to-point", true,
		[3]uint8{235, 0, 0}},
	{WrongOrderSame, "wrong_order_same", "Late Sender, wrong order, same source",
		"another message of the same source was sent earlier, and received later", "point-to-point", true,
		[3]uint8{255, 80, 80}},
	{WrongOrderDifferent, "wrong_order_different", "Late Sender, wrong order, different source",
		"a message of another source was sent earlier, and received later", "point-to-point", true,
		[3]uint8{255, 120, 120}},
	{LateReceiver, "late_receiver", "Late Receiver", "a send waited until its receive was posted", "point-to-point",
		true, [3]uint8{255, 0, 174}},
	{LateBroadcast, "late_broadcast", "Late Broadcast", "a Bcast or Scatter before the root had entered it",
		"collective", true, [3]uint8{255, 144, 26}},
	{EarlyReduce, "early_reduce", "Early Reduce", "the root of a Reduce or Gather before the last sender", "collective",
		true, [3]uint8{255, 170, 80}},
	{EarlyScan, "early_scan", "Early Scan", "a Scan before all lower ranks had entered it", "collective", true,
		[3]uint8{255, 190, 110}},
	{WaitNxN, "wait_nxn", "Wait at N x N", "an operation in which each needs all, before the last had entered it",
		"collective", true, [3]uint8{200, 100, 0}},
	{WaitBarrier, "wait_barrier", "Wait at Barrier", "a Barrier before the last had entered it", "collective", true,
		[3]uint8{179, 0, 0}},
	{WaitFinalize, "wait_finalize", "Wait at Finalize", "the end of MPI before the last had entered it", "collective",
		true, [3]uint8{120, 0, 0}},
	{LatePost, "late_post", "Late Post",
		"a Win_start, an access or a Win_complete before the last target had called Win_post", "one-sided", true,
		[3]uint8{185, 95, 185}},
	{EarlyWait, "early_wait", "Early Wait", "a Win_wait before the last origin had called Win_complete", "one-sided",
		true, [3]uint8{150, 70, 150}},
	{WaitFence, "wait_fence", "Wait at Fence", "a fence, or the making of a window, before the last had entered it",
		"one-sided", true, [3]uint8{116, 60, 116}},
	{LockContention, "lock_contention", "Lock contention",
		"a Win_lock or Win_unlock before the holder of the lock had called Win_unlock", "one-sided", true,
		[3]uint8{90, 50, 110}},
	{TeamImplicit, "team_implicit", "Wait at implicit barrier",
		"OpenMP: the end of a region before the last of the team", "threads", true, [3]uint8{200, 200, 0}},
	{TeamExplicit, "team_explicit", "Wait at explicit barrier", "OpenMP: a barrier or join before the last of the team",
		"threads", true, [3]uint8{220, 220, 60}},
	{LockWait, "lock", "Wait for lock", "OpenMP: a lock or critical section held by another", "threads", true,
		[3]uint8{0, 162, 0}},
	{TaskWait, "task_wait", "Task wait", "OpenMP: a taskwait without a task to execute", "threads", true,
		[3]uint8{0, 200, 100}},
	{IdleWorker, "idle_worker", "Idle worker", "OpenMP: between two regions, until the next is opened", "threads", true,
		[3]uint8{117, 195, 255}},
	{LateProgress, "late_progress", "Late Progress",
		"a send waited for its receiver, which had posted the receive and computed outside of MPI", "point-to-point",
		true, [3]uint8{255, 100, 200}},
	{NxNCompletion, "nxn_completion", "Completion of N x N", "after the first had left", "operation", false,
		[3]uint8{150, 150, 150}},
	{BarrierCompletion, "barrier_completion", "Completion of Barrier", "after the first had left", "operation", false,
		[3]uint8{160, 160, 160}},
	{InitCompletion, "init_completion", "Completion of Init", "after the last had entered", "operation", false,
		[3]uint8{170, 170, 170}},
	{Operation, "operation", "Operation", "the rest of a call: transfer, copies, cost of the library", "operation",
		false, [3]uint8{100, 100, 177}},
	{Unexplained, "unexplained", "Call without explanation", "a call without a message or partners", "operation", false,
		[3]uint8{66, 66, 66}},
}

var classIndex = func() (m [numClasses]int) {
	for i := range Classes {
		m[Classes[i].Class] = i + 1
	}
	return m
}()

// Info returns the description of a class; empty for None.
func (c Class) Info() *ClassInfo {
	if int(c) < len(classIndex) && classIndex[c] > 0 {
		return &Classes[classIndex[c]-1]
	}
	return &ClassInfo{}
}

// String returns the name of the class.
func (c Class) String() string { return c.Info().Name }

// isStep reports whether operations with waits of the class synchronise their members.
func (c Class) isStep() bool {
	return c == WaitNxN || c == WaitBarrier || c == WaitFence || c == TeamImplicit || c == TeamExplicit
}

// isHeld reports whether the holder's work during the wait causes such waits, rather than its excess over the waiter.
func (c Class) isHeld() bool { return c == LockWait || c == TaskWait }

// WaitsForReceiver reports whether in waits of the class a sender waits for its receiver.
func (c Class) WaitsForReceiver() bool { return c == LateReceiver || c == LateProgress }

// IsLateSender reports whether waits of the class are for a message that was not yet sent.
func (c Class) IsLateSender() bool {
	return c == LateSender || c == WrongOrderSame || c == WrongOrderDifferent
}
