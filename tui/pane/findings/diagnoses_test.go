package findings

import (
	"testing"

	"pview/insight/diagnose"
	"pview/render/timeline"
)

// A verified diagnosis that arrives when none is known, as after its trace was closed and reopened, replaces no other:
// pages without a diagnosis do not get it.
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
