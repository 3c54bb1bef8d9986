package waits_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/waits"
	"pview/prv"
)

// asked is a receive of 1 that waits from 20 to 70 for 2.
const asked = `
	1: A[0,20) Recv[20,100) B[100,110) Send[110,115)
	2: A[0,70) Send[70,90) Recv[100,120)
	2>1 70 90 20 100
	1>2 110 115 100 120`

// Stretches begin with their first instant and end before their last.
func TestWaitAt(t *testing.T) {
	r := analyze(t, parse(t, asked), limit(1024))
	for _, c := range []struct {
		thread   int32
		at, from int64 // from: -1 for none
	}{{0, 19, -1}, {0, 20, 20}, {0, 69, 20}, {0, 70, -1}, {1, 69, -1}, {1, 99, -1}, {1, 100, 100}, {1, 109, 100},
		{1, 110, -1}} {
		from := int64(-1)
		if w := r.At(c.thread, c.at); w != nil {
			from = w.From
		}
		if from != c.from {
			t.Errorf("thread %d at %d: the wait from %d, want %d", c.thread+1, c.at, from, c.from)
		}
	}
}

// A call that ends at a time is not after it, and one that begins then is not before it.
func TestCallsAroundTimes(t *testing.T) {
	r := analyze(t, parse(t, asked), limit(1024))
	for _, c := range []struct {
		at            int64
		after, before int
	}{{0, 0, -1}, {20, 0, -1}, {21, 0, 0}, {99, 0, 0}, {100, 1, 0}, {110, 1, 0}, {111, 1, 1}, {114, 1, 1},
		{115, 2, 1}} {
		if after, before := r.CallAfter(0, c.at), r.CallBefore(0, c.at); after != c.after || before != c.before {
			t.Errorf("at %d: call %d after, %d before, want %d and %d", c.at, after, before, c.after, c.before)
		}
	}
	for _, c := range []struct {
		from, to int64
		enters   []int64
	}{{0, 20, nil}, {0, 21, []int64{20}}, {99, 110, []int64{20}}, {99, 111, []int64{20, 110}}, {100, 110, nil},
		{100, 200, []int64{110}}, {115, 200, nil}} {
		var enters []int64
		for call := range r.CallsIn(0, c.from, c.to) {
			enters = append(enters, call.Enter)
		}
		if !slices.Equal(enters, c.enters) {
			t.Errorf("from %d to %d: calls from %v, want %v", c.from, c.to, enters, c.enters)
		}
	}
	for call := range r.CallsIn(0, 0, 200) {
		if call.Enter != 20 || call.Exit != 100 || call.Open || r.Regions[call.Region].Name != "MPI_Recv" {
			t.Errorf("%+v", call)
		}
		break // no more requested
	}
}

// A thread is in code outside of functions before its first event and where a function has ended.
func TestRegionsOverTime(t *testing.T) {
	r := analyze(t, parse(t, `
		1: A[10,20) Recv[20,30) B[40,50)
		2: Send[0,5) A[5,60)
		2>1 0 5 20 30`), limit(1024))
	name := func(region int32) string {
		if region < 0 {
			return "none"
		}
		return strings.TrimPrefix(r.Regions[region].Name, "MPI_")
	}
	for _, c := range []struct {
		at     int64
		in     string
		until  int64 // the end of the region
		before string
		since  int64
	}{{0, waits.Untraced, 10, "none", 0}, {1, waits.Untraced, 10, waits.Untraced, 0},
		{10, "A", 20, waits.Untraced, 0}, {11, "A", 20, "A", 10},
		{19, "A", 20, "A", 10}, {20, "Recv", 30, "A", 10}, {21, "Recv", 30, "Recv", 20},
		{30, waits.Untraced, 40, "Recv", 20}, {40, "B", 50, waits.Untraced, 30}, {49, "B", 50, "B", 40},
		{50, waits.Untraced, 60, "B", 40}, {60, waits.Untraced, 60, waits.Untraced, 50},
		{70, waits.Untraced, 70, waits.Untraced, 50}} {
		cursor := r.Cursor(0)
		region, until := cursor.At(c.at)
		before, since := r.RegionBefore(0, c.at)
		if in := r.RegionAt(0, c.at); in != region {
			t.Errorf("at %d: %s, by the cursor %s", c.at, name(in), name(region))
		}
		got := fmt.Sprint(name(region), until, name(before), since)
		if want := fmt.Sprint(c.in, c.until, c.before, c.since); got != want {
			t.Errorf("at %d: %s, want %s", c.at, got, want)
		}
	}
	cursor := r.Cursor(0) // it continues from its position
	for _, c := range []struct {
		at int64
		in string
	}{{5, waits.Untraced}, {10, "A"}, {15, "A"}, {45, "B"}, {45, "B"}, {55, waits.Untraced}} {
		if region, _ := cursor.At(c.at); name(region) != c.in {
			t.Errorf("then at %d: %s, want %s", c.at, name(region), c.in)
		}
	}
}

