package driven_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pview/sim/driven"
)

// spread returns a task on processor 1 of 4, from 2 to 12, that creates tasks 1 to 6 at 2, 3, ... 7. Each takes 8,
// executed anywhere, and is more urgent than the one before; in the recorded run task k was on processor k mod 4.
func spread() *driven.Program {
	p := &driven.Program{Processors: 4, Roots: []driven.Root{{Task: 0, At: 2}},
		Tasks: []driven.Task{{Processor: 1, Work: 10}}}
	for i := range 6 {
		p.Tasks[0].Creates = append(p.Tasks[0].Creates, driven.Creation{Task: int32(i) + 1, After: int64(i), Takes: 1})
		p.Tasks = append(p.Tasks, driven.Task{Processor: int32(i+1) % 4, Work: 8, Dynamic: true, Priority: int64(-i)})
	}
	return p
}

// Where and when the tasks of spread begin, with hops of 1.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		balance                string
		leash                  int
		on                     []int32
		begin                  []int64
		length, hops, messages int64
	}{
		// A task arrives 1 after it was created, and 1 later elsewhere. Processor 1 is busy until 12; then task 5 is
		// more urgent than task 1.
		{"recorded", 0, []int32{1, 1, 2, 3, 0, 1, 2}, []int64{2, 20, 5, 6, 7, 12, 13}, 28, 4, 0},
		{"", 0, []int32{1, 1, 2, 3, 0, 1, 2}, []int64{2, 20, 5, 6, 7, 12, 13}, 28, 4, 0}, // the default

		// A task moves on to a neighbour with at least two tasks less. Task 1 stays at processor 1, as its neighbours
		// have one less. 2 goes to the left, 3 to the right, 4 stays, 5 and 6 go left and right and no further, as
		// processor 3 has but one less.
		{"neighbours", 0, []int32{1, 1, 0, 2, 1, 0, 2}, []int64{2, 20, 5, 6, 12, 13, 14}, 28, 4, 0},

		// A hop to the manager and one to the first processor with least: 0, 2, 3, then all have one: 0, 1, 2. Tasks
		// arrive 3 after they were created. 7 tasks end with a message.
		{"manager", 0, []int32{1, 0, 2, 3, 0, 1, 2}, []int64{2, 5, 6, 7, 13, 12, 14}, 22, 12, 7},
		// The manager keeps 4, 5 and 6. When a task ends, two hops later the most urgent begins: 6 on 1 (12 + 2), 5 on
		// 0 (13 + 2), 4 on 2 (14 + 2).
		{"manager", 1, []int32{1, 0, 2, 3, 2, 0, 1}, []int64{2, 5, 6, 7, 16, 15, 14}, 24, 12, 7},

		// Groups are processors 0 and 1, 2 and 3. Tasks 1 and 2 go to 0, and 3 to 1 by two hops; then the group has
		// enough, and 4, 5 and 6 go on to 2, 3 and 2 by three.
		{"managers", 0, []int32{1, 0, 0, 1, 2, 3, 2}, []int64{2, 5, 13, 12, 9, 10, 17}, 25, 15, 7},
		// 1, 2 and 3 fill 0, 2 and 3. The group of the creator keeps 4, 5 and 6: 6 goes to 1 at 12 + 2, 5 to 0 at 13 +
		// 2. At 15 processor 2 ends, and its manager gets task 4 from the other one: a message, 2 for request and task,
		// 2 as before.
		{"managers", 1, []int32{1, 0, 2, 3, 2, 0, 1}, []int64{2, 5, 7, 8, 19, 15, 14}, 27, 15, 8},

		// Tokens go to 0, 1, 2, 3, 0, 1; tasks follow by three hops, 4 after they were created, but not 2 and 6, which
		// stay on processor 1. A message per token and per task that ends.
		{"aperiodic", 0, []int32{1, 0, 1, 2, 3, 0, 1}, []int64{2, 6, 20, 8, 9, 14, 12}, 28, 12, 13},
		{"token", 0, []int32{1, 0, 1, 2, 3, 0, 1}, []int64{2, 6, 20, 8, 9, 14, 12}, 28, 12, 13},
		// 5 and 6 are left. Processor 1 still has task 2 at 12. Processor 0 ends at 14 and has 6 at 14 + 4; processor 2
		// at 16, and has 5 at 20.
		{"aperiodic", 1, []int32{1, 0, 1, 2, 3, 2, 0}, []int64{2, 6, 12, 8, 9, 20, 18}, 28, 15, 13},
		// Reports are at multiples of the mean work, 58/7 = 8: of processor 0 at 16, of processor 2 at 24.
		{"token", 1, []int32{1, 0, 1, 2, 3, 2, 0}, []int64{2, 6, 12, 8, 9, 28, 20}, 36, 15, 13},
	} {
		r := run(t, spread(), driven.Options{Queue: "priority", Balance: c.balance, Hop: 1, Leash: c.leash})
		if !slices.Equal(r.On, c.on) || !slices.Equal(r.Begin, c.begin) || r.Length != c.length || r.Hops != c.hops ||
			r.Messages != c.messages {
			t.Errorf("%s, leash %d: on %v at %v, length %d, %d hops, %d messages", c.balance, c.leash, r.On, r.Begin,
				r.Length, r.Hops, r.Messages)
		}
		for i, b := range r.Begin {
			if work := r.End[i] - b; work != 8 && (i > 0 || work != 10) {
				t.Errorf("%s: task %d takes %d", c.balance, i, work)
			}
		}
	}
}

