package engine

import "testing"

func TestCPUSet(t *testing.T) {
	s := allCPUs(130)
	for c := range int32(130) {
		if got := s.first(); got != c {
			t.Fatalf("the first is %d, not %d", got, c)
		}
		s.remove(c)
	}
	for _, c := range []int32{129, 64, 3} {
		if s.add(c); s.first() != c {
			t.Errorf("the first is %d, not %d", s.first(), c)
		}
	}
	if s.remove(3); s.first() != 64 {
		t.Errorf("the first is %d, not 64", s.first())
	}
}