// What a message is to its calls: sent and posted by the start of calls, done by the end of one.
func TestMessages(t *testing.T) {
	tr := parse(t, `
		1: A[0,10) Irecv[10,12) A[12,50) Wait[50,80) A[80,100) Ssend[100,105) Bsend[110,115) Send[120,130)
		2: A[0,60) Send[60,70) Recv[90,106) Recv[110,116) Recv[120,130)
		2>1 60 70 12 80
		1>2 100 105 90 106
		1>2 110 115 110 116 size 100000
		1>2 120 130 120 130 size 100000`)
	r := analyze(t, tr, limit(1024))
	if r.Trace() != tr || r.Simulated() {
		t.Error("another trace, or a simulated one")
	}
	of := map[int64]waits.Message{60: {Sent: 60, Posted: 10, Begun: 50, Done: 80, Send: 0, Post: 0, Complete: 1},
		100: {Sent: 100, Posted: 90, Begun: 90, Done: 106, Send: 2, Post: 1, Complete: 1},
		110: {Sent: 110, Posted: 110, Begun: 110, Done: 116, Send: 3, Post: 2, Complete: 2},
		120: {Sent: 120, Posted: 120, Begun: 120, Done: 130, Send: 4, Post: 3, Complete: 3}}
	// A small one does not wait, a synchronous one does, a buffered one never, a large one does.
	may := map[int64]bool{60: false, 100: true, 110: false, 120: true}
	for m, at := range tr.Comms.Times[prv.LogicalSend] {
		msg, ok := r.Message(int32(m))
		if !ok || msg != of[at] {
			t.Errorf("sent at %d: %+v, %v, want %+v", at, msg, ok, of[at])
		}
		if got := r.MayWait(int32(m)); got != may[at] {
			t.Errorf("sent at %d: may wait %v", at, got)
		}
	}
}

// 1 enters a broadcast at 10 and 3 at 20, its root 2 at 40; all leave at 50.
func TestMembers(t *testing.T) {
	r := analyze(t, parse(t, `
		1: A[0,10) Bcast[10,50) A[50,60)
		2: A[0,40) Bcast![40,50) A[50,60)
		3: A[0,20) Bcast[20,50) A[50,60)`), limit(1024))
	if len(r.Instances) != 1 || !r.Instances[0].Collective() || r.Instances[0].Nonblocking() {
		t.Fatalf("%+v", r.Instances)
	}
	list := r.Members(&r.Instances[0])
	slices.SortFunc(list, func(a, b waits.Member) int { return int(a.Thread - b.Thread) })
	want := []waits.Member{{Enter: 10, Exit: 50}, {Enter: 40, Exit: 50, Thread: 1, Root: true},
		{Enter: 20, Exit: 50, Thread: 2}}
	if !slices.Equal(list, want) {
		t.Errorf("%+v, want %+v", list, want)
	}
}

