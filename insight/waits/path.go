package waits

// The critical path by the waits alone, and what each region costs the run.
//
// From the last activity back: at the end of a wait the path goes to its cause, at that same instant; else it stays. No
// wait is on it, so its length is that of the run (Böhme et al., IPDPS 2012).

import (
	"context"
	"sort"

	"pview/prv/extrae"
)

// Stretch is a part of the path on one thread.
type Stretch struct {
	From, To int64
	Thread   int32
}

// Path is the critical path by waits.
type Path struct {
	Stretches []Stretch // by time
	Regions   []RegionCost
	// Mean is the mean time of a thread outside of all regions: waiting, or absent.
	Threads int
	Length  int64
}

// RegionCost is a region's part in the path, and its impact. Times sum over all threads.
type RegionCost struct {
	Region int32
	OnPath int64
	Total  int64 // over all threads
	// Imbalance is the time on the path above the mean of the threads.
	Imbalance float64
	// Activity, Off and Lost sum to threads times length, over all regions: computing as on the path, computing beside
	// it, and the rest of each thread by where the path had more of it.
	Activity, Off int64
	Lost          float64
}

// CriticalPath walks the path. The error is that of ctx.
func (r *Result) CriticalPath(ctx context.Context) (*Path, error) {
	p := &Path{Threads: len(r.lanes)}
	thread, at := r.lastActive()
	if thread < 0 {
		return p, nil
	}
	p.Length = at
	jumps := 0 // at this instant
	for n := 0; at > 0; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		own := r.Of(thread)
		i := sort.Search(len(own), func(i int) bool { return own[i].To > at }) - 1
		from := int64(0)
		if i >= 0 {
			from = own[i].To
			if own[i].Cause < 0 || from == at && jumps > len(r.lanes) { // unknown, or a circle: the path stays
				from = own[i].From
			}
		}
		if from < at {
			p.Stretches = append(p.Stretches, Stretch{from, at, thread})
			at, jumps = from, 0
		}
		if i >= 0 && from == own[i].To {
			thread = own[i].Cause
			jumps++
		}
	}
	for i, j := 0, len(p.Stretches)-1; i < j; i, j = i+1, j-1 {
		p.Stretches[i], p.Stretches[j] = p.Stretches[j], p.Stretches[i]
	}
	r.weigh(p)
	return p, ctx.Err()
}

// lastActive is the thread that ends last; the lowest of several.
func (r *Result) lastActive() (thread int32, at int64) {
	thread = -1
	states := extrae.StatesOf(r.t.Labels, extrae.Auto)
	for i := range r.t.Threads {
		th := &r.t.Threads[i]
		end := int64(0)
		for k := th.States.Len() - 1; k >= 0; k-- {
			if m := states.Meaning(th.States.Value[k]); m != extrae.Idle && m != extrae.Absent {
				end = th.States.End[k]
				break
			}
		}
		if n := th.Events.Len(); n > 0 {
			end = max(end, th.Events.Time[n-1])
		}
		if end > at {
			thread, at = int32(i), end
		}
	}
	return thread, min(at, r.t.Duration)
}

// weigh computes what the regions cost.
func (r *Result) weigh(p *Path) {
	n := len(r.Regions)
	path := tally{time: make([]int64, n)}
	total, activity, off := make([]int64, n), make([]int64, n), make([]int64, n)
	for _, s := range p.Stretches {
		l := &r.lanes[s.Thread]
		l.profile.add(l.ids, &path, 1, span{s.From, s.To}, l.profile.len()/2)
	}
	on := path.time
	lost := make([]float64, n)
	for i := range r.lanes {
		own := r.Profile(int32(i), 0, p.Length)
		sum, weights := int64(0), int64(0)
		for c, t := range own {
			total[c] += t
			activity[c] += min(on[c], t)
			off[c] += max(0, t-on[c])
			sum += t
			weights += max(0, on[c]-t)
		}
		for c, t := range own {
			if more := max(0, on[c]-t); more > 0 {
				lost[c] += float64(p.Length-sum) * float64(more) / float64(weights)
			}
		}
	}
	for c := range n {
		if total[c] == 0 {
			continue
		}
		p.Regions = append(p.Regions, RegionCost{Region: int32(c), OnPath: on[c], Total: total[c],
			Activity: activity[c], Off: off[c], Lost: lost[c],
			Imbalance: max(0, float64(on[c])-float64(total[c])/float64(len(r.lanes)))})
	}
}
