// Package frameworks has the performance models of two parallel structures, master/worker and pipeline: which of the
// two a run has, its parameters, the best number of workers, distribution of tasks or replicas of a stage, and whether
// the simulator agrees.
//
// The models are those of E. Cesar, "Definition of Framework-based Performance Models for Dynamic Performance Tuning"
// (UAB, 2006), chapters III (master/worker) and IV (pipeline). Numbers in parentheses, as in (7) or (4p), are the
// thesis' equations. Where the thesis has a misprint, this package gives the corrected form and the reason.
//
// Times are in ns and sizes in bytes; the formulas themselves hold in any unit of time. A message of v bytes costs M0 +
// PerByte*v.
package frameworks

import (
	"math"

	"pview/insight/frameworks/role"
)

// Link is the cost of a message: M0 to start it, PerByte for each byte (lambda, the inverse of the bandwidth).
type Link struct {
	M0, PerByte float64
	Protocol    role.Protocol
}

// cost returns the time of a message of the given size.
func (l Link) cost(bytes float64) float64 { return l.M0 + l.PerByte*bytes }

// held returns the time for which a send holds up its sender.
func (l Link) held(bytes float64) float64 {
	if l.Protocol == role.Sync {
		return l.cost(bytes)
	}
	return l.M0
}

// floorTo rounds down, unless the number is whole within rounding errors.
func floorTo(x float64) int {
	if r := math.Round(x); math.Abs(x-r) < 1e-9*max(1, math.Abs(x)) {
		return int(r)
	}
	return int(math.Floor(x))
}
