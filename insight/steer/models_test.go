package steer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/frameworks"
	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/prvtest"
	"pview/prv/record"
)

func whole(name string, low, high, value float64) record.Tunable {
	return record.Tunable{Name: name, Whole: true, Low: low, High: high, Value: value, Ranks: []int{0}}
}

// viewOf returns the view of the last five iterations of a program.
func viewOf(t *testing.T, m *master) *view {
	t.Helper()
	l := New(Options{})
	tr := m.run(t, 8)
	l.read(tr, []int{0})
	l.seen = len(l.begins) - 1
	if l.seen != 8 {
		t.Fatalf("%d of 8 iterations", l.seen)
	}
	return l.view(context.Background(), tr, l.typicalOf(5), m.variables)
}

// What the models propose to a master with 24 tasks of 1 ms for 6 workers.
func TestProposals(t *testing.T) {
	equal, uneven := slices.Repeat([]int64{ms}, 24), slices.Repeat([]int64{ms}, 24)
	for i := range 4 {
		uneven[i] = 4 * ms
	}
	var got strings.Builder
	for _, c := range []struct {
		what   string
		master master
	}{
		{"chunks of 12", master{variables: []record.Tunable{whole("partition", 1, 24, 12)}, workers: 6}},
		{"chunks of 4", master{variables: []record.Tunable{whole("partition", 1, 24, 4)}, workers: 6}},
		{"chunks of 5 to 7", master{variables: []record.Tunable{whole("partition", 5, 7, 6)}, workers: 6}},
		{"6 workers for 4 chunks", master{variables: []record.Tunable{whole("workers", 0, 9, 6)}, perChunk: 6}},
		{"2 workers", master{variables: []record.Tunable{whole("workers", 0, 9, 2)}, perChunk: 4}},
		{"at least 5 workers", master{variables: []record.Tunable{whole("workers", 5, 9, 6)}, perChunk: 8}},
		{"a batch of all", master{variables: []record.Tunable{whole("policy", 0, 3, 0)}, perChunk: 4, workers: 6}},
		{"four tasks of 4 ms", master{variables: []record.Tunable{whole("policy", -1, 9, 0)}, perChunk: 4, workers: 6,
			tasks: uneven}},
		{"batches of half of them", master{variables: []record.Tunable{{Name: "partition", Low: 0.25, High: 1,
			Value: 0.5}}, perChunk: 2, workers: 6, tasks: uneven}},
		{"FSC and its batches", master{variables: []record.Tunable{{Name: "partition", Low: 0.25, High: 1, Value: 0.5},
			whole("policy", 0, 3, 1)}, perChunk: 2, workers: 6, tasks: uneven}},
		{"chunks of 4, but others were dealt", master{variables: []record.Tunable{whole("policy", 0, 3, 0)},
			perChunk: 12, workers: 6}},
		{"two variables", master{variables: []record.Tunable{whole("other", 0, 1, 0), whole("partition", 1, 24, 12),
			whole("workers", 1, 6, 6)}}},
	} {
		if c.master.tasks == nil {
			c.master.tasks = equal
		}
		v := viewOf(t, &c.master)
		fmt.Fprintf(&got, "=== %s, measured %s\n", c.what, short(v.typical.Value))
		for i := range v.list {
			for _, m := range Models() {
				if m.Name != v.list[i].Name {
					continue
				}
				p, err := m.propose(v, i)
				if err != nil {
					t.Fatal(err)
				}
				if p == nil {
					fmt.Fprintf(&got, "%s: nothing, %s\n", m.Name, v.doubt)
					continue
				}
				fmt.Fprintf(&got, "%s %g -> %g: %s, frees %v, %s\n", m.Name, p.From, p.To, short(p.Predicted), p.Frees,
					p.Why)
				fmt.Fprintf(&got, "then %s, %s\n", short(v.predict(p, p.To)), p.key(v.list))
			}
		}
		best, err := v.best(func(*Proposal) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if best != nil {
			fmt.Fprintf(&got, "best: %s\n", v.list[best.tunable].Name)
		}
		fmt.Fprintf(&got, "work %s\n", short(v.work()))
	}
	prvtest.SameFile(t, "testdata/proposals.txt", got.String())
}

// Values of a variable to try: all if they are few; of many, some, each a tenth more than the one before; of a double,
// 65.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		v    record.Tunable
		want []float64
	}{
		{record.Tunable{Whole: true, Low: 2, High: 5, Value: 3}, []float64{2, 3, 4, 5}},
		{record.Tunable{Whole: true, Low: 3, High: 3, Value: 3}, []float64{3}},
		{record.Tunable{Whole: true, Low: 3, High: 2, Value: 3}, nil},
		{record.Tunable{Low: 3, High: 2, Value: 3}, nil},
	} {
		if got := candidates(&c.v); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.v, got, c.want)
		}
	}
	if got := candidates(&record.Tunable{Whole: true, Low: 0, High: 64}); len(got) != 65 || got[64] != 64 {
		t.Errorf("0 to 64: %v", got)
	}
	// Steps of one up to 15, since a tenth of 14 rounds to 1; then 1.1 * 15 is 16.5, which rounds to 17. Both ends and
	// the value itself are among them.
	got := candidates(&record.Tunable{Whole: true, Low: 0, High: 65, Value: 7})
	want := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45,
		50, 55, 61, 0, 65, 7}
	if !slices.Equal(got, want) {
		t.Errorf("0 to 65: %v", got)
	}
	got = candidates(&record.Tunable{Low: 1, High: 17, Value: 2.2})
	if len(got) != 66 || got[0] != 1 || got[1] != 1.25 || got[2] != 1.5 || got[64] != 17 || got[65] != 2.2 {
		t.Errorf("1 to 17 as a double: %v", got)
	}
}

