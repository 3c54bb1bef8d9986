package diagnose_test

import (
	"slices"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/report"
)

// says reports whether a rule found something, however little, also below another finding.
func says(r *diagnose.Result, rule report.RuleID) bool {
	return slices.ContainsFunc(slices.Concat(r.Findings, r.Minor), func(f report.Finding) bool {
		return f.Rule == rule || find(f.Children, rule) != nil
	})
}

// R02: a message is late from 0.8 of its sender's unit on, which has 110: from 88. Its receiver waits for it since 20,
// and must wait longer than the message takes, which is 1.
func TestFromWhenLate(t *testing.T) {
	for _, c := range []struct {
		sent, posted int64
		want         bool
	}{{87, 20, false}, {88, 20, true}, {100, 20, true}, {100, 90, true}, {100, 100, false}} {
		m := newMaker(t, 2, 1)
		m.work(1, 0, c.sent, 1)
		m.call(1, c.sent, c.sent+1, 50000001, 3, 10)
		m.work(1, c.sent+1, 110, 1)
		m.barrier(1, 110, 150)
		m.work(2, 0, c.posted, 1)
		m.recv(2, c.posted, c.sent+2)
		m.work(2, c.sent+2, 148, 1)
		m.barrier(2, 148, 150)
		m.message(1, 2, c.sent, c.sent, c.posted, c.sent+2)
		if got := says(m.diagnose(ungated), "R02"); got != c.want {
			t.Errorf("sent at %d, awaited since %d: %v", c.sent, c.posted, got)
		}
	}
}

// R04: four messages in a row to one thread are worth combining, three are not, nor are four to two threads in turn.
func TestWhatIsARow(t *testing.T) {
	for _, c := range []struct {
		to   []int
		want bool
	}{{[]int{2, 2, 2, 2}, true}, {[]int{2, 2, 2}, false}, {[]int{2, 3, 2, 3, 2, 3, 2, 3}, false},
		{[]int{3, 3, 2, 2, 2, 2, 3, 3}, true}, {[]int{2, 2, 3, 3, 2, 2, 3, 3}, false}} {
		m := newMaker(t, 3, 1)
		at, next := int64(10), []int64{10, 10, 10}
		m.work(1, 0, at, 1)
		for _, to := range c.to {
			m.call(1, at, at+5, 50000001, 3, 10)
			m.message(1, to, at, at+5, next[to-1], at+6)
			m.recv(to, next[to-1], at+6)
			at, next[to-1] = at+5, at+6
		}
		for th := 2; th <= 3; th++ {
			m.work(th, 0, 10, 1)
			m.work(th, next[th-1], 100, 1)
		}
		m.work(1, at, 100, 1)
		if got := says(m.diagnose(ungated), "R04"); got != c.want {
			t.Errorf("to %v: %v", c.to, got)
		}
	}
}

// ungated looks also at phases that use the processors well.
func ungated(s *diagnose.Settings) { s.Gate = 2 }
