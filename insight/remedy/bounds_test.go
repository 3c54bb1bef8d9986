package remedy_test

import (
	"slices"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/runtest"
)

// candidate returns the candidate of a kind; nil if none.
func candidate(t *testing.T, r *remedy.Run, kind report.Kind) *remedy.Candidate {
	t.Helper()
	list, err := r.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	list = all(list)
	if i := slices.IndexFunc(list, func(x *remedy.Candidate) bool { return x.Kind == kind }); i >= 0 {
		return list[i]
	}
	return nil
}

// checkTitle compares the title of the candidate of a kind; "": none.
func checkTitle(t *testing.T, name string, r *remedy.Run, kind report.Kind, want string) *remedy.Candidate {
	t.Helper()
	x, got := candidate(t, r, kind), ""
	if x != nil {
		got = x.Title
	}
	if got != want {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
	return x
}

// Rows are of 4 messages or more that the next calls send to one receiver, small all of them. Task i sends to another
// one, or to two in turn, in each of 20 iterations.
func TestRows(t *testing.T) {
	small := func(n int) (sizes []int64) { return slices.Repeat([]int64{8}, n) }
	for _, c := range []struct {
		name  string
		sizes []int64
		turns bool // to two receivers
		works int  // the message before which the sender computes; 0: none
		want  string
	}{
		{"three", small(3), false, 0, ""},
		{"four", small(4), false, 0, "320 small messages go in rows of up to 4 between the same two threads (4 pairs)"},
		{"two receivers", small(8), true, 0, ""},
		{"a large one between", []int64{8, 8, 8, 100_000, 8, 8, 8}, false, 0, ""},
		{"a large one behind", []int64{8, 8, 8, 8, 100_000, 8, 8}, false, 0,
			"320 small messages go in rows of up to 4 between the same two threads (4 pairs)"},
		{"a large one before", []int64{100_000, 8, 8, 8, 8, 8}, false, 0,
			"400 small messages go in rows of up to 5 between the same two threads (4 pairs)"},
		{"work between", small(7), false, 3,
			"320 small messages go in rows of up to 4 between the same two threads (4 pairs)"},
		{"work in the middle", small(6), false, 3, ""},
	} {
		p := program(4, 100*us, 10*us)
		r := ran(t, p, 20, func(p *runtest.Program) {
			for i := range p.Steps {
				p.Work(i, 1, ms)
				for k, size := range c.sizes {
					to := i ^ 1
					if c.turns {
						to = i ^ (1 + k%2)
					}
					if k > 0 && k == c.works {
						p.Work(i, 3, ms)
					}
					p.Add(i, runtest.Step{Do: runtest.Sends, Peer: to, Size: size})
				}
				p.Work(i, 2, ms)
				for k := range c.sizes {
					from := i ^ 1
					if c.turns {
						from = i ^ (1 + k%2)
					}
					p.Recv(i, from)
				}
			}
		})
		checkTitle(t, c.name, r, report.SmallMessages, c.want)
	}
}

// Each exchange of two tasks takes 400 us before 1000 us of computation. In some of them 200 us are computed meanwhile:
// in none, in fewer than a tenth or in more.
func TestHardlyOverlapped(t *testing.T) {
	for _, c := range []struct {
		iterations, overlap int
		parts               bool // the computation behind is in two stretches of one function
		want                string
		rank                int
	}{
		{20, 0, false, "40 exchanges are awaited before the computation that follows: nothing overlaps", 2},
		{20, 1, false, "40 exchanges are awaited before the computation that follows: hardly anything overlaps", 2},
		{20, 2, false, "40 exchanges are awaited before the computation that follows", 2},
		{1, 0, false, "2 exchanges are awaited before the computation that follows: nothing overlaps", 2},
		{20, 0, true, "40 exchanges are awaited before the computation that follows: nothing overlaps", 0},
	} {
		n := 0
		r := ran(t, program(2, 1*us, 400*us), c.iterations, func(p *runtest.Program) {
			for i := range p.Steps {
				p.Add(i, runtest.Step{Do: runtest.Posts, Peer: i ^ 1})
				p.Send(i, i^1)
				if n < c.overlap {
					p.Work(i, 2, 200*us)
				}
				p.Add(i, runtest.Step{Do: runtest.Completes})
				if c.parts {
					p.Work(i, 1, ms/2)
					p.Add(i, runtest.Step{Do: runtest.InRuntime, Time: us})
					p.Work(i, 1, ms/2)
				} else {
					p.Work(i, 1, ms)
				}
			}
			n++
		})
		if x := checkTitle(t, c.want, r, report.NoOverlap, c.want); x != nil && x.Rank != c.rank {
			t.Errorf("%s: rank %d", c.want, x.Rank)
		}
	}
}

// Task 1 of 4 does 900 us more of a function before each exchange than the others, which do that behind it: 17.1 ms in
// 19 of 20 iterations, of which the first has no call before it. It is late only if it does less than 0.35 of that,
// 5.985 ms, more in all, in the function (20 x 299 us) or in the whole program (20 x (900 - 601) us).
func TestLateOrMoreWork(t *testing.T) {
	for _, c := range []struct {
		after, others int64 // us of the function behind the exchange on task 1, of another one on the others
		late          bool
	}{{100, 0, true}, {399, 0, true}, {400, 0, false}, {700, 0, false}, {1000, 600, false}, {1000, 601, true}} {
		r := ran(t, program(4, 500, 1*us), 20, func(p *runtest.Program) {
			for i := range p.Steps {
				before, after, other := int64(100), int64(1000), 100+c.others
				if i == 0 {
					before, after, other = 1000, c.after, 100
				}
				p.Work(i, 2, before*us)
				p.Send(i, i^1)
				p.Recv(i, i^1)
				p.Work(i, 2, after*us)
				p.Work(i, 3, other*us)
			}
		})
		x := candidate(t, r, report.LateSend)
		if (x != nil) != c.late {
			t.Errorf("%+v: %+v", c, x)
		}
	}
}

// Changes that only the enumeration can make, by region, call and threads.
func TestEnumerated(t *testing.T) {
	planted := losses(t)
	for _, c := range []struct {
		run, spec string
		found     bool
	}{
		{"sends late", "send-early:", true}, {"sends late", "send-early:region=function 2", true},
		{"sends late", "send-early:region=function 3", false}, {"sends late", "send-early:threads=1.1.1", true},
		{"sends late", "send-early:threads=1.2.1", false}, {"sends late", "send-early:threads=1.1.1-1.2.1", true},
		{"sends late", "post-early:", false}, {"receives late", "post-early:threads=1.4.1", true},
		{"sends late", "overlap:region=function 2", false},
		{"overlap", "overlap", true}, {"overlap", "overlap:threads=1.2.1", true},
		{"overlap", "pack", false}, {"rows", "pack", true},
		{"idle", "workers:threads=1.4.1-1.5.1", true}, {"idle", "workers:threads=1.2.1", false},
	} {
		_, err := planted[c.run].run.Try([]string{c.spec})
		if (err == nil) != c.found || err != nil && !strings.Contains(err.Error(), "nothing in this run to") {
			t.Errorf("%s in %q: %v", c.spec, c.run, err)
		}
	}
}

// Task 1 works on a message of some tasks in turn, and answers some of them. From three threads on, and half of a team,
// it gathers; if it answers as many, it is a master.
func TestServes(t *testing.T) {
	for _, c := range []struct {
		tasks, asks, answers int
		want                 string
	}{
		{4, 2, 0, "function 2 is serial: only 1.1.1 executes it, 8 ms in all, while the others wait"},
		{4, 3, 0, "1.1.1 gathers from 3 threads and works on each message in turn (function 2, 12 ms in all): a " +
			"bottleneck"},
		{4, 3, 2, "1.1.1 gathers from 3 threads and works on each message in turn (function 2, 12 ms in all): a " +
			"bottleneck"},
		{4, 3, 3, "the master 1.1.1 is a bottleneck: function 2 between request and answer takes 200 us each, " +
			"and the workers wait"},
		{8, 3, 0, "function 2 is serial: only 1.1.1 executes it, 12 ms in all, while the others wait"},
		{8, 4, 0, "1.1.1 gathers from 4 threads and works on each message in turn (function 2, 16 ms in all): a " +
			"bottleneck"},
		{8, 4, 4, "the master 1.1.1 is a bottleneck: function 2 between request and answer takes 200 us each, " +
			"and the workers wait"},
	} {
		r := ran(t, program(c.tasks, 500, 1*us), 20, func(p *runtest.Program) {
			p.All(runtest.Step{Do: runtest.Computes, Function: 1, Time: 200 * us})
			for i := 1; i <= c.asks; i++ {
				p.Send(i, 0)
				p.Recv(0, i)
				p.Work(0, 2, 200*us)
				if i <= c.answers {
					p.Send(0, i)
					p.Recv(i, 0)
				}
			}
		})
		list, err := r.Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, x := range all(list) {
			titles = append(titles, x.Title)
		}
		if !slices.Contains(titles, c.want) {
			t.Errorf("%+v: %s", c, strings.Join(titles, "\n"))
		}
	}
}

// All tasks execute a function with the same instructions, and another one with more the later the task is, in turn.
// The first is replicated if it is executed three times or more, by all of two tasks or more.
func TestReplicatedOften(t *testing.T) {
	for _, c := range []struct {
		tasks, times int
		absent       int // tasks that execute the other function instead
		found        bool
	}{{4, 3, 0, true}, {4, 2, 0, false}, {2, 3, 0, true}, {1, 3, 0, false}, {4, 3, 1, false}} {
		r := remedy.NewRun(t.Context(), runIn(t, c.tasks, 2*c.times, 10, func(task, n int) work {
			return work{ms + int64(n%2)*int64(task)*us, 1, 1}
		}, func(task, n int) int64 {
			if task < c.absent {
				return 8
			}
			return 7 + int64(n%2)
		}))
		if x := candidate(t, r, report.Replicated); (x != nil) != c.found {
			t.Errorf("%+v: %+v", c, x)
		}
	}
}
