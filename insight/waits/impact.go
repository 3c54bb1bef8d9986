package waits

// The cost to the run of the regions on the critical path (Böhme et al., IPDPS 2012). insight/criticalpath finds the
// path.

// Stretch is a part of the path on one thread.
type Stretch struct {
	From, To int64
	Thread   int32
}

// RegionCost is a region's part in the path, and its impact. Times sum over all threads.
type RegionCost struct {
	Region int32
	OnPath int64
	Total  int64 // time of all threads
	// Imbalance is the time on the path above the mean of the threads.
	Imbalance float64
	// Activity, Off and Lost sum to threads times length, over all regions: computing as on the path, computing
	// anything else, and each thread's remaining time, by where the path had more.
	Activity, Off int64
	Lost          float64
}

// Impact returns the cost of the regions on a path, whose stretches must be consecutive. Results of OnlyWaits have
// none.
func (r *Result) Impact(stretches []Stretch) (costs []RegionCost) {
	n := len(r.Regions)
	path := tally{time: make([]int64, n)}
	total, activity, off := make([]int64, n), make([]int64, n), make([]int64, n)
	length := int64(0)
	for _, s := range stretches {
		l := &r.lanes[s.Thread]
		l.profile.add(l.ids, &path, 1, span{s.From, s.To}, l.profile.len()/2)
		length += s.To - s.From
	}
	on := path.time
	lost := make([]float64, n)
	for i := range r.lanes {
		own := r.Profile(int32(i))
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
				lost[c] += float64(length-sum) * float64(more) / float64(weights)
			}
		}
	}
	for c := range n {
		if total[c] == 0 {
			continue
		}
		costs = append(costs, RegionCost{Region: int32(c), OnPath: on[c], Total: total[c],
			Activity: activity[c], Off: off[c], Lost: lost[c],
			Imbalance: max(0, float64(on[c])-float64(total[c])/float64(len(r.lanes)))})
	}
	return costs
}
