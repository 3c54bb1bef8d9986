package nsight

// Room for the records of large tables: slices that grow record by record are copied four times.

// room tells what the rows of a table become.
type room uint8

const (
	ofSpans room = 1 + iota
	ofCalls
	ofKernels
	ofCopies
)

// rooms are the tables that may be large, by name.
var rooms = map[string]room{"CUPTI_ACTIVITY_KIND_RUNTIME": ofCalls, "CUPTI_ACTIVITY_KIND_DRIVER": ofCalls,
	"CUPTI_ACTIVITY_KIND_KERNEL": ofKernels, "CUPTI_ACTIVITY_KIND_MEMCPY": ofCopies,
	"CUPTI_ACTIVITY_KIND_MEMSET": ofCopies, "NVTX_EVENTS": ofSpans, "OSRT_API": ofSpans}

// A table of leastExpected rows or more is sampled, one in sampledPages pages, to estimate the rows of each thread.
const (
	leastExpected = 10_000
	sampledPages  = 8
)

// expect estimates the rows of a large table by thread or process.
func (r *report) expect(table string) {
	r.lastThread, r.expected, r.room = thread{}, map[int64]int{}, rooms[table]
	t := r.db.Tables[table]
	if r.room == 0 || t == nil || t.Last() < leastExpected {
		return
	}
	by := "globalTid"
	if r.room >= ofKernels {
		by = "globalPid"
	}
	t.Sample([]string{by}, sampledPages, func(v []value) bool { // what is broken is told when the rows are read
		r.expected[whole(v[0])] += sampledPages
		return true
	})
}

// makeRoom makes room for the expected records of a thread or process, at its first record.
func (r *report) makeRoom(p *process, row int32, global int64) {
	n := r.expected[global]
	if n == 0 {
		return
	}
	delete(r.expected, global)
	n += n / 32
	switch r.room {
	case ofSpans:
		p.ReserveSpans(row, n)
	case ofCalls:
		p.ReserveSpans(row, n)
		p.ReserveCalls(n)
	case ofKernels:
		p.ReserveWork(n, n)
	case ofCopies:
		p.ReserveWork(n, 0)
	}
}
