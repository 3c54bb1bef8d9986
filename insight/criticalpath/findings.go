package criticalpath

// Conclusions from the critical path: its time without computation, and the code worth speeding up.

import (
	"fmt"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
)

// Minimum shares of the path of a kind of time, or a block of the program, to be reported.
const (
	muchOfKind  = 0.1
	muchOfBlock = 0.2
)

// findings concludes from the breakdown of a path. The severity of a kind of time is all of it: the run cannot get
// shorter by more. That of a block is the gain of making it twice as fast. Other time is no gain: a thread that did not
// exist or was not traced wasted nothing.
func (s *Summary) findings() (list []report.Finding) {
	whole := float64(max(1, s.Total))
	for k, t := range s.Kinds {
		if share := float64(t) / whole; Kind(k) != Computation && Kind(k) != Other && share >= muchOfKind {
			list = append(list, report.Finding{Rule: "PATH", Name: Kinds[k].Key, Key: Kinds[k].Key,
				Severity: float64(t), Share: share, Confidence: report.Medium,
				Title: fmt.Sprintf("%s of the critical path is %q: %s", quantity.FormatPercent(share), Kinds[k].Name,
					Kinds[k].Doc),
				Formula: "time of the kind on the path"})
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if share := float64(b.Kinds[Computation]) / whole; share >= muchOfBlock {
			place := " in " + b.Name
			switch {
			case b.Name == Kinds[Computation].Key: // the only region of a trace without calls
				place = ""
			case b.Name == OutsideName:
				place = " " + b.Name
			case s.between && strings.Contains(b.Name, " to "):
				place = " from " + b.Name
			}
			list = append(list, report.Finding{Rule: "PATH", Name: "block", Key: b.Name,
				Severity: float64(b.Kinds[Computation]) / 2, Share: share / 2, Confidence: report.Medium,
				Title: fmt.Sprintf("%s of the critical path is computation%s: twice as fast, it saves half",
					quantity.FormatPercent(share), place),
				Formula: "time of the block on the path / 2",
				Advice: "make it faster: twice as fast saves half of its time on the path, as long as no other " +
					"path becomes longer"})
		}
	}
	report.Rank(list)
	return list
}
