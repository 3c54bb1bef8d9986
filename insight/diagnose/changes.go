package diagnose

// What rules say of the places of a finding: what would be different there if the rule were followed.

import (
	"slices"
	"strconv"

	"pview/insight/repair"
	"pview/insight/report"
	"pview/prv/extrae"
)

// takes adds a stretch of a thread that would take another time.
func (r *result) takes(thread int32, from, to int64, factor float64) {
	if to > from {
		r.changes = append(r.changes, repair.Change{Kind: repair.OfTime, Thread: thread, From: from, To: to,
			Factor: factor})
	}
}

// moves adds a message that would be sent, or waited for, at another time.
func (r *result) moves(kind repair.ChangeKind, message int32, to int64) {
	r.changes = append(r.changes, repair.Change{Kind: kind, Message: message, From: to})
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
		a.changes = map[aboutOf][]repair.Change{}
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

// repairOf makes the repair of a finding; nil where it has none that can be simulated.
func (a *analysis) repairOf(f *report.Finding) *repair.Repair {
	if special := ruleByID(f.Rule).Repair; special != nil {
		return special(a, f)
	}
	return repair.Changed(a.Graph, a.changes[aboutOf{f.Rule, f.Key}])
}

// evenWork is the repair of uneven work in the class of a finding; without classes, of all computation.
func evenWork(a *analysis, f *report.Finding) *repair.Repair {
	if f.Key == "" {
		return repair.Level(a.Graph, -1, true)
	}
	class, err := strconv.Atoi(f.Key)
	if err != nil {
		return nil
	}
	return repair.Level(a.Graph, int32(class), false)
}

// noExcess is the repair of work in a region that others wait for.
func noExcess(a *analysis, f *report.Finding) *repair.Repair {
	region, err := strconv.Atoi(f.Key)
	if err != nil {
		return nil
	}
	return repair.WithoutExcess(a.Graph, int32(region))
}
