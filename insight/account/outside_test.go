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
