package model

import "testing"

// The ends of states are Paraver's (kit 3, class negative-states): a state that ends before it begins lasts until the
// next begins, and its end cuts short the state that lasts at that time.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		name       string
		begin, end []int64
		order      []int32
		want       []int64 // with 1000 as the last time
	}{
		{"none is early", []int64{0, 100, 300}, []int64{100, 200, 500}, nil, []int64{100, 200, 500}},
		{"without ends", []int64{0, 100, 300}, []int64{NoEnd, NoEnd, NoEnd}, nil, []int64{100, 300, 1000}},
		{"early", []int64{0, 600, 700}, []int64{600, 200, 900}, nil, []int64{200, 700, 900}},
		// The second state is 650 to 200; its end, the earliest, cuts short the state that lasts then.
		{"two", []int64{0, 600, 650, 700}, []int64{600, 300, 200, 900}, nil, []int64{200, 650, 700, 900}},
		// At 100 the second state begins; the third also ends at 100, after or before the second in the file.
		{"at its begin", []int64{0, 100, 600}, []int64{100, 400, 100}, nil, []int64{100, 100, 1000}},
		{"file order", []int64{0, 100, 600}, []int64{100, 400, 100}, []int32{1, 2, 0}, []int64{100, 400, 1000}},
		{"before it begins", []int64{50, 600}, []int64{600, 20}, nil, []int64{600, 1000}},
		// A state without an end may be cut short; a state before one without an end is not.
		{"ended without an end", []int64{0, 600}, []int64{NoEnd, 300}, nil, []int64{300, 1000}},
		{"then without an end", []int64{0, 600}, []int64{600, NoEnd}, nil, []int64{600, 1000}},
	} {
		s := States{Begin: c.begin, End: c.end, FileOrder: c.order}
		for i, want := range c.want {
			if got := s.Until(i, 1000); got != want {
				t.Errorf("%s: state %d lasts until %d, not %d", c.name, i, got, want)
			}
		}
	}
}
