package semantic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
)

// coupledTrace has two tasks of one thread.
const coupledTrace = `#Paraver (01/01/2026 at 00:00):40_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:1
1:1:1:1:1:10:20:3
1:1:1:1:1:20:40:1
1:2:1:2:1:0:20:1
1:2:1:2:1:20:30:3
1:2:1:2:1:30:40:1
`

// TestCoupled: two threads, of states
//
//	time     0    10   20   30   40
//	1.1.1    |1---|3---|1-------|
//	1.2.1    |1--------|3--|1---|     (3 from 20 to 30)
//
// added to the number of computing threads (Useful, workload level), and folded by adding. The workload has b0 = 2 to
// 10, b1 = 1 to 20, b2 = 1 to 30 and b3 = 2 to 40.
func TestCoupled(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(coupledTrace), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	useful, states := at(prv.LevelWorkload, "Useful"), at(prv.LevelThread, "State As Is")
	for _, c := range []struct {
		shifts [2]int
		want   string
	}{
		// (1+3) + ..., each thread adds the workload's value to its state
		{[2]int{0, 0}, "[0,10)=6 [10,20)=6 [20,30)=6 [30,40)=6"},
		// A shift of the first parent alone moves nothing,
		{[2]int{1, 0}, "[0,10)=6 [10,20)=6 [20,30)=6 [30,40)=6"},
		// but with a shift of the second parent each thread advances the workload's cursor. At 10, 1.1.1 gets the burst
		// up to 20 (1), and 1.2.1 the one up to 30 (1). At 20, 1.1.1 gets the last one, up to 40 (2). At 30, 1.2.1 is
		// past the end (0).
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

// TestCoupledPrinted: the windows of TestCoupled the other way round, states first, as Paraver's tool prints them.
//
// Added, with a shift of the workload: to start with, each thread keeps b0 b1, and the cursor is at b1. At 10, 1.1.1
// moves it to b2 and keeps b1 b2 (3+1); 1.2.1 moves it to b3 and keeps b1 b3 (1+2). At 20, both move it to the end:
// 1.1.1 keeps b2 and the end (1+0), 1.2.1 keeps b3 and the end (3+0). At 30, 1+0 and 1+0.
//
// States added up in each burst of the workload: both begin in b0 (1 and 1). At 10, 1.1.1 gets b1 (3), and 1.2.1 gets
// b2, up to 30 (3). At 20, 1.1.1 gets b3, up to 40 (1). At 30, 1.2.1 is past the end (0).
func TestCoupledPrinted(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(coupledTrace), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	useful, states := at(prv.LevelWorkload, "Useful"), at(prv.LevelThread, "State As Is")
	for _, c := range []struct {
		op                string
		shift             int
		printed, elseways string
	}{
		// Elsewhere 1+1 + 1+1, 3+1 + 1+1, 1+2 + 3+2, 1+0 + 1+0
		{"add", 1, "0=4 10=7 20=4 30=2", "0=4 10=6 20=8 30=2"},
		// Elsewhere 1 + 1, 3 + 1, 1 + 3, 1 + 1
		{"controlled: add", 0, "0=2 10=6 20=4 30=1", "0=2 10=4 20=4 30=2"},
	} {
		w := at(prv.LevelWorkload, "")
		w.Derived = &Derived{Op: Call{Name: c.op}, A: Parent{Window: &states, Factor: 1},
			B: Parent{Window: &useful, Factor: 1, Shift: c.shift}}
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		text := func(begin []int64, value []float64) string {
			var list []string
			for i, v := range value {
				list = append(list, fmt.Sprintf("%d=%g", begin[i], v))
			}
			return strings.Join(list, " ")
		}
		begin, _, value, err := e.Printed(context.Background(), 0)
		if g := text(begin, value); err != nil || g != c.printed {
			t.Errorf("%s: got %s, %v, want %s", c.op, g, err, c.printed)
		}
		begin, value, _, err = e.Columns(context.Background(), 0)
		if g := text(begin, value); err != nil || g != c.elseways {
			t.Errorf("%s elsewhere: got %s, %v, want %s", c.op, g, err, c.elseways)
		}
	}
}
