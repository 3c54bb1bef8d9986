package diagnose

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/eventgraph"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/runtest"
)

// keysOf are the keys of findings, in their order.
func keysOf(list []report.Finding) string {
	var keys []string
	for i := range list {
		keys = append(keys, list[i].Key)
	}
	return strings.Join(keys, " ")
}

// Where the run is bound by computation, and no other finding is significant, that comes first but for warnings. A
// significant finding is one of a hundredth of the run: here 100, of 10,000.
func TestBoundByComputation(t *testing.T) {
	for _, c := range []struct {
		first   float64
		bound   bool
		warning bool
		want    string
	}{{99, true, false, "path first second"}, {100, true, false, "first second path"},
		{99, false, false, "first second path"}, {99, true, true, "first path second"}} {
		a := ofLength(10_000)
		a.bound = c.bound
		a.out.Findings = []report.Finding{{Rule: "R13", Key: "second", Severity: 50},
			{Rule: criticalPathID, Key: "path", Severity: 20},
			{Rule: "R14", Key: "first", Severity: c.first, Warning: c.warning}}
		a.out.Minor = []report.Finding{{Key: "less", Severity: 1}, {Key: "more", Severity: 2}}
		a.rank()
		if got := keysOf(a.out.Findings); got != c.want || keysOf(a.out.Minor) != "more less" {
			t.Errorf("%+v: %s, minor %s", c, got, keysOf(a.out.Minor))
		}
	}
}

// replayOff is a run whose replay without a change ends off by a share of it.
type replayOff struct {
	remedy.Replayed
	share float64
}

func (r replayOff) Deviation() float64 { return r.share }

// No repair is simulated where the replay fails, or ends further off than allowed. Both are noted.
func TestDoubt(t *testing.T) {
	for _, c := range []struct {
		off  float64
		err  error
		want string
	}{{0.05, nil, ""}, {0.1, nil, ""}, {0.2, nil, "without a change the replay ends 20.0 % off"},
		{0.2, errors.New("it hangs"), "it hangs"}} {
		a := ofLength(1000)
		reason := a.doubt(replayOff{share: c.off}, 0.1, c.err)
		noted := c.want == "" && a.out.Notes == nil || slices.Equal(a.out.Notes, []string{c.want +
			": no repair is simulated"})
		if reason != c.want || !noted || c.err == nil && a.out.Deviation != c.off {
			t.Errorf("%+v: %q, notes %q, off %f", c, reason, a.out.Notes, a.out.Deviation)
		}
	}
}

// The first are checked, one without a cost is not. One whose repair gains less than a trifle, 1 of 1000, becomes
// minor, and what it explained is checked in its place.
func TestCheckFirst(t *testing.T) {
	list := func() []report.Finding {
		return []report.Finding{{Rule: "R13", Key: "a", Severity: 300,
			Children: []report.Finding{{Rule: "R13", Key: "child", Severity: 90}}},
			{Rule: "R13", Key: "free", Severity: report.NoSeverity}, {Rule: "R13", Key: "b", Severity: 200},
			{Rule: "R13", Key: "c", Severity: 100}}
	}
	for _, c := range []struct {
		most                  int
		gain                  float64 // of a
		checked, found, minor string
	}{
		{0, 0, "", "a b c free", ""},
		{1, 1, "a", "b c a free", ""},
		{1, 0.5, "a", "b c child free", "a"},
		{2, 0.5, "a child", "b c child free", "a"},
		{3, 0.5, "a child b", "b c child free", "a"},
		{9, 1, "a b c", "b c a free", ""},
	} {
		a := ofLength(1000)
		a.out.Findings = list()
		var checked []string
		err := a.checkFirst(c.most, nil, func(f *report.Finding) error {
			checked = append(checked, f.Key)
			f.Checked, f.Verified = report.Confirmed, f.Severity
			if f.Key == "a" {
				f.Verified = c.gain
			}
			return nil
		})
		if err != nil || strings.Join(checked, " ") != c.checked || keysOf(a.out.Findings) != c.found ||
			keysOf(a.out.Minor) != c.minor {
			t.Errorf("%d, gain %v: checked %q, found %q, minor %q, %v", c.most, c.gain, checked, keysOf(a.out.Findings),
				keysOf(a.out.Minor), err)
		}
		if len(a.out.Minor) > 0 && a.out.Minor[0].Children != nil {
			t.Error("what stands for itself is still below the minor finding")
		}
	}
	a := ofLength(1000)
	a.out.Findings = list()
	stopped := errors.New("stopped")
	if err := a.checkFirst(1, nil, func(*report.Finding) error { return stopped }); err != stopped {
		t.Error(err)
	}
}

