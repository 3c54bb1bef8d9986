package frameworks

import (
	"fmt"
	"testing"

	"pview/insight/frameworks/role"
	"pview/insight/runtest"
	"pview/prv"
)

// worker returns the clock of a task whose states, (begin, end, value), and events, (time, type, value), are given.
func worker(t *testing.T, from int64, work *role.EventMatch, states, events [][3]int64) *clock {
	t.Helper()
	b := runtest.Tasks(1)
	for _, s := range states {
		b.State(0, 0, s[0], s[1], uint32(s[2]))
	}
	for _, e := range events {
		b.Event(0, 0, e[0], prv.Pair{Type: uint32(e[1]), Value: e[2]})
	}
	return newClock(runtest.Build(t, b), role.Window{From: from}, work)
}

// stretches compares the useful stretches of a task.
func (c *clock) stretches(t *testing.T, what, want string) {
	t.Helper()
	r := c.row(0)
	got := ""
	for i := range r.from {
		got += fmt.Sprintf("%d-%d ", r.from[i], r.to[i])
	}
	same(t, what, got, want)
}

// Stretches of computation from a time on: those of states, those that events of a type begin and value 0 ends, or the
// time outside of calls.
func TestUsefulStretches(t *testing.T) {
	states := [][3]int64{{0, 10, 1}, {10, 30, 1}, {30, 40, 3}, {40, 40, 1}, {40, 50, 1}}
	worker(t, 0, nil, states, nil).stretches(t, "states", "0-10 10-30 40-50 ")
	worker(t, 15, nil, states, nil).stretches(t, "states from 15", "10-30 40-50 ")
	worker(t, 10, nil, states, nil).stretches(t, "states from 10", "10-30 40-50 ")
	events := [][3]int64{{10, 7, 1}, {20, 7, 0}, {25, 8, 1}, {30, 7, 5}, {32, 8, 0}, {50, 7, 0}, {60, 7, 0}}
	any := &role.EventMatch{Type: 7, Any: true}
	worker(t, 0, any, states, events).stretches(t, "events", "10-20 30-50 ")
	worker(t, 15, any, states, events).stretches(t, "events from 15", "10-20 30-50 ")
	worker(t, 35, any, states, events).stretches(t, "events from 35", "30-50 ")
	worker(t, 0, &role.EventMatch{Type: 7, Value: 5}, states, events).stretches(t, "events of value 5", "30-50 ")
	worker(t, 0, nil, nil, [][3]int64{{10, 50000001, 1}, {20, 50000001, 0}, {20, 50000001, 2}, {30, 50000001, 0},
		{40, 9, 0}}).stretches(t, "outside of calls", "0-10 30-40 ")
}

func TestUsefulTime(t *testing.T) {
	r := &usefulRow{}
	r.add(10, 20)
	r.add(30, 50)
	for _, c := range []struct {
		at, until int64
		covers    bool
	}{{9, 0, false}, {10, 0, true}, {15, 5, true}, {20, 10, false}, {25, 10, false}, {30, 10, true}, {40, 20, true},
		{50, 30, false}, {60, 30, false}} {
		same(t, fmt.Sprint(c), r.until(c.at), c.until)
		same(t, fmt.Sprint(c), r.covers(c.at), c.covers)
	}
}

// Tasks begin with events of type 7, of any value but 0 or of value 1.
func TestTasksByEvents(t *testing.T) {
	any, one := &role.EventMatch{Type: 7, Any: true}, &role.EventMatch{Type: 7, Value: 1}
	c := worker(t, 0, nil, [][3]int64{{0, 100, 1}}, [][3]int64{{10, 7, 1}, {15, 8, 1}, {20, 7, 2}, {32, 7, 0},
		{40, 7, 1}})
	for _, x := range []struct {
		from, to int64
		begins   *role.EventMatch
		want     string
	}{
		{10, 50, any, "[10 12 10]"}, {11, 50, any, "[12 10]"}, {10, 40, any, "[10 12]"}, {32, 40, any, "[8]"},
		{41, 50, any, "[9]"}, {10, 50, one, "[10 10]"}, {11, 40, one, "[29]"}, {10, 15, one, "[5]"},
		{50, 41, one, "[0]"},
	} {
		same(t, fmt.Sprint(x), fmt.Sprint(c.tasks(0, x.from, x.to, x.begins)), x.want)
	}
}

