package semantic

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
)

// Thread 1 sends a message from 300 to 500; thread 2 waits for it from 200 on and has it at 450. Thread 2 sends one at
// 700, which thread 1 receives from 800 on, and waits for that until 900.
const pingText = `#Paraver (01/01/2020 at 10:00):1000_ns:2(1,2):1:2(1:1,2:2)
1:1:1:1:1:0:300:1
1:2:1:2:1:0:200:1
1:3:1:2:2:100:600:7
2:2:1:2:1:100:40:1:41:5
1:2:1:2:1:200:450:8
2:2:1:2:1:200:50000001:3
1:1:1:1:1:300:500:4
3:1:1:1:1:300:400:2:1:2:1:200:450:1000:5
1:2:1:2:1:450:700:1
2:2:1:2:1:450:50000001:0
1:1:1:1:1:500:800:1
2:2:1:2:1:600:40:3
1:2:1:2:1:700:900:4
2:2:1:2:1:700:40:0
3:2:1:2:1:700:750:1:1:1:1:800:900:500:6
1:1:1:1:1:800:900:8
1:2:1:2:1:900:1000:1
1:1:1:1:1:900:1000:1
`

// The values of each thread function for thread 2.
const pingValues = `
State As Is: 0-200:1 200-450:8 450-700:1 700-900:4 900-1000:1
Useful: 0-200:1 200-450:0 450-700:1 700-900:0 900-1000:1
State Sign: 0-1000:1
Given State: 0-200:1 200-450:0 450-700:1 700-900:0 900-1000:1
In State: 0-200:1 200-450:0 450-700:1 700-900:0 900-1000:1
Not In State: 0-200:0 200-450:1 450-700:0 700-900:1 900-1000:0
State Record Dur.: 0-200:0.2 200-450:0 450-700:0.25 700-900:0 900-1000:0.1
Last Evt Type: 0-100:0 100-200:41 200-600:5e+07 600-1000:40
Last Evt Val: 0-100:0 100-200:5 200-450:3 450-600:0 600-700:3 700-1000:0
Last Evt Val w/o Bursts: 0-100:0 100-200:5 200-1000:3
Next Evt Type: 0-100:40 100-450:5e+07 450-700:40 700-1000:0
Next Evt Val: 0-100:1 100-200:3 200-450:0 450-600:3 600-1000:0
Avg Next Evt Val: 0-100:10 100-200:30 200-450:0 450-600:20 600-1000:0
Avg Last Evt Val: 0-100:0 100-200:50 200-450:12 450-600:0 600-700:30 700-1000:0
Given Evt Val: 0-100:0 100-1000:0
In Evt Val: 0-100:0 100-1000:0
Int. Between Evt: 0-100:0 100-200:0.1 200-450:0.25 450-600:0.15 600-700:0.1 700-1000:0
Not In Evt Val: 0-100:0 100-1000:1
In Evt Range: 0-100:0 100-450:0 450-600:1 600-700:0 700-1000:1
Event Bytes: 0-200:0 200-450:1000 450-1000:0
Event Sent Bytes: 0-1000:0
Next Event Type: 0-100:0 100-450:5e+07 450-700:40 700-1000:0
Next Event Value: 0-100:0 100-200:3 200-450:0 450-600:3 600-1000:0
Average Next Event Value: 0-100:0 100-200:30000 200-450:0 450-600:20000 600-1000:0
Average Last Event Value: 0-100:0 100-200:50000 200-450:12000 450-600:0 600-700:30000 700-1000:0
Last Tag: 0-450:0 450-1000:5
Comm Size: 0-200:0 200-700:1000 700-1000:500
Comm Recv. Partner: 0-200:0 200-450:1 450-1000:0
Comm Partner: 0-700:0 700-1000:1
Last Send Dur.: 0-700:0 700-1000:0.2
Next Recv Dur.: 0-200:0 200-1000:0.1
Last Send Size: 0-700:0 700-1000:500
Send Bytes in Transit: 0-700:0 700-900:500 900-1000:0
Send Messages in Transit: 0-700:0 700-900:1 900-1000:0
Send BandWidth: 0-700:0 700-900:2500 900-1000:0
Recv Bytes in Transit: 0-300:0 300-450:1000 450-1000:0
Recv Messages in Transit: 0-300:0 300-450:1 450-1000:0
Recv BandWidth: 0-300:0 300-450:6666.67 450-1000:0
Recv Negative Messages: 0-1000:0
Recv Negative Bytes: 0-1000:0
Number Of Sends: 0-700:0 700-1000:1
Number Of Send Bytes: 0-700:0 700-1000:500
Number Of Receives: 0-450:0 450-1000:1
Number Of Receive Bytes: 0-450:0 450-1000:1000
Last Size: 0-450:0 450-1000:1000
Late Sender: 0-200:0 200-300:0.1 300-1000:0
Late Receiver: 0-700:0 700-800:0.05 800-1000:0
Messages Queued To Send: 0-1000:0
Messages Queued To Receive: 0-1000:0
Application ID: 0-1000:1
TaskID: 0-1000:2
Thread ID: 0-1000:2
Node ID: 0-1000:2
Cpu ID: 0-1000:2
In Appl ID: 0-1000:0
In Task ID: 0-1000:0
In Thread ID: 0-1000:0
In Node ID: 0-1000:0
In Cpu ID: 0-1000:0
`

