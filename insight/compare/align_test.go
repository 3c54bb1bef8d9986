package compare_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/prv"
	"pview/prv/prvtest"
)

// rowOf returns the records of a thread: states as begin-end, events of a type as time=value.
func rowOf(tr *prv.Trace, thread int, typ uint32) string {
	var list []string
	th := &tr.Threads[thread]
	for i := range th.States.Len() {
		list = append(list, fmt.Sprintf("%d-%d", th.States.Begin[i], th.States.End[i]))
	}
	for i := range th.Events.Len() {
		if th.Events.Type[i] == typ {
			list = append(list, fmt.Sprintf("%d=%d", th.Events.Time[i], th.Events.Value.At(i)))
		}
	}
	return strings.Join(list, " ")
}

// A: init 50, loops of 10, finish 20, each with an operation of 1. B: the second loop takes 30 and has no partner, the
// third takes 32 with the operation instead of 11: its 31 computing are 31 * 11/32 = 10.66, so 10, in A.
func TestAligned(t *testing.T) {
	b := iterations(10, 40, 31, 10)
	bt := b.trace(t)
	c := compared(t, analyse(t, iterations(10, 10, 10).trace(t)), analyse(t, bt),
		compare.Matching{Pins: []compare.Pair{{A: 1, B: 1}, {A: 2, B: 3}, {A: 3, B: 4}}})
	got, err := c.Aligned(context.Background(), bt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Duration != 105 || got.Unit != prv.Nanoseconds || got.Labels != bt.Labels {
		t.Errorf("%d %s", got.Duration, got.Unit)
	}
	want := "0-50 50-51 51-61 61-62 62-72 72-73 73-83 83-84 84-104 104-105"
	if row := rowOf(got, 0, 0); row != want {
		t.Errorf("states %s, want %s", row, want)
	}
	// The loop that is only in B is an instant, at 62: the function begins and ends there, and again begins.
	if row := rowOf(got, 0, userFunction); !strings.Contains(row, "62=2 62=0 62=2 72=0") {
		t.Errorf("functions %s", row)
	}
}

// Of the loops of A the second takes 31 in B instead of 11: 182 % more, all of it computing; the third is only in A.
func TestDifferences(t *testing.T) {
	c := compared(t, analyse(t, iterations(10, 10, 10).trace(t)), analyse(t, iterations(10, 30).trace(t)),
		compare.Matching{Pins: []compare.Pair{{A: 1, B: 1}, {A: 2, B: 2}}})
	got, err := c.Differences()
	if err != nil {
		t.Fatal(err)
	}
	want := "0=4 51=4 62=7 73=8 84=4"
	for i, name := range []string{"B - A", "computing"} {
		if row := rowOf(got, i, compare.DifferenceType); row != want || got.Name(prv.LevelThread, i) != name {
			t.Errorf("%s: %s, want %s", got.Name(prv.LevelThread, i), row, want)
		}
	}
	var file bytes.Buffer
	if err := prv.Write(context.Background(), &file, got); err != nil {
		t.Fatal(err)
	}
	again, err := prv.Read(context.Background(), &file, prv.Options{})
	if err != nil || rowOf(again, 1, compare.DifferenceType) != want {
		t.Fatalf("the written differences cannot be read: %v", err)
	}
	if len(got.Threads) != 2 || got.Labels.ValueName(compare.DifferenceType, 7) != "over 30 % more" {
		t.Errorf("%d rows", len(got.Threads))
	}
}

// A run aligned with itself is the same: its states, events and messages have their times.
func TestAlignedWithItself(t *testing.T) {
	for _, name := range []string{"heat2d_8/heat2d_8.prv", "callmix_4/callmix_4.prv"} {
		tr, err := prv.Open(context.Background(), prvtest.Shared(t, "traces", name), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := analyse(t, tr)
		got, err := compared(t, r, r, compare.Matching{}).Aligned(context.Background(), tr)
		if err != nil {
			t.Fatal(err)
		}
		for th := range tr.Threads {
			for typ := range uint32(2) {
				typ *= 50000002
				if a, b := rowOf(tr, th, typ), rowOf(got, th, typ); a != b {
					t.Fatalf("%s, thread %d:\n%s\n%s", name, th, a, b)
				}
			}
		}
		for i := range tr.Comms.Len() {
			if tr.Comms.Times[prv.PhysicalRecv][i] != got.Comms.Times[prv.PhysicalRecv][i] {
				t.Fatalf("%s: message %d", name, i)
			}
		}
	}
}
