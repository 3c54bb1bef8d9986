package calls

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
)

// stacksOf writes the events of each level of a trace's stacks: time and name.
func stacksOf(t *testing.T, text, pcf string) (levels []string, s *Stacks) {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Labels, _, err = prv.ParseLabels("a.pcf", strings.NewReader(pcf)); err != nil {
		t.Fatal(err)
	}
	if s, err = StacksOf(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	for i := range s.Trace.Threads {
		var level []string
		for k, at := range s.Trace.Threads[i].Events.Time {
			level = append(level, fmt.Sprintf("%d %s", at,
				s.Trace.Labels.ValueName(StackType, s.Trace.Threads[i].Events.Value.At(k))))
		}
		levels = append(levels, s.Trace.Name(prv.LevelThread, i)+": "+strings.Join(level, ", "))
	}
	return levels, s
}

const stackLabels = `EVENT_TYPE
0 60000019 User function
VALUES
1 solve
2 sweep

EVENT_TYPE
0 50000001 MPI Point-to-point
VALUES
2 MPI_Recv

EVENT_TYPE
0 70000001 Caller at level 1
0 70000002 Caller at level 2
0 70000003 Caller at level 3
VALUES
1 exchange
2 solve
3 main
`

// Thread 1 is in solve from 10 to 90, in sweep from 20 to 40 and in MPI_Recv, called by exchange, from 50 to 60. The
// callers of solve are known only while MPI is called, so main is not a level. Thread 2 has no functions: all three
// callers are levels while it is in MPI. Thread 3 calls MPI within a function that is not among the callers, which are
// left out then. A function that ends before the call within it does not move that call to another level.
func TestStacks(t *testing.T) {
	got, s := stacksOf(t, `#Paraver (01/01/2026 at 10:00):100:1(1):1:3(1:1,1:1,1:1)
2:1:1:1:1:10:60000019:1
2:1:1:1:1:20:60000019:2
2:1:1:1:1:40:60000019:0
2:1:1:1:1:50:50000001:2:70000001:1:70000002:2:70000003:3
2:1:1:1:1:60:50000001:0
2:1:1:1:1:90:60000019:0
2:1:1:2:1:50:70000003:3:70000001:1:70000002:2
2:1:1:2:1:50:50000001:2
2:1:1:2:1:70:50000001:0
2:1:1:3:1:10:60000019:2
2:1:1:3:1:20:50000001:2:70000001:1
2:1:1:3:1:30:60000019:0
2:1:1:3:1:35:50000001:0
`, stackLabels)
	want := []string{
		"THREAD 1.1.1:1: 10 solve, 90 outside",
		"THREAD 1.1.1:2: 20 sweep, 40 outside, 50 exchange, 60 outside",
		"THREAD 1.1.1:3: 50 MPI_Recv, 60 outside",
		"THREAD 1.2.1:1: 50 main, 70 outside",
		"THREAD 1.2.1:2: 50 solve, 70 outside",
		"THREAD 1.2.1:3: 50 exchange, 70 outside",
		"THREAD 1.2.1:4: 50 MPI_Recv, 70 outside",
		"THREAD 1.3.1:1: 10 sweep, 30 outside",
		"THREAD 1.3.1:2: 20 MPI_Recv, 35 outside",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if fmt.Sprint(s.First) != "[0 3 7 9]" || s.Cut != 0 {
		t.Errorf("first threads %v, %d cut", s.First, s.Cut)
	}
	if _, err := StacksOf(context.Background(), s.Trace); err == nil {
		t.Error("a trace without calls has stacks")
	}
}

// Of 70 nested calls 64 are levels; all end at the end of the run.
func TestDeepStack(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):100:1(1):1:1(1:1)\n"
	for i := range 70 {
		text += fmt.Sprintf("2:1:1:1:1:%d:60000019:1\n", i)
	}
	got, s := stacksOf(t, text, stackLabels)
	if len(got) != 64 || s.Cut != 6 || got[63] != "THREAD 1.1.1:64: 63 solve, 100 outside" {
		t.Errorf("%d levels, %d cut, the last: %s", len(got), s.Cut, got[len(got)-1])
	}
}
