package semantic

import "testing"

func TestBurstThatCoversATime(t *testing.T) {
	s := FromBursts([]int64{0, 10, 10, 20}, []float64{0, 1, 2, 3}, 30)
	for _, c := range []struct {
		t int64
		i int
	}{{-1, 0}, {0, 0}, {9, 0}, {10, 2}, {19, 2}, {20, 3}, {30, 3}, {99, 3}} {
		if i := s.At(c.t); i != c.i {
			t.Errorf("At(%d) = %d, want %d", c.t, i, c.i)
		}
	}
}
