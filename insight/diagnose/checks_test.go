package diagnose_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
)

// Check 24. R12: 10, 10, 10 and 18 executions of 5: (18 - 12) x 5. R13: ten executions each of 4, 4, 4 and 8: (8 - 5) x
// 40/4. R14: overhead of 3, 1, 1 and 3 beside work of 10, 1, 1 and 10: 3 - 2. R15: work of 10, 0, 10, 0 and overhead of
// 0, 10, 0, 10 is even.
func TestCheck24(t *testing.T) {
	build := func(counts, work, overhead [4]int64) *diagnose.Result {
		m := newMaker(t, 4, 1)
		ends, most := [4]int64{}, int64(0)
		for th := range 4 {
			at := int64(0)
			for range counts[th] {
				m.work(th+1, at, at+work[th], 1)
				at += work[th]
				if counts[th] > 1 { // something else in between: two executions
					m.work(th+1, at, at+1, 2)
					at++
				}
			}
			if overhead[th] > 0 {
				m.b.State(int32(th), 0, at, at+overhead[th], 7)
				at += overhead[th]
			}
			ends[th], most = at, max(most, at)
		}
		for th := range 4 {
			m.barrier(th+1, ends[th], most+most/2)
		}
		return m.diagnose()
	}
	for _, c := range []struct {
		rule         report.RuleID
		counts, work [4]int64
		cost         float64
	}{{"R12", [4]int64{10, 10, 10, 18}, [4]int64{5, 5, 5, 5}, 30},
		{"R13", [4]int64{10, 10, 10, 10}, [4]int64{4, 4, 4, 8}, 30},
		// 26 is 1.21 times the mean of 21.5, 27 is 1.24 times that of 21.75: just above the threshold of 1.2.
		{"R12", [4]int64{20, 20, 20, 26}, [4]int64{5, 5, 5, 5}, 22.5},
		{"R13", [4]int64{10, 10, 10, 10}, [4]int64{20, 20, 20, 27}, 52.5}} {
		if f := find(build(c.counts, c.work, [4]int64{}).Findings, c.rule); f == nil || !near(f.Severity, c.cost) {
			t.Errorf("%s: %+v", c.rule, f)
		}
		diagnose.Noted(t, c.rule, true)
	}
	one := [4]int64{1, 1, 1, 1}
	if r := build(one, [4]int64{10, 1, 1, 10}, [4]int64{3, 1, 1, 3}); find(append(r.Findings, r.Minor...),
		"R14").Severity != 1 {
		t.Errorf("R14: %+v, minor %+v", r.Findings, r.Minor)
	}
	even := build(one, [4]int64{10, 0, 10, 0}, [4]int64{0, 10, 0, 10})
	for _, rule := range []report.RuleID{"R12", "R13", "R14", "R15"} {
		fires(t, "roles", even, rule, 0)
	}
}

// Check 25: one of four threads works for 8 while the others wait: 8 x 3/4.
func TestCheck25(t *testing.T) {
	m := newMaker(t, 4, 1)
	m.work(1, 0, 16, 1)
	for th := 2; th <= 4; th++ {
		m.b.State(int32(th-1), 0, 0, 8, 0)
		m.work(th, 8, 16, 1)
	}
	fires(t, "alone", m.diagnose(), "R09", 6)
}

// figures returns the contents of a report but for the places of records.
func figures(r *diagnose.Result) string {
	var b strings.Builder
	for _, f := range append(slices.Clone(r.Findings), r.Minor...) {
		fmt.Fprintf(&b, "%s %s %.6f %.6f %s %v\n", f.Rule, f.Key, f.Severity, f.Share, f.Title, f.Threads)
	}
	return fmt.Sprint(b.String(), lost(r.Account), r.Utilisation, r.Recoverable)
}

// Check 39: lines of the same time in another order change nothing.
func TestCheck39(t *testing.T) {
	for _, text := range []string{late(107), barriers(30)} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		body := slices.Clone(lines[1:])
		// By thread the order is kept; the threads of one instant change places.
		slices.SortStableFunc(body, func(x, y string) int {
			var ax, ay, tx, ty int
			fmt.Sscanf(timeOf(x), "%d %d", &ax, &tx)
			fmt.Sscanf(timeOf(y), "%d %d", &ay, &ty)
			if ax != ay {
				return ax - ay
			}
			return ty - tx
		})
		a, b := run(t, read(t, text), diagnose.Default), run(t, read(t, lines[0]+"\n"+strings.Join(body, "\n")+"\n"),
			diagnose.Default)
		if figures(a) != figures(b) || len(a.Findings) == 0 {
			t.Errorf("%s\n%s", figures(a), figures(b))
		}
	}
}

// timeOf returns the time and task of a record.
func timeOf(line string) string {
	f := strings.Split(line, ":")
	return f[5] + " " + f[3]
}