func TestValues(t *testing.T) {
	tr := read(t, pingText)
	known := map[string]bool{}
	for line := range strings.Lines(pingValues[1:]) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if got := show(t, tr, at(prv.LevelThread, name), 1); got != want {
			t.Errorf("%s:\n%s, want\n%s", name, got, want)
		}
		known[name] = true
	}
	for _, e := range Functions(ThreadFunctions) {
		if e.bind == nil && !known[e.Name] {
			t.Errorf("no values of %s", e.Name)
		}
	}
}

// Listed objects of a thread are shown by number, from its first record on.
func TestListed(t *testing.T) {
	tr := read(t, pingText)
	for _, c := range []struct {
		name string
		row  int
		list []float64
		want string
	}{
		{"In Appl ID", 0, []float64{1}, "0-1000:1"}, {"In Task ID", 2, []float64{1, 2}, "0-100:0 100-1000:2"},
		{"In Thread ID", 2, []float64{3}, "0-100:0 100-1000:3"}, {"In Thread ID", 2, []float64{2, 4}, "0-1000:0"},
		{"In Node ID", 2, []float64{1}, "0-100:0 100-1000:1"}, {"In Cpu ID", 1, []float64{2}, "0-1000:2"},
	} {
		if got := show(t, tr, at(prv.LevelThread, c.name, c.list), c.row); got != c.want {
			t.Errorf("%s %v of row %d: %s, want %s", c.name, c.list, c.row, got, c.want)
		}
	}
}

func TestLate(t *testing.T) {
	tr := read(t, pingText)
	if got := [4]int64{LateSender(tr, 0), LateReceiver(tr, 0), LateSender(tr, 1), LateReceiver(tr, 1)}; got !=
		[4]int64{100, 0, 0, 50} {
		t.Errorf("waits %v", got)
	}
}

// A message belongs to the burst that its record ends.
func TestBoundaries(t *testing.T) {
	tr := read(t, pingText)
	begin := func(function string, thread int32, message int, role prv.Role) string {
		w := at(prv.LevelThread, function)
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		b, n := e.Boundaries(thread).Begin(&tr.Comms, message, role, tr.Comms.Times[role][message])
		return fmt.Sprint(b, n)
	}
	for _, c := range []struct {
		function string
		thread   int32
		message  int
		role     prv.Role
		want     string
	}{
		{"State As Is", 0, 0, prv.LogicalSend, "0 0"}, {"State As Is", 1, 0, prv.LogicalRecv, "0 0"},
		{"State As Is", 1, 0, prv.PhysicalRecv, "200 0"}, {"State As Is", 2, 0, prv.LogicalSend, "100 0"},
		{"Last Evt Val", 1, 0, prv.LogicalRecv, "200 0"}, {"Last Evt Val", 1, 1, prv.LogicalSend, "600 0"},
		{"Last Evt Val", 0, 1, prv.LogicalRecv, "0 0"}, {"Number Of Sends", 1, 1, prv.PhysicalSend, "700 0"},
	} {
		if got := begin(c.function, c.thread, c.message, c.role); got != c.want {
			t.Errorf("%s of thread %d, message %d, role %d: %s, want %s", c.function, c.thread, c.message, c.role, got,
				c.want)
		}
	}
}

// A yes/no window is at thread level and shows the answer unchanged.
func TestYesNo(t *testing.T) {
	yes := at(prv.LevelThread, "In State", []float64{4})
	e, c, ok := yes.YesNo()
	if !ok || e.Name != "In State" || c.Params[0][0] != 4 {
		t.Errorf("%v %v %v", e, c, ok)
	}
	for i, w := range []Window{at(prv.LevelTask, "In State"), at(prv.LevelThread, "State As Is"),
		with(yes, func(w *Window) { w.Top1.Name = "1-Sign" }), with(yes, func(w *Window) { w.Top2.Name = "Sign" }),
		with(yes, func(w *Window) { w.Derived = &Derived{} }),
		with(yes, func(w *Window) { w.Extra = []Call{{Name: "Sign"}} })} {
		if _, _, ok := w.YesNo(); ok {
			t.Errorf("window %d", i)
		}
	}
	for m, want := range map[Meaning]bool{PlainNumbers: true, Times: true, Bytes: true, Bandwidths: true, Named: false,
		StateCodes: false} {
		if m.IsAmount() != want {
			t.Errorf("%v", m)
		}
	}
	// The sum over the only thread of every task means what the thread does.
	w := at(prv.LevelTask, "State As Is")
	one := read(t, "#Paraver (01/01/2020 at 10:00):10_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:10:1\n")
	if a, b, c := w.Meaning(), w.MeaningOn(one), w.MeaningOn(read(t, pingText)); a != PlainNumbers || b != StateCodes ||
		c != PlainNumbers {
		t.Errorf("meanings %v %v %v", a, b, c)
	}
}

// A trace is searched once, unless the search fails.
func TestKept(t *testing.T) {
	var k Kept[int]
	tr, asked := read(t, pingText), 0
	find := func(context.Context, *prv.Trace) (*int, error) {
		if asked++; asked == 1 {
			return nil, errors.New("not now")
		}
		v := asked
		return &v, nil
	}
	var got []string
	for range 3 {
		v, err := k.Of(context.Background(), tr, find)
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprint(*v))
		}
	}
	if strings.Join(got, ", ") != "not now, 2, 2" || asked != 2 {
		t.Errorf("%v, asked %d times", got, asked)
	}
	other := read(t, pingText)
	if v, err := k.Of(context.Background(), other, find); err != nil || *v != 3 {
		t.Errorf("another trace: %v %v", v, err)
	}
}
