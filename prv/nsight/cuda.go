package nsight

// Tables of CUDA: calls, and work of devices.

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"pview/prv/kineto"
)

// notReady is the result of querying a pending event; it is not a failure.
const notReady = 600

var version = regexp.MustCompile(`_v\d+$`)

// withoutVersion drops the version of the interface: cudaLaunchKernel_v7000.
func withoutVersion(name string) string { return version.ReplaceAllString(name, "") }

// memoryTable has the allocations on devices.
const memoryTable = "CUDA_GPU_MEMORY_USAGE_EVENTS"

// cuda returns the tables of CUDA. Waits come first: they show what the calls wait for.
func (r *report) cuda() []table {
	calls := "start end globalTid correlationId nameId returnValue"
	work := "start end deviceId streamId correlationId globalPid "
	return []table{
		{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "globalPid correlationId syncType deprecatedSyncType deviceId " +
			"streamId eventId eventSyncId", r.waitRow},
		{"CUPTI_ACTIVITY_KIND_CUDA_EVENT", "globalPid correlationId deviceId streamId eventId eventSyncId", r.eventRow},
		{"CUPTI_ACTIVITY_KIND_RUNTIME", calls, r.callRow},
		{"CUPTI_ACTIVITY_KIND_DRIVER", calls, r.callRow},
		{"CUPTI_ACTIVITY_KIND_KERNEL", work + "demangledName shortName mangledName gridX gridY gridZ blockX blockY " +
			"blockZ staticSharedMemory dynamicSharedMemory registersPerThread", r.kernelRow},
		{"CUPTI_ACTIVITY_KIND_MEMCPY", work + "bytes copyKind", func(v []value) {
			kind := cmp.Or(copyKinds[whole(v[7])], fmt.Sprintf("kind %d", whole(v[7])))
			r.work(v, &kineto.Work{Bytes: max(whole(v[6]), 0), Copy: true},
				func(p *process) int32 { return p.Name("Memcpy " + kind) })
		}},
		{"CUPTI_ACTIVITY_KIND_MEMSET", work + "bytes", func(v []value) {
			r.work(v, &kineto.Work{Bytes: max(whole(v[6]), 0), Copy: true},
				func(p *process) int32 { return p.Name("Memset") })
		}},
		{"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", work + "graphId", func(v []value) {
			r.work(v, &kineto.Work{}, func(p *process) int32 { return p.Name(fmt.Sprintf("graph %d", whole(v[6]))) })
		}},
		{memoryTable, "start globalPid correlationId bytes memoryOperationType", r.memoryRow},
	}
}

// copyKinds are the directions of copies.
var copyKinds = map[int64]string{1: "HtoD", 2: "DtoH", 3: "HtoA", 4: "AtoH", 5: "AtoA", 6: "AtoD", 7: "DtoA", 8: "DtoD",
	9: "HtoH", 10: "PtoP", 11: "Unified HtoD", 12: "Unified DtoH", 13: "Unified DtoD"}

// waitRow notes that a call waits, for an event, a stream or a context, or makes a stream wait for an event.
func (r *report) waitRow(v []value) {
	kind, ok := number(v[2])
	if !ok {
		kind = whole(v[3])
	}
	correlation, ok := number(v[1])
	if !ok || correlation <= 0 {
		return
	}
	switch p := r.process(whole(v[0])); kind {
	case 1, 3, 4:
		p.waits[correlation] = true
	case 2:
		p.streamWaits = append(p.streamWaits,
			streamWait{r.streamOf(p, v[4], v[5]), correlation, whole(v[6]), whole(v[7])})
	}
}

func (r *report) callRow(v []value) {
	p, row, begin, end, ok := r.onThread(v, aRecord)
	if !ok {
		return
	}
	name := r.name(p, v[4], withoutVersion)
	correlation, ok := number(v[3])
	if !ok {
		correlation = -1
	}
	waits := p.waits[correlation] && !strings.HasSuffix(withoutVersion(r.textOf(v[4])), "Query")
	p.Call(row, begin, end, name, correlation, waits)
	if correlation > 0 && r.db.Tables[memoryTable] != nil {
		p.rowOf[correlation] = row
	}
	if result := whole(v[5]); result != 0 && result != notReady {
		if r.failed++; r.failed == 1 {
			r.firstFailed = fmt.Sprintf("%s returned %d", withoutVersion(r.textOf(v[4])), result)
		}
	}
}

// kernelRow adds a kernel, named as in its source; if the string of its short name is missing, its name is unknown,
// too.
func (r *report) kernelRow(v []value) {
	w := &kineto.Work{}
	if !v[9].IsNull() {
		w.Size = &r.size
		for i := range w.Size {
			w.Size[i] = whole(v[9+i])
		}
		w.Shared = whole(v[15]) + whole(v[16])
		w.Registers = whole(v[17])
	}
	r.work(v, w, func(p *process) int32 {
		name := v[6]
		if name.IsNull() {
			name = v[7]
		}
		if name.IsNull() {
			name = v[8]
		}
		if n, ok := v[7].Integer(); ok {
			if _, known := r.strings.get(n); !known {
				name = v[7]
			}
		}
		return r.name(p, name, nil)
	})
}

// work adds an operation of a device; all tables have the same first columns.
func (r *report) work(v []value, w *kineto.Work, name func(p *process) int32) {
	global, ok := number(v[5])
	if !ok {
		if r.noProcess++; len(r.processes) > 0 {
			global = int64(r.lowest() << 24)
		}
	}
	p := r.process(global)
	w.Name = name(p)
	if w.Begin, w.End, ok = r.span(p, v[0], v[1], aRecord); !ok {
		return
	}
	if n := whole(v[2]); n != p.lastDevice.number || len(p.devices) == 0 {
		p.lastDevice = numbered{n, r.deviceOf(p, v[2])}
		p.devices[n] = true
	}
	w.Device, w.Stream = p.lastDevice.device, whole(v[3])
	if w.Correlation, ok = number(v[4]); !ok {
		w.Correlation = -1
	}
	p.Work(w)
}

// numbered is a device, as numbered in a process.
type numbered struct{ number, device int64 }

// deviceOf returns the device that has a number in a process.
func (r *report) deviceOf(p *process, number value) int64 {
	n := whole(number)
	if d, ok := r.physical[[2]int64{p.pid(), n}]; ok {
		return d
	}
	return n
}

// lowest returns the least key of the processes.
func (r *report) lowest() uint64 {
	key := ^uint64(0)
	for k := range r.processes {
		key = min(key, k)
	}
	return key
}

// memoryRow adds an allocation or release on the device, on the thread of its call.
func (r *report) memoryRow(v []value) {
	global, ok := number(v[1])
	at, okTime := timeOf(v[0])
	if !ok || !okTime {
		return
	}
	p := r.process(global)
	row, ok := p.rowOf[whole(v[2])]
	if !ok {
		return
	}
	kind := r.kinds.allocated
	if whole(v[4]) == 1 {
		kind = r.kinds.released
	}
	p.take(at, at)
	p.Event(row, at, p.index(kind), -1, max(whole(v[3]), 0))
}