// A finding that the cut-off would make minor is one if its repair was simulated.
func TestCheckDoubtful(t *testing.T) {
	a := ofLength(1000)
	doubtful := map[aboutOf]bool{}
	for _, key := range []string{"gains", "vague", "late"} {
		a.out.Findings = append(a.out.Findings, report.Finding{Rule: "R13", Key: key, Severity: 10})
		doubtful[aboutOf{"R13", key}] = true
	}
	err := a.checkFirst(2, doubtful, func(f *report.Finding) error {
		if f.Checked, f.Unchecked = report.CannotTell, "no repair"; f.Key == "gains" {
			f.Checked, f.Verified, f.Unchecked = report.Confirmed, 5, ""
		}
		return nil
	})
	if err != nil || keysOf(a.out.Findings) != "gains" || keysOf(a.out.Minor) != "vague late" {
		t.Errorf("found %q, minor %q, %v", keysOf(a.out.Findings), keysOf(a.out.Minor), err)
	}
	for _, f := range a.out.Minor {
		if f.Checked != report.NotChecked || f.Unchecked != "" {
			t.Errorf("%s: %v, %q", f.Key, f.Checked, f.Unchecked)
		}
	}
}

// Figures add up, the worst keeps its name, of two equal ones the first; a thread has the time if it has more than
// half.
func TestTally(t *testing.T) {
	var sum tally
	for _, x := range []struct {
		n           int
		time, worst float64
		name        string
		thread      int32
	}{{2, 10, 6, "a", 1}, {1, 10, 6, "b", 2}, {3, 5, 5, "c", 2}} {
		one := tally{n: x.n, sum: x.time, worst: x.worst, name: x.name}
		one.hold(x.thread, x.time)
		sum.add(&one)
	}
	if sum.n != 6 || sum.sum != 25 || sum.worst != 6 || sum.name != "a" || sum.held[1] != 10 || sum.held[2] != 15 {
		t.Errorf("%+v", sum)
	}
	if th, ok := sum.holder(); th != 2 || !ok { // 15 of 25
		t.Errorf("thread %d, %v", th, ok)
	}
	sum.add(&tally{sum: 5})
	if th, ok := sum.holder(); ok { // 15 of 30
		t.Errorf("thread %d has half", th)
	}
}

// Places move by the start of the part, and so do those of what a finding explains; messages are those of the trace.
func TestLater(t *testing.T) {
	place := func(message int32) report.Finding {
		var f report.Finding
		f.Show(report.Evidence{From: 3, To: 7, Messages: []int32{message}})
		return f
	}
	f := place(1)
	f.Children = []report.Finding{place(0)}
	later([]report.Finding{f}, 100, []int32{40, 50})
	for want, e := range map[int32]report.Evidence{50: f.Evidence[0], 40: f.Children[0].Evidence[0]} {
		if e.From != 103 || e.To != 107 || !slices.Equal(e.Messages, []int32{want}) {
			t.Errorf("%+v, want message %d", e, want)
		}
	}
}

// A stretch without time is no change.
func TestChangesAtPlaces(t *testing.T) {
	var r result
	r.takes(2, 10, 20, 0.5)
	r.takes(2, 20, 20, 0.5)
	r.takes(2, 30, 20, 0.5)
	r.moves(replay.OfSend, 4, 15)
	want := []replay.Change{{Kind: replay.OfTime, Thread: 2, From: 10, To: 20, Factor: 0.5},
		{Kind: replay.OfSend, Message: 4, From: 15}}
	if !slices.Equal(r.changes, want) {
		t.Errorf("%+v", r.changes)
	}
	a := ofLength(1)
	a.keepChanges(&result{Finding: report.Finding{Rule: "R13"}, key: "none"})
	if a.changes != nil {
		t.Error("no change is kept")
	}
	r.Rule, r.key = "R13", "x"
	a.keepChanges(&r)
	a.keepChanges(&r)
	if got := a.changes[aboutOf{"R13", "x"}]; len(got) != 4 || len(a.changes) != 1 {
		t.Errorf("%+v", a.changes)
	}
}

// A run is good from the efficiency on at which nobody looks for more.
func TestGood(t *testing.T) {
	const whole = 1_000_000
	gate := int64(math.Round(Default.Gate * whole))
	for useful, want := range map[int64]bool{gate - 1: false, gate: true, gate + 1: true, 0: false, whole: true} {
		sums := account.Sums{account.Computing: useful, account.Wait: whole - useful}
		r := &Result{analysis: ofLength(whole),
			Account: &account.Account{To: whole, Threads: 1, ByThread: []account.Sums{sums}}}
		if r.Good() != want {
			t.Errorf("%d of %d useful: good %v", useful, whole, r.Good())
		}
	}
	if !(&Result{}).Good() || !(&Result{analysis: ofLength(1)}).Good() {
		t.Error("a run of which nothing is known is not good")
	}
}

// Of the entries that are executed only the one of the task to place is of a balancer, with all of its units.
func TestDynamicClass(t *testing.T) {
	a := &analysis{Graph: runtest.Graph(t, runtest.Driven(t))}
	const placed = 3 // unit
	for i := range a.Units {
		key := fmt.Sprint(a.Units[i].Class)
		if want := a.Units[i].Class == a.Units[placed].Class; a.dynamicClass(key) != want {
			t.Errorf("unit %d, class %s: placed %v", i, key, !want)
		}
	}
	if a.dynamicClass("") || (&analysis{Graph: &eventgraph.Graph{}}).dynamicClass("0") {
		t.Error("a class without units is placed")
	}
}
