package clock

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Events happen in the order of time; at one time those of ScheduleFirst come first, then the others as scheduled.
func TestOrderOfEvents(t *testing.T) {
	q := NewTimers()
	if !q.None() || q.More() {
		t.Error("new timers have events")
	}
	q.Schedule(5, CPUDone, 1)
	q.Schedule(3, CPUDone, 2)
	q.Schedule(5, CPUDone, 3)
	q.ScheduleFirst(5, PolicyTick, 4)
	q.ScheduleFirst(5, PolicyTick, 5)
	q.Schedule(0, CPUDone, 6) // now
	q.Schedule(3, CPUDone, 7)
	var got []string
	for {
		e, ok := q.Next()
		if !ok {
			break
		}
		got = append(got, fmt.Sprintf("%d@%g", e.Who, q.Now))
		if e.Who == 2 { // while 7 is due, that was scheduled before
			q.Schedule(3, CPUDone, 8)
			if !q.Due() || !q.More() {
				t.Error("7 is not due at 3")
			}
		}
		if e.Who == 7 && (q.Due() || !q.More()) {
			t.Error("at 3 an immediate event alone should be left")
		}
	}
	want := []string{"6@0", "2@3", "7@3", "8@3", "4@5", "5@5", "1@5", "3@5"}
	if !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	if !q.None() || q.More() {
		t.Error("events are left")
	}
}

// Thousands of events, scheduled in random order for a few times while others happen, are those of a sorted list.
func TestOrderOfManyEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	q := NewTimers()
	var list []Timer // the future events
	schedule := func(n int) {
		for range n {
			at := q.Now + float64(rng.IntN(20))
			what, who := Happening(rng.IntN(3)), int32(rng.IntN(1000))
			var seq uint64
			if at > q.Now && rng.IntN(4) == 0 {
				seq = q.ScheduleFirst(at, what, who)
			} else {
				seq = q.Schedule(at, what, who)
			}
			list = append(list, Timer{at, seq, what, who})
		}
	}
	schedule(300) // of which some 15 are immediate
	for i := 0; len(list) > 0; i++ {
		slices.SortFunc(list, func(a, b Timer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Seq, b.Seq))
		})
		got, ok := q.Next()
		if !ok || got != list[0] || q.Now != got.at {
			t.Fatalf("event %d at %g is %+v, want %+v", i, q.Now, got, list[0])
		}
		list = list[1:]
		due := len(list) > 0 && list[0].at == q.Now
		if q.More() != due || q.None() != (len(list) == 0) {
			t.Fatalf("after event %d: more %v, want %v; none %v of %d", i, q.More(), due, q.None(), len(list))
		}
		if i < 2000 {
			schedule(rng.IntN(3))
		}
		if i%500 == 100 {
			for range 200 { // more than the ring has room for, while its head is not at its start
				list = append(list, Timer{q.Now, q.Schedule(q.Now, Arrival, 7), Arrival, 7})
			}
		}
	}
}

// A deque does the same as a slice, under any operations.
func TestDeque(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var d Deque
	var want []int32
	check := func(deed string, got, x int32) {
		t.Helper()
		if got != x || d.N != len(want) {
			t.Fatalf("%s: got %d of %d, want %d of %d", deed, got, d.N, x, len(want))
		}
		for k, x := range want {
			if d.At(k) != x {
				t.Fatalf("%s: At(%d) = %d, want %d", deed, k, d.At(k), x)
			}
		}
		if len(want) > 0 && d.Front() != want[0] {
			t.Fatalf("%s: front %d, want %d", deed, d.Front(), want[0])
		}
	}
	for i := range int32(4000) {
		k := 0
		if n := len(want); n > 0 {
			k = rng.IntN(n)
		}
		switch deed := rng.IntN(8); {
		case deed < 3:
			d.PushBack(i)
			want = append(want, i)
			check("PushBack", 0, 0)
		case deed == 3:
			d.PushFront(i)
			want = slices.Insert(want, 0, i)
			check("PushFront", 0, 0)
		case len(want) == 0:
		case deed == 4:
			x := want[0]
			want = want[1:]
			check("PopFront", d.PopFront(), x)
		case deed == 5:
			x := want[k]
			want = slices.Delete(want, k, k+1)
			check("RemoveAt", d.RemoveAt(k), x)
		case deed == 6:
			d.Remove(want[k])
			want = slices.Delete(want, k, k+1)
			check("Remove", 0, 0)
		default:
			d.Remove(-1) // absent
			check("Remove of none", 0, 0)
		}
	}
}
