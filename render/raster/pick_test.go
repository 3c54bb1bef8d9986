package raster

import (
	"testing"

	"pview/prv"
)

// The logical line of the message with tag 6 runs from (T1,60) to (T2,70), that with tag 5 from (T2,45) to (T1,30). A
// row has 4 lines here: the middle of row 1 is on line 2, that of row 2 on line 6; one column is one unit of time, from
// 40.
func TestPickAt(t *testing.T) {
	tr := traceA(t)
	layout := Layout{Rows: 2, Lines: 8, Height: 4}
	c := NewCanvas(40, 8)
	l := CommLines{Look: DefaultLook, Axis: Axis{Begin: 40, End: 80, W: 40}, Layout: layout,
		Index: NewCommIndex(tr, nil), Row: threadRow(tr), Logical: true}
	tag := func(pick int32) uint32 {
		if pick == 0 {
			return 0
		}
		return uint32(tr.Comms.Tag[pick-1])
	}
	for _, p := range []struct {
		x, y int
		tag  uint32
	}{
		{20, 1, 6}, // its send
		{25, 3, 6}, // in the middle: time 65
		{30, 6, 6}, // its receive
		{5, 5, 5},  // the send of the other
		{2, 5, 5},
		{8, 3, 0},  // it was received at 30, before it was sent
		{25, 7, 0}, // four lines below the line
		{35, 3, 0}, // nothing is under way
	} {
		if got := tag(l.PickAt(c, p.x, p.y, p.y+1)); got != p.tag {
			t.Errorf("at column %d, line %d: message of tag %d, want %d", p.x, p.y, got, p.tag)
		}
	}
	// A cursor takes all lines of a row: in the upper one at 25 the line of tag 6 passes its lowest line, at 22 (time
	// 62) line 2.8 of 0 to 3; at 30 the line has reached the middle of the lower row.
	for _, p := range []struct {
		x, top int
		tag    uint32
	}{{25, 0, 6}, {22, 0, 6}, {25, 4, 6}, {30, 4, 6}, {30, 0, 0}, {35, 0, 0}} {
		if got := tag(l.PickAt(c, p.x, p.top, p.top+4)); got != p.tag {
			t.Errorf("at column %d, lines %d to %d: message of tag %d, want %d", p.x, p.top, p.top+3, got, p.tag)
		}
	}
	// The picked line stands out, the other recedes.
	l.Pick = l.PickAt(c, 25, 3, 4)
	l.Draw(c)
	if got, want := c.At(20, 1).FG, l.Theme.Cursor; got != want {
		t.Errorf("the picked line has colour %x, want %x", got, want)
	}
	if got := c.At(5, 5).FG; got == l.Theme.Logical || !got.IsSet() {
		t.Errorf("the other line has colour %x, want a darker one than %x", got, l.Theme.Logical)
	}
	// A line to a row that is not shown is not drawn, and cannot be picked.
	all := l.Row
	l.Row = func(i int32, role prv.Role) int32 {
		if role == prv.LogicalRecv {
			return -1
		}
		return all(i, role)
	}
	if got := l.PickAt(c, 20, 1, 2); got != 0 {
		t.Error("a message whose receiver is hidden was picked")
	}
	l.Row = all
	l.Keep = func(i int32) bool { return tr.Comms.Tag[i] == 5 }
	if got := l.PickAt(c, 25, 3, 4); got != 0 {
		t.Error("a message that is not drawn was picked")
	}
}

// A density is drawn from the same messages wherever the view is panned: columns move, and do not flicker.
func TestDensityMoves(t *testing.T) {
	tr := manyMessages(t, 20_000)
	draw := func(begin int64) Canvas {
		layout := Layout{Rows: 4, Lines: 8, Height: 2}
		c := NewCanvas(60, 8)
		l := CommLines{Look: DefaultLook, Axis: Axis{Begin: begin, End: begin + 600_000, W: 60}, Layout: layout,
			Index: NewCommIndex(tr, nil), Row: threadRow(tr), Logical: true}
		if stats := l.Draw(c); stats.Drawn {
			t.Fatal("so many messages are no lines")
		}
		return c
	}
	a, b := draw(100_000), draw(110_000) // by one column
	same, of := 0, 0
	for x := 1; x < 58; x++ {
		for y := range 8 {
			if of++; a.At(x+1, y) == b.At(x, y) {
				same++
			}
		}
	}
	if same*100 < of*95 {
		t.Errorf("%d of %d cells are the same after a pan by one column", same, of)
	}
}

// manyMessages returns a trace of four threads that send to one another all the time.
func manyMessages(t *testing.T, n int64) *prv.Trace {
	t.Helper()
	b := prv.NewBuilder(prv.Header{End: 50 * n, Resources: tasks(4)})
	for i := range n {
		from := int32(i % 4)
		at := i*50 + i%17*3
		b.Comm(prv.Comm{Send: from, Recv: (from + 1 + int32(i%3)) % 4,
			Times: [4]int64{at, at, at + 2000 + i%13*900, at + 2000 + i%13*900}})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
