package diagnose

// Repairs: what the simulation changes for a finding. A rule says of each of its places what would be different there;
// repairs of the work in a region are worked out for all phases at once.

import (
	"cmp"
	"slices"
	"strconv"

	"pview/insight/report"
	"pview/prv/extrae"
)

// changeKind is what a change does.
type changeKind uint8

const (
	ofTime     changeKind = iota // a thread needs factor times its time between from and to, waits left out
	ofSend                       // the message is sent at from
	ofReceive                    // the message is waited for at from
	ofOverhead                   // a thread needs factor times its overhead between from and to
)

// change is one place of a repair.
type change struct {
	from, to int64
	factor   float64
	thread   int32
	message  int32
	kind     changeKind
}

// maxChanges bounds the memory of the places of all repairs: 40 bytes each.
const maxChanges = 2 << 20

// takes adds a stretch of a thread that would take another time.
func (r *result) takes(thread int32, from, to int64, factor float64) {
	if to > from {
		r.changes = append(r.changes, change{kind: ofTime, thread: thread, from: from, to: to, factor: factor})
	}
}

// moves adds a message that would be sent, or waited for, at another time.
func (r *result) moves(kind changeKind, message int32, to int64) {
	r.changes = append(r.changes, change{kind: kind, message: message, from: to})
}

// aboutOf is what findings of a rule are about.
type aboutOf struct {
	rule report.RuleID
	key  string
}

// keepChanges notes the places of a repair of a finding.
func (a *analysis) keepChanges(r *result) {
	if len(r.changes) == 0 {
		return
	}
	if a.changes == nil {
		a.changes = map[aboutOf][]change{}
	}
	k := aboutOf{r.Rule, r.key}
	a.changes[k] = append(a.changes[k], r.changes...)
}

// repair changes the run.
type repair struct {
	// scale is the factor of the time of a thread in a region at a time; nil: 1.
	scale func(thread, region int32, at int64) float64
	// stretches of each thread take another time, in order and without overlap; nil: none.
	stretches [][]change
	// sent and received are messages that are sent and waited for at other times.
	sent, received map[int32]int64
	// eager sends never wait for their receiver.
	eager bool
	// quick calls take no longer than their messages need, once nobody is waited for.
	quick bool
}

// repairOf makes the repair of a finding; nil where it has none that can be simulated.
func (a *analysis) repairOf(f *report.Finding) *repair {
	if special := ruleByID(f.Rule).Repair; special != nil {
		return special(a, f)
	}
	list := a.changes[aboutOf{f.Rule, f.Key}]
	if len(list) == 0 || len(list) > maxChanges {
		return nil
	}
	fix := &repair{stretches: make([][]change, a.t.NumThreads()), sent: map[int32]int64{}, received: map[int32]int64{}}
	for _, c := range list {
		a.look()
		switch c.kind {
		case ofTime:
			fix.stretches[c.thread] = append(fix.stretches[c.thread], c)
		case ofSend:
			fix.sent[c.message] = c.from
		case ofReceive:
			fix.received[c.message] = c.from
		case ofOverhead:
			a.eachPart(c.thread, c.from, c.to, func(from, to int64, part extrae.Part) {
				if part == extrae.PartOverhead || part == extrae.PartIO {
					fix.stretches[c.thread] = append(fix.stretches[c.thread],
						change{from: from, to: to, factor: c.factor})
				}
			})
		}
	}
	for i := range fix.stretches {
		fix.stretches[i] = a.apart(fix.stretches[i])
	}
	return fix
}

// apart sorts stretches by time; where two overlap the earlier one counts.
func (a *analysis) apart(list []change) []change {
	slices.SortFunc(list, func(x, y change) int {
		a.look()
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	kept, end := list[:0], int64(0)
	for _, c := range list {
		if c.from = max(c.from, end); c.to > c.from {
			kept, end = append(kept, c), c.to
		}
	}
	return kept
}

// levels brings the time that some threads spend in some parts to their mean.
func (v *phaseView) levels(r *result, who []int32, times []float64, parts ...extrae.Part) {
	mean := 0.0
	for _, th := range who {
		mean += times[th] / float64(len(who))
	}
	for _, th := range who {
		if times[th] == 0 {
			continue
		}
		v.eachPart(th, v.from, v.to, func(from, to int64, part extrae.Part) {
			if slices.Contains(parts, part) {
				r.takes(th, from, to, mean/times[th])
			}
		})
	}
}

// level spreads the work of a class evenly over the threads that execute it, phase by phase. Without classes it is all
// computation.
func (a *analysis) level(f *report.Finding) *repair {
	class, all := int32(-1), f.Key == ""
	if !all {
		n, err := strconv.Atoi(f.Key)
		if err != nil {
			return nil
		}
		class = int32(n)
	}
	factors := make([][]float64, len(a.phases))
	for n := range a.phases {
		factors[n] = a.levelPhase(&a.phases[n], class, all)
	}
	at := make([]int, a.t.NumThreads()) // the phase that each thread is in: times of a thread rise
	return &repair{scale: func(thread, region int32, time int64) float64 {
		if region < 0 || a.driven == nil && a.waits.Regions[region].Call || !all && region != class {
			return 1
		}
		k := &at[thread]
		if a.begins(&a.phases[*k], thread) > time {
			*k = 0
		}
		for *k+1 < len(a.phases) && a.begins(&a.phases[*k+1], thread) <= time {
			*k++
		}
		return factors[*k][thread]
	}}
}

// levelPhase is the mean of a class over the threads that execute it, relative to each.
func (a *analysis) levelPhase(ph *phase, class int32, all bool) []float64 {
	times := make([]float64, len(ph.firsts))
	sum, n := 0.0, 0
	for th := range times {
		for i := ph.firsts[th]; i < ph.ends[th]; i++ {
			if u := &a.units[i]; all || u.class == class {
				times[th] += float64(u.user)
			}
		}
		if sum += times[th]; times[th] > 0 {
			n++
		}
	}
	for th := range times {
		if times[th] > 0 {
			times[th] = sum / float64(n) / times[th]
		} else {
			times[th] = 1
		}
	}
	return times
}

// withoutExcess shortens a region on the threads that spend more time in it than the mean of all, to that.
func (a *analysis) withoutExcess(f *report.Finding) *repair {
	n, err := strconv.Atoi(f.Key)
	if err != nil {
		return nil
	}
	threads := a.t.NumThreads()
	times := a.timesIn(int32(n))
	sum := 0.0
	for _, time := range times {
		sum += time
	}
	factors := make([]float64, threads)
	for th := range factors {
		factors[th] = 1
		if mean := sum / float64(threads); times[th] > mean {
			factors[th] = mean / times[th]
		}
	}
	return scaleRegions(func(thread, region int32) float64 {
		if region == int32(n) {
			return factors[thread]
		}
		return 1
	})
}

// timesIn are the times of the threads in a region.
func (a *analysis) timesIn(region int32) []float64 {
	times := make([]float64, a.t.NumThreads())
	for th := range times {
		times[th] = float64(a.waits.Profile(int32(th), 0, a.t.Duration)[region])
	}
	return times
}

// scaleRegions is a repair whose factors do not depend on the time.
func scaleRegions(factor func(thread, region int32) float64) *repair {
	return &repair{scale: func(thread, region int32, _ int64) float64 { return factor(thread, region) }}
}
