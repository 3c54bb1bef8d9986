package nsight

// Room for the records of large tables: slices that grow record by record, or that several tables fill, are copied
// several times unless all the room is made at once.

// expected is the estimated number of records of the large tables.
type expected struct {
	spans       map[int64]int  // by global thread
	calls, work map[uint64]int // by process
}

// large are the tables that may be large.
var large = []struct {
	name        string
	calls, work bool // else spans; calls are spans as well
}{{name: "CUPTI_ACTIVITY_KIND_RUNTIME", calls: true}, {name: "CUPTI_ACTIVITY_KIND_DRIVER", calls: true},
	{name: "CUPTI_ACTIVITY_KIND_KERNEL", work: true}, {name: "CUPTI_ACTIVITY_KIND_MEMCPY", work: true},
	{name: "CUPTI_ACTIVITY_KIND_MEMSET", work: true}, {name: "NVTX_EVENTS"}, {name: "OSRT_API"}}

// A table with leastExpected rows or more is sampled to estimate the rows of each thread: one page of sampledPages.
const (
	leastExpected = 10_000
	sampledPages  = 8
)

// expect estimates the records of the large tables.
func (r *report) expect() {
	r.expected = expected{map[int64]int{}, map[uint64]int{}, map[uint64]int{}}
	for _, l := range large {
		t := r.db.Tables[l.name]
		if t == nil || t.Last() < leastExpected {
			continue
		}
		by := "globalTid"
		if l.work {
			by = "globalPid"
		}
		count := func(v []value) bool { // errors are reported when the rows are read
			n := whole(v[0])
			switch key := uint64(n) >> 24; {
			case l.work:
				r.expected.work[key] += sampledPages
			case l.calls:
				r.expected.calls[key] += sampledPages
				fallthrough
			default:
				r.expected.spans[n] += sampledPages
			}
			return true
		}
		t.Sample([]string{by}, sampledPages, count)
	}
}

// withSlack returns an estimate with a margin.
func withSlack(n int) int { return n + n/32 }