// A manager without tasks takes half of those of the manager with most. Processor 2 of 4 creates 12 tasks of 10 at 0;
// leash 1. Task 1 goes to its neighbour 3 by two hops, 2 and 3 to 0 and 1 by three; its manager keeps nine. Processor 3
// gets task 4 at 12 + 2. At 13 the manager of 0 and 1 takes half of eight, 5 to 8: 0 begins the first at 13 + 4, 1 the
// next at 13 + 2. Each then gets one from its own manager when it ends, 12 after the one before: 7 at 27, 8 at 29, and
// processor 3 tasks 9 and 10 at 26 and 38. At 37 the last two are taken, to begin at 37 + 4 and 39 + 2.
func TestHalf(t *testing.T) {
	p := many(4, 12)
	p.Tasks[0].Processor, p.Tasks[0].Work = 2, 100
	r := run(t, p, driven.Options{Balance: "managers", Hop: 1, Leash: 1})
	if want := []int64{0, 2, 3, 3, 14, 17, 15, 27, 29, 26, 38, 41, 41}; !slices.Equal(r.Begin, want) {
		t.Errorf("begins at %v, not %v", r.Begin, want)
	}
	if want := []int32{2, 3, 0, 1, 3, 0, 1, 1, 0, 3, 3, 1, 0}; !slices.Equal(r.On, want) {
		t.Errorf("on %v, not %v", r.On, want)
	}
	// Hops: 2 and twice 3; nine tasks to the manager and from one, six of them to the other. A message per task that
	// ends, two to take tasks.
	if r.Hops != 8+2*9+6 || r.Messages != 13+2 {
		t.Errorf("%d hops, %d messages", r.Hops, r.Messages)
	}
	// Of three tasks two are taken, not half; the third stays, for processor 3 at 24 + 2.
	p = many(4, 7)
	p.Tasks[0].Processor, p.Tasks[0].Work = 2, 100
	r = run(t, p, driven.Options{Balance: "managers", Hop: 1, Leash: 1})
	if want := []int64{0, 2, 3, 3, 14, 17, 15, 26}; !slices.Equal(r.Begin, want) {
		t.Errorf("begins at %v, not %v", r.Begin, want)
	}
}

// A task moves on three times at most. Processors 0, 1, 2 and 3 have 8, 6, 4 and 2 tasks, and 7, the other neighbour of
// 0, has 8. From 0 the task comes to 3, though 4 has none.
func TestThreeHops(t *testing.T) {
	p := &driven.Program{Processors: 8, Roots: []driven.Root{{}}, Tasks: []driven.Task{{Work: 1}}}
	create := func(t driven.Task) {
		p.Tasks[0].Creates = append(p.Tasks[0].Creates, driven.Creation{Task: int32(len(p.Tasks))})
		p.Tasks = append(p.Tasks, t)
	}
	for on, tasks := range []int{7, 6, 4, 2, 0, 0, 0, 8} {
		for range tasks {
			create(driven.Task{Processor: int32(on), Work: 1})
		}
	}
	create(driven.Task{Work: 1, Dynamic: true})
	if r := run(t, p, driven.Options{Balance: "neighbours"}); r.On[len(r.On)-1] != 3 || r.Hops != 3 {
		t.Errorf("on %d after %d hops", r.On[len(r.On)-1], r.Hops)
	}
}

// Messages to existing objects are taken first: those to tasks that execute in one place, and responses.
func TestOrder(t *testing.T) {
	p := &driven.Program{Processors: 1, Roots: []driven.Root{{}}, Tasks: []driven.Task{{Work: 1},
		{Priority: 5}, {Priority: 1, Dynamic: true}, {Priority: 2, Dynamic: true, Response: true},
		{Priority: 1, Dynamic: true}, {}, {Priority: 5}}}
	for i := range 6 {
		p.Tasks[i+1].Work = 1
		p.Tasks[0].Creates = append(p.Tasks[0].Creates, driven.Creation{Task: int32(i) + 1})
	}
	for queue, want := range map[string][]int32{
		"":     {0, 1, 3, 5, 6, 2, 4},
		"fifo": {0, 1, 3, 5, 6, 2, 4}, "lifo": {0, 6, 5, 3, 1, 4, 2}, "priority": {0, 5, 3, 1, 6, 2, 4},
	} {
		r := run(t, p, driven.Options{Queue: queue})
		order := make([]int32, len(r.Begin))
		for i, b := range r.Begin {
			order[b] = int32(i)
		}
		if !slices.Equal(order, want) {
			t.Errorf("%s: %v, not %v", queue, order, want)
		}
	}
	// as recorded, whatever the queue says; a task that is not in the list does not execute
	r := run(t, p, driven.Options{Order: [][]int32{{0, 4, 2, 6, 1, 5}}})
	if want := []int64{0, 4, 2, -1, 1, 5, 3}; !slices.Equal(r.Begin, want) || r.End[3] != -1 || r.Length != 6 {
		t.Errorf("recorded order: %v, not %v; length %d", r.Begin, want, r.Length)
	}
}

