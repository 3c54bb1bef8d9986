package account_test

import (
	"context"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/prv"
)

// Thread 1.2.1 has records from 20 to 60 of 100 ns: it computes for 40, and the 20 before and 40 after are outside.
func TestOutsideOfRecords(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader("#Paraver (a):100_ns:1(2):1:2(1:1,1:1)\n"+
		"1:1:1:1:1:0:100:1\n1:2:1:2:1:20:60:1\n"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := account.New(context.Background(), graphOf(t, tr), account.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.ByThread[1]; got[account.Computing] != 40 || got[account.Outside] != 60 {
		t.Errorf("%d computing and %d outside, want 40 and 60", got[account.Computing], got[account.Outside])
	}
	if got := a.ByThread[0]; got[account.Computing] != 100 || got[account.Outside] != 0 {
		t.Errorf("%d computing and %d outside, want 100 and 0", got[account.Computing], got[account.Outside])
	}
}

// Thread 1.2.1 has one record, at 30 of 100 ns: nothing lies between its first and its last, and all is before. That of
// 1.3.1 has two, and what is between them is not told by a state.
func TestOneRecord(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader("#Paraver (a):100_ns:1(3):1:3(1:1,1:1,1:1)\n"+
		"1:1:1:1:1:0:100:1\n2:3:1:3:1:10:9:1\n2:2:1:2:1:30:9:1\n2:3:1:3:1:70:9:1\n1:2:1:2:1:0:100:0\n"+
		"1:3:1:3:1:0:100:0\n"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := accountOf(t, graphOf(t, tr), account.Options{})
	checkSums(t, "one record", a)
	for th, want := range []account.Sums{{account.Computing: 100}, {account.Outside: 100},
		{account.Outside: 40, account.Unknown: 60}} {
		if got := a.ByThread[th]; got != want {
			t.Errorf("thread %d: %v, want %v", th+1, got, want)
		}
	}
	checkEntriesOf(t, a, `
		computing region=computation 100
		outside reason=before the first record 110
		outside reason=after the last record 30
		unknown reason=idle 60
	`)
}
