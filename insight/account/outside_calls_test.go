package account_test

import (
	"testing"

	"pview/insight/account"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/device"
)

// A thread computes for 100 ns, from 20 to 60 of them in a function.
func TestRegions(t *testing.T) {
	b := runtest.Tasks(1)
	b.State(0, 0, 0, 100, 1)
	b.Event(0, 0, 20, prv.Pair{Type: 60000019, Value: 7})
	b.Event(0, 0, 60, prv.Pair{Type: 60000019})
	g := graphOf(t, runtest.Build(t, b))
	checkEntriesOf(t, accountOf(t, g, account.Options{}), `
		computing region=code outside of traced functions 60
		computing region=function 7 40
	`)
	checkEntriesOf(t, accountOf(t, g, account.Options{From: 10, To: 35}), `
		computing region=function 7 15
		computing region=code outside of traced functions 10
	`)
}

// The thread of the host of a device computes for 40 of 100 ns. In overhead it is in a call of the device's library
// from 10 to 30, and in none from 30 to 40. From 40 to 60 it waits for the device, and its last record ends at 90.
func TestHostOfDevice(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(2, 0)
	b := prv.NewBuilder(h)
	for _, s := range [][3]int64{{0, 10, 1}, {10, 30, 7}, {30, 40, 7}, {40, 60, 5}, {60, 90, 1}, {90, 100, 0}} {
		b.State(0, 0, s[0], s[1], uint32(s[2]))
	}
	b.Event(0, 0, 10, prv.Pair{Type: device.Call, Value: 5}, prv.Pair{Type: 42000050, Value: 3})
	b.Event(0, 0, 30, prv.Pair{Type: device.Call}, prv.Pair{Type: 42000050, Value: 3})
	b.State(1, 0, 0, 100, 1)
	tr := runtest.Build(t, b)
	runtest.NameThreads(t, tr, "host", "CUDA-D0.S1")
	a, err := account.Hosts(t.Context(), graphOf(t, tr))
	if err != nil {
		t.Fatal(err)
	}
	checkEntriesOf(t, a, `
		computing region=computation 40
		wait cause=its device@1.1.1 20
		call call=value 5 20
		runtime construct=scheduling and fork/join 10
		outside reason=after the last record 10
	`)
	if a.Title != "Where the time of the host's threads goes" {
		t.Error(a.Title)
	}
}