// What cannot run.
func TestRunErrors(t *testing.T) {
	for want, opt := range map[string]driven.Options{
		`no queue "none" or no strategy ""`:                         {Queue: "none"},
		`no queue "fifo" or no strategy "none"`:                     {Queue: "fifo", Balance: "none"},
		"processor 1 waits for task 1, whose message does not come": {Order: [][]int32{{0, 1, 2, 3}, {4, 1}}},
	} {
		if _, err := driven.Run(context.Background(), critical(), opt); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := driven.Run(ctx, critical(), driven.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if r := run(t, &driven.Program{Processors: 1}, driven.Options{}); r.Length != 0 {
		t.Errorf("no tasks: %+v", r)
	}
}

// The activity of F5 in the order of arrival: 0-10, 10-30, 30-50, 50-60 and 64-84. The root's message is created at 0,
// the others when they are sent.
func TestActivities(t *testing.T) {
	p := critical()
	got := driven.Activities(p, run(t, p, driven.Options{}))
	want := []driven.Activity{
		{Created: []int64{0, 4, 6, 8, 60}, Executed: []int64{10, 30, 50, 60},
			Busy: []driven.Period{{From: 0, To: 10}, {From: 10, To: 30}, {From: 30, To: 50}, {From: 50, To: 60}}},
		{Executed: []int64{84}, Busy: []driven.Period{{From: 64, To: 84}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	// Task 1, at 5, takes no time and comes first. Task 2 is not executed.
	p = &driven.Program{Processors: 1, Tasks: make([]driven.Task, 3)}
	got = driven.Activities(p, &driven.Result{Begin: []int64{5, 5, -1}, End: []int64{9, 5, -1}, On: []int32{0, 0, 0}})
	want = []driven.Activity{{Executed: []int64{5, 9}, Busy: []driven.Period{{From: 5, To: 5}, {From: 5, To: 9}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// Detection by hand.
func TestDetect(t *testing.T) {
	idle := driven.Activity{}
	late := driven.Activity{Created: []int64{3}, Executed: []int64{12}, Busy: []driven.Period{{From: 0, To: 12}}}
	for _, c := range []struct {
		name        string
		list        []driven.Activity
		from, delay int64
		want        driven.Detection
		never       bool
	}{
		{name: "one processor", list: []driven.Activity{idle}, from: 4, delay: 5,
			want: driven.Detection{At: 4, First: 1, Second: 1, Messages: 2}},
		// down and up twice: 2 * 2 * 5
		{name: "a root and two leaves", list: make([]driven.Activity, 3), from: 1, delay: 5,
			want: driven.Detection{At: 21, First: 1, Second: 1, Messages: 6}},
		{name: "two levels", list: make([]driven.Activity, 4), delay: 5,
			want: driven.Detection{At: 40, First: 1, Second: 1, Messages: 8}},
		// the first wave waits for the second leaf until 12, and is up at 17
		{name: "a busy leaf", list: []driven.Activity{idle, idle, late}, from: 1, delay: 5,
			want: driven.Detection{At: 27, First: 1, Second: 1, Messages: 6, Created: 1}},
		{name: "busy again at once", from: 2, list: []driven.Activity{{
			Busy: []driven.Period{{From: 0, To: 2}, {From: 2, To: 7}, {From: 7, To: 9}, {From: 10, To: 11}}}},
			want: driven.Detection{At: 9, First: 1, Second: 1, Messages: 2}},
		// Round 1 at 3 counts the creation; round 2 at 4 is right: executed at 4.
		{name: "on its way", from: 3, list: []driven.Activity{{Created: []int64{3}, Executed: []int64{4}}},
			want: driven.Detection{At: 4, First: 2, Second: 1, Messages: 3, Created: 1}},
		{name: "never executed", from: 2, list: []driven.Activity{{Created: []int64{2}}}, never: true,
			want: driven.Detection{First: 2}},
		// until the busy period ends: rounds at 10 and 11
		{name: "never executed, busy", from: 2, list: []driven.Activity{{Created: []int64{2},
			Busy: []driven.Period{{From: 2, To: 10}}}}, never: true, want: driven.Detection{First: 3}},
	} {
		d, ok := driven.Detect(c.list, c.from, c.delay)
		if d != c.want || ok == c.never {
			t.Errorf("%s: %+v, %v", c.name, d, ok)
		}
	}
}