// The others are all tasks of the first application but the master.
func TestOthers(t *testing.T) {
	tr := newWriting(4, 10).trace(t)
	if got := others(tr, 1); !slices.Equal(got, []int32{0, 2, 3}) {
		t.Errorf("%v", got)
	}
	if e := taskEvent(tr); e == nil || e.Type != extrae.UserFunction || e.Value != 7 {
		t.Errorf("%+v", e)
	}
	tr.Labels = &prv.Labels{}
	if e := taskEvent(tr); e != nil {
		t.Errorf("%+v without user functions", e)
	}
	tr.Labels.AddType(extrae.UserFunction, "User function", prv.ValueLabel{Value: 1, Label: "main"})
	if e := taskEvent(tr); e != nil {
		t.Errorf("%+v without tasks", e)
	}
}

// pipelined returns the view of a pipeline: stages of 1 ms, of 4 ms with some replicas, whose manager is task 2, and of
// half a millisecond.
func pipelined(t *testing.T, replicas int, variable record.Tunable) *view {
	t.Helper()
	p := &frameworks.Pipeline{Acknowledgement: 4, Stages: []frameworks.Stage{{Compute: 1e6, Bytes: 10_000},
		{Bytes: 10_000, Replicas: slices.Repeat([]float64{4e6}, replicas)}, {Compute: 0.5e6}}}
	s, _, err := p.Simulate(context.Background(), 60, true)
	if err != nil {
		t.Fatal(err)
	}
	return &view{ctx: context.Background(), t: s.Trace, list: []record.Tunable{variable}, loop: New(Options{}),
		typical: Typical{Value: s.Time}}
}

// The fewest replicas that do not set the pace. One is given up if the others may become a tenth slower.
func TestReplicas(t *testing.T) {
	var got strings.Builder
	for _, c := range []struct {
		now       int
		low, high float64
		ranks     []int
	}{{2, 0, 9, []int{1}}, {3, 1, 9, []int{1}}, {4, 1, 9, []int{1}}, {5, 1, 9, []int{1}}, {6, 1, 9, []int{1}},
		{7, 6, 9, []int{1}}, {2, 1, 3, []int{1}}, {4, 1, 4, []int{1}}, {2, 1, 9, nil}, {2, 1, 9, []int{0}}} {
		v := pipelined(t, c.now, record.Tunable{Name: "replicas", Whole: true, Low: c.low, High: c.high,
			Value: float64(c.now), Ranks: c.ranks})
		p, err := proposeReplicas(v, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%d of %g to %g, ranks %v: ", c.now, c.low, c.high, c.ranks)
		if p == nil {
			fmt.Fprintf(&got, "nothing, then %g; %s\n", predictReplicas(v, 0, 3), v.doubt)
			continue
		}
		fmt.Fprintf(&got, "%g -> %g, %s, frees %v, %s; with 3 %s, work %s\n", p.From, p.To, short(p.Predicted), p.Frees,
			p.Why, short(predictReplicas(v, 0, 3)), short(v.work()))
	}
	prvtest.SameFile(t, "testdata/replicas.txt", got.String())
}

// Models propose nothing to a program without a structure, and cannot know its work.
func TestNoStructure(t *testing.T) {
	w := newWriting(3, 0)
	w.sync(0)
	for i := range int32(3) {
		w.call(i, 1*ms, 1*ms+us, recv)
	}
	w.sync(2 * ms)
	tr := w.trace(t)
	for _, m := range Models() {
		v := &view{ctx: context.Background(), t: tr, list: []record.Tunable{whole(m.Name, 1, 9, 4)},
			loop: New(Options{}), typical: Typical{Value: ms}, window: role.Window{To: 2 * ms}}
		p, err := m.propose(v, 0)
		if p != nil || err != nil || v.work() != 0 {
			t.Errorf("%s: %+v, %v, work %g", m.Name, p, err, v.work())
		}
	}
}
