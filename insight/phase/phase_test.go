package phase_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/phase"
	"pview/prv"
)

// pcf names what the traces below use.
const pcf = `STATES
0    Idle
1    Running
9    Group Communication

EVENT_TYPE
9   50000001    MPI Point-to-point
VALUES
1   MPI_Send
2   MPI_Recv
0   Outside MPI

EVENT_TYPE
9   50000002    MPI Collective Comm
VALUES
7   MPI_Bcast
8   MPI_Barrier
10  MPI_Allreduce
99  MPI_Iallreduce
0   Outside MPI

EVENT_TYPE
9   1001   Iteration
`

// find finds the phases of a trace: a header for two tasks of one thread and the records given, which end at 100.
func find(t *testing.T, opt phase.Options, records ...string) *phase.Tiling {
	t.Helper()
	text := "#Paraver (01/01/26 at 00:00):100_ns:1(2):1:2(1:1,1:1)\n" + strings.Join(records, "\n") + "\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Labels, _, err = prv.ParseLabels("x.pcf", strings.NewReader(pcf)); err != nil {
		t.Fatal(err)
	}
	l, err := phase.Find(context.Background(), tr, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// work returns a task computing.
func work(task, from, to int) string { return fmt.Sprintf("1:%d:1:%d:1:%d:%d:1", task, task, from, to) }

// collective returns a task's part in an operation of all.
func collective(task, from, to, value int) string {
	return fmt.Sprintf("1:%d:1:%d:1:%d:%d:9\n2:%d:1:%d:1:%d:50000002:%d:50100004:1\n2:%d:1:%d:1:%d:50000002:0", task,
		task, from, to, task, task, from, value, task, task, to)
}

// boundaries returns the ends of the phases but the last.
func boundaries(l *phase.Tiling) string {
	var list []string
	for _, p := range l.Phases[:len(l.Phases)-1] {
		list = append(list, fmt.Sprint(p.End))
	}
	return strings.Join(list, " ")
}

func TestBoundaries(t *testing.T) {
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		// The last to enter does so at 30, the last to leave at 33.
		"last exit": {[]string{work(1, 0, 20), work(2, 0, 30), collective(1, 20, 32, 10), collective(2, 30, 33, 10),
			work(1, 32, 100), work(2, 33, 100)}, "33"},
		// Task 1 leaves the Bcast at once and computes when task 2 enters it at 30: nothing separates.
		"computation goes on": {[]string{work(1, 0, 20), work(2, 0, 30), collective(1, 20, 21, 7),
			collective(2, 30, 33, 7), work(1, 21, 100), work(2, 33, 100)}, ""},
		// A message sent at 10 and received at 50 passes the operation.
		"message passes": {[]string{work(1, 0, 20), work(2, 0, 30), collective(1, 20, 32, 10),
			collective(2, 30, 33, 10), work(1, 32, 100), work(2, 33, 100), "3:1:1:1:1:10:10:2:1:2:1:50:50:8:1"}, ""},
		// One that is received before does not.
		"message before": {[]string{work(1, 0, 20), work(2, 0, 30), collective(1, 20, 32, 10),
			collective(2, 30, 33, 10), work(1, 32, 100), work(2, 33, 100), "3:1:1:1:1:10:10:2:1:2:1:30:30:8:1"}, "33"},
		// A non-blocking operation does not wait.
		"non-blocking": {[]string{work(1, 0, 20), work(2, 0, 20), collective(1, 20, 22, 99), collective(2, 20, 22, 99),
			work(1, 22, 100), work(2, 22, 100)}, ""},
		// Only one task takes part.
		"one task": {[]string{work(1, 0, 20), collective(1, 20, 22, 10), work(1, 22, 100)}, ""},
		// Two in a row: the last is kept.
		"two in a row": {[]string{work(1, 0, 20), work(2, 0, 20), collective(1, 20, 22, 10), collective(2, 20, 22, 10),
			collective(1, 25, 27, 8), collective(2, 25, 27, 8), work(1, 27, 100), work(2, 27, 100)}, "27"},
		// Three in a row: the first is kept too.
		"three in a row": {[]string{work(1, 0, 20), work(2, 0, 20), collective(1, 20, 22, 10),
			collective(2, 20, 22, 10), collective(1, 25, 27, 8), collective(2, 25, 27, 8),
			collective(1, 30, 31, 8), collective(2, 30, 31, 8), work(1, 31, 100), work(2, 31, 100)}, "22 31"},
		// Task 1 was not traced during the first operation: calls that overlap belong together.
		"partly traced": {[]string{work(1, 0, 60), work(2, 0, 20), collective(2, 20, 22, 10), work(2, 22, 50),
			collective(1, 60, 62, 10), collective(2, 50, 62, 10), work(1, 62, 100), work(2, 62, 100)}, "62"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := boundaries(find(t, phase.Options{}, c.records...)); got != c.want {
				t.Errorf("boundaries at %q, want %q", got, c.want)
			}
		})
	}
}

