package efficiency

// What the factors of a run conclude: where its efficiency is lost.

import (
	"fmt"
	"math"

	"pview/insight/report"
	"pview/prv/quantity"
)

// good is the percentage from which a factor is considered good, as the POP Centre of Excellence does.
const good = 80

// Findings are the factors of a run below 80 % that have no parts with a value, the costliest first. A severity is the
// time by which the run would be shorter if that factor alone were 100 %, in nanoseconds: efficiencies multiply, so the
// runtime is proportional to 1/factor.
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
			Title:   fmt.Sprintf("%s is %s: %s", n.Factor.Title, quantity.FormatPercent(v/100), n.Factor.Doc),
			Formula: n.Factor.Formula,
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
