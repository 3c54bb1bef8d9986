package account_test

import (
	"fmt"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/prvtest"
)

// checkEntriesOf compares the entries of an account, a line each. They are by kind and length.
func checkEntriesOf(t *testing.T, a *account.Account, want string) {
	t.Helper()
	var b strings.Builder
	for _, e := range a.Entries {
		fmt.Fprintln(&b, e.Kind, e.Of, e.NS)
	}
	prvtest.SameText(t, b.String(), want)
}

// Processor 1 has nothing to do after 10. 2 waits for 4 of the entry that creates its message, the message is in its
// queue at 15 and executed at 20; it goes on at 35, nobody knows why, and has nothing to do after 38. 3 waits 6 for a
// task to place, which arrives at 22, and from 40 until 45 for the scheduler.
func TestDrivenRun(t *testing.T) {
	g := graphOf(t, runtest.Driven(t))
	checkEntriesOf(t, accountOf(t, g, account.Options{}), `
		computing region=value 2 28
		computing region=value 1 10
		computing region=value 3 5
		wait cause=value 1@1.1.1 4
		transfer call=message 27
		runtime construct=scheduling 13
		no-work reason=end of the run 82
		no-work reason=no task queued anywhere 6
		unknown reason=start without a recorded message 5
	`)
	part := accountOf(t, g, account.Options{From: 8, To: 37})
	checkEntriesOf(t, part, `
		computing region=value 2 24
		computing region=value 1 2
		transfer call=message 21
		runtime construct=scheduling 8
		no-work reason=end of the run 27
		unknown reason=start without a recorded message 5
	`)
	checkSums(t, "from 8 to 37", part)
}

// From 1 to 14 both 2 and 3 wait for 1, until 5, and the message. 3 waits for 2 from 14 to 25, and for its message.
func TestChainOfCauses(t *testing.T) {
	a := accountOf(t, graphOf(t, runtest.DrivenChain(t)), account.Options{})
	checkSums(t, "chain", a)
	checkEntriesOf(t, a, `
		computing region=unclassified 14
		computing region=value 2 10
		computing region=value 1 8
		computing region=value 3 8
		wait cause=value 1@1.1.1 6
		wait cause=value 2@1.2.1 5
		wait cause=unclassified@1.2.1 4
		wait cause=runtime system@1.2.1 2
		wait cause=unclassified@1.1.1 2
		transfer call=message 33
		runtime construct=scheduling and fork/join 8
		no-work reason=end of the run 78
		outside reason=not created 1
		unknown reason=no record 1
	`)
}

// The usual time of a message is 10, as most of them took. One that took 25 is slow for 15.
func TestSlowMessage(t *testing.T) {
	b := runtest.Tasks(2)
	for i, takes := range []int64{10, 10, 10, 25} {
		at := 100 * int64(i)
		runtest.Line(b, 0, at, runtest.Slots{execution.Entry: 1})
		runtest.Line(b, 0, at+5, runtest.Slots{execution.Created: int64(i + 1), execution.Receiver: 2})
		runtest.Line(b, 0, at+50, runtest.Slots{execution.Entry: 0})
		runtest.Executed(b, 1, at+5+takes, at+50, 2, int64(i+1), 1, nil)
		b.Comm(prv.Comm{Send: 0, Recv: 1, Size: 8, Times: [4]int64{at + 5, at + 5, at + 5 + takes, at + 5 + takes}})
	}
	a := accountOf(t, graphOf(t, runtest.Build(t, b)), account.Options{})
	if fast, slow := a.Of(account.Transfer).Int64(), a.Of(account.TransferMore).Int64(); fast != 40 || slow != 15 {
		t.Errorf("%d and %d ns of messages, want 40 and 15", fast, slow)
	}
}

// MPI calls also separate the rest of a slow transfer: three messages take 10, the last one 25.
func TestSlowReceive(t *testing.T) {
	b := runtest.Tasks(2)
	call := func(thread int32, from, to, value int64, state uint32) {
		b.State(thread, 0, from, to, state)
		b.Event(thread, 0, from, prv.Pair{Type: 50000001, Value: value})
		b.Event(thread, 0, to, prv.Pair{Type: 50000001})
	}
	for i, takes := range []int64{10, 10, 10, 25} {
		at := 100 * int64(i)
		b.State(0, 0, at, at+20, 1)
		call(0, at+20, at+21, 3, 10)
		b.State(0, 0, at+21, at+100, 1)
		call(1, at, at+20+takes, 2, 3)
		b.State(1, 0, at+20+takes, at+100, 1)
		b.Comm(prv.Comm{Send: 0, Recv: 1, Size: 8, Times: [4]int64{at + 20, at + 21, at, at + 20 + takes}})
	}
	a := accountOf(t, graphOf(t, runtest.Build(t, b)), account.Options{})
	checkSums(t, "slow receive", a)
	want := account.Sums{account.Computing: 400 - 4*20 - 3*10 - 25, account.Wait: 4 * 20, account.Transfer: 4 * 10,
		account.TransferMore: 15}
	if got := a.ByThread[1]; got != want {
		t.Errorf("the receiver: %v, want %v", got, want)
	}
}
