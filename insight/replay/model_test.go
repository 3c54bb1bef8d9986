package replay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
)

// traces returns those of the repository and, where they are there, those of the kit.
func traces() (list []string) {
	for _, pattern := range []string{"../../testdata/traces/*/*.prv*", "../../../shared/traces/*/*.prv*",
		"../../../shared/faults/examples/*/*.prv.gz", os.Getenv("PVIEW_CASES")} {
		found, _ := filepath.Glob(pattern)
		list = append(list, found...)
	}
	return list
}

// modelOf builds the model of a trace; nil for a message-driven run.
func modelOf(t *testing.T, path string) *replay.Model {
	t.Helper()
	trace, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Skip(err)
	}
	if execution.IsDriven(trace) {
		return nil
	}
	return runtest.Model(t, trace)
}

// Without a change the replay ends when the run did, within a thousandth, where the clocks do not contradict each
// other.
func TestReplays(t *testing.T) {
	paths := traces()
	if len(paths) == 0 {
		t.Fatal("no traces")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m := modelOf(t, path)
			if m == nil || m.Skewed > 0 {
				return
			}
			if off := m.Base() - m.End; max(off, -off)*1000 > m.End {
				t.Errorf("ends at %d, the run at %d", m.Base(), m.End)
			}
		})
	}
}

// Task 1 computes for 1000 ns and waits in MPI_Waitall until 100000 for messages of tasks 2, on its node, and 3, on
// another one. Both are sent at 1000. Messages that single receives wait for take 2000 ns within a node, 10000 between
// nodes. So the call waits for task 3, whose message needs 90000 longer than usual: without that one it ends when the
// other message is there, 2000 ns after its send. A delay between nodes does not delay messages within one.
func TestWaitallOfTwoWays(t *testing.T) {
	lines := []string{"#Paraver (01/01/03 at 00:00):200000_ns:2(2,1):1:3(1:1,1:1,1:2)"}
	add := func(format string, a ...any) { lines = append(lines, fmt.Sprintf(format, a...)) }
	for _, task := range []int{1, 2, 3} {
		add("1:%d:1:%d:1:0:200000:1", task, task)
	}
	call := func(task, from, to, value int) {
		add("2:%d:1:%d:1:%d:50000001:%d", task, task, from, value)
		add("2:%d:1:%d:1:%d:50000001:0", task, task, to)
	}
	send := func(task, at, posted, there int) {
		call(task, at, at+100, 1)
		add("3:%d:1:%d:1:%d:%d:1:1:1:1:%d:%d:8:1", task, task, at, at, posted, there)
	}
	call(1, 500, 600, 4) // MPI_Irecv
	call(1, 700, 800, 4)
	call(1, 1000, 100_000, 6) // MPI_Waitall
	send(2, 1000, 500, 100_000)
	send(3, 1000, 700, 100_000)
	call(1, 110_000, 122_000, 2)
	send(2, 120_000, 110_000, 122_000)
	call(1, 130_000, 150_000, 2)
	send(3, 140_000, 130_000, 150_000)
	trace, err := prv.Read(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := runtest.Model(t, trace)
	e := m.NewEdit()
	for k, edge := range m.Edge {
		if trace.Comms.Times[prv.LogicalSend][edge.Ref] == 1000 && trace.Comms.Send[edge.Ref] == 2 {
			e.SetLag(int32(k), replay.Gone)
		}
	}
	if at := m.Times(e)[m.ExitOf(0, 2)]; at != 3000 {
		t.Errorf("the call ends at %d, not 3000", at)
	}
}

// An edit that takes a time away and puts it back changes nothing, and edits of other places add up.
func TestEdits(t *testing.T) {
	paths := traces()
	m := modelOf(t, paths[0])
	if m == nil {
		t.Skip("message-driven")
	}
	node := m.Last[0]
	for n, own := range m.Own {
		if own > m.Own[node] {
			node = int32(n)
		}
	}
	one, two := m.NewEdit(), m.NewEdit()
	one.Add(node, -m.Own[node]/2)
	two.Add(node, m.Own[node]/2)
	if got := m.Run(one.Join(two)); max(got-m.Base(), m.Base()-got) > 1 {
		t.Errorf("there and back: %d instead of %d", got, m.Base())
	}
	if m.Gain(one) < 0 || m.Gain(two) > 0 {
		t.Errorf("less time gains %d, more %d", m.Gain(one), m.Gain(two))
	}
}
