package efficiency

// Conclusions from the factors of a run: where its efficiency is lost.

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// good is the percentage from which a factor is considered good, as the POP Centre of Excellence does.
const good = 80

// Findings returns the factors of a run below 80 % whose parts have no values, the costliest first. A severity is the
// time saved if that factor alone were 100 %, in nanoseconds: efficiencies multiply, so the runtime is proportional to
// 1/factor.
func (r *Report) Findings(run int) (list []report.Finding) {
	tree := r.Tree()
	for i, n := range tree {
		v := r.Value(n.Factor, run)
		if math.IsNaN(v) || v >= good || n.Factor.Compares || r.hasParts(tree, i, run) {
			continue
		}
		lost := 1 - v/100
		list = append(list, report.Finding{Rule: "POP", Name: n.Factor.Title, Key: n.Factor.Name,
			Severity: float64(r.Runs[run].Runtime) * lost, Share: lost, Confidence: report.High,
			Title: fmt.Sprintf("%s is %s: %s%s", n.Factor.Title, quantity.FormatPercent(v/100), n.Factor.Doc,
				r.Runs[run].unrecorded(n.Factor)),
			Formula: n.Factor.formulaOf(r.Runs[run].Hybrid),
			Advice:  "see pview diagnose for the code and the threads"})
	}
	report.Rank(list)
	return list
}

// hasParts reports whether a factor of the tree is the product of others that have values.
func (r *Report) hasParts(tree []Node, i, run int) bool {
	for k := i + 1; k < len(tree) && tree[k].Depth > tree[i].Depth; k++ {
		if !math.IsNaN(r.Value(tree[k].Factor, run)) {
			return true
		}
	}
	return false
}

// unrecorded says how much of the loss of a factor lies where no thread has a record. The ideal run begins when the run
// does, and ends with its last record: it counts the time before the records as serialization, and lacks the time after
// them.
func (r *Run) unrecorded(f *Factor) string {
	var parts []string
	add := func(time int64, where string) {
		if share := float64(time) / float64(r.Runtime); share > leastDeviation-1 {
			parts = append(parts, fmt.Sprintf("%s (%s of the run) %s", quantity.FormatDuration(time, prv.Nanoseconds),
				quantity.FormatPercent(share), where))
		}
	}
	whole := f.Name == communication || f.Name == mpiCommunication
	if whole || f.Name == serialization {
		add(r.Before, "before the first record of any thread")
	}
	if whole || f.Name == transfer {
		add(r.After, "after the last record of any thread")
	}
	if len(parts) == 0 {
		return ""
	}
	return ", and " + strings.Join(parts, " and ")
}