// A chunk that is sent when no answer is due begins an iteration; or those behind an event of the master do.
func TestDivide(t *testing.T) {
	c := worker(t, 0, nil, [][3]int64{{0, 100, 1}}, [][3]int64{{3, 7, 1}, {4, 7, 0}, {19, 7, 1}, {25, 7, 2},
		{40, 7, 1}})
	list := []Chunk{{Sent: 0, Taken: 12}, {Sent: 5, Taken: 10}, {Sent: 12, Taken: 20}, {Sent: 19, Taken: 24},
		{Sent: 25, Taken: 30}}
	for _, x := range []struct {
		begins *role.EventMatch
		from   int64
		want   string
	}{
		{nil, 0, "0-12 0 2, 12-24 0 2, 25-30 1 1, "},
		{&role.EventMatch{Type: 7, Value: 1}, 0, "0-12 0 1, 5-20 0 2, 19-30 0 2, "},
		{&role.EventMatch{Type: 7, Value: 1}, 4, "0-20 0 3, 19-30 0 2, "},
		{&role.EventMatch{Type: 7, Any: true}, 4, "0-20 0 3, 19-24 0 1, 25-30 1 1, "},
	} {
		run := &farmRun{Roles: &role.Roles{Statements: role.Statements{Iteration: x.begins}}}
		w := role.Window{From: x.from}
		run.divide(c.t, w, list)
		run.prepare(c.t, w)
		got := ""
		for _, it := range run.Iterations {
			got += fmt.Sprintf("%d-%d %g %d, ", it.From, it.To, it.Prepare, len(it.Chunks))
		}
		same(t, fmt.Sprint(x), got, x.want)
	}
}

// Of three stages, the useful times of items, all of which is useful: until the next comes, from send to send, or from
// the later of arrival and send to the next send.
func TestItems(t *testing.T) {
	c := worker(t, 0, nil, [][3]int64{{0, 100, 1}}, nil)
	made := func(times ...[3]int64) (f flow) { // sent, left, got
		for i, x := range times {
			f.sent, f.left, f.got = append(f.sent, x[0]), append(f.left, x[1]), append(f.got, x[2])
			task := int32(0)
			if i == 2 { // of another one
				task = 9
			}
			f.from, f.to = append(f.from, task), append(f.to, task)
		}
		return f
	}
	for _, x := range []struct {
		name    string
		stage   int
		in, out flow
		want    string
	}{
		{"last", 2, made([3]int64{0, 0, 10}, [3]int64{0, 0, 30}, [3]int64{0, 0, 50}, [3]int64{0, 0, 22}), made(),
			"[12 8]"},
		{"first", 0, made(), made([3]int64{10, 12}, [3]int64{20, 45}, [3]int64{25, 26}, [3]int64{40, 41}),
			"[8 0]"},
		{"middle", 1, made([3]int64{0, 0, 10}, [3]int64{0, 0, 20}, [3]int64{0, 0, 15}, [3]int64{0, 0, 30}),
			made([3]int64{5, 6}, [3]int64{18, 25}, [3]int64{7, 8}, [3]int64{28, 29}, [3]int64{50, 51}),
			"[8 3 20]"},
		{"at once", 1, made([3]int64{0, 0, 10}, [3]int64{0, 0, 20}), made([3]int64{10, 11},
			[3]int64{22, 23}), "[0 2]"},
		{"none", 1, made(), made(), "[]"},
	} {
		run := &pipelineRun{}
		flows := make([]flow, 3)
		flows[x.stage] = x.out
		same(t, x.name, fmt.Sprint(run.items(c, 0, x.in, x.stage, flows)), x.want)
	}
}
