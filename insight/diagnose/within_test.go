package diagnose

import "testing"

// Messages within a node tell that the network is not why others are slow, but not where their call waited for one
// from another node: it ended for all at once.
func TestSlowWithin(t *testing.T) {
	near, far, both := slowWithin{near: 90, nears: 1}, slowWithin{far: 100, fars: 1},
		slowWithin{near: 100, nears: 1, far: 100, fars: 1}
	for _, c := range []struct {
		calls []slowWithin
		says  bool
	}{
		{nil, false},
		{[]slowWithin{far}, false},
		{[]slowWithin{near}, true},
		{[]slowWithin{near, far}, true},
		{[]slowWithin{both, both}, false},
		{[]slowWithin{both, {near: 10, nears: 1}}, false}, // alone, one within the node takes a tenth
		{[]slowWithin{both, near}, true},
	} {
		var s slowWithin
		for _, call := range c.calls {
			s.addCall(call)
		}
		if got := s.remark() != ""; got != c.says {
			t.Errorf("%+v: %q", c.calls, s.remark())
		}
	}
}
