package kineto

// The events of a file, and the meaning of their categories.

import (
	"bytes"
	"strings"
)

// class sorts events by their source: the user, the framework, the library, the device.
type class uint16

const (
	unknown    class = iota // from its row: work of a device, or a function of the host
	annotation              // of the user, on the host
	step                    // annotation of an iteration
	python                  // function of the interpreter
	function                // of the framework
	call                    // of the device's library
	overhead                // of the profiler
	kernel                  // and following: work of a device
	copying
	deviceAnnotation // around the work that it launched
	waiting          // of the host or a stream for a device; the call shows it
	record           // the period that was recorded
	instant
	numClasses
)

// categories are the classes by category; the ones in capitals are those of 2022 and before.
var categories = map[string]class{
	"cpu_op": function, "Operator": function, "user_annotation": annotation, "python_function": python,
	"cuda_runtime": call, "cuda_driver": call, "Runtime": call, "Driver": call,
	"kernel": kernel, "Kernel": kernel, "gpu_memcpy": copying, "gpu_memset": copying, "Memcpy": copying,
	"Memset": copying, "mtia_ccp_events": kernel, "gpu_user_annotation": deviceAnnotation,
	"cuda_sync": waiting, "xpu_sync": waiting, "cuda_event": waiting, "cpu_instant_event": instant,
	"overhead": overhead, "Trace": record,
}

// classOf returns the class of a category; known is false if it is not the profiler's.
func classOf(category string) (c class, known bool) {
	if c, ok := categories[category]; ok {
		return c, true
	}
	if strings.HasSuffix(category, "_runtime") || strings.HasSuffix(category, "_driver") {
		return call, true
	}
	return unknown, false
}

// Arguments that are read.
const (
	argCorrelation = iota
	argDevice
	argStream
	argBytes
	argName   // of processes and threads
	argLabels // of processes
	argGrid
	argBlock
	argShared
	argRegisters
	argOperation
	argElementsIn
	argElementsOut
	argType
	argGroup
	argGroupText
	argGroupRanks
	argGroupSize
	argSource
	argDestination
	argSequence
	argDimensions
	argTypes
	argAllocated
	argReserved
	argDeviceType
	argEventStream
	argEventCall
	numArgs
)

var argKeys = map[string]int{
	"correlation": argCorrelation, "device": argDevice, "stream": argStream, "bytes": argBytes, "name": argName,
	"labels": argLabels, "grid": argGrid, "block": argBlock, "shared memory": argShared,
	"registers per thread": argRegisters, "Collective name": argOperation, "In msg nelems": argElementsIn,
	"Out msg nelems": argElementsOut, "dtype": argType, "Process Group Name": argGroup,
	"Process Group Description": argGroupText, "Process Group Ranks": argGroupRanks, "Group size": argGroupSize,
	"Src Rank": argSource, "Dst Rank": argDestination, "Seq": argSequence, "Input Dims": argDimensions,
	"Input type": argTypes, "Total Allocated": argAllocated, "Total Reserved": argReserved,
	"Device Type": argDeviceType, "wait_on_stream": argEventStream,
	"wait_on_cuda_event_record_corr_id": argEventCall,
}

// event is an event as stored in the buffer; values of fields that it lacks are nil.
type event struct {
	phase                       byte // 0: none
	name, category, process     []byte
	thread, start, duration, id []byte
	args                        []byte // all of them
	arg                         [numArgs][]byte
	hasArgs                     bool
}

// parse reads the event that text starts with.
func (e *event) parse(text []byte) (int, error) {
	if e.hasArgs {
		*e = event{}
	} else {
		*e = event{arg: e.arg}
	}
	if len(text) > 0 && text[0] != '{' {
		return endOfValue(text, 0)
	}
	return members(text, 0, func(key, value []byte) {
		switch string(key) {
		case "ph":
			if v := unquote(value); len(v) == 1 {
				e.phase = v[0]
			} else {
				e.phase = '?'
			}
		case "name":
			e.name = value
		case "cat":
			e.category = value
		case "pid":
			e.process = value
		case "tid":
			e.thread = value
		case "ts":
			e.start = value
		case "dur":
			e.duration = value
		case "id":
			e.id = value
		case "args":
			e.args = value
		}
	})
}

// readArgs reads the arguments.
func (e *event) readArgs() {
	if len(e.args) == 0 || e.args[0] != '{' || e.hasArgs {
		return
	}
	e.hasArgs = true
	members(e.args, 0, func(key, value []byte) { // invalid JSON ends them
		if i, ok := argKeys[string(key)]; ok && !isNull(value) {
			e.arg[i] = value
		}
	})
}

func isNull(value []byte) bool { return bytes.Equal(value, []byte("null")) }

// number returns an argument that is a whole number.
func (e *event) number(arg int) (int64, bool) { return integer(e.arg[arg]) }

// str returns a value as text, "" if it is missing.
func str(value []byte) string {
	if value == nil || isNull(value) {
		return ""
	}
	s, _ := text(value)
	return s
}
