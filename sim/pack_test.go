package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// text returns all that a program can ask of a record.
func (t *Thread) text(row int) string {
	switch k := t.Kind(row); {
	case k == Compute:
		return fmt.Sprint(k, t.Burst(row))
	case k == Event:
		typ, value := t.Event(row)
		return fmt.Sprint(k, typ, value)
	case k.HasMessage():
		return fmt.Sprint(k, *t.Message(row), t.Handled(row))
	case k.IsCollective():
		return fmt.Sprint(k, *t.Call(row), t.CallSizes(row))
	default:
		return k.String()
	}
}

// drawnRecords appends n random records of few different ones to a thread: of more event types than have a number of
// their own.
func drawnRecords(rnd *rand.Rand, t *Thread, n int, handled bool) {
	for range n {
		m := Message{Size: rnd.Int64N(3), Tag: rnd.Int64N(4), Match: rnd.Int64N(2), Peer: rnd.Int32N(3)}
		switch rnd.IntN(8) {
		case 0:
			t.AddNop()
		case 1:
			t.AddIdle(rnd.IntN(2) == 0)
		case 2:
			t.AddCompute(float64(rnd.IntN(5)))
		case 3:
			t.AddEvent(rnd.Uint32N(300), rnd.Int64N(5)-2)
		case 4:
			t.AddEvent(reactiveTypes[rnd.IntN(len(reactiveTypes))], rnd.Int64N(5))
		case 5:
			t.AddCollective(Collective, CollectiveCall{Op: CollectiveOp(rnd.IntN(3)), Sent: rnd.Int64N(3)})
			if rnd.IntN(4) == 0 {
				t.setSizes(t.arg[len(t.arg)-1], []int64{rnd.Int64N(9)})
			}
		default:
			k := Send + Kind(rnd.IntN(int(Probe-Send)+1))
			if handled {
				t.AddHandled(k, m, Handling{Request: rnd.Int32N(3)})
			} else {
				t.AddMessage(k, m)
			}
		}
	}
}

// A packed thread has the same records, in fewer rows, and so has one that is packed again after more records.
func TestPack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var p Packer
	for round := range 20 {
		var a Thread
		drawnRecords(rnd, &a, 1000, round%2 == 1)
		if a.Kind(0) != Nop {
			a.Cancel(0)
		}
		for again := range 2 {
			b, err := p.Pack(t.Context(), &a)
			if err != nil {
				t.Fatal(err)
			}
			if a.Len() != b.Len() {
				t.Fatalf("%d records, not %d", b.Len(), a.Len())
			}
			for row := range a.Len() {
				if got, want := b.text(row), a.text(row); got != want {
					t.Fatalf("record %d is %s, not %s", row, got, want)
				}
			}
			if again == 0 && (b.Bytes() >= a.Bytes() || len(b.Messages) >= len(a.Messages) ||
				len(b.Collectives) >= len(a.Collectives)) {
				t.Errorf("%d messages and %d calls, packed %d and %d", len(a.Messages), len(a.Collectives),
					len(b.Messages), len(b.Collectives))
			}
			a = b
			drawnRecords(rnd, &a, 100, round%2 == 1)
		}
	}
}

// Rows of a packed thread are numbered in the order of their first use: a send and a receive of the same envelope are
// streams of their own, since they have different directions.
func TestPackedRows(t *testing.T) {
	var a Thread
	there, back := Message{Peer: 1, Tag: 7}, Message{Peer: 1, Tag: 8}
	for range 3 {
		a.AddMessage(Irecv, back)
		a.AddMessage(Send, there)
		a.AddMessage(Wait, back)
		a.AddMessage(Recv, there)
	}
	b, err := new(Packer).Pack(t.Context(), &a)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, 1, 0, 2, 0, 1, 0, 2, 0, 1, 0, 2}; !slices.Equal(b.arg, want) {
		t.Errorf("rows %d, not %d", b.arg, want)
	}
	if want := []Message{back, there, there}; !slices.Equal(b.Messages, want) {
		t.Errorf("messages %+v, not %+v", b.Messages, want)
	}
}

// Values that fit into 31 bits stand in the place of their row, and are read as they were added; so are those that do
// not.
func TestValuesInPlace(t *testing.T) {
	bursts := []float64{0, 1, 1<<31 - 1, 1 << 31, 1 << 40, 0.5, 1e-3, math.Copysign(0, -1), -1, math.Inf(1), math.NaN()}
	events := []int64{0, 1, 1<<31 - 1, 1 << 31, 1 << 40, -1, math.MinInt64, math.MaxInt64}
	var a Thread
	for _, ns := range bursts {
		a.AddCompute(ns)
	}
	for _, v := range events {
		a.AddEvent(50000001, v)
	}
	if want := (len(bursts) - 3) + (len(events) - 3); len(a.values) != want {
		t.Errorf("%d values have a row, not %d", len(a.values), want)
	}
	b, err := new(Packer).Pack(t.Context(), &a)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range []*Thread{&a, &b} {
		for row, ns := range bursts {
			if got := th.Burst(row); math.Float64bits(got) != math.Float64bits(ns) {
				t.Errorf("burst of %v ns, not %v", got, ns)
			}
		}
		for i, v := range events {
			if _, got := th.Event(len(bursts) + i); got != v {
				t.Errorf("event of value %d, not %d", got, v)
			}
		}
	}
}

// The memory of a loop: 1 byte of kind and 4 of row for each of its records, and rows for what differs. Per pass: an
// event of a counter with a value of its own that is too long to stand in the place of the row, 8 bytes; the other
// seven records share theirs or have none.
func TestBytesOfLoop(t *testing.T) {
	var a Thread
	const passes = 1000
	for i := range passes {
		a.AddCompute(float64(1000 + i))
		a.AddEvent(42000050, int64(5_000_000+3*i))
		a.AddEvent(42000059, int64(9_000_000_000+7*i))
		a.AddEvent(50000001, 1)
		a.AddMessage(Isend, Message{Peer: 1, Size: 1000})
		a.AddMessage(Recv, Message{Peer: 1, Size: 1000})
		a.AddEvent(50000001, 0)
		a.AddCompute(0)
	}
	b, err := new(Packer).Pack(t.Context(), &a)
	if err != nil {
		t.Fatal(err)
	}
	// 8 records x 5 + 8 = 48 bytes in a pass, and once: 3 event types of 4 bytes, 2 messages of 32. The allocator
	// rounds up.
	const want = passes*48 + 3*4 + 2*32
	if got := b.Bytes(); got < want || got > want*21/20 {
		t.Errorf("%d bytes, not about %d", got, want)
	}
}
