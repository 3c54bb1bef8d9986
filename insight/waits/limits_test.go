package waits

import "testing"

// Each larger message that is proved to be eager raises the limit of its pair, also by one byte.
func TestEagerLimit(t *testing.T) {
	l, p := newLimits(), nodePair{0, 1}
	for _, size := range []int64{10, 11, 5} {
		l.proves(p, size)
	}
	if l.sizes[p] != 11 {
		t.Errorf("eager up to %d bytes, want 11", l.sizes[p])
	}
}
