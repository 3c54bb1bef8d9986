package diagnose

// Changes at the places of a finding: what would differ there if the rule were followed.

import (
	"slices"
	"strconv"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv/extrae"
)

// takes adds a stretch of a thread whose time would change.
func (r *result) takes(thread int32, from, to int64, factor float64) {
	if to > from {
		r.changes = append(r.changes, replay.Change{Kind: replay.OfTime, Thread: thread, From: from, To: to,
			Factor: factor})
	}
}

// moves adds a message that would be sent, or awaited, at another time.
func (r *result) moves(kind replay.ChangeKind, message int32, to int64) {
	r.changes = append(r.changes, replay.Change{Kind: kind, Message: message, From: to})
}

// aboutOf identifies the subject of findings of a rule.
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
		a.changes = map[aboutOf][]replay.Change{}
	}
	k := aboutOf{r.Rule, r.key}
	a.changes[k] = append(a.changes[k], r.changes...)
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
		v.EachPart(th, v.From, v.To, func(from, to int64, part extrae.Part) {
			if slices.Contains(parts, part) {
				r.takes(th, from, to, mean/times[th])
			}
		})
	}
}

// changesOf returns the changes that a finding proposes; none if none can be simulated.
func (a *analysis) changesOf(f *report.Finding) []replay.Change {
	switch rule := RuleByID(f.Rule); {
	case rule.Tried && a.Driven == nil:
		return nil
	case rule.Repair != nil:
		return rule.Repair(a, f)
	}
	return a.changes[aboutOf{f.Rule, f.Key}]
}

// evenWork spreads the work in the class of a finding evenly over the threads of each application that execute it,
// phase by phase; without classes, all computation.
func evenWork(a *analysis, f *report.Finding) (list []replay.Change) {
	class, err := strconv.Atoi(f.Key)
	if err != nil && f.Key != "" {
		return nil
	}
	for n := range a.Phases {
		ph := &a.Phases[n]
		times := make([]float64, len(ph.Firsts))
		each := func(do func(th int, u *eventgraph.Unit)) {
			for th := range times {
				for i := ph.Firsts[th]; i < ph.Ends[th]; i++ {
					if u := &a.Units[i]; f.Key == "" || u.Class == int32(class) {
						do(th, u)
					}
				}
			}
		}
		each(func(th int, u *eventgraph.Unit) { times[th] += float64(u.User) })
		even := a.means(times, func(t float64) bool { return t > 0 })
		each(func(th int, u *eventgraph.Unit) {
			if times[th] > 0 {
				list = a.scales(list, u, even[th]/times[th])
			}
		})
	}
	return list
}

// noExcess shortens work that others wait for, on threads that spend more time in it than their application's mean, to
// that mean: the application's other threads could share the work.
func noExcess(a *analysis, f *report.Finding) (list []replay.Change) {
	region, err := strconv.Atoi(f.Key)
	if err != nil {
		return nil
	}
	times := a.TimesIn(int32(region))
	means := a.means(times, func(float64) bool { return true })
	for i := range a.Units {
		u := &a.Units[i]
		if mean := means[u.Thread]; u.Class == int32(region) && times[u.Thread] > mean {
			list = a.scales(list, u, mean/times[u.Thread])
		}
	}
	return list
}

// scales adds the change of a unit's computation by a factor; in a message-driven run, of all its time.
func (a *analysis) scales(list []replay.Change, u *eventgraph.Unit, factor float64) []replay.Change {
	a.Look()
	if a.Driven != nil {
		return append(list, replay.Change{Thread: u.Thread, From: u.Begin, To: u.End, Factor: factor})
	}
	a.EachPart(u.Thread, u.Begin, u.End, func(from, to int64, part extrae.Part) {
		if part == extrae.PartUser {
			list = append(list, replay.Change{Thread: u.Thread, From: from, To: to, Factor: factor})
		}
	})
	return list
}
