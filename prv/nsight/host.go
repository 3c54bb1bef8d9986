package nsight

// Tables of the operating system, of other libraries, counters, and the profiler's overhead.

import (
	"fmt"
	"regexp"

	"pview/prv/kineto"
)

// blocks are the calls of the system in which a thread waits.
var blocks = regexp.MustCompile(`^p?poll|_(timed|clock)?wait|^wait|^futex|^p?read|^p?select|sleep|^accept|^recv|` +
	`_join|_lock|^sem_`)

// leastBlocked is the length, in ns, from which such a call counts as waiting.
const leastBlocked = 10_000

// system returns the tables of calls of the operating system and of libraries.
func (r *report) system() []table {
	list := []table{{"OSRT_API", "start end globalTid nameId", func(v []value) {
		kind := r.kinds.system
		if whole(v[1])-whole(v[0]) > leastBlocked && r.blocks(v[3]) {
			kind = r.kinds.blocked
		}
		r.functionRow(v, kind)
	}}}
	for _, name := range []string{"CUDNN_EVENTS", "CUBLAS_EVENTS"} {
		list = append(list, table{name, "start end globalTid nameId", func(v []value) {
			r.functionRow(v, r.kinds.functions)
		}})
	}
	for _, name := range []string{"OPENACC_DATA_EVENTS", "OPENACC_LAUNCH_EVENTS", "OPENACC_OTHER_EVENTS"} {
		list = append(list, table{name, "start end globalTid nameId", func(v []value) {
			r.functionRow(v, r.kinds.openACC)
		}})
	}
	return list
}

// blocks reports whether a thread waits in a call.
func (r *report) blocks(name value) bool {
	n, ok := name.Integer()
	if !ok {
		return blocks.MatchString(r.textOf(name))
	}
	is, ok := r.blocking.get(n)
	if !ok {
		is = blocks.MatchString(r.stringOf(n))
		r.blocking.set(n, is)
	}
	return is
}

// functionRow adds a span of a kind to a thread.
func (r *report) functionRow(v []value, kind *kineto.Kind) {
	p, row, begin, end, ok := r.onThread(v, aRecord)
	if !ok {
		return
	}
	p.Span(row, begin, end, r.name(p, v[3], nil), p.index(kind))
}

// rest returns the tables that depend on the others: overhead is shown on threads that have records, counters in a
// process.
func (r *report) rest() []table {
	overhead := func(v []value) {
		begin, ok := timeOf(v[0])
		end, okEnd := timeOf(v[1])
		global, okThread := number(v[2])
		if !ok || !okEnd || !okThread || end < begin {
			return
		}
		r.overhead += end - begin
		p := r.processes[uint64(global)>>24]
		if p == nil || begin < p.first || end > p.last {
			return
		}
		if row, ok := p.rows[uint32(global)&0xffffff]; ok {
			p.Span(row, begin, end, r.name(p, v[3], nil), p.index(r.kinds.overhead))
		}
	}
	var shown *process // of the metrics
	rows := map[int64]int32{}
	return []table{
		{"TARGET_INFO_GPU_METRICS", "metricId metricName", func(v []value) {
			if name := r.textOf(v[1]); name != "" {
				r.metric(whole(v[0])).Label = name
			}
		}},
		{"GPU_METRICS", "timestamp typeId metricId value", func(v []value) {
			at, ok := timeOf(v[0])
			value, okValue := number(v[3])
			if !ok || !okValue || value < 0 {
				return
			}
			if shown == nil {
				if shown = r.processes[r.lowest()]; shown == nil {
					return
				}
			}
			gpu := whole(v[1]) & 0xff
			row, ok := rows[gpu]
			if !ok {
				row = shown.Apart(fmt.Sprintf("Metrics GPU%d", gpu))
				rows[gpu] = row
			}
			shown.Event(row, at, shown.index(r.metric(whole(v[2]))), -1, value)
		}},
		{"PROFILER_OVERHEAD", "start end globalTid nameId", overhead},
		{"CUPTI_ACTIVITY_KIND_OVERHEAD", "start end globalTid nameId", overhead},
	}
}
