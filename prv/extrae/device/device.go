// Package device is the vocabulary of accelerators in a trace: the names of a device's streams, the event types of
// calls, kernels, copies and collectives, and the tags of messages. The numbers up to 63000007, 91xx and 55001 to 55003
// are those of nsys2prv, BSC's converter for Nsight Systems; the others are pview's.
//
// A thread is a stream if its name says so, such as CUDA-D0.S7, which is also the style of Extrae and nsys2prv. So the
// trace itself tells which threads are devices, also after it was written as a .prv.
package device

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pview/prv"
)

// Event types of host threads.
const (
	Call           = 63000000 // of the library, by name; 0 ends it
	Function       = 60000019 // of the framework, by name, nested; 0 ends the innermost
	Annotation     = 9600     // of the user, by name, nested; 0 ends the innermost; on streams around the work it launched
	LastAnnotation = 9696     // from Annotation, by domain
	Profiler       = 9698     // the profiler's own work, by name; 0 ends it
	Python         = 9701     // function of the interpreter, nested
	Iteration      = 9702     // number of the step + 1; 0 at its end; on streams around the work it launched
	Instant        = 9709     // by name

	MemoryAllocated = 9710 // bytes on the device, by the allocator of the framework
	MemoryReserved  = 9711
	HostMemory      = 9712 // bytes allocated on the host
	FirstCounter    = 9800 // and following, by counter
)

// Event types of streams.
const (
	Kernel      = 63000006 // computation, by name; 0 ends it
	Collective  = 63000007 // communication kernel, by name; 0 ends it
	Memory      = 63000001 // copy or set, by name; 0 ends it
	MemoryBytes = 63000002 // with the begin
	GridX       = 9101     // to BlockZ, with the begin
	BlockZ      = 9106
	Shared      = 9107 // bytes of shared memory
	Registers   = 9110 // per thread
	Correlation = 9200

	Operation     = 9703 // of a communication kernel, see Operations; 0 ends it. Its begin has:
	Group         = 9704 // number of the communicator
	BytesIn       = 9705
	BytesOut      = 9706
	OperationTurn = 9707 // number of the operation in its group + 1: equal on the members that take part
	GroupSize     = 9708 // members, recorded or not
)

// Tags of messages. Launches (of kernels and copies) and links within the host are not network traffic.
const (
	LaunchTag     = 55001
	LaunchCopyTag = 55002
	LinkTag       = 55003
	TransferTag   = 55004 // from the send kernel of one device to the receive kernel of another
	EventTag      = 55005 // from the last operation before an event to the next of a stream that waits for the event
)

// IsLink reports whether a message, by row of the trace's Comms, is a link from a call or operation to its consequence,
// not traffic: it stays within its task, or has no bytes. Other messages may have the same tags.
func IsLink(t *prv.Trace, row int32) bool {
	c := &t.Comms
	if tag := c.Tag[row]; (tag < LaunchTag || tag > LinkTag) && tag != EventTag {
		return false
	}
	return t.ThreadTask[c.Send[row]] == t.ThreadTask[c.Recv[row]] || c.Tag[row] == LinkTag && c.Size[row] == 0
}

// Waiting is the state of a host in a call that waits for its device, by Extrae's numbers.
const Waiting = 5

// States of a stream, by Extrae's numbers: idle, or the kind of the running operation.
const (
	Idle          = 0
	Computing     = 1
	Communicating = 13 // collective
	Exchanging    = 16 // point to point
	Copying       = 17
)

// AssumedGroup labels the group of all ranks in a trace that names no groups: its operations are matched by time.
const AssumedGroup = "group assumed: all ranks"

// Operations are the communication operations by their value, from 1.
var Operations = []string{"allreduce", "allgather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather",
	"scatter", "barrier", "send", "receive", "send and receive", "unknown"}

// Values of Operations.
const (
	AllReduce = 1 + iota
	AllGather
	ReduceScatter
	AllToAll
	Broadcast
	Reduce
	Gather
	Scatter
	Barrier
	Send
	Receive
	SendReceive
	Unknown
)

// Synchronises reports whether no member can end an operation before the last one begins it.
func Synchronises(operation int64) bool { return operation <= AllToAll || operation == Barrier }

// BetweenTwo reports whether an operation is between two members, not collective.
func BetweenTwo(operation int64) bool { return operation >= Send && operation <= SendReceive }

// Stream is a queue of a device.
type Stream struct {
	Kind   string // "CUDA", "HIP", "XPU", "MTIA"
	Device int    // number on its node
	Number int64
}

// String returns the name of the thread that represents the stream.
func (s Stream) String() string { return fmt.Sprintf("%s-D%d.S%d", s.Kind, s.Device, s.Number) }

// Streams returns the number of threads that represent streams.
func Streams(t *prv.Trace) (n int) {
	for i := range t.Threads {
		if _, ok := StreamOf(t, i); ok {
			n++
		}
	}
	return n
}

// streamName matches BSC's names of streams, CUDA-D0.S7, and Score-P's, CUDA[0:7].
var streamName = regexp.MustCompile(`^([A-Z]+)(?:-D(\d+)\.S(-?\d+)(?:$|[^0-9])|\[(\d+):(\d+)\]$)`)

// StreamOf returns the stream that a thread represents; ok is false for threads of the host.
func StreamOf(t *prv.Trace, thread int) (s Stream, ok bool) {
	name, _ := t.Names.Lookup(prv.LevelThread, thread)
	if !strings.ContainsAny(name, "-[") { // most threads: the regular expression is far slower
		return s, false
	}
	m := streamName.FindStringSubmatch(name)
	if m == nil {
		return s, false
	}
	device, err := strconv.Atoi(m[2] + m[4])
	if err != nil {
		return s, false
	}
	number, err := strconv.ParseInt(m[3]+m[5], 10, 64)
	return Stream{Kind: m[1], Device: device, Number: number}, err == nil
}

var (
	communication = regexp.MustCompile(`(?i)nccl|rccl|hccl|oneccl|mscclkernel`)
	copies        = regexp.MustCompile(`(?i)^(cuda|hip)?(memcpy|memset)|^copydevice|^fillbuffer`)
)

// StateOf returns the state of a stream during an operation, by its name.
func StateOf(operation string) uint8 {
	switch {
	case copies.MatchString(operation):
		return Copying
	case communication.MatchString(operation):
		return Communicating
	}
	return Computing
}

// TypeOf returns the event type that names the operations of a state.
func TypeOf(state uint32) uint32 {
	switch state {
	case Computing:
		return Kernel
	case Copying:
		return Memory
	}
	return Collective
}

// Labels of the types that name operations.
const (
	CallLabel       = "CUDA library call"
	KernelLabel     = "CUDA kernel"
	CollectiveLabel = "NCCL kernel"
	MemoryLabel     = "CUDA memcpy kernel"
	ProfilerLabel   = "Profiler overhead"
)

// IsKernel reports whether the values of an event type are kernels, by name.
func IsKernel(typ uint32) bool { return typ == Kernel || typ == Collective }
