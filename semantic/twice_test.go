package semantic

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

// TestPrinted: a window derived from one window twice, as Paraver's tool prints it. The
// parent's bursts are
//
//	time   0     10    20          50    60    70
//	       |--1--|--2--|-----3-----|--4--|--5--|
//	        b0    b1    b2          b3    b4
//
// Shifts 2 and 0: the first side keeps three bursts, begins and ends with the oldest, and has the value of the last;
// the second sees where the cursor is. At the start, the first side keeps b0 b1 b2, and the cursor is at b0: 3+1 up to
// 10. At 10 the first side is due: the cursor goes to b1, and the side keeps b1 b2 b1: 2+2 up to 20. At 20 it keeps b2
// b1 b2: 3+3 up to 50. At 50 it keeps b1 b2 b3, whose oldest burst ends at 20: 4+4, backwards. At 20 it keeps b2 b3 b4:
// 5+5 up to 50. Then the cursor is at the end, where the value is 0.
//
// Controlled with shifts 1 and 0: the control begins with b0. The data goes back to before the first burst, and reads
// b0 and b1 until its kept bursts reach 10: 1+2. The control moves the cursor from b1 to b2; the data, at b0, advances
// until it ends after 20: it then keeps b3 b4, whose oldest burst ends at 60: 5. The control moves the cursor from b4
// to the end.
func TestPrinted(t *testing.T) {
	const text = `#Paraver (01/01/2026 at 00:00):70_ns:1(1):1:1(1:1)
1:1:1:1:1:0:10:1
1:1:1:1:1:10:20:2
1:1:1:1:1:20:50:3
1:1:1:1:1:50:60:4
1:1:1:1:1:60:70:5
`
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	states := at(prv.LevelThread, "State As Is")
	same := states
	for _, c := range []struct {
		op       string
		a, b     Parent
		printed  string
		elseways string // elsewhere
	}{
		{"add", Parent{Window: &states, Factor: 1, Shift: 2}, Parent{Window: &states, Factor: 1},
			"[0,10)=4 [10,20)=4 [20,50)=6 [50,20)=8 [20,50)=10 [50,60)=0 [60,70)=0", "0=4 10=6 20=8 50=4 60=5"},
		{"controlled: add", Parent{Window: &states, Factor: 1, Shift: 1}, Parent{Window: &states, Factor: 1},
			"[0,10)=3 [20,50)=5 [70,70)=0", "0=2 10=3 20=4 50=5 60=0"},
		// Two equal windows have a cursor each.
		{"add", Parent{Window: &states, Factor: 1, Shift: 2}, Parent{Window: &same, Factor: 1},
			"[0,10)=4 [10,20)=6 [20,50)=8 [50,60)=4 [60,70)=5", "0=4 10=6 20=8 50=4 60=5"},
	} {
		w := at(prv.LevelThread, "")
		w.Derived = &Derived{Op: Call{Name: c.op}, A: c.a, B: c.b}
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		var printed, elseways []string
		begin, until, value, err := e.Printed(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range value {
			printed = append(printed, fmt.Sprintf("[%d,%d)=%g", begin[i], until[i], v))
		}
		begin, value, _, err = e.Columns(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range value {
			elseways = append(elseways, fmt.Sprintf("%d=%g", begin[i], v))
		}
		if g := strings.Join(printed, " "); g != c.printed {
			t.Errorf("%s:\n got %s\nwant %s", c.op, g, c.printed)
		}
		if g := strings.Join(elseways, " "); g != c.elseways {
			t.Errorf("%s elsewhere:\n got %s\nwant %s", c.op, g, c.elseways)
		}
	}
}

// TestReadAhead: bursts 1 1 2 2 3 are joined to 1 2 3. The first burst below the second joined burst is read with the
// first joined burst, the first below the third with the second. Of the two bursts that begin at 20, the first has no
// length and starts a joined burst.
func TestReadAhead(t *testing.T) {
	for _, c := range []struct {
		value, begin, read []int64
	}{
		{[]int64{1, 1, 2, 2, 3}, []int64{0, 10, 20, 30, 40}, []int64{0, 0, 0, 20, 20}},
		{[]int64{1, 2, 3, 3}, []int64{0, 20, 20, 30}, []int64{0, 0, 20, 20}},
	} {
		b := bursts{begin: c.begin, end: 50}
		for _, v := range c.value {
			b.value = append(b.value, float64(v))
		}
		if j := newJoining(&b); !slices.Equal(j.read, c.read) {
			t.Errorf("%v from %v: read with %v, want %v", c.value, c.begin, j.read, c.read)
		}
	}
	b := bursts{begin: []int64{0, 20, 20, 30}, value: []float64{1, 2, 3, 3}, end: 50}
	r := ReadAhead{newJoining(&b)}
	for _, c := range [][3]int64{{20, 0, 0}, {20, 1, 20}, {20, 5, 0}, {25, 0, 20}, {30, 0, 20}} {
		if got := r.With(c[0], int(c[1])); got != c[2] {
			t.Errorf("burst %d that begins at %d: read with %d, want %d", c[1], c[0], got, c[2])
		}
	}
}

// A shift beyond all bursts costs no more than one just beyond them, and neither has any values.
func TestFarShift(t *testing.T) {
	row := bursts{begin: []int64{0, 10, 20}, value: []float64{1, 2, 3}, end: 30}
	for _, shift := range []int{4, 1 << 40, -10, -(1 << 40)} {
		s := newSide(&cursor{row: row}, 1, shift)
		for i := range 5 {
			if v := s.value(); v != 0 {
				t.Errorf("shift %d: burst %d has the value %v, want 0", shift, i, v)
			}
			s.move(1)
		}
		if cap(s.kept) > 100 {
			t.Errorf("shift %d keeps room for %d bursts", shift, cap(s.kept))
		}
	}
}
