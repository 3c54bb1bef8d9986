package model

import "testing"

// The ends of states as Paraver has them (kit 3, class negative-states): a state that ends before it begins lasts until
// the next, and its end ends the state that lasts then.
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
		// 650 to 200 comes second; its end, the earliest, ends the state that lasts then.
		{"two", []int64{0, 600, 650, 700}, []int64{600, 300, 200, 900}, nil, []int64{200, 650, 700, 900}},
		// At 100 the second begins; the third ends at 100, in the file after or before the second.
		{"at its begin", []int64{0, 100, 600}, []int64{100, 400, 100}, nil, []int64{100, 100, 1000}},
		{"file order", []int64{0, 100, 600}, []int64{100, 400, 100}, []int32{1, 2, 0}, []int64{100, 400, 1000}},
		{"before it begins", []int64{50, 600}, []int64{600, 20}, nil, []int64{600, 1000}},
		// A state without an end is ended, too; a state before one without an end is not.
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