// Check 40: the same twice; with all times doubled costs double and shares stay.
func TestCheck40(t *testing.T) {
	double := func(text string) string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		lines[0] = strings.ReplaceAll(lines[0], ":96_ns", ":192_ns")
		for i := 1; i < len(lines); i++ {
			f := strings.Split(lines[i], ":")
			for k := 5; k < len(f) && (k < 7 && f[0] == "1" || k < 6); k++ {
				var n int
				fmt.Sscan(f[k], &n)
				f[k] = fmt.Sprint(2 * n)
			}
			lines[i] = strings.Join(f, ":")
		}
		return strings.Join(lines, "\n") + "\n"
	}
	set := diagnose.Default
	one, two, none := 1.0, 2.0, 0.0
	set.Latency, set.PerByte = &one, &none
	a, again := run(t, read(t, barriers(30)), set), run(t, read(t, barriers(30)), set)
	if figures(a) != figures(again) {
		t.Error("another report of the same run")
	}
	set.Latency = &two
	b := run(t, read(t, double(barriers(30))), set)
	if len(a.Findings) != len(b.Findings) || len(a.Findings) == 0 || a.Utilisation != b.Utilisation {
		t.Fatalf("%s\n%s", figures(a), figures(b))
	}
	for i := range a.Findings {
		x, y := &a.Findings[i], &b.Findings[i]
		if x.Rule != y.Rule || x.Severity != report.NoSeverity &&
			(!near(2*x.Severity, y.Severity) || !near(x.Share, y.Share)) {
			t.Errorf("%+v, doubled %+v", x, y)
		}
	}
}

// Check 41: the second iteration alone: 10, of its 32.
func TestCheck41(t *testing.T) {
	set := diagnose.Default
	one, none := 1.0, 0.0
	set.Latency, set.PerByte = &one, &none
	r, err := diagnose.Analyze(context.Background(), read(t, barriers(30)),
		diagnose.Options{Settings: &set, From: 32, To: 64})
	if err != nil {
		t.Fatal(err)
	}
	f := find(r.Findings, "R13")
	if f == nil || f.Severity != 10 || !near(f.Share, 0.3125) || f.Evidence[0].From != 32 || f.Evidence[0].To != 64 ||
		r.Length != 32 {
		t.Errorf("%+v", r.Findings)
	}
	if g, ok, err := answer.GapAt(context.Background(), r, 0, 50); !ok || err != nil || g.From != 42 || g.To != 64 ||
		lost(g.Account) != "wait for function 1 on 1.2.1 20, transfer in value 8 1, slow transfer in value 8 1" {
		t.Errorf("gap %+v: %s", g, lost(g.Account))
	}
}

// Check 52: no more than can be recovered is found, and no more can be than the run is long.
func TestCheck52(t *testing.T) {
	for _, c := range plants {
		r := verified(t, c.faulty().Run(t))
		if r.Recoverable > float64(r.Length) || len(r.Findings) == 0 || r.Findings[0].Weight() > r.Recoverable+1 {
			t.Errorf("%s: %+v of %f of %d", c.rule, r.Findings, r.Recoverable, r.Length)
		}
	}
}

// Check 53: a thread with more work that sends at the end of it, to one that waits: one finding with one below it.
func TestCheck53(t *testing.T) {
	m := newMaker(t, 2, 1)
	m.work(1, 0, 100, 1)
	m.call(1, 100, 101, 50000001, 3, 10)
	m.barrier(1, 101, 132)
	m.work(2, 0, 20, 1)
	m.recv(2, 20, 102)
	m.work(2, 102, 130, 1)
	m.barrier(2, 130, 132)
	m.message(1, 2, 100, 101, 20, 102)
	r := m.diagnose()
	top := 0
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == "R13" || f.Rule == "R02" {
			top++
			if find(f.Children, "R02") == nil && find(f.Children, "R13") == nil {
				t.Errorf("%s stands alone: %+v", f.Rule, f)
			}
		}
	}
	if top != 1 {
		t.Errorf("%d findings: %+v", top, r.Findings)
	}
}

// Check 58: the gap of task 2 in F8 at 50: 80 until task 1 sends, 7 on its way; it leads to the late message.
func TestCheck58(t *testing.T) {
	r := run(t, read(t, late(107)), diagnose.Default)
	g, ok, err := answer.GapAt(context.Background(), r, 1, 50)
	if !ok || err != nil || lost(g.Account) != "wait for computation on 1.1.1 80, transfer in waiting a message 7" ||
		g.From != 20 ||
		g.To != 107 {
		t.Errorf("%+v: %s", g, lost(g.Account))
	}
	linked := false
	for _, f := range g.Findings {
		linked = linked || f.Rule == "R02" || find(f.Children, "R02") != nil
	}
	if !linked {
		t.Errorf("findings %+v", g.Findings)
	}
	if _, ok, _ := answer.GapAt(context.Background(), r, 1, 120); ok {
		t.Error("task 2 computes at 120")
	}
}
