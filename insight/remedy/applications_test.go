package remedy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
)

// The threads of an application are compared, and share work, among themselves.

// Two applications of 8 and 4 tasks execute code of their own, with replicated work as in TestReplicated.
func TestReplicatedInOneApplication(t *testing.T) {
	c := runBoth(t, 12, 4, 20, 10, func(task, n int) work {
		return work{ms + int64(n%2)*int64(task%8)*us, 1, 1}
	}, func(task, n int) int64 { return 7 + int64(n%2) + int64(task/8)*10 })
	list, err := remedy.NewRun(context.Background(), c).Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(x *remedy.Candidate) bool { return x.Kind == report.Replicated })
	if i < 0 || list[i].Spec != "share:region=function 7/threads=1.1.1-1.8.1; "+
		"share:region=function 17/threads=2.1.1-2.4.1" ||
		!strings.HasPrefix(list[i].Title, "all threads of ptask 1 do the same work in function 7: the same") {
		t.Errorf("%s: %s", list[max(i, 0)].Spec, list[max(i, 0)].Title)
	}
}

// The second application has two thirds of the clock of the first, on all of its tasks: no thread has a lower clock
// than the others. One with half of that has.
func TestClockInOneApplication(t *testing.T) {
	for slow, want := range map[bool]bool{false: false, true: true} {
		c := runBoth(t, 10, 5, 20, 10, func(task, _ int) work {
			switch {
			case task == 9 && slow:
				return work{3 * ms, 1, 1. / 3}
			case task > 4:
				return work{1.5 * ms, 1, 2. / 3}
			}
			return usual
		}, func(task, _ int) int64 { return int64(7 + task/5) })
		list, err := remedy.NewRun(context.Background(), c).Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(list, func(x *remedy.Candidate) bool { return x.Cause == report.ByClock })
		if (i >= 0) != want || want && (!slices.Equal(list[i].Threads, []int32{9}) || list[i].Gain != 20*1.5*ms) {
			t.Errorf("%v: %+v", slow, list)
		}
	}
}

// Written changes stay within an application, too. The second has 4 tasks of 20 ms at half the clock of the first, 2 of
// 10 ms. As others in its own, nothing changes; shared among the tasks of each application, the first takes 5 ms
// and 10 operations.
func TestSpecsOfApplications(t *testing.T) {
	run := remedy.NewRun(context.Background(), runBoth(t, 6, 4, 10, 10, func(task, _ int) work {
		if task > 1 {
			return work{2 * ms, 1, 0.5}
		}
		return usual
	}, func(int, int) int64 { return 7 }))
	for spec, gain := range map[string]int64{"clock-as-others:threads=2.1.1": 0,
		"clock-as-others:threads=2.1.1-2.4.1": 0, "share:region=function 7": 15*ms - 10*cost} {
		if trial, err := run.Try([]string{spec}); err != nil || trial.Gain() != gain {
			t.Errorf("%s: %+v, %v, not %d", spec, trial, err, gain)
		}
	}
}

// A master with workers beside another application: 2 of its 4 workers have no task, as in TestPlanted, and no thread
// of the other application is a worker.
func TestFarmOfOneApplication(t *testing.T) {
	run := farmIn(t, runtest.Tasks(5, 3), 5, 2, 2*us, tasks(24, ms))
	list, err := run.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all(list), func(x *remedy.Candidate) bool { return x.Kind == report.Workers })
	if i < 0 || all(list)[i].Spec != "workers:threads=1.4.1-1.5.1" {
		t.Errorf("%+v", list)
	}
}

// Task 1 of 4 does 900 us of a function before an exchange, which the others do after it, as in TestPlanted. In another
// application 9 tasks execute nothing but 1.2 ms in a function of their own.
func TestLateStartInOneApplication(t *testing.T) {
	p := program(13, 500, 1*us)
	p.Apart = 9
	for i := 4; i < 13; i++ {
		p.Work(i, 3, 1200*us)
	}
	run := ran(t, p, 20, func(p *runtest.Program) {
		for i := range 4 {
			before := int64(100 * us)
			if i == 0 {
				before = ms
			}
			p.Work(i, 2, before)
			p.Send(i, i^1)
			p.Recv(i, i^1)
			p.Work(i, 2, 1100*us-before)
		}
	})
	list, err := run.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(all(list), func(x *remedy.Candidate) bool { return x.Rule == remedy.LateSendersID }) {
		t.Errorf("%+v", list)
	}
}