// iteration marks the start of an iteration.
func iteration(task, at, n int) string {
	return fmt.Sprintf("2:%d:1:%d:1:%d:1001:%d", task, task, at, n)
}

// An iteration begins when the last task has begun it; the calls of the others since then belong to it already.
func TestMarkers(t *testing.T) {
	l := find(t, phase.Options{Marker: 1001}, work(1, 0, 100), work(2, 0, 100), iteration(1, 10, 1),
		iteration(2, 12, 1), collective(1, 14, 16, 10), collective(2, 14, 16, 10),
		iteration(1, 40, 2), collective(1, 41, 42, 10), iteration(2, 45, 2), collective(2, 46, 47, 10))
	if got := boundaries(l); got != "12 45" || l.From != phase.Events {
		t.Errorf("boundaries at %q from %d", got, l.From)
	}
	if len(l.Groups) != 2 || l.Phases[1].Group != l.Phases[2].Group || l.Groups[1].Occurrences != 2 {
		t.Errorf("groups: %+v", l.Groups)
	}
	if l := find(t, phase.Options{Marker: 7}, work(1, 0, 100)); len(l.Phases) != 1 ||
		!strings.Contains(l.Why, "no events of type 7") {
		t.Errorf("%+v", l)
	}
}

// The distance is |a-b| over max(a, b): 2 sends against 4, 1 receive against none: (2 + 1) / (4 + 1).
func TestDistance(t *testing.T) {
	a := phase.Signature{Counts: []phase.Count{{Name: "MPI_Recv", Per: 1}, {Name: "MPI_Send", Per: 2}}}
	b := phase.Signature{Counts: []phase.Count{{Name: "MPI_Send", Per: 4}}}
	if got := a.Distance(&b); got != 0.6 || b.Distance(&a) != got || a.Distance(&a) != 0 {
		t.Errorf("distance %v", got)
	}
	c := phase.Signature{Counts: []phase.Count{{Name: "MPI_Bcast", Per: 4}}}
	if got := b.Distance(&c); got != 1 {
		t.Errorf("distance of nothing in common: %v", got)
	}
	ab, ba := phase.Signature{Collectives: []string{"a", "b"}}, phase.Signature{Collectives: []string{"b", "a"}}
	if got := ab.Distance(&ba); got != 0.01 {
		t.Errorf("another order: %v", got)
	}
}

func TestNoSuchApplication(t *testing.T) {
	_, err := phase.Find(context.Background(), &prv.Trace{Labels: &prv.Labels{}}, phase.Options{Ptask: 3})
	if err == nil {
		t.Error("application 3 of none was accepted")
	}
}

// Two ranks mark steps 3 and 4 at 0 and 40; rank 2 at 10 and 45. The phases begin when both have begun; rank 2's ends
// at 80, rank 1's at 70. A step that one rank lacks is none.
func TestSteps(t *testing.T) {
	text := "#Paraver (01/01/26 at 00:00):100_ns:1(2):1:2(1:1,1:1)\n" + strings.Join([]string{
		"2:1:1:1:1:2:9702:4", "2:2:1:2:1:10:9702:4", "2:1:1:1:1:40:9702:0:9702:5", "2:2:1:2:1:45:9702:0:9702:5",
		"2:1:1:1:1:70:9702:0", "2:2:1:2:1:80:9702:0:9702:6", "2:2:1:2:1:90:9702:0"}, "\n") + "\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	labels := "EVENT_TYPE\n0   9702    Iteration\n"
	if tr.Labels, _, err = prv.ParseLabels("x.pcf", strings.NewReader(labels)); err != nil {
		t.Fatal(err)
	}
	l, err := phase.Find(context.Background(), tr, phase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range l.Phases {
		got = append(got, fmt.Sprint(p.Begin, " ", p.Name))
	}
	want := []string{"0 before the steps", "10 step 3", "45 step 4", "80 after the steps"}
	if l.From != phase.Steps || strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("%v: %q, want %q", l.From, got, want)
	}
}
