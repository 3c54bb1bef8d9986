package semantic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
)

// TestCoupled: two threads, of states
//
//	time     0    10   20   30   40
//	1.1.1    |1---|3---|1-------|
//	1.2.1    |1--------|3--|1---|     (3 from 20 to 30)
//
// added to how many threads compute (Useful, workload level), and folded by adding.
// The workload has 2 to 10, 1 to 20, 1 to 30 and 2 to 40.
func TestCoupled(t *testing.T) {
	const text = `#Paraver (01/01/2026 at 00:00):40_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:1
1:1:1:1:1:10:20:3
1:1:1:1:1:20:40:1
1:2:1:2:1:0:20:1
1:2:1:2:1:20:30:3
1:2:1:2:1:30:40:1
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	useful, states := at(prv.LevelWorkload, "Useful"), at(prv.LevelThread, "State As Is")
	for _, c := range []struct {
		shifts [2]int
		want   string
	}{
		// (1+3) + ..., each thread with the workload's value beside its state
		{[2]int{0, 0}, "[0,10)=6 [10,20)=6 [20,30)=6 [30,40)=6"},
		// One shift alone moves nothing: that of the first parent none at all,
		{[2]int{1, 0}, "[0,10)=6 [10,20)=6 [20,30)=6 [30,40)=6"},
		// but with that of the second each thread moves the workload's cursor on for itself. At
		// 10, 1.1.1 gets the burst to 20 (1), 1.2.1 the one to 30 (1). At 20, 1.1.1 gets the last
		// one, to 40 (2). At 30, 1.2.1 gets what is after the end (0).
		{[2]int{0, 1}, "[0,10)=6 [10,20)=6 [20,30)=7 [30,40)=4"},
		{[2]int{0, -1}, "[0,10)=6 [10,20)=6 [20,30)=7 [30,40)=4"},
	} {
		w := at(prv.LevelWorkload, "")
		w.Derived = &Derived{Op: Call{Name: "add"}, A: Parent{Window: &useful, Factor: 1, Shift: c.shifts[0]},
			B: Parent{Window: &states, Factor: 1, Shift: c.shifts[1]}}
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Series(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range s.Len() {
			begin, end, v := s.Burst(i)
			got = append(got, fmt.Sprintf("[%d,%d)=%g", begin, end, v))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("shifts %v:\n got %s\nwant %s", c.shifts, g, c.want)
		}
	}
}
