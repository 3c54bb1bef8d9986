package puppet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pview/prv"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/puppet"
)

// expected is the exact result of a golden case; times in us.
type expected struct {
	ID         string
	Exit       []*int64
	T          *int64
	TotalCPU   int64
	Blocked    []int64
	Busy       map[string]int64
	Deadlocked []int32
	Speedup    float64
	Matches    []expectedMatch
}

// expectedMatch is a message and its receive.
type expectedMatch struct {
	Src, Dst              int32
	Tag                   any
	Bytes                 int64
	Sent, Arrived, Posted int64
}

const cases = "../../testdata/puppet"

func readCases(t *testing.T) (list []expected) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cases, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// open reads a log and the machine of a model for it.
func open(t testing.TB, log, model string) (*sim.Program, *sim.Machine) {
	t.Helper()
	l, err := puppet.OpenLog(log)
	if err != nil {
		t.Fatal(err)
	}
	m, err := puppet.OpenModel(model)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := m.Machine(len(l.Program.Tasks))
	if err != nil {
		t.Fatal(err)
	}
	return l.Program, machine
}

// TestCases: the 89 golden cases, to the ns: exit times, total CPU time, blocked time, busy time of processors,
// speedup, deadlocks and the times of each message.
func TestCases(t *testing.T) {
	list := readCases(t)
	if len(list) != 89 {
		t.Fatalf("%d cases", len(list))
	}
	for _, c := range list {
		t.Run(c.ID, func(t *testing.T) {
			base := filepath.Join(cases, c.ID)
			p, m := open(t, base+".log", base+".model")
			r, err := engine.Run(context.Background(), p, m, sim.Options{Trace: true})
			var dead *sim.Deadlock
			if errors.As(err, &dead) {
				checkDeadlock(t, &c, dead)
				r = dead.Result
			} else if err != nil {
				t.Fatal(err)
			} else if len(c.Deadlocked) > 0 {
				t.Fatal("no deadlock")
			}
			checkTotals(t, &c, r, m)
			if dead == nil {
				checkMatches(t, &c, r.Trace)
			}
		})
	}
}

func checkDeadlock(t *testing.T, c *expected, dead *sim.Deadlock) {
	var who []int32
	for _, w := range dead.Waits {
		who = append(who, w.Task)
	}
	if !slices.Equal(who, c.Deadlocked) {
		t.Errorf("%v are blocked for ever, not %v", who, c.Deadlocked)
	}
}

func checkTotals(t *testing.T, c *expected, r *sim.Result, m *sim.Machine) {
	at := make([]int, len(r.Tasks))
	for j := range at {
		at[j] = m.Mapping[0].Nodes[j]
		if c.Exit[j] != nil && r.Tasks[j].End != *c.Exit[j]*1000 {
			t.Errorf("rank %d ends at %d ns, not %d us", j, r.Tasks[j].End, *c.Exit[j])
		}
		if c.Blocked != nil && math.Abs(r.Tasks[j].Blocked()-float64(c.Blocked[j])*1000) > 1e-3 {
			t.Errorf("rank %d is blocked for %g ns, not %d us", j, r.Tasks[j].Blocked(), c.Blocked[j])
		}
	}
	busy := map[string]int64{}
	for j, n := range at {
		busy[fmt.Sprint(n)] += int64(math.Round(r.Tasks[j].Computation / 1000))
	}
	for n, want := range c.Busy {
		if busy[n] != want {
			t.Errorf("processor %s is busy for %d us, not %d", n, busy[n], want)
		}
	}
	if c.T == nil {
		return
	}
	if r.Total != *c.T*1000 || math.Abs(r.Computation-float64(c.TotalCPU)*1000) > 1e-3 {
		t.Errorf("T %d and CPU time %g ns, not %d and %d us", r.Total, r.Computation, *c.T, c.TotalCPU)
	}
	if math.Abs(r.Speedup-c.Speedup) > 1e-6 {
		t.Errorf("speedup %g, not %g", r.Speedup, c.Speedup)
	}
}

// checkMatches compares the messages of the predicted trace.
func checkMatches(t *testing.T, c *expected, tr *prv.Trace) {
	var got, want []string
	for i := range tr.Comms.Len() {
		c := &tr.Comms
		got = append(got, fmt.Sprintf("%d-%d %d bytes, sent %d, arrived %d, posted %d", c.Send[i], c.Recv[i], c.Size[i],
			c.Times[prv.PhysicalSend][i]/1000, c.Times[prv.PhysicalRecv][i]/1000, c.Times[prv.LogicalRecv][i]/1000))
	}
	for _, m := range c.Matches {
		want = append(want, fmt.Sprintf("%d-%d %d bytes, sent %d, arrived %d, posted %d", m.Src, m.Dst, m.Bytes, m.Sent,
			m.Arrived, m.Posted))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("messages %q, not %q", got, want)
	}
}