// 3 waits from 10 to 60 for 2, which waits from 20 to 50 for 1. From 10 on 2 does 10 of A and 10 of B and waits 30; so
// 3 owes 30 of its 50 to the wait of 2, and that to A of 1.
func TestDivide(t *testing.T) {
	r := analyze(t, parse(t, `
		1: A[0,50) Send[50,51)
		2: A[0,20) Recv[20,50) B[50,60) Send[60,61)
		3: A[0,10) Recv[10,62)
		1>2 50 50 20 50
		2>3 60 61 10 62`), limit(1024))
	b, err := r.Backward(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	divide := func(second, third int64) string {
		amounts := make([]int64, len(r.Waits))
		for i := range r.Waits {
			amounts[i] = []int64{0, second, third}[r.Waits[i].Thread]
		}
		roots, unknown, err := b.Divide(context.Background(), amounts)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, x := range roots {
			list = append(list, fmt.Sprintf("%d %s %d", x.Thread+1, r.Regions[x.Region].Name, x.Time))
		}
		return fmt.Sprintf("%s, unknown %d", strings.Join(list, ", "), unknown)
	}
	for _, c := range []struct {
		second, third int64
		want          string
	}{{0, 0, ", unknown 0"}, {30, 0, "1 A 30, unknown 0"}, {7, 0, "1 A 7, unknown 0"},
		{0, 50, "1 A 30, 2 A 10, 2 B 10, unknown 0"}, {30, 50, "1 A 60, 2 A 10, 2 B 10, unknown 0"},
		{0, 25, "1 A 15, 2 A 5, 2 B 5, unknown 0"}} {
		if got := divide(c.second, c.third); got != c.want {
			t.Errorf("%d and %d: %s, want %s", c.second, c.third, got, c.want)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := b.Divide(stopped, make([]int64, len(r.Waits))); err == nil {
		t.Error("goes on when it was stopped")
	}
}

// Without functions regions are between calls. The time of a process before MPI_Init is apart.
func TestStartUp(t *testing.T) {
	r := analyze(t, parse(t, `
		1: Init[5,20) Barrier[30,40) Finalize[50,60)
		2: Init[10,20) Barrier[30,40) Finalize[50,60)`), limit(1024))
	if key := r.Level.String(); key != "calls" || waits.ByFunction.String() != "functions" {
		t.Error(key)
	}
	for thread, want := range []map[int64]bool{{0: true, 4: true, 5: false, 19: false, 25: false, 35: false, 45: false},
		{9: true, 10: false, 29: false, 48: false}} {
		for at, startUp := range want {
			region := &r.Regions[r.RegionAt(int32(thread), at)]
			if region.StartUp != startUp || startUp && region.Call {
				t.Errorf("thread %d at %d: %+v", thread+1, at, *region)
			}
		}
	}
}

// Of A two others wait for 30 each: the last wait stands for both, whoever waits. A longer one stands before it.
func TestWorstWait(t *testing.T) {
	const sends = "1: A[0,50) Send[50,50) A[50,90) Send[90,90)\n"
	for _, c := range []struct {
		others       string
		thread, from int64
	}{{"2: B[0,20) Recv[20,50)\n3: B[0,60) Recv[60,90)\n1>2 50 50 20 50\n1>3 90 90 60 90", 2, 60},
		{"2: B[0,60) Recv[60,90)\n3: B[0,20) Recv[20,50)\n1>3 50 50 20 50\n1>2 90 90 60 90", 1, 60},
		{"2: B[0,10) Recv[10,50)\n3: B[0,60) Recv[60,90)\n1>2 50 50 10 50\n1>3 90 90 60 90", 1, 10},
		{"2: B[0,20) Recv[20,50)\n3: B[0,55) Recv[55,90)\n1>2 50 50 20 50\n1>3 90 90 55 90", 2, 55}} {
		r := analyze(t, parse(t, sends+c.others), limit(1024))
		k := slices.IndexFunc(r.Delays, func(d waits.Delay) bool {
			return d.Thread == 0 && r.Regions[d.Region].Name == "A" && d.Waits == 2
		})
		if k < 0 {
			t.Errorf("%s: A is not in two waits: %+v", c.others, r.Delays)
			continue
		}
		if w := &r.Waits[r.Delays[k].Worst]; int64(w.Thread) != c.thread || w.From != c.from {
			t.Errorf("%s: %+v", c.others, *w)
		}
	}
}

// While a thread that waits for tasks executes one it does not wait, and the task is over when it ends itself and not
// when one inside of it does. The task of 2 has 2 and 18 of the time in which 1 waits.
func TestNestedTasks(t *testing.T) {
	check(t, `
		tasks 2
		1: Taskwait[50,100) Task[52,80) Task[60,70)
		2: Task[10,98)`,
		"1 [50,52) class 18 by 2", "1 [80,98) class 18 by 2", "2 task 20+0")
}

// Each class has a key and a name of its own, and the classes of one cause are those that it names.
func TestClasses(t *testing.T) {
	keys, names := map[string]bool{}, map[string]bool{}
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if c.Class.Info() != c || c.Class.String() != c.Name || keys[c.Key] || names[c.Name] {
			t.Errorf("%+v", *c)
		}
		if c.Waiting == (c.Group == "operation") {
			t.Errorf("%s: waiting %v in group %s", c.Key, c.Waiting, c.Group)
		}
		keys[c.Key], names[c.Name] = true, true
		late := strings.HasPrefix(c.Name, "Late Sender")
		if got := c.Class.IsLateSender(); got != late {
			t.Errorf("%s is for a sender: %v", c.Name, got)
		}
		receiver := c.Class == waits.LateReceiver || c.Class == waits.LateProgress
		if got := c.Class.WaitsForReceiver(); got != receiver {
			t.Errorf("%s is for a receiver: %v", c.Name, got)
		}
	}
	for _, c := range []waits.Class{waits.None, 21, 29, waits.Unexplained + 1, 255} {
		if *c.Info() != (waits.ClassInfo{}) || c.String() != "" {
			t.Errorf("%d: %+v", c, *c.Info())
		}
	}
}

// Threads of one task open parallel regions; those of others, and a thread's own, do not count.
func TestForkBefore(t *testing.T) {
	r := analyze(t, parse(t, `
		tasks 3 1
		1: Par[10,30) Par[50,70)
		2: Par[40,45)
		3: A[0,80)
		4: Par[60,62) A[62,90)`), limit(1024))
	for _, c := range []struct {
		thread   int32
		until    int64
		opener   int32
		openedAt int64
	}{{2, 9, -1, -1}, {2, 10, 0, 10}, {2, 39, 0, 10}, {2, 40, 1, 40}, {2, 49, 1, 40}, {2, 50, 0, 50}, {2, 90, 0, 50},
		{0, 39, -1, -1}, {0, 90, 1, 40}, {1, 90, 0, 50}, {3, 90, -1, -1}} {
		if opener, at := r.Fork(c.thread, c.until); opener != c.opener || at != c.openedAt {
			t.Errorf("thread %d up to %d: %d at %d, want %d at %d", c.thread, c.until, opener, at, c.opener, c.openedAt)
		}
	}
}

// 1 waits in the barrier from 30 to 40; it leaves it at 50, 2 at 56. The rest until the first leaves, 10 of each, is
// operation. The receive has no message, and the test none either: 10 and 5.
func TestTotals(t *testing.T) {
	r := analyze(t, parse(t, `
		1: Recv[0,10) A[10,20) Test[20,25) A[25,30) Barrier[30,50)
		2: A[0,40) Barrier[40,56)`), limit(1024))
	want := map[waits.Class][3]int64{waits.WaitBarrier: {1, 10, 10}, waits.BarrierCompletion: {1, 6, 6},
		waits.Operation: {2, 20, 10}, waits.Unexplained: {2, 15, 10}}
	for i := range waits.Classes {
		c := waits.Classes[i].Class
		x := &r.Totals[c]
		if got := [3]int64{x.Count, x.Time.Int64(), x.Longest}; got != want[c] {
			t.Errorf("%s: %v, want %v", c, got, want[c])
		}
	}
	if x := r.Totals[waits.WaitBarrier]; x.Direct.Int64() != 10 || x.Flagged.Int64() != 0 || r.Waiting().Int64() != 10 {
		t.Errorf("%+v, waiting %s", x, r.Waiting())
	}
}

// Barriers of a team are not collective operations of MPI. Only an Ibarrier returns immediately.
func TestKindsOfInstances(t *testing.T) {
	for _, c := range []struct {
		text                    string
		collective, nonblocking bool
	}{{"tasks 2\n1: Par[0,100) Teambarrier[10,50)\n2: f[0,100) Teambarrier[40,50)", false, false},
		{"1: Barrier[10,50)\n2: Barrier[40,50)", true, false},
		{"1: Ibarrier[10,12) Wait[30,50)\n2: Ibarrier[40,42) Wait[42,50)", true, true}} {
		r := analyze(t, parse(t, c.text), limit(1024))
		if len(r.Instances) == 0 {
			t.Errorf("%s: no instances", c.text)
		}
		for i := range r.Instances {
			if x := &r.Instances[i]; x.Collective() != c.collective || x.Nonblocking() != c.nonblocking {
				t.Errorf("%s: %+v", c.text, *x)
			}
		}
	}
}
