package frameworks

import (
	"fmt"
	"testing"

	"pview/insight/frameworks/role"
)

// The least chunk with which a master feeds n workers, for tasks that take mu, of s bytes that come back as r: (n-2)
// m0 by what is gained in a task.
func TestLeastChunk(t *testing.T) {
	for _, c := range []struct {
		m0, perByte float64
		protocol    role.Protocol
		workers     int
		s, r, mu    float64
		want        int // 0: none helps
	}{
		{10, 1, role.Sync, 4, 5, 5, 100, 1},  // 20 / (100+10-20)
		{100, 1, role.Sync, 4, 5, 5, 100, 3}, // 200 / 90
		{90, 1, role.Sync, 4, 5, 5, 100, 2},  // 180 / 90
		{10, 1, role.Sync, 4, 5, 5, 10, 0},   // 10+10-20 = 0
		{10, 1, role.Sync, 4, 5, 5, 10.1, 200},
		{100, 1, role.Async, 4, 5, 5, 100, 2}, // 200 / 105, and 100 >= 2 x 5
		{100, 1, role.Async, 4, 50, 5, 100, 2},
		{100, 0, role.Async, 4, 5, 5, 0, 1}, // nothing takes time but messages
		// Transfers outweigh start-ups: m0 by 2 s - (s+r) - mu.
		{100, 1, role.Async, 2, 1000, 5, 100, 0},  // 100 / 895
		{100, 1, role.Async, 2, 1000, 5, 895, 1},  // 100 / 100
		{100, 1, role.Async, 2, 1000, 5, 894, 0},  // 100 / 101
		{100, 1, role.Async, 2, 1000, 5, 995, 1},  // 0
		{100, 1, role.Async, 2, 1000, 5, 2000, 1}, // the workers are slower than the messages
		{100, 2, role.Async, 2, 1000, 5, 1890, 1}, // 4000 - 2010 - 1890 = 100
		{100, 2, role.Async, 2, 1000, 5, 1889, 0},
	} {
		got, err := leastChunk(ms(c.m0, c.perByte, c.protocol), c.workers, c.s, c.r, c.mu)
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
}

// What is left for chunks of 3 for 2 workers; with the tail of the last N in a last batch.
func TestTail(t *testing.T) {
	for left, want := range map[int][2]string{1: {"[1]", "[1]"}, 5: {"[3 2]", "[3 2]"}, 6: {"[3 3]", "[3 3]"},
		7: {"[3 3 1]", "[3 3 1]"}, 11: {"[3 3 3 2]", "[3 3 3 2]"}, 14: {"[3 3 3 3 2]", "[3 3 4 4]"}} {
		d := Distribution{Workers: 2, Least: 3}
		same(t, fmt.Sprint(left), fmt.Sprint(d.tail(nil, left)), want[0])
		d.TailLastN = true
		same(t, fmt.Sprint(left, " last"), fmt.Sprint(d.tail(nil, left)), want[1])
	}
	for b, want := range map[int][2]string{0: {"[]", "[]"}, 1: {"[1]", "[1]"}, 2: {"[1 1]", "[2]"},
		3: {"[1 1 1]", "[1 1 1]"}, 4: {"[2 1 1]", "[2 1 1]"}, 5: {"[2 2 1]", "[2 2 1]"}} {
		d := Distribution{Workers: 3}
		same(t, fmt.Sprint(b), fmt.Sprint(d.batch(nil, b)), want[0])
		d.LeftoverSingle = true
		same(t, fmt.Sprint(b, " single"), fmt.Sprint(d.batch(nil, b)), want[1])
	}
}

// Stages of 2, 3, 5, 1 and 4, whose messages take no time: on n processors, and on as many as lose nothing.
func TestJoinedStages(t *testing.T) {
	p := line(ms(0, 0, role.Async), 10, 2, 3, 5, 1, 4)
	for n, want := range map[int]string{0: "{[0] 15}", 1: "{[0] 15}", 2: "{[0 2] 10}", 3: "{[0 2 3] 5}",
		4: "{[0 2 3] 5}", 9: "{[0 2 3] 5}"} {
		same(t, fmt.Sprint(n), fmt.Sprint(p.fit(n)), want)
	}
	same(t, "without loss", fmt.Sprint(p.join(0)), "{[0 2 3] 5}")
	same(t, "a fifth slower", fmt.Sprint(p.join(0.2)), "{[0 2 4] 6}")
	p.Stages[0].Compute = 2.5
	same(t, "0.5 too much", fmt.Sprint(p.join(0)), "{[0 1 2 3] 5}")
	same(t, "10 % slower", fmt.Sprint(p.join(0.1)), "{[0 2 3] 5.5}")
	// A stage with replicas joins none.
	p.Stages[1].Replicas = []float64{3, 3}
	same(t, "replicas", fmt.Sprint(p.join(1)), "{[0 1 2] 10}")
}

// Replicas that a manager cannot feed: one computes for 25 and spends 10 for its message and 10 for the
// acknowledgement, while the manager needs 10 for an item of each.
func TestSurplusReplicas(t *testing.T) {
	for _, c := range []struct {
		replicas    int
		m0, compute float64
		protocol    role.Protocol
		want        int
	}{
		{0, 10, 25, role.Async, 0}, {4, 10, 25, role.Async, 0}, {5, 10, 25, role.Async, 1},
		{4, 10, 24, role.Async, 0}, {5, 10, 30, role.Async, 0}, {4, 0, 25, role.Async, 0},
		{3, 100, 0, role.Async, 1},  // 200 / 100
		{3, 100, 50, role.Sync, 2},  // 250 / 200
		{3, 100, 400, role.Sync, 0}, // 600 / 200
	} {
		p := line(ms(c.m0, 0, c.protocol), 0, 1, c.compute, 1)
		for range c.replicas {
			p.Stages[1].Replicas = append(p.Stages[1].Replicas, c.compute)
		}
		same(t, fmt.Sprint(c), p.surplus(1), c.want)
	}
	p := line(ms(0, 0, role.Async), 0, 20, 8)
	near(t, "two, one of which loses 15", p.shared(0, 2, 5), 5+1/(1/35.+1/20.))
	near(t, "a slice is enough", p.shared(0, 2, 20), 20+10)
	near(t, "more than enough", p.shared(0, 2, 30), 30+10)
	q := p.with(Pattern{Replicas: []int{2, 0}})
	same(t, "replicas", fmt.Sprint(q.Stages[0].Replicas, q.Stages[1].Replicas), "[20 20] []")
	q.Stages[0].Replicas = []float64{10, 20}
	same(t, "as many", fmt.Sprint(q.with(Pattern{Replicas: []int{2, 0}}).Stages[0].Replicas), "[10 20]")
	same(t, "one more", fmt.Sprint(q.with(Pattern{Replicas: []int{3, 1}}).Stages), "[{20 0 [15 15 15]} {8 0 [8]}]")
}

// Stage 1 sends items of 10 bytes to a manager of one replica, which looks like two stages, or of two. A byte costs
// nothing, a message 1: a replica that computes for 30 takes 32, as it sends on and acknowledges.
func TestPaceWith(t *testing.T) {
	p := line(ms(1, 0, role.Async), 10, 4, 0, 30, 5)
	r := &Report{Pipeline: &PipelineReport{Model: *p}, Roles: &role.Roles{Stages: []role.StageRoles{{Task: 0},
		{Task: 1}, {Task: 2}, {Task: 3}}}}
	for _, c := range []struct {
		task     int32
		replicas int
		slower   float64
		pace     float64
		ok       bool
	}{{1, 2, 1, 16, true}, {1, 1, 1, 32, true}, {1, 4, 1, 8, true}, {1, 8, 1, 5, true}, {1, 2, 2, 31, true},
		{1, 0, 1, 0, false}, {9, 2, 1, 0, false}, {3, 2, 1, 0, false}, {2, 2, 1, 5, true}} {
		pace, ok := r.PaceWith(c.task, c.replicas, c.slower)
		same(t, fmt.Sprint(c), ok, c.ok)
		near(t, fmt.Sprint(c), pace, c.pace)
	}
	near(t, "work", r.ItemWork(), 39)
	r.Pipeline.Model.Stages[1].Replicas = []float64{30, 50}
	pace, ok := r.PaceWith(1, 3, 1) // 42 / 3, but the third stage takes 31
	same(t, "replicas", ok, true)
	near(t, "pace", pace, 31)
	_, ok = r.PaceWith(0, 2, 1)
	same(t, "before a manager", ok, false)
	if _, ok := (&Report{}).PaceWith(0, 2, 1); ok || (&Report{}).ItemWork() != 0 {
		t.Error("there is no pipeline")
	}
}

// A master gives 4 items to each of workers with pipelines; the plans on 4 processors, and what to enlarge first.
func TestBestPlans(t *testing.T) {
	n := Nested{Outer: Farm{Link: ms(1, 0, role.Async)}, Inner: *line(ms(0, 0, role.Async), 0, 4, 6), Items: 8}
	// 8 items of 10 on one processor: (1+1)*1 + 80. On two processors: 10 + 7*6 = 52, and 2. On two workers: 3 + 40.
	for _, c := range []struct {
		workers, inner int
		time           float64
	}{{1, 1, 82}, {1, 2, 54}, {2, 1, 43}, {2, 2, 31}, {4, 1, 25}} {
		p := n.Plan(c.workers, c.inner)
		near(t, fmt.Sprint(c), p.Time, c.time)
		near(t, fmt.Sprint(c), p.Index, float64(c.workers*c.inner)*c.time*c.time/80)
	}
	fastest, worth := n.best(4)
	same(t, "fastest", fmt.Sprint(fastest.Workers, fastest.Inner), "4 1")
	same(t, "worth", fmt.Sprint(worth.Workers, worth.Inner), "4 1")
	fastest, worth = n.best(1)
	same(t, "on one", fmt.Sprint(fastest.Workers, fastest.Inner, worth.Workers, worth.Inner), "1 1 1 1")
	next, gain := n.first(1, 1) // 39 by a worker, 28 by a processor
	same(t, "next", fmt.Sprint(next.Workers, next.Inner, gain), "2 1 39")
	next, gain = n.first(1, 2) // two workers of two: 23 by 2 processors
	same(t, "next", fmt.Sprint(next.Workers, next.Inner, gain), "2 2 11.5")
}
