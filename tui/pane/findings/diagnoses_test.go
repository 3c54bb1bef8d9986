package findings

import (
	"testing"

	"pview/insight/diagnose"
	"pview/render/timeline"
)

// A diagnosis that comes verified where none was known, as after its trace was closed and opened again, takes the place
// of no other: pages without a diagnosis are not its.
func TestVerifiedAtOnce(t *testing.T) {
	of, r := &timeline.Trace{}, &diagnose.Result{}
	s := stages{}
	d := diagnoses{known: map[*timeline.Trace]outcome{}, verified: s.verified}
	d.take(&request{of: of, verifies: true}, r, nil)
	if d.known[of].result != r || s.from != nil {
		t.Errorf("known %p, the stages are of %p", d.known[of].result, s.from)
	}
	s.begin(of, r)
	next := &diagnose.Result{}
	d.take(&request{of: of, verifies: true}, next, nil)
	if s.from != next || s.of != of {
		t.Errorf("the stages are of %p, want %p", s.from, next)
	}
}
