package series

import (
	"math/rand/v2"
	"testing"
)

// Times divides an interval among its values: with few distinct values from the stored rows, with many burst by burst.
func TestTimes(t *testing.T) {
	s := New([]int64{0, 10, 30, 50}, []float64{1, 2, 1, 3}, 100)
	got := map[float64]int64{}
	s.Times(5, 60, func(v float64, time int64) { got[v] += time })
	// 1 in 5..10 and 30..50, 2 in 10..30, 3 in 50..60.
	if len(got) != 3 || got[1] != 25 || got[2] != 20 || got[3] != 10 {
		t.Errorf("times %v, want 1: 25, 2: 20, 3: 10", got)
	}
	s.Times(60, 60, func(float64, int64) { t.Error("an empty interval has no values") })
	r := rand.New(rand.NewPCG(1, 2))
	for _, values := range []int{5, 1000} {
		begin, value := []int64{0}, []float64{0}
		for range 5000 {
			begin, value = append(begin, begin[len(begin)-1]+r.Int64N(20)+1), append(value, float64(r.IntN(values)))
		}
		end := begin[len(begin)-1] + 7
		s := New(begin, value, end)
		for range 20 {
			a := r.Int64N(end)
			b := a + 1 + r.Int64N(end-a)
			got, want := map[float64]int64{}, map[float64]int64{}
			s.Times(a, b, func(v float64, time int64) { got[v] += time })
			for i := range s.Len() {
				from, to, v := s.Burst(i)
				if d := min(to, b) - max(from, a); d > 0 {
					want[v] += d
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d values in %d..%d, want %d", len(got), a, b, len(want))
			}
			for v := range want {
				if got[v] != want[v] {
					t.Fatalf("value %g: %d in %d..%d, want %d", v, got[v], a, b, want[v])
				}
			}
		}
	}
}
