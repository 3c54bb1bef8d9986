package driven_test

import (
	"context"
	"math"
	"math/bits"
	"testing"

	"pview/sim/driven"
)

func run(t *testing.T, p *driven.Program, opt driven.Options) *driven.Result {
	t.Helper()
	r, err := driven.Run(context.Background(), p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// critical is fixture F5: R creates A, B and C, of 20, 20 and 10; C lets D of 20 begin on the other processor 4 later.
func critical() *driven.Program {
	return &driven.Program{Processors: 2, Roots: []driven.Root{{Task: 0}}, Tasks: []driven.Task{
		{Work: 10, Creates: []driven.Creation{{Task: 1, After: 4, Takes: 6}, {Task: 2, After: 6, Takes: 4},
			{Task: 3, After: 8, Takes: 2}}},
		{Work: 20, Priority: 1}, {Work: 20, Priority: 1},
		{Work: 10, Creates: []driven.Creation{{Task: 4, After: 10, Takes: 4}}}, {Processor: 1, Work: 20}}}
}

// Checks 15 and 47 of projections.md: in the order of arrival C is third, and D ends at 84. By priority C is first: C
// 10-20, D 24-44, A and B 20-60. With the recorded order priorities change nothing.
func TestQueues(t *testing.T) {
	for _, c := range []struct {
		queue string
		order [][]int32
		end   int64
	}{{"fifo", nil, 84}, {"priority", nil, 60}, {"lifo", nil, 60}, {"priority", [][]int32{{0, 1, 2, 3}, {4}}, 84}} {
		if r := run(t, critical(), driven.Options{Queue: c.queue, Order: c.order}); r.Length != c.end {
			t.Errorf("%s: ends at %d, want %d", c.queue, r.Length, c.end)
		}
	}
	if _, err := driven.Run(context.Background(), critical(),
		driven.Options{Order: [][]int32{{0, 1, 2, 3, 4}, {}}}); err == nil {
		t.Error("task 4 executes on processor 1 and was awaited on 0")
	}
	if _, err := driven.Run(context.Background(), critical(), driven.Options{Queue: "none"}); err == nil {
		t.Error("no such queue")
	}
}

// many returns one task that creates n others, of 10 each, that may execute anywhere.
func many(processors, n int) *driven.Program {
	p := &driven.Program{Processors: processors, Roots: []driven.Root{{Task: 0}}, Tasks: []driven.Task{{Work: 1}}}
	for i := range n {
		p.Tasks[0].Creates = append(p.Tasks[0].Creates, driven.Creation{Task: int32(i) + 1})
		p.Tasks = append(p.Tasks, driven.Task{Work: 10, Dynamic: true})
	}
	return p
}

// Check 28: random placement on four processors moves three of four tasks, and sends nothing else.
func TestRandomPlacement(t *testing.T) {
	r := run(t, many(4, 100_000), driven.Options{Balance: "random"})
	if mean := float64(r.Hops) / 100_000; math.Abs(mean-0.75) > 0.01 || r.Messages != 0 {
		t.Errorf("%f hops, %d messages", mean, r.Messages)
	}
}

// 400 tasks of 10 on four processors take 1000 if they are spread evenly, and 4000 where they were created. A manager
// needs two hops per task, and a message per task that ends; neighbours no more than three hops.
func TestStrategies(t *testing.T) {
	for name, c := range map[string]struct {
		least, most, hops, messages int64
	}{"recorded": {4000, 4001, 0, 0}, "manager": {1000, 1100, 800, 401}, "neighbours": {1000, 1100, 1200, 0},
		"random": {1000, 1400, 400, 0},
		// Four processors are two groups of two: a hop per task to its manager, and half of them go on to the other
		// one, then a hop to who executes it.
		"managers": {1000, 1100, 1200, 500},
		// Three of four tasks take three hops; a message per token, and one per task that ends.
		"aperiodic": {1000, 1100, 1200, 801},
		// With a report every 10, which is the length of a task, each of two tasks that a processor has is reported in
		// time.
		"token": {1000, 1400, 1200, 801}} {
		r := run(t, many(4, 400), driven.Options{Balance: name})
		if r.Length < c.least || r.Length > c.most || r.Hops > c.hops || r.Messages > c.messages || c.messages == 0 &&
			r.Messages > 0 {
			t.Errorf("%s: length %d, %d hops, %d messages", name, r.Length, r.Hops, r.Messages)
		}
		for i, b := range r.Begin {
			if b < 0 {
				t.Errorf("%s: task %d is not executed", name, i)
			}
		}
	}
}

// Check 45: a system that becomes idle during the first wave: two rounds of the first phase and one of the second, a
// message per processor each.
func TestQuiescence(t *testing.T) {
	for processors, want := range map[int]int64{2: 6, 8: 24, 256: 768} {
		list := make([]driven.Activity, processors)
		// A message that the last processor, a leaf, has created is executed by the root just after the first wave,
		// which goes down the tree and up again from 1 on.
		depth := bits.Len(uint(processors)) - 1
		list[processors-1].Created = []int64{0}
		list[0].Executed = []int64{int64(1 + 2*depth + 1)}
		d, ok := driven.Detect(list, 1, 1)
		if !ok || d.First != 2 || d.Second != 1 || d.Messages != want {
			t.Errorf("%d processors: %+v", processors, d)
		}
	}
}

type rng uint64

func (r *rng) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r)>>33) % n
}

// randomRun returns a program of up to 20 tasks on up to 5 processors.
func randomRun(r *rng) *driven.Program {
	p := &driven.Program{Processors: 1 + r.below(5), Roots: []driven.Root{{Task: 0}}}
	n := 1 + r.below(20)
	for i := range n {
		p.Tasks = append(p.Tasks, driven.Task{Processor: int32(r.below(p.Processors)), Work: 1 + int64(r.below(30))})
		if i > 0 {
			by := &p.Tasks[r.below(i)]
			by.Creates = append(by.Creates, driven.Creation{Task: int32(i), After: int64(r.below(int(by.Work) + 1)),
				Takes: int64(r.below(40))})
		}
	}
	return p
}

// Check 46: quiescence is never reported while a message is on its way, and always in the end. The first phase alone
// would be wrong in some runs.
func TestNeverTooEarly(t *testing.T) {
	random := rng(7)
	wrong := 0
	for n := range 10_000 {
		p := randomRun(&random)
		r := run(t, p, driven.Options{})
		d, ok := driven.Detect(driven.Activities(p, r), int64(random.below(50)), int64(random.below(10)))
		if !ok || d.At < r.Length || d.Created != int64(len(p.Tasks)) {
			t.Fatalf("run %d: %+v, the last task ends at %d", n, d, r.Length)
		}
		wrong += d.Wrong
	}
	if wrong <= 0 {
		t.Error("no run in which the first phase agrees by chance")
	}
}
