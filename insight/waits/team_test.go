package waits

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/parallel"
	"pview/semantic"
)

// ofTeam returns an analysis of a task with a thread per lane, in a run of 100.
func ofTeam(t *testing.T, lanes ...lane) *analysis {
	t.Helper()
	h := prv.Header{End: 100}
	h.AddPtask()
	h.AddTask(len(lanes), -1)
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Duration = 100
	return &analysis{t: tr, lanes: lanes}
}

// listed returns waits as they are found, one behind the other.
func listed(find func(watch *parallel.Watch, add func(Wait))) (text string) {
	find(parallel.NewWatch(context.Background()), func(w Wait) {
		text += fmt.Sprintf("%d: %d-%d %s of %d; ", w.Thread, w.From, w.To, w.Class, w.Cause)
	})
	return text
}

// Thread 1 waits for thread 0, and 2 for both; 2 never releases the lock, and 1 waits for it until the end. Another
// lock is nobody's.
func TestLockWaits(t *testing.T) {
	a := ofTeam(t, lane{locks: []lockUse{{0, 0, 10, 7}, {40, 41, 45, 8}}}, lane{locks: []lockUse{{2, 10, 20, 7},
		{30, -1, -1, 7}}}, lane{locks: []lockUse{{5, 20, -1, 7}}})
	got := listed(func(watch *parallel.Watch, add func(Wait)) { a.lockWaits(watch, 0, add) })
	c := LockWait.String()
	if want := fmt.Sprintf("1: 2-10 %[1]s of 0; 1: 30-100 %[1]s of 2; 2: 5-10 %[1]s of 0; 2: 10-20 %[1]s of 1; ",
		c); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A taskwait of thread 0, in which it executes a task of its own from 20 to 25. The last of the others ends at 45. One
// that ends with tasks of its own waits for none.
func TestTaskWaits(t *testing.T) {
	run := func(from, to int64) taskRun { return taskRun{span: span{from, to}} }
	c := TaskWait.String()
	for _, x := range []struct {
		name       string
		own, other []taskRun
		want       string
	}{
		{"both", []taskRun{run(20, 25)}, []taskRun{run(0, 30), run(35, 45), run(50, 60)},
			fmt.Sprintf("0: 10-20 %[1]s of 1; 0: 25-45 %[1]s of 1; ", c)},
		{"at once", []taskRun{run(5, 10), run(10, 25)}, []taskRun{run(0, 30)}, fmt.Sprintf("0: 25-30 %s of 1; ", c)},
		{"until the end", nil, []taskRun{run(0, 50)}, fmt.Sprintf("0: 10-50 %s of 1; ", c)},
		{"its own is last", []taskRun{run(20, 45)}, []taskRun{run(0, 30)}, ""},
		{"one that does not end", nil, []taskRun{run(0, -1)}, ""},
		{"none", nil, nil, ""},
	} {
		a := ofTeam(t, lane{waits: []span{{10, 50}}, tasks: x.own}, lane{tasks: x.other})
		if got := listed(func(watch *parallel.Watch, add func(Wait)) { a.taskWaits(watch, 0, add) }); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// Regions inside another one are none of the task, those that follow at once are.
func TestRegionsOfTask(t *testing.T) {
	watch := parallel.NewWatch(context.Background())
	a := ofTeam(t, lane{opens: []span{{0, 50}, {50, 60}}, work: []span{{10, 20}, {50, 55}}},
		lane{opens: []span{{10, 20}, {60, 70}}, work: []span{{12, 30}}})
	got := a.regionsOf(watch, 0)
	want := []parallelRegion{{span{0, 50}, 0}, {span{50, 60}, 0}, {span{60, 70}, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i, last := range []int64{30, 55, -1} {
		if got := a.lastWork(0, 2, want[i]); got != last {
			t.Errorf("region %d: the last work ends at %d, want %d", i, got, last)
		}
	}
	if got := ofTeam(t, lane{opens: []span{{0, 50}}}).regionsOf(watch, 0); got != nil {
		t.Errorf("of one thread: %v", got)
	}
	if got := implicit([]part{{enter: 5}, {enter: 9}, {enter: 7}}); got[0].exit != 9 || got[2].exit != 9 {
		t.Errorf("%+v", got)
	}
}

// A thread is in a call from 10 to 20, and in an outlined function from 30 to 40.
func TestBusyIn(t *testing.T) {
	l := lane{calls: callColumns{enter: []int64{10}, exit: []int64{20}}, work: []span{{30, 40}}}
	for _, c := range []struct {
		from, to int64
		want     bool
	}{{0, 10, false}, {0, 11, true}, {12, 15, true}, {19, 21, true}, {20, 30, false}, {25, 31, true}, {39, 50, true},
		{40, 50, false}} {
		if got := l.busyIn(c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %v", c.from, c.to, got)
		}
	}
}

func TestSumOfSteps(t *testing.T) {
	a := semantic.Steps{Begin: []int64{0, 10, 20}, Value: []float64{1, 2, 3}}
	for _, c := range []struct {
		b    semantic.Steps
		want string
	}{
		{semantic.Steps{Begin: []int64{0}, Value: []float64{10}}, "[0 10 20] [11 12 13]"},
		{semantic.Steps{Begin: []int64{0, 10, 30}, Value: []float64{10, 20, 30}}, "[0 10 20 30] [11 22 23 33]"},
		{semantic.Steps{Begin: []int64{0, 5, 20}, Value: []float64{10, 20, 30}}, "[0 5 10 20] [11 21 22 33]"},
	} {
		for _, s := range []semantic.Steps{sum(a, c.b), sum(c.b, a)} {
			if got := fmt.Sprint(s.Begin, s.Value); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		}
	}
}

// Waits by cause: for 2 until 10 and 30, for nobody until 20, for 0 until 40.
func TestCausedWaits(t *testing.T) {
	var c causedWaits
	counts := make([]int32, 4)
	c.build(parallel.NewWatch(context.Background()), []Wait{{To: 10, Cause: 2}, {To: 20, Cause: -1}, {To: 30, Cause: 2},
		{To: 40, Cause: 0}}, counts)
	if !slices.Equal(counts, make([]int32, 4)) {
		t.Errorf("counts %v are left", counts)
	}
	for _, x := range []struct {
		cause    int32
		at, want int64
	}{{2, 9, 0}, {2, 10, 10}, {2, 29, 10}, {2, 30, 30}, {-1, 19, 0}, {-1, 25, 20}, {0, 39, 0}, {0, 40, 40},
		{1, 100, 0}} {
		if got := c.last(x.cause, x.at); got != x.want {
			t.Errorf("for %d until %d: %d, want %d", x.cause, x.at, got, x.want)
		}
	}
}

// Two threads take part in operations of communicator 1 that end at 10, 20 and 30, and each in one that the other is
// not in, at 20, too. In communicator 2 they have one at 25, in communicator 3 none together.
func TestLastInStep(t *testing.T) {
	group := func(comm int64, list []int32, last ...int64) groupSteps {
		return groupSteps{key: groupKey{comm: comm}, list: list, last: last}
	}
	s := &steps{member: [][]groupSteps{
		{group(1, []int32{0, 1, 2, 3}, 10, 20, 20, 30), group(2, []int32{5}, 25), group(3, []int32{6}, 27),
			group(4, []int32{8}, 40)},
		{group(3, []int32{7}, 27), group(2, []int32{5}, 25), group(1, []int32{0, 4, 2, 3}, 10, 20, 20, 30)}}}
	for at, want := range map[int64]int64{9: 0, 10: 10, 19: 10, 20: 20, 24: 20, 25: 25, 29: 25, 30: 30, 100: 30} {
		for _, x := range [][2]int32{{0, 1}, {1, 0}} {
			if got := s.lastGroup(x[0], x[1], at); got != want {
				t.Errorf("%v until %d: %d, want %d", x, at, got, want)
			}
		}
	}
}

// Candidates of OpenMP, which have no call, are the team's where the thread does nothing else; an explicit barrier is
// in any case. Those of calls remain.
func TestTeamWaits(t *testing.T) {
	a := ofTeam(t, lane{work: []span{{30, 40}}})
	a.teamWaits = make([][]Wait, 1)
	at := func(call int32, from, to int64, class Class) candidate {
		return candidate{call: call, Wait: Wait{From: from, To: to, Class: class}}
	}
	by := [][]candidate{{at(0, 0, 5, LateSender), at(-1, 10, 20, TeamImplicit), at(-1, 35, 38, TeamImplicit),
		at(1, 36, 37, LateSender), at(-1, 35, 39, TeamExplicit)}}
	a.addTeamWaits(parallel.NewWatch(context.Background()), 0, by)
	if len(by[0]) != 2 || by[0][0].call != 0 || by[0][1].call != 1 {
		t.Errorf("of calls: %+v", by[0])
	}
	if own := a.teamWaits[0]; len(own) != 2 || own[0].From != 10 || own[1].To != 39 {
		t.Errorf("of the team: %+v", own)
	}
}

// A thread waits once at a time: waits that start before the previous one ends do not count, nor do those without time.
func TestApart(t *testing.T) {
	wait := func(from, to int64, class Class) Wait { return Wait{From: from, To: to, Class: class} }
	l := &lane{}
	list := l.apart(parallel.NewWatch(context.Background()), []Wait{wait(5, 15, LateSender), wait(20, 20, LateSender),
		wait(0, 10, LateSender), wait(10, 20, LateReceiver), wait(10, 21, LateSender), wait(10, 20, LateSender),
		wait(19, 30, LateSender), wait(20, 25, LateSender)})
	var got []string
	for _, w := range list {
		got = append(got, fmt.Sprintf("%d-%d %s", w.From, w.To, w.Class))
	}
	first := min(LateSender, LateReceiver)
	if want := []string{fmt.Sprintf("0-10 %s", LateSender), fmt.Sprintf("10-20 %s", first),
		fmt.Sprintf("20-25 %s", LateSender)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The better candidate of a call ends later; of two that end together that of the lower class, cause and row.
func TestBetter(t *testing.T) {
	at := func(to int64, class Class, cause, ref int32) Wait {
		return Wait{To: to, Class: class, Cause: cause, Ref: ref}
	}
	for _, c := range []struct{ best, w, want Wait }{
		{at(-1, 0, 0, 0), at(0, 3, 3, 3), at(0, 3, 3, 3)}, {at(5, 3, 3, 3), at(6, 9, 9, 9), at(6, 9, 9, 9)},
		{at(6, 3, 3, 3), at(5, 1, 1, 1), at(6, 3, 3, 3)}, {at(5, 3, 3, 3), at(5, 2, 9, 9), at(5, 2, 9, 9)},
		{at(5, 3, 3, 3), at(5, 3, 2, 9), at(5, 3, 2, 9)}, {at(5, 3, 3, 3), at(5, 3, 3, 2), at(5, 3, 3, 2)},
		{at(5, 3, 3, 3), at(5, 3, 4, 1), at(5, 3, 3, 3)},
	} {
		best := c.best
		if better(&best, c.w); best != c.want {
			t.Errorf("%+v or %+v: %+v", c.best, c.w, best)
		}
	}
}

// Holds of a lock: from 0 to 10, 5 to 20 and 12 to 30, by threads 1 to 3.
func TestLastHold(t *testing.T) {
	list := []hold{{0, 10, 1}, {5, 20, 2}, {12, 30, 3}}
	for _, c := range []struct {
		thread            int32
		from, upTo, taken int64
		holder            int32 // 0: none
	}{{9, 8, 25, 26, 2}, {2, 8, 25, 26, 1}, {2, 10, 25, 26, 0}, {9, 8, 25, 5, 1}, {9, 8, 25, 6, 2}, {9, 8, 30, 31, 3},
		{9, 8, 29, 31, 2}, {9, 8, 30, 12, 2}, {9, 30, 40, 41, 0}, {9, 0, 9, 41, 0}, {9, 9, 10, 41, 1}} {
		holder := int32(0)
		if h := lastHold(parallel.NewWatch(context.Background()), list, c.thread, c.from, c.upTo, c.taken); h != nil {
			holder = h.holder
		}
		if holder != c.holder {
			t.Errorf("%+v: %d", c, holder)
		}
	}
}

// Of a ptask of two tasks, ranks 0 and 1 have threads.
func TestTargetOf(t *testing.T) {
	h := prv.Header{}
	for range 2 {
		h.AddPtask()
		h.AddTask(2, -1)
		h.AddTask(1, -1)
	}
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	a := &analysis{t: tr}
	for _, c := range []struct {
		origin int
		rank   int64
		want   int32
	}{{0, 0, 0}, {2, 1, 2}, {0, 2, -1}, {0, -1, -1}, {5, 0, 3}, {4, 1, 5}, {3, 2, -1}} {
		if got := a.targetOf(c.origin, access{rank: c.rank}); got != c.want {
			t.Errorf("rank %d from thread %d: %d, want %d", c.rank, c.origin, got, c.want)
		}
	}
}
