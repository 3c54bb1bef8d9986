package diagnose

import (
	"strings"
	"testing"
)

// Messages within a node tell that the network is not why others are slow, but not where their call waited for one
// from another node: it ended for all at once.
func TestSlowWithin(t *testing.T) {
	near, far, both := slowWithin{near: 90, nears: 1}, slowWithin{far: 100, fars: 1},
		slowWithin{near: 100, nears: 1, far: 100, fars: 1}
	for _, c := range []struct {
		calls []slowWithin
		says  string // in the remark; "": no remark
	}{
		{nil, ""},
		{[]slowWithin{far}, ""},
		{[]slowWithin{near}, "all are within a node, so it is not the network:"},
		{[]slowWithin{near, far}, "are as slow, so it is not the network:"},
		{[]slowWithin{both, both}, ""},
		{[]slowWithin{{near: 60, nears: 1}, far}, "are slow, too, so it is not the network alone:"},
		{[]slowWithin{both, {near: 10, nears: 1}}, ""}, // alone, one within the node takes a tenth
		{[]slowWithin{both, near}, "are as slow, so it is not the network:"},
	} {
		var s slowWithin
		for _, call := range c.calls {
			s.addCall(call)
		}
		if got := s.remark(); !strings.Contains(got, c.says) || (c.says == "") != (got == "") {
			t.Errorf("%+v: %q", c.calls, s.remark())
		}
	}
}
